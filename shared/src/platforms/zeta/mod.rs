//! Reddit: the Reddit Ads API v3.
//!
//! Facts are here; `client` calls, `translate` maps, `fault` says what a failure means.

#![expect(clippy::disallowed_methods, reason = "until the translation takes the time as an argument")]

mod accounts;
mod client;
mod fault;
mod find;
mod list;
#[cfg(test)]
mod recorded;
mod spend;
mod translate;
mod wire;

use super::capabilities::{Capabilities, Deletion};
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, ClientAuth, CodeExchange, Flow, Tokens};
use super::revocation::{self, Revocation};
use super::settings::Settings;
use super::version::ApiVersion;
use super::{AdPlatform, CallContext, CampaignPage, ListRequest, RevokedGrant, Session};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use async_trait::async_trait;
use client::Client;
use http::HeaderMap;
use jiff::Timestamp;
use secrecy::SecretString;
use std::time::Duration;
use translate::draft::Order;
use translate::edit;

/// Reddit Ads API: Authentication.
const SCOPES: &[&str] = &["adsread", "adsedit"];

/// What Reddit can express in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Zeta,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: true,
    deletion: Deletion::Archives,
    minimum_budgets: &[],
    scopes: SCOPES,
    pkce: false,
    notes: &[
        "On a single day up to 20 % more than the daily budget may be spent.",
        "Names have at least 3 characters.",
        "A LIFETIME or TOTAL budget needs end_at.",
        "A new campaign needs a conversion pixel: the configured one, else the ad account's first.",
        "DELETE archives, which is final.",
        "total_spend_amount is null where Reddit's report has no number for the campaign, and for a campaign that is \
         older than 24 months, which is as far back as the report reaches.",
    ],
};

/// Reddit: OAuth2. Without `duration=permanent` no refresh token is given out; the refresh token stays the same.
const FLOW: Flow = Flow {
    authorize_url: "https://www.reddit.com/api/v1/authorize",
    token_url: "https://www.reddit.com/api/v1/access_token",
    scopes: SCOPES,
    scope_separator: " ",
    pkce: false,
    client_auth: ClientAuth::Basic,
    extra_params: &[("duration", "permanent")],
    default_ttl: Duration::from_secs(3_600),
};

/// Reddit: OAuth2, Manually revoking a token. A token that is not known is a success there.
const REVOCATION: Revocation = Revocation {
    url: "https://www.reddit.com/api/v1/revoke_token",
    client_auth: Some(ClientAuth::Basic),
    type_hint: true,
};

/// The adapter of Reddit.
#[derive(Clone, Copy, Debug)]
pub struct Zeta;

#[async_trait]
impl AdPlatform for Zeta {
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v3", None, "https://ads-api.reddit.com/docs/v3/")
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, &FLOW, request)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, &FLOW, exchange).await
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, &FLOW, refresh_token).await
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        revocation::revoke(call, &REVOCATION, grant).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(&Client::new(call, token)).await
    }

    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        fault::requested_pause(headers, now)
    }

    fn check_draft(&self, account: &AdAccount, draft: &CampaignDraft) -> Result<(), Error> {
        Order::new(account, draft).map(|_| ())
    }

    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error> {
        find::created(session, draft, marker).await
    }

    async fn create_campaign(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Campaign, Error> {
        let order = Order::new(&session.account, draft)?;
        let client = Client::of(session);
        let pixel = client.pixel(&session.account.id).await?;
        let created = client.create(&session.account.id, &draft.name, &order.request(&pixel, marker)).await?;
        order.created(created)
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let client = Client::of(session);
        let row = client.campaign(remote_id).await?;
        let mut campaign = translate::campaign(&session.account, &row)?;
        if campaign.remote_id != remote_id {
            return Err(Error::not_found("campaign"));
        }
        spend::fill(&client, session, std::slice::from_mut(&mut campaign)).await?;
        Ok(campaign)
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let patch = edit::patch(&session.account, current, changes)?;
        let row = Client::of(session).update(&current.remote_id, &patch).await?;
        let changed = translate::campaign(&session.account, &row)?;
        Ok(Campaign { total_spend_amount: current.total_spend_amount, ..changed })
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        let archived = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
        self.update_campaign(session, current, &archived).await.map(|_| ())
    }
}
