//! A change of a campaign: its requests, and the campaign after each of them.

use super::write_period;
use crate::platforms::gamma::CAPABILITIES;
use crate::platforms::gamma::wire::{self, Amount, DELETE, DISABLE, ENABLE, Id};
use crate::platforms::prelude::*;
use crate::platforms::rows::RawObject;

/// One request.
#[derive(Clone, Debug)]
pub(in crate::platforms::gamma) enum Step {
    Update(wire::CampaignUpdate),
    SetStatus(&'static str),
}

/// The requests for changes that differ from `current`, in the order that is safe for money: a campaign is disabled
/// before any other change, and enabled after all others.
pub(in crate::platforms::gamma) fn steps(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<Vec<Step>, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    if start_at.is_some() || end_at.is_some() {
        return Err(Error::internal("a date that the service holds reached its platform"));
    }
    errors::check_period_change(&CAPABILITIES, *budget_period)?;
    let names = [ENABLE, DISABLE, DELETE];
    let status = status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?;
    if status == Some(DELETE) && (name.is_some() || budget_amount.is_some()) {
        let message = "cannot be combined with other changes when it removes the campaign";
        return Err(Error::field("status", message).on(Platform::Gamma));
    }
    if budget_amount.is_some() && current.budget_period.and_then(write_period).is_none() {
        let why = "cannot be set for a campaign that was created without a budget of its own";
        return Err(errors::not_supported(Platform::Gamma, "budget_amount", why));
    }
    let amount_error = |amount| CAPABILITIES.amount_error(amount, current.budget_period, account.currency);
    if let Some(detail) = budget_amount.and_then(amount_error).or_else(|| CAPABILITIES.name_error(name.as_deref()?)) {
        return Err(Error::fields(vec![detail]).on(Platform::Gamma));
    }
    let update = wire::CampaignUpdate {
        advertiser_id: account.id.clone(),
        campaign_id: Id::of_campaign(&current.remote_id)?.to_string(),
        campaign_name: name.clone(),
        budget: budget_amount.map(Amount),
    };
    let update = (name.is_some() || budget_amount.is_some()).then_some(Step::Update(update));
    let set_status = status.map(Step::SetStatus);
    let steps = if status == Some(ENABLE) { [update, set_status] } else { [set_status, update] };
    Ok(steps.into_iter().flatten().collect())
}

/// The campaign as the answer to an update shows it: the object that was read before, with the fields that came back.
pub(in crate::platforms::gamma) fn answered(
    account: &AdAccount,
    current: &PlatformCampaign,
    data: &RawValue,
) -> Result<PlatformCampaign, Error> {
    let seen = merged(&current.raw, data).map_err(|error| unreadable(Platform::Gamma, error))?;
    let seen = super::campaign(account, &seen, false)?;
    Ok(PlatformCampaign { total_spend_amount: current.total_spend_amount, ..seen })
}

/// The secondary status may have changed with the others, so it is removed rather than kept stale.
fn merged(raw: &str, data: &RawValue) -> serde_json::Result<String> {
    let mut object = RawObject::parse(raw)?;
    object.remove(&["secondary_status"]);
    object.set(&data)?;
    object.to_text()
}

#[cfg(test)]
mod tests;
