//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use super::campaign;
use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{AdAccount, Campaign, CampaignDraft, Goal, Marker, Micros, Platform};
use crate::error::{Error, Kind};
use crate::platforms::answers::doubtful;
use crate::platforms::capabilities::fault;
use crate::platforms::zeta::{CAPABILITIES, wire};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// Shortest name (Reddit Ads API: Create Campaign).
pub(super) const MIN_NAME_CHARS: usize = 3;
/// A start of now is sent as this much later, because it has to lie in the future when it arrives.
const LEAD: SignedDuration = SignedDuration::from_secs(60);

/// A draft that the platform can hold, in the platform's units.
#[derive(Debug)]
pub(in crate::platforms::zeta) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
    objective: Objective,
    micros: Micros,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
}

/// What stands for a goal.
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

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::zeta) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
    ) -> Result<Order<'a>, Error> {
        let zone = zone(account)?;
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        if draft.name.chars().count() < MIN_NAME_CHARS {
            faults.push(fault("name", format!("must have at least {MIN_NAME_CHARS} characters on Reddit")));
        }
        let micros = Micros::from_amount(draft.budget_amount);
        let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok();
        let instant = |local: Result<DateTime, MomentError>| local.and_then(|local| instant_of(local, &zone));
        let start = draft.start_at.map(|moment| instant(moment.start_in(&zone))).transpose();
        let start = start.map_err(|reason| faults.push(fault("start_at", reason.message()))).ok().flatten();
        let end = draft.end_at.map(|moment| instant(moment.end_in(&zone))).transpose();
        let end = end.map_err(|reason| faults.push(fault("end_at", reason.message()))).ok().flatten();
        let now = Timestamp::now();
        if start.is_some_and(|start| start < now) {
            faults.push(fault("start_at", "lies in the past, which Reddit does not take"));
        }
        if end.is_some_and(|end| end <= start.unwrap_or(now)) {
            faults.push(fault("end_at", "must be after start_at"));
        }
        match (Objective::of(draft.goal), micros) {
            (Some(objective), Some(micros)) if faults.is_empty() => {
                Ok(Order { account, draft, objective, micros, start, end })
            }
            _ => Err(Error::fields(faults).on(Platform::Zeta)),
        }
    }

    /// What is sent. Called just before it is: a start that is not given is a moment from now.
    pub(in crate::platforms::zeta) fn request(&self, pixel: &'a str, marker: &Marker) -> wire::NewCampaign<'a> {
        let start = self.start.unwrap_or_else(|| Timestamp::now() + LEAD);
        let whole_run = self.draft.budget_period.is_whole_run();
        wire::NewCampaign {
            name: &self.draft.name,
            invoice_label: marker.label(),
            objective: self.objective.name,
            configured_status: "PAUSED",
            is_campaign_budget_optimization: true,
            goal_type: if whole_run { "LIFETIME_SPEND" } else { "DAILY_SPEND" },
            goal_value: self.micros.0,
            start_time: format!("{start:.0}"),
            end_time: self.end.map(|end| format!("{end:.0}")),
            bid_strategy: "BIDLESS",
            bid_type: self.objective.bid_type,
            conversion_pixel_id: pixel,
            optimization_goal: self.objective.optimization_goal,
            view_through_conversion_type: self.objective.view_through,
        }
    }

    /// The campaign as it came back.
    pub(in crate::platforms::zeta) fn created(&self, row: Box<RawValue>) -> Result<Campaign, Error> {
        let made = campaign(self.account, &row).map_err(|error| doubtful(Platform::Zeta, &self.draft.name, error))?;
        Ok(Campaign {
            goal: Some(self.draft.goal),
            budget_period: Some(self.draft.budget_period),
            total_spend_amount: Some(Decimal::ZERO),
            ..made
        })
    }
}

fn zone(account: &AdAccount) -> Result<TimeZone, Error> {
    TimeZone::get(&account.time_zone).map_err(|error| {
        let message = "The ad account's time zone on Reddit is not known here, so its dates cannot be read.";
        Error::new(Kind::PlatformFailed, message).on(Platform::Zeta).caused_by(error)
    })
}
