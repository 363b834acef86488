//! Error responses in the platform's forms.
//!
//! LinkedIn API guide: "Error Handling"; Marketing API: "Error Responses" (the newer schema with
//! `errorDetails`), "Versioning". The Rest.li layer validates the schema before the service and responds with 422
//! in its own form.

use crate::http::Response;
use serde_json::{Value, json};

const BAD_REQUEST: &str = "com.linkedin.common.error.BadRequest";

/// One invalid field or parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputError {
    pub(crate) code: &'static str,
    /// A path in the body such as `/dailyBudget/amount`, or the name of a query parameter.
    pub(crate) path: String,
    pub(crate) description: String,
}

impl InputError {
    pub(crate) fn new(code: &'static str, path: &str, description: impl Into<String>) -> Self {
        Self { code, path: path.to_owned(), description: description.into() }
    }

    /// An invalid value without an error code of its own.
    pub(crate) fn invalid(path: &str, description: impl Into<String>) -> Self {
        Self::new("INVALID_VALUE", path, description)
    }

    pub(crate) fn missing(path: &str) -> Self {
        Self::new("MISSING_FIELD", path, format!("Field {path} is required but missing in the request"))
    }

    fn json(&self) -> Value {
        json!({
            "code": self.code,
            "description": self.description,
            "input": { "inputPath": { "fieldPath": self.path } },
        })
    }
}

/// 400 with every invalid field.
pub(crate) fn input_errors(errors: &[InputError]) -> Response {
    let (code, message) = match errors {
        [one] => (one.code, one.description.as_str()),
        _ => ("MULTIPLE_VALIDATIONS_FAILED", "Multiple errors occurred during the input validation."),
    };
    let body = json!({
        "message": message,
        "status": 400,
        "code": code,
        "errorDetailType": BAD_REQUEST,
        "errorDetails": { "inputErrors": errors.iter().map(InputError::json).collect::<Vec<_>>() },
    });
    Response::json(400, &body)
}

/// An invalid value of a query parameter.
pub(crate) fn invalid_param(name: &str, why: impl Into<String>) -> Response {
    input_errors(&[InputError::new("PARAM_INVALID", name, why)])
}

/// A query parameter that the method does not accept.
pub(crate) fn unknown_param(name: &str) -> Response {
    input_errors(&[InputError::new("QUERY_PARAM_NOT_ALLOWED", name, "Invalid query parameters passed to request")])
}

/// A body that does not match the schema of the resource.
pub(crate) fn schema_error(path: &str, why: &str) -> Response {
    Response::json(422, &json!({ "message": format!("ERROR :: {path} :: {why}\n"), "status": 422 }))
}

/// An error that is not about a field.
pub(crate) fn error_response(status: u16, code: &str, message: &str) -> Response {
    Response::json(status, &json!({ "status": status, "code": code, "message": message }))
}

/// An error with a `serviceErrorCode`.
pub(crate) fn service_error(status: u16, service_code: u32, code: &str, message: &str) -> Response {
    let body = json!({ "status": status, "serviceErrorCode": service_code, "code": code, "message": message });
    Response::json(status, &body)
}

pub(crate) fn access_denied(what: &str) -> Response {
    service_error(403, 100, "ACCESS_DENIED", &format!("Not enough permissions to access: {what}"))
}

pub(crate) fn not_found() -> Response {
    error_response(404, "NOT_FOUND", "Not Found.")
}

/// A path that the platform does not have, or that the sandbox does not support.
pub(crate) fn unknown_resource(path: &str) -> Response {
    error_response(404, "RESOURCE_NOT_FOUND", &format!("No virtual resource found for {path}"))
}
