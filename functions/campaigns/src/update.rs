//! `updateCampaign`.

use crate::dry_run;
use crate::edit::edit_of;
use crate::schedule::{Named, check_time, schedule};
use crate::{complete, named_campaign};
use jiff::Timestamp;
use shared::changes::{Edit, Edited, changes_for};
use shared::domain::{Action, Campaign, CampaignChanges, CampaignId, CampaignStatus, Connection};
use shared::envelope::query::{EditQuery, read_edit};
use shared::envelope::{DateRequest, Reply, read_update};
use shared::error::Error;
use shared::platforms::errors::time_zone;
use shared::serve::Call;

/// An update request, and the campaign that it names.
struct Requested<'a> {
    changes: CampaignChanges,
    id: CampaignId,
    connection: &'a Connection,
    remote_id: String,
}

/// Changes name, status or budget. Fields that already have the requested value are not written.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    let EditQuery { is_dry_run, apply_at } = read_edit(&call.request.query)?;
    let requested = read(call, apply_at);
    if is_dry_run {
        return dry_run_change(call, requested?).await;
    }
    let requested = match requested {
        Ok(requested) => requested,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    if let Some(apply_at) = apply_at {
        let Requested { changes, id, connection, remote_id } = requested;
        let named = Named { id, connection, remote_id };
        return schedule(call, &named, Action::Update(changes), apply_at).await;
    }
    match call.claim_change().await? {
        Some(replay) => Ok(replay),
        None => apply(call, requested).await,
    }
}

fn read(call: &Call, apply_at: Option<Timestamp>) -> Result<Requested<'_>, Error> {
    apply_at.map_or(Ok(()), |apply_at| check_time(call, apply_at))?;
    let request = read_update(call.request.shape, call.request.json_body()?)?;
    check_target_status(&request.changes)?;
    let (id, connection, remote_id) = named_campaign(call)?;
    if request.organization_id.as_ref().is_some_and(|account| account != connection.account_id()) {
        return Err(Error::not_found("campaign"));
    }
    let changes = match &connection.account {
        Some(account) if request.dates != DateRequest::default() => {
            request.changes_in(&time_zone(connection.platform, account)?)?
        }
        _ => request.changes,
    };
    Ok(Requested { changes, id, connection, remote_id })
}

async fn apply(call: &Call, requested: Requested<'_>) -> Result<Reply, Error> {
    let Requested { changes, id, connection, remote_id } = requested;
    let change = edit_of(call, connection, &id, Action::Update(changes))?;
    let edit = Edit::new(call.platform_context(), connection, &change, &remote_id, &call.recorded);
    // join!, not try_join!: a failed record read must not cancel an update in progress.
    let (edited, record) = tokio::join!(edit.run(), call.store().record(call.customer.id, &id));
    let Edited { campaign, changed_at } = edited?;
    let campaign = complete(campaign, record);
    let updated_at = changed_at.or(campaign.updated_at);
    Ok(Reply::Campaign(Box::new(Campaign { updated_at, ..campaign })))
}

/// The dry run of an update.
async fn dry_run_change(call: &Call, requested: Requested<'_>) -> Result<Reply, Error> {
    dry_run::reject_key(call)?;
    let Requested { changes, connection, remote_id, .. } = &requested;
    let context = call.platform_context();
    let current = context.get_campaign(connection, remote_id).await?;
    let changes = changes_for(changes, &current)?;
    dry_run::update(call, connection, &current, &changes).await
}

/// Rejects statuses that no platform can set.
fn check_target_status(changes: &CampaignChanges) -> Result<(), Error> {
    match changes.status {
        Some(CampaignStatus::Ended | CampaignStatus::Draft | CampaignStatus::Unspecified) => {
            Err(Error::field("status", "cannot be set to this value; use ACTIVE or PAUSED"))
        }
        _ => Ok(()),
    }
}
