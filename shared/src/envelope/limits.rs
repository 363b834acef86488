//! The headers that say what is left: `RateLimit-Policy` and `RateLimit`, as in the tenth draft of the IETF's "RateLimit
//! header fields for HTTP". Both are lists of the two policies: `rate`, whose quota is the burst and whose window the
//! time in which it comes back, and `quota`, the billing period.

use crate::domain::Allowance;
use http::header::{HeaderName, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;
use std::time::Duration;

const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT_HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// Whether an admitted request that is answered so counts: throttling, of whatever kind, and our own failures do not.
pub fn is_counted(status: StatusCode) -> bool {
    !matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::INTERNAL_SERVER_ERROR)
}

/// Adds both headers. What does not count is about to be given back.
pub(super) fn add(response: &mut Response<Body>, allowance: Allowance) {
    let allowance = if is_counted(response.status()) { allowance } else { allowance.refunded() };
    let policy = format!(
        "\"rate\";q={};w={}, \"quota\";q={};w={}",
        allowance.limits.burst,
        whole_seconds(allowance.limits.rate_limit().window()),
        allowance.limits.requests_per_period,
        whole_seconds(allowance.quota_window()),
    );
    let limit = format!(
        "\"rate\";r={};t={}, \"quota\";r={};t={}",
        allowance.rate_remaining(),
        whole_seconds(allowance.rate_reset()),
        allowance.quota_remaining(),
        whole_seconds(allowance.quota_reset()),
    );
    for (name, value) in [(POLICY_HEADER, policy), (LIMIT_HEADER, limit)] {
        // Digits and quotes: this holds always.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
}

/// Rounded up: a time that a caller waits for is never too early.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}
