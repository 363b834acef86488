//! The stored form of a customer's keys: the attribute `api_keys` maps the id of each key to the rest of it. That of the
//! account has all keys but those of assistants, which are in an item of their own (D225).
//!
//! The last use of a key is an attribute of its own (`key_default_used_at`), so that a use changes nothing that a
//! change of the keys compares.

use crate::domain::{ApiKeyInfo, ApiKeys, ExternalRef, KeyDisplay, KeyId, Scope};
use crate::error::Error;
use crate::store::{Item, attribute};
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::millisecond;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::{BTreeMap, HashMap};

/// End of the name of the attribute with the last use of a key.
const USED_AT: &str = "_used_at";

/// The attribute `api_keys`.
pub(super) type KeyMap = BTreeMap<KeyId, ApiKeyItem>;

/// A key in the map.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ApiKeyItem {
    name: String,
    key_hash: String,
    prefix: String,
    last_four: Option<String>,
    scopes: Vec<String>,
    #[serde(with = "millisecond::required")]
    created_at: Timestamp,
    #[serde(default, with = "millisecond::optional")]
    expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_limited: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_of_assistant: bool,
    external_ref: Option<ExternalRef>,
    #[serde(default, with = "millisecond::optional")]
    stopped_at: Option<Timestamp>,
}

/// The name of the attribute with the last use of a key.
pub(super) fn used_at(id: &KeyId) -> String {
    format!("{id}{USED_AT}")
}

/// The last uses of the keys in an account.
pub(super) fn last_uses(account: &Item) -> HashMap<KeyId, Timestamp> {
    let last_use = |(name, value): (&String, &AttributeValue)| {
        let id = name.strip_suffix(USED_AT)?.to_owned();
        Some((KeyId(id), Timestamp::from_millisecond(value.as_n().ok()?.parse().ok()?).ok()?))
    };
    account.iter().filter_map(last_use).collect()
}

/// The keys of an account with this map.
pub(super) fn parse_keys(map: KeyMap) -> ApiKeys {
    ApiKeys::new(map.into_iter().map(|(id, item)| parse_key(id, item)).collect())
}

fn parse_key(id: KeyId, item: ApiKeyItem) -> ApiKeyInfo {
    let ApiKeyItem {
        name,
        key_hash,
        prefix,
        last_four,
        scopes,
        created_at,
        expires_at,
        is_limited,
        is_of_assistant,
        external_ref,
        stopped_at,
    } = item;
    ApiKeyInfo {
        id,
        name,
        hash: key_hash,
        display: KeyDisplay { prefix, last_four },
        // A scope that only newer code knows is left out.
        scopes: scopes.iter().filter_map(|scope| Scope::parse(scope)).collect(),
        created_at,
        expires_at,
        is_limited,
        is_of_assistant,
        external_ref,
        stopped_at,
        last_used_at: None,
    }
}

/// The attributes `api_keys` of these keys. Keys are compared by them, because the table keeps times in milliseconds.
#[derive(Debug, PartialEq)]
pub(super) struct StoredKeys {
    /// The attribute of the account.
    pub(super) own: AttributeValue,
    /// The attribute of the item of assistants.
    pub(super) of_assistants: AttributeValue,
    /// Whether the customer has an assistant.
    pub(super) has_assistants: bool,
}

impl StoredKeys {
    pub(super) fn of(keys: &ApiKeys) -> Result<StoredKeys, Error> {
        let of_assistants: KeyMap =
            keys.all().iter().filter(|key| key.is_of_assistant).cloned().map(key_item).collect();
        Ok(StoredKeys {
            own: attribute(&own_keys(keys))?,
            has_assistants: !of_assistants.is_empty(),
            of_assistants: attribute(&of_assistants)?,
        })
    }
}

/// The keys that are in the account itself.
pub(super) fn own_keys(keys: &ApiKeys) -> KeyMap {
    keys.all().iter().filter(|key| !key.is_of_assistant).cloned().map(key_item).collect()
}

fn key_item(key: ApiKeyInfo) -> (KeyId, ApiKeyItem) {
    let ApiKeyInfo {
        id,
        name,
        hash: key_hash,
        display: KeyDisplay { prefix, last_four },
        scopes,
        created_at,
        expires_at,
        is_limited,
        is_of_assistant,
        external_ref,
        stopped_at,
        last_used_at: _,
    } = key;
    let scopes = scopes.iter().map(ToString::to_string).collect();
    let item = ApiKeyItem {
        name,
        key_hash,
        prefix,
        last_four,
        scopes,
        created_at,
        expires_at,
        is_limited,
        is_of_assistant,
        external_ref,
        stopped_at,
    };
    (id, item)
}

#[cfg(test)]
#[test]
fn keys_that_were_stored_compare_equal_to_those_that_were_written() {
    let written = ApiKeyInfo {
        id: KeyId("key_1".to_owned()),
        name: "CI".to_owned(),
        hash: "hash".to_owned(),
        display: KeyDisplay { prefix: "uak_".to_owned(), last_four: None },
        scopes: [Scope::Read].into(),
        created_at: "2026-09-21T14:13:20.123456789Z".parse().unwrap(),
        expires_at: None,
        is_limited: false,
        is_of_assistant: false,
        external_ref: None,
        stopped_at: None,
        last_used_at: None,
    };
    let assistant = ApiKeyInfo { id: KeyId("key_2".to_owned()), is_of_assistant: true, ..written.clone() };
    let written = ApiKeys::new(vec![written, assistant]);
    let StoredKeys { own, of_assistants, .. } = StoredKeys::of(&written).unwrap();
    let [own, of_assistants] =
        [own, of_assistants].map(|map| parse_keys(serde_dynamo::from_attribute_value(map).unwrap()));
    assert_eq!([&own, &of_assistants].map(|keys| keys.all().len()), [1, 1]);
    let read = own.with_assistants_of(&of_assistants);
    assert_ne!(read, written, "the table keeps milliseconds");
    assert_eq!(StoredKeys::of(&read).unwrap(), StoredKeys::of(&written).unwrap());
}
