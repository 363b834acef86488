//! The stored form of a customer's keys: the account's attribute `api_keys` maps the id of each key to the rest of it.
//!
//! The last use of a key is an attribute of its own (`key_default_used_at`), so that a use changes nothing that a
//! change of the keys compares.

use crate::domain::{ApiKeyInfo, ApiKeys, KeyDisplay, KeyId, Scope};
use crate::error::Error;
use crate::store::Item;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::{BTreeMap, HashMap};

/// End of the name of the attribute with the last use of a key.
const USED_AT: &str = "_used_at";

/// The attribute `api_keys`.
pub(super) type KeyMap = BTreeMap<String, ApiKeyItem>;

/// A key in the map. Its times are in milliseconds since 1970.
#[skip_serializing_none]
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ApiKeyItem {
    name: String,
    key_hash: String,
    prefix: String,
    last_four: Option<String>,
    scopes: Vec<String>,
    created_at: i64,
    expires_at: Option<i64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_limited: bool,
    stopped_at: Option<i64>,
}

/// The name of the attribute with the last use of a key.
pub(super) fn used_at(id: &KeyId) -> String {
    format!("{id}{USED_AT}")
}

/// The last uses of the keys in an account.
pub(super) fn last_uses(account: &Item) -> HashMap<KeyId, Timestamp> {
    let last_use = |(name, value): (&String, &AttributeValue)| {
        let id = name.strip_suffix(USED_AT)?.to_owned();
        Some((KeyId(id), millisecond(value.as_n().ok()?.parse().ok()?)?))
    };
    account.iter().filter_map(last_use).collect()
}

/// The keys of an account with this map.
pub(super) fn parse_keys(map: KeyMap) -> Result<ApiKeys, Error> {
    let keys: Result<Vec<_>, Error> = map.into_iter().map(|(id, item)| parse_key(KeyId(id), item)).collect();
    Ok(ApiKeys::new(keys?))
}

fn parse_key(id: KeyId, item: ApiKeyItem) -> Result<ApiKeyInfo, Error> {
    let ApiKeyItem { name, key_hash, prefix, last_four, scopes, created_at, expires_at, is_limited, stopped_at } = item;
    let time = |ms: i64| millisecond(ms).ok_or_else(|| Error::internal("a key has an invalid time"));
    Ok(ApiKeyInfo {
        id,
        name,
        hash: key_hash,
        display: KeyDisplay { prefix, last_four },
        scopes: scopes.iter().filter_map(|scope| Scope::parse(scope)).collect(),
        created_at: time(created_at)?,
        expires_at: expires_at.map(time).transpose()?,
        is_limited,
        stopped_at: stopped_at.map(time).transpose()?,
        last_used_at: None,
    })
}

pub(super) fn key_map(keys: &ApiKeys) -> KeyMap {
    let entry = |key: &ApiKeyInfo| {
        let ApiKeyInfo {
            id,
            name,
            hash,
            display: KeyDisplay { prefix, last_four },
            scopes,
            created_at,
            expires_at,
            is_limited,
            stopped_at,
            last_used_at: _,
        } = key;
        let item = ApiKeyItem {
            name: name.clone(),
            key_hash: hash.clone(),
            prefix: prefix.clone(),
            last_four: last_four.clone(),
            scopes: scopes.iter().map(ToString::to_string).collect(),
            created_at: created_at.as_millisecond(),
            expires_at: expires_at.map(Timestamp::as_millisecond),
            is_limited: *is_limited,
            stopped_at: stopped_at.map(Timestamp::as_millisecond),
        };
        (id.0.clone(), item)
    };
    keys.all().iter().map(entry).collect()
}

fn millisecond(ms: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(ms).ok()
}
