//! Executes a request to change a campaign: reads the facts, plans, stores the plan, and sends it. Of two requests that plan
//! on the same facts one stores its plan; the other reads the facts again and plans anew.

use super::edits::{Edit, RecordedChanges, only_stops};
use super::facts::{Facts, StoredState};
use super::held_dates::date_in_progress;
use super::plan::{ChangePlan, Verdict, at_rest, observe, plan};
use super::request::ChangeRequest;
use super::request_approval::request_approval;
use super::spending_limit::{MAX_ATTEMPTS, Reservation};
use super::turn::await_turn;
use crate::domain::{CampaignChanges, CampaignRecord, Change, ChangeState, PlatformCampaign, Reason};
use crate::error::{Error, Kind};
use crate::store::{Commit, CommitResult, RecordMove, SpendingState, Turn, back_off, contended};
use crate::tokens::PlatformContext;
use jiff::Timestamp;

/// Plans per request if other requests keep changing the record.
const MAX_RECORD_CONFLICTS: usize = 4;

/// The result of a request.
#[derive(Debug)]
pub struct Execution {
    /// The campaign as its platform reports it.
    pub campaign: PlatformCampaign,
    /// The record of the campaign, if it has one.
    pub record: Option<CampaignRecord>,
    /// The time of the change; `None` if nothing was sent to the platform.
    pub changed_at: Option<Timestamp>,
    /// The change that waits for its time or for approval, if the request has stored one.
    pub waiting: Option<Change>,
}

/// Why a request failed, and what it has changed nevertheless.
#[derive(Debug)]
pub struct ExecutionError {
    pub error: Error,
    /// Whether the record of the campaign was changed before the platform refused the rest.
    pub has_changed_record: bool,
    /// The fields that were sent to the platform.
    pub sent: Vec<&'static str>,
    /// Whether the campaign has lost its monthly budget.
    pub has_ended_monthly_budget: bool,
    /// Whether the outcome of the attempt is stored already, by this process or another one. Unknown after a lost response of
    /// the store, so every later write has a condition.
    is_settled: bool,
}

impl From<Error> for ExecutionError {
    fn from(error: Error) -> ExecutionError {
        ExecutionError {
            error,
            has_changed_record: false,
            sent: Vec::new(),
            has_ended_monthly_budget: false,
            is_settled: false,
        }
    }
}

/// What a request would do.
#[derive(Debug)]
pub struct ChangePreview {
    pub plan: ChangePlan,
    /// The campaign as its platform reports it.
    pub current: PlatformCampaign,
    /// Whether the record of the campaign would change.
    pub changes_record: bool,
}

/// Reads the facts and plans a request. Stores nothing and sends no write.
pub async fn preview(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    stored: StoredState,
) -> Result<ChangePreview, Error> {
    let facts = Facts::load(context, request, stored).await?;
    let plan = plan(request, &facts)?;
    Ok(ChangePreview {
        changes_record: plan.verdict != Verdict::Nothing && plan.changes_record(&facts),
        current: facts.current,
        plan,
    })
}

/// Plans a change for a later time. Asks the platform now whether it would accept the change.
pub async fn plan_scheduled(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    stored: StoredState,
) -> Result<ChangePlan, Error> {
    let facts = Facts::load(context, request, stored).await?;
    let planned = plan(request, &facts)?;
    verify(context, request, &facts, planned.checked.as_ref()).await?;
    Ok(planned)
}

/// Makes an attempt at a waiting change. An attempt that fails before it is stored leaves the change waiting, or ends it.
pub(super) async fn execute_waiting(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    stored: StoredState,
    recorded: &RecordedChanges,
) -> Result<(), Error> {
    match execute(context, request, stored, recorded).await {
        Ok(_) => Ok(()),
        Err(ExecutionError { error, is_settled: true, .. }) => Err(error),
        Err(ExecutionError { error, .. }) => match &request.pending {
            Some(waiting) => Err(Edit::new(context, request.connection, waiting, recorded).fail(error).await),
            None => Err(error),
        },
    }
}

