//! A change of a campaign: what is sent for it, and the campaign as it then is.

use super::SpendCap;
use crate::domain::{AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignStatus, Micros, Platform};
use crate::error::{Error, Kind};
use crate::platforms::answers;
use crate::platforms::epsilon::fault::unreadable;
use crate::platforms::epsilon::{CAPABILITIES, NAME, wire};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// The update that archives a campaign: the platform has no operation that removes one.
pub(in crate::platforms::epsilon) fn archival<'a>(
    account: &'a AdAccount,
    current: &'a Campaign,
) -> wire::CampaignUpdate<'a> {
    wire::CampaignUpdate { status: Some("ARCHIVED"), ..unchanged(account, current) }
}

/// One object for changes that differ from `current`: the platform carries them out together.
pub(in crate::platforms::epsilon) fn edit<'a>(
    account: &'a AdAccount,
    current: &'a Campaign,
    changes: &'a CampaignChanges,
) -> Result<wire::CampaignUpdate<'a>, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period } = changes;
    let mut update = wire::CampaignUpdate {
        name: name.as_deref(),
        status: status.map(status_name).transpose()?,
        ..unchanged(account, current)
    };
    if budget_amount.is_none() && budget_period.is_none() {
        return Ok(update);
    }
    let (micros, period, cap) = budget(current, *budget_amount, *budget_period)?;
    update.end_time = end_of_switch(current, period, cap)?.map(Timestamp::as_second);
    let (set, other) = match cap {
        SpendCap::Daily => (&mut update.daily_spend_cap, &mut update.lifetime_spend_cap),
        SpendCap::Lifetime => (&mut update.lifetime_spend_cap, &mut update.daily_spend_cap),
    };
    *set = Some(Some(micros.0));
    if budget_period.is_some() {
        *other = Some(None);
    }
    Ok(update)
}

/// The campaign after its changes were carried out, as the platform sent it back.
pub(in crate::platforms::epsilon) fn applied(
    account: &AdAccount,
    current: &Campaign,
    data: &RawValue,
    now: Timestamp,
) -> Result<Campaign, Error> {
    let changed = super::found(account, data.get(), now)?.filter(|changed| changed.id == current.id);
    let changed = changed.ok_or_else(|| unreadable("another campaign than the one that was changed"))?;
    Ok(Campaign { total_spend_amount: current.total_spend_amount, ..changed })
}

fn unchanged<'a>(account: &'a AdAccount, current: &'a Campaign) -> wire::CampaignUpdate<'a> {
    wire::CampaignUpdate { id: &current.remote_id, ad_account_id: &account.id, ..wire::CampaignUpdate::default() }
}

fn status_name(status: CampaignStatus) -> Result<&'static str, Error> {
    match status {
        CampaignStatus::Active => Ok("ACTIVE"),
        CampaignStatus::Paused => Ok("PAUSED"),
        CampaignStatus::Archived => Ok("ARCHIVED"),
        CampaignStatus::Ended
        | CampaignStatus::Draft
        | CampaignStatus::ScheduledForDeletion
        | CampaignStatus::Unspecified => Err(answers::not_a_status(Platform::Epsilon)),
    }
}

/// The new budget. An amount or a period without a change keeps its value.
fn budget(
    current: &Campaign,
    amount: Option<Decimal>,
    period: Option<BudgetPeriod>,
) -> Result<(Micros, BudgetPeriod, SpendCap), Error> {
    let (Some(had_amount), Some(had_period)) = (current.budget_amount, current.budget_period) else {
        let message = format!(
            "This campaign has no budget of its own on {NAME}: its ad groups have theirs. Change those on {NAME}."
        );
        return Err(Error::new(Kind::Conflict, message).on(Platform::Epsilon));
    };
    let (amount, period) = (amount.unwrap_or(had_amount), period.unwrap_or(had_period));
    let Some(cap) = SpendCap::of(period) else {
        return Err(answers::not_supported(Platform::Epsilon, "budget_period", "can only be DAILY, LIFETIME or TOTAL"));
    };
    if let Some(fault) = CAPABILITIES.amount_fault(amount, Some(period), current.currency) {
        return Err(Error::fields(vec![fault]).on(Platform::Epsilon));
    }
    let micros = Micros::from_amount(amount);
    let micros = micros.map_err(|reason| Error::amount("budget_amount", reason).on(Platform::Epsilon))?;
    Ok((micros, period, cap))
}

/// The end to send when a daily cap becomes a lifetime cap. The platform refuses that change for a campaign without an
/// end.
fn end_of_switch(current: &Campaign, period: BudgetPeriod, cap: SpendCap) -> Result<Option<Timestamp>, Error> {
    if cap == SpendCap::Daily || current.budget_period.and_then(SpendCap::of) == Some(SpendCap::Lifetime) {
        return Ok(None);
    }
    let no_end = || {
        let message = format!(
            "cannot become {}: the campaign has no end, and {NAME} needs one for it. Set an end on {NAME} first.",
            period.as_str()
        );
        Error::field("budget_period", message).on(Platform::Epsilon)
    };
    current.end_at.ok_or_else(no_end).map(Some)
}

#[cfg(test)]
mod tests;
