//! Responses to an earlier request with the same idempotency key. Only the JSON that its caller got is stored, so this is
//! where pages read JSON of the API.

use crate::client::api::{Api, Refusal};
use crate::kit::words;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shared::domain::{ChangeId, StoredResponse};
use shared::envelope::CHANGE_ID_HEADER;
use shared::error::Error;

/// An error in either shape.
#[derive(Deserialize)]
#[serde(untagged)]
enum ErrorBody {
    Flat { error: String, request_id: String },
    Enveloped { error: EnvelopedError },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EnvelopedError {
    message: String,
    request_id: String,
}

/// The body of a stored success, in the shape of the request. A stored refusal is refused again.
pub(crate) fn body<T: DeserializeOwned>(api: &Api<'_>, stored: &StoredResponse) -> Result<T, Refusal> {
    if !(200..300).contains(&stored.status) {
        return Err(refusal(api, stored));
    }
    let body = if stored.body.is_empty() { "null" } else { &stored.body };
    serde_json::from_str(body).map_err(|error| api.failed(&Error::internal(error)))
}

/// The ids of the changes that the earlier request has recorded.
pub(crate) fn changes(stored: &StoredResponse) -> Vec<ChangeId> {
    let ids = stored.headers.iter().find(|(name, _)| name.as_str() == CHANGE_ID_HEADER.as_str());
    ids.map(|(_, ids)| ids.split(", ").filter_map(ChangeId::parse).collect()).unwrap_or_default()
}

/// The stored refusal. Only refusals by a platform are stored, and those name no fields.
fn refusal(api: &Api<'_>, stored: &StoredResponse) -> Refusal {
    let (message, request_id) = match serde_json::from_str(&stored.body) {
        Ok(ErrorBody::Flat { error, request_id }) => (error, request_id),
        Ok(ErrorBody::Enveloped { error: EnvelopedError { message, request_id } }) => (message, request_id),
        Err(error) => return api.failed(&Error::internal(error)),
    };
    Refusal { status: stored.status, message: words::stored(&message), details: Vec::new(), reason: None, request_id }
}
