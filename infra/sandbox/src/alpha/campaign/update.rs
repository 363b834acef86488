//! Updates campaigns.

use super::rules::{check_budget, check_name, check_name_as_budget};
use super::{Campaign, Status, networks};
use crate::alpha::account::Account;
use crate::alpha::budget::Budget;
use crate::alpha::dates;
use crate::alpha::error::AdsError;
use crate::alpha::input::{constant, text};
use jiff::civil::DateTime;
use serde_json::Value;

/// Returns the campaign with the fields of the mask changed. Fields outside the mask are ignored, as Google does.
/// `budget` is the campaign's budget after the update.
pub(crate) fn update(
    account: &Account,
    old: &Campaign,
    input: &Value,
    mask: &[&str],
    budget: &Budget,
    now: DateTime,
) -> Result<Campaign, Vec<AdsError>> {
    let mut new = old.clone();
    let mut errors = Vec::new();
    for path in mask {
        errors.extend(change(account, &mut new, input, path, now).err());
    }
    // An update may move both dates, so only their final order is checked.
    if errors.is_empty() && (new.start != old.start || new.end != old.end) {
        errors.extend(dates::check_order(new.starts(), new.ends(), mask).err());
    }
    // An update may swap networks, so only the final set is checked.
    if new.networks != old.networks {
        errors.extend(networks::check(&new).err());
    }
    if mask.contains(&"campaign_budget") {
        errors.extend(change_budget(account, &mut new, budget).err());
    }
    if errors.is_empty() {
        errors.extend(check_name_as_budget(&new.name, budget).err());
        let dates_changed = new.start != old.start || new.end != old.end;
        if dates_changed || new.budget != old.budget {
            errors.extend(check_budget(account, &new, budget).err());
        }
    }
    if errors.is_empty() { Ok(new) } else { Err(errors) }
}

fn change(
    account: &Account,
    campaign: &mut Campaign,
    input: &Value,
    path: &str,
    now: DateTime,
) -> Result<(), AdsError> {
    match path {
        "name" => campaign.name = check_name(account, campaign.id, text(input, "name"))?,
        "status" => campaign.status = status(input)?,
        "contains_eu_political_advertising" => {
            let declared = constant(input, path)?.ok_or_else(|| AdsError::required(path))?;
            campaign.eu_political = declared.to_owned();
        }
        "start_date_time" => change_start(campaign, input, now)?,
        "end_date_time" => change_end(campaign, input, now)?,
        nested => {
            if let Some(("network_settings", network)) = nested.split_once('.') {
                change_network(campaign, input, network);
            }
        }
    }
    Ok(())
}

/// Enabled or paused. Removal is a separate operation.
fn status(input: &Value) -> Result<Status, AdsError> {
    match constant(input, "status")? {
        Some("ENABLED") => Ok(Status::Enabled),
        Some("PAUSED") => Ok(Status::Paused),
        None => Err(AdsError::required("status")),
        Some(other) => {
            let code = ("campaignError", "INVALID_STATUS_CHANGE");
            let why = "The status cannot be set; campaigns are removed by a remove operation.";
            Err(AdsError::new(code, why).at("status").with_trigger(other))
        }
    }
}

fn change_start(campaign: &mut Campaign, input: &Value, now: DateTime) -> Result<(), AdsError> {
    let field = "start_date_time";
    let text = text(input, field).ok_or_else(|| AdsError::required(field))?;
    let start = dates::parse(text, field)?;
    if text == campaign.start {
        return Ok(());
    }
    if campaign.starts().is_some_and(|old| old <= now) {
        let code = ("dateRangeError", "CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED");
        return Err(AdsError::new(code, "The campaign has started.").at(field).with_trigger(text));
    }
    dates::check_start(start, &campaign.channel, now)?;
    text.clone_into(&mut campaign.start);
    Ok(())
}

/// An end in the mask without a value is removed.
fn change_end(campaign: &mut Campaign, input: &Value, now: DateTime) -> Result<(), AdsError> {
    let Some(text) = text(input, "end_date_time") else {
        campaign.end = None;
        return Ok(());
    };
    let end = dates::parse(text, "end_date_time")?;
    dates::check_end(end, &campaign.channel, now)?;
    campaign.end = Some(text.to_owned());
    Ok(())
}

fn change_network(campaign: &mut Campaign, input: &Value, network: &str) {
    let on = input.pointer(&format!("/network_settings/{network}")).and_then(Value::as_bool);
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
