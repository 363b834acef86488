//! The account of a customer, one item: the customer, its API keys, the counters of rate limit and quota, the slots of
//! its requests in flight, and the number of its connections. An API key contains the customer's id, so authentication
//! is one update of this item. The keys of assistants are in an item of their own, which a token reads before it (D225).

mod admission_condition;
mod admissions;
mod assistant_keys;
mod cache;
mod in_flight;
mod item;
mod key_changes;
mod keys;
mod quota;

pub(super) use admission_condition::USE_INTERVAL;
pub use admissions::{Admission, Terms};
pub(super) use cache::AccountCache;
pub use in_flight::Slot;
pub use item::Account;

use crate::domain::CustomerId;
use crate::store::{Store, Values, number, table_keys};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;

/// The condition of every change of the number of connections: without it an update would create an account.
pub(in crate::store) const ACCOUNT_EXISTS: &str = "attribute_exists(pk)";

impl Store {
    /// Part of a transaction that adds or removes connections: adds to their number in the account, so that a request
    /// has it without reading them. The caller adds a condition that implies [`ACCOUNT_EXISTS`].
    pub(in crate::store) fn change_connection_count(&self, customer: CustomerId, by: i64) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::account(customer))
            .update_expression("ADD connections_count :count")
            .value(":count", number(by))
    }
}
