//! The facts that a plan depends on, read by one loader.

use super::request::ChangeRequest;
use super::spending_limit::limited_values;
use crate::domain::spending::{LimitedAction, Spendings};
use crate::domain::{
    Action, CampaignRecord, CampaignValues, Change, ChangeId, ChangeState, PlatformCampaign, Spending,
};
use crate::error::Error;
use crate::store::{SpendingState, Store};
use crate::tokens::PlatformContext;
use jiff::Timestamp;

/// A campaign at its platform, its record, the changes that wait for it, and the limits.
#[derive(Clone, Debug)]
pub struct Facts {
    pub now: Timestamp,
    pub current: PlatformCampaign,
    /// The record of the campaign; the default if it has none.
    pub record: CampaignRecord,
    pub waiting: PendingChanges,
    /// Waiting changes of others in the campaign; read only for a change that could add to what they start.
    pub others: Vec<Change>,
    /// What the change counts against, and the turn of the campaign, read before the campaign.
    pub spending: Option<SpendingState>,
    /// Whether the campaign was read after the spending: then a paused campaign may free what was added.
    pub may_observe: bool,
}

/// What the table holds about a campaign and a key, as it was read before the campaign.
#[derive(Clone, Debug)]
pub struct StoredState {
    /// The record of the campaign; the default if it has none.
    pub record: CampaignRecord,
    /// What the change counts against, if limits of its key or of the user of its connection are in force.
    pub spending: Option<SpendingState>,
}

/// The changes that the record of a campaign names and that have no outcome.
#[derive(Clone, Debug, Default)]
pub struct PendingChanges {
    /// The activation at the held start.
    pub activation: Option<Change>,
    /// The pause at the held end.
    pub pause: Option<Change>,
    /// The step of the monthly budget.
    pub step: Option<Change>,
    /// The activation at the month's end.
    pub resume: Option<Change>,
}

impl PendingChanges {
    /// Reads the changes that the record names.
    pub(super) async fn read(
        store: &Store,
        request: &ChangeRequest<'_>,
        record: &CampaignRecord,
    ) -> Result<PendingChanges, Error> {
        let (held, monthly) = (record.held, record.monthly.as_ref());
        let of_month =
            monthly.and_then(|monthly| monthly.step).into_iter().chain(monthly.and_then(|monthly| monthly.resume));
        let ids: Vec<ChangeId> = held.activation.into_iter().chain(held.pause).chain(of_month).collect();
        let mut waiting = PendingChanges::default();
        if ids.is_empty() {
            return Ok(waiting);
        }
        for change in store.changes_by_id(request.customer, &ids, Timestamp::MIN).await? {
            if !change.is_open() && change.state != ChangeState::Sending {
                continue;
            }
            let place = match change.id {
                id if held.activation == Some(id) => &mut waiting.activation,
                id if held.pause == Some(id) => &mut waiting.pause,
                id if monthly.is_some_and(|monthly| monthly.step == Some(id)) => &mut waiting.step,
                _ => &mut waiting.resume,
            };
            *place = Some(change);
        }
        Ok(waiting)
    }

    /// Whether an activation is under way, or has an unknown outcome.
    pub(super) fn is_activation_under_way(&self) -> bool {
        let all = self.activation.iter().chain(&self.step).chain(&self.resume);
        all.into_iter().any(|change| change.state == ChangeState::Sending && change.activates())
    }

    /// Whether a change for a held date is under way.
    pub(super) fn is_date_under_way(&self) -> bool {
        self.activation.iter().chain(&self.pause).any(|change| change.state == ChangeState::Sending)
    }
}

impl Facts {
    /// Reads the campaign at its platform, and the changes that wait for it.
    pub(super) async fn load(
        context: PlatformContext<'_>,
        request: &ChangeRequest<'_>,
        stored: StoredState,
    ) -> Result<Facts, Error> {
        let StoredState { record, spending } = stored;
        let store = &context.app.store;
        let read = context.get_campaign(request.connection, &request.remote_id);
        let (current, waiting) = tokio::join!(read, PendingChanges::read(store, request, &record));
        let (current, waiting) = (current?, waiting?);
        let (now, others) = (context.app.clock.now(), Vec::new());
        let facts = Facts { now, current, record, waiting, others, spending, may_observe: true };
        if facts.depends_on_others(&request.action) {
            let others = store.waiting_of_campaign(request.customer, &request.campaign, facts.now).await?;
            Ok(Facts { others, ..facts })
        } else {
            Ok(facts)
        }
    }

    /// The record after a part of a plan. All parts of a plan share one next revision.
    pub(super) fn next_record(&self, record: &CampaignRecord) -> CampaignRecord {
        CampaignRecord { revision: self.record.revision + 1, ..record.clone() }
    }

    /// The campaign as its platform reports it.
    pub(super) fn values(&self) -> CampaignValues {
        CampaignValues::of(&self.current)
    }

    /// The values that count against a limit.
    pub(super) fn limited_values(&self) -> CampaignValues {
        limited_values(&self.current).with_held(&self.record.held)
    }

    /// Whether a key with a limit might add to a campaign that a change of others starts later.
    /// What the change counts against.
    pub(super) fn spendings(&self) -> Spendings {
        self.spending.as_ref().map(|state| state.spendings.clone()).unwrap_or_default()
    }

    /// The spending of the key, if it has a limit.
    pub(super) fn key_spending(&self) -> Option<&Spending> {
        self.spending.as_ref()?.spendings.key()
    }

    fn depends_on_others(&self, action: &Action) -> bool {
        let is_limited = self.key_spending().is_some_and(|spending| spending.limit.is_some());
        let before = &self.limited_values();
        let action = &match action {
            Action::Update(changes) => Action::Update(changes.clone().against(&self.values())),
            other => other.clone(),
        };
        is_limited && LimitedAction { before, action }.may_add_later(self.now)
    }
}
