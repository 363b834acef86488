//! The errors of Meta: of a response that is no success, and of an error inside of a success.
//!
//! Graph API: Handling errors. The code inside of the body decides, and its subcode. The HTTP status decides only
//! where there is no such body.

use super::usage;
use super::wire::{self, GraphError};
use crate::domain::Reason;
use crate::platforms::prelude::*;
use crate::platforms::rows::Whole;
use http::StatusCode;
use serde::de::IgnoredAny;

/// The wait after a burst, where the platform names none.
const BURST: Duration = Duration::from_secs(60);
/// The wait after an hour's share is used up, where the platform names none.
const SHARE: Duration = Duration::from_secs(300);

const PROOF: &str = "does not accept this service's proof of its app secret";
const APP: &str = "refuses the app of this service";
const VERSION: &str = "no longer offers the version of its interface that this service asks for";
const NOT_ALLOWED: &str = "does not allow this with the present authorization";
/// An ad account without a feature (recorded live, 2025-05).
const NOT_OFFERED: &str =
    "does not offer this to the ad account or to this service, and a new authorization does not change that";

/// Returns the error of a response, whatever its status is.
pub(super) fn classify(response: &OutboundResponse, now: Timestamp) -> Result<(), Error> {
    let body = read_object::<wire::ErrorBody<IgnoredAny>>(Platform::Beta, &response.body);
    let has_error = body.is_ok_and(|body| body.error.is_some());
    if response.status.is_success() && !has_error { Ok(()) } else { Err(error_of(response, now)) }
}

/// The error for the body of a response, and for its status where the body has none.
pub(super) fn error_of(response: &OutboundResponse, now: Timestamp) -> Error {
    let body = read_object::<wire::ErrorBody<GraphError>>(Platform::Beta, &response.body);
    let reason = body.ok().and_then(|body| body.error);
    let status = response.status;
    let wait = usage::wait(&response.headers, now);
    let error = match &reason {
        Some(reason) => meaning(reason, status, wait),
        None => without_code(status, wait),
    };
    let error = error.on(Platform::Beta).with_platform_error(reason.as_ref().map(platform_error));
    let code = error.platform_code().unwrap_or_default();
    let trace = reason.as_ref().and_then(|reason| reason.fbtrace_id.as_deref()).unwrap_or_default();
    let source = format!("status {}, code {code:?}, trace id {:?}", status.as_u16(), bounded(trace));
    error.caused_by(source)
}

fn meaning(reason: &GraphError, status: StatusCode, wait: Option<Duration>) -> Error {
    let text = reason.message.as_deref().unwrap_or_default();
    match (reason.code, reason.error_subcode) {
        _ if is_about_app(reason.code, text) => operators_error(APP),
        (190, subcode) if !ends_session(subcode) && is_about_page(text) => forbidden(NOT_ALLOWED, reason),
        (190 | 102, _) => errors::token_expired(Platform::Beta),
        (104, _) => operators_error(PROOF),
        (2_635, _) => operators_error(VERSION),
        (613, _) => errors::throttled(Platform::Beta, wait.unwrap_or(BURST)),
        (4 | 17 | 32 | 341 | 80_000..=80_014, _) => errors::throttled(Platform::Beta, wait.unwrap_or(SHARE)),
        _ if reason.is_transient == Some(true) => errors::failed(Platform::Beta).retryable(),
        (1, _) if reason.is_transient == Some(false) && for_users(reason).is_some() => refused(reason),
        // 1 and 2 are failures. No code below them is published.
        (..=2, _) => errors::failed(Platform::Beta).retryable(),
        (3, _) => forbidden(NOT_OFFERED, reason),
        (10 | 200..=299, _) => forbidden(NOT_ALLOWED, reason),
        (100, Some(Whole(33))) | (803, _) => Error::not_found("campaign"),
        (100, None) if is_missing_permission(text) => forbidden(NOT_ALLOWED, reason),
        (100, None) if text.contains("appsecret_proof") => operators_error(PROOF),
        (100 | 368, _) => refused(reason),
        _ if status.is_server_error() => errors::failed(Platform::Beta).retryable(),
        _ => refused(reason),
    }
}

fn forbidden(refusal: &str, reason: &GraphError) -> Error {
    let message = bounded(&format!("Meta {refusal}: {}", message(reason)));
    Error::new(Kind::Forbidden, message).because(Reason::PlatformAccessDenied)
}

fn refused(reason: &GraphError) -> Error {
    errors::refused(Platform::Beta, &message(reason))
}

/// Recognizes a refusal of the app of this service: a capability that it lacks (3), its address (5), a method or version
/// that it uses (11, 12), its id (101), its development access (270), or its end, which has the code of a token.
fn is_about_app(code: i64, message: &str) -> bool {
    let says = |words: &str| message.to_lowercase().contains(words);
    match code {
        5 | 11 | 12 | 101 | 270 => true,
        3 => says("application does not have the capability"),
        190 => says("validating application") || says("application has been deleted"),
        _ => false,
    }
}

