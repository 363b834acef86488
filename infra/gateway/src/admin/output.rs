//! Parts of the output that several commands share.

use super::Failure;
use serde_json::Value;
use shared::domain::CustomerId;

/// The note below a new API key.
pub(super) const KEY_SHOWN_ONCE: &str = "The key is shown only once: store it now.\n";

/// Returns an error for an unknown customer.
pub(super) fn ensure_found(is_found: bool, customer: CustomerId) -> Result<(), Failure> {
    if is_found { Ok(()) } else { Err(format!("no customer has the id {customer}").into()) }
}

/// The output of a list with `--json`: one array on one line.
pub(super) fn json_list(items: impl Iterator<Item = Value>) -> String {
    format!("{}\n", Value::Array(items.collect()))
}

/// A number of things.
pub(super) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
