//! Maintains the grants that are due: most of them need a token refresh.

use crate::Report;
use futures_util::StreamExt;
use futures_util::stream;
use jiff::SignedDuration;
use shared::app::App;
use shared::domain::{CustomerId, GrantId};
use shared::error::Error;
use shared::tokens::PlatformContext;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Grants per run; the others are left to the next run.
const MAX_GRANTS: i32 = 500;
/// Customers processed concurrently.
const CONCURRENCY: usize = 16;
/// Time limit of the wait for another process's refresh.
const LEASE_WAIT_TIMEOUT: Duration = Duration::from_secs(30);
/// A grant whose maintenance failed is due again after this time.
const RETRY_DELAY: SignedDuration = SignedDuration::from_mins(10);

pub(crate) async fn maintain_due(app: &Arc<App>, until: Instant, report: &mut Report) -> Result<(), Error> {
    let due = app.store.due_grants(app.clock.now(), MAX_GRANTS).await?;
    if i32::try_from(due.len()).is_ok_and(|found| found >= MAX_GRANTS) {
        tracing::warn!(taken = due.len(), "more grants may be due than one run maintains");
    }
    // One read per customer serves all of its grants.
    let mut by_customer: BTreeMap<CustomerId, Vec<GrantId>> = BTreeMap::new();
    for (customer, grant) in due {
        by_customer.entry(customer).or_default().push(grant);
    }
    let mut outcomes = stream::iter(by_customer)
        .map(|(customer, grants)| maintain_customer(app, customer, grants, until))
        .buffer_unordered(CONCURRENCY);
    while let Some((maintained, failed)) = outcomes.next().await {
        report.grants += maintained;
        report.failed += failed;
    }
    Ok(())
}

/// Counts a customer's grants that were maintained and those that failed. A grant that the run had no time for is
/// neither.
async fn maintain_customer(
    app: &Arc<App>,
    customer: CustomerId,
    grants: Vec<GrantId>,
    until: Instant,
) -> (usize, usize) {
    // Taken before the connections are read: a grant that becomes due later is not in that read.
    let now = app.clock.now();
    let connected = match app.store.customer_connections(customer, now).await {
        Ok(connected) => connected,
        Err(error) => {
            tracing::error!(%customer, %error, source = error.source, "reading connections failed");
            postpone(app, customer, &grants).await;
            return (0, grants.len());
        }
    };
    let (mut maintained, mut failed) = (0, 0);
    for grant in grants {
        if Instant::now() >= until {
            break;
        }
        let deadline = Instant::now() + LEASE_WAIT_TIMEOUT;
        let context = PlatformContext { app, outbound: &app.outbound, customer, connected: &connected, now, deadline };
        match context.maintain_grant(&grant).await {
            Ok(()) => maintained += 1,
            Err(error) => {
                let platform = error.platform.map(|platform| platform.as_str());
                let source = error.source.as_ref();
                tracing::warn!(%customer, grant = %grant.0, platform, %error, source, "maintaining a grant failed");
                postpone(app, customer, &[grant]).await;
                failed += 1;
            }
        }
    }
    (maintained, failed)
}

/// Makes room for other due grants. A grant whose failed refresh has set a time for its next attempt keeps that time.
async fn postpone(app: &Arc<App>, customer: CustomerId, grants: &[GrantId]) {
    let now = app.clock.now();
    for grant in grants {
        if let Err(error) = app.store.postpone_grant(customer, grant, now, now + RETRY_DELAY).await {
            tracing::warn!(%customer, grant = %grant.0, %error, source = error.source, "postponing a grant failed");
        }
    }
}
