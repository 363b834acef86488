//! What a failed call means: one function from an answer that is no success to our error.
//!
//! Google Ads API: Errors. What decides is the error code inside of the `GoogleAdsFailure`, not the HTTP status,
//! which only stands in where there is no such failure.

mod words;

use super::{NAME, wire};
use crate::domain::{Micros, Platform};
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::{Answer, Failure};
use http::StatusCode;
use std::error::Error as StdError;
use std::time::Duration;
use words::{advice, bounded, field_of_code, our_field};

/// How long to wait where a burst was too much and the platform does not say.
const BURST: Duration = Duration::from_secs(30);
/// How long to wait where a day's share is used up and the platform does not say.
const SHARE: Duration = Duration::from_secs(3_600);
/// No wait longer than this is believed.
const LONGEST_WAIT: Duration = Duration::from_secs(7 * 86_400);

/// The error for an answer with any status but 2xx.
pub(super) fn fault(answer: &Answer) -> Error {
    let status = answer.status;
    let said = read::<wire::ErrorBody>(&answer.body).ok().map(|body| body.error);
    let failure = said.as_ref().and_then(failure);
    let request_id = failure.as_ref().and_then(|failure| failure.request_id.clone());
    let error = match failure.as_ref().and_then(|failure| Refusal::of(failure, status)) {
        Some(refusal) => refusal.error(),
        None => without_code(status, said),
    };
    let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let id = bounded(&request_id.or_else(|| header("request-id")).unwrap_or_default());
    let code = error.platform_fault.as_ref().and_then(|fault| fault.code.clone()).unwrap_or_default();
    let asked = header("retry-after").and_then(|text| seconds(&text)).filter(|_| error.retryable);
    let wait = error.retry_after.max(asked);
    Error { retry_after: wait, ..error }
        .on(Platform::Alpha)
        .caused_by(format!("status {}, code {code:?}, request id {id:?}", status.as_u16()))
}

/// Reads a JSON object; anything else, an array included, is none.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Error> {
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(unreadable("no JSON object"));
    }
    serde_json::from_slice(body).map_err(unreadable)
}

/// The error for an answer of success that cannot be understood, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    let message = format!("{NAME} answered something that cannot be understood.");
    Error::new(Kind::PlatformFailed, message).on(Platform::Alpha).retryable().caused_by(why)
}

/// The error for no answer at all, where sending again is safe.
pub(super) fn no_answer(failure: Failure) -> Error {
    let (kind, message) = match failure {
        Failure::NotSent => {
            (Kind::PlatformFailed, format!("{NAME} could not be reached. Nothing was changed; try again."))
        }
        Failure::TimedOut => (Kind::PlatformTimeout, format!("{NAME} did not answer in time; try again.")),
        Failure::Broken => (Kind::PlatformFailed, format!("The answer of {NAME} broke off; try again.")),
    };
    Error::new(kind, message).on(Platform::Alpha).retryable().caused_by(failure)
}

/// The error for a create whose outcome is not known, whatever the reason was.
pub(super) fn doubtful(name: &str, reason: Error) -> Error {
    let kind = if reason.kind == Kind::PlatformTimeout { Kind::PlatformTimeout } else { Kind::PlatformFailed };
    let message = format!(
        "It is not known whether {NAME} created the campaign \"{name}\": there was no clear answer. \
         List the campaigns before you send it again."
    );
    Error { kind, message, ..reason }.not_retryable()
}

/// What a `GoogleAdsFailure` says: its first error decides.
struct Refusal<'a> {
    errors: &'a [wire::GoogleAdsError],
    first: &'a wire::GoogleAdsError,
    /// The enum: `campaignError`.
    family: &'a str,
    /// Its value: `DUPLICATE_CAMPAIGN_NAME`.
    value: &'a str,
    status: StatusCode,
}

