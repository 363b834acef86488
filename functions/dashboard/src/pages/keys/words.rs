//! The scopes and the limit of a key in words.

use crate::kit::money::{budget_of, in_currency};
use shared::domain::spending::ApprovalRule;
use shared::domain::{BudgetPeriod, Scope, SpendingLimit};
use std::collections::BTreeSet;

/// What a scope permits.
pub(super) fn permits(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "see everything, and sync connections",
        Scope::Write => "change campaigns, connections, redirect URIs and keys",
        Scope::Billing => "open the checkout and the billing portal",
        Scope::Campaigns => "see and change campaigns, and nothing else",
        Scope::Approve => "pass on what your users approve or reject in your own product",
    }
}

/// `campaigns, may run up to 500.00 USD a day; you approve every activation`
pub(super) fn scopes_and_limit(scopes: &BTreeSet<Scope>, limit: Option<&SpendingLimit>) -> String {
    let scopes = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ");
    let Some(SpendingLimit { amounts, approval, .. }) = limit else { return scopes };
    let daily = amounts.iter().map(|one| budget_of(Some(one.daily), one.currency, Some(BudgetPeriod::Daily)));
    let daily = daily.collect::<Vec<_>>().join(" and ");
    format!("{scopes}, may run up to {daily}{}", approval.as_ref().map(asks).unwrap_or_default())
}

/// `; you approve every activation and what adds more than 50.00 USD to a campaign in a day`
fn asks(ApprovalRule { activation, amounts }: &ApprovalRule) -> String {
    let above: Vec<String> = amounts.iter().map(|(currency, amount)| in_currency(*amount, *currency)).collect();
    let parts = [
        activation.then(|| "every activation".to_owned()),
        (!above.is_empty()).then(|| format!("what adds more than {} to a campaign in a day", above.join(" or "))),
    ];
    format!("; you approve {}", parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
}
