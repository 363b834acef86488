//! What a failed call means: one function from an answer that is no success to our error.
//!
//! <https://learn.microsoft.com/en-us/linkedin/marketing/error-responses>

mod words;

use super::{NAME, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use std::error::Error as StdError;
use std::time::Duration;
use words::{field_of_code, our_field};

/// How long to wait where the platform says nothing about it. It is a first guess and promises nothing: a limit on the
/// metrics of reports lasted about 330 seconds (recorded live).
const PAUSE: Duration = Duration::from_secs(60);

/// The error for an answer with any status but 2xx; `now` is what the wait for the next day is counted from.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let status = answer.status.as_u16();
    let said = Said::of(answer);
    let (code, service_code) = said.as_ref().map_or((None, None), |said| (said.code.as_deref(), said.service_code));
    let error = match (status, code, service_code) {
        (401, ..)
        | (400..=499, _, Some(65_600..=65_602))
        | (400..=499, Some("EXPIRED_ACCESS_TOKEN" | "REVOKED_ACCESS_TOKEN" | "INVALID_ACCESS_TOKEN"), _) => {
            answers::token_expired(Platform::Delta)
        }
        (429, ..) => answers::throttled(Platform::Delta, wait(answer, said.as_ref(), now)),
        (408 | 500.., ..) => answers::failed(Platform::Delta).retryable(),
        (426, ..) | (400..=499, Some("VERSION_MISSING" | "NONEXISTENT_VERSION"), _) => outdated(),
        _ => match (status, &said) {
            (403, Some(_)) => Error::new(Kind::Forbidden, ADVICE),
            (404, Some(_)) => Error::new(Kind::NotFound, NOT_THERE),
            (400..=499, Some(said)) => answers::refused(Platform::Delta, &said.all_words()),
            _ => answers::failed(Platform::Delta),
        },
    };
    let code = bounded(code.unwrap_or_default());
    let error = match said {
        Some(said) => error.with_fault(said.into_fault()),
        None => error,
    };
    error.on(Platform::Delta).caused_by(format!("status {status}, code {code:?}, service error code {service_code:?}"))
}

/// What to do about a refusal of access.
pub(super) const ADVICE: &str = "LinkedIn refuses access to this ad account: see there whether the user who authorized has a \
    role in it that may do this, then authorize again.";

/// A path that leads nowhere, whatever the call was about; [`of_campaign`] says more where it was about a campaign.
const NOT_THERE: &str = "LinkedIn finds nothing under an id of this request, the ad account's included: it does not \
    exist, or the user who authorized may not see it.";

/// The error of a call about one campaign: what was not found is that campaign.
pub(super) fn of_campaign(error: Error) -> Error {
    match error.kind {
        Kind::NotFound => Error { message: Error::not_found("campaign").message, ..error },
        _ => error,
    }
}

/// The error of a read. The service alone puts a read together, so that a refusal of its content (a parameter that is
/// missing or wrong, a page that is too large) is no fault of the caller's.
pub(super) fn of_read(error: Error) -> Error {
    if error.kind != Kind::PlatformRefused {
        return error;
    }
    let message = format!("{NAME} refuses a request that this service put together; its operator has to look into it.");
    Error { kind: Kind::PlatformFailed, message, ..error }
}

/// Whether the token was refused as revoked, which the platform also says of one that it gave out a moment before.
pub(super) fn is_revoked(error: &Error) -> bool {
    let code = error.platform_fault.as_ref().and_then(|fault| fault.code.as_deref());
    error.kind == Kind::TokenExpired && matches!(code, Some("REVOKED_ACCESS_TOKEN" | "65601"))
}

/// Reads a JSON object; anything else, an array included, is none.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Error> {
    answers::read_object(Platform::Delta, body)
}

/// The error for an answer of success that cannot be understood, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Delta, why)
}

