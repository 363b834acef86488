//! Changes of a campaign, in one request.

use super::{campaign, has_none_of_its_own, write_period};
use crate::domain::DateChange;
use crate::platforms::prelude::*;
use crate::platforms::zeta::{CAPABILITIES, wire};

/// The request for a change, or the faults of it.
pub(in crate::platforms::zeta) fn patch(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<wire::Patch, Error> {
    errors::check_period_change(&CAPABILITIES, changes.budget_period)?;
    let mut errors = FieldErrors::default();
    let amount = changes.budget_amount;
    errors.extend(changes.name.as_deref().and_then(|name| CAPABILITIES.name_error(name)));
    errors.extend(amount.and_then(|amount| CAPABILITIES.amount_error(amount, current.budget_period, account.currency)));
    let micros = amount.and_then(|amount| errors.check("budget_amount", Micros::from_amount(amount)));
    if amount.is_some() && current.budget_period.and_then(write_period).is_none() {
        errors.add("budget_amount", "cannot be set: this campaign's budget lies with its ad groups on Reddit");
    }
    check_dates(&mut errors, current, changes, now);
    if !errors.is_empty() {
        return Err(errors.into_error(Platform::Zeta));
    }
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let text = |at: Timestamp| format!("{at:.0}");
    Ok(wire::Patch {
        name: changes.name.clone(),
        configured_status: changes.status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?,
        goal_value: micros.map(|micros| micros.0),
        start_time: changes.start_at.and_then(DateChange::date).map(text),
        end_time: changes.end_at.map(|change| change.date().map(text)),
    })
}

/// Checks the new dates (Reddit Ads API: `start_time`, `end_time`).
fn check_dates(errors: &mut FieldErrors, current: &PlatformCampaign, changes: &CampaignChanges, now: Timestamp) {
    for (field, change) in [("start_at", changes.start_at), ("end_at", changes.end_at)] {
        if change.is_some() && has_none_of_its_own(current) {
            errors.add(field, "cannot be set: this campaign's dates lie with its ad groups on Reddit");
        }
    }
    if changes.start_at == Some(DateChange::Clear) {
        errors.add("start_at", "cannot be taken away: every campaign on Reddit has a start");
    }
    CAPABILITIES.check_changed_dates(errors, current, changes, now);
}

/// The changed campaign, as the platform returned it. `effective_status` follows a change within minutes (third party,
/// 2026): a campaign whose end has passed is on again once it has another one.
pub(in crate::platforms::zeta) fn answered(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    data: &RawValue,
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    let changed = campaign(account, data)?;
    let had_ended = current.end_at.is_some_and(|end| end <= now);
    let status = match changed.status {
        CampaignStatus::Ended if had_ended && changes.end_at.is_some() => CampaignStatus::Active,
        status => status,
    };
    Ok(PlatformCampaign { status, total_spend_amount: current.total_spend_amount, ..changed })
}

#[cfg(test)]
mod tests;
