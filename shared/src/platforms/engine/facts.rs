//! The facts of a platform, which the engine and the functions read.

use super::call::Api;
use super::insights::InsightsFacts;
use crate::outbound::{OutboundRequest, OutboundResponse};
use crate::platforms::capabilities::Capabilities;
use crate::platforms::oauth::{Flow, RefreshPolicy};
use crate::platforms::response_body;
use crate::platforms::revocation::Revocation;
use crate::platforms::settings::Settings;
use crate::platforms::version::ApiVersion;
use http::HeaderMap;
use jiff::Timestamp;
use std::time::Duration;

/// The facts of one platform.
#[derive(Debug)]
pub struct Facts {
    /// The protocol of the platform's API.
    pub api: &'static Api,
    /// The version of the API that the adapter calls.
    pub api_version: fn(&Settings) -> ApiVersion,
    /// The platform's capabilities. Validation and documentation read this one table.
    pub capabilities: &'static Capabilities,
    pub flow: &'static Flow,
    /// Name of the callback's parameter that carries the authorization code.
    pub code_parameter: &'static str,
    /// The only value that the callback's `iss` parameter may have (RFC 9207); `None` for a platform that sends none.
    pub issuer: Option<&'static str>,
    /// The behavior of a refresh. It determines the duration of the lease on a grant.
    pub refresh_policy: RefreshPolicy,
    /// The token revocation of RFC 7009; `None` if the platform has none for the tokens that we hold.
    pub revocation: Option<&'static Revocation>,
    /// Recognizes a response that reports a failure of the platform rather than a refusal. Failed reads are retried,
    /// and repeated failures open the circuit breaker.
    pub is_broken: fn(&OutboundResponse) -> bool,
    /// The pause that the response headers request for the ad account, on success or failure. A wait in an error's body
    /// is in [`crate::error::Error::retry_after`].
    pub requested_pause: fn(&HeaderMap, Timestamp) -> Option<Duration>,
    /// Whether the platform may create a campaign as active although PAUSED was requested. Whoever sends the create then
    /// pauses it.
    pub may_create_active: bool,
    /// The platform's reports.
    pub insights: &'static InsightsFacts,
    /// The response that a dry run assumes to a write that another one follows; `None` for the last write.
    pub assumed_response: fn(&OutboundRequest) -> Option<OutboundResponse>,
}

impl Facts {
    /// The facts of a platform that otherwise does what the standards say.
    pub const fn new(
        api: &'static Api,
        api_version: fn(&Settings) -> ApiVersion,
        capabilities: &'static Capabilities,
        flow: &'static Flow,
    ) -> Facts {
        Facts {
            api,
            api_version,
            capabilities,
            flow,
            code_parameter: "code",
            issuer: None,
            refresh_policy: RefreshPolicy::REPEATABLE,
            revocation: None,
            is_broken: |response| response.status.is_server_error(),
            requested_pause: response_body::retry_after,
            may_create_active: false,
            insights: &InsightsFacts::UTC,
            assumed_response: |_| None,
        }
    }
}
