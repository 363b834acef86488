//! Connections, and one query that reads them together with their grants.

use super::accounts::applied;
use super::grants::{GrantItem, grant_item, grant_of};
use super::{Authorization, Item, Store, failed, item_of, keys, record_of, text};
use crate::domain::{
    AdAccount, Connection, ConnectionId, ConnectionStatus, Currency, CustomerId, Grant, GrantId, Links, Platform,
};
use crate::error::Error;
use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem, Update};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How many ad accounts fit into one transaction beside the grant and the PENDING connection (the store takes 100).
const ACCOUNTS_PER_TRANSACTION: usize = 98;

/// An ad account that a consent brought, and the id its connection gets if it has none yet.
#[derive(Clone, Debug)]
pub struct NewConnection {
    /// Id for a new connection.
    pub id: ConnectionId,
    /// The account.
    pub account: AdAccount,
}

#[derive(Serialize, Deserialize)]
struct ConnectionItem {
    id: String,
    platform: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<AccountAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grant_id: Option<String>,
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_synced_at: Option<Timestamp>,
    /// Seconds since 1970; PENDING ones only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct AccountAttribute {
    id: String,
    name: String,
    currency: String,
    time_zone: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    manager_id: Option<String>,
}

impl Store {
    /// Reads all connections and grants of a customer. PENDING ones that have run out are left out.
    pub async fn links(&self, customer: CustomerId, now: Timestamp) -> Result<Links, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :customer AND begins_with(sk, :link)")
            .expression_attribute_values(":customer", text(keys::customer(customer)))
            .expression_attribute_values(":link", text(keys::LINK_PREFIX))
            .consistent_read(true);
        let mut items = query.into_paginator().items().send();
        let mut links = Links::default();
        while let Some(item) = items.next().await {
            add(&mut links, item.map_err(failed)?, now)?;
        }
        links.connections.sort_by(|a, b| position(a).cmp(&position(b)));
        Ok(links)
    }

    /// Stores a grant and connects its accounts, replacing the PENDING connection. An account that is connected
    /// already keeps its connection's id, label and age.
    pub async fn connect(
        &self,
        customer: CustomerId,
        platform: Platform,
        grant: &Grant,
        accounts: &[NewConnection],
        pending: &ConnectionId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let table = &self.table;
        let put = Put::builder().table_name(table).set_item(Some(grant_item(customer, grant)?));
        let put = put.build().map_err(Error::internal)?;
        let delete = Delete::builder().table_name(table).set_key(Some(keys::pending(customer, pending).attributes()));
        let delete = delete.build().map_err(Error::internal)?;
        let mut writes =
            vec![TransactWriteItem::builder().put(put).build(), TransactWriteItem::builder().delete(delete).build()];
        for chunk in accounts.chunks(ACCOUNTS_PER_TRANSACTION) {
            for new in chunk {
                let update = self.upsert(customer, platform, &grant.id, new, now)?;
                writes.push(TransactWriteItem::builder().update(update).build());
            }
            let transaction = self.client.transact_write_items().set_transact_items(Some(std::mem::take(&mut writes)));
            transaction.send().await.map_err(failed)?;
        }
        Ok(())
    }

    fn upsert(
        &self,
        customer: CustomerId,
        platform: Platform,
        grant: &GrantId,
        new: &NewConnection,
        now: Timestamp,
    ) -> Result<Update, Error> {
        let account = serde_dynamo::to_attribute_value(account_attribute(&new.account)).map_err(Error::internal)?;
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::connection(customer, platform, &new.account.id).attributes()))
            .update_expression(
                "SET id = if_not_exists(id, :id), created_at = if_not_exists(created_at, :now), platform = :platform, \
                 #status = :active, account = :account, grant_id = :grant REMOVE reason",
            )
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":id", text(&new.id.0))
            .expression_attribute_values(":now", text(now.to_string()))
            .expression_attribute_values(":platform", text(platform.word()))
            .expression_attribute_values(":active", text(ConnectionStatus::Active.word()))
            .expression_attribute_values(":account", account)
            .expression_attribute_values(":grant", text(&grant.0))
            .build()
            .map_err(Error::internal)
    }

    /// Drops a PENDING connection whose user said no.
    pub async fn drop_pending(&self, customer: CustomerId, pending: &ConnectionId) -> Result<(), Error> {
        let key = keys::pending(customer, pending).attributes();
        self.client.delete_item().table_name(&self.table).set_key(Some(key)).send().await.map_err(failed)?;
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
        let Some(grant) = &connection.grant_id else { return Ok(false) };
        let key = keys::connection(customer, connection.platform, connection.account_id());
        let update = self.client.update_item().table_name(&self.table).set_key(Some(key.attributes()));
        let update = match reason {
            Some(reason) => update
                .update_expression("SET #status = :status, reason = :reason")
                .expression_attribute_values(":reason", text(reason)),
            None => update.update_expression("SET #status = :status REMOVE reason"),
        };
        let update = update
            .condition_expression("grant_id = :grant")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":status", text(status.word()))
            .expression_attribute_values(":grant", text(&grant.0));
        applied(update).await
    }
}

