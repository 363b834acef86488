//! The spending limit of a key: in the list, and in the form that makes a key with one.

use crate::accounts::Connection;
use crate::amount::Amount;
use crate::layout::Layout;
use crate::money;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::envelope::query::value;

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

/// The limit of a new key.
#[derive(Serialize)]
pub(super) struct NewLimit<'a> {
    connections: Vec<&'a str>,
    amounts: [NewAmounts<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<NewApproval<'a>>,
}

/// The changes that a person approves.
#[derive(Serialize)]
struct NewApproval<'a> {
    activation: bool,
    amounts: Vec<NewThreshold<'a>>,
}

#[derive(Serialize)]
struct NewThreshold<'a> {
    currency: &'a str,
    amount: Amount,
}

#[derive(Serialize)]
struct NewAmounts<'a> {
    currency: &'a str,
    daily: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_change: Option<Amount>,
}

/// An ad account that a key may change.
pub(super) struct AccountChoice {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

/// `campaigns, may run up to 500.00 USD a day; you approve every activation`
pub(super) fn scopes_and_limit(scopes: &[String], limit: Option<&Limit>) -> String {
    let scopes = scopes.join(", ");
    let Some(Limit { amounts, approval }) = limit else { return scopes };
    let daily = amounts.iter().map(|one| money::budget(Some(&one.daily), &one.currency, Some("DAILY")));
    let daily = daily.collect::<Vec<_>>().join(" and ");
    format!("{scopes}, may run up to {daily}{}", approval.as_ref().map(asks).unwrap_or_default())
}

/// `; you approve every activation and what adds more than 50.00 USD`
fn asks(Approval { activation, amounts }: &Approval) -> String {
    let above = amounts.iter().map(|Threshold { currency, amount }| money::amount(amount, currency));
    let above: Vec<String> = above.collect();
    let parts = [
        activation.then(|| "every activation".to_owned()),
        (!above.is_empty()).then(|| format!("what adds more than {}", above.join(" or "))),
    ];
    format!("; you approve {}", parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
}

/// The limit of a form; `None` for the form of a key without one.
pub(super) fn limit_of(form: &[(String, String)]) -> Option<NewLimit<'_>> {
    let daily = value(form, "daily")?;
    let connections = form.iter().filter(|(name, _)| name == "connections").map(|(_, id)| id.as_str()).collect();
    let optional = |name| value(form, name).filter(|text| !text.trim().is_empty()).map(Amount::typed);
    let currency = value(form, "currency").unwrap_or_default().trim();
    let amounts = [NewAmounts { currency, daily: Amount::typed(daily), per_change: optional("per_change") }];
    let activation = value(form, "approve_activation").is_some();
    let above = optional("approve_above").map(|amount| NewThreshold { currency, amount });
    let approval =
        (activation || above.is_some()).then(|| NewApproval { activation, amounts: above.into_iter().collect() });
    Some(NewLimit { connections, amounts, approval })
}

/// The labels of the form's fields, by their names in the API.
pub(super) const LABELS: &[(&str, &str)] = &[
    ("spending_limit.connections", "Ad accounts"),
    ("spending_limit.amounts[0].currency", "Currency"),
    ("spending_limit.amounts[0].daily", "It may run up to, a day"),
    ("spending_limit.amounts[0].per_change", "One change may add at most"),
    ("spending_limit.approval.amounts[0].amount", "Every change that adds more than"),
];

/// The ad accounts to choose from, with those of a form that was refused.
pub(super) fn choices(connections: &[Connection], layout: &Layout) -> Vec<AccountChoice> {
    let values = layout.notice.as_ref().map(|notice| notice.values.as_slice()).unwrap_or_default();
    let is_chosen = |id: &str| values.iter().any(|(name, value)| name == "connections" && value == id);
    let choice =
        |one: &Connection| AccountChoice { id: one.id.clone(), name: one.name(), is_chosen: is_chosen(&one.id) };
    connections.iter().filter(|one| !one.remote_account_id.is_empty()).map(choice).collect()
}
