//! Ends an endpoint's pause by hand, for a customer who knows that it works.

use super::attempt::lease_end;
use crate::domain::{CustomerId, Delivery, EndpointId};
use crate::error::Error;
use crate::store::Store;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;

/// Deliveries per query, and most queries. Further deliveries stay due at their own time.
const PAGE: i32 = 200;
const MAX_PAGES: usize = 10;
/// Deliveries that are made due at a time.
const CONCURRENCY: usize = 32;

/// Ends the pause of an endpoint, and makes its waiting deliveries due. The record of the pause is removed last, so
/// that the same request continues after a failure.
pub async fn end_pause(
    store: &Store,
    customer: CustomerId,
    endpoint: &EndpointId,
    now: Timestamp,
) -> Result<(), Error> {
    // First: otherwise a worker would postpone the deliveries to the end of the pause.
    store.end_endpoint_pause(customer, endpoint, now).await?;
    // A delivery that is due sooner may be in an attempt.
    let lease_end = lease_end(now)?;
    let waits = |delivery: &Delivery| delivery.next_attempt_at.is_some_and(|at| at > lease_end);
    let mut after = None;
    for _ in 0..MAX_PAGES {
        let page = store.deliveries(customer, endpoint, after, PAGE).await?;
        let waiting = stream::iter(page.deliveries.into_iter().filter(waits));
        let due = waiting.map(|delivery| async move { store.make_delivery_due(&delivery, now).await });
        let due: Vec<Result<bool, Error>> = due.buffer_unordered(CONCURRENCY).collect().await;
        due.into_iter().collect::<Result<Vec<bool>, Error>>()?;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    store.forget_endpoint_pause(customer, endpoint, now).await
}
