//! From Reddit's terms to ours, and back in [`draft`] and [`edit`].

pub(super) mod draft;
pub(super) mod edit;

use super::ads::words;
use super::wire;
use crate::platforms::prelude::*;

/// A campaign as received. One of another account is not found. A budget or a time that cannot be read is none, never
/// another one.
pub(super) fn campaign(account: &AdAccount, row: &RawValue) -> Result<PlatformCampaign, Error> {
    let found: wire::Campaign = read_object(Platform::Zeta, row.get().as_bytes())?;
    if found.ad_account_id.as_ref().is_some_and(|id| *id != account.id) {
        return Err(Error::not_found("campaign"));
    }
    wire::id(&found.id).map_err(|_| unreadable(Platform::Zeta, "a campaign without a usable id"))?;
    let status = status(&found);
    let (budget_amount, budget_period) = read_budget(row.get()).unwrap_or_default();
    Ok(PlatformCampaign {
        id: CampaignId::new(Platform::Zeta, &account.id, &found.id),
        account_id: account.id.clone(),
        status,
        goal: found.objective.as_deref().and_then(goal),
        budget_amount,
        budget_period,
        currency: account.currency,
        total_spend_amount: None,
        start_at: found.start_time,
        end_at: found.end_time,
        created_at: found.created_at,
        updated_at: found.modified_at,
        name: found.name.unwrap_or_default(),
        remote_id: found.id,
        raw: row.get().to_owned(),
        signals: Signals::of(words::of_campaign(found.effective_status.as_deref())),
    })
}

/// The campaign's own budget. Without campaign budget optimization it has none: the budget lies with the ad groups.
pub(super) fn read_budget(row: &str) -> Result<(Option<Decimal>, Option<BudgetPeriod>), Error> {
    let budget: wire::Budget = serde_json::from_str(row).map_err(|error| unreadable(Platform::Zeta, error))?;
    let amount = budget.goal_value.filter(|micros| micros.0 > 0).map(|micros| Micros(micros.0).to_amount());
    let period = match budget.goal_type.as_deref() {
        Some("DAILY_SPEND") => Some(BudgetPeriod::Daily),
        Some("LIFETIME_SPEND") => Some(BudgetPeriod::Lifetime),
        _ => None,
    };
    Ok(amount.zip(period).map_or((None, None), |(amount, period)| (Some(amount), Some(period))))
}

/// The goal type of a budget (Reddit Ads API: Create Campaign, `goal_type`); `None` for a period that Reddit lacks.
fn write_period(period: BudgetPeriod) -> Option<&'static str> {
    match period {
        BudgetPeriod::Daily => Some("DAILY_SPEND"),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => Some("LIFETIME_SPEND"),
        BudgetPeriod::Monthly => None,
    }
}

/// Recognizes a campaign that has, or may have, a budget of its own with an unknown amount.
pub(super) fn has_unknown_budget(campaign: &PlatformCampaign) -> bool {
    campaign.budget_amount.is_none() && !has_none_of_its_own(campaign)
}

/// Recognizes a campaign whose budget and dates lie with its ad groups.
fn has_none_of_its_own(campaign: &PlatformCampaign) -> bool {
    let budget: Option<wire::Budget> = serde_json::from_str(&campaign.raw).ok();
    budget.is_some_and(|budget| budget.is_campaign_budget_optimization == Some(false))
}

/// The advertiser's own switch. A campaign that is on and past its end has ended.
fn status(campaign: &wire::Campaign) -> CampaignStatus {
    match campaign.configured_status.as_deref() {
        Some("ACTIVE") if campaign.effective_status.as_deref() == Some("COMPLETED") => CampaignStatus::Ended,
        Some("ACTIVE") => CampaignStatus::Active,
        Some("PAUSED") => CampaignStatus::Paused,
        Some("ARCHIVED" | "DELETED") => CampaignStatus::Archived,
        _ => CampaignStatus::Unspecified,
    }
}

fn goal(objective: &str) -> Option<Goal> {
    match objective {
        "BRAND_AWARENESS" => Some(Goal::BrandAwareness),
        "IMPRESSIONS" => Some(Goal::Reach),
        "CLICKS" => Some(Goal::WebsiteTraffic),
        "LEAD_GENERATION" => Some(Goal::Leads),
        "CONVERSIONS" | "SALES" | "CATALOG_SALES" => Some(Goal::Sales),
        "APP_INSTALLS" => Some(Goal::AppPromotion),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
