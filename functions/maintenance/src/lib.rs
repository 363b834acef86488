//! Scheduled maintenance: refreshes tokens ahead of their expiry, settles changes without an outcome, applies scheduled
//! changes, continues bulk changes, stops of API keys, erasures of users and syncs, reviews monthly budgets, and deletes
//! expired PENDING connections.
//!
//! Runs at every [`shared::domain::maintenance_schedule::INTERVAL`] and works until nothing is due or its time is over.
//! Concurrent runs are safe: leases and conditional writes keep each from repeating the other's work.

mod bulk;
mod changes;
mod checks;
mod drain;
mod erasures;
mod failing_platforms;
mod grants;
mod monthly;
mod pending;
mod schedule;
mod stops;
mod versions;

use drain::StepCounts;
use jiff::SignedDuration;
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
pub struct RunResult {
    /// Due grants that were maintained.
    pub grants: usize,
    /// Changes whose outcome was found.
    pub changes: usize,
    /// Scheduled changes that were applied, or refused.
    pub scheduled: usize,
    /// Campaigns whose monthly budget was checked.
    pub monthly: usize,
    /// Due work that failed and is due again later.
    pub failed: usize,
    /// Expired PENDING connections that were deleted.
    pub pending: usize,
}

/// Does the work that is due.
pub async fn run(app: &Arc<App>) -> Result<RunResult, Error> {
    let started = app.clock.now();
    let until = Instant::now() + RUN_TIME_LIMIT;
    // Concurrently, so that a hanging token endpoint does not delay the rest.
    let (grants, bulk, stops, erasures, changes, scheduled, monthly, pending, checks) = tokio::join!(
        grants::maintain_due(app, until),
        bulk::continue_due(app, until),
        stops::continue_due(app, until),
        erasures::continue_due(app, until),
        changes::settle_due(app, until),
        schedule::apply_due(app, until),
        monthly::adjust_due(app, until),
        pending::delete_expired(app, until),
        checks::continue_due(app, until),
    );
    let ending = versions::report_ending(app, started);
    let lateness = [&scheduled, &bulk, &stops, &monthly].map(|duty| duty.oldest).into_iter().max();
    // The alarms in `template.yaml` refer to these names.
    let numbers = vec![
        ("ChangesUnsettled", Number::Count(changes.failed)),
        ("OldestUnsettledChange", Number::Count(seconds(changes.oldest))),
        ("ScheduleLateness", Number::Count(seconds(lateness.unwrap_or_default()))),
        ("RefreshFailures", Number::Count(grants.failed)),
        ("PlatformVersionsEnding", Number::Count(ending)),
    ];
    app.metrics.write(&[(MetricScope::Service, numbers)], app.clock.now());
    let done = RunResult {
        grants: grants.done,
        changes: changes.done,
        scheduled: scheduled.done,
        monthly: monthly.done,
        pending: pending.done,
        ..RunResult::default()
    };
    let unsettled = changes.failed;
    let duties = [grants, bulk, stops, erasures, changes, scheduled, monthly, pending, checks];
    let StepCounts { failed, unread, .. } = duties.into_iter().fold(StepCounts::default(), StepCounts::plus);
    let result = RunResult { failed, ..done };
    if result != RunResult::default() {
        let RunResult { grants, changes, scheduled, monthly, failed, pending } = result;
        tracing::info!(grants, changes, unsettled, scheduled, paced = monthly, failed, pending, "maintenance");
    }
    match unread {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

fn seconds(duration: SignedDuration) -> usize {
    usize::try_from(duration.as_secs()).unwrap_or_default()
}
