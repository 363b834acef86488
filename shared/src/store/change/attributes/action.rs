//! The attributes of what a change does.

use crate::domain::{Action, CampaignChanges, ChangeKind, NewCampaign};
use serde::{Deserialize, Serialize};
use serde_with::{serde_conv, skip_serializing_none};

/// What a change does: its kind, and the attributes of that kind.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ActionAttributes {
    kind: ChangeKind,
    #[serde(flatten)]
    create: Option<NewCampaign>,
    changes: Option<CampaignChanges>,
}

serde_conv!(
    pub(in crate::store::change) StoredAction,
    Action,
    |action: &Action| {
        let (create, changes) = match action.clone() {
            Action::Create(new) => (Some(new), None),
            Action::Update(changes) => (None, Some(changes)),
            Action::Delete => (None, None),
        };
        ActionAttributes { kind: action.kind(), create, changes }
    },
    |ActionAttributes { kind, create, changes }| match (kind, create, changes) {
        (ChangeKind::Create, Some(new), _) => Ok(Action::Create(new)),
        (ChangeKind::Update, _, Some(changes)) => Ok(Action::Update(changes)),
        (ChangeKind::Delete, ..) => Ok(Action::Delete),
        (ChangeKind::Create | ChangeKind::Update, ..) => Err("a change lacks what it does"),
    }
);
