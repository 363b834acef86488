//! Creates, updates and deletes campaigns.
//!
//! Marketing API: "Create and Manage Campaigns". Not verified: whether lifetime pacing needs a total budget.
//! The sandbox accepts it with any budget, because recorded responses show it with a daily one.

use super::accounts::Account;
use super::entity::{Entity, Fields, text};
use super::error::{self, InputError, input_errors};
use super::rules::{self, Errors};
use super::schema::{self, CAMPAIGN, GROUP_URN, urn_id};
use super::{bidding, currency};
use crate::ads::{Ads, Hold};
use crate::http::Response;
use jiff::Timestamp;
use serde_json::{Value, json};

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

/// Fields that an update cannot change. The objective has an error code of its own.
const IMMUTABLE: &[&str] = &["account", "campaignGroup", "pacingStrategy", "type"];

/// Creates a campaign. Its status defaults to ACTIVE, so it spends at once.
pub(crate) fn create(account: &Account, id: i64, mut fields: Fields, now: i64) -> Result<Entity, Response> {
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
    let mut errors = validate(account, &fields, None, now);
    if !matches!(text(&fields, "status"), "ACTIVE" | "PAUSED" | "DRAFT") {
        errors.push(status_error("A campaign cannot be created with this status"));
    }
    if errors.is_empty() { Ok(Entity::new(id, fields, now)) } else { Err(input_errors(&errors)) }
}

/// Validates the fields of a new or updated campaign.
fn validate(account: &Account, fields: &Fields, old: Option<&Fields>, now: i64) -> Errors {
    let mut errors = Vec::new();
    rules::check_required(fields, REQUIRED, &mut errors);
    if fields.contains_key("runSchedule") {
        rules::check_schedule(fields, old, now, &mut errors);
    }
    rules::check_budgets(fields, &account.currency, &mut errors);
    bidding::check_bid(fields, old, &mut errors);
    errors.extend(bidding::entity_error(account, fields));
    rules::check_name(fields, &mut errors);
    rules::check_audience(fields, &mut errors);
    if fields.contains_key("account") && text(fields, "account") != account.urn() {
        errors.push(InputError::invalid("/account", "The account does not match the path"));
    }
    errors.extend(group_error(account, fields, now));
    errors
}

fn group_error(account: &Account, fields: &Fields, now: i64) -> Option<InputError> {
    let urn = fields.get("campaignGroup")?.as_str()?;
    let Some(group) = urn_id(urn, GROUP_URN).and_then(|id| account.groups.get(&id)) else {
        let why = format!("{urn} is not a campaign group of the account");
        return Some(InputError::invalid("/campaignGroup", why));
    };
    let is_open = matches!(group.status(now), "ACTIVE" | "PAUSED" | "DRAFT");
    (!is_open).then(|| InputError::invalid("/campaignGroup", "The campaign group is closed to new campaigns"))
}

fn status_error(why: &str) -> InputError {
    InputError::new("STATUS_CHANGE_NOT_ALLOWED", "/status", why)
}

/// The fields of a campaign after a partial update.
pub(crate) fn update(account: &Account, old: &Entity, patch: &Fields, now: i64) -> Result<Fields, Response> {
    let new = apply_patch(&old.fields, patch, "")?;
    schema::check(&new, CAMPAIGN, "")?;
    let mut errors = validate(account, &new, Some(&old.fields), now);
    let changed = |name: &&&str| old.fields.get(**name) != new.get(**name);
    let immutable = IMMUTABLE.iter().filter(changed);
    errors.extend(immutable.map(|name| InputError::invalid(&format!("/{name}"), format!("/{name} cannot be changed"))));
    if old.fields.contains_key("objectiveType") && changed(&&"objectiveType") {
        let why = "The objective of a campaign cannot be changed";
        errors.push(InputError::new("IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE", "/objectiveType", why));
    }
    if !is_allowed_transition(old.status(now), text(&new, "status"), old.text("status")) {
        errors.push(status_error("The status cannot be changed to this one"));
    }
    if errors.is_empty() { Ok(new) } else { Err(input_errors(&errors)) }
}

/// Whether an update may set the status `to`. The campaign shows the status `from`; its stored status is
/// `was`.
fn is_allowed_transition(from: &str, to: &str, was: &str) -> bool {
    match from {
        "CANCELED" | "PENDING_DELETION" | "REMOVED" => false,
        _ if to == was => true,
        "DRAFT" => matches!(to, "ACTIVE" | "PAUSED" | "ARCHIVED" | "CANCELED"),
        _ => matches!(to, "ACTIVE" | "PAUSED" | "ARCHIVED" | "CANCELED" | "PENDING_DELETION"),
    }
}

