//! API versions of platforms that end soon: an operator has to move to a later one.

use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::domain::maintenance::INTERVAL;
use shared::platforms::version::ending;

/// One run an hour logs them, so that the line is seen and does not bury others.
const LOGGED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// How many of the platforms' versions end within the notice; logs each of them once an hour. `now` is when the
/// run began: runs begin every minute, and end when they may.
pub(crate) fn tell_of_ending(app: &App, now: Timestamp) -> usize {
    let mut ending = ending(|platform| app.settings_of(platform), now);
    ending.retain(|(platform, ..)| app.platform_config(*platform).is_some());
    if is_time_to_log(now) {
        for (platform, version, days_left) in &ending {
            let (version, page) = (&version.name, version.page);
            tracing::warn!(%platform, %version, days_left, page, "the platform ends this version of its API");
        }
    }
    ending.len()
}

fn is_time_to_log(now: Timestamp) -> bool {
    now.as_second().rem_euclid(LOGGED_EVERY.as_secs()) < INTERVAL.as_secs()
}
