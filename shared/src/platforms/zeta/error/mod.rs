//! Classifies failures (Reddit Ads API: Errors).
//!
//! Not verified: the names of Reddit's rate limit policies. A window whose name contains `report` counts as one of
//! reports only; any other one that is used up pauses all calls for the account, because it may be of all.
//!
//! Not verified: the response to a read of a removed campaign. A 404 in Reddit's own form was recorded for another
//! address. A 404 in any other form is a failure, because the campaign may still be spending.

use super::wire;
use crate::platforms::prelude::*;

/// The wait where the platform names none: its windows are one minute.
const WINDOW: Duration = Duration::from_secs(60);

/// The error of a response that is no success. A failure of the platform may be over when the same is sent again.
pub(super) fn classify(response: &OutboundResponse, now: Timestamp) -> Result<(), Error> {
    if response.status.is_success() {
        return Ok(());
    }
    let error = error_of(response, now);
    Err(if error.kind == Kind::PlatformFailed { error.retryable() } else { error })
}

/// The error for a response with any status but 2xx.
pub(super) fn error_of(response: &OutboundResponse, now: Timestamp) -> Error {
    let refusal =
        response_body::read_object::<wire::ErrorBody>(Platform::Zeta, &response.body).ok().map(|body| body.error);
    let error = match (response.status.as_u16(), &refusal) {
        (401, _) => errors::token_expired(Platform::Zeta),
        (429, _) => errors::throttled(Platform::Zeta, wait(&response.headers, now)),
        (403, _) => Error {
            keeps_connection_status: !is_about_access(response, refusal.as_ref()),
            ..errors::no_access(Platform::Zeta)
        },
        // A gateway answers 404 too. Only an error in Reddit's form means that the campaign is removed.
        (404, Some(refusal)) if has_content(refusal) => Error::not_found("campaign").on(Platform::Zeta),
        (404, _) => errors::failed(Platform::Zeta),
        (408 | 500.., _) => errors::failed(Platform::Zeta).retryable(),
        (400, Some(refusal)) if is_unknown_account(refusal) => errors::no_access(Platform::Zeta),
        (400.., Some(refusal)) => errors::refused(Platform::Zeta, &message_with_fields(refusal)),
        _ => errors::failed(Platform::Zeta),
    };
    error
        .caused_by(format!("status {}", response.status.as_u16()))
        .with_platform_error(refusal.as_ref().map(platform_error))
}

/// Whether a 403 is Reddit's own decision about the token: in one of its forms, or by the header of a missing scope.
/// The page of a gateway says nothing about a connection.
fn is_about_access(response: &OutboundResponse, refusal: Option<&wire::Refusal>) -> bool {
    let challenges = response.headers.get_all(http::header::WWW_AUTHENTICATE).iter();
    let mut texts = challenges.filter_map(|challenge| challenge.to_str().ok());
    refusal.is_some_and(has_content) || texts.any(|text| text.contains("insufficient_scope"))
}

/// Recognizes a refusal in one of Reddit's two forms that is not empty.
fn has_content(refusal: &wire::Refusal) -> bool {
    let texts = [&refusal.message, &refusal.reason, &refusal.explanation];
    refusal.code.is_some() || texts.into_iter().flatten().any(|text| !text.trim().is_empty())
}

/// Recognizes an unknown ad account, which Reddit reports with status 400 (both recorded live, read 2026-11).
fn is_unknown_account(refusal: &wire::Refusal) -> bool {
    let message = message(refusal).trim();
    ["Unknown Ad Account", "invalid ad_account identifier"].iter().any(|known| message.eq_ignore_ascii_case(known))
}

fn message(refusal: &wire::Refusal) -> &str {
    refusal.message.as_deref().or(refusal.explanation.as_deref()).unwrap_or_default()
}

fn message_with_fields(refusal: &wire::Refusal) -> String {
    let fields = refusal.fields.iter().flatten().filter_map(|error| {
        let name = error.field.as_deref().map(last_segment)?;
        Some(format!("{name}: {}", error.message.as_deref().unwrap_or("is not valid")))
    });
    let fields: Vec<String> = fields.collect();
    let message = message(refusal);
    if fields.is_empty() { message.to_owned() } else { format!("{message} ({})", fields.join("; ")) }
}

fn platform_error(refusal: &wire::Refusal) -> PlatformError {
    let paths = || refusal.fields.iter().flatten().filter_map(|error| error.field.as_deref());
    let field = paths().find_map(field_at).map(str::to_owned);
    PlatformError {
        code: refusal.code.map(|code| code.0.to_string()).or_else(|| refusal.reason.as_deref().map(bounded)),
        message: bounded(&message_with_fields(refusal)),
        field: field.or_else(|| paths().next().map(last_segment).map(bounded)),
    }
}

/// The names in a path, the last one first.
fn names<'a>(path: &'a str, separators: &'a [char]) -> impl Iterator<Item = &'a str> {
    let is_index = |segment: &&str| segment.bytes().all(|byte| byte.is_ascii_digit());
    path.rsplit(separators).filter(move |segment| !is_index(segment))
}

/// The last name in a path: `data/fields/6` is about `fields`. The name of a parameter may have a dot: `page.size`.
fn last_segment(path: &str) -> &str {
    names(path, &['/', '[', ']']).next().unwrap_or(path).trim_start_matches('.')
}

/// Our field for a path.
fn field_at(path: &str) -> Option<&'static str> {
    names(path, &['/', '.', '[', ']']).find_map(our_field)
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

/// The longest wait that the platform asks for: `Retry-After`, and `t` of its `RateLimit` header.
fn wait(headers: &HeaderMap, now: Timestamp) -> Duration {
    limits(headers).filter_map(reset_of).max().max(response_body::retry_after(headers, now)).unwrap_or(WINDOW)
}

/// The pause that a response asks for: until every used up window starts anew.
///
/// A window of reports pauses nothing, because campaigns can be created without reports. Where no other window is used
/// up, `Retry-After` belongs to that one too.
pub(super) fn requested_pause(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let used_up = limits(headers).filter(|limit| limit.split(';').any(|parameter| parameter.trim() == "r=0"));
    let (reports, others): (Vec<&str>, Vec<&str>) = used_up.partition(|limit| is_of_reports(limit));
    if others.is_empty() && !reports.is_empty() {
        return None;
    }
    others.into_iter().filter_map(reset_of).max().max(response_body::retry_after(headers, now))
}

/// The windows of the `RateLimit` header, each as `"name";r=0;t=17` (IETF draft: RateLimit header fields for HTTP).
fn limits(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all("ratelimit").iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(','))
}

fn is_of_reports(limit: &str) -> bool {
    limit.split(';').next().is_some_and(|name| name.to_ascii_lowercase().contains("report"))
}

/// The `t` parameter of a window.
fn reset_of(limit: &str) -> Option<Duration> {
    limit.split(';').find_map(|parameter| crate::outbound::seconds(parameter.trim().strip_prefix("t=")?))
}

#[cfg(test)]
mod tests;
