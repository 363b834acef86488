//! The errors of Meta: of an answer that is no success, and of an error inside of a success.
//!
//! Graph API: Handling errors. The code inside of the body decides, and its subcode. The HTTP status decides only
//! where there is no such body.

use super::wire::Subcode;
use super::{NAME, usage, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
use crate::platforms::engine::create::CreateFailure;
use http::StatusCode;
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::error::Error as StdError;
use std::time::Duration;

/// The wait after a burst, where the platform names none.
const BURST: Duration = Duration::from_secs(60);
/// The wait after an hour's share is used up, where the platform names none.
const SHARE: Duration = Duration::from_secs(300);

const PROOF: &str = "does not accept this service's proof of its app secret";
const VERSION: &str = "no longer offers the version of its interface that this service asks for";

/// Returns the error of an answer, whatever its status is.
pub(super) fn classify(answer: &Answer, now: Timestamp) -> Result<(), Error> {
    let outcome = answers::read_object::<wire::Outcome>(Platform::Beta, &answer.body);
    let has_error = outcome.is_ok_and(|outcome| outcome.error.is_some());
    if answer.status.is_success() && !has_error { Ok(()) } else { Err(fault(answer, now)) }
}

/// Only a refusal with an error of the platform's own proves that nothing was created. It may come with status 200.
/// A missing object is the ad account.
pub(super) fn create_failure(answer: &Answer, error: Error) -> CreateFailure {
    let is_clear = answer.status.is_client_error() || answer.status.is_success();
    let is_failure = error.kind == Kind::PlatformFailed && !is_operators_fault(&error);
    if is_clear && !is_failure { CreateFailure::Refused(account_error(error)) } else { CreateFailure::Unknown(error) }
}

/// The error where a call names no campaign: the ad account is then missing.
pub(super) fn account_error(error: Error) -> Error {
    if error.kind != Kind::NotFound {
        return error;
    }
    let message = format!("The ad account is out of reach on {NAME}: it is gone, or this authorization lost access.");
    Error { kind: Kind::Forbidden, message, ..error }
}

/// The error for the body of an answer, and for its status where the body has none.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let reason = answers::read_object::<wire::ErrorBody>(Platform::Beta, &answer.body).ok().map(|body| body.error);
    let wait = usage::wait(&answer.headers, now);
    let status = answer.status;
    let error = match &reason {
        Some(reason) => meaning(reason, status, wait).with_fault(PlatformFault {
            code: Some(code(reason)),
            message: bounded(&message(reason)),
            field: field(reason),
        }),
        None => without_code(status, wait),
    };
    let trace = reason.as_ref().and_then(|reason| reason.fbtrace_id.as_deref()).unwrap_or_default();
    let code = reason.as_ref().map(code).unwrap_or_default();
    let source = format!("status {}, code {code:?}, trace id {:?}", status.as_u16(), bounded(trace));
    error.on(Platform::Beta).caused_by(source)
}

/// An answer of success that cannot be read. Sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Beta, why)
}

fn meaning(reason: &wire::GraphError, status: StatusCode, wait: Option<Duration>) -> Error {
    match (reason.code, reason.error_subcode) {
        // The grant stays valid: calls for a page return this when the user lacks a permission for the page.
        (190, None) => Error::new(Kind::Forbidden, forbidden(reason)),
        (190 | 102, _) => answers::token_expired(Platform::Beta),
        (104, _) => operators_fault(PROOF),
        (2_635, _) => operators_fault(VERSION),
        (613, _) => answers::throttled(Platform::Beta, wait.unwrap_or(BURST)),
        (4 | 17 | 32 | 341 | 80_000..=80_014, _) => answers::throttled(Platform::Beta, wait.unwrap_or(SHARE)),
        _ if reason.is_transient == Some(true) => answers::failed(Platform::Beta).retryable(),
        (1, _) if reason.is_transient == Some(false) && for_users(reason).is_some() => refused(reason),
        // 1 and 2 are failures. No code below them is published.
        (..=2, _) => answers::failed(Platform::Beta).retryable(),
        (3, _) => Error::new(Kind::Forbidden, not_offered(reason)),
        (10 | 200..=299, _) => Error::new(Kind::Forbidden, forbidden(reason)),
        (100, Some(Subcode::Number(33))) | (803, _) => Error::not_found("campaign"),
        (100, None | Some(Subcode::Unreadable)) if is_missing_permission(&reason.message) => {
            Error::new(Kind::Forbidden, forbidden(reason))
        }
        (100, None | Some(Subcode::Unreadable)) if reason.message.contains("appsecret_proof") => operators_fault(PROOF),
        (100 | 368, _) => refused(reason),
        _ if status.is_server_error() => answers::failed(Platform::Beta).retryable(),
        _ => refused(reason),
    }
}

