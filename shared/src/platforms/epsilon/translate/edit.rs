//! A change of a campaign: what is sent for it, and the campaign as it then is.

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
    wire::CampaignUpdate { status: Some("ARCHIVED"), ..nothing(account, current) }
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
        status: status.map(switch).transpose()?,
        ..nothing(account, current)
    };
    if budget_amount.is_none() && budget_period.is_none() {
        return Ok(update);
    }
    let (micros, period) = budget(current, *budget_amount, *budget_period)?;
    update.end_time = end_of_switch(current, period)?.map(Timestamp::as_second);
    let (set, other) = match period {
        BudgetPeriod::Daily => (&mut update.daily_spend_cap, &mut update.lifetime_spend_cap),
        _ => (&mut update.lifetime_spend_cap, &mut update.daily_spend_cap),
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

fn nothing<'a>(account: &'a AdAccount, current: &'a Campaign) -> wire::CampaignUpdate<'a> {
    wire::CampaignUpdate { id: &current.remote_id, ad_account_id: &account.id, ..wire::CampaignUpdate::default() }
}

fn switch(status: CampaignStatus) -> Result<&'static str, Error> {
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

/// The budget as it shall be: what is not changed of amount and period stays.
fn budget(
    current: &Campaign,
    amount: Option<Decimal>,
    period: Option<BudgetPeriod>,
) -> Result<(Micros, BudgetPeriod), Error> {
    let (Some(had_amount), Some(had_period)) = (current.budget_amount, current.budget_period) else {
        let message = format!(
            "This campaign has no budget of its own on {NAME}: its ad groups have theirs. Change those on {NAME}."
        );
        return Err(Error::new(Kind::Conflict, message).on(Platform::Epsilon));
    };
    let (amount, period) = (amount.unwrap_or(had_amount), period.unwrap_or(had_period));
    if !CAPABILITIES.budget_periods.contains(&period) {
        return Err(answers::not_supported(Platform::Epsilon, "budget_period", "can only be DAILY, LIFETIME or TOTAL"));
    }
    if let Some(fault) = CAPABILITIES.amount_fault(amount, Some(period), current.currency) {
        return Err(Error::fields(vec![fault]).on(Platform::Epsilon));
    }
    let micros = Micros::from_amount(amount);
    let micros = micros.map_err(|reason| Error::amount("budget_amount", reason).on(Platform::Epsilon))?;
    Ok((micros, period))
}

/// The end that goes along with a change from a daily cap to one for the whole run, which the platform refuses for a
/// campaign without an end.
fn end_of_switch(current: &Campaign, period: BudgetPeriod) -> Result<Option<Timestamp>, Error> {
    if !period.is_whole_run() || current.budget_period.is_some_and(BudgetPeriod::is_whole_run) {
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
