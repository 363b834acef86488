//! The waits that other hosts ask for.

use jiff::Timestamp;
use std::time::Duration;

/// Upper bound of a `Retry-After` that this service honors.
pub const LONGEST_WAIT: Duration = Duration::from_secs(7 * 86_400);

/// The wait of a `Retry-After`: seconds or an HTTP date (RFC 9110 10.2.3).
pub fn retry_wait(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
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
