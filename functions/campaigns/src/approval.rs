//! Changes that a person has to approve (D64 in docs/decisions.md): they are stored, and wait.

use crate::schedule::{Named, check, require_room, waiting};
use shared::changes::limited_values;
use shared::domain::spending::Limited;
use shared::domain::{Action, CampaignChanges, CampaignValues, Change, ChangeState, Create, PlatformCampaign};
use shared::envelope::Reply;
use shared::error::{Error, Kind};
use shared::serve::{Call, ScheduleOutcome};

/// Whether a person has to approve a change of a campaign with the key of the request.
pub(crate) fn needs_approval(call: &Call, current: &PlatformCampaign, changes: &CampaignChanges) -> bool {
    let Some(state) = &call.spending else { return false };
    let before = &limited_values(current);
    let action = &Action::Update(changes.clone().against(before));
    state.spending.needs_approval(&Limited { before, action }, call.request.now)
}

/// Stores an update that was not sent because a person has to approve it. Refuses what would be refused now.
pub(crate) async fn ask(call: &Call, named: &Named<'_>, action: Action) -> Result<Reply, Error> {
    let asked = Some(CampaignValues::of(&check(call, named, &action).await?));
    require_room(call).await?;
    let change = Change { asked, ..waiting(call, named, action, ChangeState::AwaitingApproval, None)? };
    call.store().begin_change(&change).await?;
    call.recorded.add(change.id);
    Ok(Reply::Waiting(Box::new(change)))
}

/// Whether a person has to approve a create with the key of the request.
pub(crate) fn create_needs_approval(call: &Call, create: &Create) -> bool {
    call.spending.as_ref().is_some_and(|state| state.spending.create_needs_approval(&create.budget()))
}

/// Stores a create that a person has to approve. Nothing is counted before that.
pub(crate) async fn ask_create(call: &Call, create: &Create) -> Result<Reply, Error> {
    let checked = async {
        if let Some(state) = &call.spending {
            let counted = state.spending.count_creates(&[create.budget()], call.request.now);
            counted.map_err(|refusal| Error::refused(&state.spending, refusal))?;
        }
        require_room(call).await
    };
    if let Err(refusal) = checked.await {
        return call.scheduled_or(refusal).await;
    }
    let create = Create {
        state: ChangeState::AwaitingApproval,
        sent_at: None,
        attempt: 0,
        send_deadline: call.request.now,
        ..create.clone()
    };
    match call.schedule(create.map(Action::Create)).await? {
        ScheduleOutcome::Scheduled(change) => Ok(Reply::Waiting(change)),
        ScheduleOutcome::Replayed(stored) => Ok(Reply::Replayed(stored)),
    }
}

/// The refusal of a create with several targets, of which a person has to approve at least one.
pub(crate) fn one_by_one() -> Error {
    let message = "A person has to approve a create of this budget with this API key. Send one create for each ad \
                   account, without targets, so that each can be approved.";
    Error::new(Kind::Forbidden, message)
}

/// The refusal of an activation that waits for a start which this service holds.
pub(crate) fn ask_for_the_start() -> Error {
    let message = "A person has to approve an activation with this API key, and the campaign waits for its start_at. \
                   Send the activation with apply_at, at its start or later.";
    Error::new(Kind::Forbidden, message)
}
