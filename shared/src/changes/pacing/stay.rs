//! What waits for a monthly budget and is not to be made: what somebody pauses stays paused, and what a stopped key runs
//! stands still.

use crate::changes::failure::change_error;
use crate::changes::scheduled::key_stopped;
use crate::domain::{CampaignId, Change, CustomerId, KeyId, Pacing, Reason};
use crate::error::{Error, Kind};
use crate::store::{PacingWrite, Store, back_off, contended};
use jiff::Timestamp;

/// Attempts against looks at the same campaign.
const MAX_ATTEMPTS: u64 = 20;

/// Cancels the activation that waits in the campaign of a pause. It is made later, so nobody has canceled it yet.
pub(in crate::changes) async fn cancel_resumption(store: &Store, pause: &Change, at: Timestamp) -> Result<(), Error> {
    let Some(campaign) = &pause.campaign else { return Ok(()) };
    let record = store.latest_record(pause.customer, campaign).await?;
    let Some(pacing) = &record.and_then(|record| record.pacing) else { return Ok(()) };
    let waiting = waiting_steps(store, pause.customer, pacing, Change::activates).await?;
    if waiting.is_empty() {
        return Ok(());
    }
    let paused = Error::new(Kind::Conflict, "The campaign was paused.").because(Reason::Superseded);
    let after = without_canceled(pacing, &waiting);
    let (cancel, reason) = (&waiting, Some(change_error(&paused)));
    let write = PacingWrite { cancel, reason, ..PacingWrite::new(campaign, Some(pacing), Some(&after), at) };
    // Another write of the budget was faster: the next attempt at the pause reads it.
    if store.write_pacing(pause.customer, &write).await? { Ok(()) } else { Err(contended()) }
}

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
        let pacing = store.latest_record(customer, campaign).await?.and_then(|record| record.pacing);
        let is_of_key = |pacing: &Pacing| pacing.requested_by.is_key(key) && !pacing.is_halted;
        let Some(pacing) = &pacing.filter(is_of_key) else { return Ok(()) };
        let waiting = waiting_steps(store, customer, pacing, |change| !change.pauses()).await?;
        let after = Pacing { is_halted: true, ..without_canceled(pacing, &waiting) };
        let (cancel, reason) = (&waiting, Some(change_error(&key_stopped())));
        let write = PacingWrite { cancel, reason, ..PacingWrite::new(campaign, Some(pacing), Some(&after), at) };
        if store.write_pacing(customer, &write).await? {
            return Ok(());
        }
        back_off(attempt).await;
    }
    Err(contended())
}

/// Takes a monthly budget that stands still over, for whoever activates its campaign by this change.
pub(in crate::changes) async fn take_over(
    store: &Store,
    activation: &Change,
    halted: &Pacing,
    at: Timestamp,
) -> Result<(), Error> {
    let Some(campaign) = &activation.campaign else { return Ok(()) };
    let after = without_canceled(halted, &[]).taken_over((activation.requested_by.clone(), activation.request), at);
    let write = PacingWrite::new(campaign, Some(halted), Some(&after), at);
    // Another write of the budget was faster: the next attempt at the activation reads it.
    if store.write_pacing(activation.customer, &write).await? { Ok(()) } else { Err(contended()) }
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
    Pacing { step, resume, revision: pacing.revision + 1, ..pacing.clone() }
}
