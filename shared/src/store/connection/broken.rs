//! How many connections of a customer are broken, for the menu of the dashboard. A count in the account would be one
//! more write of each change of a state (D71).

use crate::domain::{Connection, CustomerId};
use crate::error::Error;
use crate::recent_map::RecentMap;
use crate::store::connection::found::Found;
use crate::store::{Store, table_keys};
use jiff::{SignedDuration, Timestamp};

const CAPACITY: usize = 1_000;
/// The time for which a number counts. Every read of all connections renews it.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(60);

/// What this process knows of each customer: the number, and when it was read.
#[derive(Debug, Default)]
pub(in crate::store) struct BrokenConnections(RecentMap<CustomerId, (usize, Timestamp), CAPACITY>);

impl BrokenConnections {
    /// Keeps the number of a customer, of whom these are all connections, and returns it.
    pub(super) fn note(&self, customer: CustomerId, connections: &[Connection], now: Timestamp) -> usize {
        let broken = connections.iter().filter(|connection| connection.status.is_broken()).count();
        self.0.insert(customer, (broken, now));
        broken
    }

    fn recent(&self, customer: CustomerId, now: Timestamp) -> Option<usize> {
        let (broken, read_at) = self.0.get(&customer)?;
        (now.duration_since(read_at) < MAX_AGE).then_some(broken)
    }
}

impl Store {
    /// The number of a customer's connections that need a person, up to a minute old. It costs one query a minute in
    /// each process.
    pub async fn broken_connections(&self, customer: CustomerId, now: Timestamp) -> Result<usize, Error> {
        if let Some(broken) = self.broken_connections.recent(customer, now) {
            return Ok(broken);
        }
        let items = self.read_prefix(customer, table_keys::CONNECTION_PREFIX).await?;
        Ok(self.broken_connections.note(customer, &Found::of(items, now)?.connections, now))
    }
}
