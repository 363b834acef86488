//! The items of deliveries and of endpoints' health, and their conversion.

use crate::domain::delivery::{Attempt, EndpointHealth, FailureStreak, RETENTION};
use crate::domain::{CustomerId, Delivery, DeliveryStatus, EndpointId, EventId, EventKind};
use crate::error::Error;
use crate::store::due::delivery_kind;
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct DeliveryItem {
    kind: Option<EventKind>,
    delivery_status: DeliveryStatus,
    tried: u32,
    attempts: Vec<Attempt>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
struct HealthItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_until: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_since: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_event: Option<EventId>,
    /// The oldest event that failed; NULL for an endpoint that does not fail.
    oldest_event: Option<EventId>,
    #[serde(default)]
    is_repeated: bool,
    /// 0 in a record of an older release.
    #[serde(default)]
    unreached: u32,
}

/// The item of a delivery, which is due at its next attempt.
pub(super) fn item(delivery: &Delivery) -> Result<Item, Error> {
    let Delivery { customer, endpoint, event, kind, status, tried, attempts, next_attempt_at } = delivery;
    let kept_from = attempts.last().map_or(event.at(), |attempt| attempt.at);
    let item = DeliveryItem {
        kind: *kind,
        delivery_status: *status,
        tried: *tried,
        attempts: attempts.clone(),
        expires_at: kept_from.checked_add(RETENTION).unwrap_or(Timestamp::MAX),
        due_kind: next_attempt_at.map(|_| delivery_kind(*event)),
        due_at: *next_attempt_at,
    };
    to_item(&table_keys::delivery(*customer, endpoint, *event), &item)
}

/// Parses a delivery. Its endpoint and its event are in the sort key.
pub(super) fn parse(customer: CustomerId, item: Item) -> Result<Delivery, Error> {
    let (endpoint, event) = key_of(&item).ok_or_else(corrupt)?;
    let DeliveryItem { kind, delivery_status: status, tried, attempts, expires_at: _, due_kind: _, due_at } =
        from_item(item)?;
    Ok(Delivery { customer, endpoint, event, kind, status, tried, attempts, next_attempt_at: due_at })
}

/// The endpoint and the event of a delivery by the keys of its item.
pub(super) fn key_of(item: &Item) -> Option<(EndpointId, EventId)> {
    table_keys::parse_delivery_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

/// The item of an endpoint's health.
pub(super) fn health_item(customer: CustomerId, endpoint: &EndpointId, health: &EndpointHealth) -> Result<Item, Error> {
    let EndpointHealth { paused_until, failing } = health;
    let item = HealthItem {
        paused_until: *paused_until,
        failing_since: failing.map(|failing| failing.since),
        failing_event: failing.map(|failing| failing.first),
        oldest_event: failing.map(|failing| failing.oldest),
        is_repeated: failing.is_some_and(|failing| failing.is_repeated),
        unreached: failing.map_or(0, |failing| failing.unreached),
    };
    to_item(&table_keys::endpoint_health(customer, endpoint), &item)
}

/// Parses the health of an endpoint.
pub(super) fn parse_health(item: Item) -> Result<(EndpointId, EndpointHealth), Error> {
    let sort = item.get(table_keys::SORT).and_then(|sort| sort.as_s().ok());
    let endpoint = sort.and_then(|sort| table_keys::parse_endpoint_health_sk(sort)).ok_or_else(corrupt)?;
    let HealthItem { paused_until, failing_since, failing_event, oldest_event, is_repeated, unreached } =
        from_item(item)?;
    let failing = failing_since.zip(failing_event).zip(oldest_event);
    let failing =
        failing.map(|((since, first), oldest)| FailureStreak { since, first, oldest, is_repeated, unreached });
    Ok((endpoint, EndpointHealth { paused_until, failing }))
}

fn corrupt() -> Error {
    Error::internal("a corrupt delivery")
}

#[cfg(test)]
#[test]
fn a_delivery_is_stored_as_ever_and_read_as_it_was() {
    use crate::store::stored::assert_stored;
    let now = Timestamp::constant(1_790_000_000, 0);
    let customer = CustomerId(uuid::Uuid::nil());
    let endpoint = EndpointId::of_bits(&[7; 32]);
    let attempt = Attempt { at: now, status_code: None, error: None, duration_ms: 5, answer: None };
    let answered = Attempt {
        status_code: Some(500),
        error: Some("no".to_owned()),
        answer: Some("A".to_owned()),
        ..attempt.clone()
    };
    let few = Delivery {
        customer,
        endpoint: endpoint.clone(),
        event: EventId::first_at(now),
        kind: None,
        status: DeliveryStatus::Delivered,
        tried: 0,
        attempts: Vec::new(),
        next_attempt_at: None,
    };
    let all = Delivery {
        kind: Some(EventKind::ChangeInDoubt),
        status: DeliveryStatus::Pending,
        tried: 2,
        attempts: vec![attempt, answered],
        next_attempt_at: Some(now),
        ..few.clone()
    };
    let deliveries = [all, few];
    assert_stored("delivery", deliveries.iter().map(|delivery| item(delivery).unwrap()));
    for delivery in deliveries {
        assert_eq!(parse(customer, item(&delivery).unwrap()).unwrap(), delivery);
    }
    let event = EventId::first_at(now);
    let failing = FailureStreak { since: now, first: event, oldest: event, is_repeated: true, unreached: 3 };
    let health = [EndpointHealth { paused_until: Some(now), failing: Some(failing) }, EndpointHealth::default()];
    assert_stored("health", health.map(|health| health_item(customer, &endpoint, &health).unwrap()));
    for health in health {
        let stored = health_item(customer, &endpoint, &health).unwrap();
        assert_eq!(parse_health(stored).unwrap(), (endpoint.clone(), health));
    }
}
