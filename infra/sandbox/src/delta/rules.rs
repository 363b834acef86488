//! Validation rules for new and updated campaigns and groups.
//!
//! Marketing API: "Create and Manage Campaigns" (schema, "Campaign validations"), "Error Responses". LinkedIn
//! help: minimum budgets of 10 USD per day and 100 USD in total.

use super::currency::{self, AmountError};
use super::entity::{Fields, text, time};
use super::error::InputError;
use serde_json::Value;

/// The errors found so far.
pub(crate) type Errors = Vec<InputError>;

/// Checks the budgets of a campaign: at least one, in the account's currency, none below the minimum.
pub(crate) fn check_budgets(fields: &Fields, account_currency: &str, errors: &mut Errors) {
    let daily = check_amount(fields, "dailyBudget", account_currency, 1, errors);
    let total = check_amount(fields, "totalBudget", account_currency, 10, errors);
    check_amount(fields, "unitCost", account_currency, 0, errors);
    let has = |name| fields.contains_key(name);
    if !has("dailyBudget") && !has("totalBudget") {
        errors.push(InputError::missing("/dailyBudget"));
    }
    if has("totalBudget") && !has("dailyBudget") && time(fields, "end").is_none() {
        errors.push(InputError::missing("/runSchedule/end"));
    }
    if let (Some(daily), Some(total)) = (daily, total)
        && total < daily
    {
        let why = "/totalBudget/amount cannot be lower than /dailyBudget/amount";
        errors.push(InputError::new("CONDITIONAL_VALUE_TOO_LOW", "/totalBudget/amount", why));
    }
}

/// Checks an amount and returns its minor units. The minimum is that of `days` days.
pub(crate) fn check_amount(
    fields: &Fields,
    field: &str,
    account_currency: &str,
    days: i64,
    errors: &mut Errors,
) -> Option<i64> {
    let given = fields.get(field)?.as_object()?;
    let path = format!("/{field}/amount");
    let code = text(given, "currencyCode");
    if code != account_currency {
        let why = format!("The currency {code} is not the account's, which is {account_currency}");
        errors.push(InputError::new("CURRENCY_MISMATCH", &format!("/{field}/currencyCode"), why));
        return None;
    }
    let amount = text(given, "amount");
    let minimum = currency::daily_minimum(code).saturating_mul(days);
    let error = match currency::minor_units(amount, code) {
        Ok(minor_units) if minor_units >= currency::whole_to_minor(minimum, code) => return Some(minor_units),
        Ok(_) => InputError::new("FIELD_VALUE_TOO_LOW", &path, format!("{path} cannot be lower than {minimum}")),
        Err(AmountError::TooLarge) => InputError::new("FIELD_VALUE_TOO_HIGH", &path, format!("{path} is too high")),
        Err(AmountError::TooManyDecimals) => {
            InputError::invalid(&path, format!("{amount} has more decimals than {code}"))
        }
        Err(AmountError::Format) => InputError::invalid(&path, format!("{amount} is not a decimal number")),
    };
    errors.push(error);
    None
}

/// Checks the schedule: a start is required, and changed times are not in the past. The start of a campaign that has
/// begun stays, unless it is a draft; a third party reports this, it is not verified.
pub(crate) fn check_schedule(fields: &Fields, old: Option<&Fields>, now: i64, errors: &mut Errors) {
    let (start, end) = (time(fields, "start"), time(fields, "end"));
    let Some(start) = start else {
        errors.push(InputError::missing("/runSchedule/start"));
        return;
    };
    let is_unchanged = |name, value| old.is_some_and(|old| time(old, name) == Some(value));
    if start < now && !is_unchanged("start", start) {
        errors.push(InputError::invalid("/runSchedule/start", "The start is in the past"));
    } else if old.is_some_and(|old| has_begun(old, now)) && !is_unchanged("start", start) {
        errors.push(InputError::invalid("/runSchedule/start", "The start cannot be changed once it has passed"));
    }
    let Some(end) = end else { return };
    if end <= start {
        let why = "/runSchedule/end must be after /runSchedule/start";
        errors.push(InputError::new("CONDITIONAL_VALUE_TOO_LOW", "/runSchedule/end", why));
    } else if end <= now && !is_unchanged("end", end) {
        errors.push(InputError::invalid("/runSchedule/end", "The end is in the past"));
    }
}

fn has_begun(fields: &Fields, now: i64) -> bool {
    text(fields, "status") != "DRAFT" && time(fields, "start").is_some_and(|start| start <= now)
}

/// Checks the name: 1 to 255 characters.
pub(crate) fn check_name(fields: &Fields, errors: &mut Errors) {
    let Some(name) = fields.get("name").and_then(Value::as_str) else { return };
    if !(1..=255).contains(&name.trim().chars().count()) || name.chars().count() > 255 {
        errors.push(InputError::invalid("/name", "The name must have 1 to 255 characters"));
    }
}

/// The locales of members' interfaces, and so of campaigns: one for each language (third parties, 2025).
const LOCALES: &[&str] = &[
    "ar_AE", "cs_CZ", "da_DK", "de_DE", "en_US", "es_ES", "fr_FR", "hi_IN", "in_ID", "it_IT", "ja_JP", "ko_KR",
    "ms_MY", "nl_NL", "no_NO", "pl_PL", "pt_BR", "ro_RO", "ru_RU", "sv_SE", "tr_TR",
];

/// Checks the locale, and that the targeting includes a location.
pub(crate) fn check_audience(fields: &Fields, errors: &mut Errors) {
    if let Some(locale) = fields.get("locale").and_then(Value::as_object) {
        let name = format!("{}_{}", text(locale, "language"), text(locale, "country"));
        if !LOCALES.contains(&name.as_str()) {
            errors.push(InputError::invalid("/locale", "The locale is not supported"));
        }
    }
    let Some(criteria) = fields.get("targetingCriteria") else { return };
    let all = criteria.pointer("/include/and").and_then(Value::as_array);
    let places = |one: &Value| {
        let facet = |name: &str| one.get("or").and_then(|or| or.get(name)).and_then(Value::as_array);
        let named = ["urn:li:adTargetingFacet:locations", "urn:li:adTargetingFacet:profileLocations"];
        named.iter().any(|name| facet(name).is_some_and(|urns| !urns.is_empty()))
    };
    if !all.is_some_and(|all| all.iter().any(places)) {
        errors.push(InputError::missing("/targetingCriteria/include/and/locations"));
    }
}

/// Requires a field for each of `names`.
pub(crate) fn check_required(fields: &Fields, names: &[&str], errors: &mut Errors) {
    let missing = names.iter().filter(|name| !fields.contains_key(**name));
    errors.extend(missing.map(|name| InputError::missing(&format!("/{name}"))));
}
