//! Deletes PENDING connections whose authorization has expired. The API no longer shows them; DynamoDB's TTL would
//! delete them only days later.

use crate::Tally;
use futures_util::StreamExt;
use shared::app::App;
use std::pin::pin;
use std::sync::Arc;
use tokio::time::Instant;

pub(crate) async fn delete_expired(app: &Arc<App>, until: Instant) -> Tally {
    let mut tally = Tally::default();
    let mut expired = pin!(app.store.expired_pending(app.clock.now()));
    while let Some(due) = expired.next().await {
        let (customer, connection) = match due {
            Ok(due) => due,
            Err(error) => return Tally { unread: Some(error), ..tally },
        };
        if !crate::has_time(until, "PENDING connections") {
            break;
        }
        match app.store.delete_pending(customer, &connection).await {
            Ok(()) => tally.done += 1,
            Err(error) => {
                let source = error.source.as_ref();
                tracing::warn!(%customer, %connection, %error, source, "deleting a PENDING connection failed");
                tally.failed += 1;
            }
        }
    }
    tally
}
