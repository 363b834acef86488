//! A change of a campaign: its translation, and the campaign afterwards.

use super::schedule;
use crate::platforms::alpha::api::Edit;
use crate::platforms::alpha::{CAPABILITIES, query, wire};
use crate::platforms::prelude::*;
use crate::platforms::rows::RawObject;
use serde::Serialize;
use std::collections::BTreeMap;

/// The operation that removes a campaign; its budget follows unless it is shared.
pub(in crate::platforms::alpha) fn removal(account: &AdAccount, current: &PlatformCampaign) -> Result<Edit, Error> {
    let removal = wire::Operation::Remove { remove: resource_name(account, current)? };
    Ok(Edit { campaign: Some(removal), budget: None })
}

/// The operations for changes that differ from `current`. Its `raw` is the row that it was read from, which has the
/// budget's name, so no call is needed first.
pub(in crate::platforms::alpha) fn edit(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<Edit, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    errors::check_period_change(&CAPABILITIES, *budget_period)?;
    if *status == Some(CampaignStatus::Archived) {
        if name.is_some() || budget_amount.is_some() || start_at.is_some() || end_at.is_some() {
            return Err(invalid("status", "cannot be combined with other changes when it removes the campaign"));
        }
        return removal(account, current);
    }
    if let Some(error) = name.as_deref().and_then(|name| CAPABILITIES.name_error(name)) {
        return Err(Error::fields(vec![error]).on(Platform::Alpha));
    }
    let campaign = campaign(account, current, changes, now)?;
    let budget = budget_amount.map(|amount| budget(account, current, amount)).transpose()?;
    Ok(Edit { campaign, budget })
}

