//! What came of a create. The platform has no place for a marker, so that a campaign is known by its exact name, its
//! budget and its age.

use super::client::Client;
use super::fault::ADVICE;
use super::query;
use super::translate::campaign;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::error::{Error, Kind};
use crate::platforms::Session;
use crate::platforms::answers::unspent;
use serde_json::value::RawValue;

/// The campaigns in any state that may have come of a create of the draft, the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let search = query::campaigns_named(&session.account.id, &draft.name)?;
    let rows: Vec<Box<RawValue>> = Client::of(session).all(&search).await.map_err(out_of_reach)?;
    let mut found = Vec::new();
    for row in &rows {
        found.extend(campaign(&session.account, row.get())?.filter(|campaign| marker.fits(campaign, draft)));
    }
    found.sort_by_key(|campaign| (campaign.created_at, query::number(&campaign.remote_id)));
    found.dedup_by(|later, earlier| later.remote_id == earlier.remote_id);
    Ok(found.into_iter().map(unspent).collect())
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
