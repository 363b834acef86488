//! Updates and removals, from what their requests say to the answers.

use crate::request::{CampaignInPath, require_confirmed, require_unchanged_since_preview, schedule};
use jiff::Timestamp;
use shared::changes::request::ChangeRequest;
use shared::changes::request::number::{ALL, EDIT};
use shared::changes::{Execution, RemainingWork, StoredState, execute, plan_scheduled, remaining_work, require_time};
use shared::domain::{Action, Campaign, CampaignRecord, Reference};
use shared::envelope::Reply;
use shared::error::Error;
use shared::serve::{Call, ChangeClaim, earlier_outcome_unknown};

/// The stored record of the campaign; `None` for one that the service has not created or changed.
pub(crate) type StoredRecord = Result<Option<CampaignRecord>, Error>;

/// An update or a removal, and its campaign.
pub(crate) struct EditRequest<'a> {
    pub(crate) campaign: CampaignInPath<'a>,
    pub(crate) action: Action,
    /// The caller's own reference.
    pub(crate) reference: Option<Reference>,
}

/// Reads a request. One for a later time is checked for that time.
pub(crate) fn read_request<'a>(
    call: &'a Call,
    apply_at: Option<Timestamp>,
    read: impl FnOnce(&'a Call) -> Result<EditRequest<'a>, Error>,
) -> Result<EditRequest<'a>, Error> {
    if apply_at.is_some() {
        require_confirmed(call)?;
    }
    let requested = read(call)?;
    call.note_reference(requested.reference.as_ref());
    let Some(at) = apply_at else { return Ok(requested) };
    require_time(requested.campaign.connection.platform, &requested.action, at, call.request.now)?;
    Ok(requested)
}

/// Makes the change that a request asks for, or schedules it, and answers. An earlier request with the same
/// `Idempotency-Key` may have made the change although this one is refused.
pub(crate) async fn answer(
    call: &Call,
    requested: Result<EditRequest<'_>, Error>,
    apply_at: Option<Timestamp>,
    record: StoredRecord,
) -> Result<Reply, Error> {
    match (requested, apply_at) {
        (Ok(requested), None) => apply(call, &requested, record).await,
        (Ok(requested), Some(at)) => schedule_at(call, requested, at, record).await,
        (Err(refusal), None) => call.replay_earlier_or_refuse(refusal).await,
        (Err(refusal), Some(_)) => call.earlier_schedule_or_refuse(refusal).await,
    }
}

/// The record of the campaign as it was read for this request, and what a change counts against.
pub(crate) async fn stored(
    call: &Call,
    campaign: &CampaignInPath<'_>,
    record: StoredRecord,
) -> Result<StoredState, Error> {
    let spending = call.spending_in(campaign.connection, &campaign.id).await?;
    Ok(StoredState { record: record?.unwrap_or_default(), spending })
}

async fn schedule_at(
    call: &Call,
    requested: EditRequest<'_>,
    at: Timestamp,
    record: StoredRecord,
) -> Result<Reply, Error> {
    let EditRequest { campaign, action, reference } = requested;
    let request = ChangeRequest { apply_at: Some(at), ..campaign.request(call, action, reference, None)? };
    let planned =
        async { plan_scheduled(call.platform_context(), &request, stored(call, &campaign, record).await?).await };
    schedule(call, planned.await).await
}

/// Makes the change, or the part of it that earlier attempts under the same `Idempotency-Key` have not made.
async fn apply(call: &Call, requested: &EditRequest<'_>, record: StoredRecord) -> Result<Reply, Error> {
    let EditRequest { campaign: in_path, action, reference } = requested;
    let numbers = if *action == Action::Delete { EDIT..EDIT + 1 } else { ALL };
    let (claim, refused) = match require_confirmed(call) {
        Ok(()) => (call.claim_change(numbers).await?, None),
        Err(refusal) => {
            call.earlier_changes_or_refuse(numbers, refusal).await.map(|(claim, refusal)| (claim, Some(refusal)))?
        }
    };
    let unchanged = |campaign: &Campaign| require_unchanged_since_preview(call, action, campaign);
    let request = in_path.request(call, action.clone(), reference.clone(), Some(&unchanged))?;
    let context = call.platform_context();
    let remaining = match (claim, refused) {
        (ChangeClaim::Replayed(stored), _) => return Ok(Reply::Replayed(stored)),
        (ChangeClaim::New, Some(refusal)) => return Err(refusal),
        (ChangeClaim::New, None) => RemainingWork::Action(EDIT, Box::new(action.clone())),
        (ChangeClaim::Repeated(earlier), refused) => {
            let record = record.as_ref().ok().and_then(Option::as_ref);
            remaining_work(context, &request, record, earlier, refused, &call.recorded)
                .await
                .map_err(earlier_outcome_unknown)?
        }
    };
    match remaining {
        RemainingWork::Nothing if *action == Action::Delete => Ok(Reply::Done),
        RemainingWork::Nothing => {
            let campaign = in_path.read(call).await?;
            Ok(Reply::Campaign(Box::new(Campaign { reference: reference.clone(), ..campaign })))
        }
        RemainingWork::Waiting(change) => Ok(Reply::Waiting(change)),
        RemainingWork::Action(number, action) => {
            let request = ChangeRequest { action: *action, number, ..request };
            let made = execute(context, &request, stored(call, in_path, record).await?, &call.recorded).await;
            made.map(|made| reply(requested, made)).map_err(|not_made| not_made.into_error(&requested.action))
        }
    }
}

fn reply(requested: &EditRequest<'_>, made: Execution) -> Reply {
    match (&requested.action, made) {
        (Action::Delete, _) => Reply::Done,
        (_, Execution { waiting: Some(waiting), .. }) => Reply::Waiting(Box::new(waiting)),
        (_, Execution { campaign, record, changed_at, .. }) => {
            let campaign = campaign.complete(&requested.campaign.connection.id, record);
            let updated_at = changed_at.or(campaign.updated_at);
            Reply::Campaign(Box::new(Campaign { updated_at, reference: requested.reference.clone(), ..campaign }))
        }
    }
}
