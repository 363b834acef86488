//! Campaigns: making, changing and deleting them.
//!
//! Marketing API: "Create and Manage Campaigns". Not verified: whether lifetime pacing needs a total
//! budget. It is taken with any budget here, as recorded answers show it beside a daily one.

use serde_json::{Value, json};

use super::accounts::Account;
use super::entity::{Entity, Fields, text};
use super::error::{self, InputError, inputs};
use super::rules::{self, Errors};
use super::schema::{self, CAMPAIGN, GROUP_URN, number};
use super::{bidding, currency};
use crate::http::Reply;

const REQUIRED: &[&str] = &[
    "account",
    "campaignGroup",
    "costType",
    "locale",
    "name",
    "offsiteDeliveryEnabled",
    "politicalIntent",
    "runSchedule",
    "targetingCriteria",
    "type",
];

/// Set at creation or never; the objective has a code of its own.
const IMMUTABLE: &[&str] = &["account", "campaignGroup", "pacingStrategy", "type"];

/// Makes a campaign of what was sent. One that names no status spends at once.
pub(crate) fn create(account: &Account, id: i64, mut fields: Fields, now: i64) -> Result<Entity, Reply> {
    schema::check(&fields, CAMPAIGN, "")?;
    let defaults = [
        ("status", json!("ACTIVE")),
        ("audienceExpansionEnabled", json!(false)),
        ("creativeSelection", json!("OPTIMIZED")),
        ("optimizationTargetType", json!("NONE")),
    ];
    for (name, value) in defaults {
        fields.entry(name).or_insert(value);
    }
    let mut errors = faults(account, &fields, None, now);
    if !matches!(text(&fields, "status"), "ACTIVE" | "PAUSED" | "DRAFT") {
        errors.push(status_error("A campaign cannot be created with this status"));
    }
    if errors.is_empty() { Ok(Entity::new(id, fields, now)) } else { Err(inputs(&errors)) }
}

/// Everything that is wrong with the fields of a campaign, new or changed.
fn faults(account: &Account, fields: &Fields, before: Option<&Fields>, now: i64) -> Errors {
    let mut errors = Vec::new();
    rules::required(fields, REQUIRED, &mut errors);
    if fields.contains_key("runSchedule") {
        rules::schedule(fields, before, now, &mut errors);
    }
    rules::budgets(fields, &account.currency, &mut errors);
    bidding::check(fields, before, &mut errors);
    errors.extend(bidding::entity(account, fields));
    rules::name(fields, &mut errors);
    rules::audience(fields, &mut errors);
    if fields.contains_key("account") && text(fields, "account") != account.urn() {
        errors.push(InputError::value("/account", "The account is not the one of the address"));
    }
    errors.extend(group_error(account, fields, now));
    errors
}

fn group_error(account: &Account, fields: &Fields, now: i64) -> Option<InputError> {
    let urn = fields.get("campaignGroup")?.as_str()?;
    let Some(group) = number(urn, GROUP_URN).and_then(|id| account.groups.get(&id)) else {
        let why = format!("{urn} is no campaign group of the account");
        return Some(InputError::value("/campaignGroup", why));
    };
    let open = matches!(group.status(now), "ACTIVE" | "PAUSED" | "DRAFT");
    (!open).then(|| InputError::value("/campaignGroup", "The campaign group takes no campaigns any more"))
}

fn status_error(why: &str) -> InputError {
    InputError::new("STATUS_CHANGE_NOT_ALLOWED", "/status", why)
}

/// The fields of a campaign after a partial update.
pub(crate) fn update(account: &Account, old: &Entity, patch: &Fields, now: i64) -> Result<Fields, Reply> {
    let new = patched(&old.fields, patch, "")?;
    schema::check(&new, CAMPAIGN, "")?;
    let mut errors = faults(account, &new, Some(&old.fields), now);
    let changed = |name: &&&str| old.fields.get(**name) != new.get(**name);
    let fixed = IMMUTABLE.iter().filter(changed);
    errors.extend(fixed.map(|name| InputError::value(&format!("/{name}"), format!("/{name} cannot be changed"))));
    if old.fields.contains_key("objectiveType") && changed(&&"objectiveType") {
        let why = "The objective of a campaign cannot be changed";
        errors.push(InputError::new("IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE", "/objectiveType", why));
    }
    if !may_become(old.status(now), text(&new, "status"), old.text("status")) {
        errors.push(status_error("The status cannot be changed to this one"));
    }
    if errors.is_empty() { Ok(new) } else { Err(inputs(&errors)) }
}

