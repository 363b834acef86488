//! LinkedIn: the LinkedIn Marketing API (`/rest`, versioned by a header).
//!
//! Our campaign is the platform's `adCampaign`, which has the budget and the objective; its web interface calls that
//! an ad set. Facts are here; `api` is the protocol, `query` its addresses, `translate` maps, `error` classifies
//! failures.

mod accounts;
mod ads;
mod api;
mod audience;
mod error;
mod find;
mod group;
mod insights;
mod list;
mod query;
#[cfg(test)]
mod recorded;
mod report;
#[cfg(test)]
pub(super) mod sample;
mod spend;
mod translate;
mod wire;

use super::capabilities::{BudgetBound, Capabilities, DailySpend, DateRules, Deletion, NameRules};
use super::engine::AdPlatform;
use super::engine::create::with_read_back;
use super::engine::facts::Facts;
use super::oauth::{self, ClientAuth, CodeExchange, Flow, Tokens};
use super::prelude::*;
use super::revocation::Revocation;
use super::settings::Settings;
use super::version::{self, ApiVersion};
use async_trait::async_trait;
use futures_util::future::join;
use std::slice;
use translate::edit;

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Delta,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    goals_without_whole_run: &[],
    has_period_change: false,
    writable_statuses: &[
        CampaignStatus::Active,
        CampaignStatus::Paused,
        CampaignStatus::Archived,
        CampaignStatus::ScheduledForDeletion,
    ],
    names: NameRules::OF_SERVICE,
    dates_held_by: Holder::Platform,
    dates: DateRules::AHEAD,
    lifetime_needs_end: true,
    daily_spend: DailySpend { hundredths: 150, page: "https://www.linkedin.com/help/lms/answer/a422101" },
    deletion: Deletion::Archives,
    minimum_budgets: &[
        BudgetBound::of_platform(BudgetPeriod::Daily, "USD", 1_000),
        BudgetBound::of_platform(BudgetPeriod::Lifetime, "USD", 10_000),
    ],
    maximum_budgets: &[],
    decimals: None,
    notes: &[
        "On a single day up to half as much again as the daily budget may be spent.",
        "start_at and end_at can be changed to a time that has not passed. start_at cannot be taken away, end_at unless \
         the budget is LIFETIME or TOTAL. A campaign past its end is ENDED, until it gets a later one.",
        "Campaigns are made in one campaign group, whose own state and dates hold for them too. They are aimed at the \
         country and the language in campaign_defaults of the connection, or else at those of the operator, and are \
         declared political only if special_ad_categories there has ISSUES_ELECTIONS_POLITICS.",
        "An archived campaign stays readable; a draft is deleted for good.",
        "A campaign without ads is not shown, whatever its status.",
        "Every campaign bids automatically and is billed by impressions, whatever its goal.",
        "Spend is rounded to the decimals of the account's currency.",
        "An ad account without a page (the account's `reference` on LinkedIn) makes campaigns that LinkedIn may never \
         show.",
    ],
};

/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>
///
/// Only approved applications get refresh tokens; without one the connection ends with its access token.
static FLOW: Flow = Flow {
    authorize_url: "https://www.linkedin.com/oauth/v2/authorization",
    token_url: "https://www.linkedin.com/oauth/v2/accessToken",
    // <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/account-access-controls>
    scopes: &["r_ads", "rw_ads", "r_ads_reporting"],
    scope_separator: " ",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::from_secs(60 * 86_400),
};

/// In wide public use, but not on the platform's published pages.
static REVOCATION: Revocation = Revocation {
    url: "https://www.linkedin.com/oauth/v2/revoke",
    client_auth: Some(ClientAuth::Body),
    type_hint: false,
};

static FACTS: Facts = Facts {
    revocation: Some(&REVOCATION),
    insights: &insights::FACTS,
    assumed_response: group::assumed_response,
    ..Facts::new(&api::API, api_version, &CAPABILITIES, &FLOW)
};