fn forbidden(reason: &wire::GraphError) -> String {
    bounded(&format!("{NAME} does not allow this with the present authorization: {}", message(reason)))
}

/// The message for an app without a capability, or an ad account without a feature (recorded live, 2025-05).
fn not_offered(reason: &wire::GraphError) -> String {
    let message = message(reason);
    bounded(&format!(
        "{NAME} does not offer this to the ad account or to this service, and a new authorization does not change \
         that: {message}"
    ))
}

fn refused(reason: &wire::GraphError) -> Error {
    answers::refused(Platform::Beta, &message(reason))
}

/// A missing permission with the code of an invalid parameter: `(#100) Missing permissions`.
fn is_missing_permission(message: &str) -> bool {
    let text = message.trim().trim_start_matches("(#100)").trim().trim_end_matches('.');
    text.eq_ignore_ascii_case("missing permissions") || text.eq_ignore_ascii_case("missing permission")
}

/// An error that is neither the request's nor the connection's. Nothing was carried out.
fn operators_fault(reason: &str) -> Error {
    Error::new(Kind::PlatformFailed, format!("{NAME} {reason}; its operator has to look into it."))
}

/// Recognizes an error that only the operator can fix. The call was certainly not carried out.
pub(super) fn is_operators_fault(error: &Error) -> bool {
    error.kind == Kind::PlatformFailed && !error.retryable && error.platform_fault.is_some()
}

/// Recognizes a refusal of the cursor of a list: 2642, `Invalid cursors values` (recorded live, 2020-04), or another
/// code with such words or such a field. Other invalid parameters are not about the caller's cursor.
pub(super) fn is_about_cursor(error: &Error) -> bool {
    let Some(fault) = error.platform_fault.as_ref().filter(|_| error.kind == Kind::PlatformRefused) else {
        return false;
    };
    let is_code = fault.code.as_deref().is_some_and(|code| code.split('/').next() == Some("2642"));
    let mut words = fault.message.split(|letter: char| !letter.is_alphanumeric());
    let is_word = words.any(|word| ["cursor", "cursors"].contains(&word.to_ascii_lowercase().as_str()));
    is_code || is_word || fault.field.as_deref() == Some("after")
}

/// The platform's message for users where it has one, else that for developers.
fn message(reason: &wire::GraphError) -> String {
    for_users(reason).unwrap_or_else(|| reason.message.trim().to_owned())
}

fn for_users(reason: &wire::GraphError) -> Option<String> {
    let parts = [&reason.error_user_title, &reason.error_user_msg].into_iter().flatten();
    let parts: Vec<&str> = parts.map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}

/// `100`, or `100/1885272` with the subcode.
fn code(reason: &wire::GraphError) -> String {
    match reason.error_subcode {
        Some(Subcode::Number(subcode)) => format!("{}/{subcode}", reason.code),
        None | Some(Subcode::Unreadable) => reason.code.to_string(),
    }
}

/// Our name of the field at fault, by the blamed parameter or by the subcode; else the platform's own name of it.
fn field(reason: &wire::GraphError) -> Option<String> {
    let blamed = reason.error_data.as_deref().map(blamed).unwrap_or_default();
    let ours = blamed.iter().flatten().find_map(|name| our_field(name));
    let ours = ours.or(match reason.error_subcode {
        Some(Subcode::Number(1_885_272 | 1_885_621)) => Some("budget_amount"),
        _ => None,
    });
    ours.map(str::to_owned).or_else(|| blamed.first().map(|path| bounded(&path.join("."))))
}

fn our_field(name: &str) -> Option<&'static str> {
    match name {
        "name" => Some("name"),
        "objective" => Some("goal"),
        "daily_budget" | "lifetime_budget" => Some("budget_amount"),
        "status" => Some("status"),
        _ => None,
    }
}

/// The parameters at fault: `error_data` is an object, or a string with one.
fn blamed(data: &RawValue) -> Vec<Vec<String>> {
    let text: Option<String> = serde_json::from_str(data.get()).ok();
    let data = text.as_deref().unwrap_or(data.get());
    let data: wire::ErrorData = serde_json::from_str(data).unwrap_or_default();
    data.blame_field_specs.or_else(|| Some(vec![vec![data.blame_field?]])).unwrap_or_default()
}

/// The error for an answer of a gateway, which has no error in its body.
fn without_code(status: StatusCode, wait: Option<Duration>) -> Error {
    match status.as_u16() {
        429 => answers::throttled(Platform::Beta, wait.unwrap_or(BURST)),
        408 | 500.. => answers::failed(Platform::Beta).retryable(),
        _ => answers::failed(Platform::Beta),
    }
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
