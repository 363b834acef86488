//! Changes of a campaign, in one request.

use super::draft::MIN_NAME_CHARS;
use super::goal_type;
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignStatus, Micros, Platform};
use crate::error::Error;
use crate::platforms::answers;
use crate::platforms::capabilities::fault;
use crate::platforms::zeta::{CAPABILITIES, wire};

/// The request for a change, or the faults of it.
pub(in crate::platforms::zeta) fn patch(
    account: &AdAccount,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<wire::Patch, Error> {
    if changes.budget_period.is_some() {
        return Err(answers::not_supported(Platform::Zeta, "budget_period", "cannot be changed"));
    }
    let mut faults = Vec::new();
    if changes.name.as_ref().is_some_and(|name| name.chars().count() < MIN_NAME_CHARS) {
        faults.push(fault("name", format!("must have at least {MIN_NAME_CHARS} characters on Reddit")));
    }
    let amount = changes.budget_amount;
    faults.extend(amount.and_then(|amount| CAPABILITIES.amount_fault(amount, current.budget_period, account.currency)));
    let micros = amount.map(Micros::from_amount).transpose();
    let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok().flatten();
    if amount.is_some() && current.budget_period.and_then(goal_type).is_none() {
        faults.push(fault("budget_amount", "cannot be set: this campaign's budget lies with its ad groups on Reddit"));
    }
    if !faults.is_empty() {
        return Err(Error::fields(faults).on(Platform::Zeta));
    }
    Ok(wire::Patch {
        name: changes.name.clone(),
        configured_status: changes.status.map(configured_status).transpose()?,
        goal_value: micros.map(|micros| micros.0),
    })
}

fn configured_status(status: CampaignStatus) -> Result<&'static str, Error> {
    match status {
        CampaignStatus::Active => Ok("ACTIVE"),
        CampaignStatus::Paused => Ok("PAUSED"),
        CampaignStatus::Archived => Ok("ARCHIVED"),
        CampaignStatus::Ended
        | CampaignStatus::Draft
        | CampaignStatus::ScheduledForDeletion
        | CampaignStatus::Unspecified => Err(answers::not_a_status(Platform::Zeta)),
    }
}
