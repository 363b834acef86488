//! The monthly budget of a stopped key, which stands still.

use crate::changes::failure::change_error;
use crate::changes::scheduled::key_stopped;
use crate::domain::{
    CampaignId, CampaignRecord, Change, ChangeError, ChangeId, ChangeState, CustomerId, KeyId, Pacing,
};
use crate::error::Error;
use crate::store::{RecordMove, Store, back_off, contended};
use jiff::Timestamp;

/// Attempts against looks at the same campaign.
const MAX_ATTEMPTS: u64 = 20;

/// Lets the monthly budget of a campaign stand still if this stopped key has asked for it. The campaign must run because of
/// the key. Its daily budget is not raised and it is not activated any more, until somebody takes the budget over.
pub(in crate::changes) async fn halt_month(
    store: &Store,
    customer: CustomerId,
    campaign: &CampaignId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    for attempt in 0..MAX_ATTEMPTS {
        let Some(record) = store.latest_record(customer, campaign).await? else { return Ok(()) };
        let is_of_key = |pacing: &&Pacing| pacing.requested_by.is_key(key) && !pacing.is_halted;
        let Some(pacing) = record.pacing.as_ref().filter(is_of_key) else { return Ok(()) };
        let is_over = |change: &Change| change.is_open() && !change.pauses() && is_kept(pacing, change);
        let waiting = changes_of(store, customer, pacing).await?.into_iter().filter(is_over).collect();
        let overruled = Overruled { waiting, ..Overruled::default() };
        let after = Pacing { is_halted: true, ..without(pacing, &overruled) };
        let after = CampaignRecord { pacing: Some(after), ..record.next() };
        let cancel = &canceled(overruled.waiting, &change_error(&key_stopped()));
        let moved = RecordMove { campaign, before: &record, after, cancel, put: &[], at };
        if store.move_record(customer, &moved).await? {
            return Ok(());
        }
        back_off(attempt).await;
    }
    Err(contended())
}

/// Changes that are canceled for one reason.
pub(super) fn canceled(changes: Vec<Change>, reason: &ChangeError) -> Vec<(Change, Option<ChangeError>)> {
    changes.into_iter().map(|change| (change, Some(reason.clone()))).collect()
}

/// The changes that a monthly budget names, as they are now.
pub(super) async fn changes_of(store: &Store, customer: CustomerId, pacing: &Pacing) -> Result<Vec<Change>, Error> {
    let ids: Vec<_> = pacing.step.into_iter().chain(pacing.resume).chain(pacing.overtaken.iter().copied()).collect();
    match ids.is_empty() {
        true => Ok(Vec::new()),
        false => store.changes_by_id(customer, &ids, Timestamp::MIN).await,
    }
}

/// The changes of a monthly budget that somebody overrules, by a pause or by a move of the budget.
#[derive(Debug, Default)]
pub(in crate::changes) struct Overruled {
    /// They can be canceled.
    pub(in crate::changes) waiting: Vec<Change>,
    /// Activations with an attempt under way, or of unknown outcome. A pause does not wait for them.
    pub(in crate::changes) under_way: Vec<Change>,
}

impl Overruled {
    /// By whether an attempt at them is under way.
    pub(in crate::changes) fn of<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Overruled {
        let (under_way, others): (Vec<Change>, Vec<Change>) =
            changes.into_iter().cloned().partition(|change| change.state == ChangeState::Sending);
        Overruled { waiting: others.into_iter().filter(Change::is_open).collect(), under_way }
    }

    pub(in crate::changes) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }
}

/// Whether a change of a monthly budget is made still.
fn is_kept(pacing: &Pacing, change: &Change) -> bool {
    [pacing.step, pacing.resume].contains(&Some(change.id))
}

/// The monthly budget without changes that are overruled. The next attempt at one under way finds itself replaced; until
/// its outcome is known, it may be what has set the budget at the platform.
pub(in crate::changes) fn without(pacing: &Pacing, overruled: &Overruled) -> Pacing {
    let Overruled { waiting, under_way } = overruled;
    let kept = |id: &ChangeId| waiting.iter().chain(under_way).all(|change| change.id != *id);
    let (step, resume) = (pacing.step.filter(kept), pacing.resume.filter(kept));
    let overtaken = pacing.overtaken.iter().copied().chain(under_way.iter().map(|change| change.id)).collect();
    Pacing { step, resume, overtaken, ..pacing.clone() }
}
