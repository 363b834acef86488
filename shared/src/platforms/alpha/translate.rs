//! From Google's terms to ours, and back in [`draft`] and [`edit`].

mod checks;
pub(super) mod draft;
pub(super) mod edit;

use super::fault::unreadable;
use super::{NAME, wire};
use crate::domain::moment::instant_of;
use crate::domain::{AdAccount, BudgetPeriod, Campaign, CampaignId, CampaignStatus, Currency, Goal, Micros, Platform};
use crate::error::{Error, Kind};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;
use rust_decimal::Decimal;

/// The format of dates (Google Ads API: Campaign, `start_date_time`).
const DATE_TIME: &str = "%Y-%m-%d %H:%M:%S";

/// The last day of the platform's calendar. A campaign that ends then has no end.
const NO_END: Date = date(2037, 12, 30);

/// A campaign from a row of a search, given as received.
///
/// `created_at` and `updated_at` stay empty: the platform does not return them.
pub(super) fn campaign(account: &AdAccount, row: &str) -> Result<Campaign, Error> {
    let parsed: wire::GoogleAdsRow = serde_json::from_str(row).map_err(unreadable)?;
    let found = parsed.campaign.ok_or_else(|| unreadable("a row without a campaign"))?;
    let id = found.id.filter(|id| id.0 > 0).ok_or_else(|| unreadable("a campaign without an id"))?;
    let remote_id = id.0.to_string();
    let (budget_amount, budget_period) = parsed.campaign_budget.as_ref().map_or((None, None), budget);
    let currency = parsed.customer.and_then(|customer| Currency::from_code(&customer.currency_code?));
    let zone = zone(account)?;
    Ok(Campaign {
        id: CampaignId::new(Platform::Alpha, &account.id, &remote_id),
        account_id: account.id.clone(),
        remote_id,
        status: status(&found),
        goal: goal(&found),
        budget_amount,
        budget_period,
        currency: currency.unwrap_or(account.currency),
        total_spend_amount: parsed.metrics.and_then(|metrics| Some(metrics.cost_micros?.to_amount())),
        start_at: found.start_date_time.as_deref().and_then(|text| instant(text, &zone)),
        end_at: found.end_date_time.as_deref().and_then(|text| end(text, &zone)),
        name: found.name.unwrap_or_default(),
        created_at: None,
        updated_at: None,
        raw: row.to_owned(),
    })
}

/// The time zone of the account's days.
pub(super) fn zone(account: &AdAccount) -> Result<TimeZone, Error> {
    TimeZone::get(&account.time_zone).map_err(|error| {
        let message = format!("The ad account's time zone on {NAME} is not known here, so its dates cannot be read.");
        Error::new(Kind::PlatformFailed, message).on(Platform::Alpha).caused_by(error)
    })
}

/// An instant from a local time of the account.
pub(super) fn instant(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let local = DateTime::strptime(DATE_TIME, text).ok()?;
    instant_of(local, zone).ok()
}

fn end(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let local = DateTime::strptime(DATE_TIME, text).ok()?;
    if local.date() >= NO_END { None } else { instant(text, zone) }
}

/// Recognizes a row with a budget that cannot be read.
pub(super) fn hides_budget(row: &str) -> bool {
    let has_budget = |row: wire::BudgetOfRow| row.campaign_budget.is_some();
    let is_read = |row: wire::GoogleAdsRow| row.campaign_budget.is_some();
    serde_json::from_str(row).is_ok_and(has_budget) && !serde_json::from_str(row).is_ok_and(is_read)
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

fn budget(budget: &wire::CampaignBudget) -> (Option<Decimal>, Option<BudgetPeriod>) {
    let (daily, total) = (budget.amount_micros, budget.total_amount_micros);
    let (micros, period) = match budget.period.as_deref() {
        Some("DAILY") => (daily, Some(BudgetPeriod::Daily)),
        Some("CUSTOM_PERIOD") => (total, Some(BudgetPeriod::Lifetime)),
        _ => (daily.or(total), None),
    };
    (micros.map(wire::Int64::to_amount), period)
}

impl wire::Int64 {
    /// The amount in major units that these micros are.
    pub(super) fn to_amount(self) -> Decimal {
        Micros(self.0).to_amount()
    }
}

#[cfg(test)]
mod tests;
