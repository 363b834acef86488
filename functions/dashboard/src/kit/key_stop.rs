//! What pages say of the stop of a key.

use shared::domain::stop::StopPhase;
use shared::domain::{Spending, Stop, StopProgress};

/// A key's stop, for people.
#[derive(Default)]
pub(crate) struct StopView {
    /// How far the stop is, of a stopped key.
    pub(crate) progress: Option<String>,
    /// Whether a pause has failed, so that the person may ask for another one.
    pub(crate) is_refused: bool,
    /// Whether it goes on by itself, so that the page shows how far it is.
    pub(crate) goes_on: bool,
    /// What a stop would pause: `at most 3 campaigns now`. Unknown for a key that has been without a limit.
    pub(crate) would_pause: Option<String>,
    /// The page that reverts what a stopped key did.
    pub(crate) revert: Option<String>,
}

/// What a stop of a key would pause.
pub(crate) fn would_pause(spending: &Spending) -> Option<String> {
    let campaigns = spending.contributions.values().filter(|one| !one.is_freed()).count();
    (!spending.was_unlimited).then(|| format!("at most {} now", count(campaigns)))
}

/// Whether a stop goes on by itself: a refused pause waits for a person.
pub(crate) fn goes_on(stop: &Stop, progress: &StopProgress) -> bool {
    !progress.is_refused && (stop.next.is_some() || progress.paused < progress.campaigns)
}

/// How far a stop is: `3 of 4 campaigns paused`.
pub(crate) fn progress(stop: &Stop, progress: &StopProgress) -> String {
    let paused = paused_of(progress.campaigns, progress.paused);
    match stop.next {
        Some(StopPhase::PauseAll) => "Its campaigns are being found".to_owned(),
        Some(StopPhase::PauseInFlight) => format!("{paused}; what was on its way is looked at again in a minute"),
        None => paused,
    }
}

/// How many of some campaigns are paused: `3 of 4 campaigns paused`.
pub(crate) fn paused_of(campaigns: usize, paused: usize) -> String {
    if campaigns == 0 { "No campaign to pause".to_owned() } else { format!("{paused} of {} paused", count(campaigns)) }
}

fn count(campaigns: usize) -> String {
    if campaigns == 1 { "1 campaign".to_owned() } else { format!("{campaigns} campaigns") }
}
