//! The response envelope: HTTP 200 with `code`, `message`, `request_id` and `data`.
//!
//! TikTok API for Business v1.3: "Return codes". Errors use the envelope too, with a nonzero `code`.

use crate::http::Response;
use crate::oauth::random_token;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A value of a row.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum FieldValue {
    /// A JSON number with its exact digits. It never passes through floating point.
    Amount(Box<RawValue>),
    Plain(Value),
}

pub(crate) type Row = BTreeMap<&'static str, FieldValue>;

/// Position in a list. Every list has all four fields.
#[derive(Debug, Serialize)]
pub(crate) struct PageInfo {
    pub(crate) page: usize,
    pub(crate) page_size: usize,
    pub(crate) total_number: usize,
    pub(crate) total_page: usize,
}

/// The `data` of a response.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Data {
    Plain(Value),
    Row(Row),
    Page { list: Vec<Row>, page_info: PageInfo },
}

impl Data {
    pub(crate) fn response(&self) -> Response {
        envelope(0, "OK", self)
    }
}

#[derive(Serialize)]
struct Envelope<'a> {
    code: u32,
    message: &'a str,
    request_id: String,
    data: &'a Data,
}

/// Wraps a return code and its data.
pub(crate) fn envelope(code: u32, message: &str, data: &Data) -> Response {
    let envelope = Envelope { code, message, request_id: random_token(), data };
    match serde_json::to_string(&envelope) {
        Ok(text) => Response::new(200, "application/json", text),
        Err(error) => Response::new(500, "text/plain", format!("the sandbox itself failed: {error}")),
    }
}

/// TikTok's gateway responds to an unknown path, and a path without its trailing slash, with an HTML page.
pub(crate) fn path_not_found() -> Response {
    let page = "<html>\n<head><title>404 Not Found</title></head>\n<body><h1>404 Not Found</h1></body>\n</html>\n";
    Response::new(404, "text/html", page)
}
