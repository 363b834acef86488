//! Failed requests and their responses.
//!
//! Google Ads API: Understand API errors.

use super::error::{AdsError, ErrorCode};
use crate::http::Response;
use serde_json::{Value, json};

/// A canonical status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    InvalidArgument,
    Unauthenticated,
    PermissionDenied,
    ResourceExhausted,
    Internal,
}

impl Status {
    /// HTTP status, name, and Google's generic message.
    fn parts(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::InvalidArgument => (400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
            Self::Unauthenticated => (
                401,
                "UNAUTHENTICATED",
                "Request had invalid authentication credentials. Expected OAuth 2 access token, \
                 login cookie or other valid authentication credential.",
            ),
            Self::PermissionDenied => (403, "PERMISSION_DENIED", "The caller does not have permission"),
            Self::ResourceExhausted => (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
            Self::Internal => (500, "INTERNAL", "Internal error encountered."),
        }
    }
}

/// A field or value that the JSON parser rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) field: String,
    pub(crate) description: String,
}

/// The reason why a request fails.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// Errors of the Google Ads services.
    Ads(Status, Vec<AdsError>),
    /// Errors of the JSON parser, which runs before the services.
    Json(Vec<Violation>),
    /// An error of Google's API gateway, which runs first: status, message and reason.
    Gateway(Status, &'static str, &'static str),
    /// Unknown path.
    NotFound,
    /// A feature that Google has and the sandbox does not support.
    Unsupported(String),
}

impl Failure {
    pub(crate) fn one(status: Status, error: AdsError) -> Self {
        Self::Ads(status, vec![error])
    }

    pub(crate) fn invalid(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::one(Status::InvalidArgument, AdsError::new(code, message))
    }

    /// The HTTP response. `version` is the API's, such as `v26`.
    pub(crate) fn response(&self, version: &str, request_id: &str) -> Response {
        let (status, body) = match self {
            Self::Ads(status, errors) => {
                let (http, name, message) = status.parts();
                (http, envelope(http, name, message, Some(failure(errors, version, request_id))))
            }
            Self::Json(violations) => {
                let lines: Vec<_> = violations.iter().map(|one| one.description.as_str()).collect();
                (400, envelope(400, "INVALID_ARGUMENT", &lines.join("\n"), Some(bad_request(violations))))
            }
            Self::Gateway(status, message, reason) => {
                let (http, name, _) = status.parts();
                (http, envelope(http, name, message, Some(error_info(reason))))
            }
            Self::Unsupported(feature) => {
                let message = format!("The sandbox does not imitate {feature}.");
                (501, envelope(501, "UNIMPLEMENTED", &message, None))
            }
            Self::NotFound => return not_found(),
        };
        Response::json(status, &body).with("request-id", request_id)
    }
}

fn envelope(code: u16, status: &str, message: &str, detail: Option<Value>) -> Value {
    let mut error = json!({ "code": code, "message": message, "status": status });
    if let Some(detail) = detail {
        error["details"] = json!([detail]);
    }
    json!({ "error": error })
}

/// The `GoogleAdsFailure` detail.
pub(crate) fn failure(errors: &[AdsError], version: &str, request_id: &str) -> Value {
    json!({
        "@type": format!("type.googleapis.com/google.ads.googleads.{version}.errors.GoogleAdsFailure"),
        "errors": errors.iter().map(AdsError::json).collect::<Vec<_>>(),
        "requestId": request_id,
    })
}

fn bad_request(violations: &[Violation]) -> Value {
    let fields = violations.iter().map(|violation| {
        let mut entry = json!({ "description": violation.description });
        if !violation.field.is_empty() {
            entry["field"] = json!(violation.field);
        }
        entry
    });
    json!({
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": fields.collect::<Vec<_>>(),
    })
}

fn error_info(reason: &str) -> Value {
    json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "googleapis.com",
        "metadata": { "service": "googleads.googleapis.com" },
    })
}

/// Google's gateway responds to an unknown path with an HTML page, not with JSON.
fn not_found() -> Response {
    let page = "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n\
                <title>Error 404 (Not Found)!!1</title>\n<p><b>404.</b> <ins>That’s an error.</ins>\n\
                <p>The requested URL was not found on this server.\n";
    Response::new(404, "text/html; charset=UTF-8", page)
}
