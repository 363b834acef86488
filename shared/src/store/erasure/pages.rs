//! A page of a walk over the records of a customer: it erases those of the user. Each write may be repeated.

use super::TakenErasure;
use super::owned::{Fate, Owner, string};
use super::tombstone::tombstone;
use crate::concurrent::for_each;
use crate::domain::erasure::{ErasedAccount, ErasureSubject, WalkPart};
use crate::domain::event::RECORD_RETENTION;
use crate::domain::{Change, Create, CustomerId, Platform};
use crate::error::Error;
use crate::store::change::parse_change;
use crate::store::table_keys::{self, Key, PARTITION, SORT};
use crate::store::{Item, Store};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};

/// Records of a page.
const PAGE_SIZE: i32 = 200;

/// What a page of a walk has found.
#[derive(Debug, Default)]
pub struct ErasedPage {
    /// The sort key of its last record; `None` at the end of the partition.
    pub last: Option<String>,
    /// Whether something was erased.
    pub has_found: bool,
    /// Whether something counts against the limit of a key until the day of its ad account is over.
    pub has_counting: bool,
    /// Ad accounts of which a change of the user says that they were the user's, and that nobody has connected.
    pub accounts: BTreeSet<ErasedAccount>,
}

/// What all records of a page have in common.
struct Page<'a> {
    taken: &'a TakenErasure,
    /// Without the ad accounts that somebody has connected since.
    subject: ErasureSubject,
    /// The events of the deliveries of the page, by their sort keys.
    events: HashMap<String, Item>,
    now: Timestamp,
}

impl Page<'_> {
    fn owner(&self) -> Owner<'_> {
        Owner { user: &self.taken.user, subject: &self.subject }
    }
}

/// What erasing one record has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Stays,
    Erased,
    Counting,
}

impl Store {
    /// Reads the next page of a walk, and erases the records of the user in it.
    pub async fn erase_page(&self, taken: &TakenErasure, now: Timestamp) -> Result<ErasedPage, Error> {
        let customer = taken.customer;
        let (items, last) = self.page_of_walk(customer, &taken.erasure.walk, PAGE_SIZE).await?;
        let mut accounts = taken.erasure.subject.accounts.clone();
        let learned = items.iter().filter_map(|item| account_of(item, taken));
        let learned: BTreeSet<ErasedAccount> = learned.filter(|account| !accounts.contains(account)).collect();
        accounts.extend(learned.clone());
        let connected = self.connected_accounts(customer, &accounts).await?;
        accounts.retain(|account| !connected.contains(account));
        let learned: BTreeSet<ErasedAccount> = learned.intersection(&accounts).cloned().collect();
        let subject = ErasureSubject { accounts, ..taken.erasure.subject.clone() };
        let events = self.events_of_deliveries(customer, &items).await?;
        let page = &Page { taken, subject, events, now };
        let erased = for_each(items, |item| self.erase(page, item)).await?;
        let has = |outcome| erased.contains(&outcome);
        let (has_found, has_counting) = (has(Outcome::Erased), has(Outcome::Counting));
        Ok(ErasedPage { last, has_found, has_counting, accounts: learned })
    }

    /// Those of these ad accounts that somebody has connected.
    async fn connected_accounts(
        &self,
        customer: CustomerId,
        accounts: &BTreeSet<ErasedAccount>,
    ) -> Result<BTreeSet<ErasedAccount>, Error> {
        let key = |known: &ErasedAccount| table_keys::connection(customer, known.platform, &known.account_id);
        let found = self.batch_read(&accounts.iter().map(key).collect::<Vec<_>>()).await?;
        let found: Vec<&str> = found.iter().filter_map(|item| string(item, &[SORT])).collect();
        Ok(accounts.iter().filter(|account| found.contains(&key(account).sk.as_str())).cloned().collect())
    }

