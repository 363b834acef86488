//! The monthly budget of a stopped key, which stands still.

use crate::changes::failure::change_error;
use crate::changes::scheduled::key_stopped;
use crate::domain::{CampaignId, CampaignRecord, Change, ChangeError, CustomerId, KeyId, Pacing};
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
        let waiting = waiting_steps(store, customer, pacing, |change| !change.pauses()).await?;
        let after = Pacing { is_halted: true, ..without_canceled(pacing, &waiting) };
        let after = CampaignRecord { pacing: Some(after), ..record.next() };
        let cancel = &canceled(waiting, &change_error(&key_stopped()));
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

/// Those of the waiting steps of a monthly budget that are like this.
async fn waiting_steps(
    store: &Store,
    customer: CustomerId,
    pacing: &Pacing,
    is_wanted: impl Fn(&Change) -> bool,
) -> Result<Vec<Change>, Error> {
    let ids: Vec<_> = pacing.step.into_iter().chain(pacing.resume).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let changes = store.changes_by_id(customer, &ids, Timestamp::MIN).await?;
    Ok(changes.into_iter().filter(|change| change.is_open() && is_wanted(change)).collect())
}

/// The monthly budget without canceled changes. One that is not canceled may be what has set the budget at the platform.
pub fn without_canceled(pacing: &Pacing, canceled: &[Change]) -> Pacing {
    let kept = |id: &_| canceled.iter().all(|change| change.id != *id);
    let (step, resume) = (pacing.step.filter(kept), pacing.resume.filter(kept));
    Pacing { step, resume, ..pacing.clone() }
}
