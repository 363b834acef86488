//! What a change of an agent depends on: the preview that it confirms (D69 in docs/decisions.md).

use crate::domain::PlatformCampaign;
use crate::envelope::seen_values;
use crate::error::{Error, Kind};

/// The confirmation of a preview. The function of the tools adds it to a change as an extension, which no event can
/// carry.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// Why the preview confirms nothing any more. A change that was made before is still replayed.
    pub refusal: Option<&'static str>,
    /// What the preview has shown of the campaign, as [`seen_values`] has it; `None` for a create.
    pub seen: Option<String>,
}

impl Confirmation {
    /// Refuses what the preview does not confirm any more.
    pub fn require_valid(&self) -> Result<(), Error> {
        self.refusal.map_or(Ok(()), |reason| Err(preview_again(reason)))
    }

    /// Refuses a campaign that is not as the preview has shown it.
    pub fn require_seen(&self, current: &PlatformCampaign) -> Result<(), Error> {
        let Some(seen) = &self.seen else { return Ok(()) };
        if *seen == seen_values(current) {
            return Ok(());
        }
        Err(preview_again("The status or the budget of the campaign has changed since the preview."))
    }
}

fn preview_again(reason: &str) -> Error {
    let message = format!("{reason} Nothing was sent. Call preview_change again, and confirm what it shows.");
    // The connection works.
    Error { spares_connection: true, ..Error::new(Kind::Conflict, message) }
}
