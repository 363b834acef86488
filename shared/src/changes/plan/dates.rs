//! The dates that the service holds where the platform's campaigns have none (D60): they move the changes that wait for
//! them, and an activation before the start waits for it.

use super::{ChangePlan, Verdict, limit, of_platform, require_seen};
use crate::changes::edits::changes_for;
use crate::changes::facts::Facts;
use crate::changes::failure::change_error;
use crate::changes::held_dates::{check_end, check_start, date_in_progress, require_not_ended};
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::{ACTIVATION, PAUSE};
use crate::changes::spending_limit::require_unlimited;
use crate::domain::{
    Action, CampaignChanges, CampaignRecord, CampaignStatus, Change, ChangeError, ChangeState, DateChange, HeldDates,
    Reason, Requester, TimeRule,
};
use crate::error::{Error, Kind};
use crate::platforms::field_errors::FieldErrors;
use jiff::Timestamp;

/// The dates after an update. Refuses invalid dates, and an activation after the end.
pub(super) fn check(
    held: HeldDates,
    changes: &CampaignChanges,
    request: &ChangeRequest<'_>,
) -> Result<HeldDates, Error> {
    let dates = new_dates(held, changes.start_at, changes.end_at, request.now())?;
    require_not_ended(&dates, changes.status, &request.campaign, request.now())?;
    Ok(dates)
}

/// The dates after an update. A start in the past counts as none.
fn new_dates(
    held: HeldDates,
    start: Option<DateChange>,
    end: Option<DateChange>,
    now: Timestamp,
) -> Result<HeldDates, Error> {
    let start_at = start.map_or(held.start_at, DateChange::date).filter(|start| *start > now);
    let end_at = end.map_or(held.end_at, DateChange::date);
    let mut errors = FieldErrors::default();
    if start.is_some() {
        check_start(&mut errors, start_at, now);
    }
    if end.is_some() {
        check_end(&mut errors, start_at, end_at, now);
    } else if start.is_some() && start_at.is_some_and(|start| end_at.is_some_and(|end| end <= start)) {
        errors.add("start_at", TimeRule::BeforeEnd);
    }
    errors.into_result()?;
    Ok(HeldDates { start_at, end_at, ..held })
}

/// An update of a campaign whose dates the service holds.
struct Dates<'a> {
    request: &'a ChangeRequest<'a>,
    facts: &'a Facts,
    /// The changes for the platform.
    rest: CampaignChanges,
    /// Whether these changes wait for the start.
    waits: bool,
    after: HeldDates,
    reason: ChangeError,
    cancel: Vec<Change>,
    store: Vec<Change>,
    starts_campaign: bool,
}

/// Adds to a plan what an update changes in the held dates and in the changes that wait for them. Returns the changes
/// for the platform now; `None` if all of them wait for the start.
pub(super) fn plan(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    plan: &mut ChangePlan,
    changes: &CampaignChanges,
) -> Result<Option<CampaignChanges>, Error> {
    let (held, now) = (facts.record.held, request.now());
    let after = check(held, changes, request)?;
    let rest = of_platform(request, changes);
    let waits = rest.status == Some(CampaignStatus::Active) && after.waits_for_start(now);
    let takes_activation_back = held.activation.is_some() && rest.status.is_some();
    if !changes.names_date() && !waits && !takes_activation_back {
        return Ok(Some(rest));
    }
    let differing = changes_for(changes, &facts.current, facts.now)?;
    limit::check(request, facts, &Action::Update(differing.clone()))?;
    require_seen(request, &facts.current, &facts.record)?;
    let (reason, cancel, store) = (change_error(&moved_by(&request.origin.requested_by)), Vec::new(), Vec::new());
    let mut dates = Dates { request, facts, rest, waits, after, reason, cancel, store, starts_campaign: false };
    dates.move_what_waits(changes)?;
    dates.add_to(plan, differing);
    Ok(if waits { None } else { Some(of_platform(request, changes)) })
}

