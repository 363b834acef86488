//! Reports API versions that a platform ends soon: an operator must switch to a later one.

use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::domain::maintenance_schedule::INTERVAL;
use shared::platforms::version::ending;

/// One run in this time logs the versions: often enough to be seen, without burying other lines.
const LOG_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

/// Counts the configured platforms whose API version ends within the notice period, and logs them once an hour. `now`
/// is the start of the run: starts are evenly spaced, ends are not.
pub(crate) fn report_ending(app: &App, now: Timestamp) -> usize {
    let mut ending = ending(&app.platform_settings, now);
    ending.retain(|(platform, ..)| app.platform_config(*platform).is_some());
    if should_log(now) {
        for (platform, version, days_left) in &ending {
            let page = version.page;
            let version = &version.name;
            tracing::warn!(%platform, %version, days_left, page, "the platform ends this version of its API");
        }
    }
    ending.len()
}

fn should_log(now: Timestamp) -> bool {
    now.as_second().rem_euclid(LOG_INTERVAL.as_secs()) < INTERVAL.as_secs()
}
