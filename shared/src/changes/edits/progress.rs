//! What an edit knows of its own effect while it runs.

use crate::domain::{CampaignValues, ChangeId};
use crate::store::RecordMove;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The changes that a request has recorded, for its response.
#[derive(Debug, Default)]
pub struct RecordedChanges(Mutex<Vec<ChangeId>>);

impl RecordedChanges {
    /// Adds a change, once.
    pub fn add(&self, id: ChangeId) {
        let mut ids = self.ids_mut();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }

    /// Adds the change of the request itself, before the changes that its plan has stored with it.
    pub fn add_first(&self, id: ChangeId) {
        let mut ids = self.ids_mut();
        if !ids.contains(&id) {
            ids.insert(0, id);
        }
    }

    /// Adds the changes that an update of the record has stored; if it has stored none, those that it has canceled.
    pub fn add_moved(&self, moved: &RecordMove<'_>) {
        match moved.put {
            [] => moved.cancel.iter().for_each(|(change, _)| self.add(change.id)),
            put => put.iter().for_each(|change| self.add(change.id)),
        }
    }

    /// Removes a change that has left no record.
    pub fn remove(&self, id: ChangeId) {
        self.ids_mut().retain(|recorded| *recorded != id);
    }

    /// The changes, in the order of the request.
    pub fn ids(&self) -> Vec<ChangeId> {
        self.ids_mut().clone()
    }

    fn ids_mut(&self) -> MutexGuard<'_, Vec<ChangeId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The effect of a failed edit.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// Nothing was sent to the platform.
    Unsent,
    /// Nothing was applied.
    None,
    /// A part was applied. The campaign as it is now.
    Partial(CampaignValues),
    /// All of it was applied, by this or another request. The campaign as it is now.
    Complete(CampaignValues),
    /// All, a part or nothing was applied, or will be in a moment.
    Unknown,
}

/// What is known while an edit runs.
#[derive(Debug)]
pub(super) struct Progress(Mutex<ProgressState>);

#[derive(Clone, Debug, Default)]
struct ProgressState {
    before: Option<CampaignValues>,
    is_sent: bool,
    effect: Option<Effect>,
}

impl Progress {
    /// The campaign before earlier attempts, if they had an effect on it.
    pub(super) fn since(before: Option<CampaignValues>) -> Progress {
        Progress(Mutex::new(ProgressState { before, ..ProgressState::default() }))
    }

    pub(super) fn begin_sending(&self) {
        self.known().is_sent = true;
    }

    /// Notes the effect that a failure leaves.
    pub(super) fn note(&self, effect: Effect) {
        self.known().effect = Some(effect);
    }

    pub(super) fn before(&self) -> Option<CampaignValues> {
        self.known().before.clone()
    }

    /// The effect of a failed edit. Without a note the platform has refused it, or nothing was sent.
    pub(super) fn effect(&self) -> Effect {
        let ProgressState { is_sent, effect, .. } = self.known().clone();
        effect.unwrap_or(if is_sent { Effect::None } else { Effect::Unsent })
    }

    pub(super) fn is_sent(&self) -> bool {
        self.known().is_sent
    }

    fn known(&self) -> MutexGuard<'_, ProgressState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
