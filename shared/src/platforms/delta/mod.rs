//! LinkedIn: the LinkedIn Marketing API (`/rest`, versioned by a header).
//!
//! Our campaign is the platform's `adCampaign`, which has the budget and the objective; its web interface calls that
//! an ad set. Facts are here; `client` calls, `translate` maps, `fault` says what a failure means.
//!
//! Not verified: that a campaign is shown only with `optimizationTargetType`, `associatedEntity` and, with a total
//! budget, `pacingStrategy`. Third parties report it (2026-11); a create states them, and none can spend more than the
//! budget. Nor that a target of clicks may be billed by clicks: a create is billed by impressions (CPM), as live rows
//! are.

#![expect(clippy::disallowed_methods, reason = "until the translation takes the time as an argument")]

mod accounts;
mod client;
mod consent;
mod fault;
mod find;
mod group;
mod list;
mod query;
mod spend;
mod translate;
mod wire;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, ClientAuth, CodeExchange, Flow, Tokens};
use super::revocation::{self, Revocation};
use super::settings::Settings;
use super::version::{self, ApiVersion};
use super::{AdPlatform, CallContext, CampaignPage, ListRequest, RevokedGrant, Session};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use async_trait::async_trait;
use client::Client;
use futures_util::future::join;
use jiff::Timestamp;
use secrecy::SecretString;
use std::slice;
use std::time::Duration;
use translate::draft::Order;
use translate::edit;

/// Name for people.
const NAME: &str = "LinkedIn";

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/account-access-controls>
const SCOPES: &[&str] = &["r_ads", "rw_ads", "r_ads_reporting"];

/// What LinkedIn can express in the terms of this service.
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
/// Only approved applications are given refresh tokens; without one the connection ends with its access token.
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

/// In wide public use, and not among the platform's published pages: what it answers is for the log only.
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
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    /// Each version is named by its month and supported for at least a year; the page has the exact days.
    fn api_version(&self, settings: &Settings) -> ApiVersion {
        let name = settings.delta_ads.version.clone();
        let page = "https://learn.microsoft.com/en-us/linkedin/marketing/integrations/migrations";
        ApiVersion { ends_on: version::a_year_after(&name), name: name.into(), page }
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, &FLOW, request)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, &FLOW, exchange).await.map_err(consent::dead_code)
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, &FLOW, refresh_token).await.map_err(consent::dead_grant)
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        revocation::revoke(call, &REVOCATION, grant).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn api(&self) -> &'static super::engine::call::Api {
        static API: super::engine::call::Api = super::engine::call::Api {
            platform: Platform::Delta,
            authenticate: |_, _| Ok(()),
            classify: |_, _| Ok(()),
        };
        &API
    }

    fn flow(&self) -> &'static super::oauth::Flow {
        &FLOW
    }

    fn prepare_create(&self, input: &super::CreateInput<'_>) -> Result<super::PreparedCreate, Error> {
        Order::new(input.account, input.draft, input.now)?;
        super::PreparedCreate::new(Platform::Delta, input, String::new(), &())
    }

    fn read_created(
        &self,
        _: &AdAccount,
        _: &super::PreparedCreate,
        _: &crate::outbound::Answer,
    ) -> Result<Campaign, Error> {
        Err(Error::internal("not converted"))
    }

    fn find_request(
        &self,
        _: &AdAccount,
        _: &CampaignDraft,
        _: Option<&str>,
    ) -> Result<crate::outbound::Outgoing, Error> {
        Err(Error::internal("not converted"))
    }

    fn read_page(&self, _: &str, _: &crate::outbound::Answer) -> Result<super::engine::page::Page, Error> {
        Err(Error::internal("not converted"))
    }

    fn read_row(
        &self,
        _: &AdAccount,
        _: &serde_json::value::RawValue,
        _: jiff::Timestamp,
    ) -> Result<Option<Campaign>, Error> {
        Err(Error::internal("not converted"))
    }

    fn evidence(&self, _: &Campaign, _: &CampaignDraft, _: &Marker) -> Result<super::engine::find::Evidence, Error> {
        Err(Error::internal("not converted"))
    }

    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error> {
        find::created(session, draft, marker).await
    }

    async fn create_campaign(&self, session: &Session, prepared: &super::PreparedCreate) -> Result<Campaign, Error> {
        let (draft, marker) = (&prepared.draft, &prepared.marker);
        let _ = marker;
        let account = &session.account;
        let order = Order::new(account, draft, Timestamp::now())?;
        // Side by side, and both to their ends: a group that is being made must not be left half-way.
        let (group, entity) = join(group::group(session), accounts::reference(session)).await;
        let (group, entity) = (group?, entity?);
        // The clock is read only here: a start that has passed when it arrives is refused.
        let request = order.request(&session.call.config.settings.delta_ads, &group, entity, Timestamp::now());
        let id = Client::of(session).create(&account.id, &request).await?;
        let read_back = read(session, &id).await;
        if let Err(error) = &read_back {
            tracing::warn!(platform = %Platform::Delta, campaign = %id, %error, "a new campaign was not read back");
        }
        Ok(order.created(&id, &request, read_back.ok()))
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let mut campaign = read(session, remote_id).await?;
        spend::add(session, slice::from_mut(&mut campaign)).await?;
        Ok(campaign)
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let fields = edit::fields(current, changes)?;
        Client::of(session).update(&session.account.id, &current.remote_id, &fields).await?;
        edit::applied(current, changes, &fields)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        let (client, account) = (Client::of(session), session.account.id.as_str());
        // The platform deletes only what never ran.
        match current.status {
            CampaignStatus::Draft => client.delete(account, &current.remote_id).await,
            _ => client.update(account, &current.remote_id, &edit::archival()).await,
        }
    }
}

/// One campaign, without what it has spent.
async fn read(session: &Session, remote_id: &str) -> Result<Campaign, Error> {
    let path = query::campaign(&session.account.id, remote_id)?;
    let body = Client::of(session).get(&path).await.map_err(fault::of_campaign)?;
    let text = std::str::from_utf8(&body).map_err(fault::unreadable)?;
    let found = translate::campaign(&session.account, text)?.ok_or_else(|| Error::not_found("campaign"))?;
    if found.remote_id != remote_id {
        return Err(fault::unreadable("another campaign than the one that was asked for"));
    }
    Ok(found)
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
