//! Changes for a later time: `apply_at` of `updateCampaign` and `deleteCampaign` (D59 in docs/decisions.md).

use crate::approval::needs_approval;
use crate::edit::edit_of;
use crate::edit::number::EDIT;
use jiff::Timestamp;
use shared::changes::{self, are_dates_held, changes_for};
use shared::domain::{
    Action, CampaignChanges, CampaignId, CampaignValues, Change, ChangeState, Connection, Executor, HeldDates,
    PlatformCampaign, is_schedulable,
};
use shared::envelope::Reply;
use shared::error::Error;
use shared::serve::{Call, ScheduleOutcome};
use shared::store::SpendingState;

/// The campaign of a change for a later time.
pub(crate) struct Named<'a> {
    pub(crate) id: CampaignId,
    pub(crate) connection: &'a Connection,
    pub(crate) remote_id: String,
}

/// Checks the time of a scheduled change.
pub(crate) fn check_time(call: &Call, apply_at: Timestamp) -> Result<(), Error> {
    if is_schedulable(apply_at, call.request.now) {
        return Ok(());
    }
    Err(Error::field("apply_at", "must be at least a minute and at most a year ahead"))
}

/// Checks a change as far as that is possible now, and stores it for its time.
pub(crate) async fn schedule(call: &Call, named: &Named<'_>, action: Action, at: Timestamp) -> Result<Reply, Error> {
    let current = match check(call, named, &action).await {
        Ok(current) => current,
        Err(refusal) => return call.scheduled_or(refusal).await,
    };
    let (state, asked) = match &action {
        Action::Update(changes) if needs_approval(call, &current, changes, at) => {
            (ChangeState::AwaitingApproval, Some(CampaignValues::of(&current)))
        }
        _ => (ChangeState::Scheduled, None),
    };
    if let Err(refusal) = require_room(call, asked.is_some()).await {
        return call.scheduled_or(refusal).await;
    }
    let change = Change { asked, ..waiting(call, named, action, state, Some(at))? };
    match call.schedule(change).await? {
        ScheduleOutcome::Scheduled(change) => Ok(Reply::Waiting(change)),
        ScheduleOutcome::Replayed(stored) => Ok(Reply::Replayed(stored)),
    }
}

/// A change that waits, for its time or for a person.
pub(crate) fn waiting(
    call: &Call,
    named: &Named<'_>,
    action: Action,
    state: ChangeState,
    apply_at: Option<Timestamp>,
) -> Result<Change, Error> {
    let now = call.request.now;
    let edit = edit_of(call, named.connection, &named.id, action)?;
    Ok(Change {
        state,
        apply_at,
        executed_by: if apply_at.is_some() { Executor::Schedule } else { edit.executed_by },
        sent_at: None,
        attempt: edit.attempt - 1,
        // No attempt has begun.
        send_deadline: now,
        expires_at: Change::<Action>::expiry_from(apply_at.unwrap_or(now)),
        ..edit
    })
}

/// Refuses another change that waits, for its time or for a person, if there are too many: of the customer, or of a key
/// with a spending limit.
pub(crate) async fn require_room(call: &Call, awaits_person: bool) -> Result<(), Error> {
    let limited = call.spending.as_ref().map(|state| &state.spending).filter(|spending| spending.limit.is_some());
    let limited = limited.map(|spending| &spending.key);
    changes::require_room(call.store(), (call.customer.id, &call.keys), limited, awaits_person).await
}

/// Refuses what would be refused now: the campaign must exist, and accept the new values. Returns it as it is now.
pub(crate) async fn check(call: &Call, named: &Named<'_>, action: &Action) -> Result<PlatformCampaign, Error> {
    let current = call.platform_context().get_campaign(named.connection, &named.remote_id).await?;
    match action {
        Action::Update(changes) => check_update(call, named, (&current, &HeldDates::default()), changes).await?,
        Action::Delete | Action::Create(_) if current.status.is_final() => return Err(Error::not_found("campaign")),
        Action::Delete | Action::Create(_) => {}
    }
    Ok(current)
}

/// Refuses changes that the campaign as it is now, its platform, or the limit of the request's key does not admit. The
/// changes may have dates that the service holds, of which the platform hears nothing.
async fn check_update(
    call: &Call,
    Named { connection, .. }: &Named<'_>,
    (current, held): (&PlatformCampaign, &HeldDates),
    changes: &CampaignChanges,
) -> Result<(), Error> {
    let changes = changes_for(changes, current, call.request.now)?;
    check_limit(call, connection, (current, held), &changes).await?;
    check_values(call, connection, current, &of_platform(connection, &changes)).await
}

/// Reads the campaign of an update whose dates the service holds, and refuses what would be refused now. A dry run tells
/// itself what only the platform refuses.
pub(crate) async fn check_held(
    call: &Call,
    named: &Named<'_>,
    (held, changes): (&HeldDates, &CampaignChanges),
    is_dry: bool,
) -> Result<PlatformCampaign, Error> {
    let current = call.platform_context().get_campaign(named.connection, &named.remote_id).await?;
    if is_dry {
        let changes = changes_for(changes, &current, call.request.now)?;
        check_limit(call, named.connection, (&current, held), &changes).await?;
    } else {
        check_update(call, named, (&current, held), changes).await?;
    }
    Ok(current)
}

/// The changes of which the platform hears.
pub(crate) fn of_platform(connection: &Connection, changes: &CampaignChanges) -> CampaignChanges {
    match are_dates_held(connection.platform) {
        true => CampaignChanges { start_at: None, end_at: None, ..changes.clone() },
        false => changes.clone(),
    }
}

/// Refuses what the limit of the request's key does not admit now. Nothing is reserved.
pub(crate) async fn check_limit(
    call: &Call,
    connection: &Connection,
    (current, held): (&PlatformCampaign, &HeldDates),
    requested: &CampaignChanges,
) -> Result<(), Error> {
    let Some(SpendingState { spending, .. }) = &call.spending else { return Ok(()) };
    let change = (call.customer.id, call.change_id(EDIT));
    changes::check_limit(call.store(), spending, change, connection, (current, held, requested), call.request.now).await
}

/// Refuses values that the campaign cannot have as it is now.
async fn check_values(
    call: &Call,
    connection: &Connection,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<(), Error> {
    if changes.is_empty() {
        return Ok(());
    }
    let context = call.platform_context();
    let dry_run = context.in_account(connection, |adapter, session| async move {
        adapter.dry_run_update(&session, current, changes).await
    });
    dry_run.await?.outcome
}
