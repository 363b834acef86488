//! `replayEvents`.

use crate::endpoints::EndpointWithHealth;
use crate::not_found;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use shared::domain::delivery::EndpointHealth;
use shared::domain::{Delivery, EndpointStatus, EventId, EventKind, WebhookEndpoint};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{ReplayRequest, Reply, read_replay};
use shared::error::{Error, Kind};
use shared::serve::Call;
use std::pin::pin;
use std::time::Duration;
use tokio::time::timeout_at;

/// Events that one query reads.
const PAGE: i32 = 500;
/// Deliveries that are stored at a time.
const CONCURRENT_DELIVERIES: usize = 32;
/// Time for the response, before the deadline of the request.
const RESPONSE_TIME: Duration = Duration::from_secs(1);
/// Attempts to store a delivery that is being attempted meanwhile.
const MAX_TRIES: usize = 5;
const SAFE: &str = "Send the request again: a replay may be repeated.";

/// Makes the deliveries of events due once more, oldest first.
pub(crate) async fn replay(call: &Call, endpoint: Result<Option<EndpointWithHealth>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let request = read_replay(call.request.json_body()?, call.request.now)?;
    let (endpoint, health) = endpoint?.ok_or_else(not_found)?;
    if endpoint.status == EndpointStatus::Disabled {
        let message = "The webhook endpoint is disabled. Set its status to enabled first.";
        return Err(Error::new(Kind::Conflict, message));
    }
    match request {
        ReplayRequest::Since(since) => {
            lift_pause(call, &endpoint, health).await?;
            replay_since(call, &endpoint, since).await.map(Reply::EventsReplayed)
        }
        ReplayRequest::Event(event) => {
            replay_event(call, &endpoint, health, event).await?;
            Ok(Reply::EventsReplayed(1))
        }
    }
}

/// Ends the pause of the endpoint, because a replay is sent now. If the endpoint fails again, it is paused again.
async fn lift_pause(call: &Call, endpoint: &WebhookEndpoint, health: EndpointHealth) -> Result<(), Error> {
    let now = call.request.now;
    match health.pause_end(now) {
        Some(_) => call.store().end_endpoint_pause(call.customer.id, &endpoint.id, now).await,
        None => Ok(()),
    }
}

async fn replay_event(
    call: &Call,
    endpoint: &WebhookEndpoint,
    health: EndpointHealth,
    event: EventId,
) -> Result<(), Error> {
    let found = call.store().event(call.customer.id, event).await?;
    let found = found.filter(|event| event.is_shown(call.request.now));
    let kind = found.ok_or_else(|| Error::not_found("event"))?.kind;
    if !endpoint.types.contains(kind) {
        let message = format!("The webhook endpoint does not receive {}. Add it to its types first.", kind.as_str());
        return Err(Error::new(Kind::Conflict, message));
    }
    lift_pause(call, endpoint, health).await?;
    make_due(call, endpoint, event, kind).await.map_err(|error| error.may_have_taken_effect(SAFE))
}

/// Replays the events from a time on until the request's time ends. What is left begins at the time that the error
/// names.
async fn replay_since(call: &Call, endpoint: &WebhookEndpoint, since: Timestamp) -> Result<usize, Error> {
    let until = call.request.deadline.checked_sub(RESPONSE_TIME).unwrap_or(call.request.deadline);
    let events = events_since(call, since).try_filter(|(_, kind)| {
        let is_chosen = endpoint.types.contains(*kind);
        async move { is_chosen }
    });
    let due = events.map(|event| async move {
        let (event, kind) = event?;
        make_due(call, endpoint, event, kind).await.map(|()| event)
    });
    // In order, so that everything before the last one is stored.
    let mut due = pin!(due.buffered(CONCURRENT_DELIVERIES));
    let (mut count, mut last) = (0, None);
    loop {
        match timeout_at(until, due.next()).await {
            Ok(None) => return Ok(count),
            Ok(Some(Ok(event))) => (count, last) = (count + 1, Some(event.at())),
            Ok(Some(Err(error))) => {
                return Err(unfinished(Kind::Internal, count, last.unwrap_or(since)).caused_by(error));
            }
            Err(_) => return Err(unfinished(Kind::PlatformTimeout, count, last.unwrap_or(since))),
        }
    }
}

/// The error of a replay that has stored so many deliveries, the last one for an event of this time. That time is
/// replayed once more, because it may have other events.
fn unfinished(kind: Kind, count: usize, next: Timestamp) -> Error {
    let message = format!(
        "Only {count} events could be replayed, oldest first. Send the request again with \"since\": \"{next:.3}\" to \
         replay the others."
    );
    Error::new(kind, message).retryable()
}

/// The events from a time on, oldest first.
fn events_since(call: &Call, since: Timestamp) -> impl Stream<Item = Result<(EventId, EventKind), Error>> {
    let pages = stream::try_unfold(Some(None), move |at: Option<Option<EventId>>| async move {
        let Some(after) = at else { return Ok::<_, Error>(None) };
        let page = call.store().event_kinds(call.customer.id, since, after, PAGE, call.request.now).await?;
        Ok(Some((stream::iter(page.events).map(Ok), page.next.map(Some))))
    });
    pages.try_flatten()
}

/// Stores the delivery of an event, or the one that it has once more from the start.
async fn make_due(call: &Call, endpoint: &WebhookEndpoint, event: EventId, kind: EventKind) -> Result<(), Error> {
    let (store, customer) = (call.store(), call.customer.id);
    for _ in 0..MAX_TRIES {
        let (seen, now) = (store.delivery(customer, &endpoint.id, event).await?, call.request.app.clock.now());
        let due = match &seen {
            Some(delivery) => delivery.replayed(now),
            None => Delivery::new(customer, endpoint.id.clone(), event, kind, now),
        };
        if store.put_delivery(&due, seen.as_ref()).await? {
            return Ok(());
        }
    }
    Err(Error::internal("the delivery of a replayed event is attempted all the time"))
}