/// The error for a create whose outcome is not known, whatever the reason was.
pub(super) fn unknown_outcome(name: &str, reason: Error) -> Error {
    answers::unknown_outcome(Platform::Delta, name, reason)
}

/// The version that we ask for is no more, or was not sent: nothing that the caller could mend.
fn outdated() -> Error {
    let message = format!(
        "{NAME} no longer offers the version of its interface that this service asks for; its operator has to look \
         into it."
    );
    Error::new(Kind::PlatformFailed, message)
}

/// The platform sends no `Retry-After` as a rule. A day's limit ends at midnight UTC.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits>
fn wait(answer: &Answer, said: Option<&Said>, now: Timestamp) -> Duration {
    let is_of_day = said.is_some_and(|said| said.message.split_whitespace().any(|word| word == "DAY"));
    let midnight = || is_of_day.then(|| until_midnight(now)).flatten();
    answers::retry_after(&answer.headers, now).or_else(midnight).unwrap_or(PAUSE)
}

/// The time until the next midnight UTC, rounded up to a second.
fn until_midnight(now: Timestamp) -> Option<Duration> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let midnight = today.checked_add(1.day()).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let wait = midnight.duration_since(now).checked_add(SignedDuration::from_nanos(999_999_999))?;
    u64::try_from(wait.as_secs()).ok().map(Duration::from_secs)
}

/// What a body says, where it says anything.
struct Said {
    code: Option<String>,
    service_code: Option<i64>,
    message: String,
    inputs: Vec<wire::InputError>,
}

impl Said {
    fn of(answer: &Answer) -> Option<Said> {
        let body: wire::ErrorBody = read(&answer.body).ok()?;
        let details = body.error_details.and_then(|details| serde_json::from_str(details.get()).ok());
        let details: wire::ErrorDetails = details.unwrap_or_default();
        let is_empty = body.message.is_none() && body.code.is_none() && body.service_error_code.is_none();
        (!is_empty).then(|| Said {
            code: body.code,
            service_code: body.service_error_code,
            message: body.message.unwrap_or_default(),
            inputs: details.input_errors,
        })
    }

    /// The message, and what each field's error says beyond it, each once. Some of their codes are sentences.
    fn all_words(&self) -> String {
        let mut words = self.message.trim().to_owned();
        for input in &self.inputs {
            let prose = input.code.as_deref().filter(|code| !is_code(code));
            for more in [input.description.as_deref(), prose].into_iter().flatten().map(str::trim) {
                if !words.contains(more) {
                    words = format!("{words} {more}");
                }
            }
        }
        if words.trim().is_empty() { self.code.clone().unwrap_or_default() } else { words.trim().to_owned() }
    }

    /// The first field's error decides where there is one: its code is finer than the one of the whole.
    fn into_fault(self) -> PlatformFault {
        let first = self.inputs.first();
        let codes = [first.and_then(|input| input.code.clone()), self.code.clone()];
        let number = self.service_code.map(|number| number.to_string());
        let code = codes.into_iter().flatten().find(|code| is_code(code)).or(number);
        let path = first.and_then(|input| input.input.as_ref()?.input_path.as_ref()?.field_path.as_deref());
        let field = field(path.unwrap_or_default()).or_else(|| field_of_code(code.as_deref()?).map(str::to_owned));
        PlatformFault { field, message: bounded(&self.all_words()), code: code.as_deref().map(bounded) }
    }
}

/// Whether a code is a name (`FIELD_VALUE_TOO_LOW`) and not a sentence, which belongs to the words (recorded live).
fn is_code(text: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_name)
}

/// Our name of the field that a path leads to, else the last part of the path.
fn field(path: &str) -> Option<String> {
    let is_index = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = path.split(['/', '.', '[', ']']).filter(|part| !is_index(part)).collect();
    let ours = parts.iter().rev().find_map(|part| our_field(part)).map(str::to_owned);
    ours.or_else(|| parts.last().map(|part| bounded(part)))
}

#[cfg(test)]
mod tests;
