//! API keys: typed calls of the API.

use crate::client::api::{Api, Refusal, json};
use crate::client::session::SignedIn;
use crate::kit::limit::NewLimit;
use crate::kit::text::path_segment;
use jiff::Timestamp;
use secrecy::SecretString;
use serde::Serialize;
use shared::domain::{ApiKeyInfo, FieldError, KeyId, Scope, SpendingLimit};
use shared::envelope::query::value;
use shared::envelope::{Reply, read_key_request, read_key_update};
use shared::error::{Error, Kind};
use std::collections::HashMap;

const PATH: &str = "/v1/api-keys";

/// The keys of the customer.
pub(crate) struct KeyList {
    /// Newest first.
    pub(crate) keys: Vec<ApiKeyInfo>,
    /// The limits of those that have one.
    pub(crate) limits: HashMap<KeyId, SpendingLimit>,
}

/// The body of `createKey`.
#[derive(Serialize)]
pub(crate) struct NewKey<'a> {
    pub(crate) name: &'a str,
    pub(crate) scopes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spending_limit: Option<NewLimit<'a>>,
    /// The user for whom alone the key acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) external_ref: Option<&'a str>,
}

/// The body of `updateKey`.
#[derive(Serialize)]
struct LimitUpdate<'a> {
    spending_limit: &'a NewLimit<'a>,
}

/// The body of `updateKey` after a consent.
#[derive(Serialize)]
struct ConsentUpdate<'a> {
    scopes: [&'a str; 1],
    spending_limit: &'a NewLimit<'a>,
}

/// The fields of a new key that the API refuses.
pub(crate) fn wrong_in_new(key: &NewKey<'_>, now: Timestamp) -> Vec<FieldError> {
    let body = json(key).unwrap_or_default();
    read_key_request(body.as_bytes(), now).err().map(|error| error.details).unwrap_or_default()
}

/// The fields of a new limit that the API refuses.
pub(crate) fn wrong_in_limit(limit: &NewLimit<'_>) -> Vec<FieldError> {
    let body = json(&LimitUpdate { spending_limit: limit }).unwrap_or_default();
    read_key_update(body.as_bytes()).err().map(|error| error.details).unwrap_or_default()
}

/// `listKeys`
pub(crate) async fn list(api: &Api<'_>) -> Result<KeyList, Refusal> {
    match api.ask_for(PATH).await? {
        Reply::Keys { keys, limits, current: _ } => Ok(KeyList { keys, limits }),
        other => Err(api.unexpected(&other)),
    }
}

/// `createKey`; the secret of the key.
pub(crate) async fn create(api: &Api<'_>, key: &NewKey<'_>) -> Result<SecretString, Refusal> {
    match api.ask_to("POST", PATH, json(key)).await? {
        Reply::KeyCreated { secret, .. } => Ok(secret),
        other => Err(api.unexpected(&other)),
    }
}

/// `createKey` for an assistant, whose key has no secret; the id of the key.
pub(crate) async fn create_of_assistant(api: &Api<'_>, key: &NewKey<'_>) -> Result<KeyId, Refusal> {
    match api.ask_to("POST", PATH, json(key)).await? {
        Reply::Key { key, .. } => Ok(key.id),
        other => Err(api.unexpected(&other)),
    }
}

/// `updateKey` with what a person has just given to an assistant.
pub(crate) async fn set_consent(
    api: &Api<'_>,
    id: &KeyId,
    scope: Scope,
    spending_limit: &NewLimit<'_>,
) -> Result<(), Refusal> {
    let update = ConsentUpdate { scopes: [scope.as_str()], spending_limit };
    match api.ask_to("PATCH", &target(&id.0), json(&update)).await? {
        Reply::Key { .. } => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// `rotateKey` for the key that the requests of `api` are about; its new secret.
pub(crate) async fn rotate(api: &Api<'_>) -> Result<SecretString, Refusal> {
    match api.ask_to("POST", &format!("{PATH}/rotate"), None).await? {
        Reply::KeyRotated { secret, .. } => Ok(secret),
        other => Err(api.unexpected(&other)),
    }
}

/// `updateKey` with another limit.
pub(crate) async fn set_limit(api: &Api<'_>, id: &KeyId, limit: &NewLimit<'_>) -> Result<(), Refusal> {
    match api.ask_to("PATCH", &target(&id.0), json(&LimitUpdate { spending_limit: limit })).await? {
        Reply::Key { .. } => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// `stopKey`
pub(crate) async fn stop(api: &Api<'_>, id: &str) -> Result<(), Refusal> {
    match api.ask_to("POST", &format!("{}/stop", target(id)), None).await? {
        Reply::KeyStopped { .. } => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// `deleteKey`
pub(crate) async fn delete(api: &Api<'_>, id: &str) -> Result<(), Refusal> {
    match api.ask_to("DELETE", &target(id), None).await? {
        Reply::Done => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// The key with the `id` of an address or a form.
pub(crate) fn limited_key<'a>(person: &'a SignedIn, values: &[(String, String)]) -> Result<&'a ApiKeyInfo, Error> {
    let id = value(values, "id").unwrap_or_default();
    person.account.keys.all().iter().find(|key| key.id.0 == id).ok_or_else(no_limit)
}

/// The error for a key that is unknown or has no limit.
pub(crate) fn no_limit() -> Error {
    Error::new(Kind::NotFound, "This key does not exist, or has no limit. API keys lists all keys.")
}

fn target(id: &str) -> String {
    format!("{PATH}/{}", path_segment(id))
}
