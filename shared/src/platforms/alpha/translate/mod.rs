//! From Google's terms to ours, and back in [`draft`] and [`edit`].

pub(super) mod draft;
pub(super) mod edit;
pub(super) mod schedule;

use super::ads::signals;
use super::wire;
use crate::platforms::prelude::*;

/// A campaign from a row of a search, given as received. The platform returns neither its creation nor its last update.
pub(super) fn campaign(account: &AdAccount, row: &str) -> Result<PlatformCampaign, Error> {
    let parsed: wire::GoogleAdsRow = read_object(Platform::Alpha, row.as_bytes())?;
    let found = parsed.campaign.as_ref().ok_or_else(|| unreadable(Platform::Alpha, "a row without a campaign"))?;
    let id = found.id.filter(|id| id.0 > 0).ok_or_else(|| unreadable(Platform::Alpha, "a campaign without an id"))?;
    with_id(account, id.0.to_string(), parsed, row)
}

/// A new campaign from the resources that came back, joined like a row. They have no id beside their names.
fn created(account: &AdAccount, remote_id: &str, row: &str) -> Result<PlatformCampaign, Error> {
    with_id(account, remote_id.to_owned(), read_object(Platform::Alpha, row.as_bytes())?, row)
}

fn with_id(
    account: &AdAccount,
    remote_id: String,
    parsed: wire::GoogleAdsRow,
    row: &str,
) -> Result<PlatformCampaign, Error> {
    let found = parsed.campaign.ok_or_else(|| unreadable(Platform::Alpha, "a row without a campaign"))?;
    let signals = signals(&found, parsed.customer.as_ref());
    let (budget_amount, budget_period) = parsed.campaign_budget.as_ref().map_or((None, None), read_budget);
    let currency = parsed.customer.and_then(|customer| Currency::from_code(&customer.currency_code?));
    let zone = errors::time_zone(Platform::Alpha, account)?;
    Ok(PlatformCampaign {
        id: CampaignId::new(Platform::Alpha, &account.id, &remote_id),
        account_id: account.id.clone(),
        remote_id,
        status: status(&found),
        goal: goal(&found),
        budget_amount,
        budget_period,
        currency: currency.unwrap_or(account.currency),
        total_spend_amount: parsed.metrics.and_then(|metrics| metrics.spend()).filter(|spend| *spend >= Decimal::ZERO),
        start_at: schedule::start(found.start_date_time.as_deref(), &zone),
        end_at: schedule::end(found.end_date_time.as_deref(), &zone),
        name: found.name.unwrap_or_default(),
        created_at: None,
        updated_at: None,
        raw: row.to_owned(),
        signals,
    })
}

/// Whether the budget of a campaign is none that several campaigns may share. One that cannot be read is not owned.
pub(super) fn owns_budget(campaign: &PlatformCampaign) -> bool {
    let row = read_object::<wire::GoogleAdsRow>(Platform::Alpha, campaign.raw.as_bytes());
    row.is_ok_and(|row| row.campaign_budget.is_some_and(|budget| budget.explicitly_shared == Some(false)))
}

/// The advertiser's own switch. A campaign that is on and past its end has ended.
fn status(campaign: &wire::Campaign) -> CampaignStatus {
    match campaign.status.as_deref() {
        Some("REMOVED") => CampaignStatus::Archived,
        Some("ENABLED" | "PAUSED") if campaign.experiment_type.as_deref() == Some("DRAFT") => CampaignStatus::Draft,
        Some("ENABLED") if campaign.primary_status.as_deref() == Some("ENDED") => CampaignStatus::Ended,
        Some("ENABLED") => CampaignStatus::Active,
        Some("PAUSED") => CampaignStatus::Paused,
        _ => CampaignStatus::Unspecified,
    }
}

/// The nearest goal. The platform has none, so it is derived from the terms that [`draft`] uses for it.
fn goal(campaign: &wire::Campaign) -> Option<Goal> {
    match (campaign.advertising_channel_type.as_deref()?, campaign.bidding_strategy_type.as_deref()?) {
        ("SEARCH", "TARGET_SPEND") => Some(Goal::WebsiteTraffic),
        ("SEARCH", "MAXIMIZE_CONVERSIONS") => Some(Goal::Conversions),
        ("SEARCH", "MAXIMIZE_CONVERSION_VALUE") => Some(Goal::Sales),
        ("DISPLAY", "MANUAL_CPM") => Some(Goal::BrandAwareness),
        _ => None,
    }
}

fn read_budget(budget: &wire::CampaignBudget) -> (Option<Decimal>, Option<BudgetPeriod>) {
    let (daily, total) = (budget.amount_micros, budget.total_amount_micros);
    let (micros, period) = match budget.period.as_deref() {
        Some("DAILY") => (daily, Some(BudgetPeriod::Daily)),
        Some("CUSTOM_PERIOD") => (total, Some(BudgetPeriod::Lifetime)),
        _ => (daily.or(total), None),
    };
    (micros.map(wire::Int64::to_amount), period)
}

impl wire::Int64 {
    /// The amount of these micros in major units.
    pub(super) fn to_amount(self) -> Decimal {
        Micros(self.0).to_amount()
    }
}

#[cfg(test)]
mod tests;
