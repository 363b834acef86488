//! Continues stops of API keys: the first phase that a request did not finish, and the phase for changes in flight.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use jiff::SignedDuration;
use shared::app::App;
use shared::changes::continue_stop;
use shared::domain::stop::{IN_FLIGHT, StopPhase};
use shared::domain::{CustomerId, KeyId};
use std::sync::Arc;
use tokio::time::Instant;

/// A phase that has failed, or whose process has ended, is made again after this time.
const PHASE_TIME: SignedDuration = SignedDuration::from_secs(90);
/// Stops continued concurrently.
const CONCURRENCY: usize = 8;

pub(crate) async fn continue_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let records = app.store.due_stops(app.clock.now());
    let due = DueWork { records, label: "stops of keys", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, key| continue_one(app, customer, key)).await
}

/// Makes the phase of a stop that is due. Only a stop that could not be continued counts as late.
async fn continue_one(app: &Arc<App>, customer: CustomerId, key: KeyId) -> Result<Step, Failure> {
    let now = app.clock.now();
    // The list comes from an index, which is eventually consistent.
    let Some(stop) = app.store.stop(customer, &key).await? else { return Ok(Step::DONE) };
    let due_after = if stop.next == Some(StopPhase::PauseInFlight) { IN_FLIGHT } else { SignedDuration::ZERO };
    let lateness = now.duration_since(stop.stopped_at + due_after).max(SignedDuration::ZERO);
    let phase = async {
        // Runs may overlap, and the phase of a busy key reads much.
        if app.store.take_stop(&stop, now, now + PHASE_TIME).await? {
            continue_stop(app, stop).await?;
        }
        Ok(Step::DONE)
    };
    phase.await.map_err(|error| Failure { error, platform: None, lateness })
}

fn log(customer: CustomerId, key: &KeyId, Failure { error, .. }: &Failure) {
    tracing::warn!(%customer, %key, %error, source = error.source, "the stop of a key was not continued");
}
