//! The limit of a form as the API takes it.

use super::form::NEW_CURRENCY;
use super::{APPROVE_ABOVE, CREATES, CURRENCY, DAILY, LIFETIME, PER_CHANGE};
use crate::kit::amount::Amount;
use serde::Serialize;
use shared::envelope::query::value;

/// The fields of the ad accounts, in a form and in the API.
pub(super) const CONNECTIONS: &str = "connections";
pub(crate) const API_CONNECTIONS: &str = "spending_limit.connections";
/// The fields of boxes that are ticked.
pub(super) const APPROVE_ACTIVATION: &str = "approve_activation";
pub(super) const OTHER_CURRENCY: &str = "other_currency";

/// A limit that a form sets.
#[derive(Serialize)]
pub(crate) struct NewLimit<'a> {
    /// `None` in the limit of a user, which holds in all of its ad accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    connections: Option<Vec<&'a str>>,
    amounts: [NewAmounts<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    creates_per_day: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<NewApproval<'a>>,
}

#[derive(Serialize)]
struct NewAmounts<'a> {
    currency: &'a str,
    daily: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    lifetime: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_change: Option<Amount>,
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

/// Whether a form sets a limit. Only such a form has the field.
pub(crate) fn has_limit(form: &[(String, String)]) -> bool {
    value(form, DAILY).is_some()
}

/// The ids of the ad accounts that are ticked in a form.
pub(crate) fn ticked_connections(form: &[(String, String)]) -> impl Iterator<Item = &str> {
    form.iter().filter(|(name, _)| name == CONNECTIONS).map(|(_, id)| id.as_str())
}

/// The limit of the form of a key.
pub(crate) fn limit_of(form: &[(String, String)]) -> NewLimit<'_> {
    NewLimit { connections: Some(ticked_connections(form).collect()), ..user_limit_of(form) }
}

/// The limit of an assistant that only looks: it names the ad accounts of the form that it sees, and admits nothing.
pub(crate) fn no_change_of(form: &[(String, String)]) -> NewLimit<'_> {
    let currency = value(form, CURRENCY).map(str::trim).filter(|code| !code.is_empty()).unwrap_or(NEW_CURRENCY);
    let amounts = [NewAmounts { currency, daily: Amount::parse("0"), lifetime: None, per_change: None }];
    let connections = Some(ticked_connections(form).collect());
    NewLimit { connections, amounts, creates_per_day: Some(Amount::parse("0")), approval: None }
}

/// The limit of the form of a user. Optional fields that are empty are left to the API.
pub(crate) fn user_limit_of(form: &[(String, String)]) -> NewLimit<'_> {
    let typed = |name| value(form, name).unwrap_or_default().trim();
    let optional = |name| Some(typed(name)).filter(|text| !text.is_empty()).map(Amount::parse);
    let currency = typed(CURRENCY);
    let amounts = [NewAmounts {
        currency,
        daily: Amount::parse(typed(DAILY)),
        lifetime: optional(LIFETIME),
        per_change: optional(PER_CHANGE),
    }];
    let activation = value(form, APPROVE_ACTIVATION).is_some();
    let above = optional(APPROVE_ABOVE).map(|amount| NewThreshold { currency, amount });
    let approval =
        (activation || above.is_some()).then(|| NewApproval { activation, amounts: above.into_iter().collect() });
    NewLimit { connections: None, amounts, creates_per_day: optional(CREATES), approval }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(fields: &[(&str, &str)]) -> String {
        let form = crate::kit::form_fields::form(fields);
        serde_json::to_string(&limit_of(&form)).unwrap()
    }

    #[test]
    fn empty_fields_are_left_to_the_api() {
        let short =
            [("daily", " 50 "), ("currency", "USD"), ("lifetime", ""), ("per_change", " "), ("connections", "a")];
        assert_eq!(sent(&short), r#"{"connections":["a"],"amounts":[{"currency":"USD","daily":50}]}"#);
        let empty = r#"{"connections":[],"amounts":[{"currency":"","daily":""}]}"#;
        assert_eq!(sent(&[]), empty, "a field that is missing is refused by the API");
        let form = crate::kit::form_fields::form(&short);
        let of_user = serde_json::to_string(&user_limit_of(&form)).unwrap();
        assert_eq!(of_user, r#"{"amounts":[{"currency":"USD","daily":50}]}"#, "a user's names no ad accounts");
    }

    #[test]
    fn an_assistant_that_only_looks_has_a_limit_of_zeros() {
        let form =
            crate::kit::form_fields::form(&[("connections", "a"), ("daily", "50"), ("approve_activation", "yes")]);
        let sent = serde_json::to_string(&no_change_of(&form)).unwrap();
        let amounts = r#"[{"currency":"USD","daily":0}]"#;
        assert_eq!(sent, format!(r#"{{"connections":["a"],"amounts":{amounts},"creates_per_day":0}}"#));
    }

    #[test]
    fn every_field_is_sent_with_its_digits() {
        let form = [
            ("connections", "a"),
            ("connections", "b"),
            ("currency", "EUR"),
            ("daily", "120.50"),
            ("lifetime", "900"),
            ("per_change", "a lot"),
            ("creates_per_day", "3"),
            ("approve_activation", "yes"),
            ("approve_above", "0.10"),
        ];
        let expected = concat!(
            r#"{"connections":["a","b"],"#,
            r#""amounts":[{"currency":"EUR","daily":120.50,"lifetime":900,"per_change":"a lot"}],"#,
            r#""creates_per_day":3,"approval":{"activation":true,"amounts":[{"currency":"EUR","amount":0.10}]}}"#
        );
        assert_eq!(sent(&form), expected);
    }
}
