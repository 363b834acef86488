//! One pass over what is due.

use crate::workers::{Workers, earliest};
use futures_util::{Stream, StreamExt};
use shared::app::App;
use shared::deliveries::{Endpoints, fan_out};
use shared::domain::{EndpointId, EventId};
use shared::error::{Error, isolated};
use shared::store::DueRecord;
use std::pin::pin;
use tokio::time::Instant;

/// Events handled concurrently.
const CONCURRENT_EVENTS: usize = 64;

/// The outcome of a pass.
#[derive(Debug, Default)]
pub(crate) struct PassOutcome {
    /// Events whose deliveries were stored.
    pub(crate) events: usize,
    /// The oldest event that could not be handled.
    pub(crate) failed: Option<EventId>,
    /// Why some of what is due could not be read.
    pub(crate) unread: Option<Error>,
}

/// Stores the deliveries of new events, and hands them and all others that are due to the workers.
pub(crate) async fn make_pass(app: &App, workers: &mut Workers, until: Instant) -> PassOutcome {
    let (now, endpoints) = (app.clock.now(), workers.begin_pass());
    let workers = &*workers;
    let has_time = || std::future::ready(Instant::now() < until);
    let events = app.store.due_events(now).take_while(|_| has_time());
    let due = app.store.due_deliveries(now).take_while(|_| has_time());
    let (pass, unread) = tokio::join!(fan_out_all(app, &endpoints, workers, events), hand_over(workers, due));
    PassOutcome { unread: pass.unread.or(unread), ..pass }
}

async fn fan_out_all(
    app: &App,
    endpoints: &Endpoints,
    workers: &Workers,
    due: impl Stream<Item = DueRecord<EventId>>,
) -> PassOutcome {
    let handled = due.map(|due| async move {
        let (customer, event) = due?;
        let stored = isolated(fan_out(app, endpoints, customer, event)).await;
        Ok((event, stored.map(|stored| stored.into_iter().for_each(|one| workers.enqueue(customer, one, event)))))
    });
    let (mut handled, mut pass) = (pin!(handled.buffer_unordered(CONCURRENT_EVENTS)), PassOutcome::default());
    while let Some(outcome) = handled.next().await {
        match outcome {
            Ok((_, Ok(()))) => pass.events += 1,
            Ok((event, Err(error))) => {
                tracing::warn!(%event, %error, source = error.source, "the deliveries of an event were not stored");
                pass.failed = earliest(pass.failed, Some(event));
            }
            Err(unread) => pass.unread = Some(unread),
        }
    }
    pass
}

/// Hands the deliveries that are due to the workers. An error if some could not be read.
async fn hand_over(workers: &Workers, due: impl Stream<Item = DueRecord<(EndpointId, EventId)>>) -> Option<Error> {
    let (mut due, mut unread) = (pin!(due), None);
    while let Some(one) = due.next().await {
        match one {
            Ok((customer, (endpoint, event))) => workers.enqueue(customer, endpoint, event),
            Err(error) => unread = Some(error),
        }
    }
    unread
}
