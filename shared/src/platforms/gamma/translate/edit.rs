//! A change of a campaign: its requests, and the campaign after each of them.

use super::budget_mode;
use super::name::name_fault;
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignStatus, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::answers;
use crate::platforms::gamma::CAPABILITIES;
use crate::platforms::gamma::fault::unreadable;
use crate::platforms::gamma::wire::{self, Amount, Id, Operation, instant};
use rust_decimal::Decimal;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// One request.
#[derive(Clone, Debug)]
pub(in crate::platforms::gamma) enum Step {
    /// Changes name, budget or both.
    Update(wire::CampaignUpdate),
    /// Enables, disables or deletes.
    SetStatus(Operation),
}

/// The requests for changes that differ from `current`, in the order that is safe for money: a campaign is disabled
/// before any other change, and enabled after all others.
pub(in crate::platforms::gamma) fn steps(
    account: &AdAccount,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<Vec<Step>, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period } = changes;
    if budget_period.is_some() {
        return Err(answers::not_supported(Platform::Gamma, "budget_period", "cannot be changed"));
    }
    let operation = status.map(operation).transpose()?;
    if operation == Some(Operation::Delete) && (name.is_some() || budget_amount.is_some()) {
        return Err(invalid("status", "cannot be combined with other changes when it removes the campaign"));
    }
    let budget = budget_amount.map(|amount| budget(account, current, amount)).transpose()?;
    if let Some(fault) = name.as_deref().and_then(name_fault) {
        return Err(Error::fields(vec![fault]).on(Platform::Gamma));
    }
    let id = Id::parse(&current.remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    let update = (name.is_some() || budget.is_some()).then(|| {
        Step::Update(wire::CampaignUpdate {
            advertiser_id: account.id.clone(),
            campaign_id: id.to_string(),
            campaign_name: name.clone(),
            budget,
        })
    });
    let status = operation.map(Step::SetStatus);
    let steps = if operation == Some(Operation::Enable) { [update, status] } else { [status, update] };
    Ok(steps.into_iter().flatten().collect())
}

fn operation(status: CampaignStatus) -> Result<Operation, Error> {
    match status {
        CampaignStatus::Active => Ok(Operation::Enable),
        CampaignStatus::Paused => Ok(Operation::Disable),
        CampaignStatus::Archived => Ok(Operation::Delete),
        _ => Err(answers::not_a_status(Platform::Gamma)),
    }
}

fn budget(account: &AdAccount, current: &Campaign, amount: Decimal) -> Result<Amount, Error> {
    if current.budget_period.and_then(budget_mode).is_none() {
        let why = "cannot be set for a campaign that was created without a budget of its own";
        return Err(answers::not_supported(Platform::Gamma, "budget_amount", why));
    }
    match CAPABILITIES.amount_fault(amount, current.budget_period, account.currency) {
        Some(fault) => Err(fields(fault)),
        None => Ok(Amount(amount)),
    }
}

fn fields(fault: FieldError) -> Error {
    Error::fields(vec![fault]).on(Platform::Gamma)
}

fn invalid(field: &str, message: impl Into<String>) -> Error {
    Error::field(field, message).on(Platform::Gamma)
}

/// The campaign after a step, with the data that the platform returned for it.
///
/// In `raw`, each returned field replaces the one that was read before; without data the sent fields do. The secondary
/// status may change with the status, so it is removed rather than kept stale.
pub(in crate::platforms::gamma) fn applied(
    campaign: Campaign,
    step: &Step,
    returned: Option<&RawValue>,
) -> Result<Campaign, Error> {
    match step {
        Step::Update(update) => {
            let text = serde_json::to_string(update).map_err(unreadable)?;
            let mut raw = with_fields(&campaign.raw, &text)?;
            let mut updated_at = campaign.updated_at;
            if let Some(returned) = returned {
                raw = with_fields(&raw, returned.get())?;
                let state: wire::CampaignState = serde_json::from_str(returned.get()).unwrap_or_default();
                updated_at = state.modify_time.as_deref().and_then(instant).or(updated_at);
            }
            Ok(Campaign {
                name: update.campaign_name.clone().unwrap_or(campaign.name),
                budget_amount: update.budget.map(|amount| amount.0).or(campaign.budget_amount),
                updated_at,
                raw,
                ..campaign
            })
        }
        Step::SetStatus(operation) => {
            Ok(Campaign { status: status_after(*operation), raw: with_status(&campaign.raw, *operation)?, ..campaign })
        }
    }
}

fn status_after(operation: Operation) -> CampaignStatus {
    match operation {
        Operation::Enable => CampaignStatus::Active,
        Operation::Disable => CampaignStatus::Paused,
        Operation::Delete => CampaignStatus::Archived,
    }
}

/// A JSON object with its values as received.
type Object = BTreeMap<String, Box<RawValue>>;

fn with_fields(raw: &str, fields: &str) -> Result<String, Error> {
    let mut object: Object = serde_json::from_str(raw).map_err(unreadable)?;
    let fields: Option<Object> = serde_json::from_str(fields).map_err(unreadable)?;
    object.extend(fields.into_iter().flatten());
    serde_json::to_string(&object).map_err(unreadable)
}

/// The platform's object with another status.
pub(in crate::platforms::gamma) fn with_status(raw: &str, operation: Operation) -> Result<String, Error> {
    let mut object: Object = serde_json::from_str(raw).map_err(unreadable)?;
    object.remove("secondary_status");
    object.insert("operation_status".to_owned(), to_raw_value(&operation).map_err(unreadable)?);
    serde_json::to_string(&object).map_err(unreadable)
}

#[cfg(test)]
mod tests;
