//! The platform engine: the parts of an adapter that are the same for every platform.
//!
//! An adapter states facts and translates. While it translates, it reads no clock, settings or network. The engine
//! sends, decides the outcome of a create, loops over pages, and joins the parts. A platform that differs overrides a
//! provided method of [`AdPlatform`]; the engine has no per-platform flags.
//!
//! A create goes through four steps:
//!
//! 1. [`AdPlatform::prepare_create`] checks and translates the draft once, before anything is stored.
//! 2. [`AdPlatform::complete_create`] adds the parts that must be read from the platform, such as a pixel or a campaign
//!    group.
//! 3. The engine sends the request once. [`AdPlatform::read_created`] reads the campaign from a success response;
//!    [`AdPlatform::create_failure`] decides whether a failed create was refused or has an unknown outcome.
//! 4. [`AdPlatform::finish_create`] reads the campaign back, or pauses it, on platforms that need it. It cannot fail,
//!    because the campaign exists.
//!
//! Lists share their page loop and [`list::by_tokens`]. Four platforms implement their own positions: they continue
//! after an id, choose each page's size, or merge two lists. A shared function would need a flag for each.

pub mod accounts;
pub mod call;
pub mod create;
pub mod find;
pub mod list;
pub mod page;
pub mod spend;

use super::answers;
use super::capabilities::Capabilities;
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, CodeExchange, Flow, RefreshPolicy, Tokens};
use super::revocation::{self, Revocation, RevokedGrant};
use super::settings::Settings;
use super::version::ApiVersion;
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignDraft, Marker, Platform};
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Outgoing};
use async_trait::async_trait;
use call::{Api, CallContext, Client, Session};
use create::{CreateFailure, CreateInput, PreparedCreate};
use find::{Evidence, Search};
use http::HeaderMap;
use jiff::Timestamp;
use list::{CampaignPage, ListRequest};
use page::{Page, Pages};
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::ops::ControlFlow;
use std::time::Duration;

/// The interface of a platform's adapter: facts, pure translation, and provided methods that call the engine.
///
/// Errors name the platform. [`crate::error::Kind::TokenExpired`] means that the access token was refused, and the
/// caller refreshes it once; [`crate::error::Kind::Forbidden`] that the account cannot be accessed for another reason.
#[async_trait]
pub trait AdPlatform: Send + Sync {
    /// The protocol of the platform's API.
    fn api(&self) -> &'static Api;

    /// The platform's capabilities. Validation and documentation read this one table.
    fn capabilities(&self) -> &'static Capabilities;

    /// The version of the platform's API that the adapter calls.
    fn api_version(&self, settings: &Settings) -> ApiVersion;

    /// The OAuth flow.
    fn flow(&self) -> &'static Flow;

