//! The platform engine: the parts of an adapter that are the same for every platform.
//!
//! An adapter states facts and translates. Translation does no I/O; time and settings are arguments. The engine sends,
//! decides the outcome of a create, loops over pages, and joins the parts. A platform that differs overrides a provided
//! method of [`AdPlatform`]; the engine has no per-platform flags.
//!
//! A create goes through four steps:
//!
//! 1. [`Create::prepare_create`] checks and translates the draft once, before anything is stored.
//! 2. [`AdPlatform::complete_create`] adds the parts that must be read from the platform, such as a pixel or a campaign
//!    group.
//! 3. The engine sends the request once. [`Create::read_created`] reads the campaign from a success response;
//!    [`Create::create_failure`] decides whether a failed create was refused or has an unknown outcome.
//! 4. [`AdPlatform::finish_create`] reads the campaign back on platforms that need it. Its failure is
//!    only logged, because the campaign exists.
//!
//! [`list::by_tokens`] lists a platform that continues by page tokens. The others keep positions of their own.

pub mod accounts;
pub mod ads;
pub mod call;
pub mod create;
pub mod dry_run;
pub mod facts;
pub mod find;
pub mod insights;
pub mod list;
pub mod page;
pub mod spend;
pub mod words;

use super::config::PlatformConfig;
use super::errors;
use super::field_errors::FieldErrors;
use super::oauth::{self, AuthorizeRequest, CodeExchange, Tokens};
use super::revocation::{self, RevokedGrant};
use crate::domain::monthly::DailyBudgetRule;
use crate::domain::{
    AdAccount, AdsUnread, BudgetPeriod, CampaignChanges, CampaignDefaults, CampaignDraft, Currency, Days, InsightsRow,
    Marker, Platform, PlatformCampaign,
};
use crate::error::{Error, Kind};
use crate::outbound::{OutboundRequest, OutboundResponse};
use ads::{AdsReport, AdsRequest};
use async_trait::async_trait;
use call::{AccountSession, CallContext, Client};
use create::{Create, CreateFailure, PreparedCreate};
use dry_run::{DryRun, DryRunSession};
use facts::Facts;
use find::{Find, Search};
use insights::{InsightsPage, InsightsRequest};
use list::{CampaignPage, ListRequest};
use page::{Page, Pages};
use rust_decimal::Decimal;
use secrecy::SecretString;
use std::ops::ControlFlow;

/// The interface of a platform's adapter: facts, pure translation in [`Create`] and [`Find`], and provided methods that
/// call the engine.
///
/// Errors name the platform. [`crate::error::Kind::TokenExpired`] means that the access token was refused, and the
/// caller refreshes it once; [`crate::error::Kind::Forbidden`] that the account cannot be accessed for another reason.
#[async_trait]
pub trait AdPlatform: Create + Find + Send + Sync {
    /// The facts of the platform.
    fn facts(&self) -> &'static Facts;

