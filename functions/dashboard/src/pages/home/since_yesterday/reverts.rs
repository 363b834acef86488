//! Which changes give a campaign back what it had before somebody else changed it. The records do not name what they undo,
//! so this is told by the values: it does not matter whether a person undoes, reverts, or sets the former budget by hand.

use crate::kit::effects::{after, moves_money};
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, CampaignStatus, CampaignValues, Change, KeyId, PersonId, Requester};
use std::collections::BTreeMap;

/// Who makes changes, as the page groups them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doer<'a> {
    MonthlyBudgets,
    Key(&'a KeyId),
    Person(&'a PersonId),
}

/// A change that takes back what others of a campaign did.
#[derive(Debug)]
pub(super) struct Revert<'a> {
    pub(super) by: &'a Change,
    /// The changes of one doer, oldest first.
    pub(super) of: Vec<&'a Change>,
}

impl<'a> Doer<'a> {
    /// Who has made a change.
    pub(super) fn of(change: &'a Change) -> Doer<'a> {
        match &change.requested_by {
            _ if change.is_step => Doer::MonthlyBudgets,
            Requester::ApiKey { id, .. } => Doer::Key(id),
            Requester::Person { id, .. } => Doer::Person(id),
        }
    }

    /// To whose doing a change belongs: the pauses with which a key is stopped are of the key.
    pub(super) fn answering_for(change: &'a Change) -> Doer<'a> {
        change.stops.as_ref().map_or_else(|| Doer::of(change), Doer::Key)
    }
}

/// The reverts among applied changes, which are in the order in which they were applied. Where another one has changed the
/// campaign in between, nothing is taken back.
pub(super) fn reverts<'a>(applied: impl Iterator<Item = &'a Change>) -> Vec<Revert<'a>> {
    let (mut reverts, mut last): (Vec<Revert<'a>>, BTreeMap<String, Vec<&'a Change>>) = (Vec::new(), BTreeMap::new());
    for change in applied.filter(|change| moves_money(change)) {
        let Some(campaign) = &change.campaign else { continue };
        // The changes of one doer after which nobody else has changed the campaign.
        let tail = last.entry(campaign.to_string()).or_default();
        let is_same = tail.last().is_some_and(|last| Doer::answering_for(last) == Doer::answering_for(change));
        match begins_with_what_comes_back(tail, change).filter(|_| !is_same) {
            Some(first) => reverts.push(Revert { by: change, of: tail.split_off(first) }),
            None if is_same => tail.push(change),
            None => *tail = vec![change],
        }
    }
    reverts
}

/// The place of the change before which the campaign had what a later one gives it.
fn begins_with_what_comes_back(tail: &[&Change], change: &Change) -> Option<usize> {
    let now = after(change)?;
    tail.iter().position(|earlier| earlier.before.as_ref().is_some_and(|before| money(before) == money(&now)))
}

/// What decides how much a campaign may spend.
fn money(values: &CampaignValues) -> (CampaignStatus, Option<Decimal>, Option<BudgetPeriod>) {
    (values.status, values.budget_amount, values.budget_period)
}
