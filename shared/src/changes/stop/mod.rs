//! The stop of a key: the key is refused, what waits for it is canceled, and each campaign that it has activated or
//! raised gets a change that pauses it. Each step may be repeated, so maintenance continues after a crash.

mod listing;
mod refuse;
mod resume;

pub(super) use listing::is_activated_since;
pub use refuse::stop_only_key;
pub use resume::resume_key;

use super::cancel::cancel_changes_of_stopped_key;
use super::monthly::halt_monthly_budget;
use crate::app::App;
use crate::concurrent::for_each;
use crate::domain::stop::{IN_FLIGHT, StopPhase, StopTarget};
use crate::domain::{ApiKeys, CampaignId, Change, Spending, Stop, StopProgress};
use crate::error::Error;
use crate::store::{Store, contended};
use jiff::Timestamp;
use std::convert::Infallible;

/// Attempts against other stops of the same key.
const MAX_ATTEMPTS: usize = 4;

/// Stores a new stop, or returns the existing one. A stop with a failed pause is replaced by a new one. Until `due_at`
/// maintenance leaves the first phase to the caller.
pub async fn begin_stop(store: &Store, stop: Stop, due_at: Timestamp) -> Result<Stop, Error> {
    for _ in 0..MAX_ATTEMPTS {
        let known = store.stop(stop.customer, &stop.key).await?;
        if let Some(known) = &known
            && is_under_way(store, known, stop.stopped_at).await?
        {
            return Ok(known.clone());
        }
        if store.begin_stop(&stop, known.as_ref(), due_at).await? {
            return Ok(stop);
        }
    }
    Err(contended())
}

/// Whether this is the key's stop, and a new one would change nothing.
async fn is_under_way(store: &Store, stop: &Stop, now: Timestamp) -> Result<bool, Error> {
    Ok(match stop.next {
        Some(StopPhase::PauseAll) => true,
        Some(StopPhase::PauseInFlight) => is_stopped_by(store, stop, now).await?,
        None => is_stopped_by(store, stop, now).await? && !stop_progress(store, stop, now).await?.is_refused,
    })
}

/// Whether the key is stopped by this stop. The operator may have replaced it since, or a person resumed it.
async fn is_stopped_by(store: &Store, stop: &Stop, now: Timestamp) -> Result<bool, Error> {
    let account = store.account(stop.customer, now).await?;
    let keys = account.map_or_else(ApiKeys::none, |account| account.keys);
    Ok(keys.all().iter().any(|key| key.id == stop.key && key.stopped_at == Some(stop.stopped_at)))
}

/// Refuses the key from now on, also requests in flight that have not reserved yet. Returns its spending, if it has had
/// a limit.
pub async fn refuse_key(store: &Store, stop: &Stop, now: Timestamp) -> Result<Option<Spending>, Error> {
    let account = store.account(stop.customer, now).await?;
    let mut keys = account.ok_or_else(|| Error::internal("a customer without an account"))?.keys;
    // The operator's new key may have the same id.
    let is_replaced = |keys: &ApiKeys| keys.replaced_at().is_some_and(|at| at > stop.stopped_at);
    let refuse =
        |keys: &ApiKeys| if is_replaced(keys) { keys.clone() } else { keys.stopped(&stop.key, Some(stop.stopped_at)) };
    // A key that is deleted is refused already.
    if refuse(&keys) != keys {
        let refused = |keys: &ApiKeys| Ok::<_, Infallible>(refuse(keys));
        Ok(keys) = store.change_keys(stop.customer, keys, now, refused).await?;
    }
    if is_replaced(&keys) {
        store.spending(stop.customer, &stop.spender()).await
    } else {
        store.stop_spending(stop.customer, &stop.spender(), stop.stopped_at).await
    }
}

