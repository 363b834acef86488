//! Pinterest Ads: the Pinterest API v5.
//!
//! Facts are here; `client` calls, `translate` maps, `fault` says what a failure means.
//!
//! Not verified: whether every account takes the objectives `SALES` and `LEADS` already, which replaced
//! `WEB_CONVERSION` in June 2026 (Pinterest's pages differ on the end of the old ones: 2026-09-01 or 2027-02-01). An
//! account that does not refuses the create, and nothing is made.
//!
//! Not verified: whether the change of a budget from daily to lifetime must carry the end itself, or whether the one
//! that the campaign has is enough. It is sent along, unchanged.

mod accounts;
mod client;
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
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, ClientAuth, CodeExchange, Flow, RefreshPolicy, Tokens};
use super::settings::Settings;
use super::version::ApiVersion;
use super::{AdPlatform, CallContext, CampaignPage, ListRequest, RevokedGrant, Session};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use async_trait::async_trait;
use client::{Client, number};
use http::HeaderMap;
use jiff::Timestamp;
use secrecy::SecretString;
use std::time::Duration;
use translate::draft::Order;
use translate::edit;

/// Name for people.
const NAME: &str = "Pinterest";

/// Pinterest API: Authentication and scopes.
const SCOPES: &[&str] = &["ads:read", "ads:write", "user_accounts:read"];

/// What Pinterest can express in the terms of this service. Its schema publishes no smallest budget.
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

#[async_trait]
impl AdPlatform for Epsilon {
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v5", None, "https://developers.pinterest.com/docs/api/v5/")
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, &FLOW, request)
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

    /// Nothing is sent. Pinterest's `POST /oauth/token/revoke` is for tokens of system users and refuses those of a
    /// user's consent with code 29; the user takes an app's access back in Pinterest's own settings.
    ///
    /// Pinterest API v5, OpenAPI description: <https://github.com/pinterest/api-description>
    async fn revoke(&self, _: &CallContext, _: &RevokedGrant) -> Result<(), Error> {
        Ok(())
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn pause_asked(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        fault::pause_asked(headers, now)
    }

    fn api(&self) -> &'static super::engine::call::Api {
        static API: super::engine::call::Api = super::engine::call::Api {
            platform: Platform::Epsilon,
            authenticate: |_, _| Ok(()),
            classify: |_, _| Ok(()),
        };
        &API
    }

    fn flow(&self) -> &'static super::oauth::Flow {
        &FLOW
    }

    fn prepare_create(&self, input: &super::CreateInput<'_>) -> Result<super::PreparedCreate, Error> {
        Order::new(input.account, input.draft)?;
        super::PreparedCreate::new(Platform::Epsilon, input, String::new(), &())
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
        let order = Order::new(&session.account, draft)?;
        let data = Client::of(session).create(&session.account.id, &order.request()).await?;
        order.created(&data).map_err(|error| fault::unknown_outcome(&draft.name, error))
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        let mut page = list::campaigns(session, request).await?;
        spend::fill(session, &mut page.campaigns).await?;
        Ok(page)
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let not_found = || Error::not_found("campaign").on(Platform::Epsilon);
        number(remote_id).ok_or_else(not_found)?;
        let (account, client) = (&session.account, Client::of(session));
        let ids = [remote_id];
        let (raw, spent) = tokio::join!(client.campaign(&account.id, remote_id), spend::spent(session, &ids));
        let found = translate::found(account, raw?.get(), session.call.now)?;
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
        let data = Client::of(session).update(&session.account.id, &edit).await?;
        edit::applied(&session.account, current, &data, session.call.now)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        let archival = edit::archival(&session.account, current);
        Client::of(session).update(&session.account.id, &archival).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests;
