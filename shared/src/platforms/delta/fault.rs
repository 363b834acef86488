//! Errors of LinkedIn: the error of an answer that is no success, and its meaning for each kind of call.
//!
//! <https://learn.microsoft.com/en-us/linkedin/marketing/error-responses>

mod reason;

use super::NAME;
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
use crate::platforms::engine::create::CreateFailure;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use reason::Reason;
use std::error::Error as StdError;
use std::time::Duration;

/// The wait where the platform names none. Messages do not promise it: a limit on the metrics of reports lasted about 330
/// seconds (recorded live).
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// Returns the error of an answer that is no success.
pub(super) fn classify(answer: &Answer, now: Timestamp) -> Result<(), Error> {
    if answer.status.is_success() { Ok(()) } else { Err(fault(answer, now)) }
}

/// The error for an answer with any status but 2xx. The wait until the next day is counted from `now`.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let status = answer.status.as_u16();
    let reason = Reason::of(answer);
    let codes = reason.as_ref().map(|reason| (reason.code.as_deref(), reason.service_code));
    let (code, service_code) = codes.unwrap_or_default();
    let error = match (status, code, service_code) {
        (401, ..)
        | (400..=499, _, Some(65_600..=65_602))
        | (400..=499, Some("EXPIRED_ACCESS_TOKEN" | "REVOKED_ACCESS_TOKEN" | "INVALID_ACCESS_TOKEN"), _) => {
            answers::token_expired(Platform::Delta)
        }
        (429, ..) => answers::throttled(Platform::Delta, wait(answer, reason.as_ref(), now)),
        (408 | 500.., ..) => answers::failed(Platform::Delta).retryable(),
        (426, ..) | (400..=499, Some("VERSION_MISSING" | "NONEXISTENT_VERSION"), _) => outdated(),
        _ => match (status, &reason) {
            (403, Some(_)) => Error::new(Kind::Forbidden, NO_ACCESS),
            (404, Some(_)) => Error::new(Kind::NotFound, UNKNOWN_ID),
            (400..=499, Some(reason)) => answers::refused(Platform::Delta, &reason.full_message()),
            _ => answers::failed(Platform::Delta),
        },
    };
    let code = bounded(code.unwrap_or_default());
    let error = match reason {
        Some(reason) => error.with_fault(reason.into_fault()),
        None => error,
    };
    error.on(Platform::Delta).caused_by(format!("status {status}, code {code:?}, service error code {service_code:?}"))
}

/// The message of a refusal of access.
const NO_ACCESS: &str = "LinkedIn refuses access to this ad account: see there whether the user who authorized has a \
    role in it that may do this, then authorize again.";

/// The message for an unknown id. [`campaign_error`] is more exact where a call names a campaign.
const UNKNOWN_ID: &str = "LinkedIn finds nothing under an id of this request, the ad account's included: it does not \
    exist, or the user who authorized may not see it.";

/// The error of a call that names a campaign: that campaign is not found.
pub(super) fn campaign_error(error: Error) -> Error {
    match error.kind {
        Kind::NotFound => Error { message: Error::not_found("campaign").message, ..error },
        _ => error,
    }
}

/// The error of a read. This service alone composes reads, so a refusal of the content (a missing or wrong parameter, a
/// page that is too large) is no fault of the caller's.
pub(super) fn read_error(error: Error) -> Error {
    if error.kind != Kind::PlatformRefused {
        return error;
    }
    let message = format!("{NAME} refuses a request that this service composed; its operator has to look into it.");
    Error { kind: Kind::PlatformFailed, message, ..error }
}

/// The error of a search for campaigns: the ad account is missing.
pub(super) fn account_error(error: Error) -> Error {
    let error = read_error(error);
    match error.kind {
        Kind::NotFound => Error { kind: Kind::Forbidden, message: NO_ACCESS.to_owned(), ..error },
        _ => error,
    }
}

/// The error of a call before a create: something that the campaign would refer to is not found.
pub(super) fn referenced_error(error: Error) -> Error {
    if error.kind == Kind::NotFound { Error { kind: Kind::PlatformRefused, ..error } } else { error }
}

/// A client error with a reason proves that nothing was created, also where it is no fault of the caller's, such as a
/// retired version.
pub(super) fn create_failure(answer: &Answer, error: Error) -> CreateFailure {
    let is_clear = error.platform_fault.is_some() && !error.retryable && answer.status.is_client_error();
    match error.kind {
        Kind::PlatformFailed if is_clear => CreateFailure::Refused(error),
        _ => CreateFailure::of(answer, error),
    }
}

/// Recognizes the refusal of a revoked token. The platform may also refuse a token so right after it
/// issued it.
pub(super) fn is_revoked(error: &Error) -> bool {
    let code = error.platform_fault.as_ref().and_then(|fault| fault.code.as_deref());
    error.kind == Kind::TokenExpired && matches!(code, Some("REVOKED_ACCESS_TOKEN" | "65601"))
}

/// Reads a JSON object. Anything else is an error, an array included.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Error> {
    answers::read_object(Platform::Delta, body)
}

/// The error for an unreadable answer of success, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Delta, why)
}

/// The error for a version that has ended or was not sent, which only the operator can correct.
fn outdated() -> Error {
    let message = format!(
        "{NAME} no longer offers the version of its interface that this service asks for; its operator has to look \
         into it."
    );
    Error::new(Kind::PlatformFailed, message)
}

/// The platform rarely sends `Retry-After`. A daily limit ends at midnight UTC.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits>
fn wait(answer: &Answer, reason: Option<&Reason>, now: Timestamp) -> Duration {
    let is_daily = reason.is_some_and(|reason| reason.message.split_whitespace().any(|word| word == "DAY"));
    let midnight = || is_daily.then(|| until_midnight(now)).flatten();
    answers::retry_after(&answer.headers, now).or_else(midnight).unwrap_or(DEFAULT_WAIT)
}

/// The time until the next midnight UTC, rounded up to a second.
fn until_midnight(now: Timestamp) -> Option<Duration> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let midnight = today.checked_add(1.day()).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let wait = midnight.duration_since(now).checked_add(SignedDuration::from_nanos(999_999_999))?;
    u64::try_from(wait.as_secs()).ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests;
