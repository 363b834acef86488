//! The texts of reviews that rejected an ad, in one call.

use super::BATCH_SIZE;
use crate::domain::{DeliveryReason, PlatformAd, Rejection};
use crate::platforms::gamma::api::{self, API};
use crate::platforms::gamma::error::lacks_permission;
use crate::platforms::gamma::family::ApiFamily;
use crate::platforms::gamma::wire::{self, RejectInfo};
use crate::platforms::prelude::*;
use std::collections::HashMap;

/// Most texts of one ad. A Smart+ ad has many creatives, each with a review of its own.
const MAX_TEXTS: usize = 5;

/// What reviews said, by ad.
type Texts = HashMap<String, Vec<RejectInfo>>;

/// Reads why ads were rejected, of as many as a call names: the first by id, as they are shown. Without the permission
/// they have no texts.
pub(super) async fn fill(session: &AccountSession, family: ApiFamily, ads: &mut [PlatformAd]) -> Result<(), Error> {
    let mut ids: Vec<&str> = ads.iter().filter(|ad| ad.is_rejected()).map(|ad| ad.id.as_str()).collect();
    ids.sort_unstable();
    ids.truncate(BATCH_SIZE);
    if ids.is_empty() {
        return Ok(());
    }
    let response = match Client::of(&API, session).read(request(&session.account, family, &ids)?).await {
        Err(error) if lacks_permission(&error) => return Ok(()),
        response => response?,
    };
    let mut texts = match family {
        ApiFamily::Manual => of_manual(&response)?,
        ApiFamily::SmartPlus => of_smart_plus(&response)?,
    };
    for ad in ads.iter_mut().filter(|ad| ad.is_rejected()) {
        explain(ad, texts.remove(&ad.id).unwrap_or_default());
    }
    Ok(())
}

fn request(account: &AdAccount, family: ApiFamily, ids: &[&str]) -> Result<OutboundRequest, Error> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    let path = family.ads_path("review_info");
    let advertiser = ("advertiser_id", account.id.as_str());
    Ok(match family {
        ApiFamily::Manual => api::query(&path, &[advertiser, ("ad_ids", &ids)]),
        // Without the setting a rejection has no reasons.
        ApiFamily::SmartPlus => {
            let setting = ("extra_info_setting", r#"{"include_reject_info":true}"#);
            api::query(&path, &[advertiser, ("smart_plus_ad_ids", &ids), setting])
        }
    })
}

/// Reviews by ad. The page of this call was not read; that of the reviews of ad groups, whose list has the same name, has
/// them by ad group and then by ad. Both forms are read.
fn of_manual(response: &OutboundResponse) -> Result<Texts, Error> {
    let reviews: wire::ManualReviews = api::read_data(response)?;
    let mut texts = Texts::new();
    for (id, review) in reviews.ad_review_map.unwrap_or_default() {
        let by_ad = serde_json::from_str::<HashMap<String, wire::Review>>(review.get());
        let reviews = match by_ad {
            Ok(reviews) => reviews,
            Err(_) => HashMap::from([(id, api::parse(review.get())?)]),
        };
        texts.extend(reviews.into_iter().map(|(id, review)| (id, review.reject_info.unwrap_or_default())));
    }
    Ok(texts)
}

fn of_smart_plus(response: &OutboundResponse) -> Result<Texts, Error> {
    let reviews: wire::SmartPlusReviews = api::read_data(response)?;
    let mut texts = Texts::new();
    let lists = [reviews.smart_plus_ad_review_infos, reviews.material_review_infos];
    for review in lists.into_iter().flatten().flatten() {
        texts.entry(review.smart_plus_ad_id.to_string()).or_default().extend(review.reject_info.unwrap_or_default());
    }
    Ok(texts)
}

/// Adds the texts to an ad, and the first of them to what is held against it.
fn explain(ad: &mut PlatformAd, texts: Vec<RejectInfo>) {
    for text in texts.into_iter().map(text) {
        let rejection = Rejection::new(None, Some(&text));
        if rejection.text.is_some() && ad.rejections.len() < MAX_TEXTS && !ad.rejections.contains(&rejection) {
            ad.rejections.push(rejection);
        }
    }
    let first = ad.rejections.first().and_then(|rejection| rejection.text.as_deref());
    for hold in ad.holds.iter_mut().filter(|hold| hold.reason == DeliveryReason::AdsRejected) {
        *hold = hold.clone().saying(first);
    }
}

/// The reasons, then what the advertiser may do.
fn text(info: RejectInfo) -> String {
    let parts: Vec<String> = info.reasons.into_iter().flatten().chain(info.suggestion).collect();
    parts.join(" ")
}
