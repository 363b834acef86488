//! What a change of an agent depends on: it is made only if the campaign is as its preview has shown it (D69).

use crate::domain::{Campaign, CampaignChanges, Reason};
use crate::envelope::SeenCampaign;
use crate::error::{Error, Kind};

/// The confirmation of a preview. The function of the tools adds it to a change as an extension, which no event can
/// carry.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// Why the preview is not valid any more. An earlier request with the same key is still replayed.
    pub refusal: Option<&'static str>,
    /// The campaign as the preview has shown it; `None` for a create.
    pub seen: Option<SeenCampaign>,
}

impl Confirmation {
    /// Refuses what the preview does not confirm any more.
    pub fn require_valid(&self) -> Result<(), Error> {
        match self.refusal {
            Some(reason) => Err(preview_again(&format!("{reason} Nothing was sent."))),
            None => Ok(()),
        }
    }

    /// Refuses an update of a campaign that is not as the preview has shown it.
    pub fn require_seen(&self, current: &Campaign, changes: &CampaignChanges) -> Result<(), Error> {
        self.require(|seen| seen.admits_update(&SeenCampaign::of(current), changes))
    }

    /// Refuses the removal of such a campaign.
    pub fn require_seen_for_removal(&self, current: &Campaign) -> Result<(), Error> {
        self.require(|seen| seen.admits_removal(&SeenCampaign::of(current)))
    }

    fn require(&self, admits: impl FnOnce(&SeenCampaign) -> bool) -> Result<(), Error> {
        if self.seen.as_ref().is_none_or(admits) {
            return Ok(());
        }
        Err(preview_again("The campaign has changed since the preview, so this change was not made."))
    }
}

fn preview_again(reason: &str) -> Error {
    let message = format!("{reason} Call preview_change again, and confirm what it shows.");
    // This refusal says nothing about the connection, so its status stays.
    Error { keeps_connection_status: true, ..Error::new(Kind::Conflict, message) }.because(Reason::ChangedMeanwhile)
}
