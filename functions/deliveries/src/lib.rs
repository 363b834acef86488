//! Deliveries of events to the customers' endpoints: stores those of new events, and makes the attempts that are due.
//!
//! A change of the table starts a run, and a schedule starts one each minute, which misses nothing. Concurrent runs are
//! safe: an attempt takes its delivery with a conditional write.

mod pass;
mod workers;

use pass::{PassOutcome, make_pass};
use shared::app::App;
use shared::domain::EventId;
use shared::error::Error;
use shared::metrics::{MetricScope, Number};
use shared::secrets::SecretAccess;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use workers::{AttemptCounts, Workers, earliest};

/// The secrets that the function reads: those that open the endpoints' own.
pub const SECRETS: SecretAccess = SecretAccess::TOKEN_KEYS;

/// A run starts no new work after this time.
const RUN_TIME_LIMIT: Duration = Duration::from_secs(40);
/// A run waits for attempts that are due within this time.
const MAX_WAIT: Duration = Duration::from_secs(7);
/// A run looks for due work at least this often, even while an attempt waits for its endpoint.
const PASS_INTERVAL: Duration = Duration::from_secs(2);

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunResult {
    /// Events whose deliveries were stored.
    pub events: usize,
    /// Deliveries that an endpoint has accepted.
    pub delivered: usize,
    /// Attempts that failed.
    pub refused: usize,
}

/// Does the work that is due, and waits for what is due a moment later: the second attempt follows within seconds.
pub async fn run(app: &Arc<App>) -> Result<RunResult, Error> {
    let until = Instant::now() + RUN_TIME_LIMIT;
    let mut workers = Workers::new(app, until);
    let (mut events_stored, mut total, mut next_at) = (0, AttemptCounts::default(), None);
    let unread = loop {
        let (began, was_busy) = (app.clock.now(), workers.is_busy());
        let PassOutcome { events, failed, unread } = make_pass(app, &mut workers, until).await;
        let counts = workers.end_pass(Instant::now() + PASS_INTERVAL).await;
        let is_idle = events + counts.delivered + counts.refused == 0;
        next_at = earliest(next_at.filter(|at| *at > began), counts.next_at);
        events_stored += events;
        total = total.plus(counts).plus(AttemptCounts { failed, ..AttemptCounts::default() });
        if unread.is_some() || Instant::now() >= until {
            break unread;
        }
        // An endpoint that was busy has deliveries that no worker took.
        if was_busy || workers.is_busy() {
            continue;
        }
        let wait = next_at.map(|at| Duration::try_from(at.duration_since(app.clock.now())).unwrap_or_default());
        match wait.filter(|wait| *wait <= MAX_WAIT) {
            Some(wait) => sleep(wait).await,
            None if is_idle => break None,
            None => {}
        }
    };
    // Each attempt ends within the time of its endpoint.
    while workers.is_busy() {
        total = total.plus(workers.end_pass(Instant::now() + PASS_INTERVAL).await);
    }
    let AttemptCounts { delivered, refused, failed: oldest, .. } = total;
    let result = RunResult { events: events_stored, delivered, refused };
    if result != RunResult::default() {
        let RunResult { events, delivered, refused } = result;
        tracing::info!(events, delivered, refused, "deliveries");
    }
    // The alarms in `template.yaml` refer to these names.
    let numbers = vec![
        ("OldestUndelivered", Number::Count(oldest.map_or(0, |event| age(app, event)))),
        ("Delivered", Number::Count(result.delivered)),
        ("DeliveriesRefused", Number::Count(result.refused)),
    ];
    app.metrics.write(&[(MetricScope::Service, numbers)], app.clock.now());
    match unread {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

/// How old an event is, in seconds.
fn age(app: &App, event: EventId) -> usize {
    usize::try_from(app.clock.now().duration_since(event.at()).as_secs()).unwrap_or_default()
}
