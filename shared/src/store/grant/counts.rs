//! The number of connections that use a grant. The transactions that add, move or remove a connection change it, so
//! that an unused grant is recognized without a read of the customer's connections.

use super::item::parse_grant;
use crate::domain::{CustomerId, Grant, GrantId, GrantQueue};
use crate::error::Error;
use crate::store::conditional::conditional_delete;
use crate::store::due::grant_kind;
use crate::store::transactions::update_write;
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;

impl Store {
    /// Part of a transaction: more connections use the grant.
    pub(in crate::store) fn join_grant(
        &self,
        customer: CustomerId,
        id: &GrantId,
        connections: usize,
    ) -> Result<TransactWriteItem, Error> {
        let count = i64::try_from(connections).map_err(Error::internal)?;
        let update = self
            .update_item(&table_keys::grant(customer, id))
            .update_expression("ADD connections :count")
            .condition_expression("attribute_exists(connections)")
            .value(":count", number(count));
        update_write(update)
    }

    /// Part of a transaction: connections leave the grant. The grant becomes due, so that maintenance deletes it if it
    /// is unused and this process stops first.
    pub(in crate::store) fn leave_grant(
        &self,
        customer: CustomerId,
        grant: &GrantId,
        connections: i64,
        now: Timestamp,
    ) -> Result<TransactWriteItem, Error> {
        let update = self
            .update_item(&table_keys::grant(customer, grant))
            .update_expression("SET due_kind = :kind, due_at = :now ADD connections :left")
            .condition_expression("attribute_exists(connections)")
            .values([
                (":kind", text(grant_kind(GrantQueue::Other))),
                (":now", number(now.as_second())),
                (":left", number(-connections)),
            ]);
        update_write(update)
    }

    /// Deletes a grant if no connection uses it. Of several concurrent calls one gets the grant, with its newest
    /// tokens.
    pub async fn delete_grant_if_unused(&self, customer: CustomerId, id: &GrantId) -> Result<Option<Grant>, Error> {
        let delete = self
            .delete_item(&table_keys::grant(customer, id))
            .condition_expression("connections <= :none")
            .value(":none", number(0));
        conditional_delete(delete).await?.map(parse_grant).transpose()
    }
}
