//! Deletes PENDING connections whose authorization has expired. The API no longer shows them; DynamoDB's TTL would
//! delete them only days later.

use crate::Report;
use shared::app::App;
use shared::error::Error;
use std::sync::Arc;
use tokio::time::Instant;

/// Connections per run; the others are left to the next run.
const MAX_CONNECTIONS: i32 = 200;

pub(crate) async fn delete_expired(app: &Arc<App>, until: Instant, report: &mut Report) -> Result<(), Error> {
    for (customer, connection) in app.store.expired_pending(app.clock.now(), MAX_CONNECTIONS).await? {
        if Instant::now() >= until {
            break;
        }
        match app.store.delete_pending(customer, &connection).await {
            Ok(()) => report.pending += 1,
            Err(error) => {
                let source = error.source.as_ref();
                tracing::warn!(%customer, %connection, %error, source, "deleting a PENDING connection failed");
                report.failed += 1;
            }
        }
    }
    Ok(())
}
