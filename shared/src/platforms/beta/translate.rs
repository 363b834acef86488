//! From Meta's words to ours, and back in [`draft`] and [`edit`]. Pure: no I/O, no clock.

pub(super) mod draft;
pub(super) mod edit;

use super::fault::unreadable;
use super::money::Units;
use super::wire;
use crate::domain::{AdAccount, BudgetPeriod, Campaign, CampaignId, CampaignStatus, Goal, Platform};
use crate::error::Error;
use jiff::Timestamp;
use rust_decimal::Decimal;

/// A campaign from its node, given as received. Not found when it is another account's.
pub(super) fn campaign(account: &AdAccount, node: &str, now: Timestamp) -> Result<Campaign, Error> {
    let found: wire::Campaign = serde_json::from_str(node).map_err(unreadable)?;
    if !super::client::is_id(&found.id) {
        return Err(unreadable("a campaign without an id"));
    }
    let owner = found.account_id.as_deref().ok_or_else(|| unreadable("a campaign without an account"))?;
    if owner != account.id {
        return Err(Error::not_found("campaign"));
    }
    let (budget_amount, budget_period) = budget(&found, account);
    let end_at = run_time(found.stop_time.as_deref())?;
    Ok(Campaign {
        id: CampaignId::new(Platform::Beta, &account.id, &found.id),
        account_id: account.id.clone(),
        status: status(found.status.as_deref(), end_at, now),
        goal: found.objective.as_deref().and_then(goal),
        budget_amount,
        budget_period,
        currency: account.currency,
        total_spend_amount: None,
        start_at: run_time(found.start_time.as_deref())?,
        end_at,
        created_at: found.created_time.as_deref().map(instant).transpose()?,
        updated_at: found.updated_time.as_deref().map(instant).transpose()?,
        name: found.name.unwrap_or_default(),
        remote_id: found.id,
        raw: node.to_owned(),
    })
}

/// The advertiser's own switch, except that a campaign which is on and whose end has passed has ended.
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
        "OUTCOME_APP_PROMOTION" | "APP_INSTALLS" => Some(Goal::AppPromotion),
        _ => None,
    }
}

fn budget(campaign: &wire::Campaign, account: &AdAccount) -> (Option<Decimal>, Option<BudgetPeriod>) {
    let set = |units: Option<Units>| units.filter(|units| units.0 > 0);
    let (units, period) = match (set(campaign.daily_budget), set(campaign.lifetime_budget)) {
        (Some(daily), _) => (daily, BudgetPeriod::Daily),
        (None, Some(lifetime)) => (lifetime, BudgetPeriod::Lifetime),
        (None, None) => return (None, None),
    };
    (Some(units.to_amount(account.currency)), Some(period))
}

/// A start or an end; what lies at the beginning of time stands for none.
fn run_time(text: Option<&str>) -> Result<Option<Timestamp>, Error> {
    let time = text.map(instant).transpose()?;
    Ok(time.filter(|time| *time > Timestamp::UNIX_EPOCH))
}

/// An instant of the platform: `2026-11-20T08:00:00-0800`.
fn instant(text: &str) -> Result<Timestamp, Error> {
    text.parse().map_err(unreadable)
}

#[cfg(test)]
mod tests;