impl<'a> Refusal<'a> {
    fn of(failure: &'a wire::GoogleAdsFailure, status: StatusCode) -> Option<Refusal<'a>> {
        if !(status.is_client_error() || status.is_server_error()) {
            return None;
        }
        let first = failure.errors.first()?;
        let (family, value) = first.error_code.first_key_value()?;
        Some(Refusal { errors: &failure.errors, first, family, value, status })
    }

    fn error(&self) -> Error {
        let error = match (self.family, self.value) {
            ("authenticationError", "AUTHENTICATION_ERROR") => token_expired(),
            ("authenticationError", value) if value.starts_with("OAUTH_TOKEN_") => token_expired(),
            ("authenticationError" | "authorizationError", _) | ("quotaError", "ACCESS_PROHIBITED") => {
                Error::new(Kind::Forbidden, advice(self.value))
            }
            ("quotaError", _) => throttled(self.wait()),
            ("mutateError" | "requestError", "RESOURCE_NOT_FOUND") => Error::not_found("campaign"),
            // The code is newer than this version of the API: what it says is in the message.
            ("internalError", "ERROR_CODE_NOT_PUBLISHED") if self.status.is_client_error() => self.refused(),
            ("internalError", _) | ("databaseError", "CONCURRENT_MODIFICATION") => failed().retryable(),
            _ if self.status.is_server_error() => failed().retryable(),
            _ => self.refused(),
        };
        error.with_fault(PlatformFault {
            code: Some(bounded(&format!("{}.{}", self.family, self.value))),
            message: bounded(&self.first.message),
            field: self.field(),
        })
    }

    fn refused(&self) -> Error {
        let words: Vec<&str> = self.errors.iter().map(|error| error.message.trim()).collect();
        let message = format!("{NAME} refused the request: {}{}", words.join(" "), self.minimum());
        Error::new(Kind::PlatformRefused, bounded(&message))
    }

    /// The smallest budget that the platform would have taken, to the last digit.
    fn minimum(&self) -> String {
        let details = self.first.details.as_ref();
        let details = details.and_then(|details| details.budget_per_day_minimum_error_details.as_ref());
        let said = |micros: Option<wire::Int64>, what: &str| {
            let (amount, details) = (Micros(micros?.0).to_amount(), details?);
            Some(format!(" The smallest {what} that it takes here is {amount} {}.", details.currency_code))
        };
        let daily = details.and_then(|details| said(details.minimum_budget_amount_micros, "daily budget"));
        let total = || details.and_then(|details| said(details.minimum_budget_total_amount_micros, "total budget"));
        daily.or_else(total).unwrap_or_default()
    }

    fn wait(&self) -> Duration {
        let details = self.first.details.as_ref().and_then(|details| details.quota_error_details.as_ref());
        let said = details.and_then(|details| seconds(details.retry_delay.as_deref()?));
        said.unwrap_or(match self.value {
            "RESOURCE_TEMPORARILY_EXHAUSTED" | "EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION" => BURST,
            _ => SHARE,
        })
    }

    /// Our name of the field at fault, by its path, else by the code; else the platform's own name of it.
    fn field(&self) -> Option<String> {
        let path = self.first.location.iter().flat_map(|location| &location.field_path_elements);
        let names: Vec<&str> = path.map(|element| element.field_name.as_str()).collect();
        let ours = names.iter().rev().find_map(|name| our_field(name)).or_else(|| field_of_code(self.value));
        ours.map(str::to_owned).or_else(|| names.last().map(|name| bounded(name)))
    }
}

/// The failure among the details, which may be of other types too.
fn failure(said: &wire::Status) -> Option<wire::GoogleAdsFailure> {
    let failures = said.details.iter().filter_map(|detail| serde_json::from_str(detail.get()).ok());
    failures.into_iter().find(|failure: &wire::GoogleAdsFailure| failure.type_url.ends_with(".GoogleAdsFailure"))
}

/// Where no error code says more: an error of Google's front door, or no JSON at all.
fn without_code(status: StatusCode, said: Option<wire::Status>) -> Error {
    let canonical = said.as_ref().and_then(|said| said.status.as_deref());
    let error = match (status.as_u16(), canonical) {
        (401, _) => token_expired(),
        (429, _) => throttled(BURST),
        (408 | 499 | 500.., _) | (409, Some("ABORTED")) => failed().retryable(),
        (403, Some(_)) => Error::new(Kind::Forbidden, advice("")),
        (404, Some("NOT_FOUND")) => Error::not_found("campaign"),
        (400.., Some(_)) => {
            let words = said.as_ref().map_or("", |said| said.message.as_str());
            Error::new(Kind::PlatformRefused, bounded(&format!("{NAME} refused the request: {words}")))
        }
        _ => failed(),
    };
    match said {
        Some(said) => error.with_fault(PlatformFault {
            code: said.status.as_deref().map(bounded),
            message: bounded(&said.message),
            field: None,
        }),
        None => error,
    }
}

fn token_expired() -> Error {
    Error::new(Kind::TokenExpired, format!("{NAME} no longer accepts this authorization; authorize the account again."))
}

fn throttled(wait: Duration) -> Error {
    let message = format!("{NAME} is throttling; try again in a while.");
    Error::new(Kind::RateLimited, message).retryable().retry_after(wait)
}

fn failed() -> Error {
    Error::new(Kind::PlatformFailed, format!("{NAME} failed to answer properly."))
}

/// Reads `30`, `30s` or `1.5s` (a protobuf duration in JSON), rounded up to a second; `None` for anything else.
fn seconds(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s').unwrap_or(text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let up = u64::from(fraction.bytes().any(|digit| digit != b'0'));
    // A number that does not fit is a wait without end.
    let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(up);
    Some(Duration::from_secs(seconds).min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests;
