//! Responses to agents: JSON-RPC messages of the Model Context Protocol (MCP). `functions/mcp` makes them.

use super::Reply;
use super::error_response::status_of;
use super::response::{empty, json_text};
use crate::domain::Platform;
use crate::error::Error;
use http::{Response, StatusCode};
use lambda_http::Body;

/// The scheme of `Authorization` that carries the key of an agent (RFC 6750).
pub const BEARER: &str = "Bearer";

/// A response to an agent.
#[derive(Debug)]
pub struct RpcReply {
    /// The status of the response.
    pub status: StatusCode,
    /// The JSON-RPC message; `None` for a response without a body.
    pub message: Option<String>,
    /// The status that the API has given a tool. A refused call is a successful response.
    pub answered: StatusCode,
    /// The platform of the call, if it is about exactly one.
    pub platform: Option<Platform>,
}

impl RpcReply {
    /// A response whose status says all.
    pub fn new(status: StatusCode, message: Option<String>) -> RpcReply {
        RpcReply { status, message, answered: status, platform: None }
    }

    pub(super) fn response(&self) -> Response<Body> {
        match &self.message {
            Some(message) => json_text(self.status, message.clone()),
            None => empty(self.status),
        }
    }
}

/// The status of an outcome: for a tool that of the API, and for any other the response's own.
pub fn answered(outcome: &Result<Reply, Error>, response: &Response<Body>) -> StatusCode {
    match outcome {
        Ok(Reply::Rpc(reply)) => reply.answered,
        Ok(_) => response.status(),
        Err(error) => status_of(error.kind),
    }
}
