//! What a failed call means: one function from an answer that is no success to our error (Reddit Ads API: Errors).

use super::wire;
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
use http::HeaderMap;
use jiff::Timestamp;
use std::time::Duration;

/// How long to wait where the platform does not say: its windows are of a minute.
const WINDOW: Duration = Duration::from_secs(60);

/// The error for an answer with any status but 2xx.
pub(super) fn fault(answer: &Answer, now: Timestamp) -> Error {
    let said = answers::read_object::<wire::ErrorBody>(Platform::Zeta, &answer.body).ok().map(|body| body.error);
    let error = match (answer.status.as_u16(), &said) {
        (401, _) => answers::token_expired(Platform::Zeta),
        (429, _) => answers::throttled(Platform::Zeta, wait(&answer.headers, now)),
        (403, Some(_)) => forbidden(),
        (404, Some(_)) => Error::not_found("campaign").on(Platform::Zeta),
        (408 | 500.., _) => answers::failed(Platform::Zeta).retryable(),
        (400.., Some(refusal)) => answers::refused(Platform::Zeta, &words(refusal)),
        _ => answers::failed(Platform::Zeta),
    };
    let error = error.caused_by(format!("status {}", answer.status.as_u16()));
    match said {
        Some(refusal) => error.with_fault(platform_fault(&refusal)),
        None => error,
    }
}

/// What the account's owner has to look at.
pub(super) fn forbidden() -> Error {
    let message = "Reddit refuses access to this ad account: see there whether the user who authorized still has a role \
                   that may change campaigns, then authorize again.";
    Error::new(Kind::Forbidden, message).on(Platform::Zeta)
}

fn words(refusal: &wire::Refusal) -> String {
    let fields = refusal.fields.iter().flatten().filter_map(|fault| {
        let name = fault.field.as_deref().map(last_segment)?;
        Some(format!("{name}: {}", fault.message.as_deref().unwrap_or("is not valid")))
    });
    let fields: Vec<String> = fields.collect();
    let message = refusal.message.clone().unwrap_or_default();
    if fields.is_empty() { message } else { format!("{message} ({})", fields.join("; ")) }
}

fn platform_fault(refusal: &wire::Refusal) -> PlatformFault {
    let first = refusal.fields.iter().flatten().find_map(|fault| fault.field.as_deref()).map(last_segment);
    PlatformFault {
        code: refusal.code.map(|code| code.0.to_string()),
        message: bounded(&words(refusal)),
        field: first.map(|name| our_field(name).map_or_else(|| bounded(name), str::to_owned)),
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Our field for one of the platform's.
fn our_field(theirs: &str) -> Option<&'static str> {
    match theirs {
        "name" => Some("name"),
        "objective" | "optimization_goal" | "bid_type" => Some("goal"),
        "goal_value" => Some("budget_amount"),
        "goal_type" => Some("budget_period"),
        "start_time" => Some("start_at"),
        "end_time" => Some("end_at"),
        "configured_status" => Some("status"),
        _ => None,
    }
}

/// The longest wait among what the platform says: `Retry-After`, and `t` of its `RateLimit` header.
fn wait(headers: &HeaderMap, now: Timestamp) -> Duration {
    let limit = headers.get("ratelimit").and_then(|value| value.to_str().ok()).and_then(reset_of);
    limit.max(answers::retry_after(headers, now)).unwrap_or(WINDOW)
}

/// For how long any answer asks to leave the account alone: until every window begins anew of which nothing remains.
pub(super) fn pause_asked(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let limits = headers.get("ratelimit").and_then(|value| value.to_str().ok()).unwrap_or_default().split(',');
    let used_up = limits.filter(|limit| limit.split(';').any(|parameter| parameter.trim() == "r=0"));
    used_up.filter_map(reset_of).max().max(answers::retry_after(headers, now))
}

/// The `t` parameter of `"name";r=0;t=17` (IETF draft: RateLimit header fields for HTTP), the longest of several.
fn reset_of(header: &str) -> Option<Duration> {
    let parameters = header.split([';', ',']).map(str::trim);
    parameters.filter_map(|parameter| answers::seconds(parameter.strip_prefix("t=")?)).max()
}

#[cfg(test)]
mod tests;
