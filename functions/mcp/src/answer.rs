//! The answer of a tool: a JSON object, twice in a result, as data and as a text.

use crate::arguments::quoted;
use crate::json::for_agents;
use crate::message::Era;
use crate::rpc::{Id, raw, result};
use lambda_http::http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use shared::domain::Platform;
use shared::envelope::{RpcReply, read_members};
use std::time::Duration;

/// Largest answer in bytes: it stays in the context of an agent.
pub(crate) const MAX_ANSWER: usize = 8 * 1024;

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct Answer {
    /// A JSON object, as [`for_agents`] makes it.
    json: String,
    is_error: bool,
    /// The status that the API has given.
    status: StatusCode,
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

    /// An error in the flat shape of the API, with what the agent can do next. `wait` is that of `Retry-After`.
    pub(crate) fn refusal(status: StatusCode, error: &str, wait: Option<Duration>) -> Answer {
        let wait = wait.map(seconds);
        let next = next_step(status, error, wait);
        let added = wait.map(|wait| format!(",\"retry_after\":{wait}")).unwrap_or_default();
        let json = match error.trim_end().strip_suffix('}') {
            Some(open) => format!("{open}{added},\"next\":{}}}", quoted(&next)),
            None => error.to_owned(),
        };
        Answer { json: for_agents(&json), is_error: true, status }
    }

    /// The size in bytes. A result has it twice.
    pub(crate) fn size(&self) -> usize {
        self.json.len()
    }

    /// The response.
    pub(crate) fn reply(self, id: &Id, era: Era, platform: Option<Platform>) -> RpcReply {
        let text = [Text { kind: "text", text: &self.json }];
        let structured = raw(self.json.clone());
        let content = ToolResult { content: text, structured_content: &structured, is_error: self.is_error };
        RpcReply { answered: self.status, platform, ..result(id, era, &content) }
    }
}

/// A wait in whole seconds, rounded up, and at least 1, as in `Retry-After`.
fn seconds(wait: Duration) -> u64 {
    let whole = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    whole.max(1)
}

/// What an agent can do after an error.
fn next_step(status: StatusCode, error: &str, wait: Option<u64>) -> String {
    let has = |name: &str, value: &str| {
        let members = read_members(error).unwrap_or_default();
        members.iter().any(|(known, json)| known == name && (value.is_empty() || json.get() == value))
    };
    let again = "call the same tool again with the same arguments, also with the same confirm_token";
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            let seconds = wait.unwrap_or(1);
            format!("Nothing was sent. Wait {seconds} seconds, then {again}.")
        }
        _ if has("spending_limit", "") => {
            "Tell the person what the limit allows (get_limits); only they can change it. Do not split the change to get \
             around it."
                .to_owned()
        }
        _ if has("retryable", "true") => format!("To try again, {again}: a change is made once."),
        StatusCode::BAD_REQUEST => "Correct the fields in details, and call the tool again.".to_owned(),
        StatusCode::NOT_FOUND => "list_accounts and list_campaigns tell what this key sees.".to_owned(),
        StatusCode::FAILED_DEPENDENCY => {
            "Ask the person to connect the ad account again, on the dashboard's page \"Connections\".".to_owned()
        }
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => {
            "Read the campaign (get_campaign) to see what is true now, before you preview another change.".to_owned()
        }
        _ => "Read the message. Do not repeat the call unchanged.".to_owned(),
    }
}
