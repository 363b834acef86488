//! The stop of an API key: what the key has activated or raised is paused (D65 in docs/decisions.md).
//!
//! What the key has in flight may still reach its platform. So there are two passes: one at once, and another when
//! nothing is in flight any more, for the campaigns in which something was.

mod history;

#[cfg(test)]
mod tests;

pub use history::CampaignHistory;

use super::spending::Contribution;
use super::{
    Action, CampaignChanges, CampaignId, CampaignStatus, Change, ChangeId, ChangeState, ConnectionId, Currency,
    CustomerId, Executor, KeyId, Requester,
};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Time from which on nothing of a stopped key is in flight: an attempt of maintenance takes 30 s, a request less, and
/// for another 30 s its platform may carry out what it has received.
pub const IN_FLIGHT: SignedDuration = SignedDuration::from_secs(65);
/// Codes of a pause that failed because the campaign is gone: it is unknown to its platform, or removed.
const GONE: [&str; 2] = ["NOT_FOUND", "CONFLICT"];
/// Why the waiting changes of a removed campaign are canceled.
pub const CAMPAIGN_REMOVED: &str = "The campaign was removed.";

/// The stop of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    pub customer: CustomerId,
    pub key: KeyId,
    /// The request that asked for it.
    pub request: Uuid,
    pub requested_by: Requester,
    /// In whole milliseconds.
    pub stopped_at: Timestamp,
    /// The pass that is left to do; `None` once all pauses are stored.
    pub next: Option<Pass>,
    /// The campaigns in which a change of the key was in flight in the first pass.
    pub in_flight: Vec<CampaignId>,
}

/// A pass over the campaigns of a stopped key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    First,
    /// For the campaigns in which a change was in flight.
    Second,
}

/// A campaign to pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopTarget {
    pub campaign: CampaignId,
    pub account_id: String,
    pub connection: ConnectionId,
    pub currency: Currency,
}

/// The campaigns of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Those that the key has activated or raised.
    pub campaigns: Vec<StopTarget>,
    /// Those in which a change of the key is in flight, or was after the stop.
    pub in_flight: Vec<CampaignId>,
}

/// How far a stop is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopProgress {
    /// The pauses, in the order of their ids.
    pub changes: Vec<ChangeId>,
    /// The campaigns with a pause.
    pub campaigns: usize,
    /// Those of them that are paused or gone.
    pub paused: usize,
    /// No pass is left, and every campaign is paused or gone.
    pub is_done: bool,
}

impl Stop {
    /// A stop of which nothing is done yet.
    pub fn new(customer: CustomerId, key: KeyId, requested_by: Requester, request: Uuid, now: Timestamp) -> Stop {
        // The ids of changes and the stored keys have whole milliseconds.
        let stopped_at = Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
        Stop { customer, key, request, requested_by, stopped_at, next: Some(Pass::First), in_flight: Vec::new() }
    }

    /// The change that pauses a campaign. Every attempt to store it has the same id.
    pub fn pause(&self, pass: Pass, target: &StopTarget) -> Change {
        let StopTarget { campaign, account_id, connection, currency } = target;
        let (at, status) = (self.stopped_at, Some(CampaignStatus::Paused));
        Change {
            id: self.change_id(pass, campaign),
            customer: self.customer,
            platform: campaign.platform(),
            account_id: account_id.clone(),
            connection: connection.clone(),
            currency: *currency,
            campaign: Some(campaign.clone()),
            action: Action::Update(CampaignChanges { status, ..CampaignChanges::default() }),
            request: self.request,
            requested_by: self.requested_by.clone(),
            executed_by: Executor::Stop,
            approval: None,
            asked: None,
            state: ChangeState::Scheduled,
            apply_at: Some(at),
            is_held: false,
            is_limited: false,
            stops: Some(self.key.clone()),
            before: None,
            after: None,
            attempt: 0,
            send_deadline: at,
            sent_at: None,
            settled_at: None,
            expires_at: Change::<Action>::expiry_from(at),
        }
    }

    fn change_id(&self, pass: Pass, campaign: &CampaignId) -> ChangeId {
        let number = match pass {
            Pass::First => 1,
            Pass::Second => 2,
        };
        ChangeId::of_name(self.stopped_at, &format!("{}#{number}#{campaign}", self.request))
    }

    /// The campaigns of the key: those of its contributions that are not freed, and those that it has activated or
    /// raised by the history. What somebody else has activated since is theirs.
    pub fn list<'a>(
        &self,
        contributions: impl IntoIterator<Item = (&'a CampaignId, &'a Contribution)>,
        histories: &'a BTreeMap<CampaignId, CampaignHistory>,
    ) -> Listed {
        let contributions: BTreeMap<_, _> = contributions.into_iter().collect();
        let mut listed = Listed::default();
        for (campaign, history) in histories {
            if history.is_of_others() {
                continue;
            }
            let contribution = contributions.get(campaign);
            if contribution.is_some_and(|contribution| !contribution.is_freed()) || history.runs() {
                listed.campaigns.extend(history.target().cloned());
            }
            if contribution.is_some_and(|contribution| contribution.pending.is_some())
                || history.is_in_flight(self.stopped_at)
            {
                listed.in_flight.push(campaign.clone());
            }
        }
        listed
    }

    /// How far the stop is, by its pauses.
    pub fn progress(&self, pauses: &[Change]) -> StopProgress {
        let mut campaigns: BTreeMap<&CampaignId, bool> = BTreeMap::new();
        for pause in pauses {
            let Some(campaign) = &pause.campaign else { continue };
            *campaigns.entry(campaign).or_insert(true) &= holds(&pause.state);
        }
        let paused = campaigns.values().filter(|is_paused| **is_paused).count();
        StopProgress {
            changes: pauses.iter().map(|pause| pause.id).collect(),
            campaigns: campaigns.len(),
            paused,
            is_done: self.next.is_none() && paused == campaigns.len(),
        }
    }
}

impl StopTarget {
    /// The campaign of a change.
    pub fn of(change: &Change) -> Option<StopTarget> {
        Some(StopTarget {
            campaign: change.campaign.clone()?,
            account_id: change.account_id.clone(),
            connection: change.connection.clone(),
            currency: change.currency,
        })
    }
}

/// Whether a pause leaves nothing that runs: it is applied, or the campaign is gone.
fn holds(state: &ChangeState) -> bool {
    match state {
        ChangeState::Applied => true,
        ChangeState::Failed(error) => GONE.contains(&error.code.as_str()),
        ChangeState::Canceled(reason) => reason.as_ref().is_some_and(|reason| reason.message == CAMPAIGN_REMOVED),
        ChangeState::Scheduled
        | ChangeState::AwaitingApproval
        | ChangeState::Sending
        | ChangeState::PartlyApplied(_)
        | ChangeState::Rejected(_)
        | ChangeState::Expired => false,
    }
}
