//! Reads the connections and grants that a request is about. [`super::consents`], [`super::changes`]
//! and [`crate::store::grant`] write them.

use super::found::Found;
use crate::domain::{
    AdAccount, CampaignId, Change, Connection, ConnectionStatus, CustomerConnections, CustomerId, Platform,
};
use crate::error::Error;
use crate::store::table_keys::{self, Key};
use crate::store::{Store, store_error};
use jiff::Timestamp;

/// Connections per read while searching a platform for the active ones.
const SEARCH_PAGE: i32 = 25;
/// A customer with at most so many connections is read whole: one call, and a few read units.
const MAX_WHOLE: usize = 10;

/// Names a connection in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionRef {
    /// By its ad account.
    Account(Platform, String),
    /// By its id; PENDING connections have no other name.
    Id(String),
    /// The active connections of a platform, if there is at most one. Otherwise two or more of them.
    Active(Platform),
}

impl ConnectionRef {
    /// The ad account of a change.
    pub fn of_change(change: &Change) -> ConnectionRef {
        ConnectionRef::Account(change.platform, change.account_id.clone())
    }

    /// The ad accounts that may hold a campaign: only a connection tells where the account's id ends.
    pub fn of_campaign(id: &CampaignId) -> Vec<ConnectionRef> {
        let account = |account: &str| ConnectionRef::Account(id.platform(), account.to_owned());
        id.possible_accounts().map(account).collect()
    }

    /// Whether the name is a search, which reads connections until it has found enough.
    pub fn is_search(&self) -> bool {
        matches!(self, ConnectionRef::Active(_))
    }

    /// Whether it names this connection.
    pub fn names(&self, connection: &Connection) -> bool {
        match self {
            ConnectionRef::Account(platform, account) => {
                connection.platform == *platform && connection.account_id() == account
            }
            ConnectionRef::Id(id) => connection.id.0 == *id,
            ConnectionRef::Active(platform) => {
                connection.platform == *platform && connection.status == ConnectionStatus::Active
            }
        }
    }

    /// The keys of the items that it names, if it is no search.
    pub(super) fn keys(&self, customer: CustomerId) -> Vec<Key> {
        match self {
            ConnectionRef::Account(platform, account) => vec![table_keys::connection(customer, *platform, account)],
            ConnectionRef::Id(id) => {
                vec![table_keys::pending_by_id(customer, id), table_keys::connection_id(customer, id)]
            }
            ConnectionRef::Active(_) => Vec::new(),
        }
    }

    /// Whether a connection can have this name. The ids of both have the same characters, and a key of the table has a
    /// limited length.
    pub(super) fn can_exist(&self) -> bool {
        match self {
            ConnectionRef::Account(_, id) | ConnectionRef::Id(id) => AdAccount::is_id(id),
            ConnectionRef::Active(_) => true,
        }
    }
}

impl Store {
    /// Reads all connections and grants of a customer, without expired PENDING connections. The cost grows with their
    /// number.
    pub async fn customer_connections(
        &self,
        customer: CustomerId,
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        let items = self.read_prefix(customer, table_keys::LINK_PREFIX).await?;
        let connected = Found::of(items, now)?.into_connections();
        self.broken_connections.note(customer, &connected.connections, now);
        Ok(connected)
    }

    /// Reads all connections of a customer without their grants.
    pub async fn connections(&self, customer: CustomerId, now: Timestamp) -> Result<Vec<Connection>, Error> {
        let (connections, pending) = tokio::join!(
            self.read_prefix(customer, table_keys::CONNECTION_PREFIX),
            self.read_prefix(customer, table_keys::PENDING_PREFIX)
        );
        let mut items = connections?;
        items.extend(pending?);
        let connections = Found::of(items, now)?.into_connections().connections;
        self.broken_connections.note(customer, &connections, now);
        Ok(connections)
    }

    /// Reads the PENDING connections of a customer.
    pub async fn pending_connections(&self, customer: CustomerId, now: Timestamp) -> Result<Vec<Connection>, Error> {
        let items = self.read_prefix(customer, table_keys::PENDING_PREFIX).await?;
        Ok(Found::of(items, now)?.connections)
    }

    /// Whether the customer had few connections when this process last saw the account.
    pub(super) fn has_few_connections(&self, customer: CustomerId) -> bool {
        self.account_cache.get(customer).connections.is_some_and(|count| count <= MAX_WHOLE)
    }

    /// Reads the named connections with their grants, and possibly others. The number of names decides the cost, not
    /// the number of the customer's connections. A name without a connection is left out.
    pub async fn named_connections(
        &self,
        customer: CustomerId,
        names: &[ConnectionRef],
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        if self.has_few_connections(customer) {
            return self.customer_connections(customer, now).await;
        }
        let mut found = Found::default();
        let mut keys = Vec::new();
        for name in names.iter().filter(|name| name.can_exist()) {
            keys.extend(name.keys(customer));
            if let ConnectionRef::Active(platform) = name {
                self.find_active(customer, *platform, &mut found, now).await?;
            }
        }
        self.follow(customer, keys, &mut found, now).await?;
        Ok(found.into_connections())
    }

    /// Reads items, and then those that they refer to, until nothing is missing. Usually one call, because the process
    /// remembers the references.
    pub(super) async fn follow(
        &self,
        customer: CustomerId,
        keys: Vec<Key>,
        found: &mut Found,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut read: Vec<Key> = Vec::new();
        let mut wave = [keys, found.referenced(customer)].concat();
        while !wave.is_empty() {
            wave = self.recent_references.expand(wave);
            wave.retain(|key| !read.contains(key));
            for item in self.batch_read(&wave).await? {
                found.add(item, now)?;
            }
            read.append(&mut wave);
            wave = found.referenced(customer);
            wave.retain(|key| !read.contains(key));
        }
        for (from, to) in found.references(customer) {
            self.recent_references.insert(from, to);
        }
        Ok(())
    }

    /// Whether a connection on the platform works, or may work again without a new authorization.
    pub async fn has_live_connection(
        &self,
        customer: CustomerId,
        platform: Platform,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut found = Found::default();
        let is_live = |connection: &Connection| connection.status != ConnectionStatus::Revoked;
        self.search(customer, platform, &mut found, now, |found| found.iter().any(is_live)).await?;
        Ok(found.connections.iter().any(is_live))
    }

    /// Searches a platform's connections until two active ones are found.
    async fn find_active(
        &self,
        customer: CustomerId,
        platform: Platform,
        found: &mut Found,
        now: Timestamp,
    ) -> Result<(), Error> {
        let active = ConnectionRef::Active(platform);
        let is_enough = |found: &[Connection]| found.iter().filter(|known| active.names(known)).count() > 1;
        self.search(customer, platform, found, now, is_enough).await
    }

    /// Reads a platform's connections in pages, until enough are found.
    async fn search(
        &self,
        customer: CustomerId,
        platform: Platform,
        found: &mut Found,
        now: Timestamp,
        is_enough: impl Fn(&[Connection]) -> bool,
    ) -> Result<(), Error> {
        let query = self.query_prefix(customer, &table_keys::connections_of(platform)).limit(SEARCH_PAGE);
        let mut pages = query.into_paginator().send();
        while let Some(page) = pages.next().await {
            for item in page.map_err(store_error)?.items.unwrap_or_default() {
                found.add(item, now)?;
            }
            if is_enough(&found.connections) {
                break;
            }
        }
        Ok(())
    }
}
