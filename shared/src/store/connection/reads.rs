//! Reads the connections and grants that a request is about. [`super::consents`], [`super::changes`]
//! and [`crate::store::grant`] write them.

use super::item::{CONNECTION_SK, parse_connection};
use crate::domain::{
    AdAccount, CampaignId, Connection, ConnectionStatus, CustomerConnections, CustomerId, Grant, Intent, Platform,
};
use crate::error::Error;
use crate::store::grant::{GrantItem, parse_grant};
use crate::store::table_keys::{self, Key};
use crate::store::{Item, Store, from_item, store_error, text};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
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
    /// The ad account of an intent.
    pub fn of_intent(intent: &Intent) -> ConnectionRef {
        ConnectionRef::Account(intent.platform, intent.account_id.clone())
    }

    /// The ad accounts that may hold a campaign: only a connection tells where the account's id ends.
    pub fn of_campaign(id: &CampaignId) -> Vec<ConnectionRef> {
        let account = |account: &str| ConnectionRef::Account(id.platform(), account.to_owned());
        id.possible_accounts().map(account).collect()
    }

    /// Whether a connection can have this name. The ids of both have the same characters, and a key of the table has a
    /// limited length.
    fn can_exist(&self) -> bool {
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
        let mut found = Found::default();
        found.add_all(self.query_prefix(customer, table_keys::LINK_PREFIX), now).await?;
        Ok(found.into_connections())
    }

    /// Reads all connections of a customer without their grants.
    pub async fn connections(&self, customer: CustomerId, now: Timestamp) -> Result<Vec<Connection>, Error> {
        let (mut found, mut pending) = (Found::default(), Found::default());
        let (connections, waiting) = tokio::join!(
            found.add_all(self.query_prefix(customer, table_keys::CONNECTION_PREFIX), now),
            pending.add_all(self.query_prefix(customer, table_keys::PENDING_PREFIX), now)
        );
        connections.and(waiting)?;
        found.connections.extend(pending.connections);
        Ok(found.into_connections().connections)
    }

    /// Reads the PENDING connections of a customer.
    pub async fn pending_connections(&self, customer: CustomerId, now: Timestamp) -> Result<Vec<Connection>, Error> {
        let mut found = Found::default();
        found.add_all(self.query_prefix(customer, table_keys::PENDING_PREFIX), now).await?;
        Ok(found.connections)
    }

    /// Whether the customer had few connections when this process last saw the account.
    pub(super) fn has_few_connections(&self, customer: CustomerId) -> bool {
        self.account_cache.get(customer).connections.is_some_and(|count| count <= MAX_WHOLE)
    }

    /// Reads the named connections with their grants, and possibly others. The number of names decides the cost, not the
    /// number of the customer's connections. A name without a connection is left out.
    pub async fn named_connections(
        &self,
        customer: CustomerId,
        names: &[ConnectionRef],
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        if self.has_few_connections(customer) {
            return self.customer_connections(customer, now).await;
        }
        let (mut found, mut keys) = (Found::default(), Vec::new());
        for name in names.iter().filter(|name| name.can_exist()) {
            match name {
                ConnectionRef::Account(platform, account) => {
                    keys.push(table_keys::connection(customer, *platform, account));
                }
                ConnectionRef::Id(id) => {
                    keys.push(table_keys::pending_by_id(customer, id));
                    keys.push(table_keys::connection_id(customer, id));
                }
                ConnectionRef::Active(platform) => self.find_active(customer, *platform, &mut found, now).await?,
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
        let is_active = |known: &&Connection| known.platform == platform && known.status == ConnectionStatus::Active;
        self.search(customer, platform, found, now, |found| found.iter().filter(is_active).count() > 1).await
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

    /// A consistent query of the customer's records under a prefix of the sort key.
    pub(in crate::store) fn query_prefix(&self, customer: CustomerId, prefix: &str) -> QueryFluentBuilder {
        self.client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :customer AND begins_with(sk, :prefix)")
            .expression_attribute_values(":customer", text(table_keys::customer(customer)))
            .expression_attribute_values(":prefix", text(prefix))
            .consistent_read(true)
    }
}

/// Items that were read.
#[derive(Default)]
pub(super) struct Found {
    pub(super) connections: Vec<Connection>,
    pub(super) grants: Vec<Grant>,
    /// A connection id, and the sort key that it leads to.
    ids: Vec<(String, String)>,
}

impl Found {
    pub(super) async fn add_all(&mut self, query: QueryFluentBuilder, now: Timestamp) -> Result<(), Error> {
        let mut items = query.into_paginator().items().send();
        while let Some(item) = items.next().await {
            self.add(item.map_err(store_error)?, now)?;
        }
        Ok(())
    }

    pub(super) fn add(&mut self, item: Item, now: Timestamp) -> Result<(), Error> {
        let sk = item.get(table_keys::SORT).and_then(|sk| sk.as_s().ok()).cloned().unwrap_or_default();
        if table_keys::parse_grant_sk(&sk).is_some() {
            let grant: GrantItem = from_item(item)?;
            self.grants.push(parse_grant(grant)?);
        } else if let Some(id) = table_keys::parse_connection_id_sk(&sk) {
            let target = item.get(CONNECTION_SK).and_then(|target| target.as_s().ok());
            self.ids.extend(target.map(|target| (id.to_owned(), target.clone())));
        } else {
            self.connections.extend(parse_connection(item, now)?);
        }
        Ok(())
    }

    /// References from one of the items to another.
    fn references(&self, customer: CustomerId) -> Vec<(Key, Key)> {
        let pk = table_keys::customer(customer);
        let ids = self
            .ids
            .iter()
            .map(|(id, sk)| (table_keys::connection_id(customer, id), Key { pk: pk.clone(), sk: sk.clone() }));
        let grants = self.connections.iter().filter_map(|connection| {
            let (grant, account) = (connection.grant_id.as_ref()?, connection.account.as_ref()?);
            let key = table_keys::connection(customer, connection.platform, &account.id);
            Some((key, table_keys::grant(customer, grant)))
        });
        ids.chain(grants).collect()
    }

    /// The keys that the items refer to, without those of grants that were read.
    fn referenced(&self, customer: CustomerId) -> Vec<Key> {
        let is_known = |key: &Key| self.grants.iter().any(|grant| table_keys::grant(customer, &grant.id) == *key);
        self.references(customer).into_iter().map(|(_, to)| to).filter(|key| !is_known(key)).collect()
    }

    pub(super) fn into_connections(mut self) -> CustomerConnections {
        self.connections.sort_by(|a, b| sort_order(a).cmp(&sort_order(b)));
        CustomerConnections { connections: self.connections, grants: self.grants }
    }
}

/// Sort key of the merged list: platform and account, PENDING connections last.
fn sort_order(connection: &Connection) -> (bool, Platform, &str, Timestamp) {
    (connection.account.is_none(), connection.platform, connection.account_id(), connection.created_at)
}
