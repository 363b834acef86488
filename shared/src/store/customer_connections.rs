//! Reads all connections and grants of a customer with one query. [`super::consents`], [`super::connections`],
//! [`super::grants`] and [`super::leases`] write them.

use super::grants::{GrantItem, parse_grant};
use super::{Authorization, Item, NewConnection, Store, from_item, store_error, table_keys, text, to_item};
use crate::domain::{
    AdAccount, Connection, ConnectionId, ConnectionStatus, Currency, CustomerConnections, CustomerId, GrantId, Platform,
};
use crate::error::Error;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

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
    /// In milliseconds since 1970, because a condition compares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    paused_until: Option<i64>,
    /// In seconds since 1970; PENDING connections only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<i64>,
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
    /// Reads all connections and grants of a customer, without expired PENDING connections.
    pub async fn customer_connections(
        &self,
        customer: CustomerId,
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :customer AND begins_with(sk, :link)")
            .expression_attribute_values(":customer", text(table_keys::customer(customer)))
            .expression_attribute_values(":link", text(table_keys::LINK_PREFIX))
            .consistent_read(true);
        let mut items = query.into_paginator().items().send();
        let mut connected = CustomerConnections::default();
        while let Some(item) = items.next().await {
            add(&mut connected, item.map_err(store_error)?, now)?;
        }
        connected.connections.sort_by(|a, b| sort_order(a).cmp(&sort_order(b)));
        Ok(connected)
    }
}

/// The attributes of an ACTIVE connection of a grant, without its key. Except for `reason`, an attribute that is `None`
/// here keeps its value when an existing connection is authorized again.
pub(super) fn active_attributes(
    new: &NewConnection,
    platform: Platform,
    grant: &GrantId,
    now: Timestamp,
) -> Result<Item, Error> {
    let item = ConnectionItem {
        id: new.id.0.clone(),
        platform: platform.as_str().to_owned(),
        status: ConnectionStatus::Active.as_str().to_owned(),
        reason: None,
        label: new.label.clone(),
        account: Some(AccountAttribute::from(&new.account)),
        grant_id: Some(grant.0.clone()),
        created_at: now,
        last_synced_at: None,
        paused_until: None,
        expires_at: None,
        due_kind: None,
        due_at: None,
    };
    serde_dynamo::to_item(item).map_err(Error::internal)
}

/// The item of a PENDING connection.
pub(super) fn pending_item(authorization: &Authorization, now: Timestamp, until: Timestamp) -> Result<Item, Error> {
    let item = ConnectionItem {
        id: authorization.connection.0.clone(),
        platform: authorization.platform.as_str().to_owned(),
        status: ConnectionStatus::Pending.as_str().to_owned(),
        reason: None,
        label: None,
        account: None,
        grant_id: None,
        created_at: now,
        last_synced_at: None,
        paused_until: None,
        expires_at: Some(until.as_second()),
        due_kind: Some(table_keys::DUE_PENDING.to_owned()),
        due_at: Some(until.as_second()),
    };
    to_item(&table_keys::pending(authorization.customer, &authorization.connection), &item)
}

/// Sort key of the merged list: platform and account, PENDING connections last.
fn sort_order(connection: &Connection) -> (bool, Platform, &str, Timestamp) {
    (connection.account.is_none(), connection.platform, connection.account_id(), connection.created_at)
}

fn add(connected: &mut CustomerConnections, item: Item, now: Timestamp) -> Result<(), Error> {
    let sort_key = item.get(table_keys::SORT).and_then(|sk| sk.as_s().ok());
    if sort_key.is_some_and(|sk| table_keys::parse_grant_sk(sk).is_some()) {
        let grant: GrantItem = from_item(item)?;
        connected.grants.push(parse_grant(grant)?);
        return Ok(());
    }
    let item: ConnectionItem = from_item(item)?;
    // DynamoDB deletes expired items within days; until then they are hidden.
    if item.expires_at.is_none_or(|end| end > now.as_second()) {
        connected.connections.push(parse_connection(item)?);
    }
    Ok(())
}

fn parse_connection(item: ConnectionItem) -> Result<Connection, Error> {
    let unknown = || Error::internal("a connection has an unknown platform, status or currency");
    let account = item.account.map(|account| {
        let AccountAttribute { id, name, currency, time_zone, manager_id } = account;
        let currency = Currency::from_code(&currency).ok_or_else(unknown)?;
        Ok::<_, Error>(AdAccount { id, name, currency, time_zone, manager_id })
    });
    Ok(Connection {
        id: ConnectionId(item.id),
        platform: Platform::parse(&item.platform).ok_or_else(unknown)?,
        status: ConnectionStatus::parse(&item.status).ok_or_else(unknown)?,
        reason: item.reason,
        label: item.label,
        account: account.transpose()?,
        grant_id: item.grant_id.map(GrantId),
        created_at: item.created_at,
        last_synced_at: item.last_synced_at,
        paused_until: item.paused_until.map(Timestamp::from_millisecond).transpose().map_err(Error::internal)?,
    })
}

/// An ad account as an attribute of its connection.
pub(super) fn account_attribute(account: &AdAccount) -> Result<AttributeValue, Error> {
    serde_dynamo::to_attribute_value(AccountAttribute::from(account)).map_err(Error::internal)
}

impl From<&AdAccount> for AccountAttribute {
    fn from(account: &AdAccount) -> AccountAttribute {
        let AdAccount { id, name, currency, time_zone, manager_id } = account.clone();
        AccountAttribute { id, name, currency: currency.code().to_owned(), time_zone, manager_id }
    }
}