    /// The URL of the consent page.
    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, self.facts().flow, request)
    }

    /// Exchanges an authorization code for tokens.
    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, self.facts().flow, exchange).await
    }

    /// Obtains a new access token. Fails with [`crate::error::Kind::TokenExpired`] if the grant is revoked.
    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, self.facts().flow, refresh_token).await
    }

    /// Ends a grant at the platform. The outcome is for the log only: our record of the grant is already deleted.
    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        match self.facts().revocation {
            Some(revocation) => revocation::revoke(call, revocation, grant).await,
            None => Ok(()),
        }
    }

    /// Checks the campaign defaults of a connection. Most platforms have none.
    fn defaults_errors(&self, defaults: &CampaignDefaults) -> FieldErrors {
        super::defaults::not_offered(self.facts().capabilities.platform, defaults)
    }

    /// The ad accounts that a token can access and that can hold campaigns.
    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error>;

    /// Adds the parts of a create that must be read from the platform. Does not create the campaign.
    async fn complete_create(&self, _: &AccountSession, prepared: &PreparedCreate) -> Result<PreparedCreate, Error> {
        Ok(prepared.clone())
    }

    /// Completes a campaign that was just created.
    async fn finish_create(&self, _: &AccountSession, created: PlatformCampaign) -> PlatformCampaign {
        created
    }

    /// Creates a PAUSED campaign with its own budget. Never retried. If the outcome is unknown, the error says so and
    /// is not retryable.
    async fn create_campaign(
        &self,
        session: &AccountSession,
        prepared: &PreparedCreate,
    ) -> Result<PlatformCampaign, Error> {
        let prepared = self.complete_create(session, prepared).await?;
        let read = |response: &OutboundResponse| self.read_created(&session.account, &prepared, response);
        let failure = |response: &OutboundResponse, error| self.create_failure(response, error);
        let created = create::send(&Client::of(self.facts().api, session), &prepared, read, failure).await?;
        Ok(self.finish_create(session, created).await)
    }

    /// Campaigns with this marker where the platform stores markers, otherwise all that match the draft; oldest first.
    /// Reads every page or fails, so an empty result means that there is none.
    async fn find_created(
        &self,
        session: &AccountSession,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<PlatformCampaign>, Error> {
        let account = &session.account;
        let platform = self.facts().api.platform;
        let request = |token: Option<&str>| self.find_request(account, draft, token);
        let pages = Pages::new(request, |called, response| self.read_page(called, response));
        let mut search = Search::default();
        let visit = |_: Option<&str>, page: Page| {
            // An unreadable row might be the campaign, so it is an error.
            let rows = page.rows.iter().filter_map(|row| self.read_row(account, row, session.call.now).transpose());
            let rows: Result<Vec<PlatformCampaign>, Error> = rows.collect();
            let rows = rows.map_err(|error| not_absent(platform, error))?;
            let is_past = self.is_past(&rows, marker);
            for campaign in rows {
                search.add(self.evidence(&campaign, draft, marker)?, campaign);
            }
            Ok(if is_past { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let client = Client::of(self.facts().api, session);
        pages.visit(&client, None, visit).await.map_err(|error| errors::account_error(platform, error))?;
        search.result(platform)
    }

    /// One page of campaigns, in the platform's own way.
    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error>;

    /// Lists campaigns. A 404 means that the ad account was not found.
    async fn list_campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        let page = self.campaigns(session, request).await;
        page.map_err(|error| errors::account_error(self.facts().api.platform, error))
    }

    /// Reads one campaign, even a removed one if the platform still returns it. Its spend is absent where that takes
    /// another call.
    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error>;

    /// Reads one campaign with its spend.
    async fn get_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        self.read_campaign(session, remote_id).await
    }

    /// Reads the ads of some campaigns, and what is held against their ad account.
    async fn read_ads(&self, session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error>;

    /// What the platform says of the ads of some campaigns, and of their ad account. That it does not permit to read ads is
    /// no error: the campaigns can be read all the same, so it says nothing of the connection.
    async fn ads(&self, session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
        match self.read_ads(session, request).await {
            Err(error) if error.kind == Kind::Forbidden => {
                tracing::info!(%error, "the ads are not permitted to be read");
                Ok(AdsReport::unread(request, Vec::new(), AdsUnread::NotPermitted))
            }
            read => read,
        }
    }

    /// Whether no other campaign spends from the budget of this one.
    fn owns_budget(&self, campaign: &PlatformCampaign) -> bool {
        campaign.budget_amount.is_some()
    }

    /// The limits for the daily budget that implements a monthly budget.
    fn daily_budget_rule(&self, currency: Currency) -> DailyBudgetRule {
        let capabilities = self.facts().capabilities;
        DailyBudgetRule {
            factor: Decimal::new(capabilities.daily_spend.hundredths, 2),
            minimum: capabilities.minimum_budget(BudgetPeriod::Daily, currency),
            decimals: capabilities.decimals_in(currency),
        }
    }

    /// Whether a change of the status is a request of its own, after one with the other values.
    fn sets_status_apart(&self) -> bool {
        false
    }

    /// Sends changes that differ from `current`. Returns the campaign as the answer shows it, or `None` where the answer
    /// only confirms. Safe to repeat. If an error occurs after some changes were applied, its outcome is unknown; it may
    /// still be retryable.
    async fn update_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<Option<PlatformCampaign>, Error>;

    /// Reads a campaign after a write, which does not change its spend. `expected` is what the write may have made of it.
    async fn read_again(
        &self,
        session: &AccountSession,
        expected: &PlatformCampaign,
    ) -> Result<PlatformCampaign, Error> {
        let seen = self.read_campaign(session, &expected.remote_id).await?;
        Ok(PlatformCampaign { total_spend_amount: seen.total_spend_amount.or(expected.total_spend_amount), ..seen })
    }

    /// The pages of a report on a part of the requested days. A platform that reports in another way overrides
    /// [`AdPlatform::insights`] instead.
    fn report_pages<'a>(
        &'a self,
        session: &'a AccountSession,
        request: &'a InsightsRequest,
        part: Days,
    ) -> Result<Pages<'a, InsightsRow>, Error> {
        let _ = (session, request, part);
        Err(Error::internal("a platform without pages of a report"))
    }

    /// One page of the numbers of one campaign, or of all campaigns of the account. A row that cannot be read is an
    /// error: without it the rows would not add up.
    async fn insights(&self, session: &AccountSession, request: &InsightsRequest) -> Result<InsightsPage, Error> {
        let client = Client::of(self.facts().api, session);
        let page = insights::by_parts(&client, self.facts().insights, request, |part| {
            self.report_pages(session, request, part)
        });
        page.await.map_err(|error| match request.campaign {
            // Of one campaign, a resource that is not found is the campaign.
            Some(_) if error.kind == Kind::NotFound => error,
            _ => errors::account_error(self.facts().api.platform, error),
        })
    }

    /// The same write with the platform's flag that only checks it; `None` where the platform has none.
    fn validation(&self, _: &OutboundRequest) -> Result<Option<OutboundRequest>, Error> {
        Ok(None)
    }

    /// Reads a success response to a check. One that reports a changed resource is an error: the platform ignored the
    /// flag.
    fn read_validated(&self, _: &OutboundResponse) -> Result<(), Error> {
        Ok(())
    }

    /// The session's ad account as the platform has it now; `None` if the access token does not reach it.
    async fn account(&self, session: &AccountSession) -> Result<Option<AdAccount>, Error> {
        let reached = self.accounts(&session.call, &session.token).await?;
        Ok(reached.into_iter().find(|account| account.id == session.account.id))
    }

    /// Does everything that a create does except its writes, and checks these. Returns an error if the platform gave no
    /// verdict, or refused the access token.
    async fn dry_run_create(&self, session: &AccountSession, prepared: &PreparedCreate) -> Result<DryRun, Error> {
        let dry_run = DryRunSession::of(session, self.facts());
        let outcome = self.create_campaign(&dry_run.session, prepared).await;
        let refusal = |response: &OutboundResponse, error| match self.create_failure(response, error) {
            CreateFailure::NotCreated(error) | CreateFailure::Unknown(error) => error,
        };
        self.check_writes(session, dry_run.writes(outcome), &refusal).await
    }

    /// Does everything that an update does except its writes, and checks these. Fails like
    /// [`AdPlatform::dry_run_create`].
    async fn dry_run_update(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<DryRun, Error> {
        let dry_run = DryRunSession::of(session, self.facts());
        let outcome = self.update_campaign(&dry_run.session, current, changes).await;
        self.check_writes(session, dry_run.writes(outcome), &|_, error| error).await
    }

    /// Has the platform check each write, or reads the ad account where the platform cannot. `refusal` gives an error
    /// of a check the meaning that it has for the write.
    async fn check_writes(
        &self,
        session: &AccountSession,
        writes: Result<Vec<OutboundRequest>, Error>,
        refusal: &(dyn for<'a> Fn(&'a OutboundResponse, Error) -> Error + Sync),
    ) -> Result<DryRun, Error> {
        let client = Client::of(self.facts().api, session);
        let writes = match writes {
            Ok(writes) => writes,
            Err(error) => return DryRun::failed(Vec::new(), error),
        };
        let shown = writes.iter().map(|write| dry_run::shown(&client, write)).collect();
        let checks: Vec<OutboundRequest> =
            writes.iter().filter_map(|write| self.validation(write).transpose()).collect::<Result<_, _>>()?;
        if checks.is_empty() {
            let found = self.account(session).await;
            let checked = found.and_then(|found| dry_run::check(session, client.platform(), found.as_ref()));
            return match checked {
                Ok(()) => Ok(DryRun::new(shown, Ok(()))),
                Err(error) => DryRun::failed(shown, error),
            };
        }
        for check in checks {
            // Sent once, like the write itself.
            let response =
                client.send(check).await.map_err(|failure| errors::no_response(client.platform(), failure))?;
            if let Err(error) = client.check(&response) {
                return DryRun::failed(shown, refusal(&response, error)).map(DryRun::by_platform);
            }
            self.read_validated(&response)?;
        }
        Ok(DryRun::new(shown, Ok(())).by_platform())
    }

    /// Removes a campaign, or archives it if the platform cannot remove it. Returns what an update does.
    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error>;
}

/// A row of another account means that the platform answered something else; it does not prove absence.
fn not_absent(platform: Platform, error: Error) -> Error {
    if error.kind == Kind::NotFound { errors::unreadable(platform, error) } else { error }
}

#[cfg(test)]
mod tests;
