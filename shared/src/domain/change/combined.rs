//! The inverse of several changes of one campaign: what gives it back the values from before the first of them.

use super::{Action, Change, ChangeState, Inverse};
use crate::domain::CampaignChanges;

/// What undoes several changes of one campaign together.
#[derive(Debug, PartialEq)]
pub enum Undoable<'a> {
    /// This does.
    By(Inverse),
    /// Nothing need be done: the campaign has the values from before them.
    Nothing,
    /// One of them has no outcome yet.
    Waits,
    /// This one has no inverse.
    Never(&'a Change),
    /// Somebody else has changed the campaign between them.
    ChangedBetween,
}

/// What undoes these changes of one campaign together. The creation of a campaign beside other changes stays, so the
/// campaign gets the values with which it was created. A value that somebody else has set between two of them is no value
/// from before them, and setting it again would be a guess.
pub fn undo_all<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Undoable<'a> {
    let mut changes: Vec<&Change> = changes.into_iter().collect();
    changes.sort_by_key(|change| (change.sent_at.unwrap_or(change.created_at()), change.id));
    if changes.iter().any(|change| change.is_open() || change.state == ChangeState::Sending) {
        return Undoable::Waits;
    }
    let (mut combined, mut created): (Option<Inverse>, Option<&Change>) = (None, None);
    for change in changes.into_iter().filter(|change| has_changed(change)) {
        if matches!(change.action, Action::Create(_)) {
            created = Some(change);
            continue;
        }
        let Some(inverse) = change.inverse() else { return Undoable::Never(change) };
        combined = match combined {
            None => Some(inverse),
            Some(earlier) => match earlier.then(inverse) {
                Some(both) => Some(both),
                None => return Undoable::ChangedBetween,
            },
        };
    }
    match (combined.map(Inverse::without_what_stays), created) {
        (Some(inverse), _) if !inverse.changes.is_empty() => Undoable::By(inverse),
        (None, Some(created)) => Undoable::Never(created),
        (_, _) => Undoable::Nothing,
    }
}

/// Whether a change has done anything to its campaign.
fn has_changed(change: &Change) -> bool {
    let is_same = change.before.is_some() && change.before == change.after;
    match change.state {
        ChangeState::Applied => !is_same,
        ChangeState::PartlyApplied(_) => true,
        ChangeState::Scheduled
        | ChangeState::AwaitingApproval
        | ChangeState::Sending
        | ChangeState::Failed(_)
        | ChangeState::Canceled(_)
        | ChangeState::Rejected(_)
        | ChangeState::Expired => false,
    }
}

impl Inverse {
    /// The inverse of two changes, given the one of the later change. `None` if the later one has not found what the
    /// earlier one has set.
    fn then(self, later: Inverse) -> Option<Inverse> {
        let (set, found) = (&self.only_if, &later.changes);
        let is_kept = set.name.is_none() || found.name.is_none() || set.name == found.name;
        let is_kept = is_kept && (set.status.is_none() || found.status.is_none() || set.status == found.status);
        let has_budgets = set.budget_amount.is_some() && found.budget_amount.is_some();
        let is_same_budget = set.budget_amount == found.budget_amount && same_period(&self, &later);
        if !is_kept || has_budgets && !is_same_budget {
            return None;
        }
        let changes = self.changes.or(later.changes);
        Some(Inverse { changes, only_if: later.only_if.or(self.only_if) })
    }

    /// The inverse without values that the campaign has had before, too.
    fn without_what_stays(mut self) -> Inverse {
        let Inverse { changes, only_if } = &mut self;
        if changes.name == only_if.name {
            (changes.name, only_if.name) = (None, None);
        }
        if changes.status == only_if.status {
            (changes.status, only_if.status) = (None, None);
        }
        if changes.budget_amount == only_if.budget_amount {
            (changes.budget_amount, changes.budget_period) = (None, None);
            (only_if.budget_amount, only_if.budget_period) = (None, None);
        }
        self
    }
}

/// Whether the budgets of both are of one period: a monthly one is named where it is set again.
fn same_period(earlier: &Inverse, later: &Inverse) -> bool {
    earlier.changes.budget_period == later.changes.budget_period
}

