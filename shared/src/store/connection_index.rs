//! The counts and ids that make a customer's connections readable one by one: the total in the account, the number in
//! each grant, and a record for each connection id.
//!
//! The transactions that add or remove a connection keep them exact. A customer of a version without them gets them
//! here, and so does one whose connections such a version has changed in the meantime, after a rollback.

use super::conditional::conditional_update;
use super::connection_items::id_item;
use super::due::grant_kind;
use super::transactions::contended;
use super::{Store, number, table_keys, text};
use crate::domain::{ConnectionId, ConnectionTotal, CustomerConnections, CustomerId, Grant, GrantQueue};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::Update;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use jiff::Timestamp;

/// Attempts to count while connections come and go.
const MAX_ATTEMPTS: usize = 4;
/// The condition of every change of a total: the account has one.
pub(super) const HAS_TOTAL: &str = "attribute_exists(connections_checksum)";

impl Store {
    /// Counts the customer's connections again and stores the total. Costs a read of all connections.
    ///
    /// A version without the counts never adds a connection to an existing grant. So a grant's stored number is at least
    /// the true one, and this only lowers it.
    pub async fn index_connections(&self, customer: CustomerId, now: Timestamp) -> Result<ConnectionTotal, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let account = self.account(customer, now).await?.ok_or_else(|| Error::internal("no account to index"))?;
            let connected = self.customer_connections(customer, now).await?;
            let total = ConnectionTotal::of(&connected.connections);
            if account.connections == Some(total) {
                return Ok(total);
            }
            self.put_connection_ids(customer, &connected).await?;
            self.count_by_grant(customer, &connected, now).await?;
            if conditional_update(self.set_total(customer, account.connections, total)).await? {
                tracing::info!(%customer, count = total.count, "connections indexed");
                return Ok(total);
            }
        }
        Err(contended())
    }

    /// Sets the total unless a transaction has changed it since it was `seen`.
    fn set_total(
        &self,
        customer: CustomerId,
        seen: Option<ConnectionTotal>,
        total: ConnectionTotal,
    ) -> UpdateItemFluentBuilder {
        let update = self
            .update(&table_keys::account(customer))
            .update_expression("SET connections_count = :count, connections_checksum = :checksum")
            .expression_attribute_values(":count", number(count(total.count)))
            .expression_attribute_values(":checksum", number(total.checksum));
        match seen {
            None => update.condition_expression(format!("attribute_exists(pk) AND NOT {HAS_TOTAL}")),
            Some(seen) => update
                .condition_expression("connections_count = :seen AND connections_checksum = :seen_checksum")
                .expression_attribute_values(":seen", number(count(seen.count)))
                .expression_attribute_values(":seen_checksum", number(seen.checksum)),
        }
    }

    async fn put_connection_ids(&self, customer: CustomerId, connected: &CustomerConnections) -> Result<(), Error> {
        let connections = connected.connections.iter();
        let items = connections.filter_map(|known| {
            let account = known.account.as_ref()?;
            Some(id_item(customer, &known.id, known.platform, &account.id))
        });
        self.put_all(items.collect()).await
    }

    /// Counts the connections of each grant. A grant without any becomes due, so that maintenance deletes it.
    async fn count_by_grant(
        &self,
        customer: CustomerId,
        connected: &CustomerConnections,
        now: Timestamp,
    ) -> Result<(), Error> {
        for grant in &connected.grants {
            let count = u32::try_from(connected.using_grant(&grant.id).count()).unwrap_or(u32::MAX);
            if grant.connections != Some(count) {
                conditional_update(self.set_grant_count(customer, grant, count, now)).await?;
            }
        }
        Ok(())
    }

    fn set_grant_count(
        &self,
        customer: CustomerId,
        grant: &Grant,
        count: u32,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let update = self.update_grant(customer, &grant.id).expression_attribute_values(":count", number(count.into()));
        let update = match grant.connections {
            None => update.condition_expression("attribute_exists(pk) AND attribute_not_exists(connections)"),
            Some(seen) => update
                .condition_expression("connections = :seen AND connections > :count")
                .expression_attribute_values(":seen", number(seen.into())),
        };
        if count > 0 {
            return update.update_expression("SET connections = :count");
        }
        update
            .update_expression("SET connections = :count, due_kind = :kind, due_at = :now")
            .expression_attribute_values(":kind", text(grant_kind(GrantQueue::Other)))
            .expression_attribute_values(":now", number(now.as_second()))
    }

    /// Part of a transaction: adds connections to the account's total, or with a negative sign removes them. The
    /// caller adds a condition that includes [`HAS_TOTAL`].
    pub(super) fn change_total<'a>(
        &self,
        customer: CustomerId,
        ids: impl Iterator<Item = &'a ConnectionId>,
        sign: i64,
    ) -> UpdateBuilder {
        let change = ConnectionTotal::of_ids(ids);
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::account(customer).attributes()))
            .update_expression("ADD connections_count :count, connections_checksum :checksum")
            .expression_attribute_values(":count", number(sign * count(change.count)))
            .expression_attribute_values(":checksum", number(sign * change.checksum))
    }
}

fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
