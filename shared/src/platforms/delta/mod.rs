//! LinkedIn: the LinkedIn Marketing API (`/rest`, versioned by a header).
//!
//! Our campaign is the platform's `adCampaign`, which has the budget and the objective; its web interface calls that
//! an ad set. Facts are here; `api` is the protocol, `translate` maps, `fault` classifies failures.
//!
//! Not verified: that a campaign is shown only with `optimizationTargetType`, `associatedEntity` and, with a total
//! budget, `pacingStrategy`. Third parties report it (2026-11); a create states them, and none can spend more than the
//! budget. Nor that a target of clicks may be billed by clicks: a create is billed by impressions (CPM), as live rows
//! are.

mod accounts;
mod api;
mod consent;
mod fault;
mod find;
mod group;
mod list;
mod query;
#[cfg(test)]
mod recorded;
mod spend;
mod translate;
mod wire;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::engine::AdPlatform;
use super::engine::call::{Api, CallContext, Client, Session};
use super::engine::create::{CreateFailure, CreateInput, PreparedCreate};
use super::engine::find::Evidence;
use super::engine::list::{CampaignPage, ListRequest};
use super::engine::page::Page;
use super::oauth::{self, ClientAuth, CodeExchange, Flow, Tokens};
use super::revocation::Revocation;
use super::settings::Settings;
use super::version::{self, ApiVersion};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use crate::outbound::{Answer, Outgoing};
use async_trait::async_trait;
use futures_util::future::join;
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::slice;
use std::time::Duration;
use translate::{draft, edit};

/// Name for people.
const NAME: &str = "LinkedIn";

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/account-access-controls>
const SCOPES: &[&str] = &["r_ads", "rw_ads", "r_ads_reporting"];

/// The capabilities of LinkedIn in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Delta,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[
        CampaignStatus::Active,
        CampaignStatus::Paused,
        CampaignStatus::Archived,
        CampaignStatus::ScheduledForDeletion,
    ],
    lifetime_needs_end: true,
    deletion: Deletion::Archives,
    minimum_budgets: &[
        MinimumBudget { period: BudgetPeriod::Daily, currency: Some("USD"), hundredths: 1_000 },
        MinimumBudget { period: BudgetPeriod::Lifetime, currency: Some("USD"), hundredths: 10_000 },
    ],
    scopes: SCOPES,
    pkce: false,
    notes: &[
        "On a single day up to half as much again as the daily budget may be spent.",
        "A LIFETIME or TOTAL budget needs end_at; start_at must not have passed.",
        "Campaigns are made in one campaign group, aimed at one place and language, which the operator may set; the \
         group's own state and dates hold for them too.",
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
const FLOW: Flow = Flow {
    authorize_url: "https://www.linkedin.com/oauth/v2/authorization",
    token_url: "https://www.linkedin.com/oauth/v2/accessToken",
    scopes: SCOPES,
    scope_separator: " ",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::from_secs(60 * 86_400),
};

/// In wide public use, but not on the platform's published pages.
const REVOCATION: Revocation = Revocation {
    url: "https://www.linkedin.com/oauth/v2/revoke",
    client_auth: Some(ClientAuth::Body),
    type_hint: false,
};

/// The adapter of LinkedIn.
#[derive(Clone, Copy, Debug)]
pub struct Delta;

#[async_trait]
impl AdPlatform for Delta {
    fn api(&self) -> &'static Api {
        &api::API
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    /// Each version is named by its month and supported for at least a year; the page has the exact days.
    fn api_version(&self, settings: &Settings) -> ApiVersion {
        let name = settings.delta_ads.version.clone();
        let page = "https://learn.microsoft.com/en-us/linkedin/marketing/integrations/migrations";
        ApiVersion { ends_on: version::a_year_after(&name), name: name.into(), page }
    }

    fn flow(&self) -> &'static Flow {
        &FLOW
    }

    fn revocation(&self) -> Option<&'static Revocation> {
        Some(&REVOCATION)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, &FLOW, exchange).await.map_err(consent::exchange_error)
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, &FLOW, refresh_token).await.map_err(consent::refresh_error)
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        draft::prepare(input)
    }

    /// Both reads run to their ends, so that the creation of a group is not left half-way.
    async fn complete_create(&self, session: &Session, prepared: &PreparedCreate) -> Result<PreparedCreate, Error> {
        let (group, entity) = join(group::group(session), accounts::reference(session)).await;
        draft::with_group(prepared, &group?, entity?.as_deref())
    }

    fn read_created(&self, _: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error> {
        Ok(draft::created(prepared, api::created_id(answer)?))
    }

    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        fault::create_failure(answer, error)
    }

    /// Reads the campaign back, because the answer to a create contains only its id.
    async fn finish_create(&self, session: &Session, created: Campaign) -> Campaign {
        match read(session, &created.remote_id).await {
            Ok(read) => draft::with_read_back(&created, read),
            Err(error) => {
                let (platform, campaign) = (Platform::Delta, &created.remote_id);
                tracing::warn!(%platform, %campaign, %error, "a new campaign was not read back");
                created
            }
        }
    }

    fn find_request(&self, account: &AdAccount, draft: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error> {
        Ok(api::page_request(&query::campaigns_named(&account.id, &draft.name)?, token))
    }

    fn read_page(&self, _: &str, answer: &Answer) -> Result<Page, Error> {
        api::read_page(answer)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<Campaign>, Error> {
        translate::campaign(account, row.get())
    }

    fn evidence(&self, campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        Ok(find::evidence(campaign, draft, marker))
    }

    fn account_error(&self, error: Error) -> Error {
        fault::account_error(error)
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let mut campaign = read(session, remote_id).await?;
        spend::fill(session, slice::from_mut(&mut campaign)).await?;
        Ok(campaign)
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let fields = edit::fields(current, changes)?;
        change(session, api::update(&session.account.id, &current.remote_id, &fields)?).await?;
        edit::applied(current, changes, &fields)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        let account = &session.account.id;
        // The platform deletes only campaigns that never ran.
        let request = match current.status {
            CampaignStatus::Draft => api::delete(account, &current.remote_id)?,
            _ => api::update(account, &current.remote_id, &edit::archival())?,
        };
        change(session, request).await
    }
}

/// Reads one campaign, without its spend.
async fn read(session: &Session, remote_id: &str) -> Result<Campaign, Error> {
    let path = query::campaign(&session.account.id, remote_id)?;
    let body = api::fetch(session, &path).await.map_err(fault::campaign_error)?;
    let text = std::str::from_utf8(&body).map_err(fault::unreadable)?;
    let found = translate::campaign(&session.account, text)?.ok_or_else(|| Error::not_found("campaign"))?;
    if found.remote_id != remote_id {
        return Err(fault::unreadable("another campaign than the requested one"));
    }
    Ok(found)
}

/// Sends a change of a campaign.
async fn change(session: &Session, request: Outgoing) -> Result<(), Error> {
    let answer = Client::of(&api::API, session).change(request).await.map_err(fault::campaign_error)?;
    api::check_empty(&answer)
}

#[cfg(test)]
mod tests;
