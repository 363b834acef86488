//! Pinterest Ads: the Pinterest API v5.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `error` classifies failures.
//!
//! Not verified: that every account already accepts the objectives `SALES` and `LEADS`, which replaced `WEB_CONVERSION`
//! in June 2026 (Pinterest's pages differ on the end of the old ones: 2026-09-01 or 2027-02-01). An account that does
//! not refuses the create, and nothing is made.
//!
//! Not verified: whether a start or an end in the past is accepted in a change. Pinterest's refusal names the field.
//!
//! Not verified: that a change from a daily to a lifetime budget must carry an end. The campaign's own end may be
//! enough; it is sent along, unchanged.

mod accounts;
mod ads;
mod api;
mod error;
mod find;
mod grant;
mod insights;
mod list;
#[cfg(test)]
mod recorded;
#[cfg(test)]
pub(super) mod sample;
mod spend;
mod translate;
mod wire;

use super::capabilities::{Capabilities, DailySpend, DateRule, DateRules, Deletion, NameRules, Timing};
use super::engine::AdPlatform;
use super::engine::facts::Facts;
use super::oauth::{ClientAuth, CodeExchange, Flow, RefreshPolicy, Tokens};
use super::prelude::*;
use super::version::ApiVersion;
use async_trait::async_trait;
use translate::edit;
use wire::number;

/// Pinterest's schema publishes no smallest budget.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Epsilon,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    goals_without_whole_run: &[],
    has_period_change: true,
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    names: NameRules::OF_SERVICE,
    dates_held_by: Holder::Platform,
    // Whether a date may be in the past is not documented: Pinterest decides.
    dates: DateRules {
        start: DateRule { at_create: Timing::Any, at_update: Timing::Any, is_removable: false },
        end: DateRule { at_create: Timing::Any, at_update: Timing::Any, is_removable: true },
        ..DateRules::AHEAD
    },
    lifetime_needs_end: true,
    // A strict cap, except for average daily budgets.
    daily_spend: DailySpend {
        hundredths: 125,
        page: "https://help.pinterest.com/en/business/article/set-up-campaign-budgets",
    },
    deletion: Deletion::Archives,
    minimum_budgets: &[],
    maximum_budgets: &[],
    decimals: None,
    notes: &[
        "total_spend_amount covers the last 90 days (UTC, today included): Pinterest reports no further back in one \
         call.",
        "Deleting archives the campaign, because Pinterest has no deletion; an archived campaign stays archived.",
        "budget_period can be changed between DAILY and LIFETIME or TOTAL; without budget_amount the amount stays. To \
         LIFETIME or TOTAL only with an end: the campaign's, or end_at in the same request.",
        "start_at and end_at can be changed; end_at null takes the end away, with a DAILY budget only. start_at cannot be \
         taken away.",
        "An ad group ends no later than its campaign: an earlier end_at also ends its ad groups, whatever end they show.",
        "APP_PROMOTION is not offered: Pinterest's objective for it needs an app, which a request here cannot name.",
        "A plain date is a day in the ad account's time zone; in UTC where Pinterest names none.",
        "A campaign whose ad groups hold the budget shows none of its own, and none can be set for it here.",
    ],
};

/// Pinterest API: Authentication and scopes. The client authenticates by HTTP Basic authentication only.
static FLOW: Flow = Flow {
    authorize_url: "https://www.pinterest.com/oauth/",
    token_url: "https://api.pinterest.com/v5/oauth/token",
    scopes: &["ads:read", "ads:write", "user_accounts:read"],
    scope_separator: ",",
    pkce: false,
    client_auth: ClientAuth::Basic,
    extra_params: &[],
    default_ttl: Duration::from_secs(2_592_000),
};

/// There is no revocation. Pinterest's `POST /oauth/token/revoke` is for tokens of system users and refuses those of a
/// user's consent with code 29; the user withdraws an app's access in Pinterest's own settings (Pinterest API v5,
/// OpenAPI description: <https://github.com/pinterest/api-description>).
static FACTS: Facts = Facts {
    refresh_policy: RefreshPolicy::ROTATING,
    requested_pause: error::requested_pause,
    insights: &insights::FACTS,
    ..Facts::new(
        &api::API,
        |_| ApiVersion::new("v5", None, "https://developers.pinterest.com/docs/api/v5/"),
        &CAPABILITIES,
        &FLOW,
    )
};

/// The adapter of Pinterest.
#[derive(Clone, Copy, Debug)]
pub struct Epsilon;

#[async_trait]
impl AdPlatform for Epsilon {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        grant::exchange(call, exchange).await
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        grant::refresh(call, refresh_token).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    async fn account(&self, session: &AccountSession) -> Result<Option<AdAccount>, Error> {
        accounts::of_session(session).await
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        let mut page = list::campaigns(session, request).await?;
        spend::fill(session, &mut page.rows).await?;
        Ok(page)
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let not_found = || Error::not_found("campaign").on(Platform::Epsilon);
        number(remote_id).ok_or_else(not_found)?;
        let account = &session.account;
        let request = get(format!("{}/{remote_id}", api::campaigns(&account.id)?));
        let response = Client::of(&api::API, session).read(request).await?;
        let row: Box<RawValue> = read_object(Platform::Epsilon, &response.body)?;
        let found = translate::found(account, row.get(), session.call.now)?;
        found.filter(|campaign| campaign.remote_id == remote_id).ok_or_else(not_found)
    }

    async fn get_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        number(remote_id).ok_or_else(|| Error::not_found("campaign").on(Platform::Epsilon))?;
        let ids = [remote_id];
        let (campaign, spent) = tokio::join!(self.read_campaign(session, remote_id), spend::spent(session, &ids));
        Ok(PlatformCampaign { total_spend_amount: spent?.pop().flatten(), ..campaign? })
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
        let data = change(session, current, changes).await?;
        edit::answered(&session.account, current, &data, session.call.now).map(Some)
    }

    async fn insights(&self, session: &AccountSession, request: &InsightsRequest) -> Result<InsightsPage, Error> {
        insights::page(session, request).await
    }

    /// The platform has no operation that removes a campaign.
    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let archived = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
        self.update_campaign(session, current, &archived).await
    }
}

/// Sends a change and returns the platform's object of the changed campaign. The request has one item, although the
/// platform takes up to thirty: an error is then about it.
async fn change(
    session: &AccountSession,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<Box<RawValue>, Error> {
    let client = Client::of(&api::API, session);
    let update = edit::update(&session.account, current, changes, session.call.now)?;
    let request = json(Method::PATCH, api::campaigns(&session.account.id)?, &[update])?;
    let response = client.change(request).await?;
    error::read_written(&response).map_err(|error| client.without_secrets(error))
}

#[cfg(test)]
mod tests;
