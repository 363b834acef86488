//! The campaigns that may have come of a create. The marker is the campaign's invoice label, and the platform filters
//! by nothing, so that all campaigns of the ad account are read.
//!
//! Accounts that pay by credit card ignore the label (Reddit Ads API, OpenAPI description of 2026-08-06). There a
//! campaign is known by its name, budget and age, among those that carry no label of ours. One of these whose name or
//! budget cannot be read may be the one: to pass over it would allow a second create.

use super::client::Client;
use super::fault::out_of_reach;
use super::translate::{budget, campaign, has_unknown_budget};
use super::wire::{self, id};
use crate::domain::{Campaign, CampaignDraft, Marker, Platform};
use crate::error::Error;
use crate::platforms::Session;
use crate::platforms::answers::{may_fit, unreadable, unspent};
use serde_json::value::RawValue;

/// The campaigns with the marker's label, or, where none has it, those that may have come of a create of the draft;
/// the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let path = format!("/ad_accounts/{}/campaigns", id(&session.account.id).map_err(out_of_reach)?);
    let rows: Vec<Box<RawValue>> = Client::of(session).all(&path).await.map_err(out_of_reach)?;
    let (mut labelled, mut fitting, mut is_uncertain) = (Vec::new(), Vec::new(), false);
    for row in &rows {
        let (campaign, label) = read(session, row)?;
        match label {
            Some(label) if label == marker.label() => labelled.push(campaign),
            Some(label) if is_of_another(&label) => {}
            // Without a label, or with one that the advertiser put in its place.
            _ if marker.fits(&campaign, draft) => fitting.push(campaign),
            _ => is_uncertain |= may_fit(&campaign, draft, marker, has_unknown_budget(&campaign)),
        }
    }
    if labelled.is_empty() && is_uncertain {
        return Err(unreadable(Platform::Zeta, "a campaign whose name or budget cannot be read"));
    }
    Ok(oldest_first(if labelled.is_empty() { fitting } else { labelled }))
}

/// A campaign, and its label. One of another ad account is an answer to another question.
fn read(session: &Session, row: &RawValue) -> Result<(Campaign, Option<String>), Error> {
    // A campaign whose budget or age cannot be read may be the one: to pass over it would allow a second create.
    budget(row)?;
    let campaign = campaign(&session.account, row).map_err(|error| unreadable(Platform::Zeta, error))?;
    let read: wire::Labelled = serde_json::from_str(row.get()).map_err(|error| unreadable(Platform::Zeta, error))?;
    Ok((Campaign { created_at: read.created_at, ..campaign }, read.invoice_label))
}

/// Whether a label that is not the one we look for is of another create of ours.
fn is_of_another(label: &str) -> bool {
    let number = label.strip_prefix("ua-");
    number.is_some_and(|number| number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

fn oldest_first(mut found: Vec<Campaign>) -> Vec<Campaign> {
    // Ids are mostly numbers, the longer of which are the later.
    found.sort_by_key(|campaign| (campaign.created_at, campaign.remote_id.len(), campaign.remote_id.clone()));
    found.dedup_by(|later, earlier| later.remote_id == earlier.remote_id);
    found.into_iter().map(unspent).collect()
}

#[cfg(test)]
mod tests;
