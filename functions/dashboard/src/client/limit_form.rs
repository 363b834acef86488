//! The form of a spending limit, with the ad accounts of the customer.

use crate::client::accounts::Connection;
use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::kit::currencies::most_used;
use crate::kit::limit::{API_CONNECTIONS, AccountChoice, LimitForm, ticked_connections};
use shared::domain::{ChoiceRule, SpendingLimit};
use shared::error::Error;
use shared::serve::WebRequest;

/// The form as the person filled it in before a refusal, or with a limit, or for a new key.
pub(crate) fn of(notice: Option<&Notice>, limit: Option<&SpendingLimit>, connections: &[Connection]) -> LimitForm {
    let filled_in = notice.map(|notice| notice.values.as_slice()).unwrap_or_default();
    let currencies = most_used(connections.iter().filter_map(|one| Some((one.currency?, 1))));
    LimitForm::new(filled_in, limit, accounts(connections), &currencies)
}

/// Refuses a form without an ad account. The API takes such a limit, but nobody means it.
pub(crate) fn require_account(request: &WebRequest, form: &[(String, String)]) -> Result<(), Refusal> {
    let error = Error::field(API_CONNECTIONS, ChoiceRule::SomeConnection);
    ticked_connections(form).next().map(drop).ok_or_else(|| Refusal::of(&error, request))
}

/// Accounts whose consent is not complete have no id yet, so no key can change them.
fn accounts(connections: &[Connection]) -> Vec<AccountChoice> {
    let complete = connections.iter().filter(|connection| !connection.remote_account_id.is_empty());
    complete.map(|one| AccountChoice { id: one.id.0.clone(), name: one.name(), is_chosen: false }).collect()
}
