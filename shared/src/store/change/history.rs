//! The history: a customer's changes, newest first.

use super::item::parse;
use crate::domain::{CampaignId, Change, ChangeFilters, ChangeId, CustomerId};
use crate::error::Error;
use crate::store::table_keys::{self, Key};
use crate::store::{Item, Store, Values, store_error, text};
use jiff::Timestamp;
use std::collections::HashMap;

/// A page of the history.
#[derive(Debug)]
pub struct ChangePage {
    /// The changes, newest first.
    pub changes: Vec<Change>,
    /// The change after which the next page starts; `None` at the end.
    pub next: Option<ChangeId>,
}

impl Store {
    /// Reads `read` changes of a customer, or of one campaign if the filters name it, newest first, and returns those
    /// that the filters accept and that have not expired. `after` must be within the time range of the filters.
    pub async fn history(
        &self,
        customer: CustomerId,
        filters: &ChangeFilters,
        after: Option<ChangeId>,
        read: i32,
        now: Timestamp,
    ) -> Result<ChangePage, Error> {
        let (items, next) = match &filters.campaign {
            None => self.customer_page(customer, filters, after, read).await?,
            Some(campaign) => self.campaign_page(customer, campaign, filters, after, read).await?,
        };
        let changes = items.into_iter().map(|item| parse(customer, item)).collect::<Result<Vec<_>, _>>()?;
        let is_shown = |change: &Change| change.expires_at > now && filters.accept(change, now);
        Ok(ChangePage { changes: changes.into_iter().filter(is_shown).collect(), next })
    }

    async fn customer_page(
        &self,
        customer: CustomerId,
        filters: &ChangeFilters,
        after: Option<ChangeId>,
        read: i32,
    ) -> Result<(Vec<Item>, Option<ChangeId>), Error> {
        let (from, to) = table_keys::change_range(filters);
        let query = self
            .query()
            .key_condition_expression("pk = :customer AND sk BETWEEN :from AND :to")
            .values([(":customer", text(table_keys::customer(customer))), (":from", text(from)), (":to", text(to))])
            .set_exclusive_start_key(after.map(|id| table_keys::change(customer, id).attributes()))
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(read);
        let output = query.send().await.map_err(store_error)?;
        Ok((output.items.unwrap_or_default(), next(output.last_evaluated_key)?))
    }

    /// The index has the keys only, so that it changes when a change is stored and not again. The changes are as of
    /// now; one that was stored a moment ago may be missing.
    async fn campaign_page(
        &self,
        customer: CustomerId,
        campaign: &CampaignId,
        filters: &ChangeFilters,
        after: Option<ChangeId>,
        read: i32,
    ) -> Result<(Vec<Item>, Option<ChangeId>), Error> {
        let (from, to) = table_keys::change_range(filters);
        let campaign_key = text(table_keys::campaign_key(customer, campaign));
        let start = |id: ChangeId| {
            let mut key = table_keys::change(customer, id).attributes();
            key.insert(table_keys::CAMPAIGN_KEY.to_owned(), campaign_key.clone());
            key
        };
        let query = self
            .query()
            .index_name(table_keys::CAMPAIGN_INDEX)
            .key_condition_expression("campaign_key = :campaign AND sk BETWEEN :from AND :to")
            .values([(":campaign", campaign_key.clone()), (":from", text(from)), (":to", text(to))])
            .set_exclusive_start_key(after.map(start))
            .scan_index_forward(false)
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