impl Dates<'_> {
    /// Replaces the pause at the end and the activation at the start.
    fn move_what_waits(&mut self, changes: &CampaignChanges) -> Result<(), Error> {
        let waiting = &self.facts.waiting;
        let is_under_way = waiting.is_date_under_way();
        if is_under_way && (changes.names_date() || self.rest.status != Some(CampaignStatus::Paused)) {
            return Err(date_in_progress());
        }
        if is_under_way {
            // A pause does not wait for it. A change under way cannot be canceled; its next attempt ends, because the
            // record does not name it any more.
            self.cancel.extend(scheduled(&waiting.activation).cloned());
            self.after.activation = None;
            return Ok(());
        }
        if changes.end_at.is_some() {
            self.move_end(scheduled(&waiting.pause));
        }
        let activation = scheduled(&waiting.activation);
        match self.next_activation(changes.start_at.is_some(), activation) {
            Some(next) => self.move_activation(activation, next),
            None => Ok(()),
        }
    }

    /// Replaces the waiting pause by one at the new end.
    fn move_end(&mut self, waiting: Option<&Change>) {
        let end = self.after.end_at;
        if end == self.facts.record.held.end_at && end.is_some() == waiting.is_some() {
            return;
        }
        self.cancel.extend(waiting.cloned());
        let pause = CampaignChanges::of_status(CampaignStatus::Paused);
        let pause = end.map(|end| self.request.for_held_date(Action::Update(pause), PAUSE, end));
        self.after.pause = pause.as_ref().map(|pause| pause.id);
        self.store.extend(pause);
    }

    /// The waiting activation after this update; `None` if it stays as it is.
    fn next_activation(&self, names_start: bool, waiting: Option<&Change>) -> Option<Next> {
        let planned = waiting.and_then(changes_of);
        let (start, had) = (self.after.start_at, self.facts.record.held.start_at);
        match (self.rest.status, planned) {
            (Some(_), planned) if self.waits => Some(Next::Own(overlaid(planned, &self.rest))),
            (Some(_), _) => Some(Next::Nothing),
            (None, Some(planned)) if names_start && start != had => Some(match (start, had) {
                (None, _) => Next::Nothing,
                (Some(start), Some(had)) if start > had => Next::RecordUpdate,
                _ => Next::Own(planned.clone()),
            }),
            (None, _) => None,
        }
    }

    /// Replaces the waiting activation. A new or an earlier one counts as an activation by the requester.
    fn move_activation(&mut self, waiting: Option<&Change>, next: Next) -> Result<(), Error> {
        if self.rest.status == Some(CampaignStatus::Active) {
            require_own(self.facts, waiting)?;
        }
        let (activation, earlier) = match next {
            Next::Nothing => (None, None),
            Next::RecordUpdate => (waiting.and_then(changes_of).cloned(), waiting),
            Next::Own(activation) => {
                self.check_activation(&activation)?;
                self.starts_campaign = true;
                (Some(activation), None)
            }
        };
        self.cancel.extend(waiting.cloned());
        let moved = activation.zip(self.after.start_at);
        let moved =
            moved.map(|(activation, start)| self.request.for_held_date(Action::Update(activation), ACTIVATION, start));
        // An activation that somebody else moves stays in the name of whoever has asked for it.
        let by = |moved: Change, earlier: &Change| Change {
            requested_by: earlier.requested_by.clone(),
            reference: earlier.reference.clone(),
            ..moved
        };
        let moved = match earlier {
            Some(earlier) => moved.map(|moved| by(moved, earlier)),
            None => moved,
        };
        self.after.activation = moved.as_ref().map(|moved| moved.id);
        self.store.extend(moved);
        Ok(())
    }

    /// Refuses an activation that a limit does not admit now, or that a person has to approve.
    fn check_activation(&self, activation: &CampaignChanges) -> Result<(), Error> {
        if self.facts.record.monthly.is_some() {
            require_unlimited(self.facts.spending.as_ref(), self.facts.current.currency)?;
        }
        let differing = activation.clone().against(&self.facts.values());
        limit::check(self.request, self.facts, &Action::Update(differing))?;
        let made_at = self.after.start_at.unwrap_or(self.facts.now);
        if limit::needs_approval(self.facts, activation, made_at) { Err(ask_for_the_start()) } else { Ok(()) }
    }

    fn add_to(self, plan: &mut ChangePlan, differing: CampaignChanges) {
        let Dates { request, facts, waits, after, reason, cancel, store, starts_campaign, .. } = self;
        let (own, of_month) = (of_platform(request, &differing), plan.checked.take().unwrap_or_default());
        let budget_amount = own.budget_amount.or(of_month.budget_amount);
        let checked = CampaignChanges { budget_amount, ..own };
        plan.checked = Some(checked).filter(|changes| !changes.is_empty());
        plan.activates |= starts_campaign;
        if waits && let Some(id) = after.activation {
            plan.verdict = Verdict::Waits(id);
            plan.send = Some(Action::Update(of_platform(request, &differing)));
        }
        if after == facts.record.held && cancel.is_empty() && store.is_empty() {
            return;
        }
        let held = facts.record.held;
        let is_moved = (held.start_at, held.end_at) != (after.start_at, after.end_at);
        let moved_by = if is_moved { Some((request.origin.request, request.now())) } else { plan.record.moved_by };
        let updated_at = request.now().max(plan.record.updated_at);
        plan.record = CampaignRecord { held: after, moved_by, updated_at, ..facts.next_record(&plan.record) };
        plan.cancel.extend(cancel.into_iter().map(|change| (change, Some(reason.clone()))));
        plan.store.extend(store);
    }
}

