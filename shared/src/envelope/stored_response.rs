//! Responses that are stored under an `Idempotency-Key` and replayed byte for byte.

use super::change_ids::CHANGE_ID_HEADER;
use super::response::empty;
use crate::domain::StoredResponse;
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// Marks a replayed response.
pub const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Headers that belong to the stored response. All others belong to a single request.
const STORED_HEADERS: [HeaderName; 6] = [
    header::CONTENT_TYPE,
    HeaderName::from_static(super::SHAPE_HEADER),
    header::VARY,
    header::LINK,
    header::RETRY_AFTER,
    CHANGE_ID_HEADER,
];

/// Converts a response to its stored form. `None` if the body is not text.
pub fn to_stored(response: &Response<Body>) -> Option<StoredResponse> {
    let body = match response.body() {
        Body::Text(text) => text.clone(),
        Body::Empty => String::new(),
        _ => return None,
    };
    let header = |name: &HeaderName| {
        let value = response.headers().get(name)?.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    };
    let headers = STORED_HEADERS.iter().filter_map(header).collect();
    Some(StoredResponse { status: response.status().as_u16(), headers, body })
}

/// Replays a stored response.
pub(super) fn response(stored: &StoredResponse) -> Response<Body> {
    let mut response = empty(StatusCode::from_u16(stored.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    if !stored.body.is_empty() {
        *response.body_mut() = Body::Text(stored.body.clone());
    }
    for (name, value) in &stored.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response.headers_mut().insert(REPLAYED_HEADER, HeaderValue::from_static("true"));
    response
}
