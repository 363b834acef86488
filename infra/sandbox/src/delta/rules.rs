//! What has to hold of campaigns and groups, whether they are made or changed.
//!
//! Marketing API: "Create and Manage Campaigns" (schema, "Campaign validations"), "Error
//! Responses". LinkedIn help: minimum budgets of 10 USD a day and 100 USD in all.

use serde_json::Value;

use super::currency::{self, Wrong};
use super::entity::{Fields, text, time};
use super::error::InputError;

/// What is wrong so far.
pub(crate) type Errors = Vec<InputError>;

/// Budgets of a campaign: at least one, in the account's currency, none below the minimum.
pub(crate) fn budgets(fields: &Fields, account_currency: &str, errors: &mut Errors) {
    let daily = money(fields, "dailyBudget", account_currency, 1, errors);
    let total = money(fields, "totalBudget", account_currency, 10, errors);
    money(fields, "unitCost", account_currency, 0, errors);
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

/// The coins of an amount that is right; `days` is how many daily minimums it has to reach.
pub(crate) fn money(
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
    let least = currency::daily_minimum(code).saturating_mul(days);
    let wrong = match currency::coins(amount, code) {
        Ok(coins) if coins >= currency::units(least, code) => return Some(coins),
        Ok(_) => InputError::new("FIELD_VALUE_TOO_LOW", &path, format!("{path} cannot be lower than {least}")),
        Err(Wrong::High) => InputError::new("FIELD_VALUE_TOO_HIGH", &path, format!("{path} is too high")),
        Err(Wrong::Decimals) => InputError::value(&path, format!("{amount} has more decimals than {code}")),
        Err(Wrong::Form) => InputError::value(&path, format!("{amount} is not a decimal number")),
    };
    errors.push(wrong);
    None
}

/// The schedule: a start, and what is new in it is not over.
pub(crate) fn schedule(fields: &Fields, before: Option<&Fields>, now: i64, errors: &mut Errors) {
    let (start, end) = (time(fields, "start"), time(fields, "end"));
    let Some(start) = start else {
        errors.push(InputError::missing("/runSchedule/start"));
        return;
    };
    let kept = |name, value| before.is_some_and(|before| time(before, name) == Some(value));
    if start < now && !kept("start", start) {
        errors.push(InputError::value("/runSchedule/start", "The start is in the past"));
    }
    let Some(end) = end else { return };
    if end <= start {
        let why = "/runSchedule/end has to be after /runSchedule/start";
        errors.push(InputError::new("CONDITIONAL_VALUE_TOO_LOW", "/runSchedule/end", why));
    } else if end <= now && !kept("end", end) {
        errors.push(InputError::value("/runSchedule/end", "The end is in the past"));
    }
}

/// 1 to 255 characters.
pub(crate) fn name(fields: &Fields, errors: &mut Errors) {
    let Some(name) = fields.get("name").and_then(Value::as_str) else { return };
    if !(1..=255).contains(&name.trim().chars().count()) || name.chars().count() > 255 {
        errors.push(InputError::value("/name", "The name has to have 1 to 255 characters"));
    }
}

/// Where the ads are shown and in which language.
pub(crate) fn audience(fields: &Fields, errors: &mut Errors) {
    if let Some(locale) = fields.get("locale").and_then(Value::as_object) {
        let two =
            |name, fits: fn(&u8) -> bool| text(locale, name).len() == 2 && text(locale, name).bytes().all(|b| fits(&b));
        if !two("country", u8::is_ascii_uppercase) || !two("language", u8::is_ascii_lowercase) {
            errors.push(InputError::value("/locale", "The locale is not supported"));
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

/// A field for each of `names`.
pub(crate) fn required(fields: &Fields, names: &[&str], errors: &mut Errors) {
    let missing = names.iter().filter(|name| !fields.contains_key(**name));
    errors.extend(missing.map(|name| InputError::missing(&format!("/{name}"))));
}
