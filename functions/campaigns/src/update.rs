//! `PATCH /v1/campaigns/{id}` (spec 4.1).

use crate::{complete, named_campaign};
use shared::domain::{Campaign, CampaignChanges, CampaignStatus};
use shared::envelope::query::refuse_strangers;
use shared::envelope::{Reply, UpdateRequest, read_update};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Changes name, state or budget. What the campaign already has is not written again.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    let UpdateRequest { changes, organization_id } = read_update(call.public.shape, call.public.json_body()?)?;
    check_target_status(&changes)?;
    let (id, connection, remote_id) = named_campaign(call)?;
    if organization_id.is_some_and(|account| account != connection.account_id()) {
        return Err(Error::not_found("campaign"));
    }

    let (remote_id, changes) = (remote_id.as_str(), &changes);
    let caller = call.caller();
    let changed = caller.in_account(connection, |adapter, session| async move {
        let current = adapter.get_campaign(&session, remote_id).await?;
        let changes = changes_for(changes, &current)?;
        if changes.is_empty() {
            return Ok((current, false));
        }
        adapter.update_campaign(&session, &current, &changes).await.map(|campaign| (campaign, true))
    });
    // Joined, not tried: a record that cannot be read must not cut off a change that is on its way.
    let (changed, record) = tokio::join!(changed, call.store().record(call.customer.id, &id));
    let (mut campaign, written) = changed?;
    complete(&mut campaign, record);
    if written {
        let now = call.public.app.clock.now();
        campaign.updated_at = Some(now);
        // The change is made and spends money: a note that cannot be kept must not turn into a failed request.
        if let Err(error) = call.store().touch_record(call.customer.id, &id, now).await {
            tracing::error!(campaign = %id, %error, "a changed campaign's record was not kept");
        }
    }
    Ok(Reply::Campaign(Box::new(campaign)))
}

/// States that no platform lets anybody write.
fn check_target_status(changes: &CampaignChanges) -> Result<(), Error> {
    match changes.status {
        Some(CampaignStatus::Ended | CampaignStatus::Draft | CampaignStatus::Unspecified) => {
            Err(Error::field("status", "is read and never written; ACTIVE and PAUSED can be set"))
        }
        _ => Ok(()),
    }
}

/// What is left to change; a campaign in a final state takes nothing more.
fn changes_for(changes: &CampaignChanges, current: &Campaign) -> Result<CampaignChanges, Error> {
    if current.status.is_final() {
        let message = "The campaign has been removed; nothing about it can be changed any more.";
        return Err(Error::new(Kind::Conflict, message).on(current.platform()));
    }
    Ok(changes.clone().against(current))
}
