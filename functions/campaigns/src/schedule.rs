//! Changes for a later time: `apply_at` of `updateCampaign` and `deleteCampaign` (D59 in docs/decisions.md).

use crate::approval::needs_approval;
use crate::edit::number::EDIT;
use crate::edit::scheduled_of;
use jiff::Timestamp;
use shared::changes::{self, are_dates_held, changes_for};
use shared::domain::{
    Action, CampaignChanges, CampaignId, CampaignValues, Change, ChangeState, Connection, HeldDates, MAX_SCHEDULED,
    PlatformCampaign, Reason, is_schedulable,
};
use shared::envelope::Reply;
use shared::error::{Error, Kind};
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
    if let Err(refusal) = require_room(call).await {
        return call.scheduled_or(refusal).await;
    }
    let (state, asked) = match &action {
        Action::Update(changes) if needs_approval(call, &current, changes) => {
            (ChangeState::AwaitingApproval, Some(CampaignValues::of(&current)))
        }
        _ => (ChangeState::Scheduled, None),
    };
    let change = Change { state, asked, ..scheduled_of(call, named, action, EDIT, at)? };
    match call.schedule(change).await? {
        ScheduleOutcome::Scheduled(change) => Ok(Reply::Waiting(change)),
        ScheduleOutcome::Replayed(stored) => Ok(Reply::Replayed(stored)),
    }
}

/// Refuses another change that waits if there are too many.
pub(crate) async fn require_room(call: &Call) -> Result<(), Error> {
    if call.store().scheduled_count(call.customer.id).await? >= MAX_SCHEDULED { Err(too_many()) } else { Ok(()) }
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

fn too_many() -> Error {
    let message = format!(
        "{MAX_SCHEDULED} changes wait for their time or for approval, and more are not possible. Cancel one (GET \
         /v1/changes?state=scheduled lists them), or wait until one is applied."
    );
    Error::new(Kind::Conflict, message).because(Reason::LimitReached)
}
