//! Updates of a campaign's record that no request has planned: for a stopped key, at the outcome of a change, by the
//! review of a monthly budget. The update itself is a pure function of the record.

use super::failure::change_error;
use crate::domain::{CampaignId, CampaignRecord, Change, ChangeError, ChangeId, CustomerId};
use crate::error::Error;
use crate::store::{Commit, CommitResult, RecordMove, Store, back_off, contended};
use jiff::Timestamp;

/// Attempts if others keep changing the record.
const MAX_ATTEMPTS: u64 = 20;

/// An update of a record, with the changes that are stored and canceled in the same transaction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordUpdate {
    /// The record, in its next revision.
    pub(super) after: CampaignRecord,
    /// Waiting changes that are canceled, and why.
    pub(super) cancel: Vec<(Change, Option<ChangeError>)>,
    /// Changes that are stored.
    pub(super) store: Vec<Change>,
}

/// The result of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UpdateOutcome {
    Stored,
    /// The record refers to none of the changes that the update is about.
    NotReferenced,
    /// The referenced changes need no update.
    Unchanged,
}

/// Updates the record of one campaign.
#[derive(Clone, Copy)]
pub(super) struct RecordWriter<'a> {
    pub(super) store: &'a Store,
    pub(super) customer: CustomerId,
    pub(super) campaign: &'a CampaignId,
    /// The time of the update.
    pub(super) at: Timestamp,
}

impl RecordWriter<'_> {
    /// Updates the record. `referenced_ids` returns the ids of the changes that the update depends on; `compute`
    /// computes the update from the record and these changes. Either may return `None`: then nothing is written. Reads
    /// what is not known, and reads and computes again if the record has changed meanwhile.
    pub(super) async fn update(
        &self,
        mut known: Option<CampaignRecord>,
        mut known_changes: Option<Vec<Change>>,
        referenced_ids: impl Fn(&CampaignRecord) -> Option<Vec<ChangeId>>,
        compute: impl Fn(&CampaignRecord, Vec<Change>) -> Option<RecordUpdate>,
    ) -> Result<UpdateOutcome, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let record = match known.take() {
                Some(record) => record,
                None => self.store.latest_record(self.customer, self.campaign).await?.unwrap_or_default(),
            };
            let Some(ids) = referenced_ids(&record) else { return Ok(UpdateOutcome::NotReferenced) };
            let changes = match known_changes.take() {
                Some(changes) => changes,
                None => self.store.changes_by_id(self.customer, &ids, Timestamp::MIN).await?,
            };
            let Some(moved) = compute(&record, changes) else { return Ok(UpdateOutcome::Unchanged) };
            if self.commit(&record, moved).await? {
                return Ok(UpdateOutcome::Stored);
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Stores an update in one transaction. `false`, with nothing stored, if the record has changed since it was read,
    /// or a change to cancel does not wait any more.
    pub(super) async fn commit(&self, before: &CampaignRecord, moved: RecordUpdate) -> Result<bool, Error> {
        let RecordUpdate { after, cancel, store } = moved;
        let moved = RecordMove { campaign: self.campaign, before, after, cancel: &cancel, put: &store, at: self.at };
        let commit = Commit { moved: Some(&moved), ..Commit::default() };
        Ok(self.store.commit(self.customer, commit).await? == CommitResult::Stored)
    }
}

/// Pairs changes with the reason for which they are canceled.
pub(super) fn cancellations(changes: Vec<Change>, reason: &Error) -> Vec<(Change, Option<ChangeError>)> {
    let reason = change_error(reason);
    changes.into_iter().map(|change| (change, Some(reason.clone()))).collect()
}

#[cfg(test)]
pub(super) mod examples {
    //! Sample changes, and a check that each update must pass.

    use super::RecordUpdate;
    use crate::domain::{
        Action, CampaignChanges, CampaignId, CampaignRecord, Change, ChangeId, ChangeOrigin, ChangeTarget,
        ConnectionId, Currency, CustomerId, KeyId, Platform, Purpose, Requester,
    };
    use jiff::Timestamp;
    use uuid::Uuid;

    pub(in crate::changes) fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    pub(in crate::changes) fn by(name: &str) -> Requester {
        Requester::ApiKey { id: KeyId(name.to_owned()), name: name.to_owned() }
    }

    /// A change by the key `agent` that waits for the second 90.
    pub(in crate::changes) fn waiting(number: usize, purpose: Purpose, changes: CampaignChanges) -> Change {
        let target = ChangeTarget {
            customer: CustomerId(Uuid::nil()),
            platform: Platform::Beta,
            account_id: "7".to_owned(),
            connection: ConnectionId("conn_1".to_owned()),
            currency: Currency::from_code("USD").unwrap(),
            campaign: Some(CampaignId::new(Platform::Beta, "7", "1")),
            external_ref: None,
        };
        let origin = ChangeOrigin::new(Uuid::nil(), by("agent"));
        let id = ChangeId::new(at(1), Uuid::nil(), number);
        Change::scheduled(id, target, origin, purpose, Action::Update(changes), at(90))
    }

    /// An update is one revision; the record names each change that it stores, and none that it cancels.
    pub(in crate::changes) fn assert_consistent(before: &CampaignRecord, moved: &RecordUpdate) {
        let RecordUpdate { after, cancel, store } = moved;
        assert_eq!(after.revision, before.revision + 1);
        let monthly = after.monthly.as_ref();
        let of_month = monthly.map(|monthly| [monthly.step, monthly.resume]).into_iter().flatten();
        let named: Vec<ChangeId> =
            [after.held.activation, after.held.pause].into_iter().chain(of_month).flatten().collect();
        assert!(store.iter().all(|change| named.contains(&change.id)), "{moved:#?}");
        assert!(cancel.iter().all(|(change, _)| !named.contains(&change.id)), "{moved:#?}");
    }
}
