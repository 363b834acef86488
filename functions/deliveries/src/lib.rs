//! Deliveries of events to the customers' endpoints: stores those of new events, and makes the attempts that are due.
//!
//! A change of the table starts a run, and a schedule starts one each minute, which misses nothing. Concurrent runs are
//! safe: an attempt takes its delivery with a conditional write.

mod pass;
mod workers;

use pass::{Pass, make_pass};
use shared::app::App;
use shared::domain::EventId;
use shared::error::Error;
use shared::metrics::{MetricScope, Number};
use shared::secrets::SecretAccess;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use workers::{Attempts, Workers, earliest};

/// The secrets that the function reads: those that open the endpoints' own.
pub const SECRETS: SecretAccess = SecretAccess::TOKEN_KEYS;

/// A run starts no new work after this time.
const RUN_TIME_LIMIT: Duration = Duration::from_secs(40);
/// A run waits for attempts that are due within this time.
const MAX_WAIT: Duration = Duration::from_secs(7);
/// A run looks for what is due after this time, even while an attempt waits for its endpoint.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Events whose deliveries were stored.
    pub events: usize,
    /// Deliveries that an endpoint has accepted.
    pub delivered: usize,
    /// Attempts that failed.
    pub refused: usize,
}

/// Does the work that is due, and what is due a moment later: the second attempt follows within seconds.
pub async fn run(app: &Arc<App>) -> Result<Report, Error> {
    let until = Instant::now() + RUN_TIME_LIMIT;
    let mut workers = Workers::new(app, until);
    let (mut fanned_out, mut all, mut next_at) = (0, Attempts::default(), None);
    let unread = loop {
        let (began, was_busy) = (app.clock.now(), workers.is_busy());
        let Pass { events, failed, unread } = make_pass(app, &mut workers, until).await;
        let made = workers.wait(Instant::now() + LOOK_AGAIN).await;
        let is_idle = events + made.delivered + made.refused == 0;
        next_at = earliest(next_at.filter(|at| *at > began), made.next_at);
        fanned_out += events;
        all = all.and(made).and(Attempts { failed, ..Attempts::default() });
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
        all = all.and(workers.wait(Instant::now() + LOOK_AGAIN).await);
    }
    let Attempts { delivered, refused, failed: oldest, .. } = all;
    let report = Report { events: fanned_out, delivered, refused };
    if report != Report::default() {
        let Report { events, delivered, refused } = report;
        tracing::info!(events, delivered, refused, "deliveries");
    }
    // The alarms in `template.yaml` refer to these names.
    let numbers = vec![
        ("OldestUndelivered", Number::Count(oldest.map_or(0, |event| age(app, event)))),
        ("Delivered", Number::Count(report.delivered)),
        ("DeliveriesRefused", Number::Count(report.refused)),
    ];
    app.metrics.write(&[(MetricScope::Service, numbers)], app.clock.now());
    unread.map_or(Ok(report), Err)
}

/// How old an event is, in seconds.
fn age(app: &App, event: EventId) -> usize {
    usize::try_from(app.clock.now().duration_since(event.at()).as_secs()).unwrap_or_default()
}
