//! The hard deadline of a request. It fires when something other than a platform hangs, because platform calls end
//! earlier.

use super::IncomingRequest;
use crate::envelope::query;
use crate::error::{Error, Kind};
use crate::routes::{CampaignsEndpoint, Endpoint};
use std::time::Duration;
use tokio::time::timeout_at;

/// Time after the platform deadline to store what a request has learned. Together with the second for refunds, a
/// request ends within the promised 28 s.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// Time after that for the call of a tool: the request that it makes may end at the hard deadline, and its response says
/// more than a timeout of the call.
const TOOL_GRACE: Duration = Duration::from_secs(1);

/// Runs the work, or gives up at the hard deadline.
pub(super) async fn until_hard_deadline<T>(incoming: &IncomingRequest, work: impl Future<Output = T>) -> Option<T> {
    let tool_grace = incoming.tool.as_ref().map_or(Duration::ZERO, |_| TOOL_GRACE);
    let deadline = incoming.timers.began + incoming.app.platform_timeout + GRACE + tool_grace;
    timeout_at(deadline, work).await.ok()
}

/// The error of a request that reached the hard deadline. A held claim on an `Idempotency-Key` makes a retry safe.
pub(super) fn timed_out(incoming: &IncomingRequest, has_claim: bool) -> Error {
    let error = |message: &str| Error::new(Kind::PlatformTimeout, message);
    if incoming.tool.is_some() {
        let message = "The tool has timed out, and what it changes may have been changed.";
        return error(message).of_unknown_outcome().retryable();
    }
    let is_dry_run = query::read_dry_run(&incoming.query).unwrap_or(false);
    if incoming.request.method().is_safe() || is_dry_run {
        return error("The request timed out. Try again.").retryable();
    }
    let error = if incoming.endpoint() == Some(Endpoint::Campaigns(CampaignsEndpoint::CreateCampaign)) {
        error(&format!(
            "The request timed out, and it is not known yet which campaigns were created. Follow the outcome at GET \
             /v1/campaigns/intents/{}.",
            incoming.request_id
        ))
    } else {
        error("The request timed out and may have taken effect. Check before you send it again.")
    };
    let error = error.of_unknown_outcome();
    if has_claim { error.retryable() } else { error }
}
