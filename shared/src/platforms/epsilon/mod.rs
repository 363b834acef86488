//! Pinterest Ads: the Pinterest API v5.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `fault` classifies failures.
//!
//! Not verified: whether every account takes the objectives `SALES` and `LEADS` already, which replaced
//! `WEB_CONVERSION` in June 2026 (Pinterest's pages differ on the end of the old ones: 2026-09-01 or 2027-02-01). An
//! account that does not refuses the create, and nothing is made.
//!
//! Not verified: whether the change of a budget from daily to lifetime must carry the end itself, or whether the one
//! that the campaign has is enough. It is sent along, unchanged.

mod accounts;
mod api;
mod fault;
mod find;
mod grant;
mod list;
#[cfg(test)]
mod recorded;
mod spend;
#[cfg(test)]
mod tests_support;
mod translate;
mod wire;

use super::capabilities::{Capabilities, Deletion};
use super::engine::AdPlatform;
use super::engine::call::{Api, CallContext, Client, Session};
use super::engine::create::{CreateFailure, CreateInput, PreparedCreate};
use super::engine::find::Evidence;
use super::engine::list::{CampaignPage, ListRequest};
use super::engine::page::Page;
use super::oauth::{ClientAuth, CodeExchange, Flow, RefreshPolicy, Tokens};
use super::settings::Settings;
use super::version::ApiVersion;
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
    StatusSet,
};
use crate::error::Error;
use crate::outbound::{Answer, Outgoing};
use async_trait::async_trait;
use http::HeaderMap;
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::time::Duration;
use translate::{draft, edit};
use wire::number;

/// Name for people.
const NAME: &str = "Pinterest";

/// Pinterest API: Authentication and scopes.
const SCOPES: &[&str] = &["ads:read", "ads:write", "user_accounts:read"];

/// The capabilities of Pinterest in the terms of this service. Its schema publishes no smallest budget.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Epsilon,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: true,
    deletion: Deletion::Archives,
    minimum_budgets: &[],
    scopes: SCOPES,
    pkce: false,
    notes: &[
        "total_spend_amount covers the last 90 days (UTC, today included): Pinterest reports no further back in one \
         call.",
        "Deleting archives the campaign, because Pinterest has no deletion; an archived campaign stays archived.",
        "A LIFETIME or TOTAL budget needs end_at.",
        "budget_period can be changed between DAILY and LIFETIME or TOTAL; without budget_amount the amount stays. To \
         LIFETIME or TOTAL only where the campaign has an end.",
        "APP_PROMOTION is not offered: Pinterest's objective for it needs an app, which a request here cannot name.",
        "A plain date is a day in the ad account's time zone; in UTC where Pinterest names none.",
        "A campaign whose ad groups hold the budget shows none of its own, and none can be set for it here.",
    ],
};

/// Pinterest API: Authentication. Scopes stand in the address with commas between them, and the client proves
/// itself by HTTP Basic authentication only.
const FLOW: Flow = Flow {
    authorize_url: "https://www.pinterest.com/oauth/",
    token_url: "https://api.pinterest.com/v5/oauth/token",
    scopes: SCOPES,
    scope_separator: ",",
    pkce: false,
    client_auth: ClientAuth::Basic,
    extra_params: &[],
    default_ttl: Duration::from_secs(2_592_000),
};

/// The adapter of Pinterest.
#[derive(Clone, Copy, Debug)]
pub struct Epsilon;

/// Nothing is sent to end a grant, so there is no `revocation`. Pinterest's `POST /oauth/token/revoke` is for tokens of
/// system users and refuses those of a user's consent with code 29; the user withdraws an app's access in Pinterest's own
/// settings (Pinterest API v5, OpenAPI description: <https://github.com/pinterest/api-description>).
#[async_trait]
impl AdPlatform for Epsilon {
    fn api(&self) -> &'static Api {
        &api::API
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v5", None, "https://developers.pinterest.com/docs/api/v5/")
    }

    fn flow(&self) -> &'static Flow {
        &FLOW
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        grant::exchange(call, exchange).await
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        grant::refresh(call, refresh_token).await
    }

    fn refresh_policy(&self) -> &'static RefreshPolicy {
        &RefreshPolicy::ROTATING
    }

    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        fault::requested_pause(headers, now)
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        draft::prepare(input)
    }

    fn read_created(&self, account: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error> {
        draft::created(account, prepared, &fault::read_written(answer)?)
    }

    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        fault::create_failure(answer, error)
    }

    /// The platform has no search by name: all campaigns in any state are read.
    fn find_request(&self, account: &AdAccount, _: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error> {
        let statuses = api::entity_statuses(StatusSet::of(&CampaignStatus::ALL));
        api::campaigns_page(&account.id, &statuses, api::LARGEST_PAGE, token)
    }

    fn read_page(&self, _: &str, answer: &Answer) -> Result<Page, Error> {
        api::read_page(answer)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<Campaign>, Error> {
        translate::found(account, row.get(), now)
    }

    fn evidence(&self, campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        find::evidence(campaign, draft, marker)
    }

    fn is_past(&self, rows: &[Campaign], marker: &Marker) -> bool {
        find::is_past(rows, marker)
    }

    fn account_error(&self, error: Error) -> Error {
        fault::account_error(error)
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        let mut page = list::campaigns(session, request).await?;
        spend::fill(session, &mut page.campaigns).await?;
        Ok(page)
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let not_found = || Error::not_found("campaign").on(Platform::Epsilon);
        number(remote_id).ok_or_else(not_found)?;
        let (account, client, ids) = (&session.account, Client::of(&api::API, session), [remote_id]);
        let request = api::campaign(&account.id, remote_id)?;
        let (answer, spent) = tokio::join!(client.read(request), spend::spent(session, &ids));
        let row: Box<RawValue> = fault::read(&answer?.body)?;
        let found = translate::found(account, row.get(), session.call.now)?;
        let mut campaign = found.filter(|campaign| campaign.remote_id == remote_id).ok_or_else(not_found)?;
        campaign.total_spend_amount = spent?.and_then(|spent| spent.of(remote_id));
        Ok(campaign)
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let edit = edit::edit(&session.account, current, changes)?;
        let data = change(session, &edit).await?;
        edit::applied(&session.account, current, &data, session.call.now)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        change(session, &edit::archival(&session.account, current)).await.map(|_| ())
    }
}

/// Applies a change, and returns the campaign.
async fn change(session: &Session, update: &wire::CampaignUpdate<'_>) -> Result<Box<RawValue>, Error> {
    let client = Client::of(&api::API, session);
    let answer = client.change(api::update(&session.account.id, update)?).await?;
    fault::read_written(&answer).map_err(|error| client.without_secrets(error))
}

#[cfg(test)]
mod tests;
