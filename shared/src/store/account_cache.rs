//! The accounts that this process admitted last.

use super::Account;
use super::recent_map::RecentMap;
use crate::domain::{CustomerId, Plan};
use subtle::ConstantTimeEq;

const CAPACITY: usize = 1_000;

/// An account as this process last saw it.
#[derive(Clone, Debug)]
pub(super) struct CachedAccount {
    pub(super) plan: Plan,
    /// The theoretical arrival time of GCRA, in microseconds since 1970.
    pub(super) tat_us: i64,
    /// The hash of the key; `None` for an account that this process has not seen.
    key_hash: Option<String>,
    /// The number of connections, if known.
    pub(super) connections: Option<usize>,
}

/// The accounts. A stale entry costs one failed update, or a read for a key that was just replaced, and is otherwise
/// harmless.
#[derive(Debug, Default)]
pub(super) struct AccountCache(RecentMap<CustomerId, CachedAccount, CAPACITY>);

impl AccountCache {
    /// The cached account, or the most likely state of an unknown one.
    pub(super) fn get(&self, id: CustomerId) -> CachedAccount {
        let unknown = CachedAccount { plan: Plan::Starter, tat_us: 0, key_hash: None, connections: None };
        self.0.get(&id).unwrap_or(unknown)
    }

    /// Whether this was the account's key when the process last saw it. Compares in constant time.
    pub(super) fn has_key(&self, id: CustomerId, key_hash: &str) -> bool {
        let known = self.0.get(&id).and_then(|account| account.key_hash);
        known.is_some_and(|known| known.as_bytes().ct_eq(key_hash.as_bytes()).into())
    }

    pub(super) fn insert(&self, account: &Account) {
        let cached = CachedAccount {
            plan: account.customer.plan,
            tat_us: account.tat_us,
            key_hash: Some(account.key_hash.clone()),
            connections: account.connections.map(|total| total.count),
        };
        self.0.insert(account.customer.id, cached);
    }
}
