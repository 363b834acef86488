//! Google Ads: the Google Ads API v26 over REST.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `fault` classifies failures.
//!
//! Not verified: that the platform refuses a campaign without `networkSettings`, or gives it partner and display traffic
//! (the create states all four switches, as creates recorded live in 2026-07 do); that search and display campaigns have
//! no time of day (one is rejected); that a new display campaign still accepts `manualCpm`.

mod accounts;
mod api;
mod fault;
mod find;
mod list;
mod query;
#[cfg(test)]
mod recorded;
mod translate;
mod wire;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::engine::AdPlatform;
use super::engine::call::{Api, CallContext, Client, Session};
use super::engine::create::{CreateFailure, CreateInput, PreparedCreate};
use super::engine::find::Evidence;
use super::engine::list::{CampaignPage, ListRequest};
use super::engine::page::Page;
use super::oauth::{ClientAuth, Flow};
use super::revocation::Revocation;
use super::settings::Settings;
use super::version::ApiVersion;
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use crate::outbound::{Answer, Outgoing};
use async_trait::async_trait;
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::time::Duration;
use translate::{draft, edit};

/// Display name.
const NAME: &str = "Google Ads";

/// Google Ads API: OAuth in the Google Ads API.
const SCOPES: &[&str] = &["https://www.googleapis.com/auth/adwords"];

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Alpha,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: true,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 100 }],
    scopes: SCOPES,
    pkce: true,
    notes: &[
        "On a single day up to twice the daily budget may be spent; over a month it averages out.",
        "Creating a campaign usually takes one to two seconds.",
        "A LIFETIME or TOTAL budget needs end_at, and is not offered for awareness and reach.",
        "start_at and end_at are whole days of the ad account's time zone: a plain date, or the instant at which the \
         day starts or its last second; any other time of day is refused.",
        "A search campaign runs on Google Search alone and a display campaign on the Display Network alone.",
        "Goals are our own: Google Ads has channels and bidding strategies, and some of them need conversion tracking \
         in the ad account.",
    ],
};

/// Google Identity: Using OAuth 2.0 for web server applications. Google issues a refresh token every time only with
/// offline access and a renewed consent.
const FLOW: Flow = Flow {
    authorize_url: "https://accounts.google.com/o/oauth2/v2/auth",
    token_url: "https://oauth2.googleapis.com/token",
    scopes: SCOPES,
    scope_separator: " ",
    pkce: true,
    client_auth: ClientAuth::Body,
    extra_params: &[("access_type", "offline"), ("prompt", "consent")],
    default_ttl: Duration::from_secs(3_600),
};

/// Google Identity: Using OAuth 2.0 for web server applications, Revoking a token. Either token ends the grant, without
/// client authentication.
const REVOCATION: Revocation =
    Revocation { url: "https://oauth2.googleapis.com/revoke", client_auth: None, type_hint: false };

/// The adapter of Google Ads.
#[derive(Clone, Copy, Debug)]
pub struct Alpha;

#[async_trait]
impl AdPlatform for Alpha {
    fn api(&self) -> &'static Api {
        &api::API
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    /// The page projects the month, without a day.
    fn api_version(&self, _: &Settings) -> ApiVersion {
        let page = "https://developers.google.com/google-ads/api/docs/sunset-dates";
        ApiVersion::new("v26", Some((2027, 11, 1)), page)
    }

    fn flow(&self) -> &'static Flow {
        &FLOW
    }

    fn revocation(&self) -> Option<&'static Revocation> {
        Some(&REVOCATION)
    }

    fn issuer(&self) -> Option<&'static str> {
        Some("https://accounts.google.com")
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        draft::prepare(input)
    }

    fn read_created(&self, account: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error> {
        draft::created(account, prepared, &api::read_both(answer)?)
    }

    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        fault::create_failure(answer, error)
    }

    fn find_request(&self, account: &AdAccount, draft: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error> {
        let query = query::named(&draft.name).ok_or_else(|| Error::internal("a name that no campaign can have"))?;
        api::search_request(&account.id, &query, token)
    }

    fn read_page(&self, _: &str, answer: &Answer) -> Result<Page, Error> {
        api::read_complete_page(answer)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<Campaign>, Error> {
        translate::campaign(account, row.get()).map(Some)
    }

    fn evidence(&self, campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        Ok(find::evidence(campaign, draft, marker))
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let (account, not_found) = (&session.account, || Error::not_found("campaign"));
        let query = query::one(query::number(remote_id).ok_or_else(not_found)?);
        let answer = Client::of(&api::API, session).read(api::search_request(&account.id, &query, None)?).await?;
        let rows = api::read_page(&answer)?.rows;
        let campaign = translate::campaign(account, rows.first().ok_or_else(not_found)?.get())?;
        if campaign.remote_id != remote_id {
            return Err(fault::unreadable("another campaign than the requested one"));
        }
        Ok(campaign)
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let edit = edit::edit(&session.account, current, changes)?;
        let answer = Client::of(&api::API, session).change(api::mutate(&session.account.id, &edit)?).await?;
        let results = api::read_results(&edit, &answer)?;
        edit::applied(current, changes, &edit, &results, session.call.now)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        let removal = edit::removal(&session.account, current)?;
        let answer = Client::of(&api::API, session).change(api::mutate(&session.account.id, &removal)?).await?;
        api::read_results(&removal, &answer).map(|_| ())
    }
}

#[cfg(test)]
mod tests;
