//! A customer's API keys: names, scopes and expiry (D41). The secrets themselves are in `auth`.

#[cfg(test)]
mod tests;

use super::{Assistant, ExternalRef, Scope};
use crate::domain::sha256_hex;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use subtle::ConstantTimeEq;

/// Maximum number of keys of a customer without a spending limit, expired ones included.
pub const MAX_KEYS: usize = 5;
/// Maximum number of keys of a customer with a spending limit, expired ones included, without those of assistants.
pub const MAX_LIMITED_KEYS: usize = 20;
/// Maximum number of a customer's assistants, those that were signed out included.
pub const MAX_ASSISTANTS: usize = 100;
/// Name of the first key of a customer.
const DEFAULT_NAME: &str = "default";

/// Identifies a key among those of its customer: `key_default`, or `key_` and 12 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeyId(pub String);

impl KeyId {
    /// The id of a customer's first key.
    pub fn default_key() -> KeyId {
        KeyId(format!("key_{DEFAULT_NAME}"))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The parts of a secret that a page may show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDisplay {
    /// The first characters. All keys of a customer and mode have the same ones.
    pub prefix: String,
    /// The last four characters, which distinguish keys; `None` for a key from before they were stored.
    pub last_four: Option<String>,
}

impl From<String> for KeyDisplay {
    fn from(prefix: String) -> KeyDisplay {
        KeyDisplay { prefix, last_four: None }
    }
}

impl From<&str> for KeyDisplay {
    fn from(prefix: &str) -> KeyDisplay {
        prefix.to_owned().into()
    }
}

/// An API key without its secret. For one hash the expiry is constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeyInfo {
    /// Identifier. A rotation keeps it.
    pub id: KeyId,
    /// The customer's name for the key.
    pub name: String,
    /// SHA-256 of the secret, in hex.
    pub hash: String,
    /// The parts of the secret that are safe to display.
    pub display: KeyDisplay,
    /// The permitted requests.
    pub scopes: BTreeSet<Scope>,
    /// Creation of the secret: of the key, or its last rotation.
    pub created_at: Timestamp,
    /// The key is invalid from then on.
    pub expires_at: Option<Timestamp>,
    /// Whether the key has a spending limit.
    pub is_limited: bool,
    /// Whether it is the key of an assistant that a person has connected by signing in. It has no secret: its hash is a
    /// mark that the tokens of the assistant carry.
    pub is_of_assistant: bool,
    /// The user for whom all requests of the key act. For one hash it is constant.
    pub external_ref: Option<ExternalRef>,
    /// The key was stopped at this time, and is invalid until a person resumes it.
    pub stopped_at: Option<Timestamp>,
    /// The last use, up to a minute old.
    pub last_used_at: Option<Timestamp>,
}

impl ApiKeyInfo {
    /// A key with all scopes and no end.
    pub fn unlimited(
        id: KeyId,
        name: &str,
        hash: String,
        display: impl Into<KeyDisplay>,
        created_at: Timestamp,
    ) -> ApiKeyInfo {
        ApiKeyInfo {
            id,
            name: name.to_owned(),
            hash,
            display: display.into(),
            scopes: Scope::FULL.into(),
            created_at,
            expires_at: None,
            is_limited: false,
            is_of_assistant: false,
            external_ref: None,
            stopped_at: None,
            last_used_at: None,
        }
    }

    /// Distinguishes the secrets that the key has had. A page may show it.
    pub fn version(&self) -> String {
        sha256_hex(&self.hash).chars().take(16).collect()
    }

    fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Whether it is neither expired nor stopped.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        !self.is_expired(now) && self.stopped_at.is_none()
    }

    /// The first of these scopes that this key cannot give. One with `write` gives `approve`, because it may also take
    /// away the limit that asks for an approval (D161).
    pub fn lacks(&self, scopes: &BTreeSet<Scope>) -> Option<Scope> {
        let has_all = |needed: &[Scope]| needed.iter().all(|scope| self.scopes.contains(scope));
        let gives = |scope: &Scope| match scope {
            Scope::Campaigns => has_all(&[Scope::Campaigns]) || has_all(&[Scope::Read, Scope::Write]),
            Scope::Approve => has_all(&[Scope::Approve]) || has_all(&[Scope::Write]),
            Scope::Read | Scope::Write | Scope::Billing => has_all(&[*scope]),
        };
        scopes.iter().find(|scope| !gives(scope)).copied()
    }

