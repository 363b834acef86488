//! Classifies failures: of a response that is no success, and of a refusal inside of a success.
//!
//! The HTTP status decides, because the same code has several meanings: 2 is a refused token with 401 and a missing
//! ad account with 404.

use super::wire;
use crate::platforms::prelude::*;

/// The wait where the platform names none.
pub(super) const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// The error of a response that is no success.
pub(super) fn classify(response: &OutboundResponse, now: Timestamp) -> Result<(), Error> {
    if response.status.is_success() {
        return Ok(());
    }
    let failure: Option<wire::Failure> = read_object(Platform::Epsilon, &response.body).ok();
    let reported = failure.as_ref().and_then(platform_error);
    let code = reported.as_ref().and_then(|reported| reported.code.as_deref());
    let status = response.status.as_u16();
    let error = match (status, &reported) {
        // A missing scope or role, which a refresh would not bring.
        (401, _) if matches!(code, Some("3" | "7" | "29")) => errors::no_access(Platform::Epsilon),
        (401, _) => errors::token_expired(Platform::Epsilon),
        (403, Some(_)) => errors::no_access(Platform::Epsilon),
        (404, Some(_)) => Error::not_found("campaign").on(Platform::Epsilon),
        (429, _) => errors::throttled(Platform::Epsilon, wait(&response.headers, now)),
        (408 | 500..=599, _) => errors::failed(Platform::Epsilon).retryable(),
        (400..=499, Some(reported)) => errors::refused(Platform::Epsilon, &reported.message),
        _ => errors::failed(Platform::Epsilon),
    };
    Err(error.caused_by(format!("status {status}, code {code:?}")).with_platform_error(reported))
}

/// Reads the one campaign of the response to a write. A refusal of it comes with status 200.
pub(super) fn read_written(response: &OutboundResponse) -> Result<Box<RawValue>, Error> {
    let outcome = only_outcome(response)?;
    match refusal(&outcome.exceptions) {
        Some(refusal) => Err(refusal),
        None => outcome.data.ok_or_else(|| unreadable(Platform::Epsilon, "a write without a result")),
    }
}

/// `true` if a 2xx certainly created nothing: its one item has no campaign id, and its first exception has a code or a
/// message.
pub(super) fn is_certain_refusal(response: &OutboundResponse) -> bool {
    let Ok(outcome) = only_outcome(response) else { return false };
    let has_reason = outcome.exceptions.first().and_then(platform_error).is_some();
    let has_no_id = |data: &RawValue| serde_json::from_str(data.get()).is_ok_and(|new: wire::NewId| new.id.is_none());
    has_reason && outcome.data.as_deref().is_none_or(has_no_id)
}

fn only_outcome(response: &OutboundResponse) -> Result<wire::Outcome, Error> {
    let mut outcomes: wire::Outcomes = read_object(Platform::Epsilon, &response.body)?;
    match (outcomes.items.pop(), outcomes.items.is_empty()) {
        (Some(outcome), true) => Ok(outcome),
        _ => Err(unreadable(Platform::Epsilon, "not one result for one campaign")),
    }
}

/// The error of exceptions; `None` without any.
fn refusal(exceptions: &[wire::Failure]) -> Option<Error> {
    let reported = platform_error(exceptions.first()?).unwrap_or_default();
    let messages: Vec<&str> = exceptions.iter().filter_map(|exception| exception.message.as_deref()).collect();
    let error = errors::refused(Platform::Epsilon, &messages.join(" "));
    Some(error.caused_by(format!("status 200, exception {:?}", reported.code)).with_platform_error(reported))
}

/// The platform's error: code, message, field; `None` without code and message.
fn platform_error(failure: &wire::Failure) -> Option<PlatformError> {
    let code = code_text(failure.code.as_deref());
    let message = bounded(failure.message.as_deref().unwrap_or_default());
    let field = field_in(&message).map(str::to_owned);
    (code.is_some() || !message.is_empty()).then_some(PlatformError { code, message, field })
}

/// The text of a code, which is published as an integer.
pub(super) fn code_text(code: Option<&RawValue>) -> Option<String> {
    code.map(|code| bounded(code.get().trim_matches('"'))).filter(|code| !code.is_empty())
}

/// The longest wait that a header asks for.
fn wait(headers: &HeaderMap, now: Timestamp) -> Duration {
    reset(headers).max(response_body::retry_after(headers, now)).unwrap_or(DEFAULT_WAIT)
}

/// The pause until the end of a used-up window, or of `Retry-After`.
pub(super) fn requested_pause(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let remaining = headers.get("x-ratelimit-remaining").and_then(|value| value.to_str().ok());
    // Parameters of the window, or further windows, may follow.
    let count = remaining.and_then(|text| text.split([',', ';']).next());
    let is_used_up = count.is_some_and(|count| count.trim() == "0");
    let until_reset = if is_used_up { reset(headers) } else { None };
    until_reset.max(response_body::retry_after(headers, now))
}

fn reset(headers: &HeaderMap) -> Option<Duration> {
    crate::outbound::seconds(headers.get("x-ratelimit-reset")?.to_str().ok()?.trim())
}

/// Our field for the first one of the platform's that a message names. The platform names fields nowhere else.
fn field_in(message: &str) -> Option<&'static str> {
    // A name may be written in snake case, in camel case, or as words.
    let message = message.to_ascii_lowercase().replace("spend cap", "spend_cap");
    let mut words = message.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.find_map(|word| match word.replace('_', "").as_str() {
        "dailyspendcap" | "lifetimespendcap" | "spendcap" => Some("budget_amount"),
        "starttime" => Some("start_at"),
        "endtime" => Some("end_at"),
        "objectivetype" | "objective" => Some("goal"),
        "status" => Some("status"),
        "name" => Some("name"),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
