//! An API key in the item of an event.

use crate::domain::{KeyBefore, KeySnapshot, Subject};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A key as it was then.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct ApiKeyAttribute {
    #[serde(flatten)]
    key: KeySnapshot,
    before: Option<BeforeAttribute>,
}

/// Without a secret the key was not stopped.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct BeforeAttribute {
    prefix: Option<String>,
    created_at: Option<Timestamp>,
}

impl ApiKeyAttribute {
    pub(super) fn of(key: &KeySnapshot, previous: Option<&KeyBefore>) -> ApiKeyAttribute {
        let before = previous.map(|previous| match previous.clone() {
            KeyBefore::Secret { prefix, created_at } => {
                BeforeAttribute { prefix: Some(prefix), created_at: Some(created_at) }
            }
            KeyBefore::NotStopped => BeforeAttribute { prefix: None, created_at: None },
        });
        ApiKeyAttribute { key: key.clone(), before }
    }

    pub(super) fn subject(self) -> Subject {
        let previous = self.before.map(|BeforeAttribute { prefix, created_at }| match prefix.zip(created_at) {
            Some((prefix, created_at)) => KeyBefore::Secret { prefix, created_at },
            None => KeyBefore::NotStopped,
        });
        Subject::ApiKey { key: Box::new(self.key), previous }
    }
}
