//! Stores a consent: its grant and the connections of its ad accounts.

use super::customer_connections::active_attributes;
use super::grants::grant_item;
use super::{Store, table_keys};
use crate::domain::{AdAccount, ConnectionId, CustomerId, Grant, GrantId, Platform};
use crate::error::Error;
use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem, Update};
use jiff::Timestamp;

/// Ad accounts per transaction, beside the grant and the PENDING connection. DynamoDB allows 100 writes.
const ACCOUNTS_PER_TRANSACTION: usize = 98;
/// Attributes that an existing connection keeps when it is authorized again.
const KEPT_ATTRIBUTES: [&str; 3] = ["id", "created_at", "label"];

/// An ad account of a consent, and the id and label of a new connection.
#[derive(Clone, Debug)]
pub struct NewConnection {
    /// Id, if the connection is new.
    pub id: ConnectionId,
    /// Label, if the connection is new.
    pub label: Option<String>,
    /// The account.
    pub account: AdAccount,
}

impl Store {
    /// Stores a grant and the connections of its accounts, in place of the PENDING connection. An existing connection
    /// keeps its id, label and creation time. `false`, with nothing stored, if the customer has removed the PENDING
    /// connection.
    pub async fn connect(
        &self,
        customer: CustomerId,
        platform: Platform,
        grant: &Grant,
        accounts: &[NewConnection],
        pending: &ConnectionId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let table = &self.table;
        let put = Put::builder().table_name(table).set_item(Some(grant_item(customer, grant)?));
        let put = put.build().map_err(Error::internal)?;
        let delete =
            Delete::builder().table_name(table).set_key(Some(table_keys::pending(customer, pending).attributes()));
        let delete = delete.condition_expression("attribute_exists(pk)").build().map_err(Error::internal)?;
        let mut writes =
            vec![TransactWriteItem::builder().put(put).build(), TransactWriteItem::builder().delete(delete).build()];
        for chunk in accounts.chunks(ACCOUNTS_PER_TRANSACTION) {
            for new in chunk {
                let update = self.upsert(customer, platform, &grant.id, new, now)?;
                writes.push(TransactWriteItem::builder().update(update).build());
            }
            // Only the delete of the PENDING connection has a condition.
            if !self.transact(std::mem::take(&mut writes)).await?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sets the attributes of [`active_attributes`] that have a value, and removes `reason`, which belongs to the state
    /// before. An existing connection keeps those that are `None` or in [`KEPT_ATTRIBUTES`].
    fn upsert(
        &self,
        customer: CustomerId,
        platform: Platform,
        grant: &GrantId,
        new: &NewConnection,
        now: Timestamp,
    ) -> Result<Update, Error> {
        let mut update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::connection(customer, platform, &new.account.id).attributes()));
        let mut assignments = Vec::new();
        for (name, value) in active_attributes(new, platform, grant, now)? {
            assignments.push(assignment(&name));
            update = update
                .expression_attribute_values(format!(":{name}"), value)
                .expression_attribute_names(format!("#{name}"), name);
        }
        let expression = format!("SET {} REMOVE reason", assignments.join(", "));
        update.update_expression(expression).build().map_err(Error::internal)
    }
}

fn assignment(name: &str) -> String {
    if KEPT_ATTRIBUTES.contains(&name) {
        format!("#{name} = if_not_exists(#{name}, :{name})")
    } else {
        format!("#{name} = :{name}")
    }
}
