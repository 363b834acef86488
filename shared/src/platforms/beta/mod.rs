//! Meta: the Marketing API on Graph API v26.0.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `error` classifies failures.

mod accounts;
mod ads;
mod api;
mod categories;
mod error;
mod find;
mod insights;
mod list;
mod money;
#[cfg(test)]
mod recorded;
#[cfg(test)]
pub(super) mod sample;
mod spend;
mod token;
mod translate;
mod usage;
mod wire;

use super::capabilities::{BudgetBound, Capabilities, DailySpend, DateRules, Deletion, NameRules};
use super::engine::AdPlatform;
use super::engine::create::with_read_back;
use super::engine::facts::Facts;
use super::oauth::{ClientAuth, CodeExchange, Flow, RefreshPolicy, Tokens};
use super::prelude::*;
use super::revocation::RevokedGrant;
use super::version::ApiVersion;
use async_trait::async_trait;
use translate::edit;

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Beta,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    goals_without_whole_run: &[],
    has_period_change: false,
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    names: NameRules::OF_SERVICE,
    dates_held_by: Holder::Service,
    dates: DateRules::HELD,
    lifetime_needs_end: false,
    // The page says a quarter, the Business Help Center three quarters (as others quote it): the larger holds.
    daily_spend: DailySpend {
        hundredths: 175,
        page: "https://developers.facebook.com/documentation/ads-commerce/marketing-api/bidding/overview/budgets",
    },
    deletion: Deletion::Removes,
    minimum_budgets: &[BudgetBound::of_service(BudgetPeriod::Daily, 100)],
    maximum_budgets: &[],
    decimals: Some(money::DECIMALS),
    notes: &[
        "On a single day up to three quarters more than the daily budget may be spent.",
        "A campaign has no schedule here, so this service holds its dates: an activation waits for start_at, and the \
         campaign is paused at end_at.",
        "A LIFETIME or TOTAL budget needs no end_at; the ad sets of the campaign need an end before it runs.",
        "CONVERSIONS and SALES are the same objective, and so are awareness and reach.",
        "A deleted campaign can be read by its id and is in no list; an archived one is listed when asked for.",
        "A campaign has the special ad categories in campaign_defaults of the connection, or else those of the operator.",
        "Creating a campaign usually takes two to three seconds.",
        "There is no refresh token: authorization lasts about 60 days and is renewed while it is in use.",
    ],
};

/// Facebook Login: Manually build a login flow. The token calls are in [`token`], because their responses do not follow
/// RFC 6749.
static FLOW: Flow = Flow {
    authorize_url: "https://www.facebook.com/v26.0/dialog/oauth",
    token_url: "https://graph.facebook.com/v26.0/oauth/access_token",
    // Permissions Reference: writing campaigns, and reading their spend.
    scopes: &["ads_management", "ads_read"],
    scope_separator: ",",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::from_secs(60 * 86_400),
};

static FACTS: Facts = Facts {
    refresh_policy: RefreshPolicy::EXCHANGED,
    requested_pause: usage::requested_pause,
    insights: &insights::FACTS,
    ..Facts::new(
        &api::API,
        // Versions live about a year; no end of this one is published.
        |_| ApiVersion::new("v26.0", None, "https://developers.facebook.com/docs/graph-api/changelog/versions"),
        &CAPABILITIES,
        &FLOW,
    )
};

/// The adapter of Meta.
#[derive(Clone, Copy, Debug)]
pub struct Beta;

#[async_trait]
impl AdPlatform for Beta {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn defaults_errors(&self, defaults: &CampaignDefaults) -> FieldErrors {
        categories::errors(defaults)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        token::exchange(call, &exchange).await
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        token::renew(call, refresh_token).await
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        token::revoke(call, &grant.access_token).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    /// Reads the campaign back, because the response to a create is the id alone.
    async fn finish_create(&self, session: &AccountSession, created: PlatformCampaign) -> PlatformCampaign {
        let read = read_campaign(session, &created.remote_id).await;
        with_read_back(created, read)
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        read_campaign(session, remote_id).await
    }

    async fn get_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let client = Client::of(&api::API, session);
        let (read, spent) = tokio::join!(read_campaign(session, remote_id), spend::of_campaign(&client, remote_id));
        Ok(PlatformCampaign { total_spend_amount: spent?, ..read? })
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
        let parameters = edit::parameters(&session.account, current, changes)?;
        change(session, api::update(&current.remote_id, &parameters)?).await?;
        Ok(None)
    }

    fn report_pages<'a>(
        &'a self,
        session: &'a AccountSession,
        request: &'a InsightsRequest,
        part: Days,
    ) -> Result<Pages<'a, InsightsRow>, Error> {
        insights::pages(&session.account, request, part)
    }

    fn validation(&self, request: &OutboundRequest) -> Result<Option<OutboundRequest>, Error> {
        api::validation(request)
    }

    fn read_validated(&self, response: &OutboundResponse) -> Result<(), Error> {
        api::read_validated(response)
    }

    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        change(session, api::deletion(&current.remote_id)?).await?;
        Ok(None)
    }
}

/// Reads a campaign, without its spend.
async fn read_campaign(session: &AccountSession, id: &str) -> Result<PlatformCampaign, Error> {
    let response = Client::of(&api::API, session).read(api::campaign(id)?).await?;
    let node: Box<RawValue> = read_object(Platform::Beta, &response.body)?;
    let campaign = translate::campaign(&session.account, node.get(), session.call.now)?;
    if campaign.remote_id == id { Ok(campaign) } else { Err(Error::not_found("campaign")) }
}

async fn change(session: &AccountSession, request: OutboundRequest) -> Result<(), Error> {
    let response = Client::of(&api::API, session).change(request).await?;
    api::read_done(&response)
}

#[cfg(test)]
mod tests;
