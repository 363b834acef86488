//! A campaign of a revert as our records have it, while its platform does not answer. What is reverted is checked at the
//! platform all the same.

use super::{AsOf, Touched};
use crate::client::api::Refusal;
use crate::kit::known_campaign::{self, SeenCampaign};
use crate::kit::text::when;
use jiff::Timestamp;
use shared::domain::{Campaign, Change, ChangeState, Reason};
use std::collections::HashMap;

impl Touched {
    /// Whether its platform has not answered.
    pub(in super::super) fn is_silent(&self) -> bool {
        self.now.as_ref().is_err_and(Refusal::is_of_silence)
    }

    /// Whether it was not read in time.
    pub(in super::super) fn is_late(&self) -> bool {
        self.now.as_ref().is_err_and(|refusal| refusal.reason == Some(Reason::PlatformTimeout))
    }

    /// The same with the values of our records, if its platform has not answered: those of the newest change, or of a later
    /// reading. `kept` are the campaigns of the list, with the times of their readings.
    pub(in super::super) fn or_from_records(self, kept: &HashMap<String, SeenCampaign>) -> Touched {
        if !self.is_silent() {
            return self;
        }
        match self.recorded(kept.get(&self.id.to_string())) {
            Some((campaign, at)) => {
                let as_of = Some(AsOf { at, is_late: self.is_late() });
                Touched { now: Ok(campaign), as_of, ..self }
            }
            None => self,
        }
    }

    fn recorded(&self, kept: Option<&SeenCampaign>) -> Option<(Campaign, Timestamp)> {
        let is_done = |change: &&Change| matches!(change.state, ChangeState::Applied | ChangeState::PartlyApplied(_));
        let done = self.own.iter().chain(&self.others).filter(is_done);
        let newest = done.filter(|change| change.after.is_some()).max_by_key(|change| change.id);
        let of_change = |change: &Change| {
            let values = change.after.clone()?;
            let (id, account, connection) = (self.id.clone(), self.account.clone(), change.connection.clone());
            let seen = change.settled_at.unwrap_or_else(|| change.began_at());
            Some((known_campaign::of_values(id, account, connection, values), seen))
        };
        let of_reading = |seen: &SeenCampaign, change: &Change| {
            (known_campaign::of_summary(seen.campaign.clone(), change.connection.clone()), seen.at)
        };
        match (newest, kept) {
            // A reading that began before the last attempt of the change may lack it.
            (Some(change), Some(seen)) if seen.at <= change.send_deadline => of_change(change),
            (Some(change), None) => of_change(change),
            (_, Some(kept)) => self.own.first().map(|change| of_reading(kept, change)),
            (None, None) => None,
        }
    }

    /// `Seen like this at 02:58 UTC. TikTok is silent since.` `None` if its platform has answered. A page that has many
    /// campaigns to read does not wait for all of them.
    pub(super) fn silence(&self, now: Timestamp) -> Option<String> {
        let platform = self.id.platform().display_name();
        let AsOf { at, is_late } = self.as_of?;
        let seen = format!("Seen like this {}.", when(at, now));
        Some(if is_late {
            format!("{seen} It is read again before it is reverted.")
        } else {
            format!("{seen} {platform} is silent since.")
        })
    }
}
