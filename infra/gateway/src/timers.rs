//! Runs maintenance and deliveries, in place of the schedules of the deployed functions and of the table's stream.

use shared::app::App;
use shared::domain::maintenance_schedule::INTERVAL;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Without a signal a run of deliveries begins after this time, as the schedule's does.
const DELIVERY_INTERVAL: Duration = Duration::from_mins(1);
/// Runs of deliveries side by side: one may wait for a second attempt while events go on happening.
const MAX_DELIVERY_RUNS: usize = 2;

/// Says that there may be something to deliver.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeliverySignal(Arc<Notify>);

impl DeliverySignal {
    pub(crate) fn send(&self) {
        self.0.notify_one();
    }

    /// Waits for the next signal, or takes one that has come since the last.
    pub(crate) async fn wait(&self) {
        self.0.notified().await;
    }
}

/// Deliveries in the background. Dropping the timer stops them.
pub(crate) struct DeliveryTimer(JoinHandle<()>);

impl DeliveryTimer {
    pub(crate) fn start(app: Arc<App>, signal: DeliverySignal) -> DeliveryTimer {
        DeliveryTimer(tokio::spawn(async move {
            let mut runs = JoinSet::new();
            loop {
                let _ = tokio::time::timeout(DELIVERY_INTERVAL, signal.wait()).await;
                while runs.try_join_next().is_some() {}
                if runs.len() >= MAX_DELIVERY_RUNS {
                    runs.join_next().await;
                }
                runs.spawn(deliver(Arc::clone(&app)));
            }
        }))
    }
}

async fn deliver(app: Arc<App>) {
    if let Err(error) = deliveries::run(&app).await {
        tracing::error!(%error, source = error.source, "deliveries failed");
    }
}

impl Drop for DeliveryTimer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Scheduled maintenance. Dropping the timer stops it.
pub(crate) struct MaintenanceTimer(JoinHandle<()>);

impl MaintenanceTimer {
    /// Runs maintenance at its interval, the first time after one interval.
    pub(crate) fn start(app: Arc<App>) -> MaintenanceTimer {
        MaintenanceTimer(tokio::spawn(async move {
            let period = INTERVAL.unsigned_abs();
            let mut ticks = interval_at(Instant::now() + period, period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                if let Err(error) = maintenance::run(&app).await {
                    tracing::error!(%error, source = error.source, "maintenance failed");
                }
            }
        }))
    }
}

impl Drop for MaintenanceTimer {
    fn drop(&mut self) {
        self.0.abort();
    }
}
