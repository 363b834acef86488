//! References between items, as this process last read them: from a connection id to its connection, and from there to
//! its grant. With them one call reads all three, instead of one after the other.

use crate::recent_map::RecentMap;
use crate::store::table_keys::Key;

const CAPACITY: usize = 5_000;

/// The references. A stale one costs the read of one wrong item and is otherwise harmless: the items that were read
/// decide, never the cache.
#[derive(Debug, Default)]
pub(in crate::store) struct RecentReferences(RecentMap<Key, Key, CAPACITY>);

impl RecentReferences {
    /// Remembers that one item refers to another.
    pub(super) fn insert(&self, from: Key, to: Key) {
        self.0.insert(from, to);
    }

    /// These keys, and those that their items referred to.
    pub(super) fn expand(&self, keys: Vec<Key>) -> Vec<Key> {
        let mut expanded: Vec<Key> = Vec::with_capacity(keys.len());
        for key in keys {
            let mut next = Some(key);
            while let Some(key) = next.filter(|key| !expanded.contains(key)) {
                next = self.0.get(&key);
                expanded.push(key);
            }
        }
        expanded
    }
}
