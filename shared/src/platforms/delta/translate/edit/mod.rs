//! A change of a campaign: the fields that are sent, and the campaign afterwards.

use super::{money, write_budget};
use crate::platforms::delta::{CAPABILITIES, wire};
use crate::platforms::prelude::*;

/// The fields for changes that differ from `current`, for one call.
pub(in crate::platforms::delta) fn fields(
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<wire::CampaignFields, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    errors::check_period_change(&CAPABILITIES, *budget_period)?;
    if current.status == CampaignStatus::Ended && *status == Some(CampaignStatus::Paused) && end_at.is_none() {
        return Err(has_ended());
    }
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let status = match *status {
        Some(CampaignStatus::ScheduledForDeletion) => Some("PENDING_DELETION"),
        status => status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?,
    };
    errors::check_name(&CAPABILITIES, name.as_deref())?;
    let budget = budget_amount.map(|amount| budget(current, amount)).transpose()?;
    let run_schedule = match (start_at, end_at) {
        (None, None) => None,
        _ => Some(schedule(current, changes, now)?),
    };
    Ok(wire::CampaignFields { name: name.clone(), status, budget, run_schedule })
}

/// The whole schedule, of which at least one date is new.
fn schedule(current: &PlatformCampaign, changes: &CampaignChanges, now: Timestamp) -> Result<wire::RunSchedule, Error> {
    if changes.start_at == Some(DateChange::Clear) {
        return Err(errors::not_supported(Platform::Delta, "start_at", "cannot be taken away"));
    }
    let start = changes.start_at.map_or(current.start_at, DateChange::date);
    let start = start.ok_or_else(|| unreadable(Platform::Delta, "a campaign without a start"))?;
    let end = changes.end_at.map_or(current.end_at, DateChange::date);
    let mut errors = FieldErrors::default();
    CAPABILITIES.check_changed_dates(&mut errors, current, changes, now);
    if !errors.is_empty() {
        return Err(errors.into_error(Platform::Delta));
    }
    Ok(wire::RunSchedule { start: start.as_millisecond(), end: end.map(Timestamp::as_millisecond) })
}

/// The platform shows an ended campaign as COMPLETED, whether it is switched on or off: no pause of it could be seen.
fn has_ended() -> Error {
    let message = "This campaign has ended, so it does not run, and LinkedIn does not show whether it is paused. Send \
                   PAUSED together with a later end_at.";
    Error::new(Kind::Conflict, message).on(Platform::Delta)
}

/// The budget of the campaign's period, with another amount.
fn budget(current: &PlatformCampaign, amount: Decimal) -> Result<wire::Budget, Error> {
    let no_budget = || errors::no_budget(Platform::Delta, "its group's budget holds for it");
    let period = current.budget_period.ok_or_else(no_budget)?;
    let money = money(amount, Some(period), current.currency);
    let money = money.map_err(|detail| Error::fields(vec![detail]).on(Platform::Delta))?;
    write_budget(period, money).ok_or_else(no_budget)
}

#[cfg(test)]
mod tests;
