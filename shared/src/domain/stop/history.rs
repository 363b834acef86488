//! The history of a campaign, as far as the stop of a key needs it. Uncertain cases count as running because of the
//! key: a pause of a paused campaign does no harm.

use super::{IN_FLIGHT, StopTarget};
use crate::domain::spending::{Demand, LimitedAction};
use crate::domain::{Action, CampaignChanges, Change, ChangeState, KeyId};
use jiff::Timestamp;

/// The changes of a campaign, as far as a stop needs them. They may be added in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CampaignHistory {
    target: Option<StopTarget>,
    /// The latest time at which an activation or a raise by the key may have taken effect.
    added_until: Option<Timestamp>,
    /// The latest time at which an activation or a raise by a step of a monthly budget may have taken effect.
    stepped_until: Option<Timestamp>,
    /// The latest start of a pause or a removal that is applied.
    ended_from: Option<Timestamp>,
    /// The latest start of an activation by somebody else that is applied, of the campaign while it did not run.
    activated_from: Option<Timestamp>,
    /// The latest start of such an activation by the key itself.
    activated_by_key_from: Option<Timestamp>,
}

impl CampaignHistory {
    /// A history in which nothing is known but the campaign.
    pub fn of(target: StopTarget) -> CampaignHistory {
        CampaignHistory { target: Some(target), ..CampaignHistory::default() }
    }

    /// Adds a change of the campaign.
    pub fn add(&mut self, change: &Change, key: &KeyId) {
        if self.target.is_none() {
            self.target = StopTarget::of(change);
        }
        let from = Some(change.sent_at.unwrap_or(change.created_at()));
        let is_of_key = change.requested_by.is_key(key) && change.stops.is_none();
        // A change that waits again and has a campaign before it was applied in part.
        let is_begun = change.state == ChangeState::Scheduled && change.before.is_some();
        if (is_of_key || change.is_step) && (is_begun || may_be_applied(&change.state)) && adds(change) {
            // It takes no effect after its platform has dropped it, whenever the service found that out.
            let until = change.settled_at.map_or(change.conclusive_from(), |at| at.min(change.conclusive_from()));
            let latest = if change.is_step { &mut self.stepped_until } else { &mut self.added_until };
            *latest = (*latest).max(Some(until));
        }
        // The campaign runs because of whoever has activated it, also after the service has paused and activated it for
        // its monthly budget.
        if change.is_step {
            return;
        }
        if change.state == ChangeState::Applied && ends(change) {
            self.ended_from = self.ended_from.max(from);
        }
        if change.state == ChangeState::Applied && change.has_started_campaign() {
            let latest = if is_of_key { &mut self.activated_by_key_from } else { &mut self.activated_from };
            *latest = (*latest).max(from);
        }
    }

    /// The campaign.
    pub fn target(&self) -> Option<&StopTarget> {
        self.target.as_ref()
    }

    /// Whether somebody else has activated the campaign after the key's last activation or raise.
    pub fn is_of_others(&self) -> bool {
        self.added_until.zip(self.activated_from).is_some_and(|(added, activated)| activated >= added)
    }

    /// Whether somebody has activated the campaign after the stop of this time: somebody else, or the key once it was
    /// resumed.
    pub fn is_activated_since(&self, stopped_at: Timestamp) -> bool {
        let is_later = |at: Timestamp| at > stopped_at && self.added_until.is_none_or(|added| at >= added);
        self.activated_from.is_some_and(is_later)
            || self.activated_by_key_from.is_some_and(|at| at > stopped_at + IN_FLIGHT)
    }

    /// Whether the key has activated or raised the campaign, and nobody has paused or removed it since.
    pub(super) fn runs(&self) -> bool {
        self.added_until.is_some_and(|added| self.ended_from.is_none_or(|ended| ended < added))
    }

    /// Whether an activation or a raise may take effect after this time, by the key, or by a step of a monthly budget in a
    /// campaign of the key.
    pub(super) fn is_in_flight(&self, at: Timestamp) -> bool {
        self.added_until.is_some() && self.added_until.max(self.stepped_until).is_some_and(|until| until > at)
    }
}

/// Whether the platform may have the change, or a part of it.
fn may_be_applied(state: &ChangeState) -> bool {
    match state {
        ChangeState::Sending | ChangeState::Applied | ChangeState::PartlyApplied(_) => true,
        ChangeState::Scheduled
        | ChangeState::AwaitingApproval
        | ChangeState::Failed(_)
        | ChangeState::Canceled(_)
        | ChangeState::Rejected(_)
        | ChangeState::Expired => false,
    }
}

/// Whether a change may add to what runs.
fn adds(change: &Change) -> bool {
    let Action::Update(changes) = &change.action else { return false };
    let Some(before) = &change.before else { return may_add(changes) };
    let differing = Action::Update(changes.clone().against(before));
    let limited = LimitedAction { before, action: &differing };
    !matches!(limited.demand(change.sent_at.unwrap_or(change.created_at())), Ok(Demand::Free | Demand::Paused(_)))
}

/// Whether changes may add something to a campaign that was not read.
fn may_add(changes: &CampaignChanges) -> bool {
    !changes.stops() && (changes.status.is_some() || changes.names_budget() || changes.names_date())
}

/// Whether a change pauses or removes its campaign.
fn ends(change: &Change) -> bool {
    match &change.action {
        Action::Create(_) => false,
        Action::Delete => true,
        Action::Update(changes) => changes.stops(),
    }
}
