//! What may change on a campaign, and how.

use jiff::civil::DateTime;
use serde_json::Value;

use super::rules::{check_budget, check_name, check_name_as_budget};
use super::{Campaign, Status, networks};
use crate::alpha::accounts::Account;
use crate::alpha::budget::Budget;
use crate::alpha::dates;
use crate::alpha::error::AdsError;
use crate::alpha::given::{constant, text};

/// Changes the fields that the mask names; what is sent besides is ignored, as the platform does.
/// `budget` is the one that the campaign has afterwards.
pub(crate) fn update(
    account: &Account,
    old: &Campaign,
    given: &Value,
    mask: &[&str],
    budget: &Budget,
    now: DateTime,
) -> Result<Campaign, Vec<AdsError>> {
    let mut new = old.clone();
    let mut errors = Vec::new();
    for path in mask {
        errors.extend(change(account, &mut new, given, path, now).err());
    }
    // Networks may be swapped: only all changes together are looked at.
    if new.networks != old.networks {
        errors.extend(networks::check(&new).err());
    }
    if mask.contains(&"campaign_budget") {
        errors.extend(change_budget(account, &mut new, budget).err());
    }
    if errors.is_empty() {
        errors.extend(check_name_as_budget(&new.name, budget).err());
        let dates_moved = new.start != old.start || new.end != old.end;
        if dates_moved || new.budget != old.budget {
            errors.extend(check_budget(account, &new, budget).err());
        }
    }
    if errors.is_empty() { Ok(new) } else { Err(errors) }
}

fn change(
    account: &Account,
    campaign: &mut Campaign,
    given: &Value,
    path: &str,
    now: DateTime,
) -> Result<(), AdsError> {
    match path {
        "name" => campaign.name = check_name(account, campaign.id, text(given, "name"))?,
        "status" => campaign.status = status(given)?,
        "contains_eu_political_advertising" => {
            let declared = constant(given, path)?.ok_or_else(|| AdsError::required(path))?;
            campaign.eu_political = declared.to_owned();
        }
        "start_date_time" => change_start(campaign, given, now)?,
        "end_date_time" => change_end(campaign, given, now)?,
        nested => {
            if let Some(("network_settings", network)) = nested.split_once('.') {
                change_network(campaign, given, network);
            }
        }
    }
    Ok(())
}

/// On and off; removing is an operation of its own.
fn status(given: &Value) -> Result<Status, AdsError> {
    match constant(given, "status")? {
        Some("ENABLED") => Ok(Status::Enabled),
        Some("PAUSED") => Ok(Status::Paused),
        None => Err(AdsError::required("status")),
        Some(other) => {
            let code = ("campaignError", "INVALID_STATUS_CHANGE");
            let why = "The status cannot be set; campaigns are removed by a remove operation.";
            Err(AdsError::new(code, why).at("status").on(other))
        }
    }
}

fn change_start(campaign: &mut Campaign, given: &Value, now: DateTime) -> Result<(), AdsError> {
    let field = "start_date_time";
    let text = text(given, field).ok_or_else(|| AdsError::required(field))?;
    let start = dates::parse(text, field)?;
    if text == campaign.start {
        return Ok(());
    }
    if campaign.starts().is_some_and(|old| old <= now) {
        let code = ("dateRangeError", "CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED");
        return Err(AdsError::new(code, "The campaign has started.").at(field).on(text));
    }
    dates::check_start(start, &campaign.channel, now)?;
    if campaign.ends().is_some_and(|end| end <= start) {
        let code = ("dateRangeError", "START_DATE_AFTER_END_DATE");
        return Err(AdsError::new(code, "The start is not before the end.").at(field).on(text));
    }
    text.clone_into(&mut campaign.start);
    Ok(())
}

/// An end that is in the mask but not sent is taken away: the campaign runs on.
fn change_end(campaign: &mut Campaign, given: &Value, now: DateTime) -> Result<(), AdsError> {
    let Some(text) = text(given, "end_date_time") else {
        campaign.end = None;
        return Ok(());
    };
    let end = dates::parse(text, "end_date_time")?;
    dates::check_end(end, campaign.starts().unwrap_or(now), &campaign.channel, now)?;
    campaign.end = Some(text.to_owned());
    Ok(())
}

fn change_network(campaign: &mut Campaign, given: &Value, network: &str) {
    let on = given.pointer(&format!("/network_settings/{network}")).and_then(Value::as_bool);
    match on {
        Some(on) => campaign.networks.insert(network.to_owned(), on),
        None => campaign.networks.remove(network),
    };
}

fn change_budget(account: &Account, campaign: &mut Campaign, budget: &Budget) -> Result<(), AdsError> {
    let old = account.budgets.get(&campaign.budget);
    if old.is_some_and(|old| old.amount.period() != budget.amount.period()) {
        let code = ("campaignError", "CANNOT_CHANGE_BUDGET_PERIOD");
        let why = "A budget with a different period cannot be assigned to the campaign.";
        return Err(AdsError::new(code, why).at("campaign_budget"));
    }
    campaign.budget = budget.id;
    Ok(())
}
