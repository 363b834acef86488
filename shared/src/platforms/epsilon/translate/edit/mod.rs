//! A change of a campaign: the request for it, and the campaign as it then is.

use super::{found, write_budget};
use crate::platforms::epsilon::{CAPABILITIES, wire};
use crate::platforms::prelude::*;

/// One object for all changes: the platform carries them out together.
pub(in crate::platforms::epsilon) fn update<'a>(
    account: &'a AdAccount,
    current: &'a PlatformCampaign,
    changes: &'a CampaignChanges,
) -> Result<wire::CampaignUpdate<'a>, Error> {
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let update = wire::CampaignUpdate {
        id: &current.remote_id,
        ad_account_id: &account.id,
        name: changes.name.as_deref(),
        status: changes.status.map(|status| errors::writable(Platform::Epsilon, status, names)).transpose()?,
        ..wire::CampaignUpdate::default()
    };
    if changes.start_at.is_some() || changes.end_at.is_some() {
        return Err(errors::not_supported(Platform::Epsilon, "end_at", "cannot be changed"));
    }
    if changes.budget_amount.is_none() && changes.budget_period.is_none() {
        return Ok(update);
    }
    with_budget(update, current, changes)
}

/// Adds the new budget. An amount or a period without a change keeps its value.
fn with_budget<'a>(
    update: wire::CampaignUpdate<'a>,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<wire::CampaignUpdate<'a>, Error> {
    let (Some(had_amount), Some(had_period)) = (current.budget_amount, current.budget_period) else {
        return Err(errors::no_budget(Platform::Epsilon, "its ad groups have theirs"));
    };
    let (amount, period) = (changes.budget_amount.unwrap_or(had_amount), changes.budget_period.unwrap_or(had_period));
    if let Some(error) = CAPABILITIES.amount_error(amount, Some(period), current.currency) {
        return Err(Error::fields(vec![error]).on(Platform::Epsilon));
    }
    let micros = Micros::from_amount(amount);
    let micros = micros.map_err(|reason| Error::amount("budget_amount", reason).on(Platform::Epsilon))?;
    let Some((daily, lifetime)) = write_budget(period, micros) else {
        return Err(errors::not_supported(Platform::Epsilon, "budget_period", "can only be DAILY, LIFETIME or TOTAL"));
    };
    let is_switch = lifetime.is_some() && !had_period.is_whole_run();
    let end_time = is_switch.then(|| end_for(current, period)).transpose()?;
    let removed = changes.budget_period.map(|_| None);
    let (daily_spend_cap, lifetime_spend_cap) = (daily.map(Some).or(removed), lifetime.map(Some).or(removed));
    Ok(wire::CampaignUpdate { daily_spend_cap, lifetime_spend_cap, end_time, ..update })
}

/// The end to send when a daily cap becomes a lifetime cap. The platform refuses that change without an end.
fn end_for(current: &PlatformCampaign, period: BudgetPeriod) -> Result<i64, Error> {
    let no_end = || {
        let message = format!(
            "cannot become {}: the campaign has no end, and Pinterest needs one for it. Set an end on Pinterest first.",
            period.as_str()
        );
        Error::field("budget_period", message).on(Platform::Epsilon)
    };
    current.end_at.map(Timestamp::as_second).ok_or_else(no_end)
}

/// The changed campaign, as the platform returned it.
pub(in crate::platforms::epsilon) fn applied(
    account: &AdAccount,
    current: &PlatformCampaign,
    data: &RawValue,
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    let changed = found(account, data.get(), now)?.filter(|changed| changed.id == current.id);
    let other = || unreadable(Platform::Epsilon, "another campaign than the one that was changed");
    Ok(PlatformCampaign { total_spend_amount: current.total_spend_amount, ..changed.ok_or_else(other)? })
}

#[cfg(test)]
mod tests;
