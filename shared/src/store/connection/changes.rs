//! Writes to connections: status, label, throttling, removal.

use super::item::account_attribute;
use crate::domain::{Connection, ConnectionId, ConnectionStatus, CustomerId, Grant};
use crate::error::Error;
use crate::store::account::ACCOUNT_EXISTS;
use crate::store::conditional::conditional_update;
use crate::store::table_keys::{self, Key};
use crate::store::transactions::{delete_write, update_write};
use crate::store::{Store, Values, number, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;

impl Store {
    /// Deletes a PENDING connection.
    pub async fn delete_pending(&self, customer: CustomerId, pending: &ConnectionId) -> Result<(), Error> {
        self.delete(&table_keys::pending(customer, pending)).await
    }

    /// Sets the status of a connection. `false` if a new authorization has replaced its grant.
    pub async fn set_connection_status(
        &self,
        customer: CustomerId,
        connection: &Connection,
        status: ConnectionStatus,
        reason: Option<&str>,
    ) -> Result<bool, Error> {
        let Some(update) = self.update_with_grant(customer, connection) else { return Ok(false) };
        conditional_update(with_status(update, "SET #status = :status", status, reason)).await
    }

    /// Stores the result of a check: status, account, and time. `false` if the connection was removed or a new
    /// authorization has replaced its grant.
    pub async fn store_check(&self, customer: CustomerId, checked: &Connection) -> Result<bool, Error> {
        let Some(update) = self.update_with_grant(customer, checked) else { return Ok(false) };
        let (Some(account), Some(at)) = (&checked.account, checked.last_synced_at) else { return Ok(false) };
        let update = update.values([(":account", account_attribute(account)?), (":at", text(at.to_string()))]);
        let set = "SET #status = :status, account = :account, last_synced_at = :at";
        conditional_update(with_status(update, set, checked.status, checked.reason.as_deref())).await
    }

    /// Sets or removes the label of a connection, PENDING or not. `false` if the connection was removed, or its consent
    /// has replaced the PENDING connection since it was read.
    pub async fn set_label(
        &self,
        customer: CustomerId,
        connection: &Connection,
        label: Option<&str>,
    ) -> Result<bool, Error> {
        let update = self.update_item(&connection_key(customer, connection));
        let update = match label {
            Some(label) => update.update_expression("SET label = :label").value(":label", text(label)),
            None => update.update_expression("REMOVE label"),
        };
        let update = update.condition_expression("id = :id").value(":id", text(&connection.id.0));
        conditional_update(update).await
    }

    /// Pauses calls to a throttled ad account. `false` if an equal or longer pause is stored, or the connection was
    /// removed.
    pub async fn pause_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        until: Timestamp,
    ) -> Result<bool, Error> {
        let update = self
            .update_item(&connection_key(customer, connection))
            .update_expression("SET paused_until = :until")
            .condition_expression("id = :id AND (attribute_not_exists(paused_until) OR paused_until < :until)")
            .values([(":id", text(&connection.id.0)), (":until", number(until.as_millisecond()))]);
        conditional_update(update).await
    }

    /// Removes a connection, PENDING or not, which was read with its grant. Of several concurrent calls one returns
    /// `true`. `false` also if a new authorization has replaced its grant. The grant becomes due, so that maintenance
    /// deletes it if this process stops first.
    pub async fn remove_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        grant: Option<&Grant>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let delete = self.delete_unchanged(customer, connection)?;
        let mut writes = vec![delete];
        if connection.account.is_some() {
            let count = self.change_connection_count(customer, -1).condition_expression(ACCOUNT_EXISTS);
            writes.push(update_write(count)?);
            let id = self.delete_item(&table_keys::connection_id(customer, &connection.id.0));
            writes.push(delete_write(id)?);
        }
        let without_grant = writes.clone();
        if let Some(grant) = grant {
            writes.push(self.leave_grant(customer, &grant.id, 1, now)?);
        }
        let grant_index = without_grant.len();
        match self.transact(writes).await?.as_slice() {
            [] => Ok(true),
            // The grant was deleted before.
            [index] if *index == grant_index => Ok(self.transact(without_grant).await?.is_empty()),
            _ => Ok(false),
        }
    }

    /// A transaction write that deletes a connection unless it or its grant was replaced.
    fn delete_unchanged(&self, customer: CustomerId, connection: &Connection) -> Result<TransactWriteItem, Error> {
        let delete = self.delete_item(&connection_key(customer, connection)).value(":id", text(&connection.id.0));
        let delete = match &connection.grant_id {
            Some(grant) => {
                delete.condition_expression("id = :id AND grant_id = :grant").value(":grant", text(&grant.0))
            }
            None => delete.condition_expression("id = :id"),
        };
        delete_write(delete)
    }

    /// An update of a connection whose condition refers to its grant; `None` for a connection without a grant.
    fn update_with_grant(&self, customer: CustomerId, connection: &Connection) -> Option<UpdateItemFluentBuilder> {
        let grant = connection.grant_id.as_ref()?;
        let update = self.update_item(&connection_key(customer, connection));
        Some(update.value(":grant", text(&grant.0)))
    }
}

/// Sets the status. Only a new authorization may change REVOKED, and the condition enforces it.
fn with_status(
    update: UpdateItemFluentBuilder,
    set: &str,
    status: ConnectionStatus,
    reason: Option<&str>,
) -> UpdateItemFluentBuilder {
    let update = update.expression_attribute_names("#status", "status").value(":status", text(status.as_str()));
    let update = match status {
        ConnectionStatus::Revoked => update.condition_expression("grant_id = :grant"),
        _ => update
            .condition_expression("grant_id = :grant AND #status <> :revoked")
            .value(":revoked", text(ConnectionStatus::Revoked.as_str())),
    };
    match reason {
        Some(reason) => update.update_expression(format!("{set}, reason = :reason")).value(":reason", text(reason)),
        None => update.update_expression(format!("{set} REMOVE reason")),
    }
}

fn connection_key(customer: CustomerId, connection: &Connection) -> Key {
    match &connection.account {
        Some(account) => table_keys::connection(customer, connection.platform, &account.id),
        None => table_keys::pending(customer, &connection.id),
    }
}
