//! The answer of a tool: a JSON object, twice in a result, as data and as a text.

use crate::json::for_agents;
use crate::message::ProtocolStyle;
use crate::object::{Object, json_text, object};
use crate::rpc::{Id, raw, result};
use lambda_http::http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use shared::domain::Platform;
use shared::envelope::RpcReply;
use shared::error::Error;

/// Largest answer in bytes: it stays in the context of an agent.
pub(crate) const MAX_ANSWER: usize = 8 * 1024;
/// A token is valid for so many seconds.
const TOKEN_LIFETIME: u64 = 600;
/// The members of an error that an agent has no use for.
const UNUSED: [&str; 3] = ["timestamp", "retryable", "request_id"];

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct Answer {
    /// A JSON object, as [`for_agents`] makes it.
    json: String,
    is_error: bool,
    /// The status that the API has given.
    status: StatusCode,
}

/// Why a tool has no answer of its own.
pub(crate) enum ToolError {
    /// The API has refused a request.
    Refused(Answer),
    Failed(Error),
}

impl From<Error> for ToolError {
    fn from(error: Error) -> ToolError {
        ToolError::Failed(error)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'a> {
    content: [Text<'a>; 1],
    structured_content: &'a RawValue,
    is_error: bool,
}

#[derive(Serialize)]
struct Text<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

impl Answer {
    /// A success.
    pub(crate) fn success(json: &str) -> Answer {
        Answer { json: for_agents(json), is_error: false, status: StatusCode::OK }
    }

    /// An error in the flat shape of the API, with what the agent can do next.
    pub(crate) fn refusal(status: StatusCode, error: &str) -> Answer {
        let error = Object::parse(error).unwrap_or_default();
        let known = error.members().filter(|(name, _)| !UNUSED.contains(name));
        let mut members: Vec<(&str, String)> = known.map(|(name, json)| (name, json.to_owned())).collect();
        if !error.has("code") {
            members.push(("error", json_text("The service has answered something that cannot be read.")));
            members.push(("code", json_text("INTERNAL_ERROR")));
        }
        members.push(("next", json_text(&next_step(status, &error))));
        // For the operator's log.
        if status.is_server_error()
            && let Some(id) = error.json("request_id")
        {
            members.push(("request_id", id.to_owned()));
        }
        Answer { json: for_agents(&object(members)), is_error: true, status }
    }

    /// The size in bytes. A result has it twice.
    pub(crate) fn size(&self) -> usize {
        self.json.len()
    }

    /// The response.
    pub(crate) fn reply(self, id: &Id, style: ProtocolStyle, platform: Option<Platform>) -> RpcReply {
        let text = [Text { kind: "text", text: &self.json }];
        let structured = raw(self.json.clone());
        let content = ToolResult { content: text, structured_content: &structured, is_error: self.is_error };
        RpcReply { answered: self.status, platform, ..result(id, style, &content) }
    }
}

/// What an agent can do after an error. The message says what has happened.
fn next_step(status: StatusCode, error: &Object<'_>) -> String {
    const AGAIN: &str = "call the same tool again with the same arguments, also with the same confirm_token";
    let text = match error.text("code").as_deref() {
        _ if error.has("spending_limit") => {
            "Tell the person what the limit allows (get_limits). Do not split the change to get around it."
        }
        Some("RATE_LIMITED" | "RATE_LIMIT_EXCEEDED") => {
            let seconds = error.json("retry_after").and_then(|wait| wait.parse().ok()).unwrap_or(1);
            let then = if seconds < TOKEN_LIFETIME { AGAIN } else { "preview the change again" };
            return format!("Wait {seconds} seconds, then {then}.");
        }
        _ if error.json("retryable") == Some("true") => {
            return format!("To try again, {AGAIN}: a change is made once.");
        }
        Some("VALIDATION_ERROR" | "NOT_SUPPORTED") => "Correct the fields in details, and call the tool again.",
        Some("NOT_FOUND") => {
            "The ids are those of list_accounts (conn_…), list_campaigns, and the answers of changes (chg_…)."
        }
        Some("CONFLICT") => "Read the campaign (get_campaign) and preview again what is still right.",
        Some("TOKEN_EXPIRED") => {
            "Ask the person to connect the ad account again, on the dashboard's page \"Connections\"."
        }
        Some("PLATFORM_ERROR") if status == StatusCode::BAD_GATEWAY || status == StatusCode::GATEWAY_TIMEOUT => {
            "Read the campaign (get_campaign) to see what is true now, before you preview another change."
        }
        Some("PLATFORM_ERROR") => "The platform has refused it: change the arguments, and preview again.",
        _ => "Read the message. Do not repeat the call unchanged.",
    };
    text.to_owned()
}
