//! Changes of a campaign, in one request.

use super::draft::check_name;
use super::write_period;
use crate::platforms::prelude::*;
use crate::platforms::zeta::{CAPABILITIES, wire};

/// The request for a change, or the faults of it.
pub(in crate::platforms::zeta) fn patch(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<wire::Patch, Error> {
    if changes.start_at.is_some() || changes.end_at.is_some() {
        return Err(errors::not_supported(Platform::Zeta, "end_at", "cannot be changed"));
    }
    if changes.budget_period.is_some() {
        return Err(errors::not_supported(Platform::Zeta, "budget_period", "cannot be changed"));
    }
    let mut errors = FieldErrors::default();
    let amount = changes.budget_amount;
    if let Some(name) = &changes.name {
        check_name(&mut errors, name);
    }
    errors.extend(amount.and_then(|amount| CAPABILITIES.amount_error(amount, current.budget_period, account.currency)));
    let micros = amount.and_then(|amount| errors.check("budget_amount", Micros::from_amount(amount)));
    if amount.is_some() && current.budget_period.and_then(write_period).is_none() {
        errors.add("budget_amount", "cannot be set: this campaign's budget lies with its ad groups on Reddit");
    }
    if !errors.is_empty() {
        return Err(errors.into_error(Platform::Zeta));
    }
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    Ok(wire::Patch {
        name: changes.name.clone(),
        configured_status: changes.status.map(|status| errors::writable(Platform::Zeta, status, names)).transpose()?,
        goal_value: micros.map(|micros| micros.0),
    })
}
