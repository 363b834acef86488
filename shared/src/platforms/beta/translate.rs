//! From Meta's terms to ours, and back in [`draft`] and [`edit`]. Pure: no I/O, no clock.

pub(super) mod draft;
pub(super) mod edit;

use super::fault::unreadable;
use super::money::Units;
use super::wire::{self, Budget, CampaignParameters, is_id};
use crate::domain::{AdAccount, BudgetPeriod, Campaign, CampaignId, CampaignStatus, Goal, Platform};
use crate::error::Error;
use jiff::Timestamp;
use rust_decimal::Decimal;

/// A campaign from its node, as received. Not found when it belongs to another account.
pub(super) fn campaign(account: &AdAccount, node: &str, now: Timestamp) -> Result<Campaign, Error> {
    let found: wire::Campaign = serde_json::from_str(node).map_err(unreadable)?;
    if found.account_id.is_none() {
        return Err(unreadable("a campaign without an account"));
    }
    of_account(account, found, node, now)
}

/// The same from a row of the account's own list, which need not repeat the account.
pub(super) fn listed(account: &AdAccount, row: &str, now: Timestamp) -> Result<Campaign, Error> {
    of_account(account, serde_json::from_str(row).map_err(unreadable)?, row, now)
}

/// Recognizes a campaign of unknown budget. Only two zeros prove that it has none: a row without both fields may be of
/// a campaign with budgets of its ad sets, or may be cut short.
pub(super) fn has_unknown_budget(campaign: &Campaign) -> bool {
    let Ok(found) = serde_json::from_str::<wire::Campaign>(&campaign.raw) else { return true };
    match (found.daily_budget, found.lifetime_budget) {
        (Budget::Unreadable, _) | (_, Budget::Unreadable) => true,
        (Budget::Set(_), _) | (_, Budget::Set(_)) | (Budget::Zero, Budget::Zero) => false,
        (Budget::Absent | Budget::Zero, Budget::Absent | Budget::Zero) => true,
    }
}

fn of_account(account: &AdAccount, found: wire::Campaign, node: &str, now: Timestamp) -> Result<Campaign, Error> {
    let id = found.id.filter(|id| is_id(id)).ok_or_else(|| unreadable("a campaign without an id"))?;
    if found.account_id.is_some_and(|owner| owner != account.id) {
        return Err(Error::not_found("campaign"));
    }
    let (budget_amount, budget_period) = budget(found.daily_budget, found.lifetime_budget, account);
    let end_at = run_time(found.stop_time.as_deref());
    Ok(Campaign {
        id: CampaignId::new(Platform::Beta, &account.id, &id),
        account_id: account.id.clone(),
        status: status(found.status.or(found.configured_status).as_deref(), end_at, now),
        goal: found.objective.as_deref().and_then(goal),
        budget_amount,
        budget_period,
        currency: account.currency,
        total_spend_amount: None,
        start_at: run_time(found.start_time.as_deref()),
        end_at,
        created_at: found.created_time.as_deref().and_then(instant),
        updated_at: found.updated_time.as_deref().and_then(instant),
        name: found.name.unwrap_or_default(),
        remote_id: id,
        raw: node.to_owned(),
    })
}

/// The advertiser's own switch. A campaign that is on has ended when its end has passed.
fn status(word: Option<&str>, end_at: Option<Timestamp>, now: Timestamp) -> CampaignStatus {
    match word {
        Some("ACTIVE") if end_at.is_some_and(|end| end <= now) => CampaignStatus::Ended,
        Some("ACTIVE") => CampaignStatus::Active,
        Some("PAUSED") => CampaignStatus::Paused,
        Some("ARCHIVED" | "DELETED") => CampaignStatus::Archived,
        _ => CampaignStatus::Unspecified,
    }
}

/// The nearest goal. The objectives that do not begin with OUTCOME are read from old campaigns and never written.
fn goal(objective: &str) -> Option<Goal> {
    match objective {
        "OUTCOME_TRAFFIC" | "LINK_CLICKS" => Some(Goal::WebsiteTraffic),
        "OUTCOME_SALES" | "PRODUCT_CATALOG_SALES" => Some(Goal::Sales),
        "CONVERSIONS" => Some(Goal::Conversions),
        "OUTCOME_LEADS" | "LEAD_GENERATION" => Some(Goal::Leads),
        "OUTCOME_AWARENESS" | "BRAND_AWARENESS" => Some(Goal::BrandAwareness),
        "REACH" => Some(Goal::Reach),
        "OUTCOME_APP_PROMOTION" | "APP_INSTALLS" | "MOBILE_APP_INSTALLS" => Some(Goal::AppPromotion),
        _ => None,
    }
}

/// At most one of the two is set. Where one cannot be read, it is not known which of them applies.
fn budget(daily: Budget, lifetime: Budget, account: &AdAccount) -> (Option<Decimal>, Option<BudgetPeriod>) {
    let (units, period) = match (daily, lifetime) {
        (Budget::Unreadable, _) | (_, Budget::Unreadable) => return (None, None),
        (Budget::Set(daily), _) => (daily, BudgetPeriod::Daily),
        (Budget::Absent | Budget::Zero, Budget::Set(lifetime)) => (lifetime, BudgetPeriod::Lifetime),
        (Budget::Absent | Budget::Zero, Budget::Absent | Budget::Zero) => return (None, None),
    };
    (Some(units.to_amount(account.currency)), Some(period))
}

/// Sets the budget of a period; `None` for a period that the platform lacks.
fn with_budget(parameters: CampaignParameters, period: BudgetPeriod, units: Units) -> Option<CampaignParameters> {
    match period {
        BudgetPeriod::Daily => Some(CampaignParameters { daily_budget: Some(units), ..parameters }),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => {
            Some(CampaignParameters { lifetime_budget: Some(units), ..parameters })
        }
        BudgetPeriod::Monthly => None,
    }
}

/// A start or an end. The platform writes a time before 1970 for none.
fn run_time(text: Option<&str>) -> Option<Timestamp> {
    text.and_then(instant).filter(|time| *time > Timestamp::UNIX_EPOCH)
}

/// An instant of the platform: `2026-11-20T08:00:00-0800`.
fn instant(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

#[cfg(test)]
mod tests;
