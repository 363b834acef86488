//! A change of a campaign: checks and translates it, and returns the changed campaign.

use super::{status as read_status, write_budget};
use crate::platforms::beta::CAPABILITIES;
use crate::platforms::beta::money::Units;
use crate::platforms::beta::wire::CampaignParameters;
use crate::platforms::prelude::*;
use crate::platforms::rows::RawObject;
use serde_json::json;

/// Translates changes that differ from `current`: the changed parameters alone, for one call.
pub(in crate::platforms::beta) fn parameters(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<CampaignParameters, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    if start_at.is_some() || end_at.is_some() {
        return Err(Error::internal("a date that the service holds reached its platform"));
    }
    errors::check_period_change(&CAPABILITIES, *budget_period)?;
    if *status == Some(CampaignStatus::Archived) && (name.is_some() || budget_amount.is_some()) {
        return Err(invalid("status", "cannot be combined with other changes when it archives the campaign"));
    }
    if let Some(error) = name.as_deref().and_then(|name| CAPABILITIES.name_error(name)) {
        return Err(Error::fields(vec![error]).on(Platform::Beta));
    }
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let status = status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?;
    let mut parameters = CampaignParameters { name: name.clone(), status, ..CampaignParameters::default() };
    if let Some(amount) = *budget_amount {
        let units = Units::of(amount, current.budget_period, account.currency);
        let units = units.map_err(|message| invalid("budget_amount", message))?;
        let changed = current.budget_period.and_then(|period| write_budget(parameters, period, units));
        parameters = changed.ok_or_else(|| errors::no_budget(Platform::Beta, "its ad sets have theirs"))?;
    }
    if parameters == CampaignParameters::default() {
        return Err(Error::internal("an update without a change"));
    }
    Ok(parameters)
}

fn invalid(field: &str, message: impl Into<String>) -> Error {
    Error::field(field, message).on(Platform::Beta)
}

/// The campaign with its changes. The platform confirms a change without the campaign.
///
/// In `raw`, the sent values replace those that were read before. Fields that may have changed with them are removed.
pub(in crate::platforms::beta) fn applied(
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    sent: &CampaignParameters,
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    Ok(PlatformCampaign {
        name: changes.name.clone().unwrap_or_else(|| current.name.clone()),
        status: sent.status.map_or(current.status, |word| read_status(Some(word), current.end_at, now)),
        budget_amount: changes.budget_amount.or(current.budget_amount),
        raw: changed_node(&current.raw, sent).map_err(|error| unreadable(Platform::Beta, error))?,
        ..current.clone()
    })
}

fn changed_node(raw: &str, sent: &CampaignParameters) -> serde_json::Result<String> {
    let mut node = RawObject::parse(raw)?;
    node.remove(&["updated_time"]);
    if let Some(name) = &sent.name {
        node.set(&json!({"name": name}))?;
    }
    if let Some(status) = sent.status {
        node.remove(&["effective_status"]);
        node.set(&json!({"status": status, "configured_status": status}))?;
    }
    for (field, units) in [("daily_budget", sent.daily_budget), ("lifetime_budget", sent.lifetime_budget)] {
        let Some(Units(units)) = units else { continue };
        node.remove(&["budget_remaining"]);
        // The platform writes money as text.
        node.set(&json!({field: units.to_string()}))?;
    }
    node.to_text()
}

#[cfg(test)]
mod tests;
