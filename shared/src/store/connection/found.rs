//! The connections and grants among items that were read, and the items that they refer to.

use super::item::{CONNECTION_SK, parse_connection};
use crate::domain::{Connection, CustomerConnections, CustomerId, Grant, Platform};
use crate::error::Error;
use crate::store::Item;
use crate::store::grant::parse_grant;
use crate::store::table_keys::{self, Key};
use jiff::Timestamp;

/// Items that were read.
#[derive(Default)]
pub(super) struct Found {
    pub(super) connections: Vec<Connection>,
    grants: Vec<Grant>,
    /// A connection id, and the sort key that it leads to.
    ids: Vec<(String, String)>,
}

impl Found {
    pub(super) fn of(items: Vec<Item>, now: Timestamp) -> Result<Found, Error> {
        let mut found = Found::default();
        for item in items {
            found.add(item, now)?;
        }
        Ok(found)
    }

    pub(super) fn add(&mut self, item: Item, now: Timestamp) -> Result<(), Error> {
        let sk = item.get(table_keys::SORT).and_then(|sk| sk.as_s().ok()).cloned().unwrap_or_default();
        if table_keys::parse_grant_sk(&sk).is_some() {
            self.grants.push(parse_grant(item)?);
        } else if let Some(id) = table_keys::parse_connection_id_sk(&sk) {
            let target = item.get(CONNECTION_SK).and_then(|target| target.as_s().ok());
            self.ids.extend(target.map(|target| (id.to_owned(), target.clone())));
        } else {
            self.connections.extend(parse_connection(item, now)?);
        }
        Ok(())
    }

    /// References from one of the items to another.
    pub(super) fn references(&self, customer: CustomerId) -> Vec<(Key, Key)> {
        let pk = table_keys::customer(customer);
        let ids = self
            .ids
            .iter()
            .map(|(id, sk)| (table_keys::connection_id(customer, id), Key { pk: pk.clone(), sk: sk.clone() }));
        let grants = self.connections.iter().filter_map(|connection| {
            let grant = connection.grant_id.as_ref()?;
            let account = connection.account.as_ref()?;
            let key = table_keys::connection(customer, connection.platform, &account.id);
            Some((key, table_keys::grant(customer, grant)))
        });
        ids.chain(grants).collect()
    }

    /// The keys that the items refer to, without those of grants that were read.
    pub(super) fn referenced(&self, customer: CustomerId) -> Vec<Key> {
        let is_known = |key: &Key| self.grants.iter().any(|grant| table_keys::grant(customer, &grant.id) == *key);
        self.references(customer).into_iter().map(|(_, to)| to).filter(|key| !is_known(key)).collect()
    }

    pub(super) fn into_connections(mut self) -> CustomerConnections {
        self.connections.sort_by(|a, b| sort_order(a).cmp(&sort_order(b)));
        CustomerConnections { connections: self.connections, grants: self.grants }
    }
}

/// Sort key of the merged list: platform and account, PENDING connections last.
fn sort_order(connection: &Connection) -> (bool, Platform, &str, Timestamp, &str) {
    let Connection { id, platform, created_at, account, .. } = connection;
    (account.is_none(), *platform, connection.account_id(), *created_at, &id.0)
}
