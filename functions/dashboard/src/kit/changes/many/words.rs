//! What a bulk change did, in a few words.

use super::super::budget::Budget;
use crate::kit::text::grouped;
use shared::domain::{Action, CampaignStatus, Change, ChangeState};

/// What one of its changes does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Activate,
    Pause,
    Raise,
    Lower,
    /// Another budget. Whether it is more is not known.
    Budget,
    /// Several fields, or others.
    Change,
}

impl Deed {
    fn of(change: &Change) -> Deed {
        let Action::Update(asked) = &change.action else { return Deed::Change };
        match (asked.status, asked.names_budget(), &asked.name) {
            (Some(CampaignStatus::Active), false, None) => Deed::Activate,
            (Some(CampaignStatus::Paused), false, None) => Deed::Pause,
            (None, true, None) => {
                let before = change.values_before().and_then(|values| Budget::of(values).amount);
                match before.zip(Budget::requested(&change.action).amount) {
                    Some((before, after)) if after > before => Deed::Raise,
                    Some((before, after)) if after < before => Deed::Lower,
                    _ => Deed::Budget,
                }
            }
            _ => Deed::Change,
        }
    }

    /// What both do.
    fn and(self, other: Deed) -> Deed {
        let is_budget = |deed| matches!(deed, Deed::Raise | Deed::Lower | Deed::Budget);
        match self == other {
            true => self,
            false if is_budget(self) && is_budget(other) => Deed::Budget,
            false => Deed::Change,
        }
    }

    /// What was done, what is asked for, and to what.
    fn words(self) -> (&'static str, &'static str, [&'static str; 2]) {
        let (campaigns, budgets) = (["campaign", "campaigns"], ["budget", "budgets"]);
        match self {
            Deed::Activate => ("Activated", "Activate", campaigns),
            Deed::Pause => ("Paused", "Pause", campaigns),
            Deed::Raise => ("Raised", "Raise", budgets),
            Deed::Lower => ("Lowered", "Lower", budgets),
            Deed::Budget => ("Changed", "Change", budgets),
            Deed::Change => ("Changed", "Change", campaigns),
        }
    }
}

/// `Lowered 17 of 19 budgets on this page`. What is not applied is a request.
pub(super) fn what(changes: &[&Change], is_cut: bool) -> String {
    let deeds = changes.iter().map(|change| Deed::of(change));
    let (past, asked, [one, many]) = deeds.reduce(Deed::and).unwrap_or(Deed::Change).words();
    let number = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
    let (all, done) = (changes.len(), changes.iter().filter(|change| change.state == ChangeState::Applied).count());
    let things = format!("{} {}", number(all), if all == 1 { one } else { many });
    let place = if is_cut { " on this page" } else { "" };
    match done {
        0 => format!("{asked} {things}{place}"),
        done if done == all => format!("{past} {things}{place}"),
        done => format!("{past} {} of {things}{place}", number(done)),
    }
}

/// `Paused 2 campaigns, 17 go on`: what a stop did. A campaign whose pause was canceled goes on.
pub(super) fn stop(changes: &[&Change], is_cut: bool) -> String {
    let (go_on, pauses): (Vec<&Change>, Vec<&Change>) =
        changes.iter().copied().partition(|change| change.state == ChangeState::Canceled(None));
    let paused = what(&pauses, is_cut);
    match (pauses.len(), go_on.len()) {
        (_, 0) => paused,
        (0, 1) => "The campaign goes on".to_owned(),
        (0, all) => format!("All {all} campaigns go on"),
        (_, 1) => format!("{paused}, 1 goes on"),
        (_, others) => format!("{paused}, {others} go on"),
    }
}
