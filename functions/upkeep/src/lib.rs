//! What has to happen though nobody asks: tokens are refreshed ahead of their end, and authorizations that nobody
//! finished are cleared away.
//!
//! Runs every minute and does a bounded amount of work. Two runs at once do no harm: what one is at, or has done, the
//! other finds taken.

mod grants;
mod pending;

use shared::app::App;
use shared::error::Error;
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
    /// Grants that were due and could not be put in order; they are due again later.
    pub failed: usize,
    /// PENDING connections that were cleared away.
    pub pending: usize,
}

/// Does what is due.
pub async fn run(app: &Arc<App>) -> Result<Report, Error> {
    let until = Instant::now() + BUDGET;
    let mut report = Report::default();
    grants::look_after_due(app, until, &mut report).await?;
    pending::clear_away(app, until, &mut report).await?;
    if report != Report::default() {
        tracing::info!(grants = report.grants, failed = report.failed, pending = report.pending, "upkeep");
    }
    Ok(report)
}
