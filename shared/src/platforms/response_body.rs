//! Readers of what has the same form on every platform: a JSON object, a wait, a message without our secrets.

use super::errors::{LONGEST_WAIT, unreadable};
use crate::domain::Platform;
use crate::error::Error;
use http::HeaderMap;
use http::header::RETRY_AFTER;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::time::Duration;

/// Reads a JSON object. Anything else is [`unreadable`].
pub fn read_object<'a, T: Deserialize<'a>>(platform: Platform, body: &'a [u8]) -> Result<T, Error> {
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(unreadable(platform, "no JSON object"));
    }
    serde_json::from_slice(body).map_err(|error| unreadable(platform, error))
}

/// An error without the secrets that were sent, in case the platform repeated one.
pub fn without_secrets(mut error: Error, secrets: &[&SecretString]) -> Error {
    let removed = |text: &str| masked(text, secrets, "[removed]");
    error.message = removed(&error.message);
    if let Some(reported) = &mut error.platform_error {
        reported.message = removed(&reported.message);
        reported.code = reported.code.as_deref().map(removed);
    }
    error
}

/// A text with a mask in place of each secret.
pub fn masked(text: &str, secrets: &[&SecretString], mask: &str) -> String {
    let secrets = secrets.iter().map(|secret| secret.expose_secret()).filter(|secret| !secret.is_empty());
    secrets.fold(text.to_owned(), |text, secret| text.replace(secret, mask))
}

/// The wait that a `Retry-After` header asks for: seconds or an HTTP date (RFC 9110 10.2.3).
pub fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Some(wait) = seconds(text) {
        return Some(wait);
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let wait = u64::try_from(date.as_second().saturating_sub(now.as_second())).unwrap_or(0);
    Some(Duration::from_secs(wait).min(LONGEST_WAIT))
}

/// Reads `30`, `30s` or `1.5s` (a protobuf duration in JSON), rounded up to a second; `None` for anything else.
pub fn seconds(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s').unwrap_or(text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let up = u64::from(fraction.bytes().any(|digit| digit != b'0'));
    // A number that does not fit is the longest wait.
    let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(up);
    Some(Duration::from_secs(seconds).min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_seconds_or_as_a_date() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let wait = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            retry_after(&headers, now).map(|wait| wait.as_secs())
        };
        assert_eq!(wait("30"), Some(30));
        assert_eq!(wait("Fri, 20 Nov 2026 12:01:00 GMT"), Some(60));
        assert_eq!(wait("Fri, 20 Nov 2026 11:00:00 GMT"), Some(0), "a date that has passed");
        assert_eq!(wait("99999999999999999999"), Some(7 * 86_400));
        assert_eq!(wait("soon"), None);
    }
}
