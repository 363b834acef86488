//! Reads of several items.

use super::table_keys::Key;
use super::{Item, Store, store_error};
use crate::error::Error;
use aws_sdk_dynamodb::types::KeysAndAttributes;

/// DynamoDB's limit of keys in a batch of reads.
const READS_PER_BATCH: usize = 100;

impl Store {
    /// Reads items with consistent reads, in one call for up to 100 different keys. Missing items are left out.
    pub(super) async fn batch_read(&self, keys: &[Key]) -> Result<Vec<Item>, Error> {
        self.batch_get(keys, true).await
    }

    /// Reads items as [`Store::batch_read`] does, but with eventually consistent reads, at half the price.
    pub(super) async fn batch_read_eventually(&self, keys: &[Key]) -> Result<Vec<Item>, Error> {
        self.batch_get(keys, false).await
    }

    async fn batch_get(&self, keys: &[Key], is_consistent: bool) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        for chunk in keys.chunks(READS_PER_BATCH) {
            let mut wanted: Vec<Item> = chunk.iter().map(Key::attributes).collect();
            // DynamoDB may return a part and list the rest as unprocessed. Each call makes progress.
            while !wanted.is_empty() {
                let keys = KeysAndAttributes::builder().set_keys(Some(wanted)).consistent_read(is_consistent);
                let keys = keys.build().map_err(Error::internal)?;
                let read = self.client.batch_get_item().request_items(&self.table, keys);
                let output = read.send().await.map_err(store_error)?;
                items.extend(output.responses.unwrap_or_default().into_values().flatten());
                let rest = output.unprocessed_keys.unwrap_or_default();
                wanted = rest.into_values().flat_map(|keys| keys.keys).collect();
            }
        }
        Ok(items)
    }
}