/// Each version is named by its month and supported for at least a year; the page has the exact days.
fn api_version(settings: &Settings) -> ApiVersion {
    let name = settings.delta_ads.version.clone();
    let page = "https://learn.microsoft.com/en-us/linkedin/marketing/integrations/migrations";
    ApiVersion { ends_on: version::a_year_after(&name), name: name.into(), page }
}

/// The adapter of LinkedIn.
#[derive(Clone, Copy, Debug)]
pub struct Delta;

#[async_trait]
impl AdPlatform for Delta {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn defaults_errors(&self, defaults: &CampaignDefaults) -> FieldErrors {
        audience::errors(defaults)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, &FLOW, exchange).await.map_err(error::exchange_error)
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, &FLOW, refresh_token).await.map_err(error::refresh_error)
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token, accounts::TOKEN_DELAY).await
    }

    async fn account(&self, session: &AccountSession) -> Result<Option<AdAccount>, Error> {
        accounts::of_session(session).await
    }

    /// Both reads run to their ends, so that the creation of a group is not left half-way.
    async fn complete_create(
        &self,
        session: &AccountSession,
        prepared: &PreparedCreate,
    ) -> Result<PreparedCreate, Error> {
        let (group, entity) = join(group::group(session), accounts::reference(session)).await;
        let prepared = prepared.with_field(&["campaignGroup"], &group?)?;
        match entity? {
            Some(entity) => prepared.with_field(&["associatedEntity"], &entity),
            None => Ok(prepared),
        }
    }

    /// Reads the campaign back, because the response to a create contains only its id.
    async fn finish_create(&self, session: &AccountSession, created: PlatformCampaign) -> PlatformCampaign {
        let read = read(session, &created.remote_id).await;
        with_read_back(created, read)
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        read(session, remote_id).await
    }

    async fn get_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let mut campaign = self.read_campaign(session, remote_id).await?;
        spend::fill(session, slice::from_mut(&mut campaign)).await?;
        Ok(campaign)
    }

    async fn read_ads(&self, session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
        ads::read(session, request).await
    }

    async fn update_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let fields = edit::fields(current, changes, session.call.now)?;
        change(session, api::update(&session.account.id, &current.remote_id, &fields)?).await?;
        Ok(None)
    }

    fn report_pages<'a>(
        &'a self,
        session: &'a AccountSession,
        request: &'a InsightsRequest,
        part: Days,
    ) -> Result<Pages<'a, InsightsRow>, Error> {
        insights::pages(session, request, part)
    }

    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let account = &session.account.id;
        let archived = wire::CampaignFields { status: Some("ARCHIVED"), ..wire::CampaignFields::default() };
        let request = match current.status {
            // The platform deletes only campaigns that never ran.
            CampaignStatus::Draft => {
                OutboundRequest { method: Method::DELETE, ..get(query::campaign(account, &current.remote_id)?) }
            }
            CampaignStatus::Active
            | CampaignStatus::Paused
            | CampaignStatus::Ended
            | CampaignStatus::Archived
            | CampaignStatus::ScheduledForDeletion
            | CampaignStatus::Unspecified => api::update(account, &current.remote_id, &archived)?,
        };
        change(session, request).await?;
        Ok(None)
    }
}

/// Reads one campaign, without its spend.
async fn read(session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
    let address = query::campaign(&session.account.id, remote_id)?;
    let response = api::fetch(session, address).await.map_err(error::campaign_error)?;
    let text = std::str::from_utf8(&response.body).map_err(|error| unreadable(Platform::Delta, error))?;
    let found = translate::campaign(&session.account, text)?.ok_or_else(|| Error::not_found("campaign"))?;
    if found.remote_id != remote_id {
        return Err(unreadable(Platform::Delta, "another campaign than the requested one"));
    }
    Ok(found)
}

/// Sends a change of a campaign. The response is empty: one with a body comes from a host in between.
async fn change(session: &AccountSession, request: OutboundRequest) -> Result<(), Error> {
    let response = Client::of(&api::API, session).change(request).await.map_err(error::campaign_error)?;
    if response.body.is_empty() {
        Ok(())
    } else {
        Err(unreadable(Platform::Delta, "a body where there should be none"))
    }
}

#[cfg(test)]
mod tests;
