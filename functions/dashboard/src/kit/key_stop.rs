//! What pages say of the stop of a key.

use shared::domain::stop::StopPhase;
use shared::domain::{Spending, Stop, StopProgress};

/// A key's stop, for people.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct StopView {
    /// How far it is: `3 of 4 campaigns paused`. Empty if that is not known.
    pub(crate) progress: String,
    /// Whether a pause has failed, so that the person may ask for another one.
    pub(crate) is_refused: bool,
    /// Whether it goes on by itself, so that the page shows how far it is.
    pub(crate) goes_on: bool,
}

/// How far a stop is. A refused pause waits for a person.
pub(crate) fn stop_view(stop: &Stop, told: &StopProgress) -> StopView {
    StopView {
        progress: progress(stop, told),
        is_refused: told.is_refused,
        goes_on: !told.is_refused && (stop.next.is_some() || told.paused < told.campaigns),
    }
}

/// What a stop of a key would pause: `at most 3 campaigns now`. Unknown for a key that has been without a limit.
pub(crate) fn would_pause(spending: &Spending) -> Option<String> {
    let campaigns = spending.contributions.values().filter(|one| !one.is_freed()).count();
    (!spending.was_unlimited).then(|| format!("at most {} now", count(campaigns)))
}

fn progress(stop: &Stop, progress: &StopProgress) -> String {
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
