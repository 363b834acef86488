//! Ads: their list, and what the platform says about them.
//!
//! Reddit Ads API v3 reference: "List Ads", its `effective_status`, `delivery_status` and `rejection_reason`. Not
//! verified: which word an ad shows where several apply, and the words of `delivery_status`, which is an open list.

use super::accounts::Account;
use super::campaign::Campaign;
use super::error::ApiError;
use super::query::Query;
use super::time::to_iso8601;
use crate::ads::{Ad, AdState, Ads, UNHEARD_OF, UNKNOWN_WORD};
use crate::http::Request;
use crate::service::RequestContext;
use serde_json::{Value, json};

/// The filters by ids, each the name of a property.
const IDS: &[&str] = &["id", "ad_group_id", "campaign_id"];

/// The filters by words, and their words.
const WORDS: &[(&str, &[&str])] = &[
    ("configured_status", &["ACTIVE", "ARCHIVED", "DELETED", "PAUSED"]),
    (
        "effective_status",
        &[
            "ACTIVE",
            "AD_GROUP_PAUSED",
            "ARCHIVED",
            "CAMPAIGN_PAUSED",
            "COMPLETED",
            "DELETED",
            "MISSING_PERMISSIONS",
            "PAUSED",
            "PENDING_APPROVAL",
            "PENDING_BILLING_INFO",
            "PENDING_ID_VERIFICATION",
            "PROCESSING",
            "REJECTED",
        ],
    ),
];

const PAGE: &[&str] = &["page.size", "page.token"];

/// Lists ads of any status, newest first. The filters apply together.
pub(crate) fn list(
    account: &Account,
    ads: &Ads,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let words = WORDS.iter().map(|(name, _)| *name);
    let names: Vec<&'static str> = PAGE.iter().chain(IDS).copied().chain(words).collect();
    let query = Query::read(request, &names)?;
    let mut wanted = Vec::new();
    for name in IDS {
        wanted.extend(query.list(name)?.map(|values| (*name, values)));
    }
    for (name, words) in WORDS {
        let values = query.list(name)?;
        if let Some(invalid) = values.iter().flatten().find(|value| !words.contains(value)) {
            return Err(ApiError::field(*name, format!("{invalid} is not one of {}", words.join(", "))));
        }
        wanted.extend(values.map(|values| (*name, values)));
    }
    let is_wanted = |row: &Value| {
        wanted.iter().all(|(name, values)| row[*name].as_str().is_some_and(|text| values.contains(&text)))
    };
    let rows = account.campaigns.values().flat_map(|campaign| {
        let word = campaign.effective_status(ads, context.now.as_second());
        let ads = ads.of(&campaign.id.to_string(), context).into_iter();
        ads.map(move |ad| (ad.id, ad_json(account, campaign, &ad, word, context)))
    });
    let mut rows: Vec<(u64, Value)> = rows.filter(|(_, row)| is_wanted(row)).collect();
    rows.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
    query.page(rows, context.settings.page_size)
}

/// An ad. `campaign_word` is the word of its campaign.
fn ad_json(
    account: &Account,
    campaign: &Campaign,
    ad: &Ad,
    campaign_word: &str,
    context: &RequestContext<'_>,
) -> Value {
    let is_paused = ad.state == AdState::Paused;
    let word = if context.quirk(UNKNOWN_WORD.name) { UNHEARD_OF } else { effective_status(ad.state, campaign_word) };
    let delivery = match word {
        "ACTIVE" => Vec::new(),
        "PENDING_APPROVAL" => vec!["PENDING_REVIEW"],
        word => vec![word],
    };
    json!({
        "id": ad.id.to_string(),
        "ad_account_id": account.id,
        "ad_group_id": ad.group.to_string(),
        "campaign_id": campaign.id.to_string(),
        "name": ad.name(),
        "type": "UNSPECIFIED",
        "post_id": format!("t3_{}", ad.id),
        "configured_status": if is_paused { "PAUSED" } else { "ACTIVE" },
        "effective_status": word,
        "delivery_status": delivery,
        "rejection_reason": (ad.state == AdState::Rejected).then_some("DECEPTIVE"),
        "created_at": to_iso8601(campaign.created),
        "modified_at": to_iso8601(campaign.modified),
    })
}

/// Its own pause and its review come first. Then it shows what its campaign is.
fn effective_status(state: AdState, campaign: &str) -> &str {
    match (state, campaign) {
        (AdState::Paused, _) => "PAUSED",
        (AdState::Rejected, _) => "REJECTED",
        (_, "PAUSED") => "CAMPAIGN_PAUSED",
        (AdState::InReview, "ACTIVE") => "PENDING_APPROVAL",
        (AdState::InReview | AdState::Approved, campaign) => campaign,
    }
}
