//! What the platform cannot hold, field by field, in our words. For new campaigns and for changes alike.

use super::NO_END;
use super::draft::CampaignKind;
use crate::domain::{BudgetPeriod, CampaignDraft, Currency, Micros};
use crate::error::FieldError;
use crate::platforms::alpha::{CAPABILITIES, NAME};
use jiff::civil::DateTime;
use rust_decimal::Decimal;

/// Longest name of a budget that is not shared, which takes its campaign's name (Google Ads API: CampaignBudget).
const MAX_NAME_BYTES: usize = 255;

/// A fault of one field.
pub(super) fn field(name: &str, message: impl Into<String>) -> FieldError {
    FieldError { field: name.to_owned(), message: message.into() }
}

/// What is wrong with a name (Google Ads API: Campaign, `name`).
pub(super) fn name_fault(name: &str) -> Option<FieldError> {
    if name.trim().is_empty() {
        return Some(field("name", "must not be blank"));
    }
    if name.contains(['\0', '\n', '\r']) {
        return Some(field("name", format!("must not contain line breaks or NUL on {NAME}")));
    }
    let too_long = format!("must be at most {MAX_NAME_BYTES} bytes of UTF-8 on {NAME}; it is {}", name.len());
    (name.len() > MAX_NAME_BYTES).then(|| field("name", too_long))
}

/// A budget in micros, or what is wrong with it. Whether it is a multiple of what the platform bills in is for the
/// platform to say.
pub(super) fn micros(amount: Decimal, period: Option<BudgetPeriod>, currency: Currency) -> Result<Micros, FieldError> {
    let refused = |message: String| field("budget_amount", message);
    if amount <= Decimal::ZERO {
        return Err(refused("must be greater than zero".to_owned()));
    }
    currency.check(amount).map_err(|reason| refused(reason.to_string()))?;
    let minimum = period.and_then(|period| CAPABILITIES.minimum_budget(period, currency));
    if let Some(minimum) = minimum.filter(|minimum| amount < *minimum) {
        return Err(refused(format!("must be at least {minimum} {} a day on {NAME}", currency.code())));
    }
    Micros::from_amount(amount).map_err(|reason| refused(reason.to_string()))
}

/// What is wrong with a period (Google Ads API: Campaign budgets): one for the whole run needs an end, and the
/// display network does not take it.
pub(super) fn period_faults(draft: &CampaignDraft, kind: Option<CampaignKind>) -> Vec<FieldError> {
    let period = draft.budget_period;
    let has = CAPABILITIES.budget_periods;
    if !has.contains(&period) {
        let words: Vec<&str> = has.iter().map(|period| period.word()).collect();
        return vec![field("budget_period", format!("must be one of {} on {NAME}", words.join(", ")))];
    }
    let mut faults = Vec::new();
    if period.is_whole_run() && kind == Some(CampaignKind::DisplayForImpressions) {
        let message = format!("must be DAILY for this goal on {NAME}: it has no {} budget there", period.word());
        faults.push(field("budget_period", message));
    }
    if period.is_whole_run() && draft.end_at.is_none() {
        faults.push(field("end_at", format!("is required with a {} budget on {NAME}", period.word())));
    }
    faults
}

/// What is wrong with an end, both being local times.
pub(super) fn end_fault(start: Option<DateTime>, end: Option<DateTime>) -> Option<FieldError> {
    let end = end?;
    if start.is_some_and(|start| end <= start) {
        return Some(field("end_at", "must be after start_at"));
    }
    let too_late = || field("end_at", format!("must be before {NO_END} on {NAME}; leave it out for no end"));
    (end.date() >= NO_END).then(too_late)
}