/// Executes a request. Adds its changes to `recorded` once they are stored.
pub async fn execute(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    stored: StoredState,
    recorded: &RecordedChanges,
) -> Result<Execution, ExecutionError> {
    let StoredState { record, spending } = stored;
    let turn = spending.as_ref().map(|state| state.turn);
    let spending = await_turn(context, request, spending, false).await?;
    let mut facts = if spending.as_ref().map(|state| state.turn) == turn {
        load(context, request, StoredState { record, spending }).await?
    } else {
        // The record may have changed while the request waited for its turn.
        load_again(context, request, spending).await?
    };
    let mut verified = None;
    let mut conflicts = 0;
    for attempt in 0..MAX_ATTEMPTS {
        observe_removed(context, request, &facts).await?;
        let planned = plan(request, &facts)?;
        if planned.checked != verified {
            verify(context, request, &facts, planned.checked.as_ref()).await?;
            verified.clone_from(&planned.checked);
        }
        if planned.verdict == Verdict::AwaitsApproval {
            let waiting = request_approval(context, request, &facts, planned, recorded).await?;
            return Ok(Execution { campaign: facts.current, record: None, changed_at: None, waiting: Some(waiting) });
        }
        match commit(context, request, &facts, &planned, recorded).await? {
            CommitResult::Stored => return send(context, request, facts, planned, recorded).await,
            CommitResult::NoLongerWaiting if request.pending.is_none() => return Err(contended().into()),
            CommitResult::NoLongerWaiting => return Err(ExecutionError { is_settled: true, ..not_waiting().into() }),
            CommitResult::TurnTaken if planned.send.as_ref().is_some_and(only_stops) => {
                let turn = |turn| Turn { change: Some(request.change_id()), ..turn };
                facts.spending = facts.spending.map(|state| SpendingState { turn: turn(state.turn), ..state });
            }
            CommitResult::TurnTaken => {
                let spending = await_turn(context, request, facts.spending.take(), true).await?;
                facts = load_again(context, request, spending).await?;
            }
            CommitResult::SpendingChanged => {
                back_off(attempt).await;
                // Somebody may have activated the campaign since it was read.
                facts.may_observe = false;
                if let Some(state) = &mut facts.spending {
                    // The turn stays the one that was read before the campaign.
                    state.spendings = request.spending_again(&context.app.store, state).await?.spendings;
                }
            }
            // Maintenance checks again whether the change is due.
            CommitResult::RecordChanged if request.pending.is_some() => return Err(contended().into()),
            CommitResult::RecordChanged if conflicts < MAX_RECORD_CONFLICTS => {
                conflicts += 1;
                back_off(attempt).await;
                let spending = match &facts.spending {
                    Some(state) => Some(request.spending_again(&context.app.store, state).await?),
                    None => None,
                };
                facts = load_again(context, request, spending).await?;
            }
            CommitResult::RecordChanged => return Err(date_in_progress().into()),
        }
    }
    Err(contended().into())
}

/// Reads the record and the facts again.
async fn load_again(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    spending: Option<SpendingState>,
) -> Result<Facts, Error> {
    let record = context.app.store.latest_record(request.customer, &request.campaign).await?.unwrap_or_default();
    load(context, request, StoredState { record, spending }).await
}

/// Reads the facts. A campaign that its platform does not have any more does not run, so a pause or a removal frees what was
/// added to it before it is refused. If a spending changed since the read, it keeps the contributions.
async fn load(context: PlatformContext<'_>, request: &ChangeRequest<'_>, stored: StoredState) -> Result<Facts, Error> {
    let counted = stored.spending.clone().filter(|_| only_stops(&request.action));
    let loaded = Facts::load(context, request, stored).await;
    let is_gone = |error: &Error| {
        let code = error.platform_error.as_ref().and_then(|reported| reported.code.as_deref());
        error.kind == Kind::NotFound && request.connection.platform.tells_absence(code)
    };
    if let Some(state) = counted.filter(|_| loaded.as_ref().is_err_and(is_gone)) {
        let freed = at_rest(request, &state.spendings, context.app.clock.now());
        context.app.store.put_spendings(request.customer, &freed).await?;
    }
    loaded
}