/// The mask names what changes. A field that it names and that is not sent is cleared, which for the end means that the
/// campaign runs on (Google Ads API: Campaign, `end_date_time`).
fn campaign(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<Option<wire::Operation<wire::Campaign>>, Error> {
    let names = ["ENABLED", "PAUSED", "REMOVED"];
    let status = changes.status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?;
    let (start, end) = schedule::of_changes(account, current, changes, now)?;
    let mask = [
        changes.name.as_ref().map(|_| "name"),
        changes.status.map(|_| "status"),
        changes.start_at.map(|_| "start_date_time"),
        changes.end_at.map(|_| "end_date_time"),
    ];
    let mask: Vec<&str> = mask.into_iter().flatten().collect();
    if mask.is_empty() {
        return Ok(None);
    }
    let update = wire::Campaign {
        resource_name: Some(resource_name(account, current)?),
        name: changes.name.clone(),
        status: status.map(str::to_owned),
        start_date_time: start.map(schedule::written),
        end_date_time: end.map(schedule::written),
        ..wire::Campaign::default()
    };
    Ok(Some(wire::Operation::Update { update, update_mask: mask.join(",") }))
}

fn budget(
    account: &AdAccount,
    current: &PlatformCampaign,
    amount: Decimal,
) -> Result<wire::Operation<wire::CampaignBudget>, Error> {
    let row: wire::GoogleAdsRow = read_object(Platform::Alpha, current.raw.as_bytes())?;
    let found = row.campaign_budget.unwrap_or_default();
    let prefix = format!("customers/{}/campaignBudgets/", account.id);
    let resource_name = found.resource_name.filter(|name| name.starts_with(&prefix)).ok_or_else(unreadable_budget)?;
    if found.explicitly_shared == Some(true) {
        return Err(shared(found.reference_count));
    }
    if let Some(error) = CAPABILITIES.amount_error(amount, current.budget_period, account.currency) {
        return Err(Error::fields(vec![error]).on(Platform::Alpha));
    }
    let micros = Micros::from_amount(amount).map_err(|reason| invalid("budget_amount", reason.to_string()))?;
    let mut update = wire::CampaignBudget { resource_name: Some(resource_name), ..wire::CampaignBudget::default() };
    let (amount, mask) = match found.period.as_deref() {
        Some("DAILY") => (&mut update.amount_micros, "amount_micros"),
        Some("CUSTOM_PERIOD") => (&mut update.total_amount_micros, "total_amount_micros"),
        _ => return Err(unreadable_budget()),
    };
    *amount = Some(wire::Int64(micros.0));
    Ok(wire::Operation::Update { update, update_mask: mask.to_owned() })
}

fn shared(campaigns: Option<wire::Int64>) -> Error {
    let by = campaigns.filter(|count| count.0 > 1).map(|count| format!(" by {} campaigns", count.0));
    let by = by.unwrap_or_default();
    errors::no_budget(
        Platform::Alpha,
        &format!("its budget is shared{by}, so that a change here is one of the others too"),
    )
}

fn unreadable_budget() -> Error {
    let message = "Google Ads does not return the budget of this campaign in a readable form, so it was not changed.";
    Error::new(Kind::PlatformFailed, message).on(Platform::Alpha)
}

fn invalid(field: &str, message: impl Into<String>) -> Error {
    Error::field(field, message).on(Platform::Alpha)
}

fn resource_name(account: &AdAccount, current: &PlatformCampaign) -> Result<String, Error> {
    let id = query::number(&current.remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    Ok(format!("customers/{}/campaigns/{id}", account.id))
}

/// The campaign after its changes were applied.
///
/// In `raw`, each field of the results replaces the one that was read before. The primary status may have changed with
/// the switch or the dates, and an end may have been cleared: they are removed where they were not returned.
pub(in crate::platforms::alpha) fn applied(
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    edit: &Edit,
    results: &[wire::MutateResult],
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    let unreadable = |error: serde_json::Error| unreadable(Platform::Alpha, error);
    let mut row: BTreeMap<String, RawObject> = serde_json::from_str(&current.raw).map_err(unreadable)?;
    if let Some(campaign) = row.get_mut("campaign") {
        if changes.status.is_some() || changes.start_at.is_some() || changes.end_at.is_some() {
            campaign.remove(&["primaryStatus"]);
        }
        if changes.end_at.is_some() {
            campaign.remove(&["endDateTime"]);
        }
    }
    if let Some(sent) = &edit.campaign {
        let returned = results.iter().find_map(|result| result.campaign.as_deref());
        merge(&mut row, "campaign", sent, returned).map_err(unreadable)?;
    }
    if let Some(sent) = &edit.budget {
        let returned = results.iter().find_map(|result| result.campaign_budget.as_deref());
        merge(&mut row, "campaignBudget", sent, returned).map_err(unreadable)?;
    }
    let end_at = changes.end_at.map_or(current.end_at, DateChange::date);
    Ok(PlatformCampaign {
        name: changes.name.as_ref().unwrap_or(&current.name).clone(),
        status: status(current.status, changes, end_at, now),
        budget_amount: changes.budget_amount.or(current.budget_amount),
        start_at: changes.start_at.map_or(current.start_at, DateChange::date),
        end_at,
        raw: serde_json::to_string(&row).map_err(unreadable)?,
        ..current.clone()
    })
}

/// The status after a change. A campaign that is on and past its end has ended, and one whose end moves ahead runs again.
fn status(
    current: CampaignStatus,
    changes: &CampaignChanges,
    end_at: Option<Timestamp>,
    now: Timestamp,
) -> CampaignStatus {
    let is_told = changes.status.is_some() || changes.end_at.is_some();
    match changes.status.unwrap_or(current) {
        CampaignStatus::Active | CampaignStatus::Ended if is_told => match end_at {
            Some(end) if end < now => CampaignStatus::Ended,
            _ => CampaignStatus::Active,
        },
        status => status,
    }
}

/// Sets what came back of a resource. A result without the resource confirms the fields that were sent.
fn merge<R: Serialize>(
    row: &mut BTreeMap<String, RawObject>,
    resource: &str,
    sent: &wire::Operation<R>,
    returned: Option<&RawValue>,
) -> serde_json::Result<()> {
    let resource = row.entry(resource.to_owned()).or_insert(RawObject::parse("{}")?);
    match (returned, sent) {
        (Some(returned), _) => resource.set(&returned),
        (None, wire::Operation::Update { update, .. }) => resource.set(update),
        (None, wire::Operation::Remove { .. }) => resource.set(&BTreeMap::from([("status", "REMOVED")])),
        (None, wire::Operation::Create { .. }) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
