//! Decides whether a change may make a campaign run. Limits, approvals, dry runs, stops and waiting changes all call
//! `is_started_by`, so they agree (D86).

use super::{CampaignChanges, CampaignStatus, CampaignValues, DateChange, HeldDates};
use jiff::Timestamp;

impl CampaignValues {
    /// Whether the campaign may run after the changes although it would not run without them, now or at its start: an
    /// activation, an earlier start, and a later or no end of an ended campaign. Uncertain cases count as starting.
    pub fn is_started_by(&self, changes: &CampaignChanges, now: Timestamp) -> bool {
        let is_activated = changes.status.is_some() && self.status != CampaignStatus::Active;
        let begins = is_activated || self.is_begun_earlier_by(changes, now);
        self.is_extended_by(changes, now) || begins && may_run(changes.status.unwrap_or(self.status))
    }

    /// Whether it has ended, and has an end that lies ahead, or none, after the changes.
    fn is_extended_by(&self, changes: &CampaignChanges, now: Timestamp) -> bool {
        let is_on = changes.status.is_none_or(may_run);
        let is_ahead = |end: DateChange| end.date().is_none_or(|end| end > now);
        self.status == CampaignStatus::Ended && is_on && changes.end_at.is_some_and(is_ahead)
    }

    /// Whether its start lies ahead, and is earlier after the changes.
    fn is_begun_earlier_by(&self, changes: &CampaignChanges, now: Timestamp) -> bool {
        let (Some(had), Some(start)) = (self.start_at.filter(|start| *start > now), changes.start_at) else {
            return false;
        };
        start.date().is_none_or(|start| start < had)
    }

    /// Whether the campaign may run at a time: it is switched on, and has begun.
    pub fn runs(&self, at: Timestamp) -> bool {
        may_run(self.status) && self.start_at.is_none_or(|start| start <= at)
    }

    /// The campaign after changes at a time. A campaign that is switched on past its end has ended.
    #[must_use]
    pub fn after(&self, changes: &CampaignChanges, at: Timestamp) -> CampaignValues {
        let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
        let end_at_after = end_at.map_or(self.end_at, DateChange::date);
        let is_over = match end_at_after {
            Some(end) => end <= at,
            // A platform may report an ended campaign without its end. Then an activation counts as one.
            None => end_at.is_none() && status.is_none() && self.status == CampaignStatus::Ended,
        };
        let status = match status.unwrap_or(self.status) {
            CampaignStatus::Active | CampaignStatus::Ended if is_over => CampaignStatus::Ended,
            CampaignStatus::Ended => CampaignStatus::Active,
            other => other,
        };
        CampaignValues {
            name: name.clone().unwrap_or_else(|| self.name.clone()),
            status,
            budget_amount: budget_amount.or(self.budget_amount),
            budget_period: budget_period.or(self.budget_period),
            currency: self.currency,
            start_at: start_at.map_or(self.start_at, DateChange::date),
            end_at: end_at_after,
        }
    }

    /// The same values with the dates that the service holds, if it holds any.
    #[must_use]
    pub fn with_held(self, held: &HeldDates) -> CampaignValues {
        CampaignValues { start_at: held.start_at.or(self.start_at), end_at: held.end_at.or(self.end_at), ..self }
    }

    /// Whether the campaign runs at some time at which another one does not, by their dates: it starts earlier, or ends
    /// later.
    pub fn outlasts(&self, other: &CampaignValues, now: Timestamp) -> bool {
        let starts_earlier =
            other.start_at.is_some_and(|start| start > now && self.start_at.is_none_or(|own| own < start));
        let ends_later = other.end_at.is_some_and(|end| self.end_at.is_none_or(|own| own > end));
        starts_earlier || ends_later
    }
}

