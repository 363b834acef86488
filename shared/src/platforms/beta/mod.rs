//! Meta: the Marketing API on Graph API v26.0.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `fault` classifies failures.
//!
//! Not verified on v26.0: that `start_time` and `stop_time` are read-only on a campaign (reference of v25.0, recorded
//! live with v21.0, 2026-08), and that an omitted `bid_strategy` becomes a bid cap (reference of v25.0). The choices
//! here, dates refused and the strategy always stated, cost nothing where v26.0 differs.
//!
//! Not verified: that a list of campaigns refuses a cursor with the code 2642, as reports do (recorded live, 2020-04).
//! A refusal that does not name the cursor is passed on with Meta's message, and is not an error of the caller's cursor.

mod accounts;
mod api;
mod fault;
mod find;
mod list;
mod money;
#[cfg(test)]
mod recorded;
mod spend;
mod token;
mod translate;
mod usage;
mod wire;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::engine::AdPlatform;
use super::engine::call::{Api, CallContext, Client, Session};
use super::engine::create::{CreateFailure, CreateInput, PreparedCreate};
use super::engine::find::Evidence;
use super::engine::list::{CampaignPage, ListRequest};
use super::engine::page::Page;
use super::oauth::{ClientAuth, CodeExchange, Flow, Tokens};
use super::revocation::RevokedGrant;
use super::settings::Settings;
use super::version::ApiVersion;
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
    StatusSet,
};
use crate::error::Error;
use crate::outbound::{Answer, Outgoing};
use crate::platforms::answers::read_object;
use async_trait::async_trait;
use http::HeaderMap;
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::time::Duration;
use translate::{draft, edit};

/// Name for people.
const NAME: &str = "Meta";

/// Permissions Reference: writing campaigns, and reading their spend.
const SCOPES: &[&str] = &["ads_management", "ads_read"];

/// The goals, periods and states that Meta can express in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Beta,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: false,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 100 }],
    scopes: SCOPES,
    pkce: false,
    notes: &[
        "On a single day up to a quarter more than the daily budget may be spent.",
        "A budget has at most two decimals, and none in CLP, COP, CRC, HUF, ISK, IDR, JPY, KRW, PYG, TWD and VND.",
        "A campaign has no schedule here, its ad sets have: start_at and end_at are refused.",
        "A LIFETIME or TOTAL budget needs no end_at; the ad sets of the campaign need an end before it runs.",
        "CONVERSIONS and SALES are the same objective, and so are awareness and reach.",
        "A deleted campaign can be read by its id and is in no list; an archived one is listed when asked for.",
        "Creating a campaign usually takes two to three seconds.",
        "There is no refresh token: authorization lasts about 60 days and is renewed while it is in use.",
    ],
};

/// Facebook Login: Manually build a login flow. The token calls are in [`token`], because their answers do not follow
/// RFC 6749.
const FLOW: Flow = Flow {
    authorize_url: "https://www.facebook.com/v26.0/dialog/oauth",
    token_url: "https://graph.facebook.com/v26.0/oauth/access_token",
    scopes: SCOPES,
    scope_separator: ",",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::from_secs(60 * 86_400),
};

/// The adapter of Meta.
#[derive(Clone, Copy, Debug)]
pub struct Beta;

#[async_trait]
impl AdPlatform for Beta {
    fn api(&self) -> &'static Api {
        &api::API
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    /// Versions live about a year; no end of this one is published.
    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v26.0", None, "https://developers.facebook.com/docs/graph-api/changelog/versions")
    }

    fn flow(&self) -> &'static Flow {
        &FLOW
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

    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        usage::requested_pause(headers, now)
    }

    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        draft::prepare(input)
    }

    fn read_created(&self, _: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error> {
        draft::created(prepared, answer)
    }

    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        fault::create_failure(answer, error)
    }

    /// Reads the campaign back, because the answer to a create is the id alone.
    async fn finish_create(&self, session: &Session, created: Campaign) -> Campaign {
        match read_campaign(session, &created.remote_id).await {
            Ok(read) => draft::with_additions(created, read),
            Err(error) => {
                let (platform, campaign) = (Platform::Beta, &created.remote_id);
                tracing::warn!(%platform, campaign, %error, "a created campaign was not read back");
                created
            }
        }
    }

    /// The platform has no search by name: all campaigns that can be listed are read.
    fn find_request(&self, account: &AdAccount, _: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error> {
        let statuses = api::effective_statuses(StatusSet::of(&CampaignStatus::ALL)).unwrap_or_default();
        api::campaigns_page(&account.id, &statuses, find::PAGE_SIZE, token)
    }

    fn read_page(&self, _: &str, answer: &Answer) -> Result<Page, Error> {
        api::read_page(answer)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<Campaign>, Error> {
        translate::listed(account, row.get(), now).map(Some).map_err(fault::account_error)
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
        let client = Client::of(&api::API, session);
        let (read, spent) = tokio::join!(read_campaign(session, remote_id), spend::of_campaign(&client, remote_id));
        let campaign = read?;
        if campaign.remote_id != remote_id {
            return Err(Error::not_found("campaign"));
        }
        Ok(Campaign { total_spend_amount: spent?, ..campaign })
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let parameters = edit::parameters(&session.account, current, changes)?;
        change(session, api::update(&current.remote_id, &parameters)?).await?;
        edit::applied(current, changes, &parameters, session.call.now)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        change(session, api::deletion(&current.remote_id)?).await
    }
}

/// Reads a campaign, without its spend.
async fn read_campaign(session: &Session, id: &str) -> Result<Campaign, Error> {
    let answer = Client::of(&api::API, session).read(api::campaign(id)?).await?;
    let node: Box<RawValue> = read_object(Platform::Beta, &answer.body)?;
    translate::campaign(&session.account, node.get(), session.call.now)
}

async fn change(session: &Session, request: Outgoing) -> Result<(), Error> {
    let answer = Client::of(&api::API, session).change(request).await?;
    api::read_done(&answer)
}

#[cfg(test)]
mod tests;
