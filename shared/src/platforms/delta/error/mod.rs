//! Errors of LinkedIn: the error of a response that is no success, and its meaning for each kind of call.

mod reason;

use crate::platforms::prelude::*;
use reason::Reason;

/// The wait where the platform names none. Messages do not promise it: a limit on the metrics of reports lasted about
/// 330 seconds (recorded live).
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// The message for an unknown id. [`campaign_error`] is more exact where a call names a campaign.
const UNKNOWN_ID: &str = "LinkedIn finds nothing under an id of this request, the ad account's included: it does not \
    exist, or the user who authorized may not see it.";
/// A version that has ended or was not sent.
const OUTDATED: &str = "LinkedIn no longer offers the version of its interface that this service asks for; its \
    operator has to look into it.";
/// A field of a request that the version of the interface does not have.
const UNPERMITTED: &str = "LinkedIn refuses a field that this service sends; its operator has to look into it.";

pub(super) fn classify(response: &OutboundResponse, now: Timestamp) -> Result<(), Error> {
    if response.status.is_success() { Ok(()) } else { Err(error_of(response, now)) }
}

/// The error for a response with any status but 2xx. The wait until the next day is counted from `now`.
pub(super) fn error_of(response: &OutboundResponse, now: Timestamp) -> Error {
    let status = response.status.as_u16();
    let reason = Reason::of(response);
    let error = match (status, &reason) {
        (401, _) => errors::token_expired(Platform::Delta),
        (400..=499, Some(reason)) if reason.is_about_token() => errors::token_expired(Platform::Delta),
        (429, _) => errors::throttled(Platform::Delta, wait(response, reason.as_ref(), now)),
        (408 | 500.., _) => errors::failed(Platform::Delta).retryable(),
        (426, _) => Error::new(Kind::PlatformFailed, OUTDATED).for_operator(),
        (400..=499, Some(reason)) if reason.is_about_version() => {
            Error::new(Kind::PlatformFailed, OUTDATED).for_operator()
        }
        (403, Some(reason)) if reason.is_about_fields() => Error::new(Kind::PlatformFailed, UNPERMITTED).for_operator(),
        (403, Some(_)) => errors::no_access(Platform::Delta),
        (404, Some(_)) => Error::new(Kind::NotFound, UNKNOWN_ID),
        (400..=499, Some(reason)) => errors::refused(Platform::Delta, &reason.full_message()),
        _ => errors::failed(Platform::Delta),
    };
    let codes = reason.as_ref().map_or_else(|| "no reason".to_owned(), Reason::codes);
    let platform_error = reason.as_ref().map(Reason::to_platform_error);
    error.on(Platform::Delta).caused_by(format!("status {status}, {codes}")).with_platform_error(platform_error)
}

/// The error of a call that names a campaign: that campaign is not found.
pub(super) fn campaign_error(error: Error) -> Error {
    match error.kind {
        Kind::NotFound => Error { message: Error::not_found("campaign").message, ..error },
        _ => error,
    }
}

/// The error of an exchange. For a code that was used or has expired the platform says `invalid_redirect_uri` or
/// `invalid_request`, with 400 or 401. A wrong redirect URI gets the same codes; they stay in the error.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>
pub(super) fn exchange_error(error: Error) -> Error {
    let is_expired = matches!(error.platform_code(), Some("invalid_redirect_uri" | "invalid_request"));
    expired_if(is_expired, error)
}

/// The error of a refresh. The platform also says `invalid_request` for a refresh token that has ended.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens>
pub(super) fn refresh_error(error: Error) -> Error {
    let message = error.platform_error.as_ref().map(|reported| reported.message.as_str()).unwrap_or_default();
    expired_if(error.platform_code() == Some("invalid_request") && message.contains("refresh token"), error)
}

fn expired_if(is_expired: bool, error: Error) -> Error {
    match error.kind {
        Kind::Forbidden if is_expired => {
            errors::token_expired(Platform::Delta).with_platform_error(error.platform_error)
        }
        _ => error,
    }
}

/// The platform rarely sends `Retry-After`. A daily limit ends at midnight UTC.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits>
fn wait(response: &OutboundResponse, reason: Option<&Reason>, now: Timestamp) -> Duration {
    let is_daily = reason.is_some_and(|reason| reason.message().split_whitespace().any(|word| word == "DAY"));
    let default = if is_daily { until_midnight(now) } else { DEFAULT_WAIT };
    response_body::retry_after(&response.headers, now).unwrap_or(default)
}

/// The time until the next midnight UTC, rounded up to a second.
fn until_midnight(now: Timestamp) -> Duration {
    Duration::from_secs(86_400 - now.as_second().rem_euclid(86_400).unsigned_abs())
}

#[cfg(test)]
mod tests;
