//! A change of a campaign: its translation, and the campaign afterwards.

use super::schedule;
use crate::domain::Rule;
use crate::platforms::alpha::api::Edit;
use crate::platforms::alpha::{CAPABILITIES, query, wire};
use crate::platforms::prelude::*;
use crate::platforms::rows::RawObject;
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
    errors::check_name(&CAPABILITIES, name.as_deref())?;
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
    let micros = Micros::from_amount(amount).map_err(|reason| invalid("budget_amount", reason))?;
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

fn invalid(field: &str, rule: impl Into<Rule>) -> Error {
    Error::field(field, rule).on(Platform::Alpha)
}

fn resource_name(account: &AdAccount, current: &PlatformCampaign) -> Result<String, Error> {
    let id = query::number(&current.remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    Ok(format!("customers/{}/campaigns/{id}", account.id))
}

/// The campaign as the results of a mutate show it: the row that was read before, with the resources that came back.
/// `None` if one that was sent did not come back.
pub(in crate::platforms::alpha) fn answered(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    edit: &Edit,
    results: &[wire::MutateResult],
    now: Timestamp,
) -> Result<Option<PlatformCampaign>, Error> {
    let campaign = results.iter().find_map(|result| result.campaign.as_deref());
    let budget = results.iter().find_map(|result| result.campaign_budget.as_deref());
    if edit.campaign.is_some() != campaign.is_some() || edit.budget.is_some() != budget.is_some() {
        return Ok(None);
    }
    let row = merged(&current.raw, changes, campaign, budget).map_err(|error| unreadable(Platform::Alpha, error))?;
    let seen = super::campaign(account, &row)?;
    let has_ended = seen.status == CampaignStatus::Active && seen.end_at.is_some_and(|end| end < now);
    Ok(Some(PlatformCampaign { status: if has_ended { CampaignStatus::Ended } else { seen.status }, ..seen }))
}

/// The row with the fields that came back. What is not set does not come back, such as an end that was cleared, and the
/// primary status and its reasons may have changed with the switch or the dates: they are removed rather than kept stale.
fn merged(
    row: &str,
    changes: &CampaignChanges,
    campaign: Option<&RawValue>,
    budget: Option<&RawValue>,
) -> serde_json::Result<String> {
    let mut row: BTreeMap<String, RawObject> = serde_json::from_str(row)?;
    let mut stale = Vec::new();
    if changes.status.is_some() || changes.start_at.is_some() || changes.end_at.is_some() {
        stale.extend(["primaryStatus", "primaryStatusReasons"]);
    }
    if changes.end_at.is_some() {
        stale.push("endDateTime");
    }
    for (name, returned) in [("campaign", campaign), ("campaignBudget", budget)] {
        let Some(returned) = returned else { continue };
        let resource = row.entry(name.to_owned()).or_insert(RawObject::parse("{}")?);
        resource.remove(&stale);
        resource.set(&returned)?;
    }
    serde_json::to_string(&row)
}

#[cfg(test)]
mod tests;
