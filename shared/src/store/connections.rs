//! What changes connections: a consent, a check, their owner.

use super::conditional::conditional_update;
use super::customer_connections::account_attribute;
use super::grants::grant_item;
use super::table_keys::{self, Key};
use super::{Store, number, store_error, text};
use crate::domain::{AdAccount, Connection, ConnectionId, ConnectionStatus, CustomerId, Grant, GrantId, Platform};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem, Update};
use jiff::Timestamp;

/// How many ad accounts fit into one transaction beside the grant and the PENDING connection (the store takes 100).
const ACCOUNTS_PER_TRANSACTION: usize = 98;

/// An ad account that a consent brought, and what its connection gets if it has none yet.
#[derive(Clone, Debug)]
pub struct NewConnection {
    /// Id for a new connection.
    pub id: ConnectionId,
    /// Label for a new connection.
    pub label: Option<String>,
    /// The account.
    pub account: AdAccount,
}

impl Store {
    /// Stores a grant and connects its accounts, replacing the PENDING connection. An account that is connected
    /// already keeps its connection's id, label and age. `false`, and nothing stored, when the PENDING connection
    /// was removed meanwhile: its owner does not want it any more.
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
            // The one condition is that of the PENDING connection.
            if !self.transact(std::mem::take(&mut writes)).await?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn upsert(
        &self,
        customer: CustomerId,
        platform: Platform,
        grant: &GrantId,
        new: &NewConnection,
        now: Timestamp,
    ) -> Result<Update, Error> {
        let set = "SET id = if_not_exists(id, :id), created_at = if_not_exists(created_at, :now), platform = :platform, \
                   #status = :active, account = :account, grant_id = :grant";
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::connection(customer, platform, &new.account.id).attributes()));
        let update = match &new.label {
            Some(label) => update
                .update_expression(format!("{set}, label = if_not_exists(label, :label) REMOVE reason"))
                .expression_attribute_values(":label", text(label)),
            None => update.update_expression(format!("{set} REMOVE reason")),
        };
        update
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":id", text(&new.id.0))
            .expression_attribute_values(":now", text(now.to_string()))
            .expression_attribute_values(":platform", text(platform.as_str()))
            .expression_attribute_values(":active", text(ConnectionStatus::Active.as_str()))
            .expression_attribute_values(":account", account_attribute(&new.account)?)
            .expression_attribute_values(":grant", text(&grant.0))
            .build()
            .map_err(Error::internal)
    }

    /// Drops a PENDING connection whose user said no.
    pub async fn delete_pending(&self, customer: CustomerId, pending: &ConnectionId) -> Result<(), Error> {
        let key = table_keys::pending(customer, pending).attributes();
        self.client.delete_item().table_name(&self.table).set_key(Some(key)).send().await.map_err(store_error)?;
        Ok(())
    }

    /// Changes the state of a connection, unless it was authorised again meanwhile: then `false`, nothing changed.
    pub async fn set_connection_status(
        &self,
        customer: CustomerId,
        connection: &Connection,
        status: ConnectionStatus,
        reason: Option<&str>,
    ) -> Result<bool, Error> {
        let Some(update) = self.update_opened(customer, connection) else { return Ok(false) };
        conditional_update(with_status(update, "SET #status = :status", status, reason)).await
    }

    /// Keeps what a check of a connection found: its state, the account as the platform describes it now, and when.
    /// `false` when it was authorised again or removed meanwhile.
    pub async fn store_check(&self, customer: CustomerId, checked: &Connection) -> Result<bool, Error> {
        let Some(update) = self.update_opened(customer, checked) else { return Ok(false) };
        let (Some(account), Some(at)) = (&checked.account, checked.last_synced_at) else { return Ok(false) };
        let update = update
            .expression_attribute_values(":account", account_attribute(account)?)
            .expression_attribute_values(":at", text(at.to_string()));
        let set = "SET #status = :status, account = :account, last_synced_at = :at";
        conditional_update(with_status(update, set, checked.status, checked.reason.as_deref())).await
    }

    /// Names a connection, or takes its name away. `false` when it is gone, or is PENDING no more.
    pub async fn set_label(
        &self,
        customer: CustomerId,
        connection: &Connection,
        label: Option<&str>,
    ) -> Result<bool, Error> {
        let update = self.update(&key_of(customer, connection));
        let update = match label {
            Some(label) => {
                update.update_expression("SET label = :label").expression_attribute_values(":label", text(label))
            }
            None => update.update_expression("REMOVE label"),
        };
        let update = update.condition_expression("id = :id").expression_attribute_values(":id", text(&connection.id.0));
        conditional_update(update).await
    }

    /// Leaves a connection's ad account alone until then. `false` when that was known, for as long or longer, or the
    /// connection is gone.
    pub async fn pause_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        until: Timestamp,
    ) -> Result<bool, Error> {
        let update = self
            .update(&key_of(customer, connection))
            .update_expression("SET paused_until = :until")
            .condition_expression("id = :id AND (attribute_not_exists(paused_until) OR paused_until < :until)")
            .expression_attribute_values(":id", text(&connection.id.0))
            .expression_attribute_values(":until", number(until.as_millisecond()));
        conditional_update(update).await
    }

    /// Removes a connection as it was read, PENDING ones too. Of several callers one is told `true`; `false` also when
    /// it was authorised again meanwhile. Its grant becomes due with it, so that maintenance clears it away should the
    /// caller not come to it.
    pub async fn remove_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let delete = Delete::builder()
            .table_name(&self.table)
            .set_key(Some(key_of(customer, connection).attributes()))
            .expression_attribute_values(":id", text(&connection.id.0));
        let delete = match &connection.grant_id {
            Some(grant) => delete
                .condition_expression("id = :id AND grant_id = :grant")
                .expression_attribute_values(":grant", text(&grant.0)),
            None => delete.condition_expression("id = :id"),
        };
        let delete = delete.build().map_err(Error::internal)?;
        let delete = TransactWriteItem::builder().delete(delete).build();
        let mut writes = vec![delete.clone()];
        if let Some(grant) = &connection.grant_id {
            writes.push(self.mark_grant_due(customer, grant, now)?);
        }
        match self.transact(writes).await?.as_slice() {
            [] => Ok(true),
            // There is no grant any more.
            [1] => Ok(self.transact(vec![delete]).await?.is_empty()),
            _ => Ok(false),
        }
    }

    /// An update of a connection that still belongs to its grant; `None` for one that has none.
    fn update_opened(&self, customer: CustomerId, connection: &Connection) -> Option<UpdateItemFluentBuilder> {
        let grant = connection.grant_id.as_ref()?;
        let update = self.update(&key_of(customer, connection));
        Some(update.expression_attribute_values(":grant", text(&grant.0)))
    }
}

/// Out of REVOKED leads only a new authorisation, whatever was read before: the write itself sees to that.
fn with_status(
    update: UpdateItemFluentBuilder,
    set: &str,
    status: ConnectionStatus,
    reason: Option<&str>,
) -> UpdateItemFluentBuilder {
    let update = update
        .expression_attribute_names("#status", "status")
        .expression_attribute_values(":status", text(status.as_str()));
    let update = match status {
        ConnectionStatus::Revoked => update.condition_expression("grant_id = :grant"),
        _ => update
            .condition_expression("grant_id = :grant AND #status <> :revoked")
            .expression_attribute_values(":revoked", text(ConnectionStatus::Revoked.as_str())),
    };
    match reason {
        Some(reason) => update
            .update_expression(format!("{set}, reason = :reason"))
            .expression_attribute_values(":reason", text(reason)),
        None => update.update_expression(format!("{set} REMOVE reason")),
    }
}

fn key_of(customer: CustomerId, connection: &Connection) -> Key {
    match &connection.account {
        Some(account) => table_keys::connection(customer, connection.platform, &account.id),
        None => table_keys::pending(customer, &connection.id),
    }
}
