//! A change of a campaign: checks and translates it, and returns the changed campaign.

use super::{status as read_status, with_budget};
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignStatus, Platform};
use crate::error::{Error, Kind};
use crate::platforms::answers;
use crate::platforms::beta::NAME;
use crate::platforms::beta::fault::unreadable;
use crate::platforms::beta::money::Units;
use crate::platforms::beta::wire::CampaignParameters;
use jiff::Timestamp;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// Translates changes that differ from `current`: the changed parameters alone, for one call.
pub(in crate::platforms::beta) fn parameters(
    account: &AdAccount,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<CampaignParameters, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period } = changes;
    if budget_period.is_some() {
        return Err(answers::not_supported(Platform::Beta, "budget_period", "cannot be changed"));
    }
    if *status == Some(CampaignStatus::Archived) && (name.is_some() || budget_amount.is_some()) {
        return Err(invalid("status", "cannot be combined with other changes when it archives the campaign"));
    }
    if name.as_deref().is_some_and(|name| name.trim().is_empty()) {
        return Err(invalid("name", "must not be blank"));
    }
    let mut parameters = CampaignParameters {
        name: name.clone(),
        status: status.map(status_name).transpose()?,
        ..CampaignParameters::default()
    };
    if let Some(amount) = *budget_amount {
        let units = Units::of_budget(amount, current.budget_period, account.currency);
        let units = units.map_err(|fault| Error::fields(vec![fault]).on(Platform::Beta))?;
        let period = current.budget_period.ok_or_else(no_budget)?;
        parameters = with_budget(parameters, period, units).ok_or_else(no_budget)?;
    }
    if parameters == CampaignParameters::default() {
        return Err(Error::internal("an update without a change"));
    }
    Ok(parameters)
}

fn status_name(status: CampaignStatus) -> Result<&'static str, Error> {
    match status {
        CampaignStatus::Active => Ok("ACTIVE"),
        CampaignStatus::Paused => Ok("PAUSED"),
        CampaignStatus::Archived => Ok("ARCHIVED"),
        _ => Err(answers::not_a_status(Platform::Beta)),
    }
}

fn invalid(field: &str, message: &str) -> Error {
    Error::field(field, message).on(Platform::Beta)
}

fn no_budget() -> Error {
    let message = format!(
        "This campaign has no budget of its own on {NAME}: its ad sets have theirs. \
         Change them on {NAME}, or give the campaign a budget there."
    );
    Error::new(Kind::Conflict, message).on(Platform::Beta)
}

/// The campaign with its changes. The platform confirms a change without the campaign.
///
/// In `raw`, the sent values replace those that were read before. Fields that may have changed with them are removed,
/// because they may be stale.
pub(in crate::platforms::beta) fn applied(
    current: &Campaign,
    changes: &CampaignChanges,
    sent: &CampaignParameters,
    now: Timestamp,
) -> Result<Campaign, Error> {
    let mut node: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&current.raw).map_err(unreadable)?;
    node.remove("updated_time");
    if let Some(status) = sent.status {
        node.remove("effective_status");
        node.insert("configured_status".to_owned(), to_raw_value(status).map_err(unreadable)?);
        node.insert("status".to_owned(), to_raw_value(status).map_err(unreadable)?);
    }
    if let Some(name) = &sent.name {
        node.insert("name".to_owned(), to_raw_value(name).map_err(unreadable)?);
    }
    for (field, units) in [("daily_budget", sent.daily_budget), ("lifetime_budget", sent.lifetime_budget)] {
        let Some(units) = units else { continue };
        node.remove("budget_remaining");
        // The platform writes money as text.
        node.insert(field.to_owned(), to_raw_value(&units.0.to_string()).map_err(unreadable)?);
    }
    Ok(Campaign {
        name: changes.name.clone().unwrap_or_else(|| current.name.clone()),
        status: sent.status.map_or(current.status, |word| read_status(Some(word), current.end_at, now)),
        budget_amount: changes.budget_amount.or(current.budget_amount),
        raw: serde_json::to_string(&node).map_err(unreadable)?,
        ..current.clone()
    })
}

#[cfg(test)]
mod tests;
