//! Google Ads: the Google Ads API v26 over REST.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `error` classifies failures.
//!
//! Not verified: that the platform refuses a campaign without `networkSettings`, or gives it partner and display
//! traffic (the create states all four switches, as creates recorded live in 2026-07 do); that search and display
//! campaigns have no time of day (one is rejected); that a new display campaign still accepts `manualCpm`.

mod accounts;
mod ads;
mod api;
mod error;
mod find;
mod insights;
mod list;
mod query;
#[cfg(test)]
mod recorded;
#[cfg(test)]
pub(super) mod sample;
mod translate;
mod wire;

use super::capabilities::{
    BudgetBound, Capabilities, DailySpend, DateRule, DateRules, Deletion, NameRules, NameUnit, Timing,
};
use super::engine::AdPlatform;
use super::engine::facts::Facts;
use super::oauth::{ClientAuth, Flow};
use super::prelude::*;
use super::revocation::Revocation;
use super::settings::Settings;
use super::version::ApiVersion;
use async_trait::async_trait;
use translate::{edit, schedule};

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Alpha,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    // Google Ads API: Campaign budgets. The Display Network has no budget for the whole run.
    goals_without_whole_run: &[Goal::BrandAwareness, Goal::Reach],
    has_period_change: false,
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    // A campaign's budget that is not shared takes its name, which then has a limit (Google Ads API: CampaignBudget).
    names: NameRules { counted_in: NameUnit::Bytes, ..NameRules::OF_SERVICE },
    dates_held_by: Holder::Platform,
    dates: DateRules {
        has_whole_days: true,
        start: DateRule { at_create: Timing::Any, at_update: Timing::AheadUntilBegun, is_removable: false },
        end: DateRule { at_create: Timing::Any, at_update: Timing::Ahead, is_removable: true },
        days_ahead: None,
        end_before: Some(schedule::NO_END),
    },
    lifetime_needs_end: true,
    // The limit of a day follows the highest budget of that day.
    daily_spend: DailySpend { hundredths: 200, page: "https://support.google.com/google-ads/answer/10487143" },
    deletion: Deletion::Removes,
    minimum_budgets: &[BudgetBound::of_service(BudgetPeriod::Daily, 100)],
    maximum_budgets: &[],
    decimals: None,
    notes: &[
        "On a single day up to twice the daily budget may be spent; over a month it averages out.",
        "Creating a campaign usually takes one to two seconds.",
        "start_at and end_at are whole days of the ad account's time zone: a plain date, or the instant at which the \
         day starts or its last second; any other time of day is refused.",
        "start_at can be changed until it has passed, and not taken away. end_at can be changed to a day that is not \
         over, also of a campaign that has ended, or taken away unless the budget is LIFETIME or TOTAL.",
        "A campaign says that it is no political advertising in the European Union, unless special_ad_categories in \
         campaign_defaults of the connection has ISSUES_ELECTIONS_POLITICS.",
        "A search campaign runs on Google Search alone and a display campaign on the Display Network alone.",
        "Goals are our own: Google Ads has channels and bidding strategies, and some of them need conversion tracking \
         in the ad account.",
    ],
};

/// Google Identity: Using OAuth 2.0 for web server applications; Google Ads API: OAuth in the Google Ads API. Google
/// issues a refresh token every time only with offline access and a renewed consent.
static FLOW: Flow = Flow {
    authorize_url: "https://accounts.google.com/o/oauth2/v2/auth",
    token_url: "https://oauth2.googleapis.com/token",
    scopes: &["https://www.googleapis.com/auth/adwords"],
    scope_separator: " ",
    pkce: true,
    client_auth: ClientAuth::Body,
    extra_params: &[("access_type", "offline"), ("prompt", "consent")],
    default_ttl: Duration::from_secs(3_600),
};

/// Google Identity: Using OAuth 2.0 for web server applications, Revoking a token. Either token ends the grant, without
/// client authentication.
static REVOCATION: Revocation =
    Revocation { url: "https://oauth2.googleapis.com/revoke", client_auth: None, type_hint: false };

static FACTS: Facts = Facts {
    issuer: Some("https://accounts.google.com"),
    revocation: Some(&REVOCATION),
    insights: &insights::FACTS,
    ..Facts::new(&api::API, api_version, &CAPABILITIES, &FLOW)
};

/// The page projects the month, without a day.
fn api_version(_: &Settings) -> ApiVersion {
    ApiVersion::new("v26", Some((2027, 11, 1)), "https://developers.google.com/google-ads/api/docs/sunset-dates")
}

/// The adapter of Google Ads.
#[derive(Clone, Copy, Debug)]
pub struct Alpha;

#[async_trait]
impl AdPlatform for Alpha {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn defaults_errors(&self, defaults: &CampaignDefaults) -> FieldErrors {
        let others = CampaignDefaults { special_ad_categories: None, ..defaults.clone() };
        let mut errors = defaults::not_offered(Platform::Alpha, &others);
        defaults::check_politics(&mut errors, Platform::Alpha, defaults);
        errors
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn owns_budget(&self, campaign: &PlatformCampaign) -> bool {
        translate::owns_budget(campaign)
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let account = &session.account;
        let not_found = || Error::not_found("campaign");
        let query = query::one(query::number(remote_id).ok_or_else(not_found)?);
        let response = Client::of(&api::API, session).read(api::search_request(&account.id, &query, None)?).await?;
        let rows = api::read_page(&response)?.rows;
        let campaign = translate::campaign(account, rows.first().ok_or_else(not_found)?.get())?;
        if campaign.remote_id != remote_id {
            return Err(unreadable(Platform::Alpha, "another campaign than the requested one"));
        }
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
        let edit = edit::edit(&session.account, current, changes, session.call.now)?;
        let results = api::change(session, &edit).await?;
        edit::answered(&session.account, current, changes, &edit, &results, session.call.now)
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

    /// The answer to a removal is the name of the campaign alone.
    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        api::change(session, &edit::removal(&session.account, current)?).await?;
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
