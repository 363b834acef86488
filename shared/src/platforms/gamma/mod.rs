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
#[cfg(test)]
mod recorded;
mod spend;
mod translate;
mod wire;
mod write;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::config::PlatformConfig;
use super::engine::AdPlatform;
use super::engine::facts::Facts;
use super::oauth::{AuthorizeRequest, CodeExchange, Tokens};
use super::prelude::*;
use super::revocation::RevokedGrant;
use super::version::ApiVersion;
use async_trait::async_trait;
use family::ApiFamily;

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Gamma,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: false,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 2_000 }],
    notes: &[
        "A daily budget is a strict cap for each day.",
        "TikTok itself may refuse a campaign's budget below 50 US dollars or the equivalent in the account's currency.",
        "A campaign has no dates here, its ad groups have: start_at and end_at are refused.",
        "Campaigns for conversions, leads, sales and apps are Smart+ campaigns.",
        "Names hold 512 characters, of which Chinese and Japanese ones count twice, and no emoji.",
        "Creating a campaign usually takes one to two seconds.",
    ],
};

static FACTS: Facts = Facts {
    code_parameter: "auth_code",
    is_broken: fault::is_broken,
    may_create_active: true,
    ..Facts::new(
        &api::API,
        |_| ApiVersion::new("v1.3", None, "https://business-api.tiktok.com/portal/docs"),
        &CAPABILITIES,
        &consent::FLOW,
    )
};

/// The adapter of TikTok.
#[derive(Clone, Copy, Debug)]
pub struct Gamma;

#[async_trait]
impl AdPlatform for Gamma {
    fn facts(&self) -> &'static Facts {
        &FACTS
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

    async fn finish_create(&self, session: &Session, created: Campaign) -> Campaign {
        if created.status == CampaignStatus::Paused { created } else { write::switch_off(session, created).await }
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
        write::set_status(session, ApiFamily::of(&current.raw), &current.remote_id, wire::DELETE).await
    }
}
