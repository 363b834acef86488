//! Creates budgets.

use super::rules::{budget_error, check_amount, check_delivery, check_name};
use super::{Amount, Budget};
use crate::alpha::account::Account;
use crate::alpha::error::AdsError;
use crate::alpha::input::{boolean, constant, int, reject_output_fields, text};
use crate::alpha::resource_schema::BUDGET;
use serde_json::Value;

/// Builds a budget from the input. The caller assigns the id.
pub(crate) fn create(account: &Account, input: &Value) -> Result<Budget, Vec<AdsError>> {
    let mut errors = Vec::new();
    reject_output_fields(input, &BUDGET, &mut errors);
    let shared = boolean(input, "explicitly_shared").unwrap_or(true);
    let name = check_name(account, 0, text(input, "name"), shared);
    let delivery = check_delivery(input);
    let amount = amount(input, shared, &account.currency);
    errors.extend([delivery.err(), check_type(input).err()].into_iter().flatten());
    match (name, amount) {
        (Ok(name), Ok(amount)) if errors.is_empty() => Ok(Budget { id: 0, name, amount, shared, removed: false }),
        (name, amount) => {
            errors.extend(name.err());
            errors.extend(amount.err());
            Err(errors)
        }
    }
}

fn check_type(input: &Value) -> Result<(), AdsError> {
    match constant(input, "type")? {
        None | Some("STANDARD") => Ok(()),
        Some(other) => {
            let why = "The budget type is not available.";
            Err(budget_error("CAMPAIGN_BUDGET_PERIOD_NOT_AVAILABLE", why, "type").with_trigger(other))
        }
    }
}

fn amount(input: &Value, shared: bool, currency: &str) -> Result<Amount, AdsError> {
    let daily = int(input, "amount_micros");
    let total = int(input, "total_amount_micros");
    match (constant(input, "period")?, daily, total) {
        (None | Some("DAILY"), _, Some(_)) => Err(budget_error(
            "TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY",
            "A daily budget has no total amount.",
            "total_amount_micros",
        )),
        (None | Some("DAILY"), None, None) => Err(AdsError::required("amount_micros")),
        (None | Some("DAILY"), Some(micros), None) => {
            check_amount(micros, "amount_micros", currency).map(|()| Amount::Daily(micros))
        }
        (_, Some(_), _) => Err(budget_error(
            "BUDGET_AMOUNT_MUST_BE_UNSET_FOR_CUSTOM_BUDGET_PERIOD",
            "A total budget has no daily amount.",
            "amount_micros",
        )),
        (_, None, None) => Err(AdsError::required("total_amount_micros")),
        (_, None, Some(_)) if shared => {
            let why = "A total budget cannot be shared.";
            Err(budget_error("CAMPAIGN_BUDGET_CANNOT_BE_SHARED", why, "explicitly_shared"))
        }
        (_, None, Some(micros)) => {
            check_amount(micros, "total_amount_micros", currency).map(|()| Amount::Total(micros))
        }
    }
}