    /// Whether it makes and deletes keys. One that acts for a user does not.
    fn may_write(&self, now: Timestamp) -> bool {
        self.scopes.contains(&Scope::Write) && self.external_ref.is_none() && self.is_valid(now)
    }
}

/// The keys of a customer, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeys {
    keys: Vec<ApiKeyInfo>,
    replaced_at: Option<Timestamp>,
}

/// Reason why a key is not removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovalError {
    /// The customer has no such key.
    NotFound,
    /// No other valid key has the scope `write` and is bound to no user, so the customer could not create keys any more.
    LastWriter,
}

/// Reason why a key is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateError {
    /// No valid key would have the scope `write` any more.
    LastWriter,
    /// There would be too many keys without a limit, or with one.
    TooMany,
}

impl ApiKeys {
    /// Keys in any order.
    pub fn new(mut keys: Vec<ApiKeyInfo>) -> ApiKeys {
        keys.sort_by(|a, b| b.created_at.cmp(&a.created_at).then_with(|| a.id.cmp(&b.id)));
        ApiKeys { keys, replaced_at: None }
    }

    /// No keys: those of a customer that has not made one.
    pub fn none() -> ApiKeys {
        ApiKeys::new(Vec::new())
    }

    /// The default key alone: it has all scopes and no end.
    pub fn default_alone(hash: impl Into<String>, display: impl Into<KeyDisplay>, created_at: Timestamp) -> ApiKeys {
        let (id, hash) = (KeyId::default_key(), hash.into());
        ApiKeys::new(vec![ApiKeyInfo::unlimited(id, DEFAULT_NAME, hash, display, created_at)])
    }

    /// These keys, with the time at which the operator last replaced all keys of the customer.
    #[must_use]
    pub fn replaced(self, at: Option<Timestamp>) -> ApiKeys {
        ApiKeys { replaced_at: at, ..self }
    }

    /// The time at which the operator last replaced all keys. A session that began before it changes no key any more.
    pub fn replaced_at(&self) -> Option<Timestamp> {
        self.replaced_at
    }

    /// These keys with the times of their last uses.
    #[must_use]
    pub fn last_used(mut self, uses: &HashMap<KeyId, Timestamp>) -> ApiKeys {
        for key in &mut self.keys {
            key.last_used_at = uses.get(&key.id).copied();
        }
        self
    }

    /// These keys with those of assistants among `others`, in place of their own.
    #[must_use]
    pub fn with_assistants_of(self, others: &ApiKeys) -> ApiKeys {
        let assistants = others.keys.iter().filter(|key| key.is_of_assistant).cloned();
        let own = self.keys.into_iter().filter(|key| !key.is_of_assistant);
        ApiKeys::new(own.chain(assistants).collect()).replaced(self.replaced_at)
    }

    /// These keys with the last uses of assistants.
    #[must_use]
    pub fn used_by(mut self, assistants: &[Assistant]) -> ApiKeys {
        for assistant in assistants {
            if let Some(key) = self.keys.iter_mut().find(|key| key.id == assistant.key) {
                key.last_used_at = assistant.last_used_at;
            }
        }
        self
    }

    /// All keys, newest first.
    pub fn all(&self) -> &[ApiKeyInfo] {
        &self.keys
    }

    /// The valid key with this hash. Compares in constant time.
    pub fn find(&self, hash: &str, now: Timestamp) -> Option<&ApiKeyInfo> {
        self.with_hash(hash).filter(|key| key.is_valid(now))
    }

    /// The time at which the key with this hash was stopped, if that is why it is invalid.
    pub fn stopped_at(&self, hash: &str, now: Timestamp) -> Option<Timestamp> {
        self.with_hash(hash).filter(|key| !key.is_expired(now))?.stopped_at
    }

    /// The time at which the key with this hash expired.
    pub fn expired_at(&self, hash: &str, now: Timestamp) -> Option<Timestamp> {
        self.with_hash(hash)?.expires_at.filter(|end| *end <= now)
    }

    /// Compares in constant time.
    fn with_hash(&self, hash: &str) -> Option<&ApiKeyInfo> {
        self.keys.iter().find(|key| bool::from(key.hash.as_bytes().ct_eq(hash.as_bytes())))
    }

