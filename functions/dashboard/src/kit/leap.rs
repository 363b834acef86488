//! A budget that becomes many times what it was. That may be a typing error, which is a factor of 10 or more, or a program
//! that goes wild, so a person is told.

use crate::kit::large_budget::{a_day, times};
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, CampaignValues};

/// `10 times the budget`: the mark of a change from some values to others. A month counts as its days. Budgets of other
/// periods are not compared.
pub(crate) fn mark(before: &CampaignValues, after: &CampaignValues) -> Option<String> {
    let is_same_period = before.budget_period == after.budget_period;
    let (before, after) = match (of_days(before), of_days(after)) {
        (Some(before), Some(after)) => (before, after),
        _ if is_same_period => (before.budget_amount?, after.budget_amount?),
        _ => return None,
    };
    Some(format!("{} times the budget", times(after, before)?))
}

/// The budget of a day; `None` for one that is of no days.
fn of_days(values: &CampaignValues) -> Option<Decimal> {
    match values.budget_period? {
        BudgetPeriod::Daily | BudgetPeriod::Monthly => a_day(values.budget_amount?, values.budget_period),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::values;

    fn marked(before: &str, after: &str, period: BudgetPeriod) -> Option<String> {
        let of = |amount| Some(Decimal::from_str_exact(amount).unwrap());
        let before = CampaignValues { budget_amount: of(before), ..values("A") };
        mark(&before, &CampaignValues { budget_amount: of(after), budget_period: Some(period), ..before.clone() })
    }

    #[test]
    fn ten_times_the_budget_and_more_is_marked() {
        for (before, after, shown) in [
            ("50", "499.99", None),
            ("50", "500", Some("10 times the budget")),
            ("0.01", "50", Some("5,000 times the budget")),
            ("50", "539", Some("10 times the budget")),
            ("500", "50", None),
            ("0", "50", None),
        ] {
            assert_eq!(marked(before, after, BudgetPeriod::Daily).as_deref(), shown, "{before} to {after}");
        }
        let monthly = |after| marked("50", after, BudgetPeriod::Monthly);
        assert_eq!(monthly("1500"), None, "a month has many days");
        assert_eq!(monthly("15200").as_deref(), Some("10 times the budget"), "of each of its days");
        assert_eq!(marked("50", "15200", BudgetPeriod::Lifetime), None, "of a day and of a whole run");
    }
}
