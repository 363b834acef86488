//! Maintenance after the faults: it runs until nothing is due.

use super::environment::Environment;
use shared::domain::maintenance_schedule::INTERVAL;
use std::iter::repeat_n;
use tokio::time::{Duration, sleep};

/// Further runs at the interval of maintenance.
const FREQUENT: usize = 10;
/// Runs with a longer wait: most throttled calls wait for an hour at most, and one that meets a limit of its day until
/// the next one.
const RARE: [(Duration, usize); 2] = [(Duration::from_mins(10), 7), (Duration::from_hours(1), 26)];

/// Runs maintenance until `is_settled`; returns whether that came.
pub(super) async fn settle(environment: &Environment, is_settled: impl AsyncFn() -> bool) -> bool {
    let rare = RARE.into_iter().flat_map(|(wait, runs)| repeat_n(wait, runs));
    let waits = repeat_n(INTERVAL.unsigned_abs(), FREQUENT).chain(rare);
    for wait in waits {
        if is_settled().await {
            return true;
        }
        environment.maintenance().await;
        sleep(wait).await;
    }
    is_settled().await
}
