//! The histories of the campaigns of a stopped key.

use crate::domain::stop::{CampaignHistory, StopTarget};
use crate::domain::{CampaignId, Change, ChangeFilters, CustomerId, KeyId, Spending, Stop};
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
    spending: Option<&Spending>,
    now: Timestamp,
) -> Result<BTreeMap<CampaignId, CampaignHistory>, Error> {
    let (customer, key) = (stop.customer, &stop.key);
    let mut histories = BTreeMap::new();
    match spending.filter(|spending| !spending.was_unlimited) {
        None => read(store, customer, key, &ChangeFilters::default(), now, &mut histories).await?,
        Some(spending) => {
            let campaigns: BTreeSet<_> = spending.contributions.keys().chain(&stop.in_flight).cloned().collect();
            let read_one = |campaign: CampaignId| async move {
                let mut one = BTreeMap::new();
                let filters = ChangeFilters { campaign: Some(campaign), ..ChangeFilters::default() };
                read(store, customer, key, &filters, now, &mut one).await.map(|()| one)
            };
            let mut reads = stream::iter(campaigns.clone()).map(read_one).buffer_unordered(CONCURRENCY);
            while let Some(read) = reads.next().await {
                histories.extend(read?);
            }
            let from = Some(stop.stopped_at - INDEX_DELAY);
            let latest = ChangeFilters { from, ..ChangeFilters::default() };
            read(store, customer, key, &latest, now, &mut histories).await?;
            histories.retain(|campaign, _| campaigns.contains(campaign));
        }
    }
    if let Some(spending) = spending {
        add_missing(store, customer, spending, now, &mut histories).await?;
    }
    Ok(histories)
}

/// Whether somebody has activated the campaign of a stop's pause since the stop. The index may lack an activation of
/// the last moment. Such an activation counts as simultaneous with the pause.
pub(in crate::changes) async fn is_activated_since(
    store: &Store,
    pause: &Change,
    now: Timestamp,
) -> Result<bool, Error> {
    let (Some(key), Some(campaign)) = (&pause.stops, &pause.campaign) else { return Ok(false) };
    let filters = ChangeFilters { campaign: Some(campaign.clone()), ..ChangeFilters::default() };
    let mut histories = BTreeMap::new();
    read(store, pause.customer, key, &filters, now, &mut histories).await?;
    Ok(histories.get(campaign).is_some_and(|history| history.is_activated_since(pause.created_at())))
}

/// Reads the changes that filters on time and campaign accept.
async fn read(
    store: &Store,
    customer: CustomerId,
    key: &KeyId,
    filters: &ChangeFilters,
    now: Timestamp,
    histories: &mut BTreeMap<CampaignId, CampaignHistory>,
) -> Result<(), Error> {
    let mut after = None;
    loop {
        let page = store.history(customer, filters, after, PAGE_SIZE, now).await?;
        page.changes.iter().for_each(|change| add(histories, change, key));
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

/// Adds the campaigns of contributions whose changes have expired. The pause of one whose ad account is not connected
/// any more fails, and says so.
async fn add_missing(
    store: &Store,
    customer: CustomerId,
    spending: &Spending,
    now: Timestamp,
    histories: &mut BTreeMap<CampaignId, CampaignHistory>,
) -> Result<(), Error> {
    let missing: Vec<_> = spending.contributions.iter().filter(|(id, _)| !histories.contains_key(*id)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().flat_map(|(campaign, _)| ConnectionRef::of_campaign(campaign)).collect();
    let connected = store.named_connections(customer, &names, now).await?;
    for (campaign, contribution) in missing {
        let known = connected.find_campaign(campaign).map(|(connection, _)| connection);
        let (account, connection) = match known {
            Some(connection) => (connection.account_id(), &connection.id),
            None => (campaign.possible_accounts().next().unwrap_or_default(), &contribution.connection),
        };
        let target = StopTarget {
            campaign: campaign.clone(),
            account_id: account.to_owned(),
            connection: connection.clone(),
            currency: contribution.currency,
            external_ref: known.and_then(|connection| connection.external_ref.clone()),
        };
        histories.insert(campaign.clone(), CampaignHistory::of(target));
    }
    Ok(())
}
