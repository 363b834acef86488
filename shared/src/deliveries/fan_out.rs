//! The deliveries of an event.

use super::endpoints::Endpoints;
use crate::app::App;
use crate::domain::{CustomerId, Delivery, EndpointId, EventId};
use crate::error::Error;

/// Stores a delivery of a due event for each endpoint that receives its type, and returns those. An endpoint that
/// is disabled gets none: its customer may replay the event.
pub async fn fan_out(
    app: &App,
    endpoints: &Endpoints,
    customer: CustomerId,
    id: EventId,
) -> Result<Vec<EndpointId>, Error> {
    let mut stored = Vec::new();
    let known = endpoints.of(app, customer).await?;
    if !known.is_empty()
        && let Some(event) = app.store.event(customer, id).await?
    {
        for known in known.iter().filter(|known| known.is_enabled()) {
            let endpoint = &known.endpoint;
            // An endpoint receives events from its creation on.
            if endpoint.types.contains(event.kind) && endpoint.created_at <= event.at() {
                let now = app.clock.now();
                let delivery = Delivery::new(customer, endpoint.id.clone(), id, event.kind, now);
                // An existing delivery was stored by an earlier run.
                app.store.put_delivery(&delivery, None).await?;
                stored.push(endpoint.id.clone());
            }
        }
    }
    app.store.end_event(customer, id).await?;
    Ok(stored)
}