    /// These keys with one of them stopped, or resumed with `None`. A stop applies to every key, also to the last one
    /// with the scope `write`.
    #[must_use]
    pub fn stopped(&self, id: &KeyId, at: Option<Timestamp>) -> ApiKeys {
        let stop =
            |key: &ApiKeyInfo| if key.id == *id { ApiKeyInfo { stopped_at: at, ..key.clone() } } else { key.clone() };
        ApiKeys { keys: self.keys.iter().map(stop).collect(), replaced_at: self.replaced_at }
    }

    /// These keys and another one. `None` if there are as many of its kind as may be: [`MAX_KEYS`], [`MAX_LIMITED_KEYS`] or
    /// [`MAX_ASSISTANTS`].
    #[must_use]
    pub fn with(&self, key: ApiKeyInfo) -> Option<ApiKeys> {
        let keys = self.keys.iter().cloned().chain([key]);
        ApiKeys::new(keys.collect()).replaced(self.replaced_at).within_bounds()
    }

    /// These keys with another name, other scopes, or with or without a limit, for one of them. Its secret stays.
    pub fn updated(&self, key: &ApiKeyInfo, now: Timestamp) -> Result<ApiKeys, UpdateError> {
        let keys = self.keys.iter().map(|known| if known.id == key.id { key.clone() } else { known.clone() });
        let updated = ApiKeys::new(keys.collect()).replaced(self.replaced_at);
        // A person may rename a key although none of them can write.
        if self.can_write(now) && !updated.can_write(now) {
            return Err(UpdateError::LastWriter);
        }
        updated.within_bounds().ok_or(UpdateError::TooMany)
    }

    fn can_write(&self, now: Timestamp) -> bool {
        self.keys.iter().any(|key| key.may_write(now))
    }

    /// Whether there are [`MAX_LIMITED_KEYS`] with a limit.
    pub fn are_all_limited_ones_taken(&self) -> bool {
        self.count(|key| key.is_limited && !key.is_of_assistant) >= MAX_LIMITED_KEYS
    }

    /// Whether there are [`MAX_ASSISTANTS`].
    pub fn are_all_assistants_taken(&self) -> bool {
        self.count(|key| key.is_of_assistant) >= MAX_ASSISTANTS
    }

    fn count(&self, of: impl Fn(&ApiKeyInfo) -> bool) -> usize {
        self.keys.iter().filter(|key| of(key)).count()
    }

    fn within_bounds(self) -> Option<ApiKeys> {
        let assistants = self.count(|key| key.is_of_assistant);
        let limited = self.count(|key| key.is_limited && !key.is_of_assistant);
        let others = self.keys.len() - assistants - limited;
        let fits = others <= MAX_KEYS && limited <= MAX_LIMITED_KEYS && assistants <= MAX_ASSISTANTS;
        fits.then_some(self)
    }

    /// These keys without one of them.
    pub fn without(&self, id: &str, now: Timestamp) -> Result<ApiKeys, RemovalError> {
        let (removed, left): (Vec<_>, Vec<_>) = self.keys.iter().cloned().partition(|key| key.id.0 == id);
        if removed.is_empty() {
            return Err(RemovalError::NotFound);
        }
        // Where none can write, because all are stopped, a person may still delete one.
        if self.can_write(now) && !left.iter().any(|key| key.may_write(now)) {
            return Err(RemovalError::LastWriter);
        }
        Ok(ApiKeys { keys: left, replaced_at: self.replaced_at })
    }

    /// These keys without some that are bound to a user. Such a key makes no keys, so it may be the last one.
    #[must_use]
    pub fn without_bound(&self, bound: &[ApiKeyInfo]) -> ApiKeys {
        let stays = |key: &&ApiKeyInfo| key.external_ref.is_none() || bound.iter().all(|gone| gone.id != key.id);
        ApiKeys { keys: self.keys.iter().filter(stays).cloned().collect(), replaced_at: self.replaced_at }
    }

    /// These keys with a new secret for one of them. Its name, scopes and expiry stay.
    #[must_use]
    pub fn rotated(&self, id: &KeyId, hash: &str, display: &KeyDisplay, now: Timestamp) -> ApiKeys {
        let rotate = |key: &ApiKeyInfo| ApiKeyInfo {
            hash: hash.to_owned(),
            display: display.clone(),
            created_at: now,
            last_used_at: None,
            ..key.clone()
        };
        let keys = self.keys.iter().map(|key| if key.id == *id { rotate(key) } else { key.clone() });
        ApiKeys::new(keys.collect()).replaced(self.replaced_at)
    }
}
