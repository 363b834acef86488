//! Whose limit it is.

use crate::domain::{Connection, ExternalRef, KeyId};
use serde::{Deserialize, Serialize};

/// Who has a limit: a key, or a user of the customer, over all keys, people and schedules that act in its connections.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spender {
    Key(KeyId),
    User(ExternalRef),
}

/// What a spender is, as a refusal says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpenderKind {
    Key,
    User,
}

impl Spender {
    /// The key; `None` for a user.
    pub fn key(&self) -> Option<&KeyId> {
        match self {
            Spender::Key(key) => Some(key),
            Spender::User(_) => None,
        }
    }

    /// The user; `None` for a key.
    pub fn user(&self) -> Option<&ExternalRef> {
        match self {
            Spender::Key(_) => None,
            Spender::User(user) => Some(user),
        }
    }

    /// What it is.
    pub fn kind(&self) -> SpenderKind {
        match self {
            Spender::Key(_) => SpenderKind::Key,
            Spender::User(_) => SpenderKind::User,
        }
    }

    /// Whether what happens in a connection counts against it: against a key what it does anywhere, against a user what
    /// anybody does in its own connections.
    pub fn spends_in(&self, connection: &Connection) -> bool {
        self.user().is_none_or(|user| connection.external_ref.as_ref() == Some(user))
    }
}

impl SpenderKind {
    /// The words that begin a sentence about it: `This API key`.
    pub(super) fn subject(self) -> &'static str {
        match self {
            SpenderKind::Key => "This API key",
            SpenderKind::User => "The user of this connection",
        }
    }

    /// The name in the API: `api_key`.
    pub fn as_str(self) -> &'static str {
        match self {
            SpenderKind::Key => "api_key",
            SpenderKind::User => "user",
        }
    }
}
