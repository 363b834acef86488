//! A change of an agent depends on the preview that it confirms. Any other change depends on nothing.

use shared::domain::PlatformCampaign;
use shared::error::Error;
use shared::serve::Call;

/// Refuses a change whose preview confirms nothing any more. An earlier request with the same key is replayed all the
/// same.
pub(crate) fn require_confirmed(call: &Call) -> Result<(), Error> {
    call.request.confirmation.as_ref().map_or(Ok(()), |confirmation| confirmation.require_valid())
}

/// Refuses a campaign that is not as the preview has shown it.
pub(crate) fn require_seen(call: &Call, current: &PlatformCampaign) -> Result<(), Error> {
    call.request.confirmation.as_ref().map_or(Ok(()), |confirmation| confirmation.require_seen(current))
}
