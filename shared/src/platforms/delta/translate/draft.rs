//! A new campaign: checks a draft, translates it, and completes the created campaign.

use super::{budget_fields, immediate_start, instant, money};
use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{Campaign, CampaignDraft, Goal, Moment, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::capabilities::fault;
use crate::platforms::delta::{CAPABILITIES, api, query, wire};
use crate::platforms::engine::create::{CreateInput, PreparedCreate};
use crate::platforms::settings;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// Automatic bidding is billed by impressions for every target: live rows have MAX_CLICK with CPM (recorded, 2023-10),
/// and public integrations send that. CPC with MAX_CLICK is not verified.
const COST_TYPE: &str = "CPM";

/// The platform's terms for a goal: the objective, and the target of the automatic bidding.
///
/// Without a target the platform's default is manual bidding, which needs a bid: with none the campaign is RUNNABLE and
/// is never shown. Third parties report this (2026-11); it is not verified. A target spends no more than the budget.
#[derive(Clone, Copy, Debug)]
struct Objective {
    kind: &'static str,
    target: &'static str,
}

impl Objective {
    fn of(goal: Goal) -> Option<Objective> {
        let (kind, target) = match goal {
            Goal::BrandAwareness => ("BRAND_AWARENESS", "MAX_IMPRESSION"),
            Goal::Reach => ("BRAND_AWARENESS", "MAX_REACH"),
            Goal::WebsiteTraffic => ("WEBSITE_VISIT", "MAX_CLICK"),
            Goal::Leads => ("LEAD_GENERATION", "MAX_CLICK"),
            Goal::Sales | Goal::Conversions => ("WEBSITE_CONVERSION", "MAX_CLICK"),
            Goal::AppPromotion => return None,
        };
        Some(Objective { kind, target })
    }
}

/// Checks a draft, reports all of its faults together, and translates it.
pub(in crate::platforms::delta) fn prepare(input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
    let CreateInput { account, draft, .. } = *input;
    let mut faults = CAPABILITIES.draft_faults(account, draft);
    let schedule = schedule(draft, input.now, &mut faults);
    // The fault of the amount may be in the list already.
    let money = money(draft.budget_amount, Some(draft.budget_period), account.currency);
    let money = money.map_err(|fault| (!faults.contains(&fault)).then(|| faults.push(fault))).ok();
    let budget = money.and_then(|money| budget_fields(draft.budget_period, money));
    let (Some(objective), Some(budget), true) = (Objective::of(draft.goal), budget, faults.is_empty()) else {
        return Err(Error::fields(faults).on(Platform::Delta));
    };
    let url = api::address(&query::within(&account.id, "adCampaigns")?);
    let campaign = new_campaign(input, objective, budget, schedule);
    let mut prepared = PreparedCreate::new(Platform::Delta, input, url, &campaign)?;
    prepared.campaign.start_at = instant(schedule.start);
    prepared.campaign.end_at = schedule.end.and_then(instant);
    Ok(prepared)
}

/// The start and the end of a draft. A campaign without a start begins a little after `now`.
fn schedule(draft: &CampaignDraft, now: Timestamp, faults: &mut Vec<FieldError>) -> wire::RunSchedule {
    let start = draft.start_at.map(|moment| utc("start_at", moment, Moment::start_in)).transpose();
    let start = start.map_err(|fault| faults.push(fault)).ok().flatten();
    let end = draft.end_at.map(|moment| utc("end_at", moment, Moment::end_in)).transpose();
    let end = end.map_err(|fault| faults.push(fault)).ok().flatten();
    if start.is_some_and(|start| start < now) {
        faults.push(fault("start_at", "must not have passed; leave it out to start now"));
    }
    let start = start.map_or_else(|| immediate_start(now), Timestamp::as_millisecond);
    let end = end.map(Timestamp::as_millisecond);
    if end.is_some_and(|end| end <= start) {
        faults.push(fault("end_at", "must be after the start"));
    }
    wire::RunSchedule { start, end }
}

/// The request states each choice that the platform would otherwise make itself: the campaign is paused, it buys no
/// placements elsewhere, and it has everything that it needs to be shown. That is the target of the bidding, the
/// associated entity, and with a total budget the pacing over the whole run, which can be set only now. Third parties
/// report this (2026-11); it is not verified, and none of it can spend more than the budget.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>
fn new_campaign<'a>(
    input: &CreateInput<'a>,
    objective: Objective,
    (daily_budget, total_budget): (Option<wire::Money>, Option<wire::Money>),
    run_schedule: wire::RunSchedule,
) -> wire::NewCampaign<'a> {
    let settings = &input.settings.delta_ads;
    wire::NewCampaign {
        account: format!("{}{}", wire::ACCOUNT_URN, input.account.id),
        name: &input.draft.name,
        kind: "SPONSORED_UPDATES",
        objective_type: objective.kind,
        cost_type: COST_TYPE,
        optimization_target_type: objective.target,
        pacing_strategy: total_budget.is_some().then_some("LIFETIME"),
        status: "PAUSED",
        daily_budget,
        total_budget,
        run_schedule,
        locale: wire::Locale { country: &settings.country, language: &settings.language },
        targeting_criteria: audience(settings),
        offsite_delivery_enabled: false,
        political_intent: &settings.political_intent,
    }
}

/// The create in a campaign group. `entity` is the page that the ad account advertises for, where it has one.
pub(in crate::platforms::delta) fn with_group(
    prepared: &PreparedCreate,
    group: &str,
    entity: Option<&str>,
) -> Result<PreparedCreate, Error> {
    let prepared = prepared.with_field(&["campaignGroup"], group)?;
    match entity {
        Some(entity) => prepared.with_field(&["associatedEntity"], entity),
        None => Ok(prepared),
    }
}

/// The campaign as it was drafted, under its id: the answer to a create contains nothing else.
pub(in crate::platforms::delta) fn created(prepared: &PreparedCreate, id: String) -> Campaign {
    let raw = format!(r#"{{"id":{id}}}"#);
    prepared.created(id, raw)
}

/// The campaign as it was read back, with the choices of the draft.
pub(in crate::platforms::delta) fn with_read_back(created: &Campaign, read: Campaign) -> Campaign {
    Campaign {
        status: created.status,
        goal: created.goal,
        budget_amount: created.budget_amount,
        budget_period: created.budget_period,
        total_spend_amount: created.total_spend_amount,
        ..read
    }
}

/// Members with the configured language in the configured place: the platform requires both.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/references/v2/ads/targeting-criteria>
fn audience(settings: &settings::Delta) -> wire::TargetingCriteria {
    let locale = format!("urn:li:locale:{}_{}", settings.language, settings.country);
    let facets = [
        ("urn:li:adTargetingFacet:locations", settings.geo.clone()),
        ("urn:li:adTargetingFacet:interfaceLocales", locale),
    ];
    let and = facets.into_iter().map(|(facet, value)| wire::AnyOf { or: BTreeMap::from([(facet, vec![value])]) });
    wire::TargetingCriteria { include: wire::AllOf { and: and.collect() } }
}

/// The instant of a moment. The platform's days are those of UTC.
fn utc(
    field: &str,
    moment: Moment,
    local: impl Fn(Moment, &TimeZone) -> Result<DateTime, MomentError>,
) -> Result<Timestamp, FieldError> {
    let local = local(moment, &TimeZone::UTC).map_err(|reason| fault(field, reason.message()))?;
    instant_of(local, &TimeZone::UTC).map_err(|reason| fault(field, reason.message()))
}

#[cfg(test)]
mod tests;
