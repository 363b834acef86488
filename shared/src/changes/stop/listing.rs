//! What was done to the campaigns of a stopped key.

use crate::domain::stop::{CampaignHistory, StopTarget};
use crate::domain::{CampaignId, Change, ChangeFilters, CustomerId, KeyId, KeySpending, Stop};
use crate::error::Error;
use crate::store::{ConnectionRef, Store};
use futures_util::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Changes of a page.
const PAGE_SIZE: i32 = 1_000;
/// Campaigns read concurrently.
const CONCURRENCY: usize = 16;
/// The index of a campaign's changes may lack the newest. So those of this time are read from the table.
const INDEX_DELAY: SignedDuration = SignedDuration::from_mins(5);

/// The histories of the campaigns of a stopped key: for a key that always had a limit those of its contributions, for
/// any other those of all changes of a year.
pub(super) async fn histories(
    store: &Store,
    stop: &Stop,
    spending: Option<&KeySpending>,
    now: Timestamp,
) -> Result<BTreeMap<CampaignId, CampaignHistory>, Error> {
    let mut histories = BTreeMap::new();
    match spending.filter(|spending| !spending.was_unlimited) {
        None => read(store, stop, &ChangeFilters::default(), now, &mut histories).await?,
        Some(spending) => {
            let campaigns: BTreeSet<_> = spending.contributions.keys().chain(&stop.in_flight).cloned().collect();
            let read_one = |campaign: CampaignId| async move {
                let mut one = BTreeMap::new();
                let filters = ChangeFilters { campaign: Some(campaign), ..ChangeFilters::default() };
                read(store, stop, &filters, now, &mut one).await.map(|()| one)
            };
            let mut reads = stream::iter(campaigns.clone()).map(read_one).buffer_unordered(CONCURRENCY);
            while let Some(read) = reads.next().await {
                histories.extend(read?);
            }
            let from = Some(stop.stopped_at - INDEX_DELAY);
            read(store, stop, &ChangeFilters { from, ..ChangeFilters::default() }, now, &mut histories).await?;
            histories.retain(|campaign, _| campaigns.contains(campaign));
        }
    }
    if let Some(spending) = spending {
        add_missing(store, stop.customer, spending, now, &mut histories).await?;
    }
    Ok(histories)
}

/// Reads the changes that filters on time and campaign accept.
async fn read(
    store: &Store,
    stop: &Stop,
    filters: &ChangeFilters,
    now: Timestamp,
    histories: &mut BTreeMap<CampaignId, CampaignHistory>,
) -> Result<(), Error> {
    let mut after = None;
    loop {
        let page = store.history(stop.customer, filters, after, PAGE_SIZE, now).await?;
        page.changes.iter().for_each(|change| add(histories, change, &stop.key));
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

fn add(histories: &mut BTreeMap<CampaignId, CampaignHistory>, change: &Change, key: &KeyId) {
    if let Some(campaign) = &change.campaign {
        histories.entry(campaign.clone()).or_default().add(change, key);
    }
}

/// Adds the campaigns of contributions whose changes have expired. One whose connection is removed cannot be paused.
async fn add_missing(
    store: &Store,
    customer: CustomerId,
    spending: &KeySpending,
    now: Timestamp,
    histories: &mut BTreeMap<CampaignId, CampaignHistory>,
) -> Result<(), Error> {
    let missing: Vec<_> = spending.contributions.iter().filter(|(id, _)| !histories.contains_key(*id)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|(_, one)| ConnectionRef::Id(one.connection.0.clone())).collect();
    let connected = store.named_connections(customer, &names, now).await?;
    for (campaign, contribution) in missing {
        let Some((connection, _)) = connected.find_campaign(campaign) else { continue };
        let target = StopTarget {
            campaign: campaign.clone(),
            account_id: connection.account_id().to_owned(),
            connection: contribution.connection.clone(),
            currency: contribution.currency,
        };
        histories.insert(campaign.clone(), CampaignHistory::of(target));
    }
    Ok(())
}
