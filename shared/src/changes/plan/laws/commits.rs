//! Of two plans from the same facts at most one is stored, unless they have nothing in common.

use super::random::{by, request, spending};
use super::*;
use crate::changes::edits::only_stops;
use crate::domain::spending::Spender;
use crate::domain::{Connection, Requester};
use std::collections::{HashMap, HashSet};

/// What plans move, each part under the condition that nobody has moved it since it was read.
#[derive(Clone, Debug)]
struct Stored {
    revision: i64,
    /// The versions of spendings.
    versions: HashMap<Spender, i64>,
    /// The changes that have had the turn of the campaign.
    turns: i64,
    /// Changes that do not wait any more.
    begun: HashSet<ChangeId>,
}

impl Stored {
    /// As two requests have read it.
    fn of(all: [&Facts; 2]) -> Stored {
        let states = || all.into_iter().filter_map(|facts| facts.spending.as_ref());
        let spendings = || states().flat_map(|state| state.spendings.iter());
        Stored {
            revision: all[0].record.revision,
            versions: spendings().map(|spending| (spending.spender.clone(), spending.version)).collect(),
            turns: states().map(|state| state.turn.count).next().unwrap_or_default(),
            begun: HashSet::new(),
        }
    }

    /// Stores a plan, unless something that it moves has moved.
    fn commit(&mut self, Planned { request, facts, plan }: &Planned<'_>) -> bool {
        let mut after = self.clone();
        let mut begins: Vec<&Change> = Vec::new();
        if plan.change.is_some() {
            begins.extend(&request.pending);
        }
        if plan.changes_record(facts) {
            begins.extend(plan.cancel.iter().map(|(change, _)| change));
            after.revision = plan.record.revision;
            if self.revision != facts.record.revision {
                return false;
            }
        }
        for spending in plan.reserve.iter() {
            if after.versions.insert(spending.spender.clone(), spending.version + 1) != Some(spending.version) {
                return false;
            }
        }
        if let (Some(turn), Some(_)) = (plan.turn, &plan.change) {
            after.turns += 1;
            if turn.change.is_some() || turn.count != self.turns {
                return false;
            }
        }
        let is_open = begins.into_iter().all(|change| after.begun.insert(change.id));
        if is_open {
            *self = after;
        }
        is_open
    }
}

/// A request with its plan.
struct Planned<'a> {
    request: &'a ChangeRequest<'a>,
    facts: &'a Facts,
    plan: ChangePlan,
}

/// What only one of two plans may touch.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Touched {
    RecordWriter,
    Spending(Spender),
    /// What runs, under a limit: that was decided on as it was read.
    Running,
    Change(ChangeId),
}

impl Planned<'_> {
    fn touched(&self) -> HashSet<Touched> {
        let Planned { request, facts, plan } = self;
        let changes = plan.cancel.iter().map(|(change, _)| change).chain(&plan.store);
        let changes = changes.chain(&plan.change).chain(&request.pending).map(|change| Touched::Change(change.id));
        let record = (plan.record != facts.record).then_some(Touched::RecordWriter);
        let spendings = plan.reserve.iter().map(|spending| Touched::Spending(spending.spender.clone()));
        let is_limited = facts.spending.is_some() && plan.send.as_ref().is_some_and(|send| !only_stops(send));
        let runs = (is_limited && plan.verdict == Verdict::Now).then_some(Touched::Running);
        changes.chain(record).chain(spendings).chain(runs).collect()
    }
}

/// The same facts for a request of somebody else, who may have a limit too.
fn of_another(numbers: &mut TestRandom, connection: &Connection, by: &Requester, facts: &Facts) -> Facts {
    let turn = facts.spending.as_ref().map(|state| state.turn);
    let spending = spending(numbers, connection, by);
    let spending = spending.map(|state| SpendingState { turn: turn.unwrap_or(state.turn), ..state });
    Facts { spending, ..facts.clone() }
}

#[test]
fn of_two_plans_from_the_same_facts_at_most_one_is_stored() {
    for_all(2_000, |numbers, first, facts| {
        let somebody = by(numbers);
        let (other_by, other_facts) = if somebody == first.origin.requested_by || numbers.once_in(2) {
            (first.origin.requested_by.clone(), facts.clone())
        } else {
            let other = of_another(numbers, first.connection, &somebody, facts);
            (somebody, other)
        };
        let second = request(numbers, first.connection, &other_by);
        let attempt = next_attempt(numbers, &second, &other_facts);
        let second = attempt.as_ref().unwrap_or(&second);
        let (Ok(one), Ok(two)) = (plan(first, facts), plan(second, &other_facts)) else { return false };
        // What waits for a person is stored under a condition of its own.
        if one.verdict == Verdict::AwaitsApproval || two.verdict == Verdict::AwaitsApproval {
            return false;
        }
        let one = Planned { request: first, facts, plan: one };
        let two = Planned { request: second, facts: &other_facts, plan: two };
        let (touched, also) = (one.touched(), two.touched());
        let common: Vec<&Touched> = touched.intersection(&also).collect();
        for [first, second] in [[&one, &two], [&two, &one]] {
            let mut stored = Stored::of([facts, &other_facts]);
            let are_both = stored.commit(first) && stored.commit(second);
            assert!(!are_both || common.is_empty(), "{common:?} of {:#?} and {:#?}", one.plan, two.plan);
        }
        !common.is_empty()
    });
}
