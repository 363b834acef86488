//! A new campaign: checks a draft, translates it, and reads the created campaign.

use super::SpendCap;
use crate::domain::moment::instant_of;
use crate::domain::{AdAccount, Campaign, CampaignDraft, Goal, Micros, Moment, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::capabilities::fault;
use crate::platforms::engine::create::{CreateInput, PreparedCreate};
use crate::platforms::epsilon::fault::unreadable;
use crate::platforms::epsilon::wire::{self, number};
use crate::platforms::epsilon::{CAPABILITIES, NAME, api};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::value::RawValue;

/// Checks a draft, reports all of its faults together, and translates it.
pub(in crate::platforms::epsilon) fn prepare(input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
    let CreateInput { account, draft, .. } = *input;
    let mut faults = CAPABILITIES.draft_faults(account, draft);
    let micros = Micros::from_amount(draft.budget_amount);
    let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok();
    let (start, end) = run(account, draft, &mut faults);
    let budget = SpendCap::of(draft.budget_period).zip(micros);
    let (Some(objective), Some((cap, micros)), true) = (objective(draft.goal), budget, faults.is_empty()) else {
        return Err(Error::fields(faults).on(Platform::Epsilon));
    };
    let create = wire::CampaignCreate {
        ad_account_id: &account.id,
        name: &draft.name,
        objective_type: objective,
        status: "PAUSED",
        is_campaign_budget_optimization: true,
        daily_spend_cap: (cap == SpendCap::Daily).then_some(micros.0),
        lifetime_spend_cap: (cap == SpendCap::Lifetime).then_some(micros.0),
        start_time: start.map(Timestamp::as_second),
        end_time: end.map(Timestamp::as_second),
    };
    // One item, although the platform takes up to thirty: an error is then about it.
    let mut prepared = PreparedCreate::new(Platform::Epsilon, input, api::campaigns(&account.id)?, &[create])?;
    (prepared.campaign.start_at, prepared.campaign.end_at) = (start, end);
    Ok(prepared)
}

/// The start and the end of a draft, where they are given and can be held.
fn run(
    account: &AdAccount,
    draft: &CampaignDraft,
    faults: &mut Vec<FieldError>,
) -> (Option<Timestamp>, Option<Timestamp>) {
    let zone = TimeZone::get(&account.time_zone).unwrap_or(TimeZone::UTC);
    let start = draft.start_at.map(|moment| second("start_at", moment, Edge::Start, &zone)).transpose();
    let start = start.map_err(|fault| faults.push(fault)).ok().flatten();
    let end = draft.end_at.map(|moment| second("end_at", moment, Edge::End, &zone)).transpose();
    let end = end.map_err(|fault| faults.push(fault)).ok().flatten();
    if start.zip(end).is_some_and(|(start, end)| end <= start) {
        faults.push(fault("end_at", "must be after start_at"));
    }
    (start, end)
}

/// Reads the new campaign. The answer has to contain its id; of the rest only the times that the platform chose count.
pub(in crate::platforms::epsilon) fn created(
    account: &AdAccount,
    prepared: &PreparedCreate,
    data: &RawValue,
) -> Result<Campaign, Error> {
    let named: wire::Named = serde_json::from_str(data.get()).map_err(unreadable)?;
    let remote_id = named.id.filter(|id| number(id).is_some());
    let remote_id = remote_id.ok_or_else(|| unreadable("a new campaign without an id"))?;
    let campaign = prepared.created(remote_id, data.get().to_owned());
    // The time decides only whether a campaign has ended, and a new one is paused.
    let Some(read) = super::found(account, data.get(), Timestamp::MIN).ok().flatten() else { return Ok(campaign) };
    let start_at = campaign.start_at.or(read.start_at);
    Ok(Campaign { start_at, created_at: read.created_at, updated_at: read.updated_at, ..campaign })
}

/// The platform's objective for a goal. `APP_INSTALL` is not sent: it needs the id of an app, and a draft has none.
fn objective(goal: Goal) -> Option<&'static str> {
    match goal {
        Goal::BrandAwareness | Goal::Reach => Some("AWARENESS"),
        Goal::WebsiteTraffic => Some("CONSIDERATION"),
        Goal::Sales | Goal::Conversions => Some("SALES"),
        Goal::Leads => Some("LEADS"),
        Goal::AppPromotion => None,
    }
}

/// An end of a day.
enum Edge {
    Start,
    End,
}

/// An instant that the platform can hold: a whole second after 1970. Only a plain date needs the account's zone: an
/// instant is sent unchanged, also in the hour that the zone repeats.
fn second(field: &str, moment: Moment, edge: Edge, zone: &TimeZone) -> Result<Timestamp, FieldError> {
    let zone = if matches!(moment, Moment::Day(_)) { zone.clone() } else { TimeZone::UTC };
    let local = match edge {
        Edge::Start => moment.start_in(&zone),
        Edge::End => moment.end_in(&zone),
    };
    let instant = local.and_then(|local| instant_of(local, &zone));
    let instant = instant.map_err(|reason| fault(field, reason.message()))?;
    if instant.as_second() <= 0 {
        return Err(fault(field, format!("must be after 1970 on {NAME}")));
    }
    Ok(instant)
}

#[cfg(test)]
mod tests;
