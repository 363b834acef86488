//! A new campaign: checks a draft and translates it.

use super::{campaign, goal_type};
use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{AdAccount, Campaign, CampaignDraft, Goal, Micros, Platform};
use crate::error::{Error, FieldError, Kind};
use crate::platforms::capabilities::fault;
use crate::platforms::engine::create::{CreateInput, PreparedCreate};
use crate::platforms::zeta::{CAPABILITIES, api, wire};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// Shortest name (Reddit Ads API: Create Campaign).
pub(super) const MIN_NAME_CHARS: usize = 3;
/// A campaign without a start begins this much after the request, because the start has to lie in the future when it
/// arrives.
const LEAD: SignedDuration = SignedDuration::from_secs(60);

/// The platform's terms for a goal.
#[derive(Clone, Copy, Debug)]
struct Objective {
    name: &'static str,
    bid_type: &'static str,
    optimization_goal: Option<&'static str>,
    view_through: Option<&'static str>,
}

impl Objective {
    fn of(goal: Goal) -> Option<Objective> {
        let (name, bid_type, optimization_goal, view_through) = match goal {
            Goal::BrandAwareness => ("BRAND_AWARENESS", "CPM", None, None),
            Goal::Reach => ("IMPRESSIONS", "CPM", None, None),
            Goal::WebsiteTraffic => ("CLICKS", "CPC", Some("CLICKS"), None),
            Goal::Leads => ("LEAD_GENERATION", "CPC", Some("LEAD"), None),
            Goal::Sales | Goal::Conversions => {
                ("CONVERSIONS", "CPM", Some("PURCHASE"), Some("SEVEN_DAY_CLICKS_ONE_DAY_VIEW"))
            }
            // Needs the id of an app, and a draft has none.
            Goal::AppPromotion => return None,
        };
        Some(Objective { name, bid_type, optimization_goal, view_through })
    }
}

/// Checks a draft, reports all of its faults together, and translates it.
pub(in crate::platforms::zeta) fn prepare(input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
    let CreateInput { account, draft, now, .. } = *input;
    let zone = zone(account)?;
    let mut faults = CAPABILITIES.draft_faults(account, draft);
    if draft.name.chars().count() < MIN_NAME_CHARS {
        faults.push(fault("name", format!("must have at least {MIN_NAME_CHARS} characters on Reddit")));
    }
    let micros = Micros::from_amount(draft.budget_amount);
    let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok();
    let (start, end) = run(draft, &zone, now, &mut faults);
    let budget = goal_type(draft.budget_period).zip(micros);
    let (Some(objective), Some(budget), true) = (Objective::of(draft.goal), budget, faults.is_empty()) else {
        return Err(Error::fields(faults).on(Platform::Zeta));
    };
    let content = new_campaign(input, &objective, budget, start.unwrap_or(now + LEAD), end);
    let url = api::of_account(&account.id, "campaigns")?;
    PreparedCreate::new(Platform::Zeta, input, url, &wire::Data { data: content })
}

/// The start and the end of a draft, where they are given and can be held.
fn run(
    draft: &CampaignDraft,
    zone: &TimeZone,
    now: Timestamp,
    faults: &mut Vec<FieldError>,
) -> (Option<Timestamp>, Option<Timestamp>) {
    let instant = |local: Result<DateTime, MomentError>| local.and_then(|local| instant_of(local, zone));
    let start = draft.start_at.map(|moment| instant(moment.start_in(zone))).transpose();
    let start = start.map_err(|reason| faults.push(fault("start_at", reason.message()))).ok().flatten();
    let end = draft.end_at.map(|moment| instant(moment.end_in(zone))).transpose();
    let end = end.map_err(|reason| faults.push(fault("end_at", reason.message()))).ok().flatten();
    if start.is_some_and(|start| start < now) {
        faults.push(fault("start_at", "lies in the past, which Reddit does not take"));
    }
    if end.is_some_and(|end| end <= start.unwrap_or(now)) {
        faults.push(fault("end_at", "must be after start_at"));
    }
    (start, end)
}

fn new_campaign<'a>(
    input: &CreateInput<'a>,
    objective: &Objective,
    (goal_type, micros): (&'static str, Micros),
    start: Timestamp,
    end: Option<Timestamp>,
) -> wire::NewCampaign<'a> {
    wire::NewCampaign {
        name: &input.draft.name,
        invoice_label: input.marker.label(),
        objective: objective.name,
        configured_status: "PAUSED",
        is_campaign_budget_optimization: true,
        goal_type,
        goal_value: micros.0,
        start_time: format!("{start:.0}"),
        end_time: end.map(|end| format!("{end:.0}")),
        bid_strategy: "BIDLESS",
        bid_type: objective.bid_type,
        optimization_goal: objective.optimization_goal,
        view_through_conversion_type: objective.view_through,
    }
}

/// The create with the pixel that it refers to.
pub(in crate::platforms::zeta) fn with_pixel(prepared: &PreparedCreate, pixel: &str) -> Result<PreparedCreate, Error> {
    prepared.with_field(&["data", "conversion_pixel_id"], pixel)
}

/// The campaign as it was returned, with the choices of the draft.
pub(in crate::platforms::zeta) fn created(
    account: &AdAccount,
    prepared: &PreparedCreate,
    row: &RawValue,
) -> Result<Campaign, Error> {
    Ok(Campaign {
        goal: prepared.campaign.goal,
        budget_period: prepared.campaign.budget_period,
        total_spend_amount: Some(Decimal::ZERO),
        ..campaign(account, row)?
    })
}

fn zone(account: &AdAccount) -> Result<TimeZone, Error> {
    TimeZone::get(&account.time_zone).map_err(|error| {
        let message = "The ad account's time zone on Reddit is not known here, so its dates cannot be read.";
        Error::new(Kind::PlatformFailed, message).on(Platform::Zeta).caused_by(error)
    })
}
