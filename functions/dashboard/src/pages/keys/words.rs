//! The scopes and the limit of a key in the list, in words.

use crate::kit::money;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The limit of a key, as the API lists it.
#[derive(Deserialize)]
pub(super) struct Limit {
    amounts: Vec<Listed>,
    approval: Option<Approval>,
}

#[derive(Deserialize)]
struct Approval {
    activation: bool,
    amounts: Vec<Threshold>,
}

#[derive(Deserialize)]
struct Threshold {
    currency: String,
    amount: Box<RawValue>,
}

#[derive(Deserialize)]
struct Listed {
    currency: String,
    daily: Box<RawValue>,
}

/// `campaigns, may run up to 500.00 USD a day; you approve every activation`
pub(super) fn scopes_and_limit(scopes: &[String], limit: Option<&Limit>) -> String {
    let scopes = scopes.join(", ");
    let Some(Limit { amounts, approval }) = limit else { return scopes };
    let daily = amounts.iter().map(|one| money::budget(Some(&one.daily), &one.currency, Some("DAILY")));
    let daily = daily.collect::<Vec<_>>().join(" and ");
    format!("{scopes}, may run up to {daily}{}", approval.as_ref().map(asks).unwrap_or_default())
}

/// `; you approve every activation and what adds more than 50.00 USD to a campaign in a day`
fn asks(Approval { activation, amounts }: &Approval) -> String {
    let above = amounts.iter().map(|Threshold { currency, amount }| money::amount(amount, currency));
    let above: Vec<String> = above.collect();
    let parts = [
        activation.then(|| "every activation".to_owned()),
        (!above.is_empty()).then(|| format!("what adds more than {} to a campaign in a day", above.join(" or "))),
    ];
    format!("; you approve {}", parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
}
