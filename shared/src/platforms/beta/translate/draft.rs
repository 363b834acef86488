//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use super::written;
use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Goal, Moment, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::beta::money::Units;
use crate::platforms::beta::{CAPABILITIES, NAME, wire};
use crate::platforms::capabilities::fault;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use rust_decimal::Decimal;

/// A draft that the platform can hold, in the platform's units.
#[derive(Debug)]
pub(in crate::platforms::beta) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
    budget: Units,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
}

/// Objectives of new campaigns (Marketing API: Campaign, `objective`).
fn objective(goal: Goal) -> &'static str {
    match goal {
        Goal::BrandAwareness | Goal::Reach => "OUTCOME_AWARENESS",
        Goal::WebsiteTraffic => "OUTCOME_TRAFFIC",
        Goal::Leads => "OUTCOME_LEADS",
        Goal::Sales | Goal::Conversions => "OUTCOME_SALES",
        Goal::AppPromotion => "OUTCOME_APP_PROMOTION",
    }
}

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::beta) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
    ) -> Result<Order<'a>, Error> {
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        if draft.name.trim().is_empty() {
            faults.push(fault("name", "must not be blank"));
        }
        let budget = Units::of_budget(draft.budget_amount, Some(draft.budget_period), account.currency);
        let budget = budget.map_err(|fault| add(&mut faults, fault)).ok();
        let start = draft.start_at.map(|moment| instant("start_at", moment, account, |day| day.at(0, 0, 0, 0)));
        let start = start.transpose().map_err(|fault| add(&mut faults, fault)).ok().flatten();
        let end = draft.end_at.map(|moment| instant("end_at", moment, account, |day| day.at(23, 59, 59, 0)));
        let end = end.transpose().map_err(|fault| add(&mut faults, fault)).ok().flatten();
        if start.zip(end).is_some_and(|(start, end)| end <= start) {
            faults.push(fault("end_at", "must be after start_at"));
        }
        match budget {
            Some(budget) if faults.is_empty() => Ok(Order { account, draft, budget, start, end }),
            _ => Err(Error::fields(faults).on(Platform::Beta)),
        }
    }

    /// What is sent. What would default to on (status) is said, and so are the special categories, which are
    /// required even when there are none.
    pub(in crate::platforms::beta) fn parameters(&self, special_ad_categories: &[String]) -> wire::CampaignParameters {
        let whole_run = self.draft.budget_period.is_whole_run();
        wire::CampaignParameters {
            name: Some(self.draft.name.clone()),
            objective: Some(objective(self.draft.goal)),
            status: Some("PAUSED"),
            special_ad_categories: Some(special_ad_categories.to_vec()),
            daily_budget: (!whole_run).then_some(self.budget),
            lifetime_budget: whole_run.then_some(self.budget),
            start_time: self.start.map(written),
            stop_time: self.end.map(written),
        }
    }

    /// The campaign that came of it: as it was ordered, with what the platform added where it was read back.
    pub(in crate::platforms::beta) fn created(&self, id: &str, read: Option<Campaign>) -> Campaign {
        let of_platform = |time: fn(&Campaign) -> Option<Timestamp>| read.as_ref().and_then(time);
        Campaign {
            id: CampaignId::new(Platform::Beta, &self.account.id, id),
            account_id: self.account.id.clone(),
            remote_id: id.to_owned(),
            name: self.draft.name.clone(),
            status: CampaignStatus::Paused,
            goal: Some(self.draft.goal),
            budget_amount: Some(self.draft.budget_amount),
            budget_period: Some(self.draft.budget_period),
            currency: self.account.currency,
            total_spend_amount: Some(Decimal::ZERO),
            start_at: self.start.or(of_platform(|campaign| campaign.start_at)),
            end_at: self.end.or(of_platform(|campaign| campaign.end_at)),
            created_at: of_platform(|campaign| campaign.created_at),
            updated_at: of_platform(|campaign| campaign.updated_at),
            // The id is of digits only.
            raw: read.map_or_else(|| format!("{{\"id\":\"{id}\"}}"), |campaign| campaign.raw),
        }
    }
}

/// Keeps a fault of a field unless that field has the same one already.
fn add(faults: &mut Vec<FieldError>, fault: FieldError) {
    if !faults.contains(&fault) {
        faults.push(fault);
    }
}

/// An instant needs no time zone, because it is sent with its offset; a day is one of the account's calendar.
fn instant(
    field: &str,
    moment: Moment,
    account: &AdAccount,
    of_day: impl Fn(Date) -> DateTime,
) -> Result<Timestamp, FieldError> {
    let refused = |reason: MomentError| fault(field, reason.message());
    match moment {
        Moment::Instant(instant) if instant.subsec_nanosecond() != 0 => Err(refused(MomentError::SubSecond)),
        Moment::Instant(instant) => Ok(instant),
        Moment::Day(day) => {
            let unknown =
                format!("must have a time with an offset: the account's time zone on {NAME} is not known here");
            let zone = TimeZone::get(&account.time_zone).map_err(|_| fault(field, unknown))?;
            instant_of(of_day(day), &zone).map_err(refused)
        }
    }
}

#[cfg(test)]
mod tests;
