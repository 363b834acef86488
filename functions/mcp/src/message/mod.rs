//! Reads a message of an agent: JSON-RPC 2.0, in one of two eras of the Model Context Protocol (MCP).
//!
//! Since 2026-07-28 each message names its version and client in `_meta`, and three headers repeat parts of the body.
//! Before, a client begins with `initialize`. This service keeps no session for either.

use crate::rpc::{Id, RpcError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::envelope::{canonical_json, read_members};

/// The version of the protocol whose messages describe themselves.
pub(crate) const SELF_DESCRIBING: &str = "2026-07-28";
/// The versions whose clients begin with `initialize`, the newest first.
pub(crate) const WITH_HANDSHAKE: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// How a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProtocolStyle {
    /// Each message describes itself.
    SelfDescribing,
    /// The client has begun with `initialize`, or does so now.
    Handshake,
}

/// The headers that repeat parts of a message. An empty value is a repeated header.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageHeaders {
    /// `MCP-Protocol-Version`.
    pub(crate) version: Option<String>,
    /// `Mcp-Method`.
    pub(crate) method: Option<String>,
    /// `Mcp-Name`: the tool of a call.
    pub(crate) name: Option<String>,
}

/// A message.
#[derive(Debug)]
pub(crate) enum Message {
    /// It needs no response.
    Notification,
    Request(Request),
}

/// A message that needs a response.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: Id,
    pub(crate) style: ProtocolStyle,
    pub(crate) method: String,
    /// The parameters as sent: a JSON object.
    pub(crate) params: String,
}

#[derive(Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

/// Reads a message. A text that repeats a member of an object is no message: readers would take different ones.
pub(crate) fn read(body: &[u8], headers: &MessageHeaders) -> Result<Message, RpcError> {
    let text =
        std::str::from_utf8(body).ok().filter(|text| canonical_json(text).is_some()).ok_or_else(RpcError::parse)?;
    let invalid = |what: &str| RpcError::invalid_request(what);
    let members = read_members(text).map_err(|_| invalid("The body must be one JSON object."))?;
    let part = |name: &str| members.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let id = part("id").map(|id| Id::parse(id.get()).ok_or_else(|| invalid("id must be a text or a whole number.")));
    let id = id.transpose()?;
    let of_message = |error: RpcError| error.for_id(id.as_ref());
    if string(part("jsonrpc")).as_deref() != Some("2.0") {
        return Err(of_message(invalid("jsonrpc must be \"2.0\".")));
    }
    let method = string(part("method")).ok_or_else(|| of_message(invalid("method must be a text.")))?;
    let Some(id) = id.clone() else { return Ok(Message::Notification) };
    let params = part("params").map_or("{}", RawValue::get);
    let style = style(&method, params, headers).map_err(|error| error.for_id(Some(&id)))?;
    Ok(Message::Request(Request { id, style, method, params: params.to_owned() }))
}

/// The style of a message. It comes from the message; the headers must agree.
fn style(method: &str, params: &str, headers: &MessageHeaders) -> Result<ProtocolStyle, RpcError> {
    let read: Params<'_> =
        serde_json::from_str(params).map_err(|_| RpcError::invalid_params("params must be an object."))?;
    let meta = read.meta.and_then(|meta| serde_json::from_str::<Meta<'_>>(meta.get()).ok()).unwrap_or_default();
    let header = headers.version.as_deref();
    match (string(meta.version), header) {
        (None, Some(SELF_DESCRIBING)) => {
            Err(RpcError::invalid_params("_meta must have io.modelcontextprotocol/protocolVersion, as the header has."))
        }
        (None, Some(version)) if !WITH_HANDSHAKE.contains(&version) => Err(RpcError::unsupported_version(version)),
        (None, _) => Ok(ProtocolStyle::Handshake),
        (Some(version), header) if header != Some(&version) => {
            Err(RpcError::header_mismatch("MCP-Protocol-Version", "the protocolVersion of _meta"))
        }
        (Some(version), _) if version != SELF_DESCRIBING => Err(RpcError::unsupported_version(&version)),
        (Some(_), _) if !meta.capabilities.is_some_and(|capabilities| capabilities.get().starts_with('{')) => {
            Err(RpcError::invalid_params("_meta must have io.modelcontextprotocol/clientCapabilities, an object."))
        }
        (Some(_), _) => check_repeated_headers(method, read.name, headers).map(|()| ProtocolStyle::SelfDescribing),
    }
}

/// The headers must repeat the method, and the name of a tool.
fn check_repeated_headers(method: &str, name: Option<&RawValue>, headers: &MessageHeaders) -> Result<(), RpcError> {
    if headers.method.as_deref() != Some(method) {
        return Err(RpcError::header_mismatch("Mcp-Method", "method"));
    }
    if method == "tools/call" && headers.name.as_deref().and_then(decoded) != string(name) {
        return Err(RpcError::header_mismatch("Mcp-Name", "params.name"));
    }
    Ok(())
}

/// The value of a header that may be encoded, as one with other characters than ASCII is.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// A member that is a text.
pub(crate) fn string(value: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(value?.get()).ok()
}

#[cfg(test)]
mod tests;