/// Frees what was added to a campaign that is removed, before its pause or removal is refused. If a spending changed since
/// the read, keeps the contributions.
async fn observe_removed(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    facts: &Facts,
) -> Result<(), Error> {
    if !facts.current.status.is_final() {
        return Ok(());
    }
    match observe(request, facts, &request.action) {
        observed if observed.is_empty() => Ok(()),
        observed => context.app.store.put_spendings(request.customer, &observed).await.map(drop),
    }
}

/// Asks the platform whether it would accept changes that are sent to it later or never.
async fn verify(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    facts: &Facts,
    checked: Option<&CampaignChanges>,
) -> Result<(), Error> {
    let Some(changes) = checked else { return Ok(()) };
    context.dry_run_update(request.connection, &facts.current, changes).await?.outcome
}

/// Stores a plan.
async fn commit(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    facts: &Facts,
    planned: &ChangePlan,
    recorded: &RecordedChanges,
) -> Result<CommitResult, Error> {
    if request.pending.as_ref().is_some_and(|pending| pending.begun(request.attempt).is_none()) {
        return Ok(CommitResult::NoLongerWaiting);
    }
    let moved = planned.changes_record(facts).then(|| RecordMove {
        campaign: &request.campaign,
        before: &facts.record,
        after: planned.record.clone(),
        cancel: &planned.cancel,
        put: &planned.store,
        at: request.now(),
    });
    let (change, spendings) = (planned.change.as_ref(), Some(&planned.reserve));
    let (pending, turn) = (request.pending.as_ref(), planned.turn);
    let commit = Commit { change, waited: pending, turn, spendings, moved: moved.as_ref() };
    let committed = context.app.store.commit(request.customer, commit).await?;
    if committed == CommitResult::Stored {
        moved.iter().for_each(|moved| recorded.add_moved(moved));
    }
    Ok(committed)
}

/// Sends what is stored.
async fn send(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    facts: Facts,
    planned: ChangePlan,
    recorded: &RecordedChanges,
) -> Result<Execution, ExecutionError> {
    let waiting = match planned.verdict {
        Verdict::Waits(id) => planned.store.iter().find(|change| change.id == id).cloned(),
        _ => None,
    };
    let record = Some(planned.record.clone()).filter(|record| *record != CampaignRecord::default());
    let execution = |campaign, changed_at| Execution { campaign, record, changed_at, waiting };
    // A change of the record alone was applied by storing it.
    let sent = planned.change.as_ref().filter(|change| change.state == ChangeState::Sending);
    let Some(change) = sent else { return Ok(execution(facts.current, None)) };
    let edit = Edit::new(context, request.connection, change, recorded);
    let edit = edit.stored(reservation(&facts, &planned), &planned.record);
    match edit.send(&facts.current).await {
        Ok(edited) => Ok(execution(edited.campaign, edited.changed_at)),
        Err(error) => {
            let (sent, has_changed_record) = (change.action.field_names(), planned.changes_record(&facts));
            let has_ended_monthly_budget = facts.record.monthly.is_some() && planned.record.monthly.is_none();
            Err(ExecutionError { error, has_changed_record, sent, has_ended_monthly_budget, is_settled: true })
        }
    }
}

/// The error if another process has begun the attempt, or the change was canceled.
fn not_waiting() -> Error {
    Error::new(Kind::Conflict, "The change does not wait any more.").because(Reason::NotWaiting)
}

/// The reservation of a stored change.
fn reservation(facts: &Facts, planned: &ChangePlan) -> Option<Reservation> {
    planned.change.as_ref().filter(|change| change.is_counted())?;
    let state = facts.spending.as_ref()?;
    Some(Reservation { spendings: state.spendings.once_written(&planned.reserve), has_turn: planned.turn.is_some() })
}
