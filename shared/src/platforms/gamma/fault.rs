//! What a failed call means: one function from an answer to an answer of success or our error.
//!
//! TikTok API for Business: Return codes. Failures come with HTTP status 200, so what decides is `code` in the body;
//! the status only stands in where there is no such body.

mod access;
mod words;

use super::wire;
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
pub(super) use access::is_deleted_advertiser;
use access::{advice, is_allow_list, is_of_another_app};
use http::StatusCode;
use jiff::Timestamp;
use std::error::Error as StdError;
use std::time::Duration;
use words::{field, wait};

/// Done, or done for a part of what was asked; the parts say which.
const DONE: [i64; 2] = [0, 20_001];

/// How long to wait where the platform's front door throttles and does not say.
const FRONT_DOOR: Duration = Duration::from_secs(60);

/// The answer of success, or what it means that there is none.
pub(super) fn outcome(answer: &Answer, now: Timestamp) -> Result<wire::Envelope, Error> {
    let said = match said(answer) {
        Ok(said) if answer.status.is_success() && DONE.contains(&said.code) => return Ok(said),
        Err(error) if answer.status.is_success() => return Err(error),
        said => said.ok().filter(|said| !DONE.contains(&said.code)),
    };
    let error = match &said {
        Some(said) => of_code(said, answer.status, now),
        None => of_status(answer.status),
    };
    let asked = answers::retry_after(&answer.headers, now).filter(|_| error.retryable);
    let wait = error.retry_after.max(asked);
    let (code, id) = said.map(|said| (said.code, said.request_id.unwrap_or_default())).unwrap_or_default();
    let log = format!("status {}, code {code}, request id {:?}", answer.status.as_u16(), bounded(&id));
    Err(Error { retry_after: wait, ..error }.on(Platform::Gamma).caused_by(log))
}

/// Whether the platform says that it failed, which it may do with status 200.
pub(super) fn is_broken(answer: &Answer) -> bool {
    answer.status.is_server_error() || said(answer).is_ok_and(|said| is_failure(said.code))
}

/// The platform's own passing troubles. 40200, 40201 (a task that failed or is not ready) and 40700 (an internal
/// validation) stand among the refusals by their number, and clients in production send such calls again.
fn is_failure(code: i64) -> bool {
    matches!(code, 40_200 | 40_201 | 40_700 | 50_000..=59_999 | 60_001)
}

/// What the platform says, whatever it is.
pub(super) fn said(answer: &Answer) -> Result<wire::Envelope, Error> {
    answers::read_object(Platform::Gamma, &answer.body)
}

/// Whether it says that it is done.
pub(super) fn is_done(answer: &Answer) -> bool {
    said(answer).is_ok_and(|said| DONE.contains(&said.code))
}

/// The error for an answer of success that cannot be understood, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Gamma, why)
}

/// The error for a create whose outcome is not known, whatever the reason was.
pub(super) fn unknown_outcome(name: &str, reason: Error) -> Error {
    answers::unknown_outcome(Platform::Gamma, name, reason)
}

fn of_code(said: &wire::Envelope, status: StatusCode, now: Timestamp) -> Error {
    let words = said.message.as_deref().unwrap_or_default();
    let failed = || answers::failed(Platform::Gamma);
    let error = match said.code {
        40_102 | 40_104 | 40_105 | 40_106 => answers::token_expired(Platform::Gamma),
        40_001 | 40_118 | 40_125 | 40_130 if is_allow_list(words) => answers::refused(Platform::Gamma, words),
        40_001 | 40_101 | 40_110 | 40_113 | 40_115 | 40_118 | 40_125 | 40_130 => forbidden(said.code, words),
        40_000 | 40_002 if is_of_another_app(words) => forbidden(said.code, words),
        40_007 | 40_300 | 40_301 => Error::not_found("campaign"),
        40_016 | 40_100 | 40_132 | 40_133 | 61_000 => answers::throttled(Platform::Gamma, wait(said.code, words, now)),
        40_050 => Error::new(Kind::Conflict, duplicate()),
        40_202 => failed().retryable(),
        code if is_failure(code) => failed().retryable(),
        _ if status.is_server_error() => failed().retryable(),
        40_000..=49_999 => answers::refused(Platform::Gamma, words),
        _ => failed(),
    };
    error.with_fault(PlatformFault { code: Some(said.code.to_string()), message: bounded(words), field: field(words) })
}

/// A refusal of access: the advice, and the platform's words, which alone say what exactly was refused.
fn forbidden(code: i64, words: &str) -> Error {
    let text = format!("{} {} says: {words}", advice(code, words), Platform::Gamma.display_name());
    Error::new(Kind::Forbidden, bounded(&text))
}

fn duplicate() -> String {
    let name = Platform::Gamma.display_name();
    format!("{name} took this for a request that it already has; look at the campaign before you send it again.")
}

/// Where no code says more: the platform's front door, or no JSON at all.
fn of_status(status: StatusCode) -> Error {
    match status.as_u16() {
        401 => answers::token_expired(Platform::Gamma),
        429 => answers::throttled(Platform::Gamma, FRONT_DOOR),
        408 | 499 | 500.. => answers::failed(Platform::Gamma).retryable(),
        _ => answers::failed(Platform::Gamma),
    }
}

#[cfg(test)]
mod tests;
