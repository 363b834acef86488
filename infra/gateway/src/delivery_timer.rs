//! Delivers events as they happen, in place of the table's stream and the schedule of the deployed function.

use shared::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};

/// Without a nudge a run begins after this time, as the schedule's does.
const INTERVAL: Duration = Duration::from_mins(1);
/// Runs side by side: one may wait for a second attempt while events go on happening.
const MAX_RUNS: usize = 2;

/// Says that something may have happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nudge(Arc<Notify>);

impl Nudge {
    pub(crate) fn nudge(&self) {
        self.0.notify_one();
    }
}

/// Deliveries in the background. Dropping the timer stops them.
pub(crate) struct DeliveryTimer(JoinHandle<()>);

impl DeliveryTimer {
    pub(crate) fn start(app: Arc<App>, nudge: Nudge) -> DeliveryTimer {
        DeliveryTimer(tokio::spawn(async move {
            let mut runs = JoinSet::new();
            loop {
                let _ = tokio::time::timeout(INTERVAL, nudge.0.notified()).await;
                while runs.try_join_next().is_some() {}
                if runs.len() >= MAX_RUNS {
                    runs.join_next().await;
                }
                runs.spawn(run(Arc::clone(&app)));
            }
        }))
    }
}

async fn run(app: Arc<App>) {
    if let Err(error) = deliveries::run(&app).await {
        tracing::error!(%error, source = error.source, "deliveries failed");
    }
}

impl Drop for DeliveryTimer {
    fn drop(&mut self) {
        self.0.abort();
    }
}
