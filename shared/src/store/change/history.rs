//! The history: a customer's changes, newest first, or oldest first since one.

use super::item::parse;
use crate::domain::{Change, ChangeFilters, ChangeId, CustomerId, ReadBy};
use crate::error::Error;
use crate::store::table_keys::{self, Key};
use crate::store::{Item, Store, Values, store_error, text};
use jiff::Timestamp;
use std::collections::HashMap;

/// A page of the history.
#[derive(Debug)]
pub struct ChangePage {
    /// The changes, in the order of the list.
    pub changes: Vec<Change>,
    /// The change after which the next page starts; `None` at the end.
    pub next: Option<ChangeId>,
}

/// A page of a partition.
struct PageOf {
    /// The first and the last sort key.
    range: (String, String),
    after: Option<ChangeId>,
    /// Changes to read.
    read: i32,
    is_oldest_first: bool,
}

/// A partition of an index of the history.
struct IndexKey {
    index: &'static str,
    attribute: &'static str,
    value: String,
}

impl IndexKey {
    /// What the filters are read by; `None` for the changes of the customer, which need no index.
    fn of(customer: CustomerId, filters: &ChangeFilters) -> Option<IndexKey> {
        let (index, attribute, value) = match filters.read_by() {
            ReadBy::Customer => return None,
            ReadBy::Reference(reference) => {
                (table_keys::REFERENCE_INDEX, table_keys::REFERENCE_KEY, table_keys::reference_key(customer, reference))
            }
            ReadBy::Key(digest) => (
                table_keys::IDEMPOTENCY_INDEX,
                table_keys::IDEMPOTENCY_KEY,
                table_keys::idempotency_key(customer, digest),
            ),
            ReadBy::Campaign(campaign) => {
                (table_keys::CAMPAIGN_INDEX, table_keys::CAMPAIGN_KEY, table_keys::campaign_key(customer, campaign))
            }
            ReadBy::User(user) => (table_keys::USER_INDEX, table_keys::USER_KEY, table_keys::user_key(customer, user)),
        };
        Some(IndexKey { index, attribute, value })
    }
}

impl Store {
    /// Reads `read` changes of a customer, or those of what the filters are read by, newest first, or oldest first since a
    /// change, and returns those that the filters accept and that have not expired. `after` must be within the time range
    /// of the filters.
    pub async fn history(
        &self,
        customer: CustomerId,
        filters: &ChangeFilters,
        after: Option<ChangeId>,
        read: i32,
        now: Timestamp,
    ) -> Result<ChangePage, Error> {
        let Some(range) = table_keys::change_range(filters, after, now) else {
            return Ok(ChangePage { changes: Vec::new(), next: None });
        };
        let page = PageOf { range, after, read, is_oldest_first: filters.since.is_some() };
        let (items, next) = match IndexKey::of(customer, filters) {
            None => self.customer_page(customer, page).await?,
            Some(key) => self.index_page(customer, &key, page).await?,
        };
        let changes = items.into_iter().map(|item| parse(customer, item)).collect::<Result<Vec<_>, _>>()?;
        let is_shown = |change: &Change| change.expires_at > now && filters.accept(change, now);
        Ok(ChangePage { changes: changes.into_iter().filter(is_shown).collect(), next })
    }

    async fn customer_page(&self, customer: CustomerId, page: PageOf) -> Result<(Vec<Item>, Option<ChangeId>), Error> {
        let PageOf { range: (from, to), after, read, is_oldest_first } = page;
        let query = self
            .query()
            .key_condition_expression("pk = :customer AND sk BETWEEN :from AND :to")
            .values([(":customer", text(table_keys::customer(customer))), (":from", text(from)), (":to", text(to))])
            .set_exclusive_start_key(after.map(|id| table_keys::change(customer, id).attributes()))
            .scan_index_forward(is_oldest_first)
            .consistent_read(true)
            .limit(read);
        let output = query.send().await.map_err(store_error)?;
        Ok((output.items.unwrap_or_default(), next(output.last_evaluated_key)?))
    }

    /// The index has the keys only, so that it changes when a change is stored and not again. The changes are as of
    /// now; one that was stored a moment ago may be missing.
    async fn index_page(
        &self,
        customer: CustomerId,
        key: &IndexKey,
        page: PageOf,
    ) -> Result<(Vec<Item>, Option<ChangeId>), Error> {
        let PageOf { range: (from, to), after, read, is_oldest_first } = page;
        let IndexKey { index, attribute, value } = key;
        let start = |id: ChangeId| {
            let mut key = table_keys::change(customer, id).attributes();
            key.insert((*attribute).to_owned(), text(value));
            key
        };
        let query = self
            .query()
            .index_name(*index)
            .key_condition_expression(format!("{attribute} = :key AND sk BETWEEN :from AND :to"))
            .values([(":key", text(value)), (":from", text(from)), (":to", text(to))])
            .set_exclusive_start_key(after.map(start))
            .scan_index_forward(is_oldest_first)
            .limit(read);
        let output = query.send().await.map_err(store_error)?;
        let next = next(output.last_evaluated_key)?;
        let ids: Vec<ChangeId> = output.items.unwrap_or_default().iter().filter_map(id_of).collect();
        Ok((self.items_by_id(customer, &ids).await?, next))
    }

    /// Reads changes in this order, a hundred in one round trip. One that has expired is left out.
    pub async fn changes_by_id(
        &self,
        customer: CustomerId,
        ids: &[ChangeId],
        now: Timestamp,
    ) -> Result<Vec<Change>, Error> {
        let items = self.items_by_id(customer, ids).await?;
        let mut changes = items.into_iter().map(|item| parse(customer, item)).collect::<Result<Vec<_>, _>>()?;
        changes.retain(|change| change.expires_at > now);
        Ok(changes)
    }

    async fn items_by_id(&self, customer: CustomerId, ids: &[ChangeId]) -> Result<Vec<Item>, Error> {
        let keys: Vec<Key> = ids.iter().map(|id| table_keys::change(customer, *id)).collect();
        let mut items = self.batch_read(&keys).await?;
        let places: HashMap<ChangeId, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        items.sort_by_cached_key(|item| id_of(item).and_then(|id| places.get(&id).copied()));
        Ok(items)
    }
}

pub(super) fn id_of(item: &Item) -> Option<ChangeId> {
    table_keys::parse_change_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

/// The change after which the next page starts.
fn next(last_key: Option<Item>) -> Result<Option<ChangeId>, Error> {
    let malformed = || Error::internal("a change has a malformed key");
    last_key.map(|key| id_of(&key).ok_or_else(malformed)).transpose()
}
