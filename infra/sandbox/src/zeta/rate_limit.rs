//! The rate limits of the platform and their headers.
//!
//! Reddit Ads API v3 reference: "Rate limits", "Get a Report" (60 requests per minute). The sandbox
//! counts reports only, and only under a quirk. Not verified: whether the platform counts reports by
//! user, by app or by account, and the name of their policy.

use super::error::ApiError;
use super::route::{self, Route};
use super::state::ReportCounter;
use crate::http::{Request, Response};
use crate::service::RequestContext;

/// The quirk that limits reports.
pub(crate) const QUIRK: &str = "report_limit";

/// Reports per minute under the quirk.
const MAX_REPORTS: u32 = 60;

/// The requests that remain in the window.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Remaining {
    /// The whole quota but this request.
    AllButOne,
    /// None for this many seconds.
    None(i64),
}

/// Counts a report under the quirk and returns the response for one over the limit.
pub(crate) fn check(reports: &mut ReportCounter, request: &Request, context: &RequestContext<'_>) -> Option<Response> {
    if !context.quirk(QUIRK) || !is_report(request) {
        return None;
    }
    let now = context.now.as_second();
    if reports.count(now) <= MAX_REPORTS {
        return None;
    }
    let remaining = Remaining::None(60 - now.rem_euclid(60));
    Some(add_headers(ApiError::new(429, "Too Many Requests").response(), request, remaining))
}

fn is_report(request: &Request) -> bool {
    matches!(route::parse(request), Ok(Route::Report(_)))
}

/// Adds the rate-limit headers.
pub(crate) fn add_headers(response: Response, request: &Request, remaining: Remaining) -> Response {
    let (policy, quota) = match request.method.as_str() {
        "GET" => ("ads-campaign-management-read", 400),
        _ if is_report(request) => ("ads-reporting", 60),
        _ => ("ads-campaign-management-write", 200),
    };
    let (remaining, reset) = match remaining {
        Remaining::AllButOne => (quota - 1, 60),
        Remaining::None(reset) => (0, reset),
    };
    response
        .with("ratelimit-policy", format!("\"{policy}\";q={quota};w=60"))
        .with("ratelimit", format!("\"{policy}\";r={remaining};t={reset}"))
}
