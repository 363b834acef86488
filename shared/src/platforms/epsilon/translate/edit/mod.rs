//! A change of a campaign: the request for it, and the campaign as it then is.

use super::draft::after_1970;
use super::{found, write_budget};
use crate::domain::Accepted;
use crate::platforms::epsilon::{CAPABILITIES, wire};
use crate::platforms::prelude::*;

/// Takes the end away (OpenAPI description, `CampaignBatchUpdateItem`). It does not say that null does.
const NO_END: i64 = -1;

/// One object for all changes: the platform carries them out together.
pub(in crate::platforms::epsilon) fn update<'a>(
    account: &'a AdAccount,
    current: &'a PlatformCampaign,
    changes: &'a CampaignChanges,
    now: Timestamp,
) -> Result<wire::CampaignUpdate<'a>, Error> {
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let update = wire::CampaignUpdate {
        id: &current.remote_id,
        ad_account_id: &account.id,
        name: changes.name.as_deref(),
        status: changes.status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?,
        ..wire::CampaignUpdate::default()
    };
    errors::check_name(&CAPABILITIES, changes.name.as_deref())?;
    let update = with_dates(update, current, changes, now)?;
    if changes.budget_amount.is_none() && changes.budget_period.is_none() {
        return Ok(update);
    }
    with_budget(update, current, changes)
}

/// Adds the new dates.
fn with_dates<'a>(
    update: wire::CampaignUpdate<'a>,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<wire::CampaignUpdate<'a>, Error> {
    let mut errors = FieldErrors::default();
    if changes.start_at == Some(DateChange::Clear) {
        errors.add("start_at", "cannot be taken away on Pinterest; send another start");
    }
    let start = after_1970(&mut errors, "start_at", changes.start_at.and_then(DateChange::date));
    after_1970(&mut errors, "end_at", changes.end_at.and_then(DateChange::date));
    if errors.is_empty() {
        CAPABILITIES.check_changed_dates(&mut errors, current, changes, now);
    }
    if !errors.is_empty() {
        return Err(errors.into_error(Platform::Epsilon));
    }
    let end_time = changes.end_at.map(|change| change.date().map_or(NO_END, Timestamp::as_second));
    Ok(wire::CampaignUpdate { start_time: start.map(Timestamp::as_second), end_time, ..update })
}

/// The end of the campaign with the changes.
fn end_after(current: &PlatformCampaign, changes: &CampaignChanges) -> Option<Timestamp> {
    changes.end_at.map_or(current.end_at, DateChange::date)
}

/// Adds the new budget. An amount or a period without a change keeps its value.
fn with_budget<'a>(
    update: wire::CampaignUpdate<'a>,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<wire::CampaignUpdate<'a>, Error> {
    let (Some(had_amount), Some(had_period)) = (current.budget_amount, current.budget_period) else {
        return Err(errors::no_budget(Platform::Epsilon, "its ad groups have theirs"));
    };
    let (amount, period) = (changes.budget_amount.unwrap_or(had_amount), changes.budget_period.unwrap_or(had_period));
    if let Some(error) = CAPABILITIES.amount_error(amount, Some(period), current.currency) {
        return Err(Error::fields(vec![error]).on(Platform::Epsilon));
    }
    let micros = Micros::from_amount(amount);
    let micros = micros.map_err(|reason| Error::field("budget_amount", reason).on(Platform::Epsilon))?;
    let Some((daily, lifetime)) = write_budget(period, micros) else {
        let accepted = Accepted::Periods(CAPABILITIES.budget_periods.to_vec());
        return Err(errors::value_not_supported(Platform::Epsilon, "budget_period", accepted));
    };
    let is_switch = lifetime.is_some() && !had_period.is_whole_run();
    let end_time = if is_switch { Some(end_for(period, end_after(current, changes))?) } else { update.end_time };
    let removed = changes.budget_period.map(|_| None);
    let (daily_spend_cap, lifetime_spend_cap) = (daily.map(Some).or(removed), lifetime.map(Some).or(removed));
    Ok(wire::CampaignUpdate { daily_spend_cap, lifetime_spend_cap, end_time, ..update })
}

/// The end to send when a daily cap becomes a lifetime cap. The platform refuses that change without an end.
fn end_for(period: BudgetPeriod, end: Option<Timestamp>) -> Result<i64, Error> {
    let no_end = || {
        let message = format!(
            "cannot become {}: the campaign has no end, and Pinterest needs one for it. Send end_at with it.",
            period.as_str()
        );
        Error::field("budget_period", message).on(Platform::Epsilon)
    };
    end.map(Timestamp::as_second).ok_or_else(no_end)
}

/// The changed campaign, as the platform returned it.
pub(in crate::platforms::epsilon) fn answered(
    account: &AdAccount,
    current: &PlatformCampaign,
    data: &RawValue,
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    let changed = found(account, data.get(), now)?.filter(|changed| changed.id == current.id);
    let other = || unreadable(Platform::Epsilon, "another campaign than the one that was changed");
    Ok(PlatformCampaign { total_spend_amount: current.total_spend_amount, ..changed.ok_or_else(other)? })
}

#[cfg(test)]
mod tests;