/// The waiting activation after this update.
enum Next {
    /// Nothing.
    Nothing,
    /// The same activation, at another time.
    RecordUpdate,
    /// An activation by the requester: a new one, or one that comes earlier.
    Own(CampaignChanges),
}

/// The change, if it waits for its date and is not under way.
fn scheduled(change: &Option<Change>) -> Option<&Change> {
    change.as_ref().filter(|change| change.state == ChangeState::Scheduled)
}

fn changes_of(change: &Change) -> Option<&CampaignChanges> {
    match &change.action {
        Action::Update(changes) => Some(changes),
        Action::Create(_) | Action::Delete => None,
    }
}

/// The values of a waiting activation, with newer ones on top.
fn overlaid(waiting: Option<&CampaignChanges>, newer: &CampaignChanges) -> CampaignChanges {
    let waiting = waiting.cloned().unwrap_or_default();
    CampaignChanges {
        name: newer.name.clone().or(waiting.name),
        status: newer.status.or(waiting.status),
        budget_amount: newer.budget_amount.or(waiting.budget_amount),
        budget_period: newer.budget_period.or(waiting.budget_period),
        ..CampaignChanges::default()
    }
}

/// Refuses a key with a spending limit to replace an activation of somebody else.
fn require_own(facts: &Facts, waiting: Option<&Change>) -> Result<(), Error> {
    let Some(key) = facts.key_spending().and_then(|spending| spending.spender.key()) else { return Ok(()) };
    if waiting.is_none_or(|waiting| waiting.requested_by.is_key(key)) {
        return Ok(());
    }
    let message = "Somebody else has scheduled the activation of this campaign for its start_at. An API key with a spending \
                   limit does not take its place; PAUSED takes it back. Nothing was sent.";
    Err(Error::new(Kind::Forbidden, message).because(Reason::SpendingLimit))
}

/// The refusal of an activation that waits for a start which this service holds.
fn ask_for_the_start() -> Error {
    let message = "A person has to approve an activation with this API key, which an earlier start is too, and the \
                   campaign waits for its start_at. Send the activation with apply_at, at its start or later; or ask a \
                   person to start the campaign on the dashboard. Nothing was changed.";
    Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
}

/// The reason of a canceled change that waited for a date.
fn moved_by(requester: &Requester) -> Error {
    let message = format!("The dates or the status of the campaign were changed by {requester}.");
    Error::new(Kind::Conflict, message).because(Reason::Superseded)
}
