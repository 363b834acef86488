//! Creating, changing and deleting: which calls in which order, and what it means when only some of them succeed.

use super::client::{Client, Way};
use super::fault::unknown_outcome;
use super::translate::draft::Order;
use super::translate::edit::{Step, applied, steps, with_switch};
use super::wire;
use super::wire::{Id, Operation};
use crate::domain::{Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Marker};
use crate::error::Error;
use crate::platforms::Session;

/// How often it is tried to switch off a campaign that was made switched on.
const ATTEMPTS: usize = 2;

/// Creates a campaign, once, and sees to it that it is switched off. The platform keeps the marker: of all creates
/// that carry it one succeeds.
pub(super) async fn create(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Campaign, Error> {
    let order = Order::new(&session.account, draft)?;
    let way = Way::for_goal(draft.goal);
    let request: wire::CampaignCreate<'_> = order.request(marker.number());
    let data = Client::of(session).create(way.create(), &draft.name, &request).await?;
    let made = order.created(&data).map_err(|error| unknown_outcome(&draft.name, error))?;
    if made.is_off {
        return Ok(made.campaign);
    }
    Ok(switch_off(session, way, made.campaign).await)
}

/// The platform may pass over `operation_status` on a create, and the default is on. What cannot be switched off, be it
/// because a token just ended, is answered as what it is: created, and on.
async fn switch_off(session: &Session, way: Way, campaign: Campaign) -> Campaign {
    let (client, account, id) = (Client::of(session), &session.account.id, campaign.remote_id.as_str());
    for _ in 0..ATTEMPTS {
        match client.switch(way, account, id, Operation::Disable).await {
            Ok(()) => {
                // The object is only shown: where it cannot be put right it stays as it was received.
                let raw = with_switch(&campaign.raw, Operation::Disable).unwrap_or_else(|_| campaign.raw.clone());
                return Campaign { raw, status: CampaignStatus::Paused, ..campaign };
            }
            Err(error) => tracing::warn!(campaign = id, %error, source = error.source, "a new campaign is still on"),
        }
    }
    Campaign { status: CampaignStatus::Active, ..campaign }
}

/// Carries out changes that differ from `current`. Every step may be sent again.
pub(super) async fn update(
    session: &Session,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Result<Campaign, Error> {
    let (client, account, way) = (Client::of(session), &session.account, Way::of(&current.raw));
    let mut campaign = current.clone();
    let mut is_begun = false;
    for step in steps(account, current, changes)? {
        let outcome = match &step {
            Step::Update(update) => client.edit(way.update(), update).await,
            Step::Switch(operation) => {
                client.switch(way, &account.id, &current.remote_id, *operation).await.map(|()| None)
            }
        };
        // Whatever is wrong with a later step, an earlier one was carried out.
        let returned = outcome.map_err(|error| Error { unknown_outcome: is_begun, ..error })?;
        campaign = applied(campaign, &step, returned.as_deref())?;
        is_begun = true;
    }
    Ok(campaign)
}

/// Deletes a campaign, for good.
pub(super) async fn delete(session: &Session, current: &Campaign) -> Result<(), Error> {
    let id = Id::parse(&current.remote_id).ok_or_else(|| Error::not_found("campaign"))?.to_string();
    let way = Way::of(&current.raw);
    Client::of(session).switch(way, &session.account.id, &id, Operation::Delete).await
}

#[cfg(test)]
mod tests;
