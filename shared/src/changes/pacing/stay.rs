//! What somebody pauses stays paused: no activation of a monthly budget waits for the next month.

use crate::changes::failure::change_error;
use crate::domain::{Change, CustomerId, Pacing, Reason};
use crate::error::{Error, Kind};
use crate::store::{PacingWrite, Store, contended};
use jiff::Timestamp;

/// Cancels the activation that waits in the campaign of a pause. It is made later, so nobody has canceled it yet.
pub(in crate::changes) async fn cancel_resumption(store: &Store, pause: &Change, at: Timestamp) -> Result<(), Error> {
    let Some(campaign) = &pause.campaign else { return Ok(()) };
    let record = store.latest_record(pause.customer, campaign).await?;
    let Some(pacing) = &record.and_then(|record| record.pacing) else { return Ok(()) };
    let waiting = waiting_activations(store, pause.customer, pacing).await?;
    if waiting.is_empty() {
        return Ok(());
    }
    let paused = Error::new(Kind::Conflict, "The campaign was paused.").because(Reason::Superseded);
    let write = PacingWrite {
        campaign,
        before: Some(pacing),
        after: Some(&without_canceled(pacing, &waiting)),
        cancel: &waiting,
        reason: Some(change_error(&paused)),
        put: &[],
        changed_at: None,
        at,
    };
    // Another write of the budget was faster: the next attempt at the pause reads it.
    if store.write_pacing(pause.customer, &write).await? { Ok(()) } else { Err(contended()) }
}

async fn waiting_activations(store: &Store, customer: CustomerId, pacing: &Pacing) -> Result<Vec<Change>, Error> {
    let ids: Vec<_> = pacing.step.into_iter().chain(pacing.resume).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let changes = store.changes_by_id(customer, &ids, Timestamp::MIN).await?;
    Ok(changes.into_iter().filter(|change| change.is_open() && change.activates()).collect())
}

/// The monthly budget without canceled changes. One that is not canceled may be what has set the budget at the platform.
pub fn without_canceled(pacing: &Pacing, canceled: &[Change]) -> Pacing {
    let kept = |id: &_| canceled.iter().all(|change| change.id != *id);
    let (step, resume) = (pacing.step.filter(kept), pacing.resume.filter(kept));
    Pacing { step, resume, revision: pacing.revision + 1, ..pacing.clone() }
}
