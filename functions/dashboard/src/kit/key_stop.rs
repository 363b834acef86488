//! What pages say of the stop of a key.

use shared::domain::stop::StopPhase;
use shared::domain::{Spending, Stop, StopProgress};

/// The stop of a key, and how far it is.
#[derive(Debug)]
pub(crate) struct KeyStop {
    pub(crate) stop: Stop,
    pub(crate) progress: StopProgress,
}

/// A key's stop, for people.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct StopView {
    /// How far it is: `3 of 4 campaigns paused`. Empty if that is not known.
    pub(crate) progress: String,
    /// Whether a pause has failed, so that the person may ask for another one.
    pub(crate) is_refused: bool,
    /// Whether it goes on by itself, so that the page shows how far it is.
    pub(crate) goes_on: bool,
    /// Whether only the key is stopped, so that a person may still pause its campaigns.
    pub(crate) is_of_key_alone: bool,
}

impl StopView {
    /// The stop of a key whose campaigns are left alone.
    pub(crate) fn of_key_alone() -> StopView {
        StopView { progress: "Its campaigns go on".to_owned(), is_of_key_alone: true, ..StopView::default() }
    }
}

/// How far a stop is. A refused pause waits for a person.
pub(crate) fn stop_view(KeyStop { stop, progress: told }: &KeyStop) -> StopView {
    StopView {
        progress: progress(stop, told),
        is_refused: told.is_refused,
        goes_on: !told.is_refused && (stop.next.is_some() || told.paused < told.campaigns),
        is_of_key_alone: false,
    }
}

/// What a stop of a key would pause: `at most 3 campaigns now`. Unknown for a key that has been without a limit.
pub(crate) fn would_pause(spending: &Spending) -> Option<String> {
    let campaigns = spending.contributions.values().filter(|one| !one.is_freed()).count();
    (!spending.was_unlimited).then(|| format!("at most {} now", count(campaigns)))
}

/// What goes on without a key: `What it runs keeps running: at most 3 campaigns.`
pub(crate) fn goes_on(spending: &Spending) -> String {
    let campaigns = spending.contributions.values().filter(|one| !one.is_freed()).count();
    match campaigns {
        _ if spending.was_unlimited => "What it runs keeps running.".to_owned(),
        0 => "It runs nothing.".to_owned(),
        campaigns => format!("What it runs keeps running: at most {}.", count(campaigns)),
    }
}

fn progress(stop: &Stop, progress: &StopProgress) -> String {
    let paused = paused_and_going_on(progress);
    match stop.next {
        Some(StopPhase::PauseAll) => "Finding its campaigns".to_owned(),
        Some(StopPhase::PauseInFlight) => format!("{paused}; what was on its way is checked again in a minute"),
        None => paused,
    }
}

/// The same, with those that go on: `2 of 2 campaigns paused, 17 go on`.
fn paused_and_going_on(progress: &StopProgress) -> String {
    let paused = paused_of(progress.campaigns, progress.paused);
    match progress.canceled {
        0 => paused,
        1 if progress.campaigns == 0 => "Its campaign goes on".to_owned(),
        go_on if progress.campaigns == 0 => format!("Its {} go on", count(go_on)),
        1 => format!("{paused}, 1 goes on"),
        go_on => format!("{paused}, {go_on} go on"),
    }
}

/// How many of some campaigns are paused: `3 of 4 campaigns paused`.
pub(crate) fn paused_of(campaigns: usize, paused: usize) -> String {
    if campaigns == 0 { "No campaign to pause".to_owned() } else { format!("{paused} of {} paused", count(campaigns)) }
}

fn count(campaigns: usize) -> String {
    if campaigns == 1 { "1 campaign".to_owned() } else { format!("{campaigns} campaigns") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::{now, person, update};
    use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, Change, ChangeState, CustomerId, KeyId};
    use uuid::Uuid;

    #[test]
    fn what_goes_on_without_a_key_is_counted() {
        let none = Spending::none(shared::domain::spending::Spender::Key(KeyId("key_1".to_owned())));
        assert_eq!(goes_on(&Spending { was_unlimited: false, ..none.clone() }), "It runs nothing.");
        assert_eq!(goes_on(&Spending { was_unlimited: true, ..none }), "What it runs keeps running.");
    }

    #[test]
    fn a_canceled_pause_lets_its_campaign_go_on_and_is_not_refused() {
        let key = KeyId("key_1".to_owned());
        let stop = Stop::new(CustomerId(Uuid::nil()), key, person(None), Uuid::nil(), now());
        let pause = |id: &str, state| Change {
            campaign: CampaignId::parse(id),
            state,
            ..update(CampaignChanges::of_status(CampaignStatus::Paused))
        };
        let stop = Stop { next: None, ..stop };
        let view = |pauses: Vec<Change>| stop_view(&KeyStop { progress: stop.progress(&pauses), stop: stop.clone() });
        let done = view(vec![
            pause("alpha_1_1", ChangeState::Applied),
            pause("alpha_1_2", ChangeState::Canceled(None)),
            pause("alpha_1_3", ChangeState::Canceled(None)),
        ]);
        assert_eq!(done.progress, "1 of 1 campaign paused, 2 go on");
        assert!(!done.is_refused && !done.goes_on);
        let again = vec![pause("alpha_1_2", ChangeState::Canceled(None)), pause("alpha_1_2", ChangeState::Applied)];
        assert_eq!(view(again).progress, "1 of 1 campaign paused");
        assert_eq!(view(vec![pause("alpha_1_2", ChangeState::Canceled(None))]).progress, "Its campaign goes on");
    }
}
