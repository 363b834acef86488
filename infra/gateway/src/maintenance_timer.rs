//! Runs maintenance on a timer, in place of the schedule of the deployed function.

use crate::delivery_timer::Nudge;
use shared::app::App;
use shared::domain::maintenance_schedule::INTERVAL;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Scheduled maintenance. Dropping the timer stops it.
pub(crate) struct MaintenanceTimer(JoinHandle<()>);

impl MaintenanceTimer {
    /// Runs maintenance at its interval, the first time after one interval.
    pub(crate) fn start(app: Arc<App>, nudge: Nudge) -> MaintenanceTimer {
        MaintenanceTimer(tokio::spawn(async move {
            let period = INTERVAL.unsigned_abs();
            let mut ticks = interval_at(Instant::now() + period, period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                if let Err(error) = maintenance::run(&app).await {
                    tracing::error!(%error, source = error.source, "maintenance failed");
                }
                nudge.nudge();
            }
        }))
    }
}

impl Drop for MaintenanceTimer {
    fn drop(&mut self) {
        self.0.abort();
    }
}