/// Applies a Rest.li patch to a record: `$set`, `$delete`, and patches of nested records.
fn apply_patch(fields: &Fields, patch: &Fields, path: &str) -> Result<Fields, Response> {
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
                let nested = format!("{path}/{inner}");
                let old = fields.get(inner).and_then(Value::as_object).cloned().unwrap_or_default();
                new.insert(inner.to_owned(), Value::Object(apply_patch(&old, patch, &nested)?));
            }
            _ => return Err(error::schema_error(&format!("/patch{path}/{name}"), "this is not a patch")),
        }
    }
    Ok(new)
}

/// Only a draft can be deleted. Other campaigns take the status `PENDING_DELETION`.
pub(crate) fn check_deletable(campaign: &Entity) -> Result<(), Response> {
    if campaign.text("status") == "DRAFT" {
        return Ok(());
    }
    Err(input_errors(&[status_error("Only a DRAFT campaign can be deleted; set the status to PENDING_DELETION")]))
}

/// The reasons that keep the campaign from serving, or `RUNNABLE`, which it is without creatives, too.
pub(crate) fn serving_statuses(account: &Account, campaign: &Entity, ads: &Ads, now: i64) -> Vec<&'static str> {
    let hold = ads.campaign_hold(&campaign.id.to_string());
    let group = urn_id(campaign.text("campaignGroup"), GROUP_URN).and_then(|id| account.groups.get(&id));
    let is_future = |start: Option<i64>| start.is_some_and(|start| start > now);
    let holds = [
        (is_future(campaign.start()), "CAMPAIGN_START_DATE_HOLD"),
        (campaign.has_ended(now), "CAMPAIGN_END_DATE_HOLD"),
        (hold == Some(Hold::BudgetSpent), "CAMPAIGN_TOTAL_BUDGET_HOLD"),
        (hold == Some(Hold::Audience), "CAMPAIGN_AUDIENCE_COUNT_HOLD"),
        (campaign.status(now) != "ACTIVE", "STOPPED"),
        (group.is_some_and(|group| group.status(now) != "ACTIVE"), "CAMPAIGN_GROUP_STATUS_HOLD"),
        (group.is_some_and(|group| is_future(group.start())), "CAMPAIGN_GROUP_START_DATE_HOLD"),
        (group.is_some_and(|group| group.has_ended(now)), "CAMPAIGN_GROUP_END_DATE_HOLD"),
        (account.serving_status(ads) != "RUNNABLE", "ACCOUNT_SERVING_HOLD"),
    ];
    let holds: Vec<_> = holds.into_iter().filter(|(applies, _)| *applies).map(|(_, name)| name).collect();
    if holds.is_empty() { vec!["RUNNABLE"] } else { holds }
}

fn instant(milliseconds: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(milliseconds).ok()
}

/// The campaign in the form of `GET /_sandbox/campaigns`.
pub(crate) fn summary(platform: &str, account: &Account, campaign: &Entity, ads: &Ads, now: i64) -> Value {
    let budget = |field: &'static str| Some((field, campaign.fields.get(field)?.get("amount")?));
    let budget = budget("dailyBudget").or_else(|| budget("totalBudget"));
    let missing = bidding::missing_for_delivery(campaign, &account.currency);
    json!({
        "platform": platform,
        "account": account.id.to_string(),
        "id": campaign.id.to_string(),
        "name": campaign.text("name"),
        "status": campaign.status(now),
        "created": campaign.created(),
        "delivers": missing.is_empty(),
        "undelivered": missing,
        "serving": serving_statuses(account, campaign, ads, now),
        "group": campaign.text("campaignGroup"),
        "objective": campaign.fields.get("objectiveType"),
        "cost_type": campaign.text("costType"),
        "locale": campaign.fields.get("locale"),
        "targeting": campaign.fields.get("targetingCriteria"),
        "political_intent": campaign.text("politicalIntent"),
        "start": campaign.start(),
        "end": campaign.end(),
        "start_at": campaign.start().and_then(instant),
        "end_at": campaign.end().and_then(instant),
        "currency": account.currency,
        "budget_period": budget.map(|(field, _)| field),
        "budget": budget.map(|(_, amount)| amount),
        "daily_budget": campaign.fields.get("dailyBudget"),
        "total_budget": campaign.fields.get("totalBudget"),
        "spent": currency::decimal(campaign.cost()),
    })
}
