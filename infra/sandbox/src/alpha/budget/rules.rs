//! Rules that hold for every create and update of a budget.
//!
//! Google Ads API reference v26: `CampaignBudget`, `CampaignBudgetError`.

use super::Budget;
use crate::alpha::account::Account;
use crate::alpha::currency::{billable_unit, per_day_minimum};
use crate::alpha::error::AdsError;
use crate::alpha::input::constant;
use serde_json::{Value, json};

/// Amounts from here on are too large in every currency.
const AMOUNT_LIMIT: i64 = 1_000_000_000_000_000_000;

pub(super) fn budget_error(value: &'static str, why: &str, field: &str) -> AdsError {
    AdsError::new(("campaignBudgetError", value), why).at(field)
}

/// The trimmed name, of 1 to 255 bytes. A shared budget requires a unique one.
pub(super) fn check_name(
    account: &Account,
    own_id: i64,
    name: Option<&str>,
    shared: bool,
) -> Result<Option<String>, AdsError> {
    let Some(name) = name.map(str::trim) else {
        return if shared { Err(AdsError::required("name")) } else { Ok(None) };
    };
    if name.is_empty() {
        return Err(AdsError::new(("stringLengthError", "EMPTY"), "The name is empty.").at("name"));
    }
    if name.len() > 255 {
        let why = "The name has more than 255 bytes.";
        return Err(AdsError::new(("stringLengthError", "TOO_LONG"), why).at("name").with_trigger(name));
    }
    let is_taken =
        |other: &Budget| other.shared && !other.removed && other.id != own_id && other.name.as_deref() == Some(name);
    if shared && account.budgets.values().any(is_taken) {
        let why = "A campaign budget with this name already exists.";
        return Err(budget_error("DUPLICATE_NAME", why, "name").with_trigger(name));
    }
    Ok(Some(name.to_owned()))
}

pub(super) fn check_delivery(input: &Value) -> Result<(), AdsError> {
    if constant(input, "delivery_method")? == Some("ACCELERATED") {
        let why = "Accelerated delivery cannot be used on this budget.";
        let error = budget_error("CANNOT_USE_ACCELERATED_DELIVERY_MODE", why, "delivery_method");
        return Err(error.with_trigger("ACCELERATED"));
    }
    Ok(())
}

/// An amount has to be positive, billable, not too large, and enough for one day.
pub(super) fn check_amount(micros: i64, field: &str, currency: &str) -> Result<(), AdsError> {
    let error = |value, why: &str| Err(budget_error(value, why, field).with_trigger(micros.to_string()));
    match micros {
        ..0 => error("NEGATIVE_MONEY_AMOUNT", "A money amount was negative."),
        0 => error("MONEY_AMOUNT_LESS_THAN_CURRENCY_MINIMUM_CPC", "A money amount was zero."),
        AMOUNT_LIMIT.. => error("MONEY_AMOUNT_TOO_LARGE", "A money amount was too large."),
        _ if micros % billable_unit(currency) != 0 => {
            error("NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", "A money amount was not a multiple of a minimum unit.")
        }
        _ => check_days(micros, field, currency, 1),
    }
}

/// An amount has to reach the account's daily minimum times the number of days.
pub(crate) fn check_days(micros: i64, field: &str, currency: &str, days: i64) -> Result<(), AdsError> {
    let per_day = per_day_minimum(currency);
    let min = per_day.saturating_mul(days);
    if micros >= min {
        return Ok(());
    }
    let [minimum, failed] = match field {
        "amount_micros" => ["minimumBudgetAmountMicros", "failedBudgetAmountMicros"],
        _ => ["minimumBudgetTotalAmountMicros", "failedBudgetTotalAmountMicros"],
    };
    let details = json!({ "budgetPerDayMinimumErrorDetails": {
        "currencyCode": currency,
        "budgetPerDayMinimumMicros": per_day.to_string(),
        minimum: min.to_string(),
        failed: micros.to_string(),
    } });
    let why = "The budget is below the minimum per day; see the details.";
    let error = budget_error("BUDGET_BELOW_PER_DAY_MINIMUM", why, field);
    Err(error.with_trigger(micros.to_string()).with_details(details))
}
