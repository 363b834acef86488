//! Refusals: a status, and a body of a number and a sentence.
//!
//! Pinterest API v5 reference: `Error`, `Exception`. The number alone says little: 2 is a failed
//! authentication under 401 and an unknown ad account under 404.

use serde_json::{Value, json};

use crate::http::Reply;

/// A whole request that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: u16,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: u16, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// A request that is not of the published form.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, 1, message)
    }

    /// A token or a client that is not let in. Unknown, expired and withdrawn look the same.
    pub(crate) fn unauthenticated() -> Self {
        Self::new(401, 2, "Authentication failed.")
    }

    /// A code or refresh token that is expired, used, withdrawn or unknown, at the token address.
    pub(crate) fn dead_grant() -> Self {
        Self::new(401, 283, "The authorization grant is invalid")
    }

    /// What the user behind the token may not do.
    pub(crate) fn forbidden() -> Self {
        Self::new(403, 29, "You are not permitted to access that resource.")
    }

    pub(crate) fn campaign_not_found() -> Self {
        let Exception { code, message } = Exception::campaign_not_found();
        Self::new(404, code, message)
    }

    pub(crate) fn reply(&self) -> Reply {
        Reply::json(self.status, &json!({ "code": self.code, "message": self.message }))
    }
}

/// One item of a request that is refused while the answer as a whole is a good one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exception {
    pub(crate) code: u16,
    pub(crate) message: String,
}

impl Exception {
    /// A campaign that breaks a rule. The documentation lists no numbers; the one for invalid
    /// parameters is taken.
    pub(crate) fn rule(message: impl Into<String>) -> Self {
        Self { code: 1, message: message.into() }
    }

    pub(crate) fn campaign_not_found() -> Self {
        Self { code: 30, message: "Campaign not found.".to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}
