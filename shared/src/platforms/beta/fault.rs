//! What a failed call means: one function from an answer that is no success to our error.
//!
//! Graph API: Handling errors. What decides is the code inside of the body, and its subcode, not the HTTP status,
//! which only stands in where there is no such body.

use super::{NAME, usage, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::error::Error as StdError;
use std::time::Duration;

/// How long to wait where a burst was too much and the platform does not say.
const BURST: Duration = Duration::from_secs(60);
/// How long to wait where an hour's share is used up and the platform does not say.
const SHARE: Duration = Duration::from_secs(300);

/// The error for an answer that is none of success.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let said = answers::read_object::<wire::ErrorBody>(Platform::Beta, &answer.body).ok().map(|body| body.error);
    let wait = usage::wait(&answer.headers, now);
    let status = answer.status;
    let error = match &said {
        Some(said) => meaning(said, status, wait).with_fault(PlatformFault {
            code: Some(code(said)),
            message: bounded(&words(said)),
            field: field(said),
        }),
        None => without_code(status, wait),
    };
    let trace = said.as_ref().and_then(|said| said.fbtrace_id.as_deref()).unwrap_or_default();
    let code = said.as_ref().map(code).unwrap_or_default();
    let source = format!("status {}, code {code:?}, trace id {:?}", status.as_u16(), bounded(trace));
    error.on(Platform::Beta).caused_by(source)
}

/// The error for an answer of success that cannot be understood, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Beta, why)
}

fn meaning(said: &wire::GraphError, status: StatusCode, wait: Option<Duration>) -> Error {
    match (said.code, said.error_subcode) {
        (190 | 102, _) => answers::token_expired(Platform::Beta),
        (613, _) => answers::throttled(Platform::Beta, wait.unwrap_or(BURST)),
        (4 | 17 | 32 | 341 | 80_000..=80_014, _) => answers::throttled(Platform::Beta, wait.unwrap_or(SHARE)),
        _ if said.is_transient == Some(true) => answers::failed(Platform::Beta).retryable(),
        // 1 and 2 are failures, and nothing below is published.
        (..=2, _) => answers::failed(Platform::Beta).retryable(),
        (3 | 10 | 200..=299, _) => Error::new(Kind::Forbidden, forbidden(said)),
        (100, Some(33)) | (803, _) => Error::not_found("campaign"),
        (100 | 368, _) => refused(said),
        _ if status.is_server_error() => answers::failed(Platform::Beta).retryable(),
        _ => refused(said),
    }
}

fn forbidden(said: &wire::GraphError) -> String {
    bounded(&format!("{NAME} does not allow this with the present authorization: {}", words(said)))
}

fn refused(said: &wire::GraphError) -> Error {
    answers::refused(Platform::Beta, &words(said))
}

/// The platform's words for people where it has some, else those for developers.
fn words(said: &wire::GraphError) -> String {
    let for_people = [&said.error_user_title, &said.error_user_msg];
    let for_people: Vec<&str> = for_people.into_iter().flatten().map(|text| text.trim()).collect();
    let for_people = for_people.join(": ");
    if for_people.is_empty() { said.message.trim().to_owned() } else { for_people }
}

/// `100`, or `100/1885272` with the subcode.
fn code(said: &wire::GraphError) -> String {
    match said.error_subcode {
        Some(subcode) => format!("{}/{subcode}", said.code),
        None => said.code.to_string(),
    }
}

/// Our name of the field at fault, by the parameter that is blamed, else by the subcode; else the platform's own
/// name of it.
fn field(said: &wire::GraphError) -> Option<String> {
    let blamed = said.error_data.as_deref().map(blamed).unwrap_or_default();
    let ours = blamed.iter().flatten().find_map(|name| our_field(name));
    let ours = ours.or(match said.error_subcode {
        Some(1_885_272 | 1_885_621) => Some("budget_amount"),
        Some(1_885_407) => Some("end_at"),
        _ => None,
    });
    ours.map(str::to_owned).or_else(|| blamed.first().map(|path| bounded(&path.join("."))))
}

fn our_field(name: &str) -> Option<&'static str> {
    match name {
        "name" => Some("name"),
        "objective" => Some("goal"),
        "daily_budget" | "lifetime_budget" => Some("budget_amount"),
        "start_time" => Some("start_at"),
        "stop_time" | "end_time" => Some("end_at"),
        "status" => Some("status"),
        _ => None,
    }
}

/// The parameters at fault: `error_data` is an object, or a text that holds one.
fn blamed(data: &RawValue) -> Vec<Vec<String>> {
    let text: Option<String> = serde_json::from_str(data.get()).ok();
    let data = text.as_deref().unwrap_or(data.get());
    serde_json::from_str::<wire::ErrorData>(data).map(|data| data.blame_field_specs).unwrap_or_default()
}

/// Where there is no error in the body: something on the way there answered, or failed to.
fn without_code(status: StatusCode, wait: Option<Duration>) -> Error {
    match status.as_u16() {
        429 => answers::throttled(Platform::Beta, wait.unwrap_or(BURST)),
        408 | 500.. => answers::failed(Platform::Beta).retryable(),
        _ => answers::failed(Platform::Beta),
    }
}

#[cfg(test)]
mod tests;
