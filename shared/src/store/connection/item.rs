//! Connections as items of the table.

use crate::domain::{
    AdAccount, CampaignDefaults, Connection, ConnectionId, ConnectionStatus, CustomerId, ExternalRef, GrantId, Platform,
};
use crate::error::Error;
use crate::store::table_keys::Key;
use crate::store::{Authorization, Item, from_item, table_keys, text, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::{millisecond, second};
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};

/// The attribute of a connection id with the sort key of its connection.
pub(super) const CONNECTION_SK: &str = "connection_sk";

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Connection")]
pub(in crate::store) struct ConnectionAttributes {
    id: ConnectionId,
    #[serde_as(as = "DisplayFromStr")]
    platform: Platform,
    #[serde_as(as = "DisplayFromStr")]
    status: ConnectionStatus,
    reason: Option<String>,
    label: Option<String>,
    external_ref: Option<ExternalRef>,
    campaign_defaults: Option<CampaignDefaults>,
    account: Option<AdAccount>,
    grant_id: Option<GrantId>,
    created_at: Timestamp,
    last_synced_at: Option<Timestamp>,
    /// A number, because a condition compares it.
    #[serde(default, with = "millisecond::optional")]
    paused_until: Option<Timestamp>,
}

/// A connection, with an end and a mark for maintenance while it is PENDING.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ConnectionItem {
    #[serde(flatten, with = "ConnectionAttributes")]
    connection: Connection,
    #[serde(default, with = "second::optional")]
    expires_at: Option<Timestamp>,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
}

/// The attributes of an ACTIVE connection, without its key. An attribute that is `None` is absent.
pub(super) fn attributes(connection: &Connection) -> Result<Item, Error> {
    let item = ConnectionItem { connection: connection.clone(), expires_at: None, due_kind: None, due_at: None };
    serde_dynamo::to_item(item).map_err(Error::internal)
}

/// The item of a PENDING connection.
pub(super) fn pending_item(authorization: &Authorization, now: Timestamp, until: Timestamp) -> Result<Item, Error> {
    let connection = Connection {
        id: authorization.connection.clone(),
        platform: authorization.platform,
        status: ConnectionStatus::Pending,
        reason: None,
        label: None,
        external_ref: authorization.external_ref.clone(),
        campaign_defaults: None,
        account: None,
        grant_id: None,
        created_at: now,
        last_synced_at: None,
        paused_until: None,
    };
    let due_kind = Some(table_keys::DUE_PENDING.to_owned());
    let item = ConnectionItem { connection, expires_at: Some(until), due_kind, due_at: Some(until) };
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
    let is_live = item.expires_at.is_none_or(|end| end.as_second() > now.as_second());
    Ok(is_live.then_some(item.connection))
}

#[cfg(test)]
#[test]
fn a_connection_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::Currency;
    use crate::store::stored::{self, assert_stored};
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
    assert_stored("account-attribute", [&all, &few].map(|connection| stored::attributes(&connection.account)));
    for connection in [all, few] {
        assert_eq!(parse_connection(attributes(&connection).unwrap(), now).unwrap(), Some(connection));
    }
    let [waiting, _] = waiting;
    assert_eq!(parse_connection(waiting.clone(), now).unwrap(), None);
    let read = parse_connection(waiting, Timestamp::UNIX_EPOCH).unwrap().unwrap();
    assert_eq!((read.id, read.external_ref), (pending.connection, pending.external_ref));
}
