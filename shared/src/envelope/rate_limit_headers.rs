//! The headers `RateLimit-Policy` and `RateLimit`, as in the tenth draft of "RateLimit header fields for HTTP" (IETF).
//! Both list two policies. `rate` is the burst and the time in which it refills; `quota` is the billing period.

use crate::domain::Allowance;
use http::header::{HeaderName, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;
use std::time::Duration;

const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT_HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// Whether an admitted request with this response status counts. Throttled requests and internal errors do not.
pub fn is_counted(status: StatusCode) -> bool {
    !matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::INTERNAL_SERVER_ERROR)
}

/// Adds both headers. A request that does not count by its status is refunded, so the headers show the refunded state.
pub(super) fn add(response: &mut Response<Body>, allowance: Allowance, answered: StatusCode) {
    let allowance = if is_counted(answered) { allowance } else { allowance.refunded() };
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
        // The value is ASCII, so this cannot fail.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
}

/// Rounds up, so that a caller never retries too early.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}
