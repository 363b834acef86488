//! Plan and rate of the accounts that this process admitted last.

use super::Account;
use crate::domain::{CustomerId, Plan};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The cache is cleared when it is full.
const ACCOUNT_CACHE_CAPACITY: usize = 1_000;

/// An account as this process last saw it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedAccount {
    pub(super) plan: Plan,
    /// The theoretical arrival time of GCRA, in microseconds since 1970.
    pub(super) tat_us: i64,
}

/// The accounts. A stale entry costs one failed update and is otherwise harmless.
#[derive(Debug, Default)]
pub(super) struct AccountCache(Mutex<HashMap<CustomerId, CachedAccount>>);

impl AccountCache {
    /// The cached account, or the most likely state of an unknown one.
    pub(super) fn get(&self, id: CustomerId) -> CachedAccount {
        self.lock().get(&id).copied().unwrap_or(CachedAccount { plan: Plan::Starter, tat_us: 0 })
    }

    pub(super) fn insert(&self, account: &Account) {
        let mut accounts = self.lock();
        if accounts.len() >= ACCOUNT_CACHE_CAPACITY && !accounts.contains_key(&account.customer.id) {
            accounts.clear();
        }
        let cached = CachedAccount { plan: account.customer.plan, tat_us: account.tat_us };
        accounts.insert(account.customer.id, cached);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CustomerId, CachedAccount>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
