//! How much a change adds to running campaigns.

use super::refusal::LimitRefusal;
use super::spender::Spender;
use crate::domain::running::may_run;
use crate::domain::{Action, BudgetPeriod, CampaignChanges, CampaignValues, Currency};
use jiff::Timestamp;
use rust_decimal::Decimal;

/// A change of a campaign as it was read.
#[derive(Clone, Copy, Debug)]
pub struct LimitedAction<'a> {
    /// The campaign before the change.
    pub before: &'a CampaignValues,
    /// What differs from it. A removal has no changes.
    pub action: &'a Action,
}

/// How much a change adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Nothing: it pauses, lowers, removes, or renames.
    Free,
    /// It raises a campaign that does not run by this amount. A later activation counts the whole budget.
    Paused(Decimal),
    /// It adds to what runs.
    Running(Addition),
}

/// An amount that a change adds to what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The budget covers the whole run of the campaign, not a day.
    pub is_lifetime: bool,
    /// The amount that is added.
    pub amount: Decimal,
    /// The whole budget after the change. An activation or a new period adds the whole.
    pub budget: Decimal,
    /// Whether it adds the whole budget.
    pub is_whole: bool,
}

/// Why the amount that a change adds is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::domain) enum Unknown {
    /// The campaign has no budget of its own, or it was not read.
    Budget,
    /// The budget is monthly.
    Monthly,
}

impl Unknown {
    pub(super) fn in_currency(self, of: &Spender, currency: Currency) -> LimitRefusal {
        match self {
            Unknown::Budget => LimitRefusal::budget_unknown(of, currency),
            Unknown::Monthly => LimitRefusal::monthly(of, currency),
        }
    }
}

impl Demand {
    /// The amount that the limit of one change is about.
    pub(super) fn amount(self) -> Decimal {
        match self {
            Demand::Free => Decimal::ZERO,
            Demand::Paused(amount) => amount,
            Demand::Running(addition) => addition.amount,
        }
    }

    pub(super) fn addition(self) -> Option<Addition> {
        match self {
            Demand::Free | Demand::Paused(_) => None,
            Demand::Running(addition) => Some(addition),
        }
    }
}

impl LimitedAction<'_> {
    /// How much the change adds. Uncertain amounts count as more, not as less.
    pub(in crate::domain) fn demand(&self, now: Timestamp) -> Result<Demand, Unknown> {
        let Action::Update(changes) = self.action else { return Ok(Demand::Free) };
        let before = self.before;
        let status = changes.status.unwrap_or(before.status);
        if before.is_started_by(changes, now) {
            let (is_lifetime, budget) = budget_after(before, changes)?;
            return Ok(Demand::Running(Addition { is_lifetime, amount: budget, budget, is_whole: true }));
        }
        if changes.budget_amount.is_none() && changes.budget_period.is_none() {
            return Ok(Demand::Free);
        }
        if is_lowered(before, changes) {
            return Ok(Demand::Free);
        }
        let (is_lifetime, budget) = budget_after(before, changes)?;
        let is_same_period = before.budget_period.is_some_and(|period| period.is_whole_run() == is_lifetime);
        let is_comparable = is_same_period && before.budget_period != Some(BudgetPeriod::Monthly);
        let had = if is_comparable { before.budget_amount } else { None };
        let amount = budget.saturating_sub(had.unwrap_or_default());
        if may_run(status) {
            Ok(Demand::Running(Addition { is_lifetime, amount, budget, is_whole: had.is_none() }))
        } else {
            Ok(Demand::Paused(amount))
        }
    }

    /// Whether the change adds nothing, now or later: it pauses, lowers, removes, or renames.
    pub fn is_free(&self, now: Timestamp) -> bool {
        self.demand(now) == Ok(Demand::Free)
    }

    /// Whether the change raises a campaign that does not run. The raise counts once somebody activates the campaign.
    fn raises_paused(&self, now: Timestamp) -> bool {
        matches!(self.demand(now), Ok(Demand::Paused(amount)) if !amount.is_zero())
    }

    /// Whether a campaign that does not run may run after the change.
    pub fn activates(&self, now: Timestamp) -> bool {
        matches!(self.action, Action::Update(changes) if self.before.is_started_by(changes, now))
    }

    /// Whether the change adds to what runs once the waiting changes are applied, each at its time and in this order.
    /// `false` for a change that adds now, which reserves that itself. Uncertain cases count as adding.
    pub fn adds_to_what_waits<'b>(
        &self,
        waiting: impl IntoIterator<Item = (&'b CampaignChanges, Timestamp)>,
        now: Timestamp,
    ) -> bool {
        let Action::Update(changes) = self.action else { return false };
        if !self.may_add_later(now) {
            return false;
        }
        // Its status applies before theirs: a pause must not hide a raise.
        let own = CampaignChanges { status: changes.status, ..CampaignChanges::default() };
        let rest = CampaignChanges { status: None, ..changes.clone() };
        let mut values = self.before.after(&own, now);
        waiting.into_iter().any(|(other, at)| {
            let at = at.max(now);
            let then = values.after(&CampaignChanges::default(), at);
            values = then.after(other, at);
            let action = &Action::Update(rest.clone().against(&values));
            then.is_started_by(other, at) && LimitedAction { before: &values, action }.adds(at)
        })
    }

    /// Whether the change may add to a campaign that another change starts later: it raises a campaign that does not
    /// run, or changes a date.
    pub fn may_add_later(&self, now: Timestamp) -> bool {
        let Action::Update(changes) = self.action else { return false };
        let is_counted = matches!(self.demand(now), Ok(Demand::Running(_)));
        !is_counted && (changes.names_date() || self.raises_paused(now))
    }

    /// Whether it adds to what runs, or may.
    fn adds(&self, now: Timestamp) -> bool {
        match self.demand(now) {
            Ok(Demand::Free | Demand::Paused(_)) => false,
            Ok(Demand::Running(addition)) => !addition.amount.is_zero(),
            Err(_) => true,
        }
    }
}

/// Whether the change lowers a budget, or leaves it, in the same period.
fn is_lowered(before: &CampaignValues, changes: &CampaignChanges) -> bool {
    match (changes.budget_period, before.budget_amount, changes.budget_amount) {
        (None, Some(had), Some(amount)) => amount <= had,
        _ => false,
    }
}

/// Whether the budget after a change covers the whole run, and its amount.
pub(super) fn budget_after(before: &CampaignValues, changes: &CampaignChanges) -> Result<(bool, Decimal), Unknown> {
    // A campaign without a budget of its own gets none by a change.
    let had = before.budget_amount.ok_or(Unknown::Budget)?;
    match changes.budget_period.or(before.budget_period) {
        None => Err(Unknown::Budget),
        Some(BudgetPeriod::Monthly) => Err(Unknown::Monthly),
        Some(period) => Ok((period.is_whole_run(), changes.budget_amount.unwrap_or(had))),
    }
}
