//! Lists ads, page by page.
//!
//! TikTok API for Business v1.3: "Get ads", "Get Upgraded Smart+ Ads". The first lists what is inside Upgraded Smart+
//! ads, too, with ids of its own: a client that adds up both lists counts ads twice.

use super::account::Account;
use super::campaign::{Campaign, Kind};
use super::envelope::{Data, FieldValue, Row};
use super::error::ApiError;
use super::held::Held;
use super::list::page;
use super::params::Query;
use crate::ads::{Ad, AdState, Ads};
use crate::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

/// Parameters of a list call.
pub(crate) const PARAMETERS: &[&str] = &["advertiser_id", "fields", "filtering", "page", "page_size"];

/// Fields of both lists.
const FIELDS: &[&str] = &[
    "ad_name",
    "adgroup_id",
    "adgroup_name",
    "advertiser_id",
    "campaign_id",
    "campaign_name",
    "create_time",
    "modify_time",
    "operation_status",
    "secondary_status",
    "smart_plus_ad_id",
];

/// The field that only "Get ads" has.
const AD_ID: &str = "ad_id";

/// Most ids of one filter.
const MAX_IDS: usize = 100;

/// What is inside an Upgraded Smart+ ad has the id of the ad plus this.
const INSIDE: u64 = 5_000;

/// Without a filter by status both lists leave out ads that are deleted.
const STATUSES: &[&str] = &["STATUS_ALL", "STATUS_NOT_DELETE"];

/// The `filtering` parameter, as far as the sandbox knows it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Filtering {
    campaign_ids: Option<Vec<String>>,
    adgroup_ids: Option<Vec<String>>,
    ad_ids: Option<Vec<String>>,
    smart_plus_ad_ids: Option<Vec<String>>,
    primary_status: Option<String>,
}

impl Filtering {
    fn read(query: &Query, kind: Kind) -> Result<Self, ApiError> {
        let wrong = |why: &str| ApiError::parameter("filtering", why);
        let why = "Not a valid object in JSON, or one with unknown fields.";
        if query.string("filtering").is_some_and(|text| !text.trim_start().starts_with('{')) {
            return Err(wrong(why));
        }
        let filtering: Self = query.json("filtering", why)?.unwrap_or_default();
        let foreign = if kind == Kind::Manual { &filtering.smart_plus_ad_ids } else { &filtering.ad_ids };
        if foreign.is_some() {
            return Err(wrong(why));
        }
        let lists = [&filtering.campaign_ids, &filtering.adgroup_ids, &filtering.ad_ids, &filtering.smart_plus_ad_ids];
        if lists.into_iter().flatten().any(|ids| ids.is_empty() || ids.len() > MAX_IDS) {
            return Err(wrong("Each list of ids: Length must be between 1 and 100."));
        }
        match filtering.primary_status.as_deref() {
            Some(status) if !STATUSES.contains(&status) => Err(wrong("primary_status: Not a valid choice.")),
            _ => Ok(filtering),
        }
    }

    fn matches(&self, campaign: &Campaign, ad: Ad, id: u64) -> bool {
        let has = |ids: &Option<Vec<String>>, id: u64| ids.as_ref().is_none_or(|ids| ids.contains(&id.to_string()));
        let is_listed = self.primary_status.as_deref() == Some("STATUS_ALL") || !campaign.deleted;
        is_listed
            && has(&self.campaign_ids, campaign.id)
            && has(&self.adgroup_ids, ad.group)
            && has(&self.ad_ids, id)
            && has(&self.smart_plus_ad_ids, id)
    }
}

/// Returns one page of ads, oldest first: those of "Get ads", or those of Upgraded Smart+ campaigns.
pub(crate) fn list(
    account: &Account,
    ads: &Ads,
    query: &Query,
    kind: Kind,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    let is_manual = kind == Kind::Manual;
    let known: Vec<&'static str> = FIELDS.iter().copied().chain(is_manual.then_some(AD_ID)).collect();
    let selected = query.strings("fields", Some(&known))?;
    let fields: Vec<&'static str> = known
        .into_iter()
        .filter(|name| selected.as_ref().is_none_or(|list| list.iter().any(|one| one == name)))
        .collect();
    let filtering = Filtering::read(query, kind)?;
    let mut rows = Vec::new();
    for campaign in account.campaigns.values().filter(|campaign| is_manual || campaign.kind == kind) {
        let held = Held::of(ads, &account.id, campaign);
        for ad in ads.of(&campaign.id.to_string(), context) {
            let id = if is_manual { id_in_ads(campaign, ad) } else { ad.id };
            if filtering.matches(campaign, ad, id) {
                let status = held.ad_status(campaign, ad.state, context);
                rows.push(row(&account.id, campaign, ad, status, &fields));
            }
        }
    }
    page(rows, query, context.settings.page_size, if is_manual { 1_000 } else { 100 })
}

/// The id of an ad in the list of "Get ads".
pub(super) fn id_in_ads(campaign: &Campaign, ad: Ad) -> u64 {
    if campaign.kind == Kind::SmartPlus { ad.id + INSIDE } else { ad.id }
}

fn row(advertiser: &str, campaign: &Campaign, ad: Ad, status: &str, fields: &[&'static str]) -> Row {
    let is_smart = campaign.kind == Kind::SmartPlus;
    let field = |name: &str| match name {
        "ad_id" => json!(id_in_ads(campaign, ad).to_string()),
        "smart_plus_ad_id" => json!(is_smart.then(|| ad.id.to_string())),
        "ad_name" => json!(ad.name()),
        "adgroup_id" => json!(ad.group.to_string()),
        "adgroup_name" => json!(ad.group_name()),
        "advertiser_id" => json!(advertiser),
        "campaign_id" => json!(campaign.id.to_string()),
        "campaign_name" => json!(campaign.name),
        "operation_status" => json!(if ad.state == AdState::Paused { "DISABLE" } else { "ENABLE" }),
        "secondary_status" => json!(status),
        _ => json!(campaign.created),
    };
    fields.iter().map(|name| (*name, FieldValue::Plain(field(name)))).collect()
}
