//! Refusals in the platform's forms.
//!
//! LinkedIn API guide: "Error Handling"; Marketing API: "Error Responses" (the newer schema with
//! `errorDetails`), "Versioning". What the Rest.li layer refuses before a service sees it has the
//! form of its schema validation, status 422.

use serde_json::{Value, json};

use crate::http::Reply;

const BAD_REQUEST: &str = "com.linkedin.common.error.BadRequest";

/// One thing that is wrong with what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputError {
    pub(crate) code: &'static str,
    /// `/dailyBudget/amount` in a body, the bare name of a query parameter.
    pub(crate) path: String,
    pub(crate) description: String,
}

impl InputError {
    pub(crate) fn new(code: &'static str, path: &str, description: impl Into<String>) -> Self {
        Self { code, path: path.to_owned(), description: description.into() }
    }

    /// A value that may not be, where the platform has no code of its own for it.
    pub(crate) fn value(path: &str, description: impl Into<String>) -> Self {
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

/// 400 with everything that is wrong.
pub(crate) fn inputs(errors: &[InputError]) -> Reply {
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
    Reply::json(400, &body)
}

/// A query parameter with a value that cannot be.
pub(crate) fn param(name: &str, why: impl Into<String>) -> Reply {
    inputs(&[InputError::new("PARAM_INVALID", name, why)])
}

/// A query parameter that the method does not have.
pub(crate) fn unknown_param(name: &str) -> Reply {
    inputs(&[InputError::new("QUERY_PARAM_NOT_ALLOWED", name, "Invalid query parameters passed to request")])
}

/// A body that is not what the schema of the resource says.
pub(crate) fn schema(path: &str, why: &str) -> Reply {
    Reply::json(422, &json!({ "message": format!("ERROR :: {path} :: {why}\n"), "status": 422 }))
}

/// A refusal that is not about a field.
pub(crate) fn refused(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(status, &json!({ "status": status, "code": code, "message": message }))
}

/// The same with a number of its own.
pub(crate) fn numbered(status: u16, service_code: u32, code: &str, message: &str) -> Reply {
    let body = json!({ "status": status, "serviceErrorCode": service_code, "code": code, "message": message });
    Reply::json(status, &body)
}

pub(crate) fn denied(what: &str) -> Reply {
    numbered(403, 100, "ACCESS_DENIED", &format!("Not enough permissions to access: {what}"))
}

pub(crate) fn not_found() -> Reply {
    refused(404, "NOT_FOUND", "Not Found.")
}

/// An address that is none, or that is not imitated.
pub(crate) fn nowhere(path: &str) -> Reply {
    refused(404, "RESOURCE_NOT_FOUND", &format!("No virtual resource found for {path}"))
}