/// Whether a campaign of this status may spend.
pub(crate) fn may_run(status: CampaignStatus) -> bool {
    match status {
        CampaignStatus::Active | CampaignStatus::Unspecified => true,
        CampaignStatus::Paused
        | CampaignStatus::Ended
        | CampaignStatus::Draft
        | CampaignStatus::Archived
        | CampaignStatus::ScheduledForDeletion => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{BudgetPeriod, Currency};
    use jiff::SignedDuration;

    fn now() -> Timestamp {
        "2026-11-28T12:00:00Z".parse().unwrap()
    }

    fn hours(hours: i64) -> Timestamp {
        now() + SignedDuration::from_hours(hours)
    }

    fn values(status: CampaignStatus, start: Option<i64>, end: Option<i64>) -> CampaignValues {
        CampaignValues {
            name: "A".to_owned(),
            status,
            budget_amount: Some(50.into()),
            budget_period: Some(BudgetPeriod::Daily),
            currency: Currency::from_code("USD").unwrap(),
            start_at: start.map(hours),
            end_at: end.map(hours),
        }
    }

    fn status(status: CampaignStatus) -> CampaignChanges {
        CampaignChanges { status: Some(status), ..CampaignChanges::default() }
    }

    fn start(at: Option<i64>) -> CampaignChanges {
        let start = at.map_or(DateChange::Clear, |at| DateChange::Set(hours(at)));
        CampaignChanges { start_at: Some(start), ..CampaignChanges::default() }
    }

    fn end(at: Option<i64>) -> CampaignChanges {
        let end = at.map_or(DateChange::Clear, |at| DateChange::Set(hours(at)));
        CampaignChanges { end_at: Some(end), ..CampaignChanges::default() }
    }

    #[test]
    fn an_activation_an_earlier_start_and_a_later_end_start_a_campaign() {
        use CampaignStatus::{Active, Ended, Paused};
        let off = || status(Paused);
        for (before, changes, wakes) in [
            (values(Paused, None, None), status(Active), true),
            (values(Active, None, None), status(Active), false),
            (values(Active, None, None), off(), false),
            (values(Ended, None, Some(-1)), end(Some(1)), true),
            (values(Ended, None, Some(-1)), end(None), true),
            (values(Ended, None, Some(-1)), end(Some(-2)), false),
            (values(Ended, None, Some(-1)), CampaignChanges { status: Some(Paused), ..end(None) }, false),
            (values(Active, None, Some(1)), end(Some(2)), false),
            (values(Paused, None, Some(-1)), end(Some(1)), false),
            (values(Active, Some(9), None), start(Some(8)), true),
            (values(Active, Some(9), None), start(None), true),
            (values(Active, Some(9), None), start(Some(10)), false),
            (values(Paused, Some(9), None), start(Some(8)), false),
            (values(Active, Some(-9), None), start(Some(-8)), false),
        ] {
            assert_eq!(before.is_started_by(&changes, now()), wakes, "{before:?} {changes:?}");
        }
    }

    #[test]
    fn a_campaign_after_a_change_has_ended_if_it_is_past_its_end() {
        use CampaignStatus::{Active, Ended, Paused};
        for (before, changes, expected) in [
            (values(Ended, None, Some(-1)), end(Some(1)), Active),
            (values(Ended, None, Some(-1)), end(None), Active),
            (values(Ended, None, Some(-1)), start(Some(-5)), Ended),
            (values(Ended, None, None), status(Active), Active),
            (values(Ended, None, None), CampaignChanges::default(), Ended),
            (values(Ended, None, None), end(Some(1)), Active),
            (values(Active, None, Some(-1)), CampaignChanges::default(), Ended),
            (values(Paused, None, Some(-1)), status(Active), Ended),
            (values(Paused, None, Some(-1)), end(Some(1)), Paused),
            (values(Paused, None, None), status(Active), Active),
        ] {
            assert_eq!(before.after(&changes, now()).status, expected, "{before:?} {changes:?}");
        }
    }

    #[test]
    fn an_earlier_start_and_a_later_end_outlast() {
        let seen = values(CampaignStatus::Paused, Some(2), Some(9));
        for (start, end, outlasts) in [
            (Some(2), Some(9), false),
            (Some(3), Some(8), false),
            (Some(1), Some(9), true),
            (None, Some(9), true),
            (Some(2), Some(10), true),
            (Some(2), None, true),
        ] {
            assert_eq!(
                values(CampaignStatus::Paused, start, end).outlasts(&seen, now()),
                outlasts,
                "{start:?} {end:?}"
            );
        }
        assert!(!values(CampaignStatus::Paused, Some(1), Some(9)).outlasts(&seen, hours(3)), "its start has come");
    }
}
