//! Campaign groups. Their status and schedule override those of their campaigns.
//!
//! Marketing API: "Create and Manage Campaign Groups". The sandbox supports create, find and get.

use super::accounts::Account;
use super::entity::{Entity, Fields, text};
use super::error::{InputError, input_errors};
use super::rules;
use super::schema::{self, GROUP};
use crate::http::Response;

/// Creates a group.
pub(crate) fn create(account: &Account, id: i64, fields: Fields, now: i64) -> Result<Entity, Response> {
    schema::check(&fields, GROUP, "")?;
    let mut errors = Vec::new();
    rules::check_required(&fields, &["account", "name", "runSchedule", "status"], &mut errors);
    if fields.contains_key("runSchedule") {
        rules::check_schedule(&fields, None, now, &mut errors);
    }
    rules::check_name(&fields, &mut errors);
    rules::check_amount(&fields, "totalBudget", &account.currency, 10, &mut errors);
    if fields.contains_key("account") && text(&fields, "account") != account.urn() {
        errors.push(InputError::invalid("/account", "The account does not match the path"));
    }
    if !matches!(text(&fields, "status"), "" | "ACTIVE" | "PAUSED" | "DRAFT") {
        let why = "A campaign group cannot be created with this status";
        errors.push(InputError::new("STATUS_CHANGE_NOT_ALLOWED", "/status", why));
    }
    if errors.is_empty() { Ok(Entity::new(id, fields, now)) } else { Err(input_errors(&errors)) }
}

/// The reasons that keep the group from serving, or `RUNNABLE`.
pub(crate) fn serving_statuses(group: &Entity, now: i64) -> Vec<&'static str> {
    let mut holds = Vec::new();
    if group.status(now) != "ACTIVE" {
        holds.push("STOPPED");
    }
    if group.start().is_some_and(|start| start > now) {
        holds.push("CAMPAIGN_GROUP_START_DATE_HOLD");
    }
    if group.has_ended(now) {
        holds.push("CAMPAIGN_GROUP_END_DATE_HOLD");
    }
    if holds.is_empty() { vec!["RUNNABLE"] } else { holds }
}
