//! Makes the inverse of a change, unless somebody has changed the campaign since.

use super::saved::Saved;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{self, EditOutcome};
use jiff::Timestamp;
use shared::domain::Change;

/// What became of the undo of a change.
pub(super) enum Undone {
    /// It is undone: what was saved.
    Made(String),
    /// The campaign has the former values already.
    Already,
    /// The campaign's start is awaited.
    Waits(Timestamp),
    /// It is not known yet.
    Checking,
    /// The campaign has other values by now.
    ChangedSince,
    /// The change has no inverse.
    Impossible,
    Refused(Refusal),
}

/// Makes the inverse of a change. In a list the words of what was saved name the campaign.
pub(super) async fn reverse(api: &Api<'_>, change: &Change, is_in_list: bool) -> Undone {
    let inverse = Saved::of(change).and_then(|saved| saved.undone());
    let (Some(inverse), Some(id)) = (inverse, &change.campaign) else { return Undone::Impossible };
    let id = id.to_string();
    let campaign = match campaigns::one(api, &id).await {
        Ok(campaign) => campaign,
        Err(refusal) => return Undone::Refused(refusal),
    };
    if inverse.holds_in(&campaign) {
        return Undone::Already;
    }
    if !inverse.is_ahead_of(&campaign) {
        return Undone::ChangedSince;
    }
    match campaigns::update(api, &id, None, &inverse.edit()).await {
        Ok(EditOutcome::Waits { at, .. }) => Undone::Waits(at),
        Ok(EditOutcome::Checking(_)) => Undone::Checking,
        Ok(EditOutcome::Made(_) | EditOutcome::Several | EditOutcome::Deleted) => {
            Undone::Made(inverse.words(is_in_list))
        }
        Err(refusal) => Undone::Refused(refusal),
    }
}