/// Whether a campaign that is shown as `from`, and was last set to `was`, may be set to `to`.
fn may_become(from: &str, to: &str, was: &str) -> bool {
    match from {
        "CANCELED" | "PENDING_DELETION" | "REMOVED" => false,
        _ if to == was => true,
        "DRAFT" => matches!(to, "ACTIVE" | "PAUSED" | "ARCHIVED" | "CANCELED"),
        _ => matches!(to, "ACTIVE" | "PAUSED" | "ARCHIVED" | "CANCELED" | "PENDING_DELETION"),
    }
}

/// Puts a Rest.li patch on a record: `$set`, `$delete`, and patches of inner records.
fn patched(fields: &Fields, patch: &Fields, path: &str) -> Result<Fields, Reply> {
    let mut new = fields.clone();
    for (name, value) in patch {
        match (name.as_str(), value) {
            ("$set", Value::Object(set)) => new.extend(set.clone()),
            ("$delete", Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    new.remove(name);
                }
            }
            (inner, Value::Object(patch)) if !inner.starts_with('$') => {
                let under = format!("{path}/{inner}");
                let old = fields.get(inner).and_then(Value::as_object).cloned().unwrap_or_default();
                new.insert(inner.to_owned(), Value::Object(patched(&old, patch, &under)?));
            }
            _ => return Err(error::schema(&format!("/patch{path}/{name}"), "this is no patch")),
        }
    }
    Ok(new)
}

/// Whether a campaign may be deleted at once: drafts only, the others are set to `PENDING_DELETION`.
pub(crate) fn may_be_deleted(campaign: &Entity) -> Result<(), Reply> {
    if campaign.text("status") == "DRAFT" {
        return Ok(());
    }
    Err(inputs(&[status_error("Only a DRAFT campaign can be deleted; set the status to PENDING_DELETION")]))
}

/// What keeps the campaign from being shown.
pub(crate) fn serving(account: &Account, campaign: &Entity, now: i64) -> Vec<&'static str> {
    let group = number(campaign.text("campaignGroup"), GROUP_URN).and_then(|id| account.groups.get(&id));
    let later = |start: Option<i64>| start.is_some_and(|start| start > now);
    let holds = [
        (later(campaign.start()), "CAMPAIGN_START_DATE_HOLD"),
        (campaign.end().is_some_and(|end| end <= now), "CAMPAIGN_END_DATE_HOLD"),
        (campaign.status(now) != "ACTIVE", "STOPPED"),
        (group.is_some_and(|group| group.status(now) != "ACTIVE"), "CAMPAIGN_GROUP_STATUS_HOLD"),
        (group.is_some_and(|group| later(group.start())), "CAMPAIGN_GROUP_START_DATE_HOLD"),
        (!account.is_active(), "ACCOUNT_SERVING_HOLD"),
    ];
    let holds: Vec<_> = holds.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect();
    if holds.is_empty() { vec!["RUNNABLE"] } else { holds }
}

/// As people see it at the control address.
pub(crate) fn card(account: &Account, campaign: &Entity, now: i64) -> Value {
    let budget = |field: &'static str| Some((field, campaign.fields.get(field)?.get("amount")?));
    let budget = budget("dailyBudget").or_else(|| budget("totalBudget"));
    let undelivered = bidding::undelivered(campaign, &account.currency);
    json!({
        "platform": super::WORD,
        "account": account.id.to_string(),
        "id": campaign.id.to_string(),
        "name": campaign.text("name"),
        "status": campaign.status(now),
        "created": campaign.created(),
        "delivers": undelivered.is_empty(),
        "undelivered": undelivered,
        "serving": serving(account, campaign, now),
        "group": campaign.text("campaignGroup"),
        "objective": campaign.fields.get("objectiveType"),
        "cost_type": campaign.text("costType"),
        "start": campaign.start(),
        "end": campaign.end(),
        "currency": account.currency,
        "budget_period": budget.map(|(field, _)| field),
        "budget": budget.map(|(_, amount)| amount),
        "daily_budget": campaign.fields.get("dailyBudget"),
        "total_budget": campaign.fields.get("totalBudget"),
        "spent": currency::decimal(campaign.cost()),
    })
}
