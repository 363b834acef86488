//! Checks of fields, for new campaigns and for changes.

use super::NO_END;
use crate::domain::{BudgetPeriod, Currency, Micros};
use crate::error::FieldError;
use crate::platforms::alpha::{CAPABILITIES, NAME};
use crate::platforms::capabilities::fault;
use jiff::civil::{DateTime, Time, time};
use rust_decimal::Decimal;

/// Longest name of a budget that is not shared, which takes its campaign's name (Google Ads API: CampaignBudget).
const MAX_NAME_BYTES: usize = 255;

/// The times of day of a campaign that runs for whole days (Google Ads API: Campaign, `start_date_time` and
/// `end_date_time`).
const START_OF_DAY: Time = time(0, 0, 0, 0);
const END_OF_DAY: Time = time(23, 59, 59, 0);

/// The fault of a name (Google Ads API: Campaign, `name`).
pub(super) fn name_fault(name: &str) -> Option<FieldError> {
    if name.trim().is_empty() {
        return Some(fault("name", "must not be blank"));
    }
    if name.contains(['\0', '\n', '\r']) {
        return Some(fault("name", format!("must not contain line breaks or NUL on {NAME}")));
    }
    let too_long = format!("must be at most {MAX_NAME_BYTES} bytes of UTF-8 on {NAME}; it is {}", name.len());
    (name.len() > MAX_NAME_BYTES).then(|| fault("name", too_long))
}

/// A budget in micros, or its fault. The platform itself checks that it is a multiple of the billable unit.
pub(super) fn micros(amount: Decimal, period: Option<BudgetPeriod>, currency: Currency) -> Result<Micros, FieldError> {
    if let Some(fault) = CAPABILITIES.amount_fault(amount, period, currency) {
        return Err(fault);
    }
    Micros::from_amount(amount).map_err(|reason| fault("budget_amount", reason.to_string()))
}

/// The fault of a period for a goal (Google Ads API: Campaign budgets): the Display Network has no budget for the whole
/// run.
pub(super) fn period_fault(period: BudgetPeriod, is_display: bool) -> Option<FieldError> {
    let message = || format!("must be DAILY for this goal on {NAME}: it has no {} budget there", period.as_str());
    match period {
        BudgetPeriod::Total | BudgetPeriod::Lifetime => is_display.then(|| fault("budget_period", message())),
        BudgetPeriod::Daily | BudgetPeriod::Monthly => None,
    }
}

/// Rejects a local start with a time of day: only some types of campaign have one (Google Ads API: Campaign,
/// `start_date_time`; DateError). Not verified: that search and display campaigns have none.
pub(super) fn start_fault(start: DateTime, zone: &str) -> Option<FieldError> {
    let message = || format!("must be the start of a day (00:00:00 in {zone}) on {NAME}; send a plain date");
    (start.time() != START_OF_DAY).then(|| fault("start_at", message()))
}

/// Rejects a local end that is not after the start, that is beyond the platform's calendar, or that has a time of day.
pub(super) fn end_fault(start: Option<DateTime>, end: DateTime, zone: &str) -> Option<FieldError> {
    let wrong = |message: String| Some(fault("end_at", message));
    if start.is_some_and(|start| end <= start) {
        return wrong("must be after start_at".to_owned());
    }
    if end.date() >= NO_END {
        return wrong(format!("must be before {NO_END} on {NAME}; leave it out for no end"));
    }
    if end.time() != END_OF_DAY {
        return wrong(format!("must be the end of a day (23:59:59 in {zone}) on {NAME}; send a plain date"));
    }
    None
}
