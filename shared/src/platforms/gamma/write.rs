//! Changes of a campaign: the requests, their order, and the outcome when only some of them succeed.

use super::api::{self, API};
use super::family::ApiFamily;
use super::fault::{self, is_no_update, unreadable};
use super::translate::edit::{Step, applied, steps, with_status};
use super::wire::{self, Id, Operation};
use crate::domain::{Campaign, CampaignChanges, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::answers;
use crate::platforms::engine::call::{Client, Session};
use serde::Serialize;
use serde_json::value::RawValue;

/// Attempts to switch off a campaign that was created active.
const MAX_ATTEMPTS: usize = 2;

/// Switches off a campaign that was just created. The platform may ignore `operation_status` on a create, and the
/// default is on. A campaign that cannot be switched off, for example because the token just expired, is returned as it
/// is: created, and active.
pub(super) async fn switch_off(session: &Session, created: Campaign) -> Campaign {
    let family = created.goal.map_or(ApiFamily::Manual, ApiFamily::for_goal);
    let (client, account, id) = (Client::of(&API, session), &session.account.id, created.remote_id.as_str());
    for _ in 0..MAX_ATTEMPTS {
        match set_status(&client, family, account, id, Operation::Disable).await {
            Ok(()) => {
                // The object is only shown: where it cannot be corrected it stays as it was received.
                let raw = with_status(&created.raw, Operation::Disable).unwrap_or_else(|_| created.raw.clone());
                return Campaign { raw, status: CampaignStatus::Paused, ..created };
            }
            Err(error) => {
                tracing::warn!(campaign = id, %error, source = error.source, "a new campaign is still active")
            }
        }
    }
    created
}

/// Applies changes that differ from `current`. Every step may be sent again.
pub(super) async fn update(
    session: &Session,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<Campaign, Error> {
    let (client, account, family) = (Client::of(&API, session), &session.account, ApiFamily::of(&current.raw));
    let mut campaign = current.clone();
    let mut is_begun = false;
    for step in steps(account, current, changes)? {
        let outcome = match &step {
            Step::Update(update) => change(&client, family.update(), update).await,
            Step::SetStatus(operation) => {
                set_status(&client, family, &account.id, &current.remote_id, *operation).await.map(|()| None)
            }
        };
        // After a failed step, the steps before it remain applied.
        let returned = outcome.map_err(|error| Error { unknown_outcome: is_begun, ..error })?;
        campaign = applied(campaign, &step, returned.as_deref())?;
        is_begun = true;
    }
    Ok(campaign)
}

/// Deletes a campaign permanently.
pub(super) async fn delete(session: &Session, current: &Campaign) -> Result<(), Error> {
    let id = Id::parse(&current.remote_id).ok_or_else(|| Error::not_found("campaign"))?.to_string();
    let (client, family) = (Client::of(&API, session), ApiFamily::of(&current.raw));
    set_status(&client, family, &session.account.id, &id, Operation::Delete).await
}

/// Enables, disables or deletes a campaign.
async fn set_status(
    client: &Client<'_>,
    family: ApiFamily,
    account: &str,
    id: &str,
    operation: Operation,
) -> Result<(), Error> {
    let update = wire::StatusUpdate { advertiser_id: account, campaign_ids: [id], operation_status: operation };
    let Some(data) = change(client, family.status_update(), &update).await? else { return Ok(()) };
    let answer: Option<wire::StatusUpdated> = serde_json::from_str(data.get()).map_err(unreadable)?;
    check_status(answer.unwrap_or_default(), id, operation).map_err(|error| client.without_secrets(error))
}

/// Sends a change, and returns the data of the answer. An answer that nothing had to be changed is a success without
/// data.
async fn change(client: &Client<'_>, path: &str, content: &impl Serialize) -> Result<Option<Box<RawValue>>, Error> {
    match client.change(api::post(path, content)?).await {
        Ok(answer) => Ok(fault::envelope(&answer)?.data),
        Err(error) if is_no_update(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks that an answer reports the operation on this campaign.
fn check_status(answer: wire::StatusUpdated, id: &str, operation: Operation) -> Result<(), Error> {
    let this = Id::parse(id);
    let is_this = |result: &wire::StatusResult| Some(result.campaign_id) == this;
    if let Some(refusal) = answer.error_list.into_iter().flatten().find(is_this) {
        return Err(answers::refused(Platform::Gamma, &refusal.error_message.unwrap_or_default()));
    }
    let ids = answer.campaign_ids.unwrap_or_default();
    if !ids.is_empty() && !ids.iter().any(|id| Some(*id) == this) {
        return Err(unreadable("the status of another campaign"));
    }
    // The lists are not always present. A status, of this campaign or else of all, must be the one that was sent.
    let own = answer.campaign_list.into_iter().flatten().find(is_this).and_then(|result| result.status);
    match own.or(answer.status) {
        Some(status) if status != operation.as_str() => Err(unreadable("a status that was not set")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
