//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use crate::domain::moment::instant_of;
use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Goal, Micros, Moment, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::capabilities::fault;
use crate::platforms::epsilon::client::number;
use crate::platforms::epsilon::fault::unreadable;
use crate::platforms::epsilon::{CAPABILITIES, NAME, wire};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// A draft that the platform can hold, in the platform's units.
#[derive(Debug)]
pub(in crate::platforms::epsilon) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
    objective: &'static str,
    micros: Micros,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
}

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::epsilon) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
    ) -> Result<Order<'a>, Error> {
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        let objective = objective(draft.goal);
        let micros = Micros::from_amount(draft.budget_amount);
        let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok();
        let zone = TimeZone::get(&account.time_zone).unwrap_or(TimeZone::UTC);
        let start = draft.start_at.map(|moment| second("start_at", moment, Edge::Start, &zone)).transpose();
        let start = start.map_err(|fault| faults.push(fault)).ok().flatten();
        let end = draft.end_at.map(|moment| second("end_at", moment, Edge::End, &zone)).transpose();
        let end = end.map_err(|fault| faults.push(fault)).ok().flatten();
        if start.zip(end).is_some_and(|(start, end)| end <= start) {
            faults.push(fault("end_at", "must be after start_at"));
        }
        match (objective, micros) {
            (Some(objective), Some(micros)) if faults.is_empty() => {
                Ok(Order { account, draft, objective, micros, start, end })
            }
            _ => Err(Error::fields(faults).on(Platform::Epsilon)),
        }
    }

    /// What is sent. The status is always said, because a campaign without one is switched on.
    pub(in crate::platforms::epsilon) fn request(&self) -> wire::CampaignCreate<'a> {
        let whole_run = self.draft.budget_period.is_whole_run();
        let micros = Some(self.micros.0);
        wire::CampaignCreate {
            ad_account_id: &self.account.id,
            name: &self.draft.name,
            objective_type: self.objective,
            status: "PAUSED",
            is_campaign_budget_optimization: true,
            daily_spend_cap: micros.filter(|_| !whole_run),
            lifetime_spend_cap: micros.filter(|_| whole_run),
            start_time: self.start.map(Timestamp::as_second),
            end_time: self.end.map(Timestamp::as_second),
        }
    }

    /// The campaign that the platform's object is about. The id is all that it has to say; what else can be read
    /// from it are the times that the platform chose itself.
    pub(in crate::platforms::epsilon) fn created(&self, data: &RawValue) -> Result<Campaign, Error> {
        let named: wire::Named = serde_json::from_str(data.get()).map_err(unreadable)?;
        let remote_id = named.id.filter(|id| number(id).is_some());
        let remote_id = remote_id.ok_or_else(|| unreadable("a new campaign without an id"))?;
        // The time of creation is of no use to this one: a new campaign is paused, never ended.
        let read = super::found(self.account, data.get(), Timestamp::MIN).ok().flatten();
        let (start_at, created_at, updated_at) =
            read.map_or((None, None, None), |read| (read.start_at, read.created_at, read.updated_at));
        Ok(Campaign {
            id: CampaignId::new(Platform::Epsilon, &self.account.id, &remote_id),
            account_id: self.account.id.clone(),
            remote_id,
            name: self.draft.name.clone(),
            status: CampaignStatus::Paused,
            goal: Some(self.draft.goal),
            budget_amount: Some(self.draft.budget_amount),
            budget_period: Some(self.draft.budget_period),
            currency: self.account.currency,
            total_spend_amount: Some(Decimal::ZERO),
            start_at: self.start.or(start_at),
            end_at: self.end,
            created_at,
            updated_at,
            raw: data.get().to_owned(),
        })
    }
}

/// The platform's objective for a goal. `APP_INSTALL` is not sent: it needs the id of an app, which a draft has not.
fn objective(goal: Goal) -> Option<&'static str> {
    match goal {
        Goal::BrandAwareness | Goal::Reach => Some("AWARENESS"),
        Goal::WebsiteTraffic => Some("CONSIDERATION"),
        Goal::Sales | Goal::Conversions => Some("SALES"),
        Goal::Leads => Some("LEADS"),
        Goal::AppPromotion => None,
    }
}

/// Which end of a day is meant.
enum Edge {
    Start,
    End,
}

/// An instant that the platform can hold: a whole second after 1970. Only a plain date needs the account's zone: an
/// instant goes out as it is, also in the hour that the zone repeats.
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
