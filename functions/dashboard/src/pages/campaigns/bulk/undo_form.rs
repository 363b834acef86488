//! The form that undoes a change of many campaigns.

use super::outcome::{done, switch};
use crate::kit::campaign::{Switch, counted};
use shared::envelope::BulkStatus;

/// The form.
pub(super) struct UndoForm {
    /// What the button says: `Undo: activate 2 campaigns again`.
    pub(super) button: String,
}

impl UndoForm {
    /// The form for what is done; `None` for nothing.
    pub(super) fn of(bulk: &BulkStatus) -> Option<UndoForm> {
        let done = done(bulk);
        let campaigns = counted(done);
        let button = match switch(bulk) {
            Some(Switch::Activate) => format!("Undo: pause {campaigns} again"),
            Some(Switch::Pause) => format!("Undo: activate {campaigns} again"),
            None => format!("Undo: the former budgets of {campaigns}"),
        };
        (done > 0).then_some(UndoForm { button })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::bulk;
    use super::*;
    use shared::domain::{BulkAction, CampaignStatus, ChangeState};

    #[test]
    fn an_undo_is_offered_for_what_is_done() {
        let button =
            |action, done| UndoForm::of(&bulk(action, vec![ChangeState::Applied; done])).map(|form| form.button);
        let [active, paused] = [CampaignStatus::Active, CampaignStatus::Paused].map(BulkAction::Status);
        assert_eq!(button(paused, 2).as_deref(), Some("Undo: activate 2 campaigns again"));
        assert_eq!(button(active, 1).as_deref(), Some("Undo: pause 1 campaign again"));
        assert_eq!(button(BulkAction::Budgets, 3).as_deref(), Some("Undo: the former budgets of 3 campaigns"));
        assert_eq!(button(paused, 0), None);
    }
}
