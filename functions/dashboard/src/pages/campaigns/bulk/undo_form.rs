//! The form that undoes a change of many campaigns, for all of its ad accounts or for one.

use super::outcome::{done, inverse};
use crate::kit::campaign::{Switch, counted};
use shared::domain::MAX_BULK_IDS;
use shared::envelope::BulkStatus;

/// The field with the ad account whose campaigns alone are undone.
pub(super) const ACCOUNT_FIELD: &str = "account";

/// The form.
pub(super) struct UndoForm {
    /// The value of the field of the ad account; empty for all.
    pub(super) account: String,
    /// What the button says: `Undo: activate 2 campaigns again`.
    pub(super) button: String,
}

impl UndoForm {
    /// The form for what is done; `None` for nothing, and for more campaigns than one change of many takes.
    pub(super) fn of(bulk: &BulkStatus, account: String) -> Option<UndoForm> {
        let done = done(bulk, &account).len();
        let verb = match inverse(bulk) {
            Switch::Activate => "activate",
            Switch::Pause => "pause",
        };
        let button = format!("Undo: {verb} {} again", counted(done));
        (1..=MAX_BULK_IDS).contains(&done).then_some(UndoForm { account, button })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::bulk;
    use super::*;
    use shared::domain::{CampaignStatus, ChangeState};

    #[test]
    fn an_undo_is_offered_for_what_one_change_takes() {
        let button = |status, done| {
            let bulk = bulk(status, vec![ChangeState::Applied; done]);
            UndoForm::of(&bulk, String::new()).map(|form| form.button)
        };
        assert_eq!(button(CampaignStatus::Paused, 2).as_deref(), Some("Undo: activate 2 campaigns again"));
        assert_eq!(button(CampaignStatus::Active, 1).as_deref(), Some("Undo: pause 1 campaign again"));
        assert_eq!(button(CampaignStatus::Paused, 0), None);
        assert_eq!(button(CampaignStatus::Paused, MAX_BULK_IDS + 1), None);
    }
}
