//! `testWebhookEndpoint`.

use crate::not_found;
use shared::deliveries;
use shared::domain::{Delivery, EventId, WebhookEndpoint};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, ping_payload};
use shared::error::Error;
use shared::serve::Call;

/// Sends a `ping` once, also to a disabled endpoint. It is no event, and a failure does not count against the endpoint.
pub(crate) async fn send(call: &Call, endpoint: Result<Option<WebhookEndpoint>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let endpoint = endpoint?.ok_or_else(not_found)?;
    let (app, customer, request) = (&call.request.app, call.customer.id, call.request.request_id);
    let event = EventId::of_name(call.request.now, &format!("{}#ping#{request}", endpoint.id));
    let answered = deliveries::send(app, customer, &endpoint, event, ping_payload(event, request)?).await?;
    // A test send has no second attempt, so nothing is random.
    let delivery = Delivery::of_test(customer, endpoint.id, event).after(&answered, 0);
    let stored = call.store().put_delivery(&delivery, None).await;
    stored.map_err(|error| error.may_have_taken_effect("The ping was sent. Another test sends another ping."))?;
    Ok(Reply::Delivery(Box::new(delivery)))
}
