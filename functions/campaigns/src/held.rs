//! Updates of a campaign whose dates this service holds (D60 in docs/decisions.md): dates move scheduled changes, and
//! an activation before the start waits for it.

use crate::approval::{ask_for_the_start, needs_approval};
use crate::confirmation::require_seen;
use crate::edit::edit_of;
use crate::edit::number::{ACTIVATION, PAUSE};
use crate::schedule::{Named, check};
use jiff::Timestamp;
use shared::changes::{check_end, check_start, require_not_ended};
use shared::domain::{
    Action, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, Change, ChangeId, ChangeState, DateChange,
    Executor, HeldDates, PlatformCampaign, Reason,
};
use shared::error::{Error, Kind};
use shared::platforms::field_errors::FieldErrors;
use shared::serve::Call;
use shared::store::HeldMove;
use std::time::Duration;

/// What is left of an update after its dates.
pub(crate) enum AfterDates {
    /// The update waits for the start of the campaign.
    Waits(Box<Change>),
    /// The rest of the update is made now.
    Continues(Box<Remaining>),
}

/// The rest of an update.
pub(crate) struct Remaining {
    /// The changes for the platform; none if the update named dates only.
    pub(crate) changes: CampaignChanges,
    /// The record with the new dates.
    pub(crate) record: CampaignRecord,
    /// The campaign as its platform tells it, if it was read.
    pub(crate) campaign: Option<PlatformCampaign>,
}

/// Moves the dates that an update names, and the changes that wait for them.
pub(crate) async fn move_dates(
    call: &Call,
    named: &Named<'_>,
    changes: CampaignChanges,
    record: CampaignRecord,
) -> Result<AfterDates, Error> {
    let now = call.request.now;
    let dates = check_dates(record.held, &changes, &named.id, now)?;
    let (start, end) = (changes.start_at, changes.end_at);
    let rest = CampaignChanges { start_at: None, end_at: None, ..changes.clone() };
    let is_activation = rest.status == Some(CampaignStatus::Active);
    let waits = is_activation && dates.waits_for_start(now);
    let keeps_activation = !waits && start.is_none() && rest.status.is_none();
    let concerns_activation = record.held.activation.is_some() && !rest.is_empty();
    if start.is_none() && end.is_none() && !waits && !concerns_activation {
        return Ok(AfterDates::Continues(Box::new(Remaining { changes: rest, record, campaign: None })));
    }
    let current = check(call, named, &Action::Update(rest.clone())).await?;
    require_seen(call, named.connection, &current, Some(&record), &changes)?;
    if waits && needs_approval(call, &current, &rest) {
        return Err(ask_for_the_start());
    }
    let waiting = call.store().waiting_of(call.customer.id, &record.held).await?;
    if waiting.is_under_way {
        return Err(date_in_progress());
    }
    let mut plan = Plan { call, named, dates, cancel: Vec::new(), put: Vec::new() };
    if end.is_some() {
        plan.replace_pause(waiting.pause.as_ref())?;
    }
    if waits {
        plan.replace_activation(waiting.activation.as_ref(), Some(Action::Update(rest.clone())), true)?;
    } else if !keeps_activation {
        let action = waiting.activation.as_ref().filter(|_| rest.status.is_none()).map(|change| change.action.clone());
        plan.replace_activation(waiting.activation.as_ref(), action, false)?;
    } else if let Some(action) = waiting.activation.as_ref().and_then(|waiting| without(&waiting.action, &rest)) {
        // The activation must not set back what this update sets.
        plan.replace_activation(waiting.activation.as_ref(), Some(action), false)?;
    }
    let record = plan.carry_out(record).await?;
    match plan.put.into_iter().find(|change| waits && Some(change.id) == record.held.activation) {
        Some(activation) => Ok(AfterDates::Waits(Box::new(activation))),
        None => {
            let remaining = Remaining { changes: rest, record, campaign: Some(current) };
            Ok(AfterDates::Continues(Box::new(remaining)))
        }
    }
}

/// The dates after an update. Refuses invalid ones, and an activation after the end.
pub(crate) fn check_dates(
    held: HeldDates,
    changes: &CampaignChanges,
    id: &CampaignId,
    now: Timestamp,
) -> Result<HeldDates, Error> {
    let dates = new_dates(held, changes.start_at, changes.end_at, now)?;
    require_not_ended(&dates, changes.status, id, now)?;
    Ok(dates)
}

