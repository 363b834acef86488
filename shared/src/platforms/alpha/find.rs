//! Finding what came of a create: by the name, of which there is one among the campaigns that are not removed.

use super::client::Client;
use super::fault::unreadable;
use super::query;
use super::translate::{campaign, hides_budget};
use crate::domain::{Campaign, CampaignDraft, CampaignStatus, Marker};
use crate::error::Error;
use crate::platforms::Session;

/// The campaigns that may have come of a create: one at most, because the platform refuses a second one of the name.
///
/// How old it is the platform does not say, so one that runs or has spent money is taken for one that was there before.
/// Should it be the one that came of the create after all, the platform's own rule keeps a second one from being made.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let query = query::named(&draft.name).ok_or_else(|| Error::internal("a name that no campaign can have"))?;
    let account = &session.account;
    let rows = Client::of(session).search_all(&account.id, &query).await?;
    if rows.iter().any(|row| hides_budget(row.get())) {
        return Err(unreadable("a campaign of the name whose budget cannot be read"));
    }
    let found = rows.iter().map(|row| campaign(account, row.get())).collect::<Result<Vec<_>, Error>>()?;
    // The query asked for the name, so that a row without one may be the campaign.
    if found.iter().any(|campaign| campaign.name.trim().is_empty()) {
        return Err(unreadable("a campaign whose name cannot be read"));
    }
    let is_new = |campaign: &Campaign| {
        campaign.status == CampaignStatus::Paused && campaign.total_spend_amount.is_none_or(|spent| spent.is_zero())
    };
    Ok(found.into_iter().filter(|campaign| is_new(campaign) && marker.fits(campaign, draft)).collect())
}

#[cfg(test)]
mod tests;
