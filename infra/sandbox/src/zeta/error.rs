//! Refusals in the platform's two forms: that of the API and that of the token addresses.
//!
//! Reddit Ads API v3 reference: "Response types"; Reddit OAuth2 guide: "Token retrieval".

use serde_json::{Value, json};

use crate::http::Reply;

/// A request that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    message: String,
    /// The property at fault, as a path such as `data/goal_value`, and what is wrong with it.
    field: Option<(String, String)>,
}

impl Refusal {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), field: None }
    }

    /// A body or query that is not taken because of one of its properties.
    pub(crate) fn field(path: impl Into<String>, why: impl Into<String>) -> Self {
        Self { field: Some((path.into(), why.into())), ..Self::new(400, "Bad Request: invalid fields.") }
    }

    /// A property of a campaign or report, which are in `data`.
    pub(crate) fn data(name: &str, why: impl Into<String>) -> Self {
        Self::field(format!("data/{name}"), why)
    }

    pub(crate) fn unauthenticated() -> Self {
        Self::new(401, "Bad bearer token provided.")
    }

    pub(crate) fn forbidden(why: &str) -> Self {
        Self::new(403, why)
    }

    /// An address, a verb or a thing that is not there: the platform tells no difference.
    pub(crate) fn not_found() -> Self {
        Self::new(404, "Not Found")
    }

    pub(crate) fn reply(&self) -> Reply {
        let mut error = json!({ "code": self.status, "message": self.message });
        if let (Some(body), Some((field, message))) = (error.as_object_mut(), &self.field) {
            body.insert("fields".to_owned(), json!([{ "field": field, "message": message }]));
        }
        Reply::json(self.status, &json!({ "error": error }))
    }
}

/// How the token addresses refuse by status.
pub(crate) fn plain(status: u16, message: &str) -> Reply {
    let body: Value = json!({ "message": message, "error": status });
    let reply = Reply::json(status, &body).with("cache-control", "no-store");
    if status == 401 { reply.with("www-authenticate", "Basic realm=\"reddit\"") } else { reply }
}
