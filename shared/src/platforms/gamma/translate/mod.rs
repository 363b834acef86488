//! Translates campaigns of TikTok into ours; [`draft`] and [`edit`] translate back. Pure: no I/O, no clock.

pub(super) mod draft;
pub(super) mod edit;

use super::ads::words;
use super::api;
use super::wire::{self, Amount, instant};
use crate::platforms::prelude::*;

/// A campaign from a row of a list, as received; `is_deleted` for a row of the list of deleted campaigns.
///
/// Start, end and spend stay empty: the platform has the dates in the ad groups and the spend in its reports.
pub(super) fn campaign(account: &AdAccount, row: &str, is_deleted: bool) -> Result<PlatformCampaign, Error> {
    let found: wire::Campaign = api::parse(row)?;
    if found.advertiser_id.is_some_and(|owner| owner.to_string() != account.id) {
        return Err(Error::not_found("campaign").on(Platform::Gamma));
    }
    let remote_id = found.campaign_id.to_string();
    let (budget_amount, budget_period) = read_budget(&found);
    let is_daily = budget_period == Some(BudgetPeriod::Daily);
    Ok(PlatformCampaign {
        id: CampaignId::new(Platform::Gamma, &account.id, &remote_id),
        account_id: account.id.clone(),
        remote_id,
        status: if is_deleted { CampaignStatus::Archived } else { status(&found) },
        goal: goal(found.objective_type.as_deref()),
        budget_amount,
        budget_period,
        currency: account.currency,
        total_spend_amount: None,
        start_at: None,
        end_at: None,
        created_at: found.create_time.as_deref().and_then(instant),
        updated_at: found.modify_time.as_deref().and_then(instant),
        name: found.campaign_name.unwrap_or_default(),
        raw: row.to_owned(),
        signals: words::of_campaign(found.secondary_status.as_deref(), is_daily),
    })
}

/// The status that the advertiser chose, and whether the campaign is deleted. Other reasons that prevent delivery (a
/// review, the balance) are signals.
fn status(campaign: &wire::Campaign) -> CampaignStatus {
    match campaign.secondary_status.as_deref() {
        Some("CAMPAIGN_STATUS_DELETE") => CampaignStatus::Archived,
        _ => campaign.operation_status.as_deref().map_or(CampaignStatus::Unspecified, operation_status),
    }
}

fn operation_status(status: &str) -> CampaignStatus {
    match status {
        wire::ENABLE => CampaignStatus::Active,
        wire::DISABLE => CampaignStatus::Paused,
        wire::DELETE => CampaignStatus::Archived,
        _ => CampaignStatus::Unspecified,
    }
}

/// The nearest goal. An objective of two goals is read as the goal of the same name. APP_INSTALL, CONVERSIONS and
/// CATALOG_SALES are names of earlier versions, which old campaigns still have (recorded live, 2026-07).
fn goal(objective: Option<&str>) -> Option<Goal> {
    match objective? {
        "TRAFFIC" => Some(Goal::WebsiteTraffic),
        "REACH" | "RF_REACH" => Some(Goal::Reach),
        "VIDEO_VIEWS" => Some(Goal::BrandAwareness),
        "WEB_CONVERSIONS" => Some(Goal::Conversions),
        "PRODUCT_SALES" => Some(Goal::Sales),
        "LEAD_GENERATION" => Some(Goal::Leads),
        "APP_PROMOTION" | "APP_INSTALL" => Some(Goal::AppPromotion),
        "CONVERSIONS" | "CATALOG_SALES" => Some(Goal::Sales),
        _ => None,
    }
}

/// The campaign's own budget. A campaign without a limit has none, whatever its number is. An amount that cannot be
/// read exactly is unknown.
fn read_budget(campaign: &wire::Campaign) -> (Option<Decimal>, Option<BudgetPeriod>) {
    let amount = campaign.budget.as_deref().and_then(Amount::read);
    match campaign.budget_mode.as_deref() {
        Some("BUDGET_MODE_DAY" | "BUDGET_MODE_DYNAMIC_DAILY_BUDGET") => (amount, Some(BudgetPeriod::Daily)),
        Some("BUDGET_MODE_TOTAL") => (amount, Some(BudgetPeriod::Lifetime)),
        _ => (None, None),
    }
}

/// The mode of a new budget (TikTok API for Business: Campaign, `budget_mode`); `None` for a period that TikTok lacks.
fn write_period(period: BudgetPeriod) -> Option<&'static str> {
    match period {
        BudgetPeriod::Daily => Some("BUDGET_MODE_DAY"),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => Some("BUDGET_MODE_TOTAL"),
        BudgetPeriod::Monthly => None,
    }
}

/// Recognizes a campaign that has, or may have, a budget of its own with an unknown amount.
pub(super) fn has_unknown_budget(campaign: &PlatformCampaign) -> bool {
    let found: Option<wire::Campaign> = serde_json::from_str(&campaign.raw).ok();
    let is_unlimited = found.is_some_and(|found| found.budget_mode.as_deref() == Some("BUDGET_MODE_INFINITE"));
    campaign.budget_amount.is_none() && !is_unlimited
}

#[cfg(test)]
mod tests;
