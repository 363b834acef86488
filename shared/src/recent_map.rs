//! A map of what this process saw last.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A map that is cleared when it is full.
#[derive(Debug)]
pub(crate) struct RecentMap<K, V, const CAPACITY: usize>(Mutex<HashMap<K, V>>);

impl<K, V, const CAPACITY: usize> Default for RecentMap<K, V, CAPACITY> {
    fn default() -> RecentMap<K, V, CAPACITY> {
        RecentMap(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone, const CAPACITY: usize> RecentMap<K, V, CAPACITY> {
    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.lock().get(key).cloned()
    }

    pub(crate) fn insert(&self, key: K, value: V) {
        let mut entries = self.lock();
        if entries.len() >= CAPACITY && !entries.contains_key(&key) {
            entries.clear();
        }
        entries.insert(key, value);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_clears_a_full_map_and_a_known_one_does_not() {
        let map = RecentMap::<_, _, 2>::default();
        map.insert("a", 1);
        map.insert("b", 2);
        map.insert("b", 3);
        assert_eq!((map.get(&"a"), map.get(&"b")), (Some(1), Some(3)));
        map.insert("c", 4);
        assert_eq!((map.get(&"a"), map.get(&"b"), map.get(&"c")), (None, None, Some(4)));
    }
}
