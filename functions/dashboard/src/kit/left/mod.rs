//! What is left of the changes of a campaign, and who took the rest back. Only an undo takes back what others did. Any other
//! change is of who made it, also where it sets a former value: the pause of a campaign that a key activated is a pause. So
//! all that is left adds up to how the campaign differs from before.

mod track;

use crate::kit::effects::{Effect, after, between, effect, moves_money};
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{
    Action, BudgetPeriod, CampaignStatus, CampaignValues, Change, ChangeStatus, KeyId, PersonId, Requester,
};
use std::collections::BTreeMap;
use track::{Move, Piece, Track};

/// Who makes changes, as the page groups them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doer<'a> {
    MonthlyBudgets,
    Key(&'a KeyId),
    Person(&'a PersonId),
}

/// Somebody of whose changes of a campaign nothing is left.
#[derive(Debug)]
pub(crate) struct Ended<'a> {
    /// One of the changes.
    pub(crate) of: &'a Change,
    /// The change that took the last of them back; `None` if somebody did so on the platform.
    pub(crate) by: Option<&'a Change>,
}

/// What is left of the changes of a campaign.
#[derive(Debug, Default)]
pub(crate) struct Left<'a> {
    /// What changes add that are not taken back, and nothing for those that are.
    pub(crate) effects: Vec<(&'a Change, Effect)>,
    pub(crate) ended: Vec<Ended<'a>>,
    /// How what it may spend differs from before; `None` where that is not known.
    pub(crate) net: Option<Effect>,
}

type Budget = (Option<Decimal>, Option<BudgetPeriod>);

/// A campaign, as its changes are followed.
struct Followed<'a> {
    status: Track<'a, CampaignStatus>,
    budget: Track<'a, Budget>,
    /// Before the first change that counts.
    start: CampaignValues,
}

impl<'a> Doer<'a> {
    /// Who has made a change.
    pub(crate) fn of(change: &'a Change) -> Doer<'a> {
        match &change.requested_by {
            _ if change.is_step => Doer::MonthlyBudgets,
            Requester::ApiKey { id, .. } => Doer::Key(id),
            Requester::Person { id, .. } => Doer::Person(id),
        }
    }

    /// To whose doing a change belongs: the pauses with which a key is stopped are of the key.
    pub(crate) fn answering_for(change: &'a Change) -> Doer<'a> {
        change.stops.as_ref().map_or_else(|| Doer::of(change), Doer::Key)
    }
}

/// When the change was applied, or a part of it; `None` for one that is not.
pub(crate) fn applied_at(change: &Change, now: Timestamp) -> Option<Timestamp> {
    let is_applied = matches!(change.status(now), ChangeStatus::Applied | ChangeStatus::PartlyApplied);
    is_applied.then(|| change.settled_at.unwrap_or_else(|| change.created_at()))
}

/// The changes that were applied, in the order in which they were.
pub(crate) fn applied(changes: &[Change], now: Timestamp) -> Vec<&Change> {
    let mut applied: Vec<(Timestamp, &Change)> =
        changes.iter().filter_map(|change| Some((applied_at(change, now)?, change))).collect();
    applied.sort_by_key(|(at, change)| (*at, change.id));
    applied.into_iter().map(|(_, change)| change).collect()
}

/// What is left of applied changes, which are in the order in which they were applied. Only those count for which `counts`
/// says so; the earlier ones tell which values are former ones.
pub(crate) fn left<'a>(applied: &[&'a Change], counts: impl Fn(&Change) -> bool) -> Vec<Left<'a>> {
    let mut campaigns: BTreeMap<String, Vec<&Change>> = BTreeMap::new();
    for change in applied.iter().filter(|change| moves_money(change)) {
        let Some(campaign) = &change.campaign else { continue };
        campaigns.entry(campaign.to_string()).or_default().push(change);
    }
    campaigns.into_values().map(|changes| Left::of(&changes, &counts)).collect()
}

