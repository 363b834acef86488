//! Updates budgets.

use super::rules::{budget_error, check_amount, check_days, check_delivery, check_name};
use super::{Amount, Budget};
use crate::alpha::account::Account;
use crate::alpha::error::AdsError;
use crate::alpha::input::{boolean, int, text};
use serde_json::Value;

/// Returns the budget with the fields of the mask changed.
pub(crate) fn update(account: &Account, old: &Budget, input: &Value, mask: &[&str]) -> Result<Budget, Vec<AdsError>> {
    let mut new = old.clone();
    let mut errors = Vec::new();
    for path in mask {
        errors.extend(change(account, &mut new, input, mask, path).err());
    }
    if errors.is_empty() { Ok(new) } else { Err(errors) }
}

fn change(account: &Account, budget: &mut Budget, input: &Value, mask: &[&str], path: &str) -> Result<(), AdsError> {
    match path {
        "name" => rename(account, budget, input, mask.contains(&"explicitly_shared")),
        "amount_micros" | "total_amount_micros" => change_amount(account, budget, input, path),
        "delivery_method" => check_delivery(input),
        "explicitly_shared" => share(budget, input, mask.contains(&"name")),
        _ => Ok(()),
    }
}

fn rename(account: &Account, budget: &mut Budget, input: &Value, becomes_shared: bool) -> Result<(), AdsError> {
    if !budget.shared && !becomes_shared {
        let why = "A budget that is not shared is named after its campaign.";
        return Err(budget_error("CANNOT_MODIFY_FIELD_OF_IMPLICITLY_SHARED_CAMPAIGN_BUDGET", why, "name"));
    }
    budget.name = check_name(account, budget.id, text(input, "name"), true)?;
    Ok(())
}

fn share(budget: &mut Budget, input: &Value, is_named: bool) -> Result<(), AdsError> {
    let error = |value, why: &str| Err(budget_error(value, why, "explicitly_shared"));
    match (budget.shared, boolean(input, "explicitly_shared").unwrap_or(true)) {
        (true, false) => error("CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_IMPLICITLY_SHARED", "A shared budget stays shared."),
        (false, true) if !is_named => error(
            "CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_EXPLICITLY_SHARED_WITHOUT_NAME",
            "The budget needs a name to be shared.",
        ),
        (false, true) if matches!(budget.amount, Amount::Total(_)) => {
            error("CAMPAIGN_BUDGET_CANNOT_BE_SHARED", "A total budget cannot be shared.")
        }
        (_, shared) => {
            budget.shared = shared;
            Ok(())
        }
    }
}

fn change_amount(account: &Account, budget: &mut Budget, input: &Value, field: &str) -> Result<(), AdsError> {
    let error = |value, why: &str| Err(budget_error(value, why, field));
    let micros = match (field, budget.amount) {
        ("amount_micros", Amount::Total(_)) => {
            let value = "BUDGET_AMOUNT_MUST_BE_UNSET_FOR_CUSTOM_BUDGET_PERIOD";
            return error(value, "A total budget has no daily amount.");
        }
        ("total_amount_micros", Amount::Daily(_)) => {
            let value = "TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY";
            return error(value, "A daily budget has no total amount.");
        }
        _ => int(input, field).ok_or_else(|| AdsError::required(field))?,
    };
    check_amount(micros, field, &account.currency)?;
    budget.amount = match budget.amount {
        Amount::Daily(_) => Amount::Daily(micros),
        Amount::Total(_) => Amount::Total(micros),
    };
    let campaigns = account.campaigns.values().filter(|one| one.budget == budget.id);
    for days in campaigns.filter(|one| !one.is_removed()).filter_map(|one| one.days()) {
        if matches!(budget.amount, Amount::Total(_)) {
            check_days(micros, field, &account.currency, days)?;
        }
    }
    Ok(())
}
