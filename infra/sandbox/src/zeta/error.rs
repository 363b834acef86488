//! Error responses in the platform's two forms: that of the API and that of the OAuth endpoints.
//!
//! Reddit Ads API v3 reference: "Response types"; Reddit OAuth2 guide: "Token retrieval".

use crate::http::Response;
use serde_json::{Value, json};

/// An error of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: u16,
    message: String,
    /// The path of an invalid property, such as `data/goal_value`, and the reason.
    field: Option<(String, String)>,
}

impl ApiError {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), field: None }
    }

    /// An invalid property of the body or the query.
    pub(crate) fn field(path: impl Into<String>, why: impl Into<String>) -> Self {
        Self { field: Some((path.into(), why.into())), ..Self::new(400, "Bad Request: invalid fields.") }
    }

    /// An invalid property of a campaign or a report, which are in `data`.
    pub(crate) fn data_field(name: &str, why: impl Into<String>) -> Self {
        Self::field(format!("data/{name}"), why)
    }

    pub(crate) fn unauthenticated() -> Self {
        Self::new(401, "Bad bearer token provided.")
    }

    pub(crate) fn forbidden(why: &str) -> Self {
        Self::new(403, why)
    }

    /// An unknown path, method or resource. The platform does not distinguish them.
    pub(crate) fn not_found() -> Self {
        Self::new(404, "Not Found")
    }

    pub(crate) fn response(&self) -> Response {
        let mut error = json!({ "code": self.status, "message": self.message });
        if let (Some(body), Some((field, message))) = (error.as_object_mut(), &self.field) {
            body.insert("fields".to_owned(), json!([{ "field": field, "message": message }]));
        }
        Response::json(self.status, &json!({ "error": error }))
    }
}

/// An error of the OAuth endpoints.
pub(crate) fn oauth_error(status: u16, message: &str) -> Response {
    let body: Value = json!({ "message": message, "error": status });
    let response = Response::json(status, &body).with("cache-control", "no-store");
    if status == 401 { response.with("www-authenticate", "Basic realm=\"reddit\"") } else { response }
}
