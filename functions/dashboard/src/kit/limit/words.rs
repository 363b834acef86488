//! A limit in words.

use crate::kit::money::{budget_of, in_currency};
use crate::kit::text::some_of;
use shared::domain::spending::ApprovalRule;
use shared::domain::{BudgetPeriod, ConnectionId, SpendingLimit};

/// `500.00 USD a day; a person approves every activation`
pub(crate) fn limit_words(SpendingLimit { amounts, approval, .. }: &SpendingLimit) -> String {
    let daily = amounts.iter().map(|one| budget_of(Some(one.daily), one.currency, Some(BudgetPeriod::Daily)));
    let daily = daily.collect::<Vec<_>>().join(" and ");
    format!("{daily}{}", approval.as_ref().map(asks).unwrap_or_default())
}

/// The ad accounts of a limit: `Google Ads: Shop and Meta: Shop`. `names` are those of the accounts that are connected.
pub(crate) fn seen_accounts(limit: &SpendingLimit, names: &[(ConnectionId, String)]) -> String {
    let name = |id: &ConnectionId| names.iter().find(|(known, _)| known == id).map(|(_, name)| name.clone());
    let known: Vec<String> = limit.connections.iter().filter_map(name).collect();
    if known.is_empty() { "no ad account that is connected now".to_owned() } else { some_of(&known) }
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
    fn a_limit_names_the_accounts_that_are_seen() {
        let ids = ["a", "b", "c", "d", "e", "gone"].map(|id| ConnectionId(id.to_owned()));
        let names: Vec<(ConnectionId, String)> = ids[..5].iter().map(|id| (id.clone(), format!("Shop {id}"))).collect();
        let seen = |ids: &[ConnectionId]| {
            seen_accounts(&SpendingLimit { connections: ids.to_vec(), ..SpendingLimit::zero() }, &names)
        };
        assert_eq!(seen(&ids), "Shop a, Shop b, Shop c and 2 more");
        assert_eq!(
            (seen(&ids[3..]).as_str(), seen(&ids[..4]).as_str()),
            ("Shop d and Shop e", "Shop a, Shop b, Shop c and Shop d")
        );
        assert_eq!(seen(&ids[5..]), "no ad account that is connected now");
    }

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
