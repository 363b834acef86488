//! What waits for a monthly budget and is not to be made: what somebody pauses stays paused, and what a stopped key runs
//! stands still.

use crate::changes::failure::change_error;
use crate::changes::scheduled::key_stopped;
use crate::domain::{CampaignId, Change, ChangeId, ChangeState, CustomerId, KeyId, Pacing, Reason};
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
    let overruled = overruled_by_pause(store, pause.customer, pacing).await?;
    if overruled.waiting.is_empty() && overruled.under_way.is_empty() {
        return Ok(());
    }
    let reason = change_error(&Error::new(Kind::Conflict, "The campaign was paused.").because(Reason::Superseded));
    let after = without(pacing, &overruled);
    let write = write_of(campaign, (pacing, &after), &overruled.waiting, at);
    let write = PacingWrite { reason: Some(reason), ..write };
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
        let is_over = |change: &Change| change.is_open() && !change.pauses() && is_kept(pacing, change);
        let waiting = changes_of(store, customer, pacing).await?.into_iter().filter(is_over).collect();
        let overruled = Overruled { waiting, ..Overruled::default() };
        let after = Pacing { is_halted: true, ..without(pacing, &overruled) };
        let reason = Some(change_error(&key_stopped()));
        let write = PacingWrite { reason, ..write_of(campaign, (pacing, &after), &overruled.waiting, at) };
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
    let after =
        without(halted, &Overruled::default()).taken_over((activation.requested_by.clone(), activation.request), at);
    let write = write_of(campaign, (halted, &after), &[], at);
    // Another write of the budget was faster: the next attempt at the activation reads it.
    if store.write_pacing(activation.customer, &write).await? { Ok(()) } else { Err(contended()) }
}

fn write_of<'a>(
    campaign: &'a CampaignId,
    (before, after): (&'a Pacing, &'a Pacing),
    cancel: &'a [Change],
    at: Timestamp,
) -> PacingWrite<'a> {
    PacingWrite {
        campaign,
        before: Some(before),
        after: Some(after),
        cancel,
        reason: None,
        put: &[],
        changed_at: None,
        at,
    }
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
pub struct Overruled {
    /// They can be canceled.
    pub waiting: Vec<Change>,
    /// Activations with an attempt under way, or of unknown outcome. A pause does not wait for them.
    pub under_way: Vec<Change>,
}

/// Reads the activations of a monthly budget, all of which a pause overrules.
pub async fn overruled_by_pause(store: &Store, customer: CustomerId, pacing: &Pacing) -> Result<Overruled, Error> {
    let changes = changes_of(store, customer, pacing).await?.into_iter();
    let activations = changes.filter(|change| change.activates() && is_kept(pacing, change));
    let (under_way, others): (Vec<_>, Vec<_>) = activations.partition(|change| change.state == ChangeState::Sending);
    Ok(Overruled { waiting: others.into_iter().filter(Change::is_open).collect(), under_way })
}

/// Whether a change of a monthly budget is made still.
fn is_kept(pacing: &Pacing, change: &Change) -> bool {
    [pacing.step, pacing.resume].contains(&Some(change.id))
}

/// The monthly budget without changes that are overruled. The next attempt at one under way finds itself replaced; until
/// its outcome is known, it may be what has set the budget at the platform.
pub fn without(pacing: &Pacing, overruled: &Overruled) -> Pacing {
    let Overruled { waiting, under_way } = overruled;
    let kept = |id: &ChangeId| waiting.iter().chain(under_way).all(|change| change.id != *id);
    let (step, resume) = (pacing.step.filter(kept), pacing.resume.filter(kept));
    let overtaken = pacing.overtaken.iter().copied().chain(under_way.iter().map(|change| change.id)).collect();
    Pacing { step, resume, overtaken, revision: pacing.revision + 1, ..pacing.clone() }
}
