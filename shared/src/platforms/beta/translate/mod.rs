//! From Meta's terms to ours, and back in [`draft`] and [`edit`]. Pure: no I/O, no clock.

pub(super) mod draft;
pub(super) mod edit;

use super::ads::signals;
use super::money::{Budget, Units};
use super::wire::{self, CampaignParameters, is_id};
use crate::platforms::prelude::*;

/// A campaign from its node, as received. Not found when it belongs to another account.
pub(super) fn campaign(account: &AdAccount, node: &str, now: Timestamp) -> Result<PlatformCampaign, Error> {
    let found = parsed(node)?;
    if found.account_id.is_none() {
        return Err(unreadable(Platform::Beta, "a campaign without an account"));
    }
    of_account(account, found, node, now)
}

/// The same from a row of the account's own list, which need not repeat the account.
pub(super) fn listed(account: &AdAccount, row: &str, now: Timestamp) -> Result<PlatformCampaign, Error> {
    of_account(account, parsed(row)?, row, now)
}

fn parsed(node: &str) -> Result<wire::Campaign, Error> {
    serde_json::from_str(node).map_err(|error| unreadable(Platform::Beta, error))
}

/// Recognizes a campaign of unknown budget. Only two zeros prove that it has none: a row without both fields may be of
/// a campaign with budgets of its ad sets, or may be cut short.
pub(super) fn has_unknown_budget(campaign: &PlatformCampaign) -> bool {
    let Ok(found) = parsed(&campaign.raw) else { return true };
    match (found.daily_budget, found.lifetime_budget) {
        (Budget::Unreadable, _) | (_, Budget::Unreadable) => true,
        (Budget::Set(_), _) | (_, Budget::Set(_)) | (Budget::Zero, Budget::Zero) => false,
        (Budget::Absent | Budget::Zero, Budget::Absent | Budget::Zero) => true,
    }
}

fn of_account(
    account: &AdAccount,
    found: wire::Campaign,
    node: &str,
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    let id = found.id.filter(|id| is_id(id));
    let id = id.ok_or_else(|| unreadable(Platform::Beta, "a campaign without an id"))?;
    if found.account_id.is_some_and(|owner| owner != account.id) {
        return Err(Error::not_found("campaign"));
    }
    let (budget_amount, budget_period) = read_budget(found.daily_budget, found.lifetime_budget, account.currency);
    let end_at = run_time(found.stop_time);
    let signals = signals(found.effective_status.as_deref(), found.issues_info.as_deref().unwrap_or_default());
    Ok(PlatformCampaign {
        id: CampaignId::new(Platform::Beta, &account.id, &id),
        account_id: account.id.clone(),
        status: status(found.status.or(found.configured_status).as_deref(), end_at, now),
        goal: found.objective.as_deref().and_then(goal),
        budget_amount,
        budget_period,
        currency: account.currency,
        total_spend_amount: None,
        start_at: run_time(found.start_time),
        end_at,
        created_at: found.created_time,
        updated_at: found.updated_time,
        name: found.name.unwrap_or_default(),
        remote_id: id,
        raw: node.to_owned(),
        signals,
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
fn read_budget(daily: Budget, lifetime: Budget, currency: Currency) -> (Option<Decimal>, Option<BudgetPeriod>) {
    let (units, period) = match (daily, lifetime) {
        (Budget::Unreadable, _) | (_, Budget::Unreadable) => return (None, None),
        (Budget::Set(daily), _) => (daily, BudgetPeriod::Daily),
        (Budget::Absent | Budget::Zero, Budget::Set(lifetime)) => (lifetime, BudgetPeriod::Lifetime),
        (Budget::Absent | Budget::Zero, Budget::Absent | Budget::Zero) => return (None, None),
    };
    (Some(units.to_amount(currency)), Some(period))
}

/// Sets the budget of a period; `None` for a period that the platform lacks.
fn write_budget(parameters: CampaignParameters, period: BudgetPeriod, units: Units) -> Option<CampaignParameters> {
    match period {
        BudgetPeriod::Daily => Some(CampaignParameters { daily_budget: Some(units), ..parameters }),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => {
            Some(CampaignParameters { lifetime_budget: Some(units), ..parameters })
        }
        BudgetPeriod::Monthly => None,
    }
}

/// A start or an end. The platform writes a time before 1970 for none.
pub(super) fn run_time(time: Option<Timestamp>) -> Option<Timestamp> {
    time.filter(|time| *time > Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests;
