//! `deleteCampaign`.

use crate::repeat;
use crate::request::{Named, require_confirmed, require_seen, schedule};
use jiff::Timestamp;
use shared::changes::request::ChangeRequest;
use shared::changes::request::number::EDIT;
use shared::changes::{Known, make, prepare, require_time};
use shared::domain::{Action, Campaign, CampaignRecord};
use shared::envelope::Reply;
use shared::envelope::query::read_removal;
use shared::error::Error;
use shared::serve::{Call, ChangeClaim};
use std::ops::Range;

/// A removal is one change.
const ONE: Range<usize> = EDIT..EDIT + 1;

/// Removes a campaign. A repeated removal is 404, or the first response under its `Idempotency-Key`.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    let apply_at = read_removal(&call.request.query)?;
    let named = match read(call, apply_at) {
        Ok(named) => named,
        Err(refusal) if apply_at.is_some() => return call.scheduled_or(refusal).await,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    if apply_at.is_some() {
        let request = ChangeRequest { apply_at, ..named.request(call, Action::Delete, EDIT, None)? };
        return schedule(call, prepare(call.platform_context(), &request, known(call)).await).await;
    }
    let (claim, refusal) = match require_confirmed(call) {
        Ok(()) => (call.claim_change(ONE).await?, None),
        Err(refusal) => call.claim_change_or(ONE, refusal).await.map(|(claim, refusal)| (claim, Some(refusal)))?,
    };
    let answer = match claim {
        ChangeClaim::Replayed(stored) => Some(Reply::Replayed(stored)),
        ChangeClaim::New => None,
        ChangeClaim::Repeated(earlier) => repeat::removal(call, earlier).await?,
    };
    match (answer, refusal) {
        (Some(answer), _) => Ok(answer),
        (None, Some(refusal)) => Err(refusal),
        (None, None) => remove(call, &named).await,
    }
}

fn read(call: &Call, apply_at: Option<Timestamp>) -> Result<Named<'_>, Error> {
    if let Some(at) = apply_at {
        require_confirmed(call)?;
        let named = Named::of(call)?;
        require_time(named.connection.platform, &Action::Delete, at, call.request.now)?;
        return Ok(named);
    }
    Named::of(call)
}

/// What was read before. A removal depends on nothing that the service holds for the campaign.
fn known(call: &Call) -> Known {
    (CampaignRecord::default(), call.spending.clone())
}

async fn remove(call: &Call, named: &Named<'_>) -> Result<Reply, Error> {
    let seen = |campaign: &Campaign| require_seen(call, &Action::Delete, campaign);
    let request = named.request(call, Action::Delete, EDIT, Some(&seen))?;
    let made = make(call.platform_context(), &request, known(call), &call.recorded).await;
    made.map(|_| Reply::Done).map_err(|not_made| not_made.error)
}
