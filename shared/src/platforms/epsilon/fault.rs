//! The errors of Pinterest: of an answer that is no success, and of a refusal inside of a success.
//!
//! The HTTP status decides, because the same code has several meanings: 2 is a refused token with 401 and a missing
//! ad account with 404.

use super::{NAME, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded, seconds};
use crate::platforms::engine::create::CreateFailure;
use http::HeaderMap;
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::error::Error as StdError;
use std::time::Duration;

/// The wait where the platform names none.
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// Returns the error of an answer that is no success.
pub(super) fn classify(answer: &Answer, now: Timestamp) -> Result<(), Error> {
    if answer.status.is_success() { Ok(()) } else { Err(fault(answer, now)) }
}

/// The error for an answer with any status but 2xx.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let reason = read::<wire::Failure>(&answer.body).ok().and_then(|failure| Reason::of(&failure));
    let code = reason.as_ref().map_or("", |reason| reason.code.as_str());
    let message = reason.as_ref().map_or("", |reason| reason.message.as_str());
    let error = match (answer.status.as_u16(), reason.is_some()) {
        // A missing scope or role, which a refresh would not bring.
        (401, true) if matches!(code, "3" | "7" | "29") => Error::new(Kind::Forbidden, no_access()),
        (401, _) => answers::token_expired(Platform::Epsilon),
        (403, true) => Error::new(Kind::Forbidden, no_access()),
        (404, true) => Error::not_found("campaign"),
        (429, _) => answers::throttled(Platform::Epsilon, wait(answer, now)),
        (408 | 500..=599, _) => answers::failed(Platform::Epsilon).retryable(),
        (400..=499, true) => answers::refused(Platform::Epsilon, message),
        _ => answers::failed(Platform::Epsilon),
    };
    let source = format!("status {}, code {code:?}", answer.status.as_u16());
    let error = error.on(Platform::Epsilon).caused_by(source);
    match reason {
        Some(reason) => error.with_fault(reason.fault()),
        None => error,
    }
}

/// Reads the one campaign of the answer to a write. A refusal of it comes with status 200.
pub(super) fn read_written(answer: &Answer) -> Result<Box<RawValue>, Error> {
    let outcome = only_outcome(answer)?;
    match outcome.exceptions.as_deref().and_then(exceptions) {
        Some(refusal) => Err(refusal),
        None => outcome.data.ok_or_else(|| unreadable("a write without a result")),
    }
}

/// A refusal inside of a success proves that nothing was created when it says something and comes without an id. What
/// is not found is the ad account.
pub(super) fn create_failure(answer: &Answer, error: Error) -> CreateFailure {
    if !answer.status.is_success() {
        return CreateFailure::of(answer, account_error(error));
    }
    let has_id = only_outcome(answer).is_ok_and(|outcome| may_have_id(outcome.data.as_deref()));
    if error.kind == Kind::PlatformRefused && !has_no_reason(&error) && !has_id {
        CreateFailure::Refused(error)
    } else {
        CreateFailure::Unknown(error)
    }
}

/// The error where a call names no campaign: the ad account is then missing.
pub(super) fn account_error(error: Error) -> Error {
    if error.kind != Kind::NotFound {
        return error;
    }
    let message =
        format!("{NAME} knows no such ad account for the user who authorized; see there, then authorize again.");
    Error { kind: Kind::Forbidden, message, ..error }
}

fn only_outcome(answer: &Answer) -> Result<wire::Outcome, Error> {
    let mut outcomes: wire::Outcomes = read(&answer.body)?;
    match (outcomes.items.pop(), outcomes.items.is_empty()) {
        (Some(outcome), true) => Ok(outcome),
        _ => Err(unreadable("not one result for one campaign")),
    }
}

/// The error of exceptions; `None` when there is none.
fn exceptions(exceptions: &[wire::Failure]) -> Option<Error> {
    let first = exceptions.first()?;
    let messages: Vec<&str> = exceptions.iter().filter_map(|exception| exception.message.as_deref()).collect();
    let error = answers::refused(Platform::Epsilon, &messages.join(" "));
    let reason = Reason::of(first).unwrap_or_default();
    Some(error.caused_by(format!("status 200, exception {:?}", reason.code)).with_fault(reason.fault()))
}

fn has_no_reason(refusal: &Error) -> bool {
    refusal.platform_fault.as_ref().is_none_or(|fault| fault.code.is_none() && fault.message.is_empty())
}

/// Recognizes a refused campaign that has an id, or cannot be read as an object without one.
fn may_have_id(data: Option<&RawValue>) -> bool {
    let has_id = |data: &RawValue| match serde_json::from_str::<wire::AnyId>(data.get()) {
        Ok(any) => any.id.is_some(),
        Err(_) => true,
    };
    data.is_some_and(has_id)
}

/// Reads a JSON object; anything else, an array included, is none.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Error> {
    answers::read_object(Platform::Epsilon, body)
}

/// The error for an answer of success that cannot be understood, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Epsilon, why)
}

/// The text of a code, which is published as an integer.
pub(super) fn code_text(code: Option<&RawValue>) -> String {
    bounded(code.map_or("", |code| code.get().trim_matches('"')))
}

/// Code and message of an error.
#[derive(Debug, Default)]
struct Reason {
    code: String,
    message: String,
}

impl Reason {
    fn of(failure: &wire::Failure) -> Option<Reason> {
        let reason = Reason {
            code: code_text(failure.code.as_deref()),
            message: bounded(failure.message.as_deref().unwrap_or_default()),
        };
        (!reason.code.is_empty() || !reason.message.is_empty()).then_some(reason)
    }

    fn fault(self) -> PlatformFault {
        let field = field_in(&self.message).map(str::to_owned);
        PlatformFault { code: Some(self.code).filter(|code| !code.is_empty()), message: self.message, field }
    }
}

/// The longest wait that a header asks for.
fn wait(answer: &Answer, now: Timestamp) -> Duration {
    reset(&answer.headers).max(answers::retry_after(&answer.headers, now)).unwrap_or(DEFAULT_WAIT)
}

/// The pause until the end of a used-up window, or of `Retry-After`.
pub(super) fn requested_pause(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let remaining = headers.get("x-ratelimit-remaining").and_then(|value| value.to_str().ok()).unwrap_or_default();
    // Parameters of the window, or further windows, may follow.
    let is_used_up = remaining.split([',', ';']).next().is_some_and(|count| count.trim() == "0");
    let until_reset = reset(headers).filter(|_| is_used_up);
    until_reset.max(answers::retry_after(headers, now))
}

fn reset(headers: &HeaderMap) -> Option<Duration> {
    headers.get("x-ratelimit-reset").and_then(|value| seconds(value.to_str().ok()?.trim()))
}

/// Our name of the field that a message is about. The platform names fields nowhere else. The first one counts.
fn field_in(message: &str) -> Option<&'static str> {
    const FIELDS: [(&str, &str); 8] = [
        ("daily_spend_cap", "budget_amount"),
        ("lifetime_spend_cap", "budget_amount"),
        ("start_time", "start_at"),
        ("end_time", "end_at"),
        ("objective_type", "goal"),
        ("objective", "goal"),
        ("status", "status"),
        ("name", "name"),
    ];
    let message = message.to_ascii_lowercase();
    let mut words = message.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.find_map(|word| FIELDS.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours))
}

fn no_access() -> String {
    format!(
        "{NAME} refuses access to this ad account: see there whether the user who authorized still has a role in it \
         that may manage campaigns, then authorize again."
    )
}

#[cfg(test)]
mod tests;
