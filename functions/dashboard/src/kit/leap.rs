//! A budget that becomes many times what it was. That may be a typing error, which is a factor of 10 or more, or a program
//! that goes wild, so a person is told.

use crate::kit::large_budget::times;
use shared::domain::CampaignValues;

/// `10 times the budget`: the mark of a change from some values to others. Budgets of other periods are not compared.
pub(crate) fn mark(before: &CampaignValues, after: &CampaignValues) -> Option<String> {
    let is_same_period = before.budget_period == after.budget_period;
    let times = times(after.budget_amount?, before.budget_amount?).filter(|_| is_same_period)?;
    Some(format!("{times} times the budget"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::values;
    use rust_decimal::Decimal;
    use shared::domain::BudgetPeriod;

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
        assert_eq!(marked("50", "1500", BudgetPeriod::Monthly), None, "of a day and of a month");
    }
}
