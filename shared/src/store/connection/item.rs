//! Connections as items of the table.

use crate::domain::{
    AdAccount, CampaignDefaults, Connection, ConnectionId, ConnectionStatus, Currency, CustomerId, ExternalRef,
    GrantId, Platform,
};
use crate::error::Error;
use crate::store::campaign_defaults::DefaultsAttribute;
use crate::store::table_keys::Key;
use crate::store::{Authorization, Item, from_item, table_keys, text, to_item};
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The attribute of a connection id with the sort key of its connection.
pub(super) const CONNECTION_SK: &str = "connection_sk";

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct ConnectionItem {
    id: String,
    platform: String,
    status: String,
    reason: Option<String>,
    label: Option<String>,
    external_ref: Option<String>,
    campaign_defaults: Option<DefaultsAttribute>,
    account: Option<AccountAttribute>,
    grant_id: Option<String>,
    created_at: Timestamp,
    last_synced_at: Option<Timestamp>,
    /// In milliseconds since 1970, because a condition compares it.
    paused_until: Option<i64>,
    /// In seconds since 1970; PENDING connections only.
    expires_at: Option<i64>,
    due_kind: Option<String>,
    due_at: Option<i64>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct AccountAttribute {
    id: String,
    name: String,
    currency: String,
    time_zone: String,
    manager_id: Option<String>,
}

/// The attributes of an ACTIVE connection, without its key. An attribute that is `None` is absent.
pub(super) fn attributes(connection: &Connection) -> Result<Item, Error> {
    serde_dynamo::to_item(ConnectionItem::from(connection)).map_err(Error::internal)
}

/// The item of a PENDING connection.
pub(super) fn pending_item(authorization: &Authorization, now: Timestamp, until: Timestamp) -> Result<Item, Error> {
    let item = ConnectionItem {
        id: authorization.connection.0.clone(),
        platform: authorization.platform.as_str().to_owned(),
        status: ConnectionStatus::Pending.as_str().to_owned(),
        reason: None,
        label: None,
        external_ref: authorization.external_ref.as_ref().map(ExternalRef::to_string),
        campaign_defaults: None,
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

/// The item of a connection id. It leads to the connection.
pub(super) fn id_item(customer: CustomerId, id: &ConnectionId, platform: Platform, account_id: &str) -> Item {
    id_record(&table_keys::connection_id(customer, &id.0), customer, platform, account_id)
}

/// An item that leads to the connection of an ad account.
pub(super) fn id_record(key: &Key, customer: CustomerId, platform: Platform, account_id: &str) -> Item {
    let mut item = key.attributes();
    item.insert(CONNECTION_SK.to_owned(), text(table_keys::connection(customer, platform, account_id).sk));
    item
}

/// Parses a connection; `None` for a PENDING one that has expired. DynamoDB deletes it within days.
pub(super) fn parse_connection(item: Item, now: Timestamp) -> Result<Option<Connection>, Error> {
    let item: ConnectionItem = from_item(item)?;
    let is_live = item.expires_at.is_none_or(|end| end > now.as_second());
    is_live.then(|| connection_of(item)).transpose()
}

impl From<&Connection> for ConnectionItem {
    fn from(connection: &Connection) -> ConnectionItem {
        let Connection {
            id,
            platform,
            status,
            reason,
            label,
            external_ref,
            campaign_defaults,
            account,
            grant_id,
            created_at,
            last_synced_at,
            paused_until,
        } = connection;
        ConnectionItem {
            id: id.0.clone(),
            platform: platform.as_str().to_owned(),
            status: status.as_str().to_owned(),
            reason: reason.clone(),
            label: label.clone(),
            external_ref: external_ref.as_ref().map(ExternalRef::to_string),
            campaign_defaults: campaign_defaults.as_ref().map(DefaultsAttribute::from),
            account: account.as_ref().map(AccountAttribute::from),
            grant_id: grant_id.as_ref().map(|grant| grant.0.clone()),
            created_at: *created_at,
            last_synced_at: *last_synced_at,
            paused_until: paused_until.map(Timestamp::as_millisecond),
            expires_at: None,
            due_kind: None,
            due_at: None,
        }
    }
}

/// The connection of an item.
pub(in crate::store) fn connection_of(item: ConnectionItem) -> Result<Connection, Error> {
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
        external_ref: item.external_ref.as_deref().and_then(ExternalRef::parse),
        campaign_defaults: item.campaign_defaults.map(CampaignDefaults::from),
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

#[cfg(test)]
#[test]
fn a_connection_is_stored_as_ever_and_read_as_it_was() {
    use crate::store::stored::assert_stored;
    let now = Timestamp::constant(1_790_000_000, 123_000_000);
    let account = AdAccount {
        id: "7".to_owned(),
        name: "An account".to_owned(),
        currency: Currency::from_code("EUR").unwrap(),
        time_zone: "Europe/Berlin".to_owned(),
        manager_id: None,
    };
    let all = Connection {
        id: ConnectionId("conn_1".to_owned()),
        platform: Platform::Gamma,
        status: ConnectionStatus::Error,
        reason: Some("why".to_owned()),
        label: Some("Main".to_owned()),
        external_ref: ExternalRef::parse("user42"),
        campaign_defaults: Some(CampaignDefaults { country: Some("DE".to_owned()), ..CampaignDefaults::default() }),
        account: Some(AdAccount { manager_id: Some("9".to_owned()), ..account.clone() }),
        grant_id: Some(GrantId("grant_1".to_owned())),
        created_at: now,
        last_synced_at: Some(now),
        paused_until: Some(now),
    };
    let few = Connection {
        reason: None,
        label: None,
        external_ref: None,
        campaign_defaults: None,
        account: Some(account),
        grant_id: None,
        last_synced_at: None,
        paused_until: None,
        ..all.clone()
    };
    let pending = Authorization {
        state_hash: "hash".to_owned(),
        customer: CustomerId(uuid::Uuid::nil()),
        platform: Platform::Beta,
        connection: ConnectionId("conn_2".to_owned()),
        verifier: "sealed".to_owned(),
        redirect_uri: "https://ads.example.com".to_owned(),
        return_to: None,
        external_ref: ExternalRef::parse("user42"),
        expires_at: now,
    };
    let items = [&all, &few].map(|connection| attributes(connection).unwrap());
    let without_user = Authorization { external_ref: None, ..pending.clone() };
    let waiting = [&pending, &without_user].map(|pending| pending_item(pending, now, now).unwrap());
    assert_stored("connection", items.into_iter().chain(waiting.clone()));
    let stored_accounts =
        [&all, &few].map(|connection| account_attribute(connection.account.as_ref().unwrap()).unwrap());
    assert_stored("account-attribute", stored_accounts.map(|account| account.as_m().unwrap().clone()));
    for connection in [all, few] {
        assert_eq!(parse_connection(attributes(&connection).unwrap(), now).unwrap(), Some(connection));
    }
    let [waiting, _] = waiting;
    assert_eq!(parse_connection(waiting.clone(), now).unwrap(), None);
    let read = parse_connection(waiting, Timestamp::UNIX_EPOCH).unwrap().unwrap();
    assert_eq!((read.id, read.external_ref), (pending.connection, pending.external_ref));
}