    /// The token revocation of RFC 7009; `None` if the platform has none for the tokens that we hold.
    fn revocation(&self) -> Option<&'static Revocation> {
        None
    }

    /// Name of the callback's parameter that carries the authorization code.
    fn code_parameter(&self) -> &'static str {
        "code"
    }

    /// The only value that the callback's `iss` parameter may have (RFC 9207); `None` for a platform that sends none.
    fn issuer(&self) -> Option<&'static str> {
        None
    }

    /// The behavior of a refresh. It determines the duration of the lease on a grant.
    fn refresh_policy(&self) -> &'static RefreshPolicy {
        &RefreshPolicy::REPEATABLE
    }

    /// Returns `true` for a response that reports a failure of the platform rather than a refusal. Failed reads are
    /// retried, and repeated failures open the circuit breaker.
    fn is_broken(&self) -> fn(&Answer) -> bool {
        |answer| answer.status.is_server_error()
    }

    /// The pause that the response headers request for the ad account, on success or failure. A wait in an error's body
    /// is in [`Error::retry_after`].
    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        answers::retry_after(headers, now)
    }

    /// The URL of the consent page.
    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, self.flow(), request)
    }

    /// Exchanges an authorization code for tokens.
    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, self.flow(), exchange).await
    }

    /// Obtains a new access token. Fails with [`crate::error::Kind::TokenExpired`] if the grant is revoked.
    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, self.flow(), refresh_token).await
    }

    /// Ends a grant at the platform. The outcome is for the log only: our record of the grant is already deleted.
    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        match self.revocation() {
            Some(revocation) => revocation::revoke(call, revocation, grant).await,
            None => Ok(()),
        }
    }

    /// The ad accounts that a token can access and that can hold campaigns.
    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error>;

    /// Checks and translates a draft. Rejects each field that the platform cannot represent.
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error>;

    /// Adds the parts of a create that must be read from the platform. Does not create the campaign.
    async fn complete_create(&self, _: &Session, prepared: &PreparedCreate) -> Result<PreparedCreate, Error> {
        Ok(prepared.clone())
    }

    /// Reads the new campaign from a success response.
    fn read_created(&self, account: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error>;

    /// Decides whether a failed create was refused or has an unknown outcome.
    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        CreateFailure::of(answer, error)
    }

    /// Completes a campaign that was just created.
    async fn finish_create(&self, _: &Session, created: Campaign) -> Campaign {
        created
    }

    /// Creates a PAUSED campaign with its own budget. Never retried. If the outcome is unknown, the error says so and
    /// is not retryable.
    async fn create_campaign(&self, session: &Session, prepared: &PreparedCreate) -> Result<Campaign, Error> {
        let prepared = self.complete_create(session, prepared).await?;
        let read = |answer: &Answer| self.read_created(&session.account, &prepared, answer);
        let failure = |answer: &Answer, error| self.create_failure(answer, error);
        let created = create::send(&Client::of(self.api(), session), &prepared, read, failure).await?;
        Ok(self.finish_create(session, created).await)
    }

    /// Whether the platform may create a campaign as active although PAUSED was requested.
    /// [`AdPlatform::finish_create`] then pauses it; a campaign returned as ACTIVE could not be paused.
    fn may_create_active(&self) -> bool {
        false
    }

    /// The request for one page of the campaigns to search for a created draft.
    fn find_request(&self, account: &AdAccount, draft: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error>;

    /// Reads a page of campaigns. `called` is the URL that was requested.
    fn read_page(&self, called: &str, answer: &Answer) -> Result<Page, Error>;

    /// Reads a campaign from a row; `None` if the campaign must not be shown.
    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<Campaign>, Error>;

    /// How well a campaign matches a create: evidence for or against.
    fn evidence(&self, campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error>;

    /// Whether the search can stop: no later page can hold the created campaign.
    fn is_past(&self, _: &[Campaign], _: &Marker) -> bool {
        false
    }

    /// Maps the error of a call on the whole account: a 404 there means the ad account, not a campaign.
    fn account_error(&self, error: Error) -> Error {
        error
    }

    /// Campaigns with this marker where the platform stores markers, otherwise all that match the draft; oldest first.
    /// Reads every page or fails, so an empty result means that there is none.
    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error> {
        let (account, platform) = (&session.account, self.api().platform);
        let request = |token: Option<&str>| self.find_request(account, draft, token);
        let pages = Pages::new(request, |called, answer| self.read_page(called, answer));
        let mut search = Search::default();
        let visit = |_: Option<&str>, page: Page| {
            // An unreadable row might be the campaign, so it is an error.
            let rows = page.rows.iter().filter_map(|row| self.read_row(account, row, session.call.now).transpose());
            let rows: Result<Vec<Campaign>, Error> = rows.collect();
            let rows = rows.map_err(|error| not_absent(platform, error))?;
            let is_past = self.is_past(&rows, marker);
            for campaign in rows {
                search.add(self.evidence(&campaign, draft, marker)?, campaign);
            }
            Ok(if is_past { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let client = Client::of(self.api(), session);
        pages.visit(&client, None, visit).await.map_err(|error| self.account_error(error))?;
        search.result(platform)
    }

    /// Lists campaigns.
    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error>;

    /// Reads one campaign, even a removed one if the platform still returns it.
    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error>;

    /// Applies changes that differ from `current` and returns the changed campaign. Safe to repeat. If an error occurs
    /// after some changes were applied, its outcome is unknown; it may still be retryable.
    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error>;

    /// Removes a campaign, or archives it if the platform cannot remove it.
    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error>;
}

/// A row of another account means that the platform answered something else; it does not prove absence.
fn not_absent(platform: Platform, error: Error) -> Error {
    if error.kind == Kind::NotFound { answers::unreadable(platform, error) } else { error }
}

#[cfg(test)]
mod tests;
