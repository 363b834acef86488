//! The ads of campaigns, which LinkedIn calls creatives, and what it holds against them.

pub(super) mod words;

use super::api::{self, API};
use super::query::{self, MAX_CAMPAIGNS};
use super::wire::{self, CAMPAIGN_URN, CREATIVE_URN};
use crate::domain::{AdState, Hold, PlatformAd, Rejection};
use crate::platforms::engine::ads::all_rows;
use crate::platforms::prelude::*;
use futures_util::future::join_all;

/// Reads the creatives of campaigns, as many campaigns at a time as a query can name.
pub(super) async fn read(session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    let ids = request.ids();
    let batches: Vec<&[&str]> = ids.chunks(MAX_CAMPAIGNS).collect();
    let reads = join_all(batches.iter().map(|batch| read_batch(session, batch))).await;
    let (mut ads, mut unread) = (Vec::new(), Vec::new());
    for (batch, outcome) in batches.into_iter().zip(reads) {
        match outcome.map_err(|error| errors::account_error(Platform::Delta, error))? {
            Some(read) => ads.extend(read),
            None => unread.extend(batch),
        }
    }
    let report = AdsReport::whole(request, Vec::new(), ads);
    Ok(unread.into_iter().fold(report, |report, id| report.without(id, AdsUnread::TooMany)))
}

/// `None` if they are more than a request reads. A row that cannot be read is an error: without it the list would not be
/// whole.
async fn read_batch(session: &AccountSession, campaigns: &[&str]) -> Result<Option<Vec<PlatformAd>>, Error> {
    let pages = api::creatives(query::creatives(&session.account.id, campaigns)?);
    let Some(rows) = all_rows(&Client::of(&API, session), &pages).await? else { return Ok(None) };
    let ads: Result<Vec<Option<PlatformAd>>, Error> = rows.iter().map(|row| ad(row)).collect();
    Ok(Some(ads?.into_iter().flatten().collect()))
}

/// An ad; `None` for a removed one.
fn ad(row: &RawValue) -> Result<Option<PlatformAd>, Error> {
    let creative: wire::Creative = read_object(Platform::Delta, row.get().as_bytes())?;
    let id = number_of(&creative.id, CREATIVE_URN)?;
    let campaign = number_of(&creative.campaign, CAMPAIGN_URN)?;
    let Some(intent) = words::of_intent(creative.intended_status.as_deref()) else { return Ok(None) };
    let review = creative.review.unwrap_or_default();
    let words = creative.serving_hold_reasons.unwrap_or_default();
    let holds = words.iter().map(|word| words::of_creative(word, creative.is_serving));
    let mut holds: Vec<Hold> = intent.into_iter().chain(holds).collect();
    let is_serving = creative.is_serving == Some(true);
    if holds.is_empty() && !is_serving {
        holds.push(words::of_silence(review.status.as_deref()));
    }
    Ok(Some(PlatformAd {
        campaign,
        id,
        name: creative.name.filter(|name| !name.is_empty()),
        group_id: None,
        group_name: None,
        verdict: is_serving.then_some(AdState::CanRun),
        review: words::of_review(review.status.as_deref()),
        holds,
        rejections: review.rejection_reasons.into_iter().flatten().map(|reason| rejection(&reason)).collect(),
    }))
}

/// The number of a URN, which is the id that people see.
fn number_of(urn: &str, prefix: &str) -> Result<String, Error> {
    let number = urn.strip_prefix(prefix).and_then(query::number);
    let number = number.ok_or_else(|| unreadable(Platform::Delta, "a creative without an id or a campaign"))?;
    Ok(number.to_string())
}

/// A reason is a code, or a sentence.
fn rejection(reason: &str) -> Rejection {
    if reason.contains(char::is_whitespace) {
        Rejection::new(None, Some(reason))
    } else {
        Rejection::new(Some(reason), None)
    }
}

#[cfg(test)]
mod tests;
