//! How much of the platform's limits is left, as headers tell it.
//!
//! Reddit Ads API v3 reference: "Rate limits", "Get a Report" (60 requests a minute). The sandbox
//! counts no requests, but for reports under a quirk. Not verified: whether reports are
//! counted by user, by app or by account, and the name of their policy.

use serde::{Deserialize, Serialize};

use super::api::{Method, address};
use super::error::Refusal;
use crate::http::{Reply, Request};
use crate::platform::RequestContext;

/// The quirk under which reports are counted.
pub(crate) const QUIRK: &str = "report_limit";

/// Reports that are let through within a minute under the quirk.
const REPORTS: u32 = 60;

/// The requests that one request leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Left {
    /// All but this request.
    Most,
    /// Nothing for so many seconds.
    Nothing(i64),
}

/// The reports of the newest minute in which there were any.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reports {
    minute: i64,
    count: u32,
}

impl Reports {
    /// Counts a request; the answer of one that is too many.
    pub(crate) fn count(&mut self, request: &Request, moment: &RequestContext<'_>) -> Option<Reply> {
        if !moment.quirk(QUIRK) || !is_report(request) {
            return None;
        }
        let now = moment.now.as_second();
        let minute = now.div_euclid(60);
        if minute != self.minute {
            *self = Self { minute, count: 0 };
        }
        if self.count < REPORTS {
            self.count += 1;
            return None;
        }
        let left = Left::Nothing(60 - now.rem_euclid(60));
        Some(tell(Refusal::new(429, "Too Many Requests").reply(), request, left))
    }
}

fn is_report(request: &Request) -> bool {
    matches!(address(request), Ok(Method::Report(_)))
}

/// Adds the headers of the limit.
pub(crate) fn tell(reply: Reply, request: &Request, left: Left) -> Reply {
    let (policy, quota) = match request.method.as_str() {
        "GET" => ("ads-campaign-management-read", 400),
        _ if is_report(request) => ("ads-reporting", 60),
        _ => ("ads-campaign-management-write", 200),
    };
    let (left, wait) = match left {
        Left::Most => (quota - 1, 60),
        Left::Nothing(wait) => (0, wait),
    };
    reply
        .with("ratelimit-policy", format!("\"{policy}\";q={quota};w=60"))
        .with("ratelimit", format!("\"{policy}\";r={left};t={wait}"))
}
