//! Finding what came of a create. The platform has no place for a marker, and names may repeat, so every campaign that
//! can be listed is looked at, in whatever order they come.

use super::client::{Client, of_account, out_of_reach};
use super::fault::unreadable;
use super::list::effective_statuses;
use super::translate::{is_telling, listed};
use super::wire;
use crate::domain::{Campaign, CampaignDraft, CampaignStatus, Marker, StatusSet};
use crate::error::Error;
use crate::platforms::Session;
use crate::platforms::answers::{may_fit, unspent};
use serde_json::value::RawValue;

/// Most pages that are read: more than there is time for.
const MAX_CALLS: usize = 1_000;
/// How many campaigns one call asks for.
const PAGE: &str = "200";

/// The campaigns that may have come of a create and were not deleted since, the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let (client, account) = (Client::of(session), &session.account);
    let path = of_account(&account.id, "campaigns")?;
    let every = effective_statuses(StatusSet::of(&CampaignStatus::ALL)).unwrap_or_default();
    let parameters = [("fields", wire::CAMPAIGN_FIELDS), ("effective_status", every.as_str()), ("limit", PAGE)];
    let (mut found, mut after) = (Vec::new(), None::<String>);
    for _ in 0..MAX_CALLS {
        let page = client.page::<Box<RawValue>>(&path, &parameters, after.as_deref());
        let (rows, next) = page.await.map_err(out_of_reach)?;
        for row in &rows {
            let campaign = listed(account, row.get(), session.call.now).map_err(out_of_reach)?;
            if marker.fits(&campaign, draft) {
                found.push(campaign);
            } else if may_fit(&campaign, draft, marker, !is_telling(row.get())) {
                return Err(unreadable("a campaign that may have come of the create and cannot be told apart"));
            }
        }
        after = next;
        if after.is_none() {
            return oldest_first(found);
        }
    }
    Err(unreadable("a list without an end"))
}

fn oldest_first(mut found: Vec<Campaign>) -> Result<Vec<Campaign>, Error> {
    // Without its time it may be an old one.
    if found.iter().any(|campaign| campaign.created_at.is_none()) {
        return Err(unreadable("a campaign without the time at which it was made"));
    }
    let age = |campaign: &Campaign| (campaign.created_at, campaign.remote_id.len(), campaign.remote_id.clone());
    found.sort_by_cached_key(age);
    // What moves while the pages are read may be on two of them.
    found.dedup_by(|next, one| next.remote_id == one.remote_id);
    Ok(found.into_iter().map(unspent).collect())
}

#[cfg(test)]
mod tests;
