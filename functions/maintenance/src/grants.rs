//! Grants whose tokens near their end.

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

/// How many grants one run takes on; the rest waits for the next.
const GRANTS_A_RUN: i32 = 500;
/// How many customers are looked after at a time.
const AT_A_TIME: usize = 16;
/// How long one grant may wait for somebody else who refreshes it.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a grant is put off that could not be looked after.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);

/// Looks after the grants that are due.
pub(crate) async fn look_after_due(app: &Arc<App>, until: Instant, report: &mut Report) -> Result<(), Error> {
    let due = app.store.due_grants(app.clock.now(), GRANTS_A_RUN).await?;
    if i32::try_from(due.len()).is_ok_and(|found| found >= GRANTS_A_RUN) {
        tracing::warn!(taken = due.len(), "more grants may be due than one run takes on");
    }
    // One customer's grants are read together.
    let mut by_customer: BTreeMap<CustomerId, Vec<GrantId>> = BTreeMap::new();
    for (customer, grant) in due {
        by_customer.entry(customer).or_default().push(grant);
    }
    let mut outcomes = stream::iter(by_customer)
        .map(|(customer, grants)| of_customer(app, customer, grants, until))
        .buffer_unordered(AT_A_TIME);
    while let Some((done, failed)) = outcomes.next().await {
        report.grants += done;
        report.failed += failed;
    }
    Ok(())
}

/// How many of a customer's grants are in order, and how many not. Those that there was no time for are neither.
async fn of_customer(app: &Arc<App>, customer: CustomerId, grants: Vec<GrantId>, until: Instant) -> (usize, usize) {
    // Before the connections are read: what becomes due after this time is not what was read.
    let now = app.clock.now();
    let connected = match app.store.customer_connections(customer, now).await {
        Ok(connected) => connected,
        Err(error) => {
            tracing::error!(%customer, %error, source = error.source, "connections could not be read");
            put_off(app, customer, &grants).await;
            return (0, grants.len());
        }
    };
    let (mut done, mut failed) = (0, 0);
    for grant in grants {
        if Instant::now() >= until {
            break;
        }
        let deadline = Instant::now() + PATIENCE;
        match (PlatformContext { app, outbound: &app.outbound, customer, connected: &connected, now, deadline })
            .maintain_grant(&grant)
            .await
        {
            Ok(()) => done += 1,
            Err(error) => {
                let platform = error.platform.map(|platform| platform.as_str());
                let source = error.source.as_ref();
                tracing::warn!(%customer, grant = %grant.0, platform, %error, source, "a grant is not in order");
                put_off(app, customer, &[grant]).await;
                failed += 1;
            }
        }
    }
    (done, failed)
}

/// Lets others go first, unless the failure has said already when the next attempt is.
async fn put_off(app: &Arc<App>, customer: CustomerId, grants: &[GrantId]) {
    let now = app.clock.now();
    for grant in grants {
        if let Err(error) = app.store.postpone_grant(customer, grant, now, now + PAUSE).await {
            tracing::warn!(%customer, grant = %grant.0, %error, source = error.source, "a grant was not put off");
        }
    }
}
