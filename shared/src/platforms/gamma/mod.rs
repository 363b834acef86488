//! TikTok: the TikTok API for Business v1.3.
//!
//! Facts are here; `client` calls, `translate` maps, `fault` says what a failure means.
//!
//! Not verified: that the manual creates for conversions, leads, sales and apps end on 2027-01-01 (third parties report
//! it; the Smart+ calls make those campaigns today), that a create keeps `operation_status` DISABLE (it is compared,
//! and the campaign switched off), and in which words 40001 says that the app lacks a right (other words get
//! the advice to authorize again).

mod accounts;
mod client;
mod consent;
mod fault;
mod find;
mod list;
mod spend;
mod translate;
mod wire;
mod write;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::config::PlatformConfig;
use super::oauth::{AuthorizeRequest, CodeExchange, Tokens};
use super::settings::Settings;
use super::version::ApiVersion;
use super::{AdPlatform, CallContext, CampaignPage, ListRequest, RevokedGrant, Session, answers};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use crate::outbound::Answer;
use async_trait::async_trait;
use secrecy::SecretString;
use translate::draft::Order;

/// Name for people.
const NAME: &str = "TikTok";

/// What TikTok can express in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Gamma,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: false,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 2_000 }],
    // Permissions of the app at the platform: the consent page shows them, and its address does not name them.
    scopes: &["Ad Account Management", "Ads Management", "Reporting"],
    pkce: false,
    notes: &[
        "A daily budget is a strict cap for each day.",
        "TikTok itself may refuse a campaign's budget below 50 US dollars or their like in the account's currency.",
        "A campaign has no dates here, its ad groups have: start_at and end_at are refused.",
        "Campaigns for conversions, leads, sales and apps are Smart+ campaigns.",
        "Names hold 512 characters, of which Chinese and Japanese ones count twice, and no emoji.",
        "Creating a campaign usually takes one to two seconds.",
    ],
};

/// The adapter of TikTok.
#[derive(Clone, Copy, Debug)]
pub struct Gamma;

#[async_trait]
impl AdPlatform for Gamma {
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v1.3", None, "https://business-api.tiktok.com/portal/docs")
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        consent::authorize_url(config, request)
    }

    fn code_parameter(&self) -> &'static str {
        "auth_code"
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        consent::exchange(call, exchange).await
    }

    /// There is no refresh here: a token that is refused once is dead.
    async fn refresh(&self, _: &CallContext, _: &SecretString) -> Result<Tokens, Error> {
        Err(answers::token_expired(Platform::Gamma))
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        consent::revoke(call, &grant.access_token).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn is_broken(&self) -> fn(&Answer) -> bool {
        fault::is_broken
    }

    fn api(&self) -> &'static super::engine::call::Api {
        static API: super::engine::call::Api = super::engine::call::Api {
            platform: Platform::Gamma,
            authenticate: |_, _| Ok(()),
            classify: |_, _| Ok(()),
        };
        &API
    }

    fn flow(&self) -> &'static super::oauth::Flow {
        &super::zeta::FLOW
    }

    fn prepare_create(&self, input: &super::CreateInput<'_>) -> Result<super::PreparedCreate, Error> {
        Order::new(input.account, input.draft)?;
        super::PreparedCreate::new(Platform::Gamma, input, String::new(), &())
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

    fn may_create_active(&self) -> bool {
        true
    }

    async fn create_campaign(&self, session: &Session, prepared: &super::PreparedCreate) -> Result<Campaign, Error> {
        let (draft, marker) = (&prepared.draft, &prepared.marker);
        let _ = marker;
        write::create(session, draft, marker).await
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        list::one(session, remote_id).await
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        write::update(session, current, changes).await
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        write::delete(session, current).await
    }
}

#[cfg(test)]
mod recorded;