/// The item of a PENDING connection.
pub(super) fn pending_item(authorization: &Authorization, now: Timestamp, until: Timestamp) -> Result<Item, Error> {
    let item = ConnectionItem {
        id: authorization.connection.0.clone(),
        platform: authorization.platform.word().to_owned(),
        status: ConnectionStatus::Pending.word().to_owned(),
        reason: None,
        label: None,
        account: None,
        grant_id: None,
        created_at: now,
        last_synced_at: None,
        expires_at: Some(until.as_second()),
    };
    item_of(&keys::pending(authorization.customer, &authorization.connection), &item)
}

/// By platform and account, PENDING ones last: the order of the merged list.
fn position(connection: &Connection) -> (bool, Platform, &str, Timestamp) {
    (connection.account.is_none(), connection.platform, connection.account_id(), connection.created_at)
}

fn add(links: &mut Links, item: Item, now: Timestamp) -> Result<(), Error> {
    let is_grant = item.get(keys::SORT).and_then(|sk| sk.as_s().ok()).is_some_and(|sk| sk.starts_with("LINK#GRANT#"));
    if is_grant {
        let grant: GrantItem = record_of(item)?;
        links.grants.push(grant_of(grant)?);
        return Ok(());
    }
    let item: ConnectionItem = record_of(item)?;
    // The store sweeps what has expired within days; until then it must not show.
    if item.expires_at.is_none_or(|end| end > now.as_second()) {
        links.connections.push(connection_of(item)?);
    }
    Ok(())
}

fn connection_of(item: ConnectionItem) -> Result<Connection, Error> {
    let unknown = || Error::internal("a connection has an unknown platform, status or currency");
    let account = item.account.map(|account| {
        let AccountAttribute { id, name, currency, time_zone, manager_id } = account;
        let currency = Currency::from_code(&currency).ok_or_else(unknown)?;
        Ok::<_, Error>(AdAccount { id, name, currency, time_zone, manager_id })
    });
    Ok(Connection {
        id: ConnectionId(item.id),
        platform: Platform::from_word(&item.platform).ok_or_else(unknown)?,
        status: ConnectionStatus::from_word(&item.status).ok_or_else(unknown)?,
        reason: item.reason,
        label: item.label,
        account: account.transpose()?,
        grant_id: item.grant_id.map(GrantId),
        created_at: item.created_at,
        last_synced_at: item.last_synced_at,
    })
}

fn account_attribute(account: &AdAccount) -> AccountAttribute {
    let AdAccount { id, name, currency, time_zone, manager_id } = account.clone();
    AccountAttribute { id, name, currency: currency.code().to_owned(), time_zone, manager_id }
}
