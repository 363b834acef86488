//! The accounts that this process admitted last.

use crate::domain::{ApiKeyInfo, ApiKeys, CustomerId, Plan};
use crate::recent_map::RecentMap;
use crate::store::Account;
use jiff::Timestamp;
use std::sync::Arc;

const CAPACITY: usize = 1_000;

/// An account as this process last saw it.
#[derive(Clone, Debug)]
pub(in crate::store) struct CachedAccount {
    pub(super) plan: Plan,
    /// The theoretical arrival time of GCRA, in microseconds since 1970.
    pub(super) tat_us: i64,
    /// The keys; `None` for an account that this process has not seen.
    keys: Option<Arc<ApiKeys>>,
    /// The number of connections, if known.
    pub(in crate::store) connections: Option<usize>,
}

impl CachedAccount {
    /// The valid key with this hash. Compares in constant time.
    pub(super) fn key(&self, key_hash: &str, now: Timestamp) -> Option<&ApiKeyInfo> {
        self.keys.as_ref()?.find(key_hash, now)
    }
}

/// The accounts. A stale entry costs one failed update, or a read for a key that was just replaced, and is otherwise
/// harmless.
#[derive(Debug, Default)]
pub(in crate::store) struct AccountCache(RecentMap<CustomerId, CachedAccount, CAPACITY>);

impl AccountCache {
    /// The cached account, or the most likely state of an unknown one.
    pub(in crate::store) fn get(&self, id: CustomerId) -> CachedAccount {
        let unknown = CachedAccount { plan: Plan::Starter, tat_us: 0, keys: None, connections: None };
        self.0.get(&id).unwrap_or(unknown)
    }

    /// Whether this was a valid key of the account when the process last saw it.
    pub(super) fn has_key(&self, id: CustomerId, key_hash: &str, now: Timestamp) -> bool {
        self.get(id).key(key_hash, now).is_some()
    }

    /// Keeps an account. Of one without the keys of assistants it goes on to know those that it has seen.
    pub(super) fn insert(&self, account: &Account) {
        let has_assistants = account.keys.all().iter().any(|key| key.is_of_assistant);
        let seen = if has_assistants { None } else { self.get(account.customer.id).keys };
        let keys = account.keys.clone();
        let keys = match seen {
            Some(seen) => keys.with_assistants_of(&seen),
            None => keys,
        };
        let cached = CachedAccount {
            plan: account.customer.plan,
            tat_us: account.tat_us,
            keys: Some(Arc::new(keys)),
            connections: Some(account.connections),
        };
        self.0.insert(account.customer.id, cached);
    }
}
