//! Error responses: a status, and a body with a number and a message.
//!
//! Pinterest API v5 reference: `Error`, `Exception`. The number alone is ambiguous: 2 is a failed
//! authentication under 401 and an unknown ad account under 404.

use crate::http::Response;
use serde_json::{Value, json};

/// An error for a whole request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: u16,
    pub(crate) code: u16,
    pub(crate) message: String,
}

impl ApiError {
    pub(crate) fn new(status: u16, code: u16, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// A malformed request.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, 1, message)
    }

    /// An invalid token or client. Unknown, expired and revoked tokens get the same response.
    pub(crate) fn unauthenticated() -> Self {
        Self::new(401, 2, "Authentication failed.")
    }

    /// An expired, used, revoked or unknown code or refresh token at the token endpoint.
    pub(crate) fn invalid_grant() -> Self {
        Self::new(401, 283, "The authorization grant is invalid")
    }

    /// The user lacks the permission.
    pub(crate) fn forbidden() -> Self {
        Self::new(403, 29, "You are not permitted to access that resource.")
    }

    pub(crate) fn campaign_not_found() -> Self {
        let ItemException { code, message } = ItemException::campaign_not_found();
        Self::new(404, code, message)
    }

    pub(crate) fn response(&self) -> Response {
        Response::json(self.status, &json!({ "code": self.code, "message": self.message }))
    }
}

/// The error of one item in a response with status 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemException {
    pub(crate) code: u16,
    pub(crate) message: String,
}

impl ItemException {
    /// A violated business rule. The documentation lists no numbers; the sandbox takes the number for invalid
    /// parameters.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { code: 1, message: message.into() }
    }

    pub(crate) fn campaign_not_found() -> Self {
        Self { code: 30, message: "Campaign not found.".to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}
