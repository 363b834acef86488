//! JSON-RPC 2.0: ids, results and errors.

use crate::message::{ProtocolStyle, SELF_DESCRIBING, WITH_HANDSHAKE};
use lambda_http::http::StatusCode;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use shared::envelope::RpcReply;

/// The id of a request, as sent: a JSON text or a whole number.
#[derive(Clone, Debug)]
pub(crate) struct Id(Box<RawValue>);

impl Id {
    /// Parses the JSON of an id. `None` for anything else, such as a fraction.
    pub(crate) fn parse(json: &str) -> Option<Id> {
        let is_number =
            !json.is_empty() && json.strip_prefix('-').unwrap_or(json).bytes().all(|byte| byte.is_ascii_digit());
        let is_id = is_number || serde_json::from_str::<String>(json).is_ok();
        if is_id { RawValue::from_string(json.to_owned()).ok().map(Id) } else { None }
    }
}

/// A message that cannot be answered with a result.
#[derive(Debug)]
pub(crate) struct RpcError {
    id: Option<Id>,
    /// The status, if the client speaks the protocol in which each message describes itself, or if the style is not known.
    status: StatusCode,
    code: i32,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    fn new(status: StatusCode, code: i32, message: impl Into<String>) -> RpcError {
        RpcError { id: None, status, code, message: message.into(), data: None }
    }

    /// The body is not JSON, or ambiguous.
    pub(crate) fn parse() -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, -32700, "The body is not JSON, or an object in it repeats a member.")
    }

    /// The body is JSON, but no message.
    pub(crate) fn invalid_request(message: impl Into<String>) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, -32600, message)
    }

    pub(crate) fn unknown_method() -> RpcError {
        let message = "There is no such method. The methods are server/discover, tools/list and tools/call, and for older \
                       clients initialize and ping.";
        RpcError::new(StatusCode::NOT_FOUND, -32601, message)
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, -32602, message)
    }

    /// A header does not repeat what the body says.
    pub(crate) fn header_mismatch(header: &str, part: &str) -> RpcError {
        let message = format!("The header {header} must be sent once, with the same value as {part}.");
        RpcError::new(StatusCode::BAD_REQUEST, -32020, message)
    }

    pub(crate) fn unsupported_version(requested: &str) -> RpcError {
        let data = json!({ "supported": supported_versions(), "requested": requested });
        let message = "This version of the protocol is not supported.";
        RpcError { data: Some(data), ..RpcError::new(StatusCode::BAD_REQUEST, -32022, message) }
    }

    /// The same error for the request with an id.
    pub(crate) fn for_id(self, id: Option<&Id>) -> RpcError {
        RpcError { id: id.cloned(), ..self }
    }

    /// The same error for a request. Older clients read only the message of a successful response.
    pub(crate) fn to(self, id: &Id, style: ProtocolStyle) -> RpcError {
        let status = if style == ProtocolStyle::Handshake { StatusCode::OK } else { self.status };
        RpcError { status, ..self.for_id(Some(id)) }
    }

    /// The response.
    pub(crate) fn reply(&self) -> RpcReply {
        let error = ErrorBody { code: self.code, message: &self.message, data: self.data.as_ref() };
        let body = ErrorMessage { jsonrpc: "2.0", id: self.id.as_ref().map(|id| &*id.0), error };
        RpcReply { answered: StatusCode::BAD_REQUEST, ..RpcReply::new(self.status, serde_json::to_string(&body).ok()) }
    }
}

/// All versions of the protocol that this service speaks, the newest first.
pub(crate) fn supported_versions() -> Vec<&'static str> {
    [&[SELF_DESCRIBING][..], &WITH_HANDSHAKE].concat()
}

#[derive(Serialize)]
struct ErrorMessage<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
}

#[derive(Serialize)]
struct ResultMessage<'a, T> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: ResultBody<T>,
}

#[derive(Serialize)]
struct ResultBody<T> {
    /// Absent for older clients, as is `_meta`.
    #[serde(rename = "resultType", skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(flatten)]
    content: T,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

/// The response with a result, an object.
pub(crate) fn result(id: &Id, style: ProtocolStyle, content: &impl Serialize) -> RpcReply {
    let is_described = style == ProtocolStyle::SelfDescribing;
    let meta = is_described.then(|| json!({ "io.modelcontextprotocol/serverInfo": server_info() }));
    let result = ResultBody { result_type: is_described.then_some("complete"), content, meta };
    RpcReply::new(StatusCode::OK, serde_json::to_string(&ResultMessage { jsonrpc: "2.0", id: &id.0, result }).ok())
}

/// The response to a notification.
pub(crate) fn accepted() -> RpcReply {
    RpcReply::new(StatusCode::ACCEPTED, None)
}

/// What this service calls itself.
pub(crate) fn server_info() -> Value {
    json!({ "name": "unified-ads", "title": "Unified Ads", "version": env!("CARGO_PKG_VERSION") })
}

/// A JSON text as a value that is passed on.
pub(crate) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).or_else(|_| to_raw_value(&())).unwrap_or_default()
}
