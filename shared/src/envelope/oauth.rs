//! Responses of the OAuth endpoints: JSON in the form of OAuth, which no shape of this API has.

use super::response::json_response;
use http::{Response, StatusCode};
use lambda_http::Body;
use serde_json::Value;
use std::fmt;

/// A response of an OAuth endpoint. `Debug` does not print the body, which may have tokens.
pub struct OAuthReply {
    pub status: StatusCode,
    pub body: Value,
}

impl OAuthReply {
    pub(super) fn response(&self) -> Response<Body> {
        json_response(self.status, &self.body)
    }
}

impl fmt::Debug for OAuthReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthReply").field("status", &self.status).finish_non_exhaustive()
    }
}
