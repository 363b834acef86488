//! The inverse of a change: what gives a campaign back the values that the change has replaced.

use super::{Action, CampaignValues, Change, ChangeState};
use crate::domain::{BudgetPeriod, CampaignChanges, CampaignStatus};

/// What undoes an applied update.
#[derive(Clone, Debug, PartialEq)]
pub struct Inverse {
    /// The values from before it.
    pub changes: CampaignChanges,
    /// The values that it has set. A campaign that has others was changed since.
    pub only_if: CampaignChanges,
}

impl Change {
    /// The inverse of an applied update; `None` if it has none. A platform takes no status back but a pause and an
    /// activation. A budget of another period, and dates, are no values that are simply set again.
    pub fn inverse(&self) -> Option<Inverse> {
        let (Action::Update(asked), Some(before), Some(after)) = (&self.action, &self.before, &self.after) else {
            return None;
        };
        if self.state != ChangeState::Applied || asked.names_date() || after.status.is_final() {
            return None;
        }
        // It may have ended a monthly budget, of which the platform's values from before say nothing.
        if asked.budget_period.is_some_and(|period| period != BudgetPeriod::Monthly) {
            return None;
        }
        let mut inverse = Inverse { changes: CampaignChanges::default(), only_if: CampaignChanges::default() };
        if asked.name.is_some() && before.name != after.name {
            inverse.changes.name = Some(before.name.clone());
            inverse.only_if.name = Some(after.name.clone());
        }
        let (switched_before, switched_after) = (before.status.switched(), after.status.switched());
        if asked.status.is_some() && switched_before != switched_after {
            inverse.changes.status = Some(former_status(switched_before)?);
            inverse.only_if.status = Some(switched_after);
        }
        if asked.names_budget() {
            inverse.add_budget(before, after)?;
        }
        (!inverse.changes.is_empty()).then_some(inverse)
    }
}

impl Inverse {
    /// Adds the former budget, if the change has set another one. `None` if it had another period, or is not known.
    fn add_budget(&mut self, before: &CampaignValues, after: &CampaignValues) -> Option<()> {
        let is_same_period = match (before.budget_period, after.budget_period) {
            (Some(before), Some(after)) => before.means(after),
            (before, after) => before == after,
        };
        if !is_same_period {
            return None;
        }
        if before.budget_amount != after.budget_amount {
            self.changes.budget_amount = Some(before.budget_amount?);
            self.changes.budget_period = named_period(before.budget_period);
            self.only_if.budget_amount = Some(after.budget_amount?);
            self.only_if.budget_period = after.budget_period;
        }
        Some(())
    }
}

/// The period that a change of the amount names: that of a month, which the service holds. Any other is the campaign's own.
pub fn named_period(period: Option<BudgetPeriod>) -> Option<BudgetPeriod> {
    period.filter(|period| *period == BudgetPeriod::Monthly)
}

