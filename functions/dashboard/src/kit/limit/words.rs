//! A limit in words.

use crate::kit::money::{budget_of, in_currency};
use shared::domain::spending::ApprovalRule;
use shared::domain::{BudgetPeriod, SpendingLimit};

/// `500.00 USD a day; a person approves every activation`
pub(crate) fn limit_words(SpendingLimit { amounts, approval, .. }: &SpendingLimit) -> String {
    let daily = amounts.iter().map(|one| budget_of(Some(one.daily), one.currency, Some(BudgetPeriod::Daily)));
    let daily = daily.collect::<Vec<_>>().join(" and ");
    format!("{daily}{}", approval.as_ref().map(asks).unwrap_or_default())
}

/// `; a person approves every activation and what adds more than 50.00 USD to a campaign in a day`
fn asks(ApprovalRule { activation, amounts }: &ApprovalRule) -> String {
    let above: Vec<String> = amounts.iter().map(|(currency, amount)| in_currency(*amount, *currency)).collect();
    let parts = [
        activation.then(|| "every activation".to_owned()),
        (!above.is_empty()).then(|| format!("what adds more than {} to a campaign in a day", above.join(" or "))),
    ];
    format!("; a person approves {}", parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::Currency;
    use shared::domain::spending::CurrencyLimit;

    #[test]
    fn a_limit_says_what_may_run_and_what_a_person_approves() {
        let usd = Currency::from_code("USD").unwrap();
        let amounts =
            vec![CurrencyLimit { currency: usd, daily: 500.into(), lifetime: Decimal::ZERO, per_change: None }];
        let limit = SpendingLimit { amounts, ..SpendingLimit::zero() };
        assert_eq!(limit_words(&limit), "500.00 USD a day");
        let approval = Some(ApprovalRule { activation: true, amounts: vec![(usd, 50.into())] });
        assert_eq!(
            limit_words(&SpendingLimit { approval, ..limit }),
            "500.00 USD a day; a person approves every activation and what adds more than 50.00 USD to a campaign in a day"
        );
    }
}