/// Runs the next phase of a stop, and returns the stop after it.
pub async fn continue_stop(app: &App, stop: Stop) -> Result<Stop, Error> {
    match stop.next {
        None => Ok(stop),
        Some(StopPhase::PauseAll) => {
            let spending = refuse_key(&app.store, &stop, app.clock.now()).await?;
            pause_campaigns(app, stop, spending.as_ref()).await
        }
        Some(StopPhase::PauseInFlight) => pause_in_flight(app, stop).await,
    }
}

/// Cancels the waiting changes of the key, and stores a pause for each of its campaigns. The key must be refused
/// before.
pub async fn pause_campaigns(app: &App, stop: Stop, spending: Option<&Spending>) -> Result<Stop, Error> {
    let (store, now) = (&app.store, app.clock.now());
    cancel_changes_of_stopped_key(store, stop.customer, &stop.key, now).await?;
    let histories = listing::histories(store, &stop, spending, now).await?;
    let listed = stop.list(spending.iter().flat_map(|spending| &spending.contributions), &histories);
    halt_monthly_budgets(store, &stop, spending, &listed.campaigns, now).await?;
    store.begin_all(pauses(&stop, StopPhase::PauseAll, &listed.campaigns), app.clock.now()).await?;
    // The second phase always follows: the index may lack a change that was stored a moment before the stop.
    let done = Stop { next: Some(StopPhase::PauseInFlight), in_flight: listed.in_flight, ..stop };
    store.advance_stop(&done, StopPhase::PauseAll, now + IN_FLIGHT).await?;
    Ok(done)
}

/// Stores another pause for each campaign in which a change was in flight. Nothing is any more.
async fn pause_in_flight(app: &App, stop: Stop) -> Result<Stop, Error> {
    let (store, now) = (&app.store, app.clock.now());
    cancel_changes_of_stopped_key(store, stop.customer, &stop.key, now).await?;
    let spending = store.spending(stop.customer, &stop.spender()).await?;
    let histories = listing::histories(store, &stop, spending.as_ref(), now).await?;
    let listed = stop.list(spending.iter().flat_map(|spending| &spending.contributions), &histories);
    let in_flight = listed.in_flight.iter().chain(&stop.in_flight);
    let in_flight = in_flight.filter_map(|campaign| histories.get(campaign)).filter(|one| !one.is_of_others());
    let targets: Vec<StopTarget> = in_flight.filter_map(|history| history.target().cloned()).collect();
    halt_monthly_budgets(store, &stop, spending.as_ref(), &targets, now).await?;
    store.begin_all(pauses(&stop, StopPhase::PauseInFlight, &targets), app.clock.now()).await?;
    let done = Stop { next: None, ..stop };
    store.advance_stop(&done, StopPhase::PauseInFlight, now).await?;
    Ok(done)
}

/// Stops the monthly budgets that the key has asked for in these campaigns, before they are paused. A key that always
/// had a limit has asked for none.
async fn halt_monthly_budgets(
    store: &Store,
    stop: &Stop,
    spending: Option<&Spending>,
    targets: &[StopTarget],
    now: Timestamp,
) -> Result<(), Error> {
    if spending.is_some_and(|spending| !spending.was_unlimited) {
        return Ok(());
    }
    let campaigns: Vec<CampaignId> = targets.iter().map(|target| target.campaign.clone()).collect();
    let halt = |campaign| async move { halt_monthly_budget(store, stop.customer, &campaign, &stop.key, now).await };
    for_each(campaigns, halt).await.map(drop)
}

/// The pauses of a phase, due now.
fn pauses(stop: &Stop, phase: StopPhase, targets: &[StopTarget]) -> Vec<Change> {
    targets.iter().map(|target| stop.pause(phase, target)).collect()
}

/// How far a stop is.
pub async fn stop_progress(store: &Store, stop: &Stop, now: Timestamp) -> Result<StopProgress, Error> {
    Ok(stop.progress(&store.pauses_of_stop(stop, now).await?))
}
