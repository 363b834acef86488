//! A change of a campaign: the fields that are sent, and the campaign afterwards.

use super::{budget_fields, money};
use crate::domain::{Campaign, CampaignChanges, CampaignStatus, Platform};
use crate::error::{Error, Kind};
use crate::platforms::answers;
use crate::platforms::delta::fault::unreadable;
use crate::platforms::delta::{NAME, wire};
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The fields that archive a campaign.
pub(in crate::platforms::delta) fn archival() -> wire::CampaignFields {
    wire::CampaignFields { status: Some("ARCHIVED"), ..wire::CampaignFields::default() }
}

/// The fields for changes that differ from `current`, for one call.
pub(in crate::platforms::delta) fn fields(
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<wire::CampaignFields, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period } = changes;
    if budget_period.is_some() {
        return Err(answers::not_supported(Platform::Delta, "budget_period", "cannot be changed"));
    }
    let status = match status {
        None => None,
        Some(CampaignStatus::Active) => Some("ACTIVE"),
        Some(CampaignStatus::Paused) => Some("PAUSED"),
        Some(CampaignStatus::Archived) => Some("ARCHIVED"),
        Some(CampaignStatus::ScheduledForDeletion) => Some("PENDING_DELETION"),
        Some(CampaignStatus::Ended | CampaignStatus::Draft | CampaignStatus::Unspecified) => {
            return Err(answers::not_a_status(Platform::Delta));
        }
    };
    let (daily_budget, total_budget) = match budget_amount {
        None => (None, None),
        Some(amount) => budget(current, *amount)?,
    };
    Ok(wire::CampaignFields { name: name.clone(), status, daily_budget, total_budget })
}

/// The budget of the campaign's period, with another amount.
fn budget(current: &Campaign, amount: Decimal) -> Result<(Option<wire::Money>, Option<wire::Money>), Error> {
    let period = current.budget_period.ok_or_else(no_budget)?;
    let money = money(amount, Some(period), current.currency);
    let money = money.map_err(|fault| Error::fields(vec![fault]).on(Platform::Delta))?;
    budget_fields(period, money).ok_or_else(no_budget)
}

fn no_budget() -> Error {
    let message = format!("This campaign has no budget of its own on {NAME}: its group's budget holds for it.");
    Error::new(Kind::Conflict, message).on(Platform::Delta)
}

/// The campaign after its fields were changed.
///
/// In `raw`, the fields that were sent replace those that were read. Fields that may have changed with them, such as the
/// version, are removed rather than kept stale.
pub(in crate::platforms::delta) fn applied(
    current: &Campaign,
    changes: &CampaignChanges,
    fields: &wire::CampaignFields,
) -> Result<Campaign, Error> {
    let mut raw: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&current.raw).map_err(unreadable)?;
    let sent = serde_json::to_string(fields).map_err(unreadable)?;
    let sent: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&sent).map_err(unreadable)?;
    raw.retain(|name, _| !matches!(name.as_str(), "servingStatuses" | "version" | "changeAuditStamps"));
    raw.extend(sent);
    Ok(Campaign {
        name: changes.name.clone().unwrap_or_else(|| current.name.clone()),
        status: changes.status.unwrap_or(current.status),
        budget_amount: changes.budget_amount.or(current.budget_amount),
        raw: serde_json::to_string(&raw).map_err(unreadable)?,
        ..current.clone()
    })
}

#[cfg(test)]
mod tests;
