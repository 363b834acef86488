//! An API key in the item of an event.

use super::corrupt;
use crate::domain::{KeyBefore, KeyId, KeySnapshot, Scope, Subject};
use crate::error::Error;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A key as it was then.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct ApiKeyAttribute {
    id: String,
    name: String,
    prefix: String,
    scopes: Vec<String>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
    stopped_at: Option<Timestamp>,
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
        let KeySnapshot { id, name, prefix, scopes, created_at, expires_at, last_used_at, stopped_at } = key.clone();
        let before = previous.map(|previous| match previous.clone() {
            KeyBefore::Secret { prefix, created_at } => {
                BeforeAttribute { prefix: Some(prefix), created_at: Some(created_at) }
            }
            KeyBefore::NotStopped => BeforeAttribute { prefix: None, created_at: None },
        });
        let scopes = scopes.iter().map(ToString::to_string).collect();
        ApiKeyAttribute { id: id.0, name, prefix, scopes, created_at, expires_at, last_used_at, stopped_at, before }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        let ApiKeyAttribute { id, name, prefix, scopes, created_at, expires_at, last_used_at, stopped_at, before } =
            self;
        let scopes = scopes.iter().map(|scope| Scope::parse(scope).ok_or_else(corrupt)).collect::<Result<_, _>>()?;
        let previous = before.map(|BeforeAttribute { prefix, created_at }| match prefix.zip(created_at) {
            Some((prefix, created_at)) => KeyBefore::Secret { prefix, created_at },
            None => KeyBefore::NotStopped,
        });
        let id = KeyId(id);
        let key = KeySnapshot { id, name, prefix, scopes, created_at, expires_at, last_used_at, stopped_at };
        Ok(Subject::ApiKey { key: Box::new(key), previous })
    }
}
