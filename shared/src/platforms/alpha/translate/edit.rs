//! A change of a campaign: its translation, and the campaign afterwards.

use super::checks::{micros, name_fault};
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignStatus, Platform};
use crate::error::{Error, FieldError, Kind};
use crate::platforms::alpha::fault::unreadable;
use crate::platforms::alpha::{NAME, query, wire};
use crate::platforms::answers;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// The operations of a change: on the campaign, on its budget, or on both at once.
#[derive(Debug)]
pub(in crate::platforms::alpha) enum Edit {
    Campaign(wire::Operation<wire::Campaign>),
    Budget(wire::Operation<wire::CampaignBudget>),
    Both(wire::Operation<wire::CampaignBudget>, wire::Operation<wire::Campaign>),
}

/// The operation that removes a campaign; its budget follows unless it is shared.
pub(in crate::platforms::alpha) fn removal(account: &AdAccount, current: &Campaign) -> Result<Edit, Error> {
    Ok(Edit::Campaign(wire::Operation::Remove { remove: resource_name(account, current)? }))
}

/// The operations for changes that differ from `current`. Its `raw` is the row that it was read from, which has the
/// budget's name, so no call is needed first.
pub(in crate::platforms::alpha) fn edit(
    account: &AdAccount,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<Edit, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period } = changes;
    if budget_period.is_some() {
        return Err(answers::not_supported(Platform::Alpha, "budget_period", "cannot be changed"));
    }
    if *status == Some(CampaignStatus::Archived) {
        if name.is_some() || budget_amount.is_some() {
            return Err(invalid("status", "cannot be combined with other changes when it removes the campaign"));
        }
        return removal(account, current);
    }
    if let Some(fault) = name.as_deref().and_then(name_fault) {
        return Err(Error::fields(vec![fault]).on(Platform::Alpha));
    }
    let campaign = campaign(account, current, name.as_deref(), *status)?;
    let budget = budget_amount.map(|amount| budget(account, current, amount)).transpose()?;
    match (budget, campaign) {
        (Some(budget), Some(campaign)) => Ok(Edit::Both(budget, campaign)),
        (Some(budget), None) => Ok(Edit::Budget(budget)),
        (None, Some(campaign)) => Ok(Edit::Campaign(campaign)),
        (None, None) => Err(Error::internal("an update without a change")),
    }
}

fn campaign(
    account: &AdAccount,
    current: &Campaign,
    name: Option<&str>,
    status: Option<CampaignStatus>,
) -> Result<Option<wire::Operation<wire::Campaign>>, Error> {
    let status = match status {
        None => None,
        Some(CampaignStatus::Active) => Some("ENABLED"),
        Some(CampaignStatus::Paused) => Some("PAUSED"),
        Some(_) => {
            return Err(answers::not_a_status(Platform::Alpha));
        }
    };
    let mask: Vec<&str> = [name.map(|_| "name"), status.map(|_| "status")].into_iter().flatten().collect();
    if mask.is_empty() {
        return Ok(None);
    }
    let update = wire::Campaign {
        resource_name: Some(resource_name(account, current)?),
        name: name.map(str::to_owned),
        status: status.map(str::to_owned),
        ..wire::Campaign::default()
    };
    Ok(Some(wire::Operation::Update { update, update_mask: mask.join(",") }))
}

fn budget(
    account: &AdAccount,
    current: &Campaign,
    amount: Decimal,
) -> Result<wire::Operation<wire::CampaignBudget>, Error> {
    let row: wire::GoogleAdsRow = serde_json::from_str(&current.raw).map_err(unreadable)?;
    let found = row.campaign_budget.unwrap_or_default();
    let prefix = format!("customers/{}/campaignBudgets/", account.id);
    let name = found.resource_name.filter(|name| name.starts_with(&prefix)).ok_or_else(no_budget)?;
    if found.explicitly_shared == Some(true) {
        return Err(shared(found.reference_count));
    }
    let micros = micros(amount, current.budget_period, account.currency);
    let micros = micros.map_err(|fault: FieldError| Error::fields(vec![fault]).on(Platform::Alpha))?;
    let micros = Some(wire::Int64(micros.0));
    let mut update = wire::CampaignBudget { resource_name: Some(name), ..wire::CampaignBudget::default() };
    let update_mask = match found.period.as_deref() {
        Some("DAILY") => {
            update.amount_micros = micros;
            "amount_micros"
        }
        Some("CUSTOM_PERIOD") => {
            update.total_amount_micros = micros;
            "total_amount_micros"
        }
        _ => return Err(no_budget()),
    };
    Ok(wire::Operation::Update { update, update_mask: update_mask.to_owned() })
}

