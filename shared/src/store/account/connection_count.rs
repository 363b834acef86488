//! The number of a customer's connections, in the account. The transactions that add or remove a connection change it,
//! so it is exact, and a request needs it without reading them.

use crate::domain::CustomerId;
use crate::store::{Store, Values, number, table_keys};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;

/// The condition of every change of the number: without it an update would create an account.
pub(in crate::store) const ACCOUNT_EXISTS: &str = "attribute_exists(pk)";

impl Store {
    /// Part of a transaction: adds to the number of connections. The caller adds a condition that implies
    /// [`ACCOUNT_EXISTS`].
    pub(in crate::store) fn change_connection_count(&self, customer: CustomerId, by: i64) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::account(customer))
            .update_expression("ADD connections_count :count")
            .value(":count", number(by))
    }
}
