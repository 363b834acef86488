//! The header that names the changes of a response.

use crate::domain::ChangeId;
use http::Response;
use http::header::{HeaderName, HeaderValue};
use lambda_http::Body;

/// The changes that a request has recorded, comma-separated.
pub const CHANGE_ID_HEADER: HeaderName = HeaderName::from_static("change-id");

/// Names the changes of a request in its response.
pub fn with_change_ids(mut response: Response<Body>, changes: &[ChangeId]) -> Response<Body> {
    let ids: Vec<String> = changes.iter().map(ChangeId::to_string).collect();
    if let Ok(ids) = HeaderValue::from_str(&ids.join(", "))
        && !changes.is_empty()
    {
        response.headers_mut().insert(CHANGE_ID_HEADER, ids);
    }
    response
}
