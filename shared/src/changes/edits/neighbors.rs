//! The changes of a campaign around an edit, which help to settle it.

use crate::domain::{Action, CampaignValues, Change, ChangeFilters, ChangeState};
use crate::error::Error;
use crate::store::Store;
use jiff::Timestamp;

/// The latest changes of the campaign that are read.
const READ: i32 = 100;

/// The campaign as the changes before and after an edit have seen it.
pub(super) struct Neighbors {
    /// After the last change before the edit.
    pub(super) earlier: Option<CampaignValues>,
    /// Before each change after the edit, up to the first that asks for the same value: what is read after that may be
    /// its own.
    pub(super) later: Vec<CampaignValues>,
    /// Whether a later change is under way. What it has read is known once it has an outcome.
    pub(super) is_followed: bool,
    /// Whether a later change has set a field of this one: it must not be set back.
    pub(super) is_overwritten: bool,
}

/// Reads the changes around an edit.
pub(super) async fn neighbors(store: &Store, change: &Change, now: Timestamp) -> Result<Neighbors, Error> {
    let filters = ChangeFilters { campaign: change.campaign.clone(), ..ChangeFilters::default() };
    let mut changes = store.history(change.customer, &filters, None, READ, now).await?.changes;
    // A scheduled change is sent long after it was created.
    changes.sort_by_key(|other| other.sent_at);
    let (later, earlier): (Vec<&Change>, Vec<&Change>) =
        changes.iter().filter(|other| other.id != change.id).partition(|other| other.sent_at > change.sent_at);
    let until = later.iter().position(|other| repeats(other, change)).map_or(later.len(), |repeating| repeating + 1);
    let is_under_way = |other: &&Change| other.state == ChangeState::Sending && now < other.send_deadline;
    Ok(Neighbors {
        earlier: earlier.iter().rev().find_map(|other| other.after.clone()),
        later: later.iter().take(until).filter_map(|other| other.before.clone()).collect(),
        is_followed: later.iter().any(is_under_way),
        is_overwritten: later.iter().any(|other| overwrites(other, change)),
    })
}

/// Whether a later change may have set a field of an earlier one.
fn overwrites(later: &Change, earlier: &Change) -> bool {
    let is_failed = matches!(later.state, ChangeState::Failed(_) | ChangeState::Canceled(_));
    let (Action::Update(later), Action::Update(earlier)) = (&later.action, &earlier.action) else { return false };
    let set = later.field_names();
    !is_failed && earlier.field_names().iter().any(|field| set.contains(field))
}

/// Whether a later change asks for a value that an earlier one asks for too.
fn repeats(later: &Change, earlier: &Change) -> bool {
    let (Action::Update(later), Action::Update(earlier)) = (&later.action, &earlier.action) else { return false };
    later.repeat(earlier)
}
