//! Readers for all platforms: a JSON object, a `Retry-After`, a message without our secrets.

use super::errors::unreadable;
use crate::domain::Platform;
use crate::error::Error;
use crate::outbound::retry_wait;
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
    let words = error.message.to_string();
    let without = removed(&words);
    if without != words {
        error.message = without.into();
    }
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
    retry_wait(headers.get(RETRY_AFTER)?.to_str().ok()?, now)
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
