//! What has to happen though nobody asks: tokens are refreshed ahead of their end, doubtful creates are settled, and
//! authorizations that nobody finished are cleared away.
//!
//! Runs every minute and does a bounded amount of work. Two runs at once do no harm: what one is at, or has done, the
//! other finds taken.

mod grants;
mod intents;
mod pending;
mod versions;

use shared::app::App;
use shared::error::Error;
use shared::metrics::{MetricScope, Number};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// After this time a run begins nothing new.
const BUDGET: Duration = Duration::from_secs(45);

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Grants that were due and are in order now.
    pub grants: usize,
    /// Creates of which it is known now what became.
    pub intents: usize,
    /// What was due and could not be put in order; it is due again later.
    pub failed: usize,
    /// PENDING connections that were cleared away.
    pub pending: usize,
}

/// Does what is due.
pub async fn run(app: &Arc<App>) -> Result<Report, Error> {
    let (began, until) = (app.clock.now(), Instant::now() + BUDGET);
    let mut report = Report::default();
    let mut of_intents = Report::default();
    // Side by side: a create is settled within a minute, whatever hangs elsewhere.
    let (grants, intents) = tokio::join!(
        grants::look_after_due(app, until, &mut report),
        intents::reconcile_due(app, until, &mut of_intents)
    );
    let refresh_failures = report.failed;
    report.intents = of_intents.intents;
    report.failed += of_intents.failed;
    let pending = pending::clear_away(app, until, &mut report).await;
    if report != Report::default() {
        let Report { grants, intents, failed, pending } = report;
        let in_doubt = of_intents.failed;
        tracing::info!(grants, intents, in_doubt, failed, pending, "maintenance");
    }
    let ending = versions::tell_of_ending(app, began);
    // By name in `template.yaml`: alarms look at them.
    let numbers = vec![
        ("CreatesInDoubt", Number::Count(of_intents.failed)),
        ("RefreshFailures", Number::Count(refresh_failures)),
        ("PlatformVersionsEnding", Number::Count(ending)),
    ];
    app.metrics.write(&[(MetricScope::Service, numbers)], app.clock.now());
    grants.and(intents).and(pending).map(|()| report)
}
