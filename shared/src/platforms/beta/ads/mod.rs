//! The ads of campaigns, and what the platform holds against them, against campaigns and against the ad account. Codes
//! are never matched, because they are not published, and texts neither, because they are in the language of the user.

pub(super) mod wire;
mod words;

use super::api;
use super::translate::run_time;
use super::wire::is_id;
use crate::domain::{AdReview, DeliveryReason, Effect, Hold, Level, PlatformAd, Rejection};
use crate::platforms::engine::ads::all_rows;
use crate::platforms::engine::words::meaning;
use crate::platforms::prelude::*;
use crate::platforms::rows::text_of;
use std::collections::BTreeMap;
use wire::{AccountState, Ad, Feedback, Issue, ReviewFeedback};

/// Reads the ads of campaigns, and concurrently the state of their ad account.
pub(super) async fn read(session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    let client = Client::of(&api::API, session);
    let (ids, account) = (request.ids(), &session.account.id);
    let pages = api::ads(account, &ids);
    let (rows, account) = tokio::join!(all_rows(&client, &pages), account_state(&client, account));
    let (rows, account) = (rows?, account?);
    let Some(rows) = rows else { return Ok(AdsReport::unread(request, account, AdsUnread::TooMany)) };
    let ads: Result<Vec<Option<PlatformAd>>, Error> = rows.into_iter().map(|row| ad(row, session.call.now)).collect();
    Ok(AdsReport::whole(request, account, ads?.into_iter().flatten().collect()))
}

async fn account_state(client: &Client<'_>, account: &str) -> Result<Vec<Hold>, Error> {
    let response = client.read(api::account_state(account)?).await?;
    let state: AccountState = read_object(Platform::Beta, &response.body)?;
    Ok(account_hold(&state).into_iter().collect())
}

/// What an account's state holds against all of its campaigns.
fn account_hold(state: &AccountState) -> Option<Hold> {
    let word = state.account_status.as_deref()?;
    let Some((name, held)) = meaning(words::ACCOUNTS, word) else { return Some(Hold::unknown(Level::Account, word)) };
    let (effect, reason) = held?;
    let why = state.disable_reason.as_deref().filter(|why| *why != "0");
    let text = match why.map(|why| meaning(words::DISABLE_REASONS, why).ok_or(why)) {
        Some(Ok(why)) => format!("{name}, {why}"),
        Some(Err(why)) => format!("{name}, disable_reason {why}"),
        None => name.to_owned(),
    };
    Some(Hold::new(effect, reason, Level::Account, word).saying(Some(&text)))
}

/// The signals of a campaign. Meta gives issues with one status only (Marketing API: Troubleshoot Ad Delivery with
/// `WITH_ISSUES` Status).
pub(super) fn signals(status: Option<&str>, issues: &[Issue]) -> Signals {
    let Some(word) = status else { return Signals::default() };
    let Some(held) = meaning(words::CAMPAIGNS, word) else {
        return Signals::of(vec![Hold::unknown(Level::Campaign, word)]);
    };
    let of_status = held.map(|(effect, reason)| Hold::new(effect, reason, Level::Campaign, word));
    Signals::of(explained(of_status, issues, Level::Campaign))
}

/// The issues, where the status is about them; or else what the status says.
fn explained(of_status: Option<Hold>, issues: &[Issue], of: Level) -> Vec<Hold> {
    let is_about_issues = of_status.as_ref().is_some_and(|hold| hold.word.as_deref() == Some(words::WITH_ISSUES));
    if is_about_issues && !issues.is_empty() {
        return issues.iter().map(|issue| issue_hold(issue, of)).collect();
    }
    of_status.into_iter().collect()
}

/// An issue of a campaign or an ad. One of a single ad does not keep its campaign from being shown.
fn issue_hold(issue: &Issue, of: Level) -> Hold {
    let level = issue.level.as_deref().and_then(|level| meaning(words::ISSUE_LEVELS, level)).unwrap_or(of);
    let is_below = of == Level::Campaign && level == Level::Ad;
    let effect = match issue.error_type.as_deref() {
        Some(words::HARD_ERROR) if !is_below => Effect::Blocks,
        _ => Effect::Limits,
    };
    let word = issue.error_code.as_deref().unwrap_or(words::WITH_ISSUES);
    // A summary may only count: "This Ad Set Has 1 Error".
    let text = issue.error_message.as_deref().or(issue.error_summary.as_deref());
    Hold::new(effect, DeliveryReason::Other, level, word).saying(text)
}

/// An ad from a row; `None` if it is removed. A row that does not say which ad it is of makes the list incomplete.
fn ad(row: Ad, now: Timestamp) -> Result<Option<PlatformAd>, Error> {
    let id =
        |id: Option<String>| id.filter(|id| is_id(id)).ok_or_else(|| unreadable(Platform::Beta, "an ad without ids"));
    let (campaign, id) = (id(row.campaign_id)?, id(row.id)?);
    let group = row.adset.unwrap_or_default();
    let rejections = row.ad_review_feedback.as_ref().map(rejections).unwrap_or_default();
    let word = row.effective_status.as_deref().unwrap_or_default();
    let (review, holds) = match meaning(words::ADS, word) {
        Some(None) => return Ok(None),
        None => (AdReview::Unknown, vec![Hold::unknown(Level::Ad, word)]),
        Some(Some((review, None))) => {
            (review, date_hold(run_time(group.start_time), run_time(group.end_time), now).into_iter().collect())
        }
        Some(Some((review, Some((effect, reason))))) => {
            let text = rejections.iter().find_map(|rejection| rejection.text.as_deref());
            let text = text.filter(|_| review == AdReview::Rejected);
            let hold = Hold::new(effect, reason, Level::Ad, word).saying(text);
            (review, explained(Some(hold), row.issues_info.as_deref().unwrap_or_default(), Level::Ad))
        }
    };
    Ok(Some(PlatformAd {
        campaign,
        id,
        name: row.name,
        group_id: group.id,
        group_name: group.name,
        verdict: None,
        review,
        holds,
        rejections,
    }))
}

/// What the dates of its group hold against an ad that is on. The platform has no word for them.
fn date_hold(start: Option<Timestamp>, end: Option<Timestamp>, now: Timestamp) -> Option<Hold> {
    let hold = |effect, reason| Hold { effect, reason, level: Level::Ad, word: None, message: None };
    if end.is_some_and(|end| end <= now) {
        return Some(hold(Effect::Blocks, DeliveryReason::Ended));
    }
    start.filter(|start| *start > now).map(|_| hold(Effect::Waits, DeliveryReason::NotStarted))
}

/// Why a review rejected an ad, everywhere or in some placements, which usually repeat each other.
fn rejections(feedback: &ReviewFeedback) -> Vec<Rejection> {
    let placements = feedback.placement_specific.iter().flat_map(BTreeMap::values);
    let placements = placements.filter_map(|texts| serde_json::from_str::<Feedback>(texts.get()).ok());
    let mut found = Vec::new();
    for texts in feedback.global.iter().cloned().chain(placements) {
        for (code, text) in texts {
            let rejection = Rejection::new(Some(&code), text_of(&text).as_deref());
            if !found.contains(&rejection) {
                found.push(rejection);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
