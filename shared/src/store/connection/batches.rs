//! Reads the connections of a list in batches, in its order: by platform, then ad account. A page of the list reads the
//! connections that it asks, not all of the customer.

use super::found::Found;
use crate::domain::{Connection, CustomerConnections, CustomerId, Platform};
use crate::error::Error;
use crate::store::{Store, Values, store_error, table_keys, text};
use jiff::Timestamp;

/// Connections per batch.
const BATCH_SIZE: i32 = 50;
/// Sorts after every character of an ad account's id.
const AFTER_ALL: char = '~';
/// Sorts before every character of an ad account's id.
const BEFORE_ALL: char = '!';

/// A position in the list of connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchStart {
    pub platform: Platform,
    /// The first ad account, by the order of ids; empty for the platform's first. A text from outside must be an id
    /// ([`crate::domain::AdAccount::is_id`]): the table refuses a range that ends before it starts.
    pub account: String,
    /// `true` if the list is of this platform only.
    pub is_only_platform: bool,
}

impl BatchStart {
    fn next_platform(&self) -> Option<BatchStart> {
        if self.is_only_platform {
            return None;
        }
        let platform = Platform::ALL.into_iter().find(|platform| *platform > self.platform)?;
        Some(BatchStart { platform, account: String::new(), is_only_platform: false })
    }
}

/// Some connections of a list, with their grants.
#[derive(Clone, Debug, Default)]
pub struct ConnectionBatch {
    /// The connections. They may include some before the start, or of other platforms.
    pub connected: CustomerConnections,
    /// The start of the next batch; `None` after the last one.
    pub next: Option<BatchStart>,
}

impl Store {
    /// Reads the connections from a start on, with their grants.
    pub async fn connection_batch(
        &self,
        customer: CustomerId,
        start: BatchStart,
        now: Timestamp,
    ) -> Result<ConnectionBatch, Error> {
        if self.has_few_connections(customer) {
            return Ok(ConnectionBatch { connected: self.customer_connections(customer, now).await?, next: None });
        }
        let mut found = Found::default();
        let mut next = Some(start);
        while found.connections.is_empty()
            && let Some(start) = next
        {
            next = self.read_batch(customer, &start, &mut found, now).await?.or_else(|| start.next_platform());
        }
        self.follow(customer, Vec::new(), &mut found, now).await?;
        Ok(ConnectionBatch { connected: found.into_connections(), next })
    }

    /// Reads connections of one platform. Returns the start of the rest, if there may be more.
    async fn read_batch(
        &self,
        customer: CustomerId,
        start: &BatchStart,
        found: &mut Found,
        now: Timestamp,
    ) -> Result<Option<BatchStart>, Error> {
        let prefix = table_keys::connections_of(start.platform);
        let query = self
            .query()
            .key_condition_expression("pk = :customer AND sk BETWEEN :first AND :last")
            .values([
                (":customer", text(table_keys::customer(customer))),
                (":first", text(format!("{prefix}{}", start.account))),
                (":last", text(format!("{prefix}{AFTER_ALL}"))),
            ])
            .consistent_read(true)
            .limit(BATCH_SIZE);
        let output = query.send().await.map_err(store_error)?;
        for item in output.items.unwrap_or_default() {
            found.add(item, now)?;
        }
        let last = output.last_evaluated_key.and_then(|_| found.connections.last()).map(Connection::account_id);
        Ok(last.map(|last| BatchStart { account: format!("{last}{BEFORE_ALL}"), ..start.clone() }))
    }
}
