//! The events of API keys.

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{ApiKeyInfo, ApiKeys, KeyDisplay, KeyId, Scope};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::BTreeSet;

/// An API key as `listKeys` returns it, without its spending limit. Contains no part of the secret.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySnapshot {
    pub id: KeyId,
    pub name: String,
    /// The part of the secret that is safe to display.
    pub prefix: String,
    pub scopes: BTreeSet<Scope>,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    pub stopped_at: Option<Timestamp>,
}

/// The former values of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyBefore {
    /// Another secret.
    Secret { prefix: String, created_at: Timestamp },
    /// No time at which it was stopped.
    NotStopped,
}

impl KeySnapshot {
    fn of(key: &ApiKeyInfo) -> KeySnapshot {
        let ApiKeyInfo {
            id,
            name,
            hash: _,
            display: KeyDisplay { prefix, last_four: _ },
            scopes,
            created_at,
            expires_at,
            is_limited: _,
            is_of_assistant: _,
            external_ref: _,
            stopped_at,
            last_used_at,
        } = key.clone();
        KeySnapshot { id, name, prefix, scopes, created_at, expires_at, last_used_at, stopped_at }
    }
}

impl Event {
    /// The events of a change of a customer's keys, in the order of the keys. One of name, scopes or limit has none, and
    /// neither has one that resumes a key.
    pub fn of_keys(before: &ApiKeys, after: &ApiKeys, occurrence: Occurrence) -> Vec<Event> {
        let find = |keys: &ApiKeys, id: &KeyId| keys.all().iter().find(|key| key.id == *id).cloned();
        let of_key = |key: &ApiKeyInfo| {
            let Some(before) = find(before, &key.id) else { return Some((EventKind::ApiKeyCreated, None)) };
            if before.hash != key.hash {
                let (prefix, created_at) = (before.display.prefix, before.created_at);
                return Some((EventKind::ApiKeyRotated, Some(KeyBefore::Secret { prefix, created_at })));
            }
            let is_stopped = before.stopped_at.is_none() && key.stopped_at.is_some();
            is_stopped.then_some((EventKind::ApiKeyStopped, Some(KeyBefore::NotStopped)))
        };
        let changed = after.all().iter().filter_map(|key| {
            let (kind, previous) = of_key(key)?;
            Some(Event::of_key(key, kind, previous, occurrence))
        });
        let is_gone = |key: &&ApiKeyInfo| find(after, &key.id).is_none();
        let gone = before.all().iter().filter(is_gone);
        changed.chain(gone.map(|key| Event::of_key(key, EventKind::ApiKeyRevoked, None, occurrence))).collect()
    }

    fn of_key(key: &ApiKeyInfo, kind: EventKind, previous: Option<KeyBefore>, occurrence: Occurrence) -> Event {
        // A new key of a deleted one's id has another secret.
        let name = format!("{}#{}", key.id, key.version());
        Event::new(occurrence, kind, &name, Subject::ApiKey { key: Box::new(KeySnapshot::of(key)), previous })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CustomerId;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::constant(1_790_000_000, 0);

    fn key(id: &str, hash: &str) -> ApiKeyInfo {
        ApiKeyInfo::unlimited(KeyId(id.to_owned()), "name", hash.to_owned(), format!("prefix of {hash}"), NOW)
    }

    fn told(before: &[ApiKeyInfo], after: &[ApiKeyInfo]) -> Vec<(EventKind, String, Option<KeyBefore>)> {
        let occurrence = Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: NOW };
        let events = Event::of_keys(&ApiKeys::new(before.to_vec()), &ApiKeys::new(after.to_vec()), occurrence);
        let parts = events.into_iter().map(|event| match event.subject {
            Subject::ApiKey { key, previous } => (event.kind, key.id.0, previous),
            other => panic!("{other:?}"),
        });
        parts.collect()
    }

    #[test]
    fn a_key_is_created_rotated_and_revoked() {
        let (one, two, other) = (key("one", "a"), key("two", "b"), key("one", "c"));
        assert_eq!(
            told(std::slice::from_ref(&one), &[one.clone(), two.clone()]),
            [(EventKind::ApiKeyCreated, "two".to_owned(), None)]
        );
        assert_eq!(
            told(&[one.clone(), two.clone()], std::slice::from_ref(&one)),
            [(EventKind::ApiKeyRevoked, "two".to_owned(), None)]
        );
        let before = Some(KeyBefore::Secret { prefix: "prefix of a".to_owned(), created_at: NOW });
        assert_eq!(
            told(&[one, two], &[other]),
            [(EventKind::ApiKeyRotated, "one".to_owned(), before), (EventKind::ApiKeyRevoked, "two".to_owned(), None)],
            "the operator has replaced all keys"
        );
    }

    #[test]
    fn a_stop_has_one_event_and_other_key_changes_have_none() {
        let valid = key("one", "a");
        let stopped = ApiKeyInfo { stopped_at: Some(NOW), ..valid.clone() };
        let again = ApiKeyInfo { stopped_at: Some(NOW + jiff::SignedDuration::from_secs(1)), ..valid.clone() };
        let renamed = ApiKeyInfo {
            name: "other".to_owned(),
            scopes: BTreeSet::new(),
            is_limited: true,
            last_used_at: Some(NOW),
            ..valid.clone()
        };
        let of =
            |before: &ApiKeyInfo, after: &ApiKeyInfo| told(std::slice::from_ref(before), std::slice::from_ref(after));
        assert_eq!(of(&valid, &stopped), [(EventKind::ApiKeyStopped, "one".to_owned(), Some(KeyBefore::NotStopped))]);
        assert_eq!(of(&stopped, &again), [], "another attempt at the same stop");
        assert_eq!(of(&stopped, &valid), [], "a person resumes it");
        assert_eq!(of(&valid, &renamed), []);
    }
}
