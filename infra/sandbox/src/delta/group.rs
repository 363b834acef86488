//! Campaign groups. Their status and dates stand over those of their campaigns.
//!
//! Marketing API: "Create and Manage Campaign Groups". Imitated: create, find, get.

use super::accounts::Account;
use super::entity::{Entity, Fields, text};
use super::error::{InputError, inputs};
use super::rules;
use super::schema::{self, GROUP};
use crate::http::Reply;

/// Makes a group of what was sent.
pub(crate) fn create(account: &Account, id: i64, fields: Fields, now: i64) -> Result<Entity, Reply> {
    schema::check(&fields, GROUP, "")?;
    let mut errors = Vec::new();
    rules::required(&fields, &["account", "name", "runSchedule", "status"], &mut errors);
    if fields.contains_key("runSchedule") {
        rules::schedule(&fields, None, now, &mut errors);
    }
    rules::name(&fields, &mut errors);
    rules::money(&fields, "totalBudget", &account.currency, 10, &mut errors);
    if fields.contains_key("account") && text(&fields, "account") != account.urn() {
        errors.push(InputError::value("/account", "The account is not the one of the address"));
    }
    if !matches!(text(&fields, "status"), "" | "ACTIVE" | "PAUSED" | "DRAFT") {
        let why = "A campaign group cannot be created with this status";
        errors.push(InputError::new("STATUS_CHANGE_NOT_ALLOWED", "/status", why));
    }
    if errors.is_empty() { Ok(Entity::new(id, fields, now)) } else { Err(inputs(&errors)) }
}

/// What keeps the group from being shown.
pub(crate) fn serving(group: &Entity, now: i64) -> Vec<&'static str> {
    let mut holds = Vec::new();
    if group.status(now) != "ACTIVE" {
        holds.push("STOPPED");
    }
    if group.start().is_some_and(|start| start > now) {
        holds.push("CAMPAIGN_GROUP_START_DATE_HOLD");
    }
    if holds.is_empty() { vec!["RUNNABLE"] } else { holds }
}
