//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use super::{instant, money, soon};
use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Goal, Moment, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::capabilities::fault;
use crate::platforms::delta::{CAPABILITIES, wire};
use crate::platforms::settings;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// A draft that the platform can hold, in the platform's units.
#[derive(Debug)]
pub(in crate::platforms::delta) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
    objective: Objective,
    money: wire::Money,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
}

/// Automatic bidding is billed by impressions, whatever it aims at: live rows have MAX_CLICK with CPM (recorded,
/// 2023-10), and public integrations send that. CPC with MAX_CLICK is not verified.
const COST_TYPE: &str = "CPM";

/// The form of a goal: the objective, and the target of the automatic bidding.
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

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::delta) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
        now: Timestamp,
    ) -> Result<Order<'a>, Error> {
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        let start = draft.start_at.map(|moment| utc("start_at", moment, Moment::start_in)).transpose();
        let start = start.map_err(|fault| faults.push(fault)).ok().flatten();
        let end = draft.end_at.map(|moment| utc("end_at", moment, Moment::end_in)).transpose();
        let end = end.map_err(|fault| faults.push(fault)).ok().flatten();
        if start.is_some_and(|start| start < now) {
            faults.push(fault("start_at", "must not have passed; leave it out to start now"));
        }
        let first = start.map_or_else(|| soon(now), Timestamp::as_millisecond);
        if end.is_some_and(|end| end.as_millisecond() <= first) {
            faults.push(fault("end_at", "must be after the start"));
        }
        // The fault of the amount may stand in the list already.
        let money = money(draft.budget_amount, Some(draft.budget_period), account.currency);
        let money = money.map_err(|fault| (!faults.contains(&fault)).then(|| faults.push(fault))).ok();
        match (Objective::of(draft.goal), money) {
            (Some(objective), Some(money)) if faults.is_empty() => {
                Ok(Order { account, draft, objective, money, start, end })
            }
            _ => Err(Error::fields(faults).on(Platform::Delta)),
        }
    }

    /// The campaign in a group. `now` is the start of one that has none of its own: it has to be the time of sending.
    ///
    /// The request states each choice that the platform would make itself: the campaign is off, it buys no places
    /// elsewhere, and it has all that it needs to be shown. That is the target of the bidding, `entity` (the page that
    /// the ad account advertises for; left out where it has none), and with a total budget the pacing over the whole
    /// run, which can be set only now. Third parties report this (2026-11); it is not verified, and none of it can
    /// spend more than the budget.
    ///
    /// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>
    pub(in crate::platforms::delta) fn request(
        &self,
        settings: &settings::Delta,
        group: &str,
        entity: Option<String>,
        now: Timestamp,
    ) -> wire::NewCampaign {
        let whole_run = self.draft.budget_period.is_whole_run();
        let money = Some(self.money.clone());
        wire::NewCampaign {
            account: format!("{}{}", wire::ACCOUNT_URN, self.account.id),
            campaign_group: group.to_owned(),
            name: self.draft.name.clone(),
            kind: "SPONSORED_UPDATES",
            objective_type: self.objective.kind,
            cost_type: COST_TYPE,
            optimization_target_type: self.objective.target,
            associated_entity: entity,
            pacing_strategy: whole_run.then_some("LIFETIME"),
            status: "PAUSED",
            daily_budget: money.clone().filter(|_| !whole_run),
            total_budget: money.filter(|_| whole_run),
            run_schedule: wire::RunSchedule {
                start: self.start.map_or_else(|| soon(now), Timestamp::as_millisecond),
                end: self.end.map(Timestamp::as_millisecond),
            },
            locale: wire::Locale { country: settings.country.clone(), language: settings.language.clone() },
            targeting_criteria: audience(settings),
            offsite_delivery_enabled: false,
            political_intent: settings.political_intent.clone(),
        }
    }

    /// The campaign with the id that the create answered, as it was read back; one that could not be read exists all
    /// the same.
    pub(in crate::platforms::delta) fn created(
        &self,
        id: &str,
        request: &wire::NewCampaign,
        read_back: Option<Campaign>,
    ) -> Campaign {
        let read = read_back.unwrap_or_else(|| self.unread(id, request));
        Campaign {
            status: CampaignStatus::Paused,
            goal: Some(self.draft.goal),
            budget_amount: Some(self.draft.budget_amount),
            budget_period: Some(self.draft.budget_period),
            total_spend_amount: Some(Decimal::ZERO),
            ..read
        }
    }

    fn unread(&self, id: &str, request: &wire::NewCampaign) -> Campaign {
        Campaign {
            id: CampaignId::new(Platform::Delta, &self.account.id, id),
            account_id: self.account.id.clone(),
            remote_id: id.to_owned(),
            name: self.draft.name.clone(),
            status: CampaignStatus::Paused,
            goal: None,
            budget_amount: None,
            budget_period: None,
            currency: self.account.currency,
            total_spend_amount: None,
            start_at: instant(request.run_schedule.start),
            end_at: self.end,
            created_at: None,
            updated_at: None,
            raw: format!("{{\"id\":{id}}}"),
        }
    }
}

/// Members who use the configured language in the configured place: the platform requires both.
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

/// The instant of a moment: the platform's days are those of UTC.
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
