//! Answers that are kept and given again byte for byte.

use super::json_response;
use crate::domain::StoredResponse;
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// Says that an answer was given before.
pub(super) const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Which headers belong to an answer and not to one request for it.
const KEPT: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    HeaderName::from_static(super::SHAPE_HEADER),
    header::VARY,
    header::LINK,
    header::RETRY_AFTER,
];

/// What is kept of a response; `None` for one that is not text.
pub fn kept(response: &Response<Body>) -> Option<StoredResponse> {
    let body = match response.body() {
        Body::Text(text) => text.clone(),
        Body::Empty => String::new(),
        _ => return None,
    };
    let header = |name: &HeaderName| {
        let value = response.headers().get(name)?.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    };
    Some(StoredResponse { status: response.status().as_u16(), headers: KEPT.iter().filter_map(header).collect(), body })
}

/// The response that was kept.
pub(super) fn response(kept: &StoredResponse) -> Response<Body> {
    let mut response = json_response(StatusCode::OK, &());
    *response.body_mut() = Body::Text(kept.body.clone());
    *response.status_mut() = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in &kept.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response.headers_mut().insert(REPLAYED_HEADER, HeaderValue::from_static("true"));
    response
}
