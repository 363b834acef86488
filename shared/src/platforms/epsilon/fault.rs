//! What a failed call means: one function from an answer that is no success to our error, and one for a refusal
//! inside of a success.
//!
//! The HTTP status decides, because the same code stands for different things: 2 is a
//! refused token with 401 and a missing ad account with 404.

use super::{NAME, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded, seconds};
use http::HeaderMap;
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::error::Error as StdError;
use std::time::Duration;

/// How long to wait where the platform does not say.
const SILENT_WAIT: Duration = Duration::from_secs(60);

/// The error for an answer with any status but 2xx.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let said = read::<wire::Failure>(&answer.body).ok().and_then(|failure| Said::of(&failure));
    let code = said.as_ref().map_or("", |said| said.code.as_str());
    let words = said.as_ref().map_or("", |said| said.words.as_str());
    let error = match (answer.status.as_u16(), said.is_some()) {
        // A missing scope or role, which a refresh would not bring.
        (401, true) if matches!(code, "3" | "7" | "29") => Error::new(Kind::Forbidden, no_access()),
        (401, _) => answers::token_expired(Platform::Epsilon),
        (403, true) => Error::new(Kind::Forbidden, no_access()),
        (404, true) => Error::not_found("campaign"),
        (429, _) => answers::throttled(Platform::Epsilon, wait(answer, now)),
        (408 | 500..=599, _) => answers::failed(Platform::Epsilon).retryable(),
        (400..=499, true) => answers::refused(Platform::Epsilon, words),
        _ => answers::failed(Platform::Epsilon),
    };
    let source = format!("status {}, code {code:?}", answer.status.as_u16());
    let error = error.on(Platform::Epsilon).caused_by(source);
    match said {
        Some(said) => error.with_fault(said.fault()),
        None => error,
    }
}

/// The error for a refusal of the one campaign that was sent, which comes with status 200; `None` when there is none.
pub(super) fn exceptions(exceptions: &[wire::Failure]) -> Option<Error> {
    let first = exceptions.first()?;
    let words: Vec<&str> = exceptions.iter().filter_map(|exception| exception.message.as_deref()).collect();
    let error = answers::refused(Platform::Epsilon, &words.join(" "));
    let said = Said::of(first).unwrap_or_default();
    Some(error.caused_by(format!("status 200, exception {:?}", said.code)).with_fault(said.fault()))
}

/// Reads a JSON object; anything else, an array included, is none.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Error> {
    answers::read_object(Platform::Epsilon, body)
}

/// The error for an answer of success that cannot be understood, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Epsilon, why)
}

/// The error for a create whose outcome is not known, whatever the reason was.
pub(super) fn unknown_outcome(name: &str, reason: Error) -> Error {
    answers::unknown_outcome(Platform::Epsilon, name, reason)
}

/// The text of a code, which is published as an integer.
pub(super) fn code_text(code: Option<&RawValue>) -> String {
    bounded(code.map_or("", |code| code.get().trim_matches('"')))
}

/// What the platform said, where it said anything.
#[derive(Debug, Default)]
struct Said {
    code: String,
    words: String,
}

impl Said {
    fn of(failure: &wire::Failure) -> Option<Said> {
        let said = Said {
            code: code_text(failure.code.as_deref()),
            words: bounded(failure.message.as_deref().unwrap_or_default()),
        };
        (!said.code.is_empty() || !said.words.is_empty()).then_some(said)
    }

    fn fault(self) -> PlatformFault {
        let field = field_in(&self.words).map(str::to_owned);
        PlatformFault { code: Some(self.code).filter(|code| !code.is_empty()), message: self.words, field }
    }
}

/// How long the platform asks to wait: the longest that any of its headers says.
fn wait(answer: &Answer, now: Timestamp) -> Duration {
    reset(&answer.headers).max(answers::retry_after(&answer.headers, now)).unwrap_or(SILENT_WAIT)
}

/// For how long any answer asks to leave the account alone: until the window ends of which nothing remains.
pub(super) fn pause_asked(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let remaining = headers.get("x-ratelimit-remaining").and_then(|value| value.to_str().ok()).unwrap_or_default();
    // Parameters of the window, or further windows, may follow.
    let is_used_up = remaining.split([',', ';']).next().is_some_and(|count| count.trim() == "0");
    let asked = reset(headers).filter(|_| is_used_up);
    asked.max(answers::retry_after(headers, now))
}

fn reset(headers: &HeaderMap) -> Option<Duration> {
    headers.get("x-ratelimit-reset").and_then(|value| seconds(value.to_str().ok()?.trim()))
}

/// Our name of the field that a message is about. The platform names fields nowhere else; a message that names
/// several is taken to be about the first.
fn field_in(words: &str) -> Option<&'static str> {
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
    let words = words.to_ascii_lowercase();
    let mut words = words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
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
