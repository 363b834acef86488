//! PENDING connections whose user never came back. They do not show any more; this takes them out of the table,
//! where the store's own expiry would leave them for days.

use crate::Report;
use shared::app::App;
use shared::error::Error;
use std::sync::Arc;
use tokio::time::Instant;

/// How many one run clears away; the rest waits for the next.
const PENDING_A_RUN: i32 = 200;

/// Clears away what nobody waits for.
pub(crate) async fn clear_away(app: &Arc<App>, until: Instant, report: &mut Report) -> Result<(), Error> {
    for (customer, connection) in app.store.expired_pending(app.clock.now(), PENDING_A_RUN).await? {
        if Instant::now() >= until {
            break;
        }
        match app.store.delete_pending(customer, &connection).await {
            Ok(()) => report.pending += 1,
            Err(error) => {
                tracing::warn!(%customer, %connection, %error, source = error.source, "a PENDING connection stays");
                report.failed += 1;
            }
        }
    }
    Ok(())
}