/// An update without the fields that another one names; `None` if it names none of them.
fn without(waiting: &Action, newer: &CampaignChanges) -> Option<Action> {
    let Action::Update(waiting) = waiting else { return None };
    let left = CampaignChanges {
        name: waiting.name.clone().filter(|_| newer.name.is_none()),
        budget_amount: waiting.budget_amount.filter(|_| newer.budget_amount.is_none()),
        budget_period: waiting.budget_period.filter(|_| newer.budget_period.is_none()),
        ..waiting.clone()
    };
    (left != *waiting).then_some(Action::Update(left))
}

/// The dates after a change of them. A start that has passed is none.
fn new_dates(
    held: HeldDates,
    start: Option<DateChange>,
    end: Option<DateChange>,
    now: Timestamp,
) -> Result<HeldDates, Error> {
    let start_at = start.map_or(held.start_at, DateChange::date).filter(|start| *start > now);
    let end_at = end.map_or(held.end_at, DateChange::date);
    let mut errors = FieldErrors::default();
    check_start(&mut errors, start_at.filter(|_| start.is_some()), now);
    if end.is_some() {
        check_end(&mut errors, start_at, end_at, now);
    } else if start.is_some() && start_at.is_some_and(|start| end_at.is_some_and(|end| end <= start)) {
        errors.add("start_at", "must be before end_at");
    }
    errors.into_result()?;
    Ok(HeldDates { start_at, end_at, ..held })
}

/// The changes that a move of dates cancels and stores.
struct Plan<'a> {
    call: &'a Call,
    named: &'a Named<'a>,
    dates: HeldDates,
    cancel: Vec<Change>,
    put: Vec<Change>,
}

impl Plan<'_> {
    /// Cancels the pause that waits, and stores one for the new end.
    fn replace_pause(&mut self, waiting: Option<&Change>) -> Result<(), Error> {
        self.cancel.extend(waiting.cloned());
        let status = Some(CampaignStatus::Paused);
        let pause = Action::Update(CampaignChanges { status, ..CampaignChanges::default() });
        self.dates.pause = self.store(PAUSE, self.dates.end_at.map(|end| (pause, end)), None)?;
        Ok(())
    }

    /// Cancels the activation that waits, and stores one for the new start. Unless the activation is a new one, it counts
    /// as that of whoever has asked for it.
    fn replace_activation(
        &mut self,
        waiting: Option<&Change>,
        action: Option<Action>,
        is_new: bool,
    ) -> Result<(), Error> {
        self.cancel.extend(waiting.cloned());
        let asked = waiting.filter(|_| !is_new);
        self.dates.activation = self.store(ACTIVATION, action.zip(self.dates.start_at), asked)?;
        Ok(())
    }

    /// Stores a change for its time, in place of an earlier one of the same requester if there is one.
    fn store(
        &mut self,
        number: usize,
        what: Option<(Action, Timestamp)>,
        earlier: Option<&Change>,
    ) -> Result<Option<ChangeId>, Error> {
        let Some((action, at)) = what else { return Ok(None) };
        let request = &self.call.request;
        let edit = edit_of(self.call, self.named.connection, &self.named.id, action)?;
        let change = Change {
            id: self.call.change_id(number),
            requested_by: earlier.map_or_else(|| edit.requested_by.clone(), |change| change.requested_by.clone()),
            state: ChangeState::Scheduled,
            apply_at: Some(at),
            is_held: true,
            executed_by: Executor::Schedule,
            sent_at: None,
            attempt: 0,
            // No attempt has begun.
            send_deadline: request.now,
            expires_at: Change::<Action>::expiry_from(at),
            ..edit
        };
        let id = change.id;
        self.put.push(change);
        Ok(Some(id))
    }

    /// Makes the move in one transaction, and returns the record after it.
    async fn carry_out(&self, record: CampaignRecord) -> Result<CampaignRecord, Error> {
        let Plan { call, named, dates, cancel, put } = self;
        let at = call.request.now;
        let held_move = HeldMove { campaign: &named.id, before: record.held, after: *dates, cancel, put, at };
        if !call.store().move_held(call.customer.id, &held_move).await? {
            return Err(date_in_progress());
        }
        // Where nothing else is stored, what is canceled is what the request has done.
        let done = if put.is_empty() { cancel } else { put };
        done.iter().for_each(|change| call.recorded.add(change.id));
        Ok(CampaignRecord { held: *dates, updated_at: at.max(record.updated_at), ..record })
    }
}

fn date_in_progress() -> Error {
    let message = "A date of the campaign is being applied, or another request has moved it. Read the campaign, and send \
                   this request again in a moment if it is still right.";
    let error = Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile);
    error.retryable().retry_after(Duration::from_secs(2))
}
