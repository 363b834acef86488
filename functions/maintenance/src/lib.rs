//! Scheduled maintenance: refreshes tokens ahead of their expiry, reconciles creates with an unknown outcome, and
//! deletes expired authorizations.
//!
//! Runs at every [`shared::domain::maintenance::INTERVAL`] and does a bounded amount of work. Concurrent runs are safe:
//! leases and conditional writes keep each from repeating the other's work.

mod grants;
mod intents;
mod pending;
mod versions;

use shared::app::App;
use shared::error::Error;
use shared::metrics::{MetricScope, Number};
use shared::secrets::SecretAccess;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PLATFORMS;

/// A run starts no new work after this time.
const RUN_TIME_LIMIT: Duration = Duration::from_secs(45);

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Due grants that were maintained.
    pub grants: usize,
    /// Creates that were reconciled.
    pub intents: usize,
    /// Due work that failed and is due again later.
    pub failed: usize,
    /// Expired PENDING connections that were deleted.
    pub pending: usize,
}

/// Does the work that is due.
pub async fn run(app: &Arc<App>) -> Result<Report, Error> {
    let (started, until) = (app.clock.now(), Instant::now() + RUN_TIME_LIMIT);
    let mut report = Report::default();
    let mut creates = Report::default();
    // Concurrently, so that a hanging token endpoint does not delay reconciliation.
    let (grants, intents) =
        tokio::join!(grants::maintain_due(app, until, &mut report), intents::reconcile_due(app, until, &mut creates));
    let refresh_failures = report.failed;
    report.intents = creates.intents;
    report.failed += creates.failed;
    let pending = pending::delete_expired(app, until, &mut report).await;
    if report != Report::default() {
        let Report { grants, intents, failed, pending } = report;
        tracing::info!(grants, intents, unreconciled = creates.failed, failed, pending, "maintenance");
    }
    let ending = versions::report_ending(app, started);
    // The alarms in `template.yaml` refer to these names.
    let numbers = vec![
        ("CreatesInDoubt", Number::Count(creates.failed)),
        ("RefreshFailures", Number::Count(refresh_failures)),
        ("PlatformVersionsEnding", Number::Count(ending)),
    ];
    app.metrics.write(&[(MetricScope::Service, numbers)], app.clock.now());
    grants.and(intents).and(pending).map(|()| report)
}
