//! The stored form of an error, and the error of a change whose outcome is unknown.

use crate::domain::{Change, ChangeError, ChangeStatement, Platform, Statement};
use crate::error::{Error, Kind, PlatformError};
use jiff::Timestamp;
use std::time::Duration;

/// Minimum `Retry-After` of an unknown outcome.
pub(super) const MIN_RETRY_AFTER: Duration = Duration::from_secs(5);

/// The error in the form that a change stores.
pub(super) fn change_error(error: &Error) -> ChangeError {
    let reported = error.platform_error.clone();
    let (platform_code, field) =
        reported.as_ref().map_or((None, None), |reported| (reported.code.clone(), reported.field.clone()));
    ChangeError {
        code: error.kind.code().to_owned(),
        reason: Some(error.reason()),
        message: statement(error),
        is_refusal: error.kind == Kind::PlatformRefused,
        platform_code,
        platform_message: reported.map(|reported| reported.message),
        field,
    }
}

/// The invalid fields if there are any, or else the message.
fn statement(error: &Error) -> Statement {
    if error.details.is_empty() { error.message.clone() } else { Statement::Fields(error.details.clone()) }
}

/// The error of a stored refusal, equal to that of the first response.
pub(super) fn refusal(platform: Platform, refusal: &ChangeError) -> Error {
    let ChangeError { code: _, reason: _, message, is_refusal: _, platform_code, platform_message, field } =
        refusal.clone();
    let error = Error::new(Kind::PlatformRefused, message).on(platform);
    match platform_message {
        Some(message) => error.with_platform_error(PlatformError { code: platform_code, message, field }),
        None => error,
    }
}

/// The error while the outcome of a change is unknown. `reason` is why the outcome was not found. `now` is set if a
/// retry under an `Idempotency-Key` can ask again: then the error has a `Retry-After`, until the outcome is conclusive
/// and at least as long as the platform asks.
pub(super) fn unknown_outcome(
    change: &Change,
    message: impl Into<Statement>,
    reason: Option<Error>,
    now: Option<Timestamp>,
) -> Error {
    let reason = reason.unwrap_or_else(|| Error::new(Kind::PlatformTimeout, ""));
    let requested_wait = reason.retry_after;
    // The service needs access to the ad account to find the outcome.
    let message = match reason.kind {
        Kind::TokenExpired | Kind::Forbidden => message.into().and(ChangeStatement::NotNow(reason.message.clone())),
        _ => message.into(),
    };
    let error = Error { kind: Kind::PlatformTimeout, message, ..reason }.on(change.platform).of_unknown_outcome();
    let Some(now) = now else { return error };
    let wait = Duration::try_from(change.conclusive_from().duration_since(now)).unwrap_or_default();
    error.retryable().retry_after(wait.max(MIN_RETRY_AFTER).max(requested_wait.unwrap_or_default()))
}
