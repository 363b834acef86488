//! Errors of the Graph API.
//!
//! Graph API: Handling Errors; Marketing API: Error Codes; Rate Limiting. The code in the body identifies an error.
//! Meta does not document the HTTP status.

use crate::http::Response;
use crate::oauth::random_token;
use serde_json::{Map, Value, json};

/// The version that serves every request.
pub(crate) const VERSION: &str = "v26.0";

/// One error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GraphError {
    status: u16,
    kind: &'static str,
    code: u32,
    subcode: Option<u32>,
    message: String,
    /// Title and message for the end user.
    user: Option<(&'static str, String)>,
    /// The invalid parameter.
    blame: Option<&'static str>,
    transient: Option<bool>,
}

impl GraphError {
    pub(crate) fn new(status: u16, code: u32, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, kind: "OAuthException", code, subcode: None, message, user: None, blame: None, transient: None }
    }

    /// A parameter that cannot be parsed. Only the message names it.
    pub(crate) fn parameter(message: impl AsRef<str>) -> Self {
        Self::new(400, 100, format!("(#100) {}", message.as_ref()))
    }

    /// A required parameter is missing.
    pub(crate) fn missing(name: &str) -> Self {
        Self::parameter(format!("The parameter {name} is required"))
    }

    /// A valid parameter that violates a rule.
    pub(crate) fn rule_violation(blame: &'static str, title: &'static str, text: impl Into<String>) -> Self {
        let error = Self::new(400, 100, "Invalid parameter");
        Self { blame: Some(blame), user: Some((title, text.into())), transient: Some(false), ..error }
    }

    /// Whether the error is a [`rule_violation`](Self::rule_violation).
    pub(crate) fn is_rule_violation(&self) -> bool {
        self.code == 100 && self.user.is_some()
    }

    /// The same error with code 1, which otherwise means an outage. Only `is_transient` and the message differ.
    #[must_use]
    pub(crate) fn into_code_1(self) -> Self {
        let message = "An unknown error occurred".to_owned();
        Self { code: 1, subcode: Some(2_853_001), message, blame: None, transient: Some(false), ..self }
    }

    /// The caller lacks a permission.
    pub(crate) fn permission_denied() -> Self {
        Self::new(403, 200, "(#200) Ad account owner has NOT grant ads_management or ads_read permission")
    }

    /// Whether the error is a [`permission_denied`](Self::permission_denied).
    pub(crate) fn is_permission_denied(&self) -> bool {
        self.code == 200
    }

    /// A request to a version that Meta has shut down.
    pub(crate) fn deprecated_version() -> Self {
        let why = "(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version";
        Self::new(400, 2635, format!("{why}: {VERSION}."))
    }

    /// A feature that Meta has and the sandbox does not support.
    pub(crate) fn unsupported(feature: &str) -> Self {
        let why = format!("(#3) Application does not have the capability to make this API call. (sandbox: {feature})");
        Self::new(400, 3, why)
    }

    /// An object that does not exist or that the caller may not see.
    pub(crate) fn not_found(method: &str, id: &str) -> Self {
        let method = method.to_ascii_lowercase();
        let why = format!(
            "Unsupported {method} request. Object with ID '{id}' does not exist, cannot be loaded due to missing \
             permissions, or does not support this operation."
        );
        Self { kind: "GraphMethodException", ..Self::new(400, 100, why) }.with_subcode(33)
    }

    /// The `appsecret_proof` does not match the token.
    pub(crate) fn invalid_proof() -> Self {
        let error = Self::new(400, 100, "Invalid appsecret_proof provided in the API argument");
        Self { kind: "GraphMethodException", ..error }
    }

    /// Whether the error is an [`invalid_proof`](Self::invalid_proof).
    pub(crate) fn is_invalid_proof(&self) -> bool {
        *self == Self::invalid_proof()
    }

    /// The access token has expired or was revoked.
    pub(crate) fn invalid_token(status: u16, subcode: u32, why: &str) -> Self {
        Self::new(status, 190, format!("Error validating access token: {why}")).with_subcode(subcode)
    }

    /// An internal error, marked as transient.
    pub(crate) fn internal() -> Self {
        let error = Self::new(500, 2, "An unexpected error has occurred. Please retry your request later.");
        Self { transient: Some(true), ..error }
    }

    #[must_use]
    pub(crate) fn with_subcode(mut self, subcode: u32) -> Self {
        self.subcode = Some(subcode);
        self
    }

    /// Code, subcode and message.
    pub(crate) fn parts(&self) -> (u32, Option<u32>, &str) {
        (self.code, self.subcode, &self.message)
    }

    /// The error as JSON. `error_data` is JSON encoded as a string.
    fn json(&self, trace: &str) -> Value {
        let mut error = Map::new();
        error.insert("message".to_owned(), json!(self.message));
        error.insert("type".to_owned(), json!(self.kind));
        error.insert("code".to_owned(), json!(self.code));
        if let Some(name) = self.blame {
            let data = json!({ "blame_field_specs": [[name]] }).to_string();
            error.insert("error_data".to_owned(), json!(data));
        }
        if let Some(subcode) = self.subcode {
            error.insert("error_subcode".to_owned(), json!(subcode));
        }
        if let Some(transient) = self.transient {
            error.insert("is_transient".to_owned(), json!(transient));
        }
        if let Some((title, text)) = &self.user {
            error.insert("error_user_title".to_owned(), json!(title));
            error.insert("error_user_msg".to_owned(), json!(text));
        }
        error.insert("fbtrace_id".to_owned(), json!(trace));
        json!({ "error": error })
    }

    /// The HTTP response.
    pub(crate) fn response(&self) -> Response {
        let trace: String = format!("A{}", random_token()).chars().take(23).collect();
        let response = Response::json(self.status, &self.json(&trace)).with("cache-control", "no-store");
        response.with("facebook-api-version", VERSION).with("x-fb-trace-id", trace)
    }
}