/// The status that a campaign gets back. A draft becomes none again, but does not run.
fn former_status(before: CampaignStatus) -> Option<CampaignStatus> {
    match before {
        CampaignStatus::Active => Some(CampaignStatus::Active),
        CampaignStatus::Paused | CampaignStatus::Draft => Some(CampaignStatus::Paused),
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::{
        Attempt, ChangeError, ChangeId, ChangeOrigin, ChangeTarget, ConnectionId, Currency, CustomerId, DateChange,
        KeyId, Platform, Requester,
    };
    use CampaignStatus::{Active, Archived, Draft, Ended, Paused};
    use jiff::Timestamp;
    use rust_decimal::Decimal;
    use uuid::Uuid;

    pub(in crate::domain::change) fn values(
        name: &str,
        status: CampaignStatus,
        budget: (u32, BudgetPeriod),
    ) -> CampaignValues {
        CampaignValues {
            name: name.to_owned(),
            status,
            budget_amount: Some(Decimal::from(budget.0)),
            budget_period: Some(budget.1),
            currency: Currency::from_code("USD").unwrap(),
            start_at: None,
            end_at: None,
        }
    }

    fn daily(amount: u32) -> CampaignValues {
        values("Spring", Paused, (amount, BudgetPeriod::Daily))
    }

    fn with_status(status: CampaignStatus) -> CampaignValues {
        values("Spring", status, (10, BudgetPeriod::Daily))
    }

    /// An applied update that has asked for everything but dates.
    pub(in crate::domain::change) fn change(before: CampaignValues, after: CampaignValues) -> Change {
        let target = ChangeTarget {
            customer: CustomerId(Uuid::nil()),
            platform: Platform::Alpha,
            account_id: "1".to_owned(),
            connection: ConnectionId(String::new()),
            currency: before.currency,
            campaign: None,
            external_ref: None,
        };
        let requested_by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
        let origin = ChangeOrigin::new(Uuid::nil(), requested_by);
        let asked = CampaignChanges {
            name: Some(after.name.clone()),
            status: Some(after.status),
            budget_amount: after.budget_amount,
            ..CampaignChanges::default()
        };
        let (id, at) = (ChangeId::first_at(Timestamp::UNIX_EPOCH), Timestamp::UNIX_EPOCH);
        let sent = Change::immediate(id, target, origin, Action::Update(asked), Attempt { number: 1, at, until: at });
        Change { state: ChangeState::Applied, before: Some(before), after: Some(after), ..sent }
    }

    #[test]
    fn the_inverse_sets_what_differs_and_depends_on_what_was_set() {
        let renamed = change(daily(10), values("Summer", Paused, (12, BudgetPeriod::Daily)));
        let Inverse { changes, only_if } = renamed.inverse().unwrap();
        let of = |name: &str, amount: u32| CampaignChanges {
            name: Some(name.to_owned()),
            budget_amount: Some(amount.into()),
            ..CampaignChanges::default()
        };
        assert_eq!(changes, of("Spring", 10));
        assert_eq!(only_if, CampaignChanges { budget_period: Some(BudgetPeriod::Daily), ..of("Summer", 12) });
        assert_eq!(change(daily(10), daily(10)).inverse(), None, "nothing differs");
    }

    #[test]
    fn a_value_that_nobody_asked_for_stays() {
        let moved = change(daily(10), values("Summer", Active, (12, BudgetPeriod::Daily)));
        let asked = CampaignChanges { name: Some("Summer".to_owned()), ..CampaignChanges::default() };
        let renamed = Change { action: Action::Update(asked), ..moved };
        assert_eq!(renamed.inverse().unwrap().changes.field_names(), ["name"]);
    }

    #[test]
    fn a_monthly_budget_keeps_its_period_and_another_period_has_no_inverse() {
        let of = |amount, period| values("Spring", Paused, (amount, period));
        let raised = change(of(3_000, BudgetPeriod::Monthly), of(3_500, BudgetPeriod::Monthly));
        let changes = raised.inverse().unwrap().changes;
        assert_eq!(changes.budget_amount, Some(Decimal::from(3_000)));
        assert_eq!(changes.budget_period, Some(BudgetPeriod::Monthly));
        assert_eq!(change(daily(20), of(3_000, BudgetPeriod::Monthly)).inverse(), None);
        let whole = change(of(100, BudgetPeriod::Total), of(200, BudgetPeriod::Lifetime));
        assert_eq!(whole.inverse().unwrap().changes.budget_period, None, "the two names mean one period");
        let unknown = CampaignValues { budget_amount: None, ..daily(0) };
        assert_eq!(change(unknown, daily(20)).inverse(), None);
        let mut ended = change(daily(140), daily(50));
        let Action::Update(asked) = &mut ended.action else { panic!("an update") };
        asked.budget_period = Some(BudgetPeriod::Daily);
        assert_eq!(ended.inverse(), None, "140 a day may be what a monthly budget had at that moment");
    }

    #[test]
    fn an_activation_of_a_draft_is_undone_by_a_pause_and_a_removal_by_nothing() {
        let undone = |before, after| Some(change(with_status(before), with_status(after)).inverse()?.changes.status);
        assert_eq!(undone(Draft, Active), Some(Some(Paused)));
        assert_eq!(undone(Paused, Ended), Some(Some(Paused)), "it was activated past its end");
        assert_eq!(undone(Active, Paused), Some(Some(Active)));
        assert_eq!(undone(Ended, Paused), Some(Some(Active)), "it was switched on");
        assert_eq!(undone(Active, Archived), None);
    }

    #[test]
    fn only_an_applied_update_without_dates_has_an_inverse() {
        let applied = change(daily(10), daily(12));
        let error = ChangeError::default();
        for state in [
            ChangeState::Scheduled,
            ChangeState::AwaitingApproval,
            ChangeState::Sending,
            ChangeState::PartlyApplied(error.clone()),
            ChangeState::Failed(error.clone()),
            ChangeState::Canceled(None),
            ChangeState::Rejected(error),
            ChangeState::Expired,
        ] {
            assert_eq!(Change { state: state.clone(), ..applied.clone() }.inverse(), None, "{state:?}");
        }
        assert_eq!(Change { action: Action::Delete, ..applied.clone() }.inverse(), None);
        assert_eq!(Change { before: None, ..applied.clone() }.inverse(), None);
        let dated = CampaignChanges { end_at: Some(DateChange::Clear), ..CampaignChanges::default() };
        assert_eq!(Change { action: Action::Update(dated), ..applied }.inverse(), None);
    }
}
