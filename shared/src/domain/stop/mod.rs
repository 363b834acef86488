//! The stop of an API key: what the key has activated or raised is paused (D65).
//!
//! A change in flight may still reach its platform. So there are two phases: one at once, and another when nothing is
//! in flight any more, for the campaigns in which a change was.

mod history;

#[cfg(test)]
mod tests;

pub use history::CampaignHistory;

use super::spending::{Contribution, Spender};
use super::{
    Action, CampaignChanges, CampaignId, CampaignStatus, Change, ChangeError, ChangeId, ChangeOrigin, ChangeState,
    ChangeTarget, ConnectionId, Currency, CustomerId, ExternalRef, KeyId, Platform, Purpose, Requester,
};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Time from which on nothing of a stopped key is in flight: an attempt of maintenance takes 30 s, a request less, and
/// for another 30 s its platform may carry out what it has received.
pub const IN_FLIGHT: SignedDuration = SignedDuration::from_secs(65);
/// Why the waiting changes of a removed campaign are canceled.
pub const CAMPAIGN_REMOVED: &str = "The campaign was removed.";
/// Why a pause is canceled whose campaign is not the stopped key's any more.
pub const ACTIVATED_SINCE: &str = "Somebody has activated the campaign since the API key was stopped.";

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
    /// The next phase; `None` once all pauses are stored.
    pub next: Option<StopPhase>,
    /// The campaigns in which a change of the key was in flight in the first phase.
    pub in_flight: Vec<CampaignId>,
}

/// A phase of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopPhase {
    PauseAll,
    /// Pauses the campaigns in which a change was in flight in the first phase.
    PauseInFlight,
}

/// A campaign to pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopTarget {
    pub campaign: CampaignId,
    pub account_id: String,
    pub connection: ConnectionId,
    pub currency: Currency,
    /// The user of the connection.
    pub external_ref: Option<ExternalRef>,
}

/// The campaigns that a phase works on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopCampaigns {
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
    /// The campaigns with a pause that nobody has canceled.
    pub campaigns: usize,
    /// Those of them that do not run because of the key any more: they are paused or gone, or somebody has activated
    /// them since.
    pub paused: usize,
    /// The campaigns whose pause somebody has canceled, as a revert made with the stop does: they go on.
    pub canceled: usize,
    /// No phase remains, and no campaign runs because of the key but those that go on.
    pub is_done: bool,
    /// No phase remains, and a pause has failed: nothing tries it again.
    pub is_refused: bool,
}

impl Stop {
    /// A stop before its first phase.
    pub fn new(customer: CustomerId, key: KeyId, requested_by: Requester, request: Uuid, now: Timestamp) -> Stop {
        // The ids of changes and the stored keys have whole milliseconds.
        let stopped_at = Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
        Stop {
            customer,
            key,
            request,
            requested_by,
            stopped_at,
            next: Some(StopPhase::PauseAll),
            in_flight: Vec::new(),
        }
    }

    /// The key, as one that spends.
    pub fn spender(&self) -> Spender {
        Spender::Key(self.key.clone())
    }

    /// The change that pauses a campaign. Every attempt to store it has the same id.
    pub fn pause(&self, phase: StopPhase, target: &StopTarget) -> Change {
        let StopTarget { campaign, account_id, connection, currency, external_ref } = target;
        let action = Action::Update(CampaignChanges::of_status(CampaignStatus::Paused));
        let id = self.change_id(phase, campaign);
        let target = ChangeTarget {
            customer: self.customer,
            platform: campaign.platform(),
            account_id: account_id.clone(),
            connection: connection.clone(),
            currency: *currency,
            campaign: Some(campaign.clone()),
            external_ref: external_ref.clone(),
        };
        let origin = ChangeOrigin::new(self.request, self.requested_by.clone());
        Change::scheduled(id, target, origin, Purpose::Stop(self.key.clone()), action, self.stopped_at)
    }

