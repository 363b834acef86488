//! `deleteCampaign`.

use crate::confirmation::{require_confirmed, require_seen_for_removal};
use crate::edit::edit_of;
use crate::edit::number::EDIT;
use crate::schedule::{Named, check_time, schedule};
use crate::{named_campaign, repeat};
use jiff::Timestamp;
use shared::changes::Edit;
use shared::domain::{Action, PlatformCampaign};
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
    if let Some(apply_at) = apply_at {
        return schedule(call, &named, Action::Delete, apply_at).await;
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
        (None, None) => remove(call, named).await,
    }
}

fn read(call: &Call, apply_at: Option<Timestamp>) -> Result<Named<'_>, Error> {
    if let Some(apply_at) = apply_at {
        check_time(call, apply_at)?;
        require_confirmed(call)?;
    }
    let (id, connection, remote_id) = named_campaign(call)?;
    Ok(Named { id, connection, remote_id })
}

async fn remove(call: &Call, named: Named<'_>) -> Result<Reply, Error> {
    let change = edit_of(call, &named, Action::Delete, EDIT)?;
    let Named { connection, remote_id, .. } = named;
    let edit =
        Edit::new(call.platform_context(), connection, &change, &remote_id, &call.recorded, call.spending.clone());
    edit.only_if(&|current: &PlatformCampaign| require_seen_for_removal(call, connection, current)).run().await?;
    Ok(Reply::Done)
}