impl<'a> Left<'a> {
    /// What is left of the changes of one campaign.
    fn of(changes: &[&'a Change], counts: impl Fn(&Change) -> bool) -> Left<'a> {
        let mut left = Left::default();
        let mut followed: Option<Followed<'a>> = None;
        let (mut ended, mut unknown): (Vec<Ended<'a>>, Vec<Doer<'a>>) = (Vec::new(), Vec::new());
        for (order, change) in changes.iter().copied().enumerate() {
            let is_counted = counts(change);
            let (Some(before), Some(now)) = (&change.before, after(change)) else {
                if is_counted {
                    left.effects.push((change, Effect::Unknown));
                    unknown.push(Doer::answering_for(change));
                }
                continue;
            };
            let followed = followed.get_or_insert_with(|| Followed::new(before));
            if !is_counted {
                followed.passes(before, change);
                followed.passes(&now, change);
                continue;
            }
            followed.begin(before);
            // What differs from the change before it was set on the platform.
            let found = Move { by: None, takes_back: true, order: 2 * order };
            followed.step(found, change, before, &mut ended);
            // A step sets the budget of a day, which follows from that of the month.
            let by = (!change.is_step).then_some(change);
            let set = Move { by, takes_back: is_undo(change), order: 2 * order + 1 };
            let is_new = followed.step(set, change, &now, &mut ended);
            match by {
                None => left.effects.push((change, effect(change))),
                Some(_) if is_new => left.effects.push((change, effect(change).of_nothing())),
                Some(_) => {}
            }
        }
        left.effects.extend(followed.iter().flat_map(Followed::effects));
        left.net = followed.as_ref().map(|followed| between(&followed.start, &followed.now()));
        for one in ended {
            let doer = Doer::answering_for(one.of);
            let is_told = left.ended.iter().any(|other| Doer::answering_for(other.of) == doer);
            if !is_told && !unknown.contains(&doer) {
                left.ended.push(one);
            }
        }
        left
    }
}

/// Whether one of the changes is somebody's.
fn has(changes: &[&Change], doer: Doer<'_>) -> bool {
    changes.iter().any(|change| Doer::answering_for(change) == doer)
}

impl<'a> Followed<'a> {
    fn new(values: &CampaignValues) -> Followed<'a> {
        Followed { status: Track::new(values.status), budget: Track::new(budget(values)), start: values.clone() }
    }

    /// Notes values from before the changes that count.
    fn passes(&mut self, values: &CampaignValues, change: &Change) {
        self.status.passes(values.status);
        if sets_budget(change) {
            self.budget.passes(budget(values));
        }
    }

    /// Begins with the changes that count, of which the first has found these values.
    fn begin(&mut self, found: &CampaignValues) {
        if !self.status.has_begun() {
            self.status.passes(found.status);
            self.budget.passes(budget(found));
            self.start = found.clone();
            self.status.begin();
            self.budget.begin();
        }
    }

    /// Follows a change to these values. Whether it has set something that was no former value.
    fn step(&mut self, set: Move<'a>, change: &Change, to: &CampaignValues, ended: &mut Vec<Ended<'a>>) -> bool {
        let known = self.changes();
        let status = self.status.step(set, to.status);
        let budget = sets_budget(change) && self.budget.step(set, budget(to));
        let left = self.changes();
        let is_left = |of: &Change| has(&left, Doer::answering_for(of));
        ended.extend(known.into_iter().filter(|of| !is_left(of)).map(|of| Ended { of, by: set.by }));
        ended.retain(|one| !is_left(one.of));
        status || budget
    }

    /// The changes of which something is left.
    fn changes(&self) -> Vec<&'a Change> {
        let status = self.status.path().iter().filter_map(|piece| piece.by);
        status.chain(self.budget.path().iter().filter_map(|piece| piece.by)).collect()
    }

    /// The values that it has now.
    fn now(&self) -> CampaignValues {
        let now = CampaignChange { status: Some(self.status.now()), budget: Some(self.budget.now()) };
        now.of(&self.start)
    }

    /// What each change adds, if something of it is left, in the order of the changes.
    fn effects(&self) -> Vec<(&'a Change, Effect)> {
        let mut steps: BTreeMap<usize, (Option<&'a Change>, CampaignChange)> = BTreeMap::new();
        for Piece { by, order, to } in self.status.path() {
            steps.entry(*order).or_insert((*by, CampaignChange::default())).1.status = Some(*to);
        }
        for Piece { by, order, to } in self.budget.path() {
            steps.entry(*order).or_insert((*by, CampaignChange::default())).1.budget = Some(*to);
        }
        let (mut values, mut effects) = (self.start.clone(), Vec::new());
        for (by, change) in steps.into_values() {
            let next = change.of(&values);
            effects.extend(by.map(|by| (by, between(&values, &next))));
            values = next;
        }
        effects
    }
}

/// What is left of a change.
#[derive(Default)]
struct CampaignChange {
    status: Option<CampaignStatus>,
    budget: Option<Budget>,
}

impl CampaignChange {
    fn of(&self, values: &CampaignValues) -> CampaignValues {
        let (budget_amount, budget_period) = self.budget.unwrap_or_else(|| budget(values));
        CampaignValues { status: self.status.unwrap_or(values.status), budget_amount, budget_period, ..values.clone() }
    }
}

/// Whether a change was made as the undo of others: it depends on what they have set. So does a budget that many campaigns
/// get at once (D102), which takes back what others did only where it is a former one.
pub(crate) fn is_undo(change: &Change) -> bool {
    change.only_if.is_some() && !change.is_step
}

/// Whether a change tells the budget that people set. Others have what the platform has, which of a monthly budget is that of
/// a day.
fn sets_budget(change: &Change) -> bool {
    matches!(&change.action, Action::Update(asked) if asked.names_budget()) && !change.is_step
}

fn budget(values: &CampaignValues) -> Budget {
    (values.budget_amount, values.budget_period)
}
