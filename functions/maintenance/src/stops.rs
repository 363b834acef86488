//! Continues stops of API keys: the pass that a request could not make, and the one for what was in flight.

use crate::Tally;
use futures_util::StreamExt;
use jiff::SignedDuration;
use shared::app::App;
use shared::changes::continue_stop;
use shared::domain::KeyId;
use shared::domain::stop::{IN_FLIGHT, Pass};
use shared::error::{Error, isolated};
use shared::store::DueRecord;
use std::pin::pin;
use std::sync::Arc;
use tokio::time::Instant;

/// A pass that has failed, or whose process has ended, is made again after this time.
const PASS_TIME: SignedDuration = SignedDuration::from_secs(90);
/// Stops continued concurrently.
const CONCURRENCY: usize = 8;

pub(crate) async fn continue_due(app: &Arc<App>, until: Instant) -> Tally {
    let due = app.store.due_stops(app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "stops of keys")));
    let mut outcomes = pin!(due.map(|due| isolated(continue_one(app, due))).buffer_unordered(CONCURRENCY));
    let mut tally = Tally::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Ok(None) => tally.done += 1,
            Ok(Some(lateness)) => {
                tally.failed += 1;
                tally.oldest = tally.oldest.max(lateness);
            }
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

/// How late a stop is that could not be continued; `None` once its pass is done. An error if the list of due ones could
/// not be read.
async fn continue_one(app: &Arc<App>, due: DueRecord<KeyId>) -> Result<Option<SignedDuration>, Error> {
    let (customer, key) = due?;
    let now = app.clock.now();
    let mut lateness = SignedDuration::ZERO;
    let outcome = async {
        // The list comes from an index, which is eventually consistent.
        let Some(stop) = app.store.stop(customer, &key).await? else { return Ok(()) };
        let due_after = if stop.next == Some(Pass::Second) { IN_FLIGHT } else { SignedDuration::ZERO };
        lateness = now.duration_since(stop.stopped_at + due_after).max(SignedDuration::ZERO);
        // Runs may overlap, and the pass of a busy key reads much.
        match app.store.take_stop(&stop, now, now + PASS_TIME).await? {
            true => continue_stop(app, stop).await.map(drop),
            false => Ok(()),
        }
    };
    let Err::<(), Error>(error) = outcome.await else { return Ok(None) };
    tracing::warn!(%customer, %key, %error, source = error.source, "the stop of a key was not continued");
    Ok(Some(lateness))
}
