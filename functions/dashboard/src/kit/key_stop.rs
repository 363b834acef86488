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
    /// How far it is: `3 of 4 campaigns paused`. Empty if that is not known, and where no pause was needed.
    pub(crate) progress: String,
    /// Where pauses were not needed, as after a revert: which of its campaigns were seen running last.
    pub(crate) runs: Option<String>,
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
        StopView {
            progress: "Its campaigns were left as they were".to_owned(),
            is_of_key_alone: true,
            ..StopView::default()
        }
    }
}

/// How far a stop is. A refused pause waits for a person.
pub(crate) fn stop_view(KeyStop { stop, progress: told }: &KeyStop) -> StopView {
    StopView {
        progress: progress(stop, told),
        runs: None,
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
    let has_pauses = progress.campaigns > 0 || progress.canceled == 0;
    let paused = has_pauses.then(|| paused_of(progress.campaigns, progress.paused));
    match (stop.next, paused) {
        (Some(StopPhase::PauseAll), _) => "Finding its campaigns".to_owned(),
        (Some(StopPhase::PauseInFlight), Some(paused)) => {
            format!("{paused}; what was on its way is checked again in a minute")
        }
        (Some(StopPhase::PauseInFlight), None) => "What was on its way is checked again in a minute".to_owned(),
        (None, paused) => paused.unwrap_or_default(),
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
    fn a_pause_that_was_not_needed_is_not_counted_and_not_refused() {
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
        assert_eq!(done.progress, "1 of 1 campaign paused");
        assert!(!done.is_refused && !done.goes_on);
        let again = vec![pause("alpha_1_2", ChangeState::Canceled(None)), pause("alpha_1_2", ChangeState::Applied)];
        assert_eq!(view(again).progress, "1 of 1 campaign paused");
        let none = view(vec![pause("alpha_1_2", ChangeState::Canceled(None))]);
        assert_eq!(none.progress, "", "no pause is counted that nobody asked for");
        let open = Stop { next: Some(StopPhase::PauseInFlight), ..stop.clone() };
        let canceled = open.progress(&[pause("alpha_1_2", ChangeState::Canceled(None))]);
        let waits = stop_view(&KeyStop { progress: canceled, stop: open });
        assert_eq!(waits.progress, "What was on its way is checked again in a minute");
    }
}
