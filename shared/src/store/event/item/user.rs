//! A user in the item of an event.

use crate::domain::{Subject, UserBefore, UserSnapshot};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A user as it was then.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct UserAttribute {
    #[serde(flatten)]
    user: UserSnapshot,
    /// `None` where the pause has changed: what was before follows from what is.
    before: Option<BeforeAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct BeforeAttribute {
    label: Option<String>,
}

impl UserAttribute {
    pub(super) fn of(user: &UserSnapshot, previous: &UserBefore) -> UserAttribute {
        let before = match previous {
            UserBefore::IsPaused(_) => None,
            UserBefore::Label(label) => Some(BeforeAttribute { label: label.clone() }),
        };
        UserAttribute { user: user.clone(), before }
    }

    pub(super) fn subject(self) -> Subject {
        let UserAttribute { user, before } = self;
        let previous = match before {
            Some(BeforeAttribute { label }) => UserBefore::Label(label),
            None => UserBefore::IsPaused(!user.is_paused),
        };
        Subject::User { user: Box::new(user), previous }
    }
}