    async fn events_of_deliveries(&self, customer: CustomerId, items: &[Item]) -> Result<HashMap<String, Item>, Error> {
        let event = |item: &Item| table_keys::parse_delivery_sk(string(item, &[SORT])?).map(|(_, event)| event);
        let events: BTreeSet<_> = items.iter().filter_map(event).collect();
        let keys: Vec<Key> = events.into_iter().map(|event| table_keys::event(customer, event)).collect();
        let found = self.batch_read(&keys).await?;
        Ok(found.into_iter().filter_map(|item| Some((string(&item, &[SORT])?.to_owned(), item))).collect())
    }

    async fn erase(&self, page: &Page<'_>, item: Item) -> Result<Outcome, Error> {
        let key = key_of(&item);
        let fate = match page.taken.erasure.walk.part {
            WalkPart::Records => page.owner().fate(&item),
            WalkPart::UsageLog if page.owner().has_usage(&item) => Fate::Deleted,
            WalkPart::UsageLog => Fate::Stays,
        };
        match fate {
            Fate::Stays => return Ok(Outcome::Stays),
            Fate::OfEvent if !page.erases_delivery(&key) => return Ok(Outcome::Stays),
            Fate::Deleted | Fate::OfEvent => self.delete(&key).await?,
            Fate::Buried => self.bury(&parse_change(page.taken.customer, item)?, page.now).await?,
            Fate::Emptied => {
                let digest = key.sk.split_once('#').map(|(_, digest)| digest).unwrap_or_default();
                self.erase_response(page.taken.customer, digest).await?;
            }
            Fate::Counts => return self.uncount(page, item).await,
        }
        Ok(Outcome::Erased)
    }

    /// Deletes a change and what is found by it, and leaves a tombstone.
    async fn bury(&self, change: &Change, now: Timestamp) -> Result<(), Error> {
        if let Some(digest) = &change.key_digest {
            self.erase_response(change.customer, digest).await?;
        }
        if let Some(create) = Create::of(change.clone()) {
            self.forget_create(&create).await?;
        }
        self.put(tombstone(change, now)?).await?;
        self.delete(&table_keys::change(change.customer, change.id)).await
    }

    /// Takes erased campaigns out of the spending of a key or of another user, once they do not count any more.
    async fn uncount(&self, page: &Page<'_>, item: Item) -> Result<Outcome, Error> {
        let spending = self.parse_spending(item)?;
        let left = spending.without_campaigns(|campaign| page.subject.has_campaign(campaign));
        let Some(left) = left else { return Ok(Outcome::Stays) };
        if page.now < page.taken.erasure.counts_until() {
            return Ok(Outcome::Counting);
        }
        // If it has changed meanwhile, the next walk finds it.
        self.put_spending(page.taken.customer, &left).await?;
        Ok(Outcome::Erased)
    }
}

impl Page<'_> {
    /// Whether the event of a delivery is the user's, or was erased before its delivery. An event that has expired is
    /// older.
    fn erases_delivery(&self, key: &Key) -> bool {
        let Some((_, event)) = table_keys::parse_delivery_sk(&key.sk) else { return false };
        match self.events.get(&table_keys::event(self.taken.customer, event).sk) {
            Some(item) => self.owner().has_event(item),
            None => self.now < event.at() + RECORD_RETENTION,
        }
    }
}

/// The ad account of a change that says that it is the user's.
fn account_of(item: &Item, taken: &TakenErasure) -> Option<ErasedAccount> {
    table_keys::parse_change_sk(string(item, &[SORT])?)?;
    let is_own = string(item, &["external_ref"]) == Some(taken.user.as_str());
    let platform = Platform::parse(string(item, &["platform"])?)?;
    let account_id = string(item, &["account_id"])?.to_owned();
    is_own.then_some(ErasedAccount { platform, account_id })
}

/// The key of an item.
pub(in crate::store) fn key_of(item: &Item) -> Key {
    let part = |name| string(item, &[name]).unwrap_or_default().to_owned();
    Key { pk: part(PARTITION), sk: part(SORT) }
}
