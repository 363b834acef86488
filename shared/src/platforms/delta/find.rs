//! The campaigns that may have come of a create. The platform has no place for a marker, so that a campaign is known by
//! its exact name, its budget and its age.

use super::client::Client;
use super::fault::{ADVICE, unreadable};
use super::query;
use super::translate::campaign;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::error::{Error, Kind};
use crate::platforms::Session;
use crate::platforms::answers::{may_fit, unspent};
use serde_json::value::RawValue;

/// The campaigns in any state that may have come of a create of the draft, the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let search = query::campaigns_named(&session.account.id, &draft.name)?;
    let rows: Vec<Box<RawValue>> = Client::of(session).all(&search).await.map_err(out_of_reach)?;
    let mut found = Vec::new();
    for row in &rows {
        let Some(campaign) = campaign(&session.account, row.get())? else { continue };
        if may_fit(&campaign, draft, marker, is_unclear(&campaign, draft, marker)) {
            return Err(unreadable("a campaign whose name, budget or time cannot be read"));
        }
        found.extend(marker.fits(&campaign, draft).then_some(campaign));
    }
    found.sort_by_key(|campaign| (campaign.created_at, query::number(&campaign.remote_id)));
    found.dedup_by(|later, earlier| later.remote_id == earlier.remote_id);
    Ok(found.into_iter().map(unspent).collect())
}

/// Whether a campaign of the name cannot be told from an older one or from one with another budget: each campaign has a
/// budget, whether it can be read or not. To find it proves as little as not to find it.
fn is_unclear(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> bool {
    campaign.budget_amount.is_none() || (campaign.created_at.is_none() && marker.fits(campaign, draft))
}

/// A search that is not found has found nothing out: the ad account is what is missing.
fn out_of_reach(error: Error) -> Error {
    match error.kind {
        Kind::NotFound => Error { kind: Kind::Forbidden, message: ADVICE.to_owned(), ..error },
        _ => error,
    }
}

#[cfg(test)]
mod tests;
