//! One pass over what is due.

use crate::workers::{Attempts, Workers, earliest};
use futures_util::{Stream, StreamExt};
use jiff::Timestamp;
use shared::app::App;
use shared::deliveries::{Endpoints, fan_out};
use shared::domain::{EndpointId, EventId};
use shared::error::{Error, isolated};
use shared::store::DueRecord;
use std::pin::pin;
use std::sync::Arc;
use tokio::time::Instant;

/// Events handled concurrently.
const EVENTS: usize = 64;

/// What a pass has done.
#[derive(Debug, Default)]
pub(crate) struct Pass {
    pub(crate) events: usize,
    pub(crate) delivered: usize,
    pub(crate) refused: usize,
    /// The oldest event that could not be handled.
    pub(crate) failed: Option<EventId>,
    /// The earliest attempt that follows one of this pass.
    pub(crate) next_at: Option<Timestamp>,
    /// Why some of what is due could not be read.
    pub(crate) unread: Option<Error>,
}

/// What came of due events.
#[derive(Debug, Default)]
struct Events {
    handled: usize,
    failed: Option<EventId>,
    unread: Option<Error>,
}

/// Stores the deliveries of new events and attempts them, and makes the other attempts that are due, side by side.
pub(crate) async fn make_pass(app: &Arc<App>, until: Instant) -> Pass {
    let (now, endpoints) = (app.clock.now(), Arc::new(Endpoints::default()));
    let workers = Workers::new(app, Arc::clone(&endpoints), until);
    let has_time = || std::future::ready(Instant::now() < until);
    let events = app.store.due_events(now).take_while(|_| has_time());
    let due = app.store.due_deliveries(now).take_while(|_| has_time());
    let (events, unread) = tokio::join!(fan_out_all(app, &endpoints, &workers, events), hand_over(&workers, due));
    let Attempts { delivered, refused, next_at, failed } = workers.end().await;
    Pass {
        events: events.handled,
        delivered,
        refused,
        failed: earliest(events.failed, failed),
        next_at,
        unread: events.unread.or(unread),
    }
}

async fn fan_out_all(
    app: &App,
    endpoints: &Endpoints,
    workers: &Workers,
    due: impl Stream<Item = DueRecord<EventId>>,
) -> Events {
    let handled = due.map(|due| async move {
        let (customer, event) = due?;
        let stored = isolated(fan_out(app, endpoints, customer, event)).await;
        Ok((event, stored.map(|stored| stored.into_iter().for_each(|one| workers.attempt(customer, one, event)))))
    });
    let (mut handled, mut events) = (pin!(handled.buffer_unordered(EVENTS)), Events::default());
    while let Some(outcome) = handled.next().await {
        match outcome {
            Ok((_, Ok(()))) => events.handled += 1,
            Ok((event, Err(error))) => {
                tracing::warn!(%event, %error, source = error.source, "the deliveries of an event were not stored");
                events.failed = earliest(events.failed, Some(event));
            }
            Err(unread) => events.unread = Some(unread),
        }
    }
    events
}

/// Hands the deliveries that are due to the workers. An error if some could not be read.
async fn hand_over(workers: &Workers, due: impl Stream<Item = DueRecord<(EndpointId, EventId)>>) -> Option<Error> {
    let (mut due, mut unread) = (pin!(due), None);
    while let Some(one) = due.next().await {
        match one {
            Ok((customer, (endpoint, event))) => workers.attempt(customer, endpoint, event),
            Err(error) => unread = Some(error),
        }
    }
    unread
}
