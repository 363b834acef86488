//! What a change adds to the budgets that run, or takes from them.

use rust_decimal::Decimal;
use shared::domain::{Action, BudgetPeriod, CampaignStatus, CampaignValues, Change, ChangeState, Currency};

/// What a budget is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Span {
    Day,
    Month,
    WholeRun,
}

/// What a change does to the budgets that run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    /// What it adds, or takes.
    Sums(Vec<(Span, Currency, Decimal)>),
    /// It changes the budget of a campaign that does not run.
    Resting,
    Unknown,
}

impl Span {
    /// The period of its budgets.
    pub(crate) fn period(self) -> BudgetPeriod {
        match self {
            Span::Day => BudgetPeriod::Daily,
            Span::Month => BudgetPeriod::Monthly,
            Span::WholeRun => BudgetPeriod::Lifetime,
        }
    }
}

/// What a change does to the budgets that run: an activation adds the budget, a pause and a removal take it, and another
/// budget of a campaign that runs adds the difference. A new campaign is paused.
pub(crate) fn effect(change: &Change) -> Effect {
    if !moves_money(change) {
        return Effect::None;
    }
    let Some(before) = &change.before else { return Effect::Unknown };
    after(change).map_or(Effect::Unknown, |after| between(before, &after))
}

/// What is added from one state of a campaign to another.
pub(crate) fn between(before: &CampaignValues, after: &CampaignValues) -> Effect {
    match difference(running(before), running(after), before.currency) {
        Effect::None if before.budget_amount != after.budget_amount => Effect::Resting,
        effect => effect,
    }
}

impl Effect {
    /// What it adds to the budgets of a day; `None` if it is not about such a budget.
    pub(crate) fn a_day(&self) -> Option<(Currency, Decimal)> {
        let Effect::Sums(sums) = self else { return None };
        let mut days = sums.iter().filter(|(span, ..)| *span == Span::Day);
        let (_, currency, first) = days.next()?;
        Some((*currency, days.fold(*first, |sum, (.., amount)| sum.saturating_add(*amount))))
    }

    /// The same sums, with nothing in them.
    pub(crate) fn of_nothing(self) -> Effect {
        match self {
            Effect::Sums(sums) => {
                Effect::Sums(sums.into_iter().map(|(span, currency, _)| (span, currency, Decimal::ZERO)).collect())
            }
            Effect::None | Effect::Resting | Effect::Unknown => Effect::None,
        }
    }
}

/// Whether a change is about what its campaign may spend.
pub(crate) fn moves_money(change: &Change) -> bool {
    match &change.action {
        Action::Create(_) => false,
        Action::Update(changes) => changes.status.is_some() || changes.names_budget(),
        Action::Delete => true,
    }
}

/// The campaign after a change. Of one that is applied in part, only what was read tells what the campaign has. A removed
/// campaign does not run any more.
pub(crate) fn after(change: &Change) -> Option<CampaignValues> {
    if change.action == Action::Delete {
        let removed = |before: &CampaignValues| CampaignValues { status: CampaignStatus::Archived, ..before.clone() };
        return change.before.as_ref().map(removed);
    }
    let at = change.settled_at.unwrap_or_else(|| change.created_at());
    let planned = || change.before.as_ref().and_then(|before| change.values_after(Some(before), at));
    let planned = || if change.state == ChangeState::Applied { planned() } else { None };
    change.after.clone().or_else(planned)
}

/// The budget of a campaign that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Running {
    No,
    With(Span, Decimal),
    /// Its budget is not its own.
    Unknown,
}

fn running(values: &CampaignValues) -> Running {
    if values.status != CampaignStatus::Active {
        return Running::No;
    }
    match (values.budget_amount, values.budget_period) {
        (Some(amount), Some(BudgetPeriod::Daily)) => Running::With(Span::Day, amount),
        (Some(amount), Some(BudgetPeriod::Monthly)) => Running::With(Span::Month, amount),
        (Some(amount), Some(BudgetPeriod::Total | BudgetPeriod::Lifetime)) => Running::With(Span::WholeRun, amount),
        (_, None) | (None, _) => Running::Unknown,
    }
}

/// What is added between two states. Where one has a budget of a month, the budget of its days is the service's own
/// (D81), and only the month counts.
fn difference(before: Running, after: Running, currency: Currency) -> Effect {
    if before == after {
        return Effect::None;
    }
    let mut sums = Vec::new();
    for (running, is_after) in [(before, false), (after, true)] {
        match running {
            Running::No => {}
            Running::Unknown => return Effect::Unknown,
            Running::With(span, amount) => sums.push((span, currency, if is_after { amount } else { -amount })),
        }
    }
    if sums.iter().any(|(span, ..)| *span == Span::Month) {
        sums.retain(|(span, ..)| *span != Span::Day);
    }
    Effect::Sums(sums)
}
