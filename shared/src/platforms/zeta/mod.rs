//! Reddit: the Reddit Ads API v3.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `error` classifies failures.

mod accounts;
mod ads;
mod api;
mod error;
mod find;
mod insights;
mod pixel;
#[cfg(test)]
mod recorded;
#[cfg(test)]
pub(super) mod sample;
mod spend;
mod translate;
mod wire;

use super::capabilities::{Capabilities, DailySpend, DateRules, Deletion, NameRules};
use super::engine::AdPlatform;
use super::engine::facts::Facts;
use super::engine::list;
use super::oauth::{ClientAuth, Flow};
use super::prelude::*;
use super::revocation::Revocation;
use super::version::ApiVersion;
use async_trait::async_trait;
use std::slice;
use translate::edit;

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Zeta,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    goals_without_whole_run: &[],
    has_period_change: false,
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    // Reddit Ads API: Create Campaign.
    names: NameRules { minimum: 3, ..NameRules::OF_SERVICE },
    dates_held_by: Holder::Platform,
    dates: DateRules::AHEAD,
    lifetime_needs_end: true,
    daily_spend: DailySpend { hundredths: 120, page: "https://business.reddithelp.com" },
    deletion: Deletion::Archives,
    minimum_budgets: &[],
    maximum_budgets: &[],
    decimals: None,
    notes: &[
        "On a single day up to 20 % more than the daily budget may be spent.",
        "start_at and end_at are changed to times ahead. start_at cannot be taken away, and end_at only with a DAILY \
         budget. Of a campaign whose ad groups hold the budget they cannot be set here.",
        "A new campaign needs a conversion pixel: the ad account's first.",
        "DELETE archives, which is final.",
        "total_spend_amount is null where Reddit's report has no number for the campaign, and for a campaign that is \
         older than 24 months, which is as far back as the report reaches.",
    ],
};

/// Reddit: OAuth2. Only `duration=permanent` yields a refresh token, which stays the same.
static FLOW: Flow = Flow {
    authorize_url: "https://www.reddit.com/api/v1/authorize",
    token_url: "https://www.reddit.com/api/v1/access_token",
    scopes: &["adsread", "adsedit"],
    scope_separator: " ",
    pkce: false,
    client_auth: ClientAuth::Basic,
    extra_params: &[("duration", "permanent")],
    default_ttl: Duration::from_secs(3_600),
};

/// Reddit: OAuth2, Manually revoking a token. An unknown token is a success.
static REVOCATION: Revocation = Revocation {
    url: "https://www.reddit.com/api/v1/revoke_token",
    client_auth: Some(ClientAuth::Basic),
    type_hint: true,
};

static FACTS: Facts = Facts {
    revocation: Some(&REVOCATION),
    requested_pause: error::requested_pause,
    insights: &insights::FACTS,
    ..Facts::new(
        &api::API,
        |_| ApiVersion::new("v3", None, "https://ads-api.reddit.com/docs/v3/"),
        &CAPABILITIES,
        &FLOW,
    )
};

/// The adapter of Reddit.
#[derive(Clone, Copy, Debug)]
pub struct Zeta;

#[async_trait]
impl AdPlatform for Zeta {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    async fn account(&self, session: &AccountSession) -> Result<Option<AdAccount>, Error> {
        accounts::of_session(session).await
    }

    async fn complete_create(
        &self,
        session: &AccountSession,
        prepared: &PreparedCreate,
    ) -> Result<PreparedCreate, Error> {
        prepared.with_field(&["data", "conversion_pixel_id"], &pixel::pixel(session).await?)
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        let account = &session.account;
        if !can_have(request.statuses) {
            return Ok(CampaignPage::default());
        }
        let (client, pages) =
            (Client::of(&api::API, session), api::listing(api::of_account(&account.id, "campaigns")?));
        let read = |row: &RawValue| translate::campaign(account, row);
        let mut page = list::by_tokens(&client, pages, api::PAGE_SIZE, request, read).await?;
        spend::fill(&client, session, &mut page.rows).await?;
        Ok(page)
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let response = Client::of(&api::API, session).read(get(api::campaign(remote_id)?)).await?;
        let campaign = translate::campaign(&session.account, &api::read_data(&response)?)?;
        if campaign.remote_id != remote_id {
            return Err(Error::not_found("campaign"));
        }
        Ok(campaign)
    }

    async fn get_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let mut campaign = self.read_campaign(session, remote_id).await?;
        spend::fill(&Client::of(&api::API, session), session, slice::from_mut(&mut campaign)).await?;
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
        let now = session.call.now;
        let patch = edit::patch(&session.account, current, changes, now)?;
        let request = api::wrapped(Method::PATCH, api::campaign(&current.remote_id)?, &patch)?;
        let response = Client::of(&api::API, session).change(request).await?;
        edit::answered(&session.account, current, changes, &api::read_data(&response)?, now).map(Some)
    }

    fn report_pages<'a>(
        &'a self,
        session: &'a AccountSession,
        request: &'a InsightsRequest,
        part: Days,
    ) -> Result<Pages<'a, InsightsRow>, Error> {
        insights::pages(&session.account, request, part)
    }

    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let archived = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
        self.update_campaign(session, current, &archived).await
    }
}

/// Recognizes states that campaigns on Reddit can have.
fn can_have(statuses: StatusSet) -> bool {
    let states = [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Ended, CampaignStatus::Archived];
    states.into_iter().any(|status| statuses.contains(status))
}

#[cfg(test)]
mod tests;
