//! The form of a spending limit, with the ad accounts of the customer.

use crate::client::accounts::{self, Connection};
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::kit::currencies::most_used;
use crate::kit::form_errors::{FormError, errors_of};
use crate::kit::limit::{API_CONNECTIONS, AccountChoice, CONTROLS, LimitForm, ORDER, ticked_connections};
use crate::kit::text::some_of;
use shared::domain::{ChoiceRule, ConnectionId, ExternalRef, FieldError, SpendingLimit};

/// The form as the person filled it in before a refusal, or with a limit, or for a new key.
pub(crate) fn of(notice: Option<&Notice>, limit: Option<&SpendingLimit>, connections: &[Connection]) -> LimitForm {
    let filled_in = notice.map(|notice| notice.values.as_slice()).unwrap_or_default();
    let currencies = most_used(connections.iter().filter_map(|one| Some((one.currency?, 1))));
    LimitForm::new(filled_in, limit, choices(connections), &currencies)
}

/// The names of the ad accounts, for what a limit names.
pub(crate) fn names(connections: &[Connection]) -> Vec<(ConnectionId, String)> {
    connections.iter().map(|one| (one.id.clone(), one.name())).collect()
}

/// All that is wrong with the form of a limit, in the order of the page, so that a person mends it at once: `refused` is what
/// the API refuses of its fields. `user` is for whom alone the key acts, and `changes` whether it changes anything.
pub(crate) async fn wrong(
    api: &Api<'_>,
    form: &[(String, String)],
    refused: &[FieldError],
    user: Option<&ExternalRef>,
    changes: bool,
) -> Result<Vec<FormError>, Refusal> {
    let connections = accounts::connections(api).await?;
    Ok(in_order(problems(form, refused, &connections, user, changes)))
}

fn problems(
    form: &[(String, String)],
    refused: &[FieldError],
    connections: &[Connection],
    user: Option<&ExternalRef>,
    changes: bool,
) -> Vec<FormError> {
    let mut refused = refused.to_vec();
    if ticked_connections(form).next().is_none() {
        // The API takes such a limit, but no person means it.
        refused.push(FieldError::new(API_CONNECTIONS, ChoiceRule::SomeConnection));
    }
    let (mut errors, _) = errors_of(&refused, CONTROLS, form);
    errors.extend(user.and_then(|user| of_others(form, connections, user)));
    let sent = LimitForm::new(form, None, choices(connections), &[]);
    let of_currency = sent.error_of_currency().filter(|_| changes);
    errors.extend(of_currency.filter(|error| errors.iter().all(|known| known.id != error.id)));
    errors
}

/// The error of ad accounts that do not belong to the user of the key.
fn of_others(form: &[(String, String)], connections: &[Connection], user: &ExternalRef) -> Option<FormError> {
    let ticked = |one: &&Connection| ticked_connections(form).any(|id| id == one.id.0);
    let others = connections.iter().filter(ticked).filter(|one| one.user.as_ref() != Some(user));
    let names: Vec<String> = others.map(Connection::name).collect();
    let is = if names.len() == 1 { "is no ad account" } else { "are no ad accounts" };
    (!names.is_empty()).then(|| {
        FormError::new(
            "connections",
            format!("{} {is} of your user {user}. Untick what is not theirs.", some_of(&names)),
        )
    })
}

/// The errors as the page has their controls.
pub(crate) fn in_order(mut errors: Vec<FormError>) -> Vec<FormError> {
    // An error of a control that the list lacks comes first: the page has that control above the limit.
    errors.sort_by_key(|error| ORDER.iter().position(|id| *id == error.id).map_or(0, |at| at + 1));
    errors
}

/// Accounts whose consent is not complete have no id yet, so no key can change them.
fn choices(connections: &[Connection]) -> Vec<AccountChoice> {
    let complete = connections.iter().filter(|connection| !connection.remote_account_id.is_empty());
    let choice = |one: &Connection| AccountChoice {
        id: one.id.0.clone(),
        platform: one.platform,
        name: one.full_name(),
        currency: one.currency,
        is_chosen: false,
    };
    complete.map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields;
    use shared::domain::{AmountRule, ConnectionStatus, Currency, Platform};

    fn account(id: &str, code: &str, user: Option<&str>) -> Connection {
        Connection {
            id: ConnectionId(id.to_owned()),
            platform: Platform::Alpha,
            status: ConnectionStatus::Active,
            label: Some(id.to_owned()),
            remote_account_id: "1".to_owned(),
            account_name: None,
            time_zone: None,
            currency: Currency::from_code(code),
            connected_at: jiff::Timestamp::UNIX_EPOCH,
            user: user.and_then(ExternalRef::parse),
        }
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once_in_the_order_of_the_page() {
        let accounts = [account("a", "EUR", Some("shop42")), account("b", "USD", None)];
        let user = ExternalRef::parse("shop42");
        let told = |fields: &[(&str, &str)], changes| {
            let refused = [
                FieldError::new("external_ref", "is wrong"),
                FieldError::new("spending_limit.amounts[0].daily", AmountRule::Number),
            ];
            let all = problems(&form_fields::form(fields), &refused, &accounts, user.as_ref(), changes);
            in_order(all).into_iter().map(|error| (error.id, error.message)).collect::<Vec<_>>()
        };
        let ids = |all: &[(String, String)]| all.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        let sent = [("daily", "x"), ("currency", "EUR"), ("connections", "b")];
        let all = told(&sent, true);
        assert_eq!(ids(&all), ["connections", "daily", "currency", "external_ref"]);
        assert!(all[0].1.starts_with("Google Ads: b (1) is no ad account of your user shop42."), "{all:?}");
        assert!(all[2].1.starts_with("Google Ads: b (1) is in USD, not in EUR."), "{all:?}");
        assert_eq!(ids(&told(&sent, false)), ["connections", "daily", "external_ref"], "it changes nothing");
        assert_eq!(ids(&told(&[("daily", "x"), ("currency", "EUR")], true)), ["connections", "daily", "external_ref"]);
    }
}
