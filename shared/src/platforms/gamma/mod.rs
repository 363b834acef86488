//! TikTok: the TikTok API for Business v1.3.
//!
//! Facts are here; `api` is the protocol, `translate` maps, `error` classifies failures.
//!
//! Not verified: the end of the manual creates for conversions, leads, sales and apps on 2027-01-01 (third parties
//! report it; Smart+ creates those campaigns today); that a create keeps `operation_status` DISABLE (the response is
//! compared); the message of 40001 where the app lacks a permission (others get the advice to authorize again).

mod accounts;
mod ads;
mod api;
mod consent;
mod error;
mod family;
mod find;
mod insights;
mod list;
#[cfg(test)]
mod recorded;
mod report;
#[cfg(test)]
pub(super) mod sample;
mod spend;
mod translate;
mod wire;
mod write;

use super::capabilities::{BudgetBound, Capabilities, DailySpend, DateRules, Deletion, NameRules};
use super::config::PlatformConfig;
use super::engine::AdPlatform;
use super::engine::facts::Facts;
use super::oauth::{AuthorizeRequest, CodeExchange, Tokens};
use super::prelude::*;
use super::revocation::RevokedGrant;
use super::version::ApiVersion;
use api::ListPartition;
use async_trait::async_trait;
use family::ApiFamily;
use futures_util::future::join;
use translate::edit::{self, Step};
use url::Url;
use wire::Id;

static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Gamma,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    goals_without_whole_run: &[],
    has_period_change: false,
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    // TikTok API for Business: Create a campaign, `campaign_name`. Its limit of 512, where Chinese and Japanese characters
    // count twice, is above that of this API for every name.
    names: NameRules { has_emoji: false, ..NameRules::OF_SERVICE },
    dates_held_by: Holder::Service,
    dates: DateRules::HELD,
    lifetime_needs_end: false,
    // A strict cap, except in accounts with dynamic daily budgets.
    daily_spend: DailySpend { hundredths: 125, page: "https://ads.tiktok.com/help/article/about-dynamic-daily-budget" },
    deletion: Deletion::Removes,
    // From 50 to below 10,000,000, times a ratio for each currency (TikTok API for Business: Budget). Only these two
    // ratios are published where they can be read.
    minimum_budgets: &[
        BudgetBound::of_service(BudgetPeriod::Daily, 2_000),
        BudgetBound::of_platform(BudgetPeriod::Daily, "USD", 5_000),
        BudgetBound::of_platform(BudgetPeriod::Lifetime, "USD", 5_000),
        BudgetBound::of_platform(BudgetPeriod::Daily, "JPY", 500_000),
        BudgetBound::of_platform(BudgetPeriod::Lifetime, "JPY", 500_000),
    ],
    maximum_budgets: &[
        BudgetBound::of_platform(BudgetPeriod::Daily, "USD", 999_999_999),
        BudgetBound::of_platform(BudgetPeriod::Lifetime, "USD", 999_999_999),
        BudgetBound::of_platform(BudgetPeriod::Daily, "JPY", 99_999_999_900),
        BudgetBound::of_platform(BudgetPeriod::Lifetime, "JPY", 99_999_999_900),
    ],
    decimals: None,
    notes: &[
        "A daily budget is a strict cap for each day.",
        "In other currencies than USD and JPY TikTok itself refuses a budget below about 50 US dollars.",
        "A campaign has no dates here, so this service holds them: an activation waits for start_at, and the campaign is \
         paused at end_at.",
        "Campaigns for conversions, leads, sales and apps are Smart+ campaigns.",
        "Creating a campaign usually takes one to two seconds.",
    ],
};

static FACTS: Facts = Facts {
    code_parameter: "auth_code",
    is_broken: error::is_broken,
    may_create_active: true,
    insights: &insights::FACTS,
    assumed_response: write::assumed_response,
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
        let url = Url::parse(&config.address(consent::FLOW.authorize_url));
        let mut url = url.map_err(|error| Error::internal(error).on(Platform::Gamma))?;
        url.query_pairs_mut()
            .append_pair("app_id", &config.client.client_id)
            .append_pair("state", request.state.expose_secret())
            .append_pair("redirect_uri", request.redirect_uri);
        Ok(url.into())
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        consent::exchange(call, exchange).await
    }

    /// The platform has no refresh: a refused token is revoked for good.
    async fn refresh(&self, _: &CallContext, _: &SecretString) -> Result<Tokens, Error> {
        Err(errors::token_expired(Platform::Gamma))
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        consent::revoke(call, &grant.access_token).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    async fn account(&self, session: &AccountSession) -> Result<Option<AdAccount>, Error> {
        accounts::of_session(session).await
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        let mut page = list::page(session, request).await?;
        let ids: Vec<&str> = page.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect();
        let report = spend::of(session, &ids, ListPartition::Deleted.may_hold(request.statuses)).await?;
        page.rows.iter_mut().for_each(|campaign| spend::fill(campaign, report.as_ref()));
        Ok(page)
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let (_, found) = list::find(session, ListPartition::ALL, Id::of_campaign(remote_id)?).await?;
        Ok(found)
    }

    async fn get_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let id = Id::of_campaign(remote_id)?;
        let ids = [remote_id];
        let found = list::find(session, ListPartition::ALL, id);
        let (found, report) = join(found, spend::of(session, &ids, false)).await;
        let (partition, mut campaign) = found?;
        let report = match partition {
            ListPartition::Existing => report?,
            ListPartition::Deleted => spend::of(session, &ids, true).await?,
        };
        spend::fill(&mut campaign, report.as_ref());
        Ok(campaign)
    }

    async fn read_ads(&self, session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
        ads::read(session, request).await
    }

    async fn update_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let family = ApiFamily::of(&current.raw);
        let (mut is_begun, mut answer) = (false, None);
        for step in edit::steps(&session.account, current, changes)? {
            let outcome = match &step {
                Step::Update(update) => write::change(session, &family.path("update"), update).await,
                Step::SetStatus(status) => {
                    write::set_status(session, family, &current.remote_id, status).await.map(|()| None)
                }
            };
            // After a failed step, the steps before it remain applied.
            answer = outcome.map_err(|error| Error { unknown_outcome: is_begun, ..error })?;
            is_begun = true;
        }
        answer.map(|data| edit::answered(&session.account, current, &data)).transpose()
    }

    fn sets_status_apart(&self) -> bool {
        true
    }

    /// A removed campaign is looked for among the deleted ones first.
    async fn read_again(
        &self,
        session: &AccountSession,
        expected: &PlatformCampaign,
    ) -> Result<PlatformCampaign, Error> {
        let id = Id::of_campaign(&expected.remote_id)?;
        let mut partitions = ListPartition::ALL;
        if expected.status == CampaignStatus::Archived {
            partitions.reverse();
        }
        let (_, found) = list::find(session, partitions, id).await?;
        Ok(PlatformCampaign { total_spend_amount: expected.total_spend_amount, ..found })
    }

    fn report_pages<'a>(
        &'a self,
        session: &'a AccountSession,
        request: &'a InsightsRequest,
        part: Days,
    ) -> Result<Pages<'a, InsightsRow>, Error> {
        insights::pages(session, request, part)
    }

    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        write::set_status(session, ApiFamily::of(&current.raw), &current.remote_id, wire::DELETE).await?;
        Ok(None)
    }
}
