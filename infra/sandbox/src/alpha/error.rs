//! Refusals in the form of the Google Ads API.
//!
//! Google Ads API: Understand API errors; the codes and their groups are those of the error
//! reference pages of v26.

use serde_json::{Map, Value, json};

use crate::http::Reply;

/// Group and value: `("campaignError", "DUPLICATE_CAMPAIGN_NAME")`.
pub(crate) type Code = (&'static str, &'static str);

/// One step to the field that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) index: Option<usize>,
}

/// One error of a `GoogleAdsFailure`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AdsError {
    pub(crate) code: Code,
    /// Boxed, so that results stay small on the way up.
    rest: Box<Rest>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rest {
    message: String,
    trigger: Option<String>,
    path: Vec<Step>,
    details: Option<Value>,
}

impl AdsError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        let rest = Rest { message: message.into(), trigger: None, path: Vec::new(), details: None };
        Self { code, rest: Box::new(rest) }
    }

    /// A required field that is not there.
    pub(crate) fn required(field: &str) -> Self {
        Self::new(("fieldError", "REQUIRED"), "The required field was not present.").at(field)
    }

    /// Where: a dotted path from the resource on.
    #[must_use]
    pub(crate) fn at(mut self, field: &str) -> Self {
        let steps = field.split('.').map(|name| Step { name: name.to_owned(), index: None });
        self.rest.path = steps.collect();
        self
    }

    /// What set it off.
    #[must_use]
    pub(crate) fn on(mut self, trigger: impl Into<String>) -> Self {
        self.rest.trigger = Some(trigger.into());
        self
    }

    #[must_use]
    pub(crate) fn with_details(mut self, details: Value) -> Self {
        self.rest.details = Some(details);
        self
    }

    /// The way from the request to the resource, put before the path.
    #[must_use]
    pub(crate) fn under(mut self, steps: &[Step]) -> Self {
        self.rest.path.splice(0..0, steps.iter().cloned());
        self
    }

    /// Only what is there, as proto3 JSON has it.
    pub(crate) fn json(&self) -> Value {
        let mut error = Map::new();
        error.insert("errorCode".to_owned(), json!({ self.code.0: self.code.1 }));
        error.insert("message".to_owned(), json!(self.rest.message));
        if let Some(trigger) = &self.rest.trigger {
            error.insert("trigger".to_owned(), json!({ "stringValue": trigger }));
        }
        if !self.rest.path.is_empty() {
            let steps = self.rest.path.iter().map(|step| match step.index {
                Some(index) => json!({ "fieldName": step.name, "index": index }),
                None => json!({ "fieldName": step.name }),
            });
            let steps: Vec<Value> = steps.collect();
            error.insert("location".to_owned(), json!({ "fieldPathElements": steps }));
        }
        if let Some(details) = &self.rest.details {
            error.insert("details".to_owned(), details.clone());
        }
        Value::Object(error)
    }

    /// `operations[0].create.name`, as messages show it.
    pub(crate) fn place(&self) -> String {
        let steps = self.rest.path.iter().map(|step| match step.index {
            Some(index) => format!("{}[{index}]", step.name),
            None => step.name.clone(),
        });
        steps.collect::<Vec<_>>().join(".")
    }

    pub(crate) fn message(&self) -> &str {
        &self.rest.message
    }
}

/// Canonical status, its HTTP status, and the message Google puts over its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    InvalidArgument,
    Unauthenticated,
    PermissionDenied,
    ResourceExhausted,
    Internal,
}

impl Status {
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

/// A field or value that the JSON parser did not take, before any service saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) field: String,
    pub(crate) description: String,
}

/// Every way in which the API refuses.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// From the Google Ads services.
    Ads(Status, Vec<AdsError>),
    /// From the JSON parser in front of them.
    Json(Vec<Violation>),
    /// From the gate in front of both: status, message and reason.
    Gate(Status, &'static str, &'static str),
    /// No such address.
    NotFound,
    /// The real platform may take this; the sandbox says that it does not imitate it.
    Unimitated(String),
}

impl Failure {
    pub(crate) fn one(status: Status, error: AdsError) -> Self {
        Self::Ads(status, vec![error])
    }

    pub(crate) fn invalid(code: Code, message: impl Into<String>) -> Self {
        Self::one(Status::InvalidArgument, AdsError::new(code, message))
    }

    /// The HTTP answer, for a version of the API such as `v26`.
    pub(crate) fn reply(&self, version: &str, request_id: &str) -> Reply {
        let (status, body) = match self {
            Self::Ads(status, errors) => {
                let (http, name, message) = status.parts();
                (http, envelope(http, name, message, Some(failure(errors, version, request_id))))
            }
            Self::Json(violations) => {
                let lines: Vec<_> = violations.iter().map(|one| one.description.as_str()).collect();
                (400, envelope(400, "INVALID_ARGUMENT", &lines.join("\n"), Some(bad_request(violations))))
            }
            Self::Gate(status, message, reason) => {
                let (http, name, _) = status.parts();
                (http, envelope(http, name, message, Some(error_info(reason))))
            }
            Self::Unimitated(what) => {
                let message = format!("The sandbox does not imitate {what}.");
                (501, envelope(501, "UNIMPLEMENTED", &message, None))
            }
            Self::NotFound => return not_found(),
        };
        Reply::json(status, &body).with("request-id", request_id)
    }
}

fn envelope(code: u16, status: &str, message: &str, detail: Option<Value>) -> Value {
    let mut error = json!({ "code": code, "message": message, "status": status });
    if let Some(detail) = detail {
        error["details"] = json!([detail]);
    }
    json!({ "error": error })
}

/// The detail that holds the errors of the services.
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

/// Google's front end answers an address that it does not know with a page, not with JSON.
fn not_found() -> Reply {
    let page = "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n\
                <title>Error 404 (Not Found)!!1</title>\n<p><b>404.</b> <ins>That’s an error.</ins>\n\
                <p>The requested URL was not found on this server.\n";
    Reply::new(404, "text/html; charset=UTF-8", page)
}
