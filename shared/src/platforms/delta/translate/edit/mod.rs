//! A change of a campaign: the fields that are sent, and the campaign afterwards.

use super::{money, write_budget};
use crate::platforms::delta::wire;
use crate::platforms::prelude::*;
use crate::platforms::rows::RawObject;

/// The fields for changes that differ from `current`, for one call.
pub(in crate::platforms::delta) fn fields(
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<wire::CampaignFields, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    if start_at.is_some() || end_at.is_some() {
        return Err(errors::not_supported(Platform::Delta, "end_at", "cannot be changed"));
    }
    if budget_period.is_some() {
        return Err(errors::not_supported(Platform::Delta, "budget_period", "cannot be changed"));
    }
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let status = match *status {
        Some(CampaignStatus::ScheduledForDeletion) => Some("PENDING_DELETION"),
        status => status.map(|status| errors::writable(Platform::Delta, status, names)).transpose()?,
    };
    let budget = budget_amount.map(|amount| budget(current, amount)).transpose()?;
    Ok(wire::CampaignFields { name: name.clone(), status, budget })
}

/// The budget of the campaign's period, with another amount.
fn budget(current: &PlatformCampaign, amount: Decimal) -> Result<wire::Budget, Error> {
    let no_budget = || errors::no_budget(Platform::Delta, "its group's budget holds for it");
    let period = current.budget_period.ok_or_else(no_budget)?;
    let money = money(amount, Some(period), current.currency);
    let money = money.map_err(|detail| Error::fields(vec![detail]).on(Platform::Delta))?;
    write_budget(period, money).ok_or_else(no_budget)
}

pub(in crate::platforms::delta) fn applied(
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    fields: &wire::CampaignFields,
) -> Result<PlatformCampaign, Error> {
    Ok(PlatformCampaign {
        name: changes.name.clone().unwrap_or_else(|| current.name.clone()),
        status: changes.status.unwrap_or(current.status),
        budget_amount: changes.budget_amount.or(current.budget_amount),
        raw: changed(&current.raw, fields).map_err(|error| unreadable(Platform::Delta, error))?,
        ..current.clone()
    })
}

/// The object with the fields that were sent. Fields that may have changed with them, such as the version, are removed
/// rather than kept stale.
fn changed(raw: &str, fields: &wire::CampaignFields) -> serde_json::Result<String> {
    let mut object = RawObject::parse(raw)?;
    object.remove(&["servingStatuses", "version", "changeAuditStamps"]);
    object.set(fields)?;
    object.to_text()
}

#[cfg(test)]
mod tests;
