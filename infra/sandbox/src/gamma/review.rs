//! What a review said about ads.
//!
//! TikTok API for Business v1.3: "Get the review info of ads", "Get the review info of Upgraded Smart+ Ads". Not
//! verified: what an ad in review answers, and an id that is not an ad's.

use super::account::Account;
use super::ad_list::id_in_ads;
use super::campaign::Kind;
use super::envelope::Data;
use super::error::{ApiError, NO_SUCH_OBJECT};
use super::params::Query;
use crate::ads::{Ad, AdState, Ads, REJECTION};
use crate::service::RequestContext;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Most ads of one call.
const MAX_ADS: usize = 100;

/// The `extra_info_setting` parameter.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Extra {
    include_reject_info: bool,
    include_violation_frame: bool,
}

/// The parameters of a call.
pub(crate) fn parameters(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Manual => &["ad_ids", "advertiser_id", "lang"],
        Kind::SmartPlus => &["advertiser_id", "extra_info_setting", "lang", "smart_plus_ad_ids"],
    }
}

/// Returns the reviews of the requested ads.
pub(crate) fn info(
    account: &Account,
    ads: &Ads,
    query: &Query,
    kind: Kind,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    let name = if kind == Kind::Manual { "ad_ids" } else { "smart_plus_ad_ids" };
    let ids = query.strings(name, None)?.ok_or_else(|| ApiError::missing(name))?;
    if ids.is_empty() || ids.len() > MAX_ADS {
        return Err(ApiError::parameter(name, "Length must be between 1 and 100."));
    }
    let why = "Not a valid object in JSON, or one with unknown fields.";
    let extra: Extra = query.json("extra_info_setting", why)?.unwrap_or_default();
    if extra.include_violation_frame && !extra.include_reject_info {
        return Err(ApiError::parameter("extra_info_setting", "include_violation_frame needs include_reject_info."));
    }
    let mut known = known(account, ads, kind, context);
    let mut found = Vec::new();
    for id in ids {
        let missing = || ApiError::new(NO_SUCH_OBJECT, format!("Ad {id} does not exist."));
        let ad = known.remove(&id).ok_or_else(missing)?;
        found.push((id, ad));
    }
    Ok(Data::Plain(match kind {
        Kind::Manual => {
            let reviews: Map<_, _> = found.into_iter().map(|(id, ad)| (id, manual(ad))).collect();
            json!({ "ad_review_map": reviews })
        }
        Kind::SmartPlus => {
            let reviews: Vec<Value> = found.iter().map(|(id, ad)| smart(id, *ad, &extra)).collect();
            json!({ "material_review_infos": [], "smart_plus_ad_review_infos": reviews })
        }
    }))
}

/// The ads of an account by their ids in the calls of a kind.
fn known(account: &Account, ads: &Ads, kind: Kind, context: &RequestContext<'_>) -> BTreeMap<String, Ad> {
    let campaigns = account.campaigns.values().filter(|campaign| kind == Kind::Manual || campaign.kind == kind);
    let listed = campaigns.flat_map(|campaign| {
        let id = move |ad: Ad| if kind == Kind::Manual { id_in_ads(campaign, ad) } else { ad.id };
        ads.of(&campaign.id.to_string(), context).into_iter().map(move |ad| (id(ad).to_string(), ad))
    });
    listed.collect()
}

fn status(ad: Ad) -> &'static str {
    match ad.state {
        AdState::Approved | AdState::Paused => "ALL_AVAILABLE",
        AdState::InReview | AdState::Rejected => "UNAVAILABLE",
    }
}

fn reject_info(ad: Ad) -> Value {
    if ad.state != AdState::Rejected {
        return json!([]);
    }
    json!([{
        "reasons": [REJECTION],
        "suggestion": "Remove the claim, or prove it on the landing page.",
        "forbidden_ages": [],
        "forbidden_locations": [],
        "forbidden_placements": [],
    }])
}

fn manual(ad: Ad) -> Value {
    json!({
        "is_approved": status(ad) == "ALL_AVAILABLE",
        "review_status": status(ad),
        "appeal_status": "NOT_APPEALED",
        "forbidden_ages": [],
        "forbidden_locations": [],
        "forbidden_operation_systems": [],
        "forbidden_placements": [],
        "reject_info": reject_info(ad),
    })
}

fn smart(id: &str, ad: Ad, extra: &Extra) -> Value {
    json!({
        "smart_plus_ad_id": id,
        "review_status": status(ad),
        "passed_locations": null,
        "appeal_status": "NOT_APPEALED",
        "appeal_reject_reasons": null,
        "reject_info": extra.include_reject_info.then(|| reject_info(ad)),
    })
}