fn shared(campaigns: Option<wire::Int64>) -> Error {
    let others =
        campaigns.filter(|count| count.0 > 1).map_or_else(String::new, |count| format!(" by {} campaigns", count.0));
    let message = format!(
        "The budget of this campaign is shared{others} on {NAME}: a change here would change the others too. \
         Change it on {NAME}, or give the campaign a budget of its own there."
    );
    Error::new(Kind::Conflict, message).on(Platform::Alpha)
}

fn no_budget() -> Error {
    let message =
        format!("{NAME} does not return the budget of this campaign in a readable form, so it was not changed.");
    Error::new(Kind::PlatformFailed, message).on(Platform::Alpha)
}

fn invalid(field: &str, message: impl Into<String>) -> Error {
    Error::field(field, message).on(Platform::Alpha)
}

fn resource_name(account: &AdAccount, current: &Campaign) -> Result<String, Error> {
    let id = query::number(&current.remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    Ok(format!("customers/{}/campaigns/{id}", account.id))
}

/// The campaign after its changes were applied.
///
/// In `raw`, each field of the result replaces the one that was read before; a result without the resource confirms the
/// fields that were sent. The primary status may have changed with the switch: it is removed where it was not returned.
pub(in crate::platforms::alpha) fn applied(
    current: &Campaign,
    changes: &CampaignChanges,
    edit: &Edit,
    results: &[wire::MutateResult],
    now: Timestamp,
) -> Result<Campaign, Error> {
    let mut row: BTreeMap<String, Object> = objects(&current.raw)?;
    if let (Some(campaign), true) = (row.get_mut("campaign"), changes.status.is_some()) {
        campaign.remove("primaryStatus");
    }
    let (campaign, budget) = match edit {
        Edit::Campaign(campaign) => (Some(campaign), None),
        Edit::Budget(budget) => (None, Some(budget)),
        Edit::Both(budget, campaign) => (Some(campaign), Some(budget)),
    };
    if let Some(campaign) = campaign {
        let returned = results.iter().find_map(|result| result.campaign.as_deref());
        merge(row.entry("campaign".to_owned()).or_default(), campaign, returned)?;
    }
    if let Some(budget) = budget {
        let returned = results.iter().find_map(|result| result.campaign_budget.as_deref());
        merge(row.entry("campaignBudget".to_owned()).or_default(), budget, returned)?;
    }
    Ok(Campaign {
        name: changes.name.clone().unwrap_or_else(|| current.name.clone()),
        status: changes.status.map_or(current.status, |status| status_after(status, current, now)),
        budget_amount: changes.budget_amount.or(current.budget_amount),
        raw: serde_json::to_string(&row).map_err(unreadable)?,
        ..current.clone()
    })
}

/// A campaign past its end has ended when it is switched on.
fn status_after(status: CampaignStatus, current: &Campaign, now: Timestamp) -> CampaignStatus {
    let over = current.end_at.is_some_and(|end| end < now);
    if status == CampaignStatus::Active && over { CampaignStatus::Ended } else { status }
}

/// A JSON object whose values stay as received.
type Object = BTreeMap<String, Box<RawValue>>;

fn objects(row: &str) -> Result<BTreeMap<String, Object>, Error> {
    serde_json::from_str(row).map_err(unreadable)
}

fn merge<R: Serialize>(
    target: &mut Object,
    sent: &wire::Operation<R>,
    returned: Option<&RawValue>,
) -> Result<(), Error> {
    let fields: Object = match (sent, returned) {
        (_, Some(returned)) => serde_json::from_str(returned.get()).map_err(unreadable)?,
        (wire::Operation::Update { update, .. }, None) => {
            let text = serde_json::to_string(update).map_err(unreadable)?;
            serde_json::from_str(&text).map_err(unreadable)?
        }
        (wire::Operation::Remove { .. }, None) => {
            Object::from([("status".to_owned(), to_raw_value("REMOVED").map_err(unreadable)?)])
        }
        (wire::Operation::Create { .. }, None) => Object::new(),
    };
    target.extend(fields);
    Ok(())
}

#[cfg(test)]
mod tests;
