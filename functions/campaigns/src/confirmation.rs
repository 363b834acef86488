//! A change of an agent depends on the preview that it confirms. Any other change depends on nothing.

use crate::{complete, named_campaign};
use shared::domain::{CampaignChanges, CampaignRecord, PlatformCampaign};
use shared::error::Error;
use shared::serve::Call;

/// Refuses a change whose preview confirms nothing any more. An earlier request with the same key is replayed all the
/// same.
pub(crate) fn require_confirmed(call: &Call) -> Result<(), Error> {
    call.request.confirmation.as_ref().map_or(Ok(()), |confirmation| confirmation.require_valid())
}

/// Refuses an update of a campaign that is not as the preview has shown it. `record` is that of before the update.
pub(crate) fn require_seen(
    call: &Call,
    current: &PlatformCampaign,
    record: Option<&CampaignRecord>,
    changes: &CampaignChanges,
) -> Result<(), Error> {
    let Some(confirmation) = &call.request.confirmation else { return Ok(()) };
    let (_, connection, _) = named_campaign(call)?;
    confirmation.require_seen(&complete(current.clone(), connection, Ok(record.cloned())), changes)
}

/// Refuses the removal of such a campaign.
pub(crate) fn require_seen_for_removal(call: &Call, current: &PlatformCampaign) -> Result<(), Error> {
    let Some(confirmation) = &call.request.confirmation else { return Ok(()) };
    let (_, connection, _) = named_campaign(call)?;
    confirmation.require_seen_for_removal(&complete(current.clone(), connection, Ok(None)))
}
