//! Classifies failures: of an answer that is no success, and of a refusal inside of a success.
//!
//! The HTTP status decides, because the same code has several meanings: 2 is a refused token with 401 and a missing
//! ad account with 404.

use super::wire;
use crate::platforms::prelude::*;

/// The wait where the platform names none.
pub(super) const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// The error of an answer that is no success.
pub(super) fn classify(answer: &Answer, now: Timestamp) -> Result<(), Error> {
    if answer.status.is_success() {
        return Ok(());
    }
    let failure: Option<wire::Failure> = read_object(Platform::Epsilon, &answer.body).ok();
    let fault = failure.as_ref().and_then(platform_fault);
    let code = fault.as_ref().and_then(|fault| fault.code.as_deref());
    let status = answer.status.as_u16();
    let error = match (status, &fault) {
        // A missing scope or role, which a refresh would not bring.
        (401, _) if matches!(code, Some("3" | "7" | "29")) => answers::no_access(Platform::Epsilon),
        (401, _) => answers::token_expired(Platform::Epsilon),
        (403, Some(_)) => answers::no_access(Platform::Epsilon),
        (404, Some(_)) => Error::not_found("campaign").on(Platform::Epsilon),
        (429, _) => answers::throttled(Platform::Epsilon, wait(&answer.headers, now)),
        (408 | 500..=599, _) => answers::failed(Platform::Epsilon).retryable(),
        (400..=499, Some(fault)) => answers::refused(Platform::Epsilon, &fault.message),
        _ => answers::failed(Platform::Epsilon),
    };
    Err(error.caused_by(format!("status {status}, code {code:?}")).with_fault(fault))
}

/// Reads the one campaign of the answer to a write. A refusal of it comes with status 200.
pub(super) fn read_written(answer: &Answer) -> Result<Box<RawValue>, Error> {
    let outcome = only_outcome(answer)?;
    match refusal(&outcome.exceptions) {
        Some(refusal) => Err(refusal),
        None => outcome.data.ok_or_else(|| unreadable(Platform::Epsilon, "a write without a result")),
    }
}

/// `true` if a 2xx certainly created nothing: its one item has no campaign id, and its first exception has a code or a
/// message.
pub(super) fn is_certain_refusal(answer: &Answer) -> bool {
    let Ok(outcome) = only_outcome(answer) else { return false };
    let has_reason = outcome.exceptions.first().and_then(platform_fault).is_some();
    let has_no_id = |data: &RawValue| serde_json::from_str(data.get()).is_ok_and(|new: wire::NewId| new.id.is_none());
    has_reason && outcome.data.as_deref().is_none_or(has_no_id)
}

fn only_outcome(answer: &Answer) -> Result<wire::Outcome, Error> {
    let mut outcomes: wire::Outcomes = read_object(Platform::Epsilon, &answer.body)?;
    match (outcomes.items.pop(), outcomes.items.is_empty()) {
        (Some(outcome), true) => Ok(outcome),
        _ => Err(unreadable(Platform::Epsilon, "not one result for one campaign")),
    }
}

/// The error of exceptions; `None` without any.
fn refusal(exceptions: &[wire::Failure]) -> Option<Error> {
    let fault = platform_fault(exceptions.first()?).unwrap_or_default();
    let messages: Vec<&str> = exceptions.iter().filter_map(|exception| exception.message.as_deref()).collect();
    let error = answers::refused(Platform::Epsilon, &messages.join(" "));
    Some(error.caused_by(format!("status 200, exception {:?}", fault.code)).with_fault(fault))
}

/// The platform's error: code, message, field; `None` without code and message.
fn platform_fault(failure: &wire::Failure) -> Option<PlatformFault> {
    let code = code_text(failure.code.as_deref());
    let message = bounded(failure.message.as_deref().unwrap_or_default());
    let field = field_in(&message).map(str::to_owned);
    (code.is_some() || !message.is_empty()).then_some(PlatformFault { code, message, field })
}

/// The text of a code, which is published as an integer.
pub(super) fn code_text(code: Option<&RawValue>) -> Option<String> {
    code.map(|code| bounded(code.get().trim_matches('"'))).filter(|code| !code.is_empty())
}

/// The longest wait that a header asks for.
fn wait(headers: &HeaderMap, now: Timestamp) -> Duration {
    reset(headers).max(answers::retry_after(headers, now)).unwrap_or(DEFAULT_WAIT)
}

/// The pause until the end of a used-up window, or of `Retry-After`.
pub(super) fn requested_pause(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let remaining = headers.get("x-ratelimit-remaining").and_then(|value| value.to_str().ok());
    // Parameters of the window, or further windows, may follow.
    let count = remaining.and_then(|text| text.split([',', ';']).next());
    let until_reset = reset(headers).filter(|_| count.is_some_and(|count| count.trim() == "0"));
    until_reset.max(answers::retry_after(headers, now))
}

fn reset(headers: &HeaderMap) -> Option<Duration> {
    answers::seconds(headers.get("x-ratelimit-reset")?.to_str().ok()?.trim())
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
