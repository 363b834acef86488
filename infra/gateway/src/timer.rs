//! Maintenance on a timer: what a schedule does for the deployed function.

use shared::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

const MAINTENANCE_EVERY: Duration = Duration::from_secs(60);

/// Maintenance that runs until this is dropped.
pub(crate) struct Timer(JoinHandle<()>);

impl Timer {
    /// Runs maintenance every minute, the first time in a minute.
    pub(crate) fn start(app: Arc<App>) -> Timer {
        Timer(tokio::spawn(async move {
            let mut minutes = interval_at(Instant::now() + MAINTENANCE_EVERY, MAINTENANCE_EVERY);
            minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                minutes.tick().await;
                if let Err(error) = maintenance::run(&app).await {
                    tracing::error!(%error, source = error.source, "maintenance did not run to its end");
                }
            }
        }))
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}
