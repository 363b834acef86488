//! The changes that were undone since: by whom and when.

use super::row::{requester_for, sets_same};
use crate::kit::addresses::{bulk_status, outcome};
use crate::kit::effects::after;
use crate::kit::text::when;
use jiff::Timestamp;
use shared::domain::{CampaignChanges, CampaignValues, Change, ChangeState, PersonId};

/// That a change was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Undone {
    /// `Undone by you at 10:40 UTC`
    pub(crate) words: String,
    /// The page of what has undone it.
    pub(crate) path: String,
}

/// The later change that has given the campaign of a change its former values back. `newer` begins with the newest.
pub(crate) fn undone_by<'a>(change: &Change, newer: &'a [Change]) -> Option<&'a Change> {
    let inverse = change.inverse()?;
    let is_later = |other: &&Change| {
        let is_applied = other.campaign == change.campaign && other.state == ChangeState::Applied;
        is_applied && other.created_at() >= change.created_at() && sets_same(&other.action, &inverse.only_if)
    };
    let latest = newer.iter().find(is_later)?;
    after(latest).is_some_and(|values| has(&values, &inverse.changes)).then_some(latest)
}

impl Undone {
    /// That this change has undone another one. `me` is who looks.
    pub(crate) fn by(undo: &Change, me: Option<&PersonId>, now: Timestamp) -> Undone {
        let who = requester_for(&undo.requested_by, me);
        let at = undo.settled_at.unwrap_or_else(|| undo.created_at());
        Undone {
            words: format!("Undone by {who} {}", when(at, now)),
            path: undo.bulk().map_or_else(|| outcome(&[undo.id]), |bulk| bulk_status(&bulk.to_string())),
        }
    }
}

/// Whether a campaign has these values.
fn has(values: &CampaignValues, asked: &CampaignChanges) -> bool {
    let is_status = asked.status.is_none_or(|status| status == values.status.switched());
    let is_budget = asked.budget_amount.is_none() || asked.budget_amount == values.budget_amount;
    is_status && is_budget && asked.name.as_ref().is_none_or(|name| *name == values.name)
}

#[cfg(test)]
#[test]
fn an_undone_change_says_by_whom_and_when_with_a_link() {
    use super::sample::{at, now, person, update};
    let undo = Change {
        settled_at: Some(at("2026-12-01T09:40:00Z")),
        requested_by: person(Some("ann@example.com")),
        ..update(CampaignChanges::default())
    };
    let words = |undo: &Change, me: Option<&str>, now| {
        Undone::by(undo, me.map(|id| PersonId(id.to_owned())).as_ref(), now).words
    };
    assert_eq!(words(&undo, Some("p"), now()).replace('\u{2063}', ""), "Undone by you at 1 Dec 2026, 09:40 UTC");
    let later = at("2026-12-02T09:00:00Z");
    assert_eq!(words(&undo, Some("q"), later), "Undone by ann@example.com on 1 Dec 2026, 09:40 UTC");
    assert_eq!(Undone::by(&undo, None, later).path, outcome(&[undo.id]));
    let of_many = Change { executed_by: shared::domain::Executor::Bulk, ..undo };
    assert_eq!(Undone::by(&of_many, None, later).path, bulk_status(&of_many.bulk().unwrap().to_string()));
}
