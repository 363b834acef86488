//! The trait of every service of the sandbox, and the types in its signatures.

use crate::faults::RequestKind;
use crate::http::{Request, Response};
use crate::quirks::Active;
use jiff::Timestamp;

/// Settings of a service at `/_sandbox/settings`, until a reset.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Lifetime of access tokens in seconds; `None` is the platform's own.
    pub(crate) access_token_ttl_s: Option<i64>,
    /// Delay before every request in milliseconds.
    pub(crate) latency_ms: u64,
    /// Rows per page; `None` is the platform's own.
    pub(crate) page_size: Option<usize>,
    pub(crate) quirks: Active,
}

/// The clock and the settings of a request.
pub(crate) struct RequestContext<'a> {
    pub(crate) now: Timestamp,
    pub(crate) settings: &'a Settings,
    /// The fault `ignored`: the answer is a success that shows a campaign as it was before.
    pub(crate) is_ignored: bool,
}

impl RequestContext<'_> {
    /// True if a quirk of the platform is on.
    pub(crate) fn quirk(&self, name: &str) -> bool {
        self.settings.quirks.contains(name)
    }

    /// Lifetime of a new access token in seconds: the setting, or the platform's own.
    pub(crate) fn access_token_ttl(&self, default: i64) -> i64 {
        self.settings.access_token_ttl_s.unwrap_or(default)
    }
}

/// A service of the sandbox: an ad platform, the payment provider or the issuer. Its requests are logged, and fail on
/// demand.
pub(crate) trait Service {
    /// Name on pages.
    fn title(&self) -> &'static str;

    /// Classifies a request, so that faults can match it.
    fn request_kind(&self, request: &Request) -> RequestKind;

    /// Called before the request's latency and fault. A response rejects the request.
    fn begin(&mut self, _: &Request) -> Option<Response> {
        None
    }

    /// Called with the response to a request that [`Service::begin`] accepted.
    fn finish(&mut self, _: &Request, _: &Response, _: Timestamp) {}

    /// Executes a request.
    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response;

    /// The service's own form of an internal error (500).
    fn internal_error(&self, request: &Request) -> Response;

    /// The service's own form of a rate limit (429), with its retry signal.
    fn rate_limited(&self, request: &Request) -> Response;
}
