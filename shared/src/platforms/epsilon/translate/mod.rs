//! Translation between Pinterest's campaigns and ours; writes are in [`draft`] and [`edit`].

pub(super) mod draft;
pub(super) mod edit;

use super::ads::words;
use super::wire::{self, number};
use crate::platforms::prelude::*;
use crate::platforms::rows::Whole;

/// A campaign from the platform's object, without its spend; `None` for a campaign of another account and for a deleted
/// draft. An unreadable budget or time is none, never another value.
pub(super) fn found(account: &AdAccount, raw: &str, now: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
    let found: wire::Campaign = read_object(Platform::Epsilon, raw.as_bytes())?;
    number(&found.id).ok_or_else(|| unreadable(Platform::Epsilon, "a campaign without an id"))?;
    let elsewhere = found.ad_account_id.as_ref().is_some_and(|id| *id != account.id);
    if elsewhere || found.status.as_deref() == Some("DELETED_DRAFT") {
        return Ok(None);
    }
    let (budget_amount, budget_period) = read_budget(raw).unwrap_or_default();
    let time = |seconds: Option<Whole>| instant(seconds).ok().flatten();
    let end_at = time(found.end_time);
    Ok(Some(PlatformCampaign {
        id: CampaignId::new(Platform::Epsilon, &account.id, &found.id),
        account_id: account.id.clone(),
        status: status(found.status.as_deref(), end_at, now),
        goal: found.objective_type.as_deref().and_then(goal),
        budget_amount,
        budget_period,
        currency: account.currency,
        total_spend_amount: None,
        start_at: time(found.start_time),
        end_at,
        created_at: time(found.created_time),
        updated_at: time(found.updated_time),
        remote_id: found.id,
        name: found.name.unwrap_or_default(),
        raw: raw.to_owned(),
        signals: Signals::of(words::of_campaign(found.summary_status.as_deref())),
    }))
}

/// The advertiser's own switch. A campaign that is on and past its end has ended.
fn status(status: Option<&str>, end_at: Option<Timestamp>, now: Timestamp) -> CampaignStatus {
    match status {
        Some("ACTIVE") if end_at.is_some_and(|end| end < now) => CampaignStatus::Ended,
        Some("ACTIVE") => CampaignStatus::Active,
        Some("PAUSED") => CampaignStatus::Paused,
        Some("DRAFT") => CampaignStatus::Draft,
        Some("ARCHIVED") => CampaignStatus::Archived,
        _ => CampaignStatus::Unspecified,
    }
}

/// `WEB_CONVERSION` and `CATALOG_SALES` are deprecated in favor of `SALES`, and campaigns keep them. Video views,
/// connected TV and newer values have no goal here.
fn goal(objective: &str) -> Option<Goal> {
    match objective {
        "AWARENESS" => Some(Goal::BrandAwareness),
        "CONSIDERATION" => Some(Goal::WebsiteTraffic),
        "SALES" | "WEB_CONVERSION" | "CATALOG_SALES" => Some(Goal::Sales),
        "LEADS" => Some(Goal::Leads),
        "APP_INSTALL" => Some(Goal::AppPromotion),
        _ => None,
    }
}

/// The campaign's own budget. Without campaign budget optimization a cap is a limit over the budgets of the ad
/// groups; with both caps the budget is unknown.
pub(super) fn read_budget(raw: &str) -> Result<(Option<Decimal>, Option<BudgetPeriod>), Error> {
    let budget: wire::Budget = serde_json::from_str(raw).map_err(|error| unreadable(Platform::Epsilon, error))?;
    if budget.is_campaign_budget_optimization != Some(true) {
        return Ok((None, None));
    }
    let set = |cap: Option<Whole>| cap.filter(|micros| micros.0 > 0).map(|micros| Micros(micros.0).to_amount());
    Ok(match (set(budget.daily_spend_cap), set(budget.lifetime_spend_cap)) {
        (Some(daily), None) => (Some(daily), Some(BudgetPeriod::Daily)),
        (None, Some(lifetime)) => (Some(lifetime), Some(BudgetPeriod::Lifetime)),
        _ => (None, None),
    })
}

/// The fields `daily_spend_cap` and `lifetime_spend_cap` for a budget; `None` for a period that the platform lacks.
fn write_budget(period: BudgetPeriod, Micros(cap): Micros) -> Option<(Option<i64>, Option<i64>)> {
    match period {
        BudgetPeriod::Daily => Some((Some(cap), None)),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => Some((None, Some(cap))),
        BudgetPeriod::Monthly => None,
    }
}

/// Recognizes a campaign that has, or may have, a budget of its own with an unknown amount.
pub(super) fn has_unknown_budget(campaign: &PlatformCampaign) -> bool {
    let budget: Option<wire::Budget> = serde_json::from_str(&campaign.raw).ok();
    let is_of_ad_groups = budget.is_some_and(|budget| budget.is_campaign_budget_optimization == Some(false));
    campaign.budget_amount.is_none() && !is_of_ad_groups
}

/// A time in seconds since 1970; an error for one that cannot be held.
pub(super) fn instant(seconds: Option<Whole>) -> Result<Option<Timestamp>, Error> {
    let given = seconds.filter(|seconds| seconds.0 > 0).map(|seconds| Timestamp::from_second(seconds.0));
    given.transpose().map_err(|error| unreadable(Platform::Epsilon, error))
}

#[cfg(test)]
mod tests;
