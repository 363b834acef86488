//! API keys: what they permit (D41), and their rotation (D29). They use the flat shape only.

use super::connection_queries::read_user;
use super::fields::Fields;
use super::spending_limits::{WireLimit, read_spending_limit};
use super::wire::iso_millis;
use crate::domain::{ApiKeyInfo, ChoiceRule, ExternalRef, KeyDisplay, KeyId, Moment, Scope, SpendingLimit};
use crate::error::Error;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// Maximum length of a key's name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// The body of `createKey`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRequest {
    /// The customer's name for the key.
    pub name: String,
    /// The permitted requests; at least one scope.
    pub scopes: BTreeSet<Scope>,
    /// The key is invalid from then on.
    pub expires_at: Option<Timestamp>,
    pub spending_limit: Option<SpendingLimit>,
    /// The user for whom all requests of the key act.
    pub external_ref: Option<ExternalRef>,
}

/// The body of `updateKey`; `None` keeps a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyUpdate {
    pub name: Option<String>,
    pub scopes: Option<BTreeSet<Scope>>,
    /// The new limit, or none.
    pub spending_limit: Option<Option<SpendingLimit>>,
}

/// Reads the body of `updateKey`.
pub fn read_key_update(body: &[u8]) -> Result<KeyUpdate, Error> {
    let mut fields = Fields::parse(body)?;
    let name = read_name(&mut fields);
    let scopes = read_scopes(&mut fields);
    let spending_limit = read_spending_limit(&mut fields);
    fields.finish()?;
    let update = KeyUpdate { name, scopes, spending_limit };
    if update == KeyUpdate::default() {
        Err(Error::field("body", "must have at least one of name, scopes and spending_limit"))
    } else {
        Ok(update)
    }
}

/// Reads the body of `createKey`.
pub fn read_key_request(body: &[u8], now: Timestamp) -> Result<KeyRequest, Error> {
    let mut fields = Fields::parse(body)?;
    let name = read_name(&mut fields);
    let name = fields.require("name", name);
    let scopes = read_scopes(&mut fields);
    let scopes = fields.require("scopes", scopes);
    let expires_at = read_expiry(&mut fields, now);
    let spending_limit = read_spending_limit(&mut fields).flatten();
    let external_ref = read_user(&mut fields);
    fields.finish()?;
    let request =
        name.zip(scopes).map(|(name, scopes)| KeyRequest { name, scopes, expires_at, spending_limit, external_ref });
    request.ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

fn read_name(fields: &mut Fields<'_>) -> Option<String> {
    let name = fields.string("name")?;
    fields.check_text("name", &name, MAX_NAME_CHARS).then_some(name)
}

fn read_scopes(fields: &mut Fields<'_>) -> Option<BTreeSet<Scope>> {
    let names = fields.strings("scopes")?;
    let scopes: Option<BTreeSet<Scope>> = names.iter().map(|name| Scope::parse(name)).collect();
    let known = Scope::ALL.map(Scope::as_str).join(", ");
    match &scopes {
        None => fields.add_error("scopes", format!("must have only scopes out of {known}")),
        Some(scopes) if scopes.is_empty() => fields.add_error("scopes", ChoiceRule::SomeScope(known)),
        Some(scopes) if scopes.len() < names.len() => fields.add_error("scopes", "must not have a scope twice"),
        Some(_) => {}
    }
    scopes
}

/// The table stores milliseconds, so nothing finer is accepted.
fn read_expiry(fields: &mut Fields<'_>, now: Timestamp) -> Option<Timestamp> {
    let text = fields.nullable_string("expires_at")?;
    let expires_at = Moment::parse_instant(&text);
    match expires_at {
        None => fields.add_error("expires_at", "must be a time in RFC 3339, such as 2027-12-01T09:00:00Z, or null"),
        Some(at) if at <= now => fields.add_error("expires_at", "must be in the future"),
        Some(at) if at.subsec_nanosecond() % 1_000_000 != 0 => {
            fields.add_error("expires_at", "must be a whole millisecond");
        }
        Some(_) => {}
    }
    expires_at
}

/// The body of `rotateKey`.
#[derive(Serialize)]
pub(super) struct RotatedKey<'a> {
    api_key: &'a str,
    prefix: &'a str,
    last_four: Option<&'a str>,
    created_at: String,
}

/// The body of `rotateKey`.
pub(super) fn rotated_body<'a>(
    key: &'a SecretString,
    KeyDisplay { prefix, last_four }: &'a KeyDisplay,
    created_at: Timestamp,
) -> RotatedKey<'a> {
    let api_key = key.expose_secret();
    RotatedKey { api_key, prefix, last_four: last_four.as_deref(), created_at: iso_millis(created_at) }
}

/// A key on the wire: with its secret once, and later whether it is the key of the request.
#[derive(Serialize)]
pub(super) struct WireKey<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key: Option<&'a str>,
    prefix: &'a str,
    last_four: Option<&'a str>,
    scopes: Vec<&'static str>,
    external_ref: Option<&'a str>,
    created_at: String,
    expires_at: Option<String>,
    last_used_at: Option<String>,
    stopped_at: Option<String>,
    spending_limit: Option<WireLimit<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<bool>,
    /// Whether it is the key of an assistant, which has no secret.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    assistant: bool,
}

/// The body of `listKeys`.
#[derive(Serialize)]
pub(super) struct KeyList<'a> {
    api_keys: Vec<WireKey<'a>>,
}

/// The body of `listKeys`; `current` is the key of the request, if a key made it.
pub(super) fn list_body<'a>(
    keys: &'a [ApiKeyInfo],
    current: Option<&KeyId>,
    limits: &'a HashMap<KeyId, SpendingLimit>,
) -> KeyList<'a> {
    KeyList { api_keys: keys.iter().map(|key| key_body(key, current, limits.get(&key.id))).collect() }
}

/// A key of the list.
pub(super) fn key_body<'a>(
    key: &'a ApiKeyInfo,
    current: Option<&KeyId>,
    limit: Option<&'a SpendingLimit>,
) -> WireKey<'a> {
    let spending_limit = limit.map(Into::into);
    WireKey { current: Some(current == Some(&key.id)), spending_limit, ..WireKey::from(key) }
}

/// The body of `createKey`.
pub(super) fn created_body<'a>(
    key: &'a ApiKeyInfo,
    secret: &'a SecretString,
    limit: Option<&'a SpendingLimit>,
) -> WireKey<'a> {
    let spending_limit = limit.map(Into::into);
    WireKey { api_key: Some(secret.expose_secret()), spending_limit, ..WireKey::from(key) }
}

impl<'a> From<&'a ApiKeyInfo> for WireKey<'a> {
    fn from(key: &'a ApiKeyInfo) -> WireKey<'a> {
        let ApiKeyInfo {
            id,
            name,
            hash: _,
            display: KeyDisplay { prefix, last_four },
            scopes,
            created_at,
            expires_at,
            is_limited: _,
            is_of_assistant,
            external_ref,
            stopped_at,
            last_used_at,
        } = key;
        WireKey {
            id: &id.0,
            name,
            api_key: None,
            prefix,
            last_four: last_four.as_deref(),
            scopes: scopes.iter().map(|scope| scope.as_str()).collect(),
            external_ref: external_ref.as_ref().map(ExternalRef::as_str),
            created_at: iso_millis(*created_at),
            expires_at: expires_at.map(iso_millis),
            last_used_at: last_used_at.map(iso_millis),
            stopped_at: stopped_at.map(iso_millis),
            spending_limit: None,
            current: None,
            assistant: *is_of_assistant,
        }
    }
}
