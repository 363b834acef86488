//! The campaigns that the stop of a key has paused and that run again.

use super::Touched;
use crate::kit::campaign::CampaignSummary;
use jiff::Timestamp;
use shared::domain::{Action, Campaign, CampaignStatus, Change, ChangeState, PersonId, Requester};

/// Who has activated each of them; `None` if that is not known.
#[derive(Debug, Default)]
pub(in super::super) struct Again(Vec<Option<Requester>>);

impl Again {
    /// Adds a campaign if it is one of them.
    pub(super) fn add(&mut self, one: &Touched, campaign: &Campaign, now: Timestamp) {
        let is_pause = |change: &Change| change.stops.is_some() && change.state == ChangeState::Applied;
        if !one.own.iter().any(is_pause) || !CampaignSummary::from(campaign).is_active(now) {
            return;
        }
        let activates = |change: &&Change| match &change.action {
            Action::Update(asked) => asked.status == Some(CampaignStatus::Active),
            Action::Create(_) | Action::Delete => false,
        };
        self.0.push(one.others.iter().find(activates).map(|change| change.requested_by.clone()));
    }

    /// `17 run again since you reverted`; `None` for none.
    pub(in super::super) fn words(&self, me: &PersonId) -> Option<String> {
        let is_me = |by: &Option<Requester>| matches!(by, Some(Requester::Person { id, .. }) if id == me);
        let since = if self.0.iter().all(is_me) { "since you reverted" } else { "since" };
        match self.0.len() {
            0 => None,
            1 => Some(format!("1 runs again {since}")),
            count => Some(format!("{count} run again {since}")),
        }
    }
}