impl CampaignChanges {
    /// These values, with those of the other where they have none.
    fn or(self, other: CampaignChanges) -> CampaignChanges {
        let budget = if self.budget_amount.is_some() { &self } else { &other };
        let (budget_amount, budget_period) = (budget.budget_amount, budget.budget_period);
        CampaignChanges {
            name: self.name.or(other.name),
            status: self.status.or(other.status),
            budget_amount,
            budget_period,
            start_at: self.start_at.or(other.start_at),
            end_at: self.end_at.or(other.end_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::change::inverse::tests::{change, values};
    use crate::domain::{
        BudgetPeriod, CampaignDraft, CampaignStatus, CampaignValues, ChangeError, DateChange, Goal, NewCampaign,
    };
    use CampaignStatus::{Active, Paused};
    use jiff::{SignedDuration, Timestamp};
    use rust_decimal::Decimal;

    fn daily(status: CampaignStatus, amount: u32) -> CampaignValues {
        values("Spring", status, (amount, BudgetPeriod::Daily))
    }

    /// Changes of one campaign, each a second after the one before: from the first values to the last ones.
    fn chain(steps: &[(CampaignStatus, u32)]) -> Vec<Change> {
        let pairs = steps.windows(2).zip(1..);
        pairs
            .map(|(pair, second)| {
                let [(from, had), (to, has)] = pair else { panic!("two") };
                let sent_at = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second);
                Change { sent_at: Some(sent_at), ..change(daily(*from, *had), daily(*to, *has)) }
            })
            .collect()
    }

    fn by(changes: &[Change]) -> (Option<CampaignStatus>, Option<u32>, Option<CampaignStatus>, Option<u32>) {
        let Undoable::By(Inverse { changes, only_if }) = undo_all(changes) else { panic!("an inverse") };
        let amount = |amount: Option<Decimal>| amount.map(|amount| amount.to_string().parse().unwrap());
        (changes.status, amount(changes.budget_amount), only_if.status, amount(only_if.budget_amount))
    }

    #[test]
    fn the_values_from_before_the_first_come_back_if_the_last_are_there() {
        let raised = chain(&[(Active, 50), (Active, 100), (Active, 275)]);
        assert_eq!(by(&raised), (None, Some(50), None, Some(275)));
        let reversed: Vec<Change> = raised.into_iter().rev().collect();
        assert_eq!(by(&reversed), (None, Some(50), None, Some(275)), "the order of the list does not matter");
        let stopped = chain(&[(Active, 50), (Active, 275), (Paused, 275)]);
        assert_eq!(by(&stopped), (Some(Active), Some(50), Some(Paused), Some(275)), "a stop has paused it");
    }

    #[test]
    fn what_was_changed_back_stays() {
        assert_eq!(undo_all(&chain(&[(Active, 50), (Active, 275), (Active, 50)])), Undoable::Nothing);
        let activated = chain(&[(Paused, 50), (Active, 50), (Paused, 50)]);
        assert_eq!(undo_all(&activated), Undoable::Nothing, "activated, and paused by the stop");
        assert_eq!(undo_all(&[]), Undoable::Nothing);
        let failed = Change { state: ChangeState::Failed(ChangeError::default()), ..activated[0].clone() };
        assert_eq!(undo_all([&failed]), Undoable::Nothing);
    }

    #[test]
    fn a_value_of_somebody_else_between_two_changes_is_no_former_value() {
        let mut between = chain(&[(Active, 50), (Active, 100), (Active, 120), (Active, 275)]);
        between.remove(1);
        assert_eq!(undo_all(&between), Undoable::ChangedBetween);
        let mut other = chain(&[(Paused, 50), (Paused, 60), (Active, 60), (Active, 70)]);
        other.remove(1);
        assert_eq!(by(&other), (None, Some(50), None, Some(70)), "that of another field does not matter");
    }

    #[test]
    fn a_change_without_an_inverse_or_an_outcome_stops_the_undo() {
        let raised = chain(&[(Active, 50), (Active, 100), (Active, 275)]);
        let sending = Change { state: ChangeState::Sending, ..raised[1].clone() };
        assert_eq!(undo_all([&raised[0], &sending]), Undoable::Waits);
        let end = CampaignChanges { end_at: Some(DateChange::Clear), ..CampaignChanges::default() };
        let dated = Change { action: Action::Update(end), ..raised[1].clone() };
        assert_eq!(undo_all([&raised[0], &dated]), Undoable::Never(&dated));
        let partly = Change { state: ChangeState::PartlyApplied(ChangeError::default()), ..raised[1].clone() };
        assert_eq!(undo_all([&partly]), Undoable::Never(&partly));
    }

    #[test]
    fn a_created_campaign_gets_the_values_with_which_it_was_created() {
        let draft = CampaignDraft::new("A".to_owned(), Goal::Sales, Decimal::from(50), BudgetPeriod::Daily);
        let new = NewCampaign { draft, held_start_at: None, held_end_at: None, monthly: None };
        let activated = chain(&[(Paused, 50), (Active, 50)]);
        let created = Change {
            action: Action::Create(new),
            before: None,
            after: Some(daily(Paused, 50)),
            sent_at: None,
            ..activated[0].clone()
        };
        assert_eq!(by(&[created.clone(), activated[0].clone()]), (Some(Paused), None, Some(Active), None));
        assert_eq!(undo_all([&created]), Undoable::Never(&created));
    }
}