/// The subcodes of a session that has ended, whatever the message says.
fn ends_session(subcode: Option<Whole>) -> bool {
    matches!(subcode, Some(Whole(456..=468)))
}

/// Recognizes a token error about a page: the user lacks a permission or a role there. The grant stays valid for the ad
/// accounts. Every other 190 is about the token itself, also without a subcode: "Cannot parse access token".
fn is_about_page(message: &str) -> bool {
    let mut words = message.split(|letter: char| !letter.is_alphanumeric()).map(str::to_ascii_lowercase);
    words.any(|word| ["page", "pages", "permission", "permissions"].contains(&word.as_str()))
}

/// A missing permission with the code of an invalid parameter: `(#100) Missing permissions`.
fn is_missing_permission(message: &str) -> bool {
    let text = message.trim().trim_start_matches("(#100)").trim().trim_end_matches('.');
    text.eq_ignore_ascii_case("missing permissions") || text.eq_ignore_ascii_case("missing permission")
}

/// An error of Meta itself: neither the request nor the connection caused it.
fn operators_error(reason: &str) -> Error {
    Error::new(Kind::PlatformFailed, format!("Meta {reason}; its operator has to look into it.")).for_operator()
}

/// Recognizes a refusal of the cursor of a list: 2642, `Invalid cursors values` (recorded live of reports, 2020-04; not
/// verified for campaigns), or another code with such words or such a field.
///
/// Another invalid parameter is not about the caller's cursor. A refused read is the operator's otherwise.
pub(super) fn is_about_cursor(error: &Error) -> bool {
    let Some(reported) = &error.platform_error else { return false };
    let is_code = error.platform_code().is_some_and(|code| code.split('/').next() == Some("2642"));
    let mut words = reported.message.split(|letter: char| !letter.is_alphanumeric());
    let is_word = words.any(|word| ["cursor", "cursors"].contains(&word.to_ascii_lowercase().as_str()));
    error.is_for_operator && (is_code || is_word || reported.field.as_deref() == Some("after"))
}

fn platform_error(reason: &GraphError) -> PlatformError {
    PlatformError { code: Some(code(reason)), message: bounded(&message(reason)), field: field(reason) }
}

/// The platform's message for users where it has one, else that for developers.
fn message(reason: &GraphError) -> String {
    for_users(reason).unwrap_or_else(|| reason.message.as_deref().unwrap_or_default().trim().to_owned())
}

fn for_users(reason: &GraphError) -> Option<String> {
    let parts = [&reason.error_user_title, &reason.error_user_msg].into_iter().flatten();
    let parts: Vec<&str> = parts.map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}

/// `100`, or `100/1885272` with the subcode.
fn code(reason: &GraphError) -> String {
    match reason.error_subcode {
        Some(Whole(subcode)) => format!("{}/{subcode}", reason.code),
        None => reason.code.to_string(),
    }
}

/// Our name of the field at fault, by the blamed parameter or by the subcode; else the platform's own name of it.
fn field(reason: &GraphError) -> Option<String> {
    let blamed = reason.error_data.as_deref().map(blamed).unwrap_or_default();
    let ours = blamed.iter().flatten().find_map(|path| names(path).find_map(our_field));
    let of_subcode = || match reason.error_subcode? {
        Whole(1_885_272 | 1_885_621) => Some("budget_amount"),
        Whole(1_885_407) => Some("end_at"),
        Whole(_) => None,
    };
    let ours = ours.or_else(of_subcode).or_else(|| parameter_in(reason.message.as_deref()?));
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

/// The names in a path, the last one first.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit(['.', '[', ']', '/', '\'', '"'])
}

/// Our field for the parameter that a message names: `(#100) Param name must be a string`.
fn parameter_in(message: &str) -> Option<&'static str> {
    let mut words = message.split_whitespace();
    words.find(|word| word.eq_ignore_ascii_case("param") || word.eq_ignore_ascii_case("parameter"))?;
    names(words.next()?).find_map(our_field)
}

/// The parameters at fault: `error_data` is an object, or a string with one.
fn blamed(data: &RawValue) -> Vec<Vec<String>> {
    let text: Option<String> = serde_json::from_str(data.get()).ok();
    let data = text.as_deref().unwrap_or(data.get());
    let data: wire::ErrorData = serde_json::from_str(data).unwrap_or_default();
    data.blame_field_specs.or_else(|| Some(vec![vec![data.blame_field?]])).unwrap_or_default()
}

/// The error for a response of a gateway, which has no error in its body.
fn without_code(status: StatusCode, wait: Option<Duration>) -> Error {
    match status.as_u16() {
        429 => errors::throttled(Platform::Beta, wait.unwrap_or(BURST)),
        408 | 500.. => errors::failed(Platform::Beta).retryable(),
        _ => errors::failed(Platform::Beta),
    }
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
