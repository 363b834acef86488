//! Events and their deliveries to an endpoint: lists, and a test send, which is no event (D67).

use crate::endpoints::{EndpointWithHealth, end_pause_of};
use crate::not_found;
use shared::deliveries::send;
use shared::domain::{
    ConnectionId, Delivery, DeliveryStatus, Event, EventFilters, EventId, ExternalRef, Reference, WebhookEndpoint,
};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{
    DeliveriesQuery, DeliveryList, EventList, EventsQuery, Reply, decode_log_cursor, encode_log_cursor, ping_payload,
    read_deliveries, read_events,
};
use shared::error::Error;
use shared::serve::{Call, log_page};

/// Events that one query reads if the type or the rights of the caller skip some of them.
const EVENTS_SCAN_SIZE: usize = 100;
/// Deliveries that one query reads if the status skips some of them.
const DELIVERIES_SCAN_SIZE: usize = 200;

/// Lists events, newest first, or oldest first since one.
pub(crate) async fn list_events(call: &Call) -> Result<Reply, Error> {
    let EventsQuery { filters, limit, cursor } = read_events(&call.request.query, call.request.now)?;
    let key_digest = filters.key_digest.map(|digest| call.request.scoped_key_digest(digest));
    let filters = EventFilters { key_digest, external_ref: call.user().cloned(), ..filters };
    let values = filter_values(&filters);
    // DynamoDB rejects a start key outside of the queried range.
    let parse = |text: &str| EventId::parse(text).filter(|id| filters.contains(*id));
    let after = cursor.map(|text| decode_log_cursor(&text, &values, parse)).transpose()?;
    // Where nothing is skipped, one more than the page size shows whether a next page exists.
    let is_whole = filters.only_by_key() && call.sees_all_it_asks_for();
    let query_size = if is_whole { limit + 1 } else { EVENTS_SCAN_SIZE };
    let (query_size, filters) = (i32::try_from(query_size).map_err(Error::internal)?, &filters);
    let read = |after: Option<EventId>| async move {
        let page = call.store().events(call.customer.id, filters, after, query_size, call.request.now).await?;
        Ok((call.visible(page.events).collect(), page.next))
    };
    let (events, next) = log_page(limit, after, read, |event: &Event| event.id).await?;
    let next_since = filters.next_since(after, next, call.request.now);
    let next_cursor = next.map(|after| encode_log_cursor(&after, &values)).transpose()?;
    let public_base = call.request.app.public_base_url.as_deref();
    EventList::new(&events, next_cursor, next_since, public_base).map(Reply::Events)
}

/// The filters as a cursor binds them.
fn filter_values(filters: &EventFilters) -> [Option<String>; 6] {
    let EventFilters { kind, reference, key_digest, external_ref, connection, since } = filters;
    [
        kind.map(|kind| kind.as_str().to_owned()),
        reference.as_ref().map(Reference::to_string),
        key_digest.clone(),
        external_ref.as_ref().map(ExternalRef::to_string),
        connection.as_ref().map(ConnectionId::to_string),
        since.map(|since| since.to_string()),
    ]
}

/// Lists the deliveries of an endpoint, newest event first.
pub(crate) async fn list(call: &Call, endpoint: Result<Option<WebhookEndpoint>, Error>) -> Result<Reply, Error> {
    let DeliveriesQuery { status, limit, cursor } = read_deliveries(&call.request.query)?;
    let endpoint = &endpoint?.ok_or_else(not_found)?.id;
    let filters = (endpoint.as_str(), status.map(DeliveryStatus::as_str));
    let after = cursor.map(|text| decode_log_cursor(&text, &filters, EventId::parse)).transpose()?;
    // Without a status, one more than the page size shows whether a next page exists.
    let query_size =
        i32::try_from(if status.is_none() { limit + 1 } else { DELIVERIES_SCAN_SIZE }).map_err(Error::internal)?;
    let read = |after: Option<EventId>| async move {
        let mut page = call.store().deliveries(call.customer.id, endpoint, after, query_size).await?;
        page.deliveries.retain(|delivery| status.is_none_or(|status| delivery.status == status));
        Ok((page.deliveries, page.next))
    };
    let (deliveries, next) = log_page(limit, after, read, |delivery: &Delivery| delivery.event).await?;
    let next_cursor = next.map(|after| encode_log_cursor(&after, &filters)).transpose()?;
    Ok(Reply::Deliveries(DeliveryList { deliveries, next_cursor }))
}

/// Sends a `ping` once, also to a disabled endpoint. It is no event, and a failure does not count against the endpoint. A
/// success ends its pause.
pub(crate) async fn test(call: &Call, endpoint: Result<Option<EndpointWithHealth>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let (endpoint, health) = endpoint?.ok_or_else(not_found)?;
    let (app, customer, request) = (&call.request.app, call.customer.id, call.request.request_id);
    let event = EventId::of_name(call.request.now, &format!("{}#ping#{request}", endpoint.id));
    let answered = send(app, customer, &endpoint, event, ping_payload(event, request)?).await?;
    // A test send has no second attempt, so nothing is random.
    let delivery = Delivery::of_test(customer, endpoint.id, event).after(&answered, 0);
    let stored = call.store().put_delivery(&delivery, None).await;
    let advised = |error: Error| error.may_have_taken_effect("The ping was sent. Another test sends another ping.");
    stored.map_err(advised)?;
    if delivery.status == DeliveryStatus::Delivered {
        end_pause_of(call, &delivery.endpoint, health).await.map_err(advised)?;
    }
    Ok(Reply::Delivery(Box::new(delivery)))
}
