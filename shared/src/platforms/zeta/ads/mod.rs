//! The ads of campaigns, and what Reddit holds against them and their ad account (Reddit Ads API: List Ads, Get Ad
//! Account).
//!
//! After a write `effective_status` lags by minutes (notes of callers, 2026-07).

pub(super) mod words;

use super::{api, wire};
use crate::domain::{AdReview, DeliveryReason, Effect, Hold, Level, PlatformAd, Rejection};
use crate::platforms::engine::ads::all_rows;
use crate::platforms::prelude::*;

/// Reads the ads of campaigns, and at the same time the ad account.
pub(super) async fn read(session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    let client = Client::of(&api::API, session);
    let (account, ads) = tokio::join!(account(&client, session), ads(&client, session, request));
    let (account, ads) = (account.map_err(of_account)?, ads.map_err(of_account)?);
    Ok(match ads {
        Some(ads) => AdsReport::whole(request, account, ads),
        None => AdsReport::unread(request, account, AdsUnread::TooMany),
    })
}

fn of_account(error: Error) -> Error {
    errors::account_error(Platform::Zeta, error)
}

/// The ads of all campaigns; `None` if they are more than a request reads.
async fn ads(
    client: &Client<'_>,
    session: &AccountSession,
    request: AdsRequest<'_>,
) -> Result<Option<Vec<PlatformAd>>, Error> {
    let mut found = Vec::new();
    for campaigns in request.ids().chunks(api::MOST_CAMPAIGNS) {
        let Some(rows) = all_rows(client, &api::ads(&session.account.id, campaigns)?).await? else { return Ok(None) };
        // Without one of its rows the list would not be whole.
        let rows = rows.iter().map(|row| read_object(Platform::Zeta, row.get().as_bytes()));
        found.extend(rows.collect::<Result<Vec<wire::Ad>, Error>>()?.into_iter().filter_map(ad));
    }
    Ok(Some(found))
}

/// What Reddit holds against the ad account, with the reason of a suspension.
async fn account(client: &Client<'_>, session: &AccountSession) -> Result<Vec<Hold>, Error> {
    let response = client.read(get(api::ad_account(&session.account.id)?)).await?;
    let found: wire::Approval = read_object(Platform::Zeta, api::read_data(&response)?.get().as_bytes())?;
    let mut holds = found.admin_approval.as_deref().map(words::of_account).unwrap_or_default();
    let is_blocked = holds.iter().any(|hold| hold.effect == Effect::Blocks);
    let reason = found.suspension_reason.filter(|_| is_blocked);
    holds.extend(reason.map(|word| Hold::new(Effect::Blocks, DeliveryReason::Account, Level::Account, &word)));
    Ok(holds)
}

/// An ad with what is held against it; `None` for a removed one.
fn ad(row: wire::Ad) -> Option<PlatformAd> {
    let mut holds = words::of_ad(row.effective_status.as_deref())?;
    for hold in row.delivery_status.iter().flatten().flat_map(|word| words::of_remark(word)) {
        if !holds.contains(&hold) {
            holds.push(hold);
        }
    }
    let has = |reason| holds.iter().any(|hold| hold.reason == reason);
    let review = match row.effective_status.as_deref() {
        _ if has(DeliveryReason::AdsRejected) => AdReview::Rejected,
        _ if has(DeliveryReason::AdsInReview) => AdReview::InReview,
        Some("ACTIVE") => AdReview::Approved,
        _ => AdReview::Unknown,
    };
    // The reason of an earlier rejection may outlast it.
    let reason = row.rejection_reason.filter(|_| review == AdReview::Rejected);
    let word = reason.as_deref();
    holds.extend(word.map(|word| Hold::new(Effect::Blocks, DeliveryReason::AdsRejected, Level::Ad, word)));
    Some(PlatformAd {
        campaign: row.campaign_id,
        id: row.id,
        name: row.name,
        group_id: row.ad_group_id,
        group_name: None,
        verdict: None,
        review,
        holds,
        rejections: word.map(|code| Rejection::new(Some(code), None)).into_iter().collect(),
    })
}

#[cfg(test)]
mod tests;
