//! TikTok: the TikTok API for Business v1.3.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `fault` classifies failures.
//!
//! Not verified: that the manual creates for conversions, leads, sales and apps end on 2027-01-01 (third parties report
//! it; Smart+ creates those campaigns today), that a create keeps `operation_status` DISABLE (the answer is compared,
//! and an active campaign is switched off), and the message of 40001 where the app lacks a permission (others get the
//! advice to authorize again).

mod accounts;
mod api;
mod consent;
mod family;
mod fault;
mod find;
mod list;
mod partition;
#[cfg(test)]
mod recorded;
mod spend;
mod translate;
mod wire;
mod write;

use super::answers;
use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::config::PlatformConfig;
use super::engine::AdPlatform;
use super::engine::call::{Api, CallContext, Session};
use super::engine::create::{CreateFailure, CreateInput, PreparedCreate};
use super::engine::find::Evidence;
use super::engine::list::{CampaignPage, ListRequest};
use super::engine::page::Page;
use super::oauth::{AuthorizeRequest, CodeExchange, Flow, Tokens};
use super::revocation::RevokedGrant;
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
use translate::draft;

/// Name for people.
const NAME: &str = "TikTok";

/// The capabilities of TikTok in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Gamma,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: false,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 2_000 }],
    // Permissions of the app at the platform. The consent page shows them; its address does not name them.
    scopes: &["Ad Account Management", "Ads Management", "Reporting"],
    pkce: false,
    notes: &[
        "A daily budget is a strict cap for each day.",
        "TikTok itself may refuse a campaign's budget below 50 US dollars or the equivalent in the account's currency.",
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
    fn api(&self) -> &'static Api {
        &api::API
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v1.3", None, "https://business-api.tiktok.com/portal/docs")
    }

    fn flow(&self) -> &'static Flow {
        &consent::FLOW
    }

    fn code_parameter(&self) -> &'static str {
        "auth_code"
    }

    fn is_broken(&self) -> fn(&Answer) -> bool {
        fault::is_broken
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        consent::authorize_url(config, request)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        consent::exchange(call, exchange).await
    }

    /// The platform has no refresh: a refused token is revoked for good.
    async fn refresh(&self, _: &CallContext, _: &SecretString) -> Result<Tokens, Error> {
        Err(answers::token_expired(Platform::Gamma))
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        consent::revoke(call, &grant.access_token).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        draft::prepare(input)
    }

    fn read_created(&self, _: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error> {
        draft::created(prepared, &api::read_data::<Box<RawValue>>(answer)?)
    }

    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        fault::create_failure(answer, error)
    }

    async fn finish_create(&self, session: &Session, created: Campaign) -> Campaign {
        if created.status == CampaignStatus::Paused { created } else { write::switch_off(session, created).await }
    }

    fn may_create_active(&self) -> bool {
        true
    }

    /// The platform has no filter by name: all campaigns that are not deleted are read, newest first.
    fn find_request(&self, account: &AdAccount, _: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error> {
        api::search_page(&account.id, token)
    }

    fn read_page(&self, called: &str, answer: &Answer) -> Result<Page, Error> {
        api::read_search_page(called, answer)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<Campaign>, Error> {
        translate::campaign(account, row.get(), false).map(Some)
    }

    fn evidence(&self, campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        Ok(find::evidence(campaign, draft, marker))
    }

    fn is_past(&self, rows: &[Campaign], marker: &Marker) -> bool {
        find::is_past(rows, marker)
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
