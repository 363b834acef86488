//! A change of a campaign: the calls that it comes to, and the campaign as it then is.

use super::instant;
use super::name::name_fault;
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignStatus, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::answers;
use crate::platforms::gamma::CAPABILITIES;
use crate::platforms::gamma::fault::unreadable;
use crate::platforms::gamma::wire::{self, Amount, Id, Operation};
use rust_decimal::Decimal;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// One call.
#[derive(Clone, Debug)]
pub(in crate::platforms::gamma) enum Step {
    /// Of name, budget or both.
    Update(wire::CampaignUpdate),
    /// Of the switch.
    Switch(Operation),
}

/// The calls for changes that differ from `current`, in the order that is safe for money: a campaign is switched
/// off before anything else happens to it, and on only after everything else has.
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
    let switch = operation.map(Step::Switch);
    let steps = if operation == Some(Operation::Enable) { [update, switch] } else { [switch, update] };
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
    if current.budget_period.is_none() {
        let why = "cannot be given to a campaign that was made without a budget of its own";
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

/// The campaign after a step was carried out, with what the platform sent back for it.
///
/// In `raw`, each field that came back replaces the one that was read before; without an answer the fields that were
/// sent do. What may have moved with the switch (the secondary status) is left out rather than kept stale.
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
                let said: wire::Stamps = serde_json::from_str(returned.get()).unwrap_or_default();
                updated_at = said.modify_time.as_deref().and_then(instant).or(updated_at);
            }
            Ok(Campaign {
                name: update.campaign_name.clone().unwrap_or(campaign.name),
                budget_amount: update.budget.map(|amount| amount.0).or(campaign.budget_amount),
                updated_at,
                raw,
                ..campaign
            })
        }
        Step::Switch(operation) => {
            Ok(Campaign { status: switched(*operation), raw: with_switch(&campaign.raw, *operation)?, ..campaign })
        }
    }
}

fn switched(operation: Operation) -> CampaignStatus {
    match operation {
        Operation::Enable => CampaignStatus::Active,
        Operation::Disable => CampaignStatus::Paused,
        Operation::Delete => CampaignStatus::Archived,
    }
}

/// A JSON object whose values stay as they were received.
type Object = BTreeMap<String, Box<RawValue>>;

fn with_fields(raw: &str, fields: &str) -> Result<String, Error> {
    let mut object: Object = serde_json::from_str(raw).map_err(unreadable)?;
    let fields: Option<Object> = serde_json::from_str(fields).map_err(unreadable)?;
    object.extend(fields.into_iter().flatten());
    serde_json::to_string(&object).map_err(unreadable)
}

/// The platform's object with the switch in another position.
pub(in crate::platforms::gamma) fn with_switch(raw: &str, operation: Operation) -> Result<String, Error> {
    let mut object: Object = serde_json::from_str(raw).map_err(unreadable)?;
    object.remove("secondary_status");
    object.insert("operation_status".to_owned(), to_raw_value(&operation).map_err(unreadable)?);
    serde_json::to_string(&object).map_err(unreadable)
}

#[cfg(test)]
mod tests;
