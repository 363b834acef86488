//! Updates of a campaign whose dates this service holds (D60 in docs/decisions.md): dates move scheduled changes, and
//! an activation before the start waits for it. All is checked here, and made together with the rest of the update.

mod activation;
mod check;

pub(crate) use check::check_dates;

use crate::confirmation::require_seen;
use crate::edit::number::PAUSE;
use crate::edit::scheduled_of;
use crate::schedule::{Named, check_held, of_platform};
use jiff::Timestamp;
use shared::changes::{change_error, date_in_progress};
use shared::domain::{
    Action, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, Change, ChangeId, HeldDates, PlatformCampaign,
    Reason, Requester,
};
use shared::error::{Error, Kind};
use shared::serve::Call;
use shared::store::RecordMove;

/// What an update does to the dates that the service holds: checked, and not made yet.
pub(crate) struct DatePlan {
    /// The changes for the platform.
    pub(crate) changes: CampaignChanges,
    /// The dates once they are moved.
    pub(crate) dates: HeldDates,
    /// The campaign as its platform tells it, if it was read.
    pub(crate) campaign: Option<PlatformCampaign>,
    /// Whether the update waits for the start of the campaign.
    pub(crate) waits: bool,
    /// Whether what waits makes the campaign run earlier.
    pub(crate) wakes: bool,
    /// The record as it was read.
    record: CampaignRecord,
    cancel: Vec<Change>,
    put: Vec<Change>,
    reason: Error,
}

impl DatePlan {
    /// Whether it moves anything.
    pub(crate) fn moves(&self) -> bool {
        self.dates != self.record.held || !self.cancel.is_empty() || !self.put.is_empty()
    }

    /// The move for the store; `None` if nothing moves.
    pub(crate) fn date_move<'a>(&'a self, call: &Call, campaign: &'a CampaignId) -> Option<RecordMove<'a>> {
        let DatePlan { record, cancel, put, reason, .. } = self;
        let (after, reason, at) = (self.record_after(call), Some(change_error(reason)), call.request.now);
        self.moves().then_some(RecordMove { campaign, before: record, after, cancel, reason, put, at })
    }

    /// Makes the move alone, and returns the record after it.
    pub(crate) async fn carry_out(&self, call: &Call, campaign: &CampaignId) -> Result<CampaignRecord, Error> {
        if let Some(date_move) = self.date_move(call, campaign) {
            if !call.store().move_record(call.customer.id, &date_move).await? {
                return Err(date_in_progress());
            }
            call.recorded.add_moved(&date_move);
        }
        Ok(self.record_after(call))
    }

    /// The record once the move is made.
    pub(crate) fn record_after(&self, call: &Call) -> CampaignRecord {
        let DatePlan { record, dates: held, .. } = self;
        if !self.moves() {
            return record.clone();
        }
        let at = call.request.now;
        let is_moved = (record.held.start_at, record.held.end_at) != (held.start_at, held.end_at);
        let moved_by = if is_moved { Some((call.first_request().0, at)) } else { record.moved_by };
        CampaignRecord { held: *held, moved_by, updated_at: at.max(record.updated_at), ..record.next() }
    }

    /// The activation of an update that waits for the start.
    pub(crate) fn into_activation(self) -> Option<Change> {
        let id = self.dates.activation.filter(|_| self.waits);
        self.put.into_iter().find(|change| Some(change.id) == id)
    }
}

/// Plans what an update does to the dates and to what waits for them. Refuses what would be refused now; what only the
/// platform refuses, a dry run tells itself. `seen` is the record of before the request.
pub(crate) async fn plan_dates(
    call: &Call,
    named: &Named<'_>,
    (changes, record): (&CampaignChanges, CampaignRecord),
    seen: Option<&CampaignRecord>,
    is_dry: bool,
) -> Result<DatePlan, Error> {
    let now = call.request.now;
    let (before, dates) = (record.held, check_dates(record.held, changes, &named.id, now)?);
    let rest = of_platform(named.connection, changes);
    let waits = rest.status == Some(CampaignStatus::Active) && dates.waits_for_start(now);
    let (campaign, cancel, put, reason) = (None, Vec::new(), Vec::new(), moved_by(&call.requester()?));
    let mut plan = DatePlan { changes: rest, dates, campaign, waits, wakes: false, record, cancel, put, reason };
    let takes_activation_back = before.activation.is_some() && plan.changes.status.is_some();
    if !changes.names_date() && !waits && !takes_activation_back {
        return Ok(DatePlan { dates: before, ..plan });
    }
    let current = check_held(call, named, (&before, changes), is_dry).await?;
    require_seen(call, named.connection, &current, seen, changes)?;
    let waiting = call.store().waiting_of(call.customer.id, &before).await?;
    if waiting.is_under_way && (changes.names_date() || plan.changes.status != Some(CampaignStatus::Paused)) {
        return Err(date_in_progress());
    }
    if waiting.is_under_way {
        // A pause does not wait. What is under way cannot be canceled, and its next attempt finds itself replaced.
        plan.cancel.extend(waiting.activation);
        plan.dates.activation = None;
        return Ok(DatePlan { campaign: Some(current), ..plan });
    }
    if changes.end_at.is_some() {
        plan.plan_end(call, named, waiting.pause.as_ref())?;
    }
    if let Some(next) = plan.next_activation(changes.start_at.is_some(), waiting.activation.as_ref()) {
        plan.plan_activation(call, named, (waiting.activation.as_ref(), next), &current).await?;
    }
    Ok(DatePlan { campaign: Some(current), ..plan })
}

impl DatePlan {
    /// Puts a pause at the new end in the place of the one that waits.
    fn plan_end(&mut self, call: &Call, named: &Named<'_>, waiting: Option<&Change>) -> Result<(), Error> {
        let end = self.dates.end_at;
        if end == self.record.held.end_at && end.is_some() == waiting.is_some() {
            return Ok(());
        }
        self.cancel.extend(waiting.cloned());
        let status = Some(CampaignStatus::Paused);
        let pause = CampaignChanges { status, ..CampaignChanges::default() };
        self.dates.pause = self.schedule(call, named, PAUSE, end.map(|end| (pause, end)), None)?;
        Ok(())
    }

    /// Stores a change for its time, in place of an earlier one of the same requester if there is one.
    fn schedule(
        &mut self,
        call: &Call,
        named: &Named<'_>,
        number: usize,
        what: Option<(CampaignChanges, Timestamp)>,
        earlier: Option<&Change>,
    ) -> Result<Option<ChangeId>, Error> {
        let Some((changes, at)) = what else { return Ok(None) };
        let change = Change { is_held: true, ..scheduled_of(call, named, Action::Update(changes), number, at)? };
        let requested_by = earlier.map_or_else(|| change.requested_by.clone(), |earlier| earlier.requested_by.clone());
        let change = Change { requested_by, ..change };
        let id = change.id;
        self.put.push(change);
        Ok(Some(id))
    }
}

/// Why a change is canceled that waited for a date.
fn moved_by(requester: &Requester) -> Error {
    let message = format!("The dates or the status of the campaign were changed by {requester}.");
    Error::new(Kind::Conflict, message).because(Reason::Superseded)
}
