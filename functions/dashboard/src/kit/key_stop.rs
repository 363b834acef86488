//! What pages say of the stop of a key.

use shared::domain::stop::StopPhase;
use shared::domain::{CampaignId, Change, ChangeState, Spending, Stop, StopProgress};
use std::collections::BTreeSet;

/// The stop of a key, and how far it is.
#[derive(Debug)]
pub(crate) struct KeyStop {
    pub(crate) stop: Stop,
    /// Without the pauses that were canceled.
    pub(crate) progress: StopProgress,
    /// The campaigns whose pause was canceled, as by a revert that was made with the stop.
    pub(crate) go_on: usize,
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
}

impl KeyStop {
    /// The stop with these pauses. A canceled one is no failed one: a person wants the campaign to go on.
    pub(crate) fn of(stop: Stop, pauses: Vec<Change>) -> KeyStop {
        let (canceled, pauses): (Vec<Change>, Vec<Change>) =
            pauses.into_iter().partition(|pause| pause.state == ChangeState::Canceled(None));
        let is_paused = |id: &CampaignId| pauses.iter().any(|pause| pause.campaign.as_ref() == Some(id));
        let go_on: BTreeSet<&CampaignId> =
            canceled.iter().filter_map(|pause| pause.campaign.as_ref()).filter(|id| !is_paused(id)).collect();
        KeyStop { go_on: go_on.len(), progress: stop.progress(&pauses), stop }
    }
}

/// How far a stop is. A refused pause waits for a person.
pub(crate) fn stop_view(KeyStop { stop, progress: told, go_on }: &KeyStop) -> StopView {
    StopView {
        progress: progress(stop, told, *go_on),
        is_refused: told.is_refused,
        goes_on: !told.is_refused && (stop.next.is_some() || told.paused < told.campaigns),
    }
}

/// What a stop of a key would pause: `at most 3 campaigns now`. Unknown for a key that has been without a limit.
pub(crate) fn would_pause(spending: &Spending) -> Option<String> {
    let campaigns = spending.contributions.values().filter(|one| !one.is_freed()).count();
    (!spending.was_unlimited).then(|| format!("at most {} now", count(campaigns)))
}

fn progress(stop: &Stop, progress: &StopProgress, go_on: usize) -> String {
    let paused = paused_and_going_on(progress, go_on);
    match stop.next {
        Some(StopPhase::PauseAll) => "Its campaigns are being found".to_owned(),
        Some(StopPhase::PauseInFlight) => format!("{paused}; what was on its way is looked at again in a minute"),
        None => paused,
    }
}

/// The same, with those that go on: `2 of 2 campaigns paused, 17 go on`.
pub(crate) fn paused_and_going_on(progress: &StopProgress, go_on: usize) -> String {
    let paused = paused_of(progress.campaigns, progress.paused);
    match go_on {
        0 => paused,
        1 => format!("{paused}, 1 goes on"),
        _ => format!("{paused}, {go_on} go on"),
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
    use shared::domain::{CampaignChanges, CampaignStatus, CustomerId, KeyId};
    use uuid::Uuid;

    #[test]
    fn a_canceled_pause_lets_its_campaign_go_on_and_is_not_refused() {
        let key = KeyId("key_1".to_owned());
        let stop = Stop::new(CustomerId(Uuid::nil()), key, person(None), Uuid::nil(), now());
        let pause = |id: &str, state| Change {
            campaign: CampaignId::parse(id),
            state,
            ..update(CampaignChanges::of_status(CampaignStatus::Paused))
        };
        let view = |pauses: Vec<Change>| stop_view(&KeyStop::of(Stop { next: None, ..stop.clone() }, pauses));
        let done = view(vec![
            pause("alpha_1_1", ChangeState::Applied),
            pause("alpha_1_2", ChangeState::Canceled(None)),
            pause("alpha_1_3", ChangeState::Canceled(None)),
        ]);
        assert_eq!(done.progress, "1 of 1 campaign paused, 2 go on");
        assert!(!done.is_refused && !done.goes_on);
        let again = vec![pause("alpha_1_2", ChangeState::Canceled(None)), pause("alpha_1_2", ChangeState::Applied)];
        assert_eq!(view(again).progress, "1 of 1 campaign paused");
        assert_eq!(
            view(vec![pause("alpha_1_2", ChangeState::Canceled(None))]).progress,
            "No campaign to pause, 1 goes on"
        );
    }
}
