//! An attempt at a due delivery.

use super::endpoints::{Endpoints, KnownEndpoint};
use super::send::send;
use crate::app::App;
use crate::domain::delivery::{EndpointResponse, EndpointVerdict};
use crate::domain::{CustomerId, Delivery, DeliveryStatus, EndpointId, EventId};
use crate::envelope::event_payload;
use crate::error::Error;
use crate::outbound::public::TIME_LIMIT;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// Lease of a delivery beyond the time limit of its endpoint.
const LEASE_MARGIN: SignedDuration = SignedDuration::from_secs(15);
/// Deliveries of a paused endpoint are due within this time after its pause.
const SPREAD_MS: u64 = 10_000;
const GONE: &str = "The endpoint answered 410.";
const FAILED: &str = "No event has been accepted for five days.";

/// The outcome of an attempt at a due delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The endpoint has accepted it.
    Delivered,
    /// It was refused; the time of the next attempt, if there is one.
    Refused(Option<Timestamp>),
    /// Nothing was sent: the endpoint is paused or away, or another process has the delivery.
    Skipped,
}

/// Makes the next attempt at a delivery.
pub async fn attempt_delivery(
    app: &App,
    endpoints: &Endpoints,
    customer: CustomerId,
    endpoint: &EndpointId,
    event: EventId,
) -> Result<AttemptOutcome, Error> {
    let (store, now) = (&app.store, app.clock.now());
    let Some(known) = endpoints.enabled(app, customer, endpoint).await? else {
        store.end_delivery(customer, endpoint, event).await?;
        return Ok(AttemptOutcome::Skipped);
    };
    let pause_end = known.health().pause_end(now);
    if let Some(until) = pause_end {
        store.postpone_delivery(customer, endpoint, event, now, until + spread()).await?;
        return Ok(AttemptOutcome::Skipped);
    }
    let Some(delivery) = store.take_delivery(customer, endpoint, event, now, lease_end(now)?).await? else {
        return Ok(AttemptOutcome::Skipped);
    };
    let Some(stored) = store.event(customer, event).await? else {
        store.end_delivery(customer, endpoint, event).await?;
        return Ok(AttemptOutcome::Skipped);
    };
    let payload = event_payload(&stored, known.endpoint.shape, app.public_base_url.as_deref())?;
    let response = send(app, customer, &known.endpoint, event, payload).await?;
    let after = delivery.after(&response, random());
    let (stored, judged) =
        tokio::join!(store.put_delivery(&after, Some(&delivery)), judge(app, customer, &known, event, &response));
    stored?;
    judged?;
    Ok(outcome(&after))
}

/// End of the lease of an attempt that begins now.
pub(super) fn lease_end(now: Timestamp) -> Result<Timestamp, Error> {
    Ok(now + SignedDuration::try_from(TIME_LIMIT).map_err(Error::internal)? + LEASE_MARGIN)
}

fn outcome(after: &Delivery) -> AttemptOutcome {
    match after.status {
        DeliveryStatus::Delivered => AttemptOutcome::Delivered,
        DeliveryStatus::Pending | DeliveryStatus::Failed => AttemptOutcome::Refused(after.next_attempt_at),
    }
}

/// Stores the health of the endpoint after an attempt. Disables an endpoint that is gone or has failed for days.
async fn judge(
    app: &App,
    customer: CustomerId,
    known: &KnownEndpoint,
    event: EventId,
    response: &EndpointResponse,
) -> Result<(), Error> {
    let (before, verdict) = {
        let mut health = known.health();
        let before = *health;
        let verdict = health.after(event, response, random());
        if let EndpointVerdict::StaysEnabled(after) = verdict {
            *health = after;
        }
        (before, verdict)
    };
    let reason = match verdict {
        EndpointVerdict::StaysEnabled(after) if after == before => return Ok(()),
        EndpointVerdict::StaysEnabled(after) => {
            return app.store.put_endpoint_health(customer, &known.endpoint.id, &after).await;
        }
        EndpointVerdict::Gone => GONE,
        EndpointVerdict::Failed => FAILED,
    };
    let missed_since = before.failing.map_or(event, |failing| failing.oldest.min(event)).at();
    app.store.disable_webhook_endpoint(customer, &known.endpoint, reason, missed_since, response.ended_at).await
}

fn random() -> u64 {
    Uuid::new_v4().as_u64_pair().1
}

fn spread() -> SignedDuration {
    SignedDuration::from_millis(i64::try_from(random() % SPREAD_MS).unwrap_or_default())
}
