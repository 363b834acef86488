//! The one form of every answer: HTTP 200 with `code`, `message`, `request_id` and `data`; what
//! went wrong is told by `code` alone.
//!
//! TikTok API for Business v1.3: "Return codes".

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::http::Reply;
use crate::oauth::random;

pub(crate) const NO_PERMISSION: u32 = 40001;
/// A parameter is missing or wrong; only the message says which.
pub(crate) const PARAMETER: u32 = 40002;
pub(crate) const NO_SUCH_OBJECT: u32 = 40007;
pub(crate) const NO_UPDATE: u32 = 40012;
pub(crate) const DUPLICATE_REQUEST: u32 = 40050;
pub(crate) const TOO_FREQUENT: u32 = 40100;
/// App id and secret do not belong together; by a quirk an auth code that is none.
pub(crate) const WRONG_APP: u32 = 40101;
pub(crate) const TOKEN_EXPIRED: u32 = 40102;
pub(crate) const TOKEN_EMPTY: u32 = 40104;
pub(crate) const TOKEN_INVALID: u32 = 40105;
pub(crate) const AUTH_CODE: u32 = 40110;
pub(crate) const NO_SUCH_ADVERTISER: u32 = 40300;
pub(crate) const SYSTEM: u32 = 50000;

/// Why a call was not done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: u32,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: u32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A parameter that is wrong, named in front of the reason.
    pub(crate) fn at(field: &str, why: &str) -> Self {
        Self::new(PARAMETER, format!("{field}: {why}"))
    }

    /// A required parameter that is not there.
    pub(crate) fn missing(field: &str) -> Self {
        Self::at(field, "Missing data for required field.")
    }

    pub(crate) fn reply(&self) -> Reply {
        envelope(self.code, &self.message, &Data::Plain(json!({})))
    }
}

/// A value of a row. An amount is a JSON number with the digits that it has: it never passes
/// through floating point.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Cell {
    Amount(Box<RawValue>),
    Plain(Value),
}

pub(crate) type Row = BTreeMap<&'static str, Cell>;

/// Where in a list an answer is: always these four.
#[derive(Debug, Serialize)]
pub(crate) struct PageInfo {
    pub(crate) page: usize,
    pub(crate) page_size: usize,
    pub(crate) total_number: usize,
    pub(crate) total_page: usize,
}

/// What stands under `data`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Data {
    Plain(Value),
    Row(Row),
    Page { list: Vec<Row>, page_info: PageInfo },
}

impl Data {
    pub(crate) fn reply(&self) -> Reply {
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

fn envelope(code: u32, message: &str, data: &Data) -> Reply {
    let envelope = Envelope { code, message, request_id: random(), data };
    match serde_json::to_string(&envelope) {
        Ok(text) => Reply::new(200, "application/json", text),
        Err(error) => Reply::new(500, "text/plain", format!("the sandbox itself failed: {error}")),
    }
}

/// What the gateway says of a path that is none, the slash at the end included.
pub(crate) fn no_such_path() -> Reply {
    let page = "<html>\n<head><title>404 Not Found</title></head>\n<body><h1>404 Not Found</h1></body>\n</html>\n";
    Reply::new(404, "text/html", page)
}
