//! Updates and removals, from what their requests say to the answers.

use crate::request::{Named, require_confirmed, require_seen, schedule};
use jiff::Timestamp;
use shared::changes::request::ChangeRequest;
use shared::changes::request::number::{ALL, EDIT};
use shared::changes::{Execution, RemainingWork, StoredState, execute, plan_scheduled, remaining_work, require_time};
use shared::domain::{Action, Campaign, CampaignRecord};
use shared::envelope::Reply;
use shared::error::Error;
use shared::serve::{Call, ChangeClaim, earlier_outcome_unknown};

/// The stored record of the campaign; `None` for one that the service has not created or changed.
pub(crate) type StoredRecord = Result<Option<CampaignRecord>, Error>;

/// What a request asks for, of the campaign that it names.
pub(crate) struct Requested<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) action: Action,
}

/// Reads what a request asks for, for now or for a time.
pub(crate) fn requested<'a>(
    call: &'a Call,
    apply_at: Option<Timestamp>,
    read: impl FnOnce(&'a Call) -> Result<Requested<'a>, Error>,
) -> Result<Requested<'a>, Error> {
    let Some(at) = apply_at else { return read(call) };
    require_confirmed(call)?;
    let requested = read(call)?;
    require_time(requested.named.connection.platform, &requested.action, at, call.request.now)?;
    Ok(requested)
}

/// Makes what a request asks for, or lets it wait for its time, and answers. A request that is refused as a new one may have
/// been made before.
pub(crate) async fn answer(
    call: &Call,
    requested: Result<Requested<'_>, Error>,
    apply_at: Option<Timestamp>,
    record: StoredRecord,
) -> Result<Reply, Error> {
    match (requested, apply_at) {
        (Ok(requested), None) => now(call, &requested, record).await,
        (Ok(requested), Some(at)) => later(call, requested, at, record).await,
        (Err(refusal), None) => call.replay_or(refusal).await,
        (Err(refusal), Some(_)) => call.scheduled_or(refusal).await,
    }
}

/// The record of the campaign and the spending of the key, as they were read for this request.
pub(crate) fn stored(call: &Call, record: StoredRecord) -> Result<StoredState, Error> {
    Ok(StoredState { record: record?.unwrap_or_default(), spending: call.spending.clone() })
}

async fn later(
    call: &Call,
    Requested { named, action }: Requested<'_>,
    at: Timestamp,
    record: StoredRecord,
) -> Result<Reply, Error> {
    let request = ChangeRequest { apply_at: Some(at), ..named.request(call, action, None)? };
    let planned = async { plan_scheduled(call.platform_context(), &request, stored(call, record)?).await };
    schedule(call, planned.await).await
}

/// Makes what earlier attempts under the same `Idempotency-Key` have not made, unless it is refused now.
async fn now(call: &Call, requested: &Requested<'_>, record: StoredRecord) -> Result<Reply, Error> {
    let Requested { named, action } = requested;
    let numbers = if *action == Action::Delete { EDIT..EDIT + 1 } else { ALL };
    let (claim, refused) = match require_confirmed(call) {
        Ok(()) => (call.claim_change(numbers).await?, None),
        Err(refusal) => call.claim_change_or(numbers, refusal).await.map(|(claim, refusal)| (claim, Some(refusal)))?,
    };
    let seen = |campaign: &Campaign| require_seen(call, action, campaign);
    let request = named.request(call, action.clone(), Some(&seen))?;
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
        RemainingWork::Nothing => named.read(call).await,
        RemainingWork::Waiting(change) => Ok(Reply::Waiting(change)),
        RemainingWork::Action(number, action) => {
            let request = ChangeRequest { action: *action, number, ..request };
            let made = execute(context, &request, stored(call, record)?, &call.recorded).await;
            made.map(|made| reply(requested, made)).map_err(|not_made| not_made.into_error(&requested.action))
        }
    }
}

fn reply(Requested { named, action }: &Requested<'_>, made: Execution) -> Reply {
    match (action, made) {
        (Action::Delete, _) => Reply::Done,
        (_, Execution { waiting: Some(waiting), .. }) => Reply::Waiting(Box::new(waiting)),
        (_, Execution { campaign, record, changed_at, .. }) => {
            let campaign = campaign.complete(&named.connection.id, record);
            let updated_at = changed_at.or(campaign.updated_at);
            Reply::Campaign(Box::new(Campaign { updated_at, ..campaign }))
        }
    }
}
