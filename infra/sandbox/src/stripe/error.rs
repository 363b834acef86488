//! Errors in Stripe's JSON form.
//!
//! API reference: Errors; Idempotent requests.

use crate::http::Response;
use serde_json::{Map, Value, json};

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StripeError {
    pub(super) status: u16,
    kind: &'static str,
    pub(super) code: Option<&'static str>,
    pub(super) message: String,
    pub(super) param: Option<String>,
}

impl StripeError {
    /// An invalid request.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self { status: 400, kind: "invalid_request_error", code: None, message: message.into(), param: None }
    }

    fn coded(code: &'static str, param: &str, message: String) -> Self {
        Self { code: Some(code), ..Self::invalid(message).about(param) }
    }

    /// Names the invalid parameter.
    #[must_use]
    pub(super) fn about(self, param: &str) -> Self {
        Self { param: Some(param.to_owned()), ..self }
    }

    pub(super) fn unauthorized(message: impl Into<String>) -> Self {
        Self { status: 401, ..Self::invalid(message) }
    }

    pub(super) fn unknown_parameter(name: &str) -> Self {
        Self::coded("parameter_unknown", name, format!("Received unknown parameter: {name}"))
    }

    pub(super) fn missing(name: &str) -> Self {
        Self::coded("parameter_missing", name, format!("Missing required param: {name}."))
    }

    pub(super) fn empty(name: &str) -> Self {
        let why = format!(
            "You passed an empty string for '{name}'. We assume empty values are an attempt to unset a parameter; \
             however '{name}' cannot be unset. You should remove '{name}' from your request or supply a non-empty \
             value."
        );
        Self::coded("parameter_invalid_empty", name, why)
    }

    pub(super) fn integer(name: &str, text: &str) -> Self {
        Self::coded("parameter_invalid_integer", name, format!("Invalid integer: {text}"))
    }

    pub(super) fn email(name: &str, text: &str) -> Self {
        Self::coded("email_invalid", name, format!("Invalid email address: {text}"))
    }

    pub(super) fn url(name: &str) -> Self {
        Self::coded("url_invalid", name, "Not a valid URL".to_owned())
    }

    /// An unknown id in a parameter.
    pub(super) fn no_such(object: &str, id: &str, param: &str) -> Self {
        Self::coded("resource_missing", param, format!("No such {object}: '{id}'"))
    }

    /// An unknown id in the path.
    pub(super) fn not_found(object: &str, id: &str) -> Self {
        Self { status: 404, ..Self::no_such(object, id, "id") }
    }

    pub(super) fn no_url(method: &str, path: &str) -> Self {
        let why = format!(
            "Unrecognized request URL ({method}: {path}). Please see https://stripe.com/docs or we can help at \
             https://support.stripe.com/."
        );
        Self { status: 404, ..Self::invalid(why) }
    }

    /// An idempotency key of another request.
    pub(super) fn key_reused(message: String) -> Self {
        Self { kind: "idempotency_error", ..Self::invalid(message) }
    }

    /// An idempotency key of a request in progress.
    pub(super) fn key_in_use() -> Self {
        let why = "There is currently another in-progress request using this Idempotency-Key (that probably means \
                   you submitted twice, and the other request is still going through): retry it later.";
        let error = Self { status: 409, kind: "idempotency_error", ..Self::invalid(why) };
        Self { code: Some("idempotency_key_in_use"), ..error }
    }

    pub(super) fn rate_limited() -> Self {
        let error = Self { status: 429, ..Self::invalid("Too many requests hit the API too quickly.") };
        Self { code: Some("rate_limit"), ..error }
    }

    pub(super) fn internal() -> Self {
        Self { status: 500, kind: "api_error", ..Self::invalid("An unknown error occurred (sandbox).") }
    }

    /// The HTTP response.
    pub(super) fn response(&self) -> Response {
        let mut error = Map::new();
        let mut add = |name: &str, value: Value| error.insert(name.to_owned(), value);
        add("type", json!(self.kind));
        add("message", json!(self.message));
        if let Some(code) = self.code {
            add("code", json!(code));
            add("doc_url", json!(format!("https://stripe.com/docs/error-codes/{}", code.replace('_', "-"))));
        }
        if let Some(param) = &self.param {
            add("param", json!(param));
        }
        Response::json(self.status, &json!({ "error": error }))
    }
}
