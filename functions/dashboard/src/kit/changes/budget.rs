//! Budgets in changes.

use super::currency;
use crate::kit::money;
use rust_decimal::Decimal;
use shared::domain::{Action, BudgetPeriod, CampaignValues, Change, Currency, NewCampaign};

/// How a step of a monthly budget comes to its amount.
const RAISE: &str =
    "What the month had left at the start of the day, divided by its days left. Never more than twice an even share.";

/// A budget, as far as it is known.
#[derive(Clone, Copy, Default)]
pub(super) struct Budget {
    /// In major units of the campaign's currency.
    pub(super) amount: Option<Decimal>,
    period: Option<BudgetPeriod>,
}

impl Budget {
    pub(super) fn of(values: &CampaignValues) -> Budget {
        Budget { amount: values.budget_amount, period: values.budget_period }
    }

    /// The budget that an action asks for.
    pub(super) fn requested(action: &Action) -> Budget {
        match action {
            Action::Create(NewCampaign { monthly: Some(monthly), .. }) => {
                Budget { amount: Some(monthly.amount), period: Some(BudgetPeriod::Monthly) }
            }
            Action::Create(NewCampaign { draft, monthly: None, .. }) => {
                Budget { amount: Some(draft.budget_amount), period: Some(draft.budget_period) }
            }
            Action::Update(changes) => Budget { amount: changes.budget_amount, period: changes.budget_period },
            Action::Delete => Budget::default(),
        }
    }

    /// Whether an amount or a period is known.
    fn is_known(self) -> bool {
        self.amount.is_some() || self.period.is_some()
    }

    /// This budget, with the parts of another one that it does not have.
    fn or(self, other: Budget) -> Budget {
        Budget { amount: self.amount.or(other.amount), period: self.period.or(other.period) }
    }

    /// `50.00 USD a day`
    fn words(self, currency: Option<Currency>) -> String {
        match self.amount {
            Some(amount) => format!("{}{}", digits(amount, currency), self.unit(currency)),
            None => money::NO_BUDGET.to_owned(),
        }
    }

    /// ` USD a day`
    fn unit(self, currency: Option<Currency>) -> String {
        let currency = currency.map(|currency| format!(" {}", currency.code())).unwrap_or_default();
        format!("{currency}{}", money::span_of(self.period))
    }
}

/// `Budget 50.00 → 60.00 USD a day`, or `Monthly budget: 75.00 → 281.27 USD a day` for a step of one. A request with only an amount or a period keeps the other. `is_applied` says whether
/// the campaign has what was asked for.
pub(super) fn line(change: &Change, is_applied: bool) -> Option<String> {
    let requested = Budget::requested(&change.action);
    if !requested.is_known() {
        return None;
    }
    let before = change.values_before().map(Budget::of).unwrap_or_default();
    let after = if is_applied { change.after.as_ref().map(Budget::of).unwrap_or_default() } else { Budget::default() };
    let title = if change.is_step { "Monthly budget:" } else { "Budget" };
    let step = Budget { amount: None, period: change.is_step.then_some(BudgetPeriod::Daily) };
    let budget = after.or(requested).or(before).or(step);
    let currency = currency(change).or(change.is_step.then_some(change.currency));
    let to = budget.words(currency);
    if let Some(amount) = before.amount
        && before.words(currency) != to
    {
        let has_same_unit = before.unit(currency) == budget.unit(currency);
        let from = if has_same_unit { digits(amount, currency) } else { before.words(currency) };
        return Some(format!("{title} {from} → {to}"));
    }
    Some(format!("{title} {to}"))
}

/// Why a step of a monthly budget gives a day more than the day before; `None` for one that does not.
pub(super) fn reason_of_raise(change: &Change) -> Option<&'static str> {
    let before = change.values_before().and_then(|values| values.budget_amount)?;
    let to = Budget::requested(&change.action).amount.filter(|to| change.is_step && *to > before);
    to.map(|_| RAISE)
}

/// `1,234.50`
fn digits(amount: Decimal, currency: Option<Currency>) -> String {
    money::amount_text(amount, currency.map_or("", Currency::code))
}