    fn change_id(&self, phase: StopPhase, campaign: &CampaignId) -> ChangeId {
        let number = match phase {
            StopPhase::PauseAll => 1,
            StopPhase::PauseInFlight => 2,
        };
        ChangeId::of_name(self.stopped_at, &format!("{}#{number}#{campaign}", self.request))
    }

    /// The campaigns of the key: those of its contributions that are not freed, and those that it has activated or
    /// raised by the history. What somebody else has activated since is theirs.
    pub fn list<'a>(
        &self,
        contributions: impl IntoIterator<Item = (&'a CampaignId, &'a Contribution)>,
        histories: &'a BTreeMap<CampaignId, CampaignHistory>,
    ) -> StopCampaigns {
        let contributions: BTreeMap<_, _> = contributions.into_iter().collect();
        let mut listed = StopCampaigns::default();
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

    /// Of the pauses of each campaign the one that decides what becomes of it.
    pub fn deciding<'a>(&self, pauses: &'a [Change]) -> BTreeMap<&'a CampaignId, &'a Change> {
        let mut campaigns: BTreeMap<&CampaignId, &Change> = BTreeMap::new();
        for pause in pauses {
            let Some(campaign) = &pause.campaign else { continue };
            let decides = match campaigns.get(campaign) {
                None => pause,
                Some(known) => {
                    let is_known_later = known.id == self.change_id(StopPhase::PauseInFlight, campaign);
                    let (first, later) = if is_known_later { (pause, *known) } else { (*known, pause) };
                    // The later pause decides: what was in flight may have activated the campaign after the first. One that
                    // was canceled leaves it to a first that is still tried.
                    if is_canceled(later) && is_open(first) { first } else { later }
                }
            };
            campaigns.insert(campaign, decides);
        }
        campaigns
    }

    /// How far the stop is, by its pauses.
    pub fn progress(&self, pauses: &[Change]) -> StopProgress {
        let mut campaigns = self.deciding(pauses);
        let all = campaigns.len();
        campaigns.retain(|_, pause| !is_canceled(pause));
        let paused = campaigns.values().filter(|pause| holds(pause)).count();
        let is_refused = self.next.is_none() && campaigns.values().any(|pause| !holds(pause) && !is_open(pause));
        StopProgress {
            changes: pauses.iter().map(|pause| pause.id).collect(),
            campaigns: campaigns.len(),
            paused,
            canceled: all - campaigns.len(),
            is_done: self.next.is_none() && paused == campaigns.len(),
            is_refused,
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
            external_ref: change.external_ref.clone(),
        })
    }
}

/// Whether a pause leaves nothing that runs because of the key: it is applied, or the campaign is gone, or somebody has
/// activated it since.
pub(super) fn holds(pause: &Change) -> bool {
    match &pause.state {
        ChangeState::Applied => true,
        ChangeState::Failed(error) => is_gone(pause.platform, error),
        ChangeState::Canceled(Some(reason)) => {
            [CAMPAIGN_REMOVED, ACTIVATED_SINCE].contains(&reason.message.to_string().as_str())
        }
        ChangeState::Scheduled
        | ChangeState::AwaitingApproval
        | ChangeState::Sending
        | ChangeState::PartlyApplied(_)
        | ChangeState::Canceled(None)
        | ChangeState::Rejected(_)
        | ChangeState::Expired => false,
    }
}

/// Whether somebody has canceled a pause: the campaign goes on, and nothing is left to do.
fn is_canceled(pause: &Change) -> bool {
    pause.state == ChangeState::Canceled(None)
}

/// Whether a pause is still being tried.
pub(super) fn is_open(pause: &Change) -> bool {
    matches!(pause.state, ChangeState::Scheduled | ChangeState::Sending)
}

/// Whether a pause that failed like this says that the campaign is gone: its platform does not know it, or it is
/// removed.
fn is_gone(platform: Platform, error: &ChangeError) -> bool {
    let is_absent = error.code == "NOT_FOUND" && platform.tells_absence(error.platform_code.as_deref());
    is_absent || error.code == "CONFLICT"
}
