//! Lists campaigns, page by page.
//!
//! TikTok API for Business v1.3: "Get campaigns", "Get Upgraded Smart+ Campaigns".

use super::account::Account;
use super::campaign::{Campaign, FIELDS, Kind};
use super::envelope::{Data, PageInfo, Row};
use super::error::ApiError;
use super::held::Held;
use super::params::Query;
use crate::ads::Ads;
use crate::service::RequestContext;
use jiff::civil::DateTime;
use serde::Deserialize;

/// Parameters of a list call.
pub(crate) const PARAMETERS: &[&str] = &["advertiser_id", "fields", "filtering", "page", "page_size"];

/// Most rows of a page of campaigns, and of a report.
pub(crate) const MAX_PAGE: usize = 1_000;

pub(crate) const PRIMARY_STATUSES: &[&str] = &[
    "STATUS_ALL",
    "STATUS_NOT_DELETE",
    "STATUS_DELETE",
    "STATUS_DELIVERY_OK",
    "STATUS_DISABLE",
    "STATUS_NOT_DELIVERY",
];
const SECONDARY_STATUSES: &[&str] = &[
    "CAMPAIGN_STATUS_ALL",
    "CAMPAIGN_STATUS_NOT_DELETE",
    "CAMPAIGN_STATUS_DELETE",
    "CAMPAIGN_STATUS_ENABLE",
    "CAMPAIGN_STATUS_DISABLE",
    "CAMPAIGN_STATUS_BUDGET_EXCEED",
    "CAMPAIGN_STATUS_ADVERTISER_AUDIT",
    "CAMPAIGN_STATUS_ADVERTISER_AUDIT_DENY",
    "CAMPAIGN_STATUS_REVIEW_DISAPPROVED",
    "CAMPAIGN_STATUS_AWAITING_RELEASE",
    "ADVERTISER_ACCOUNT_PUNISH",
    "ADVERTISER_CONTRACT_PENDING",
];

/// The `filtering` parameter.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Filtering {
    pub(crate) campaign_ids: Option<Vec<String>>,
    campaign_name: Option<String>,
    primary_status: Option<String>,
    secondary_status: Option<String>,
    objective_type: Option<String>,
    creation_filter_start_time: Option<String>,
    creation_filter_end_time: Option<String>,
}

impl Filtering {
    fn check(&self) -> Result<(), ApiError> {
        let wrong = |why: &str| Err(ApiError::parameter("filtering", why));
        if self.campaign_ids.as_ref().is_some_and(|ids| ids.is_empty() || ids.len() > 100) {
            return wrong("campaign_ids: Length must be between 1 and 100.");
        }
        let known = |value: &Option<String>, list: &[&str]| value.as_deref().is_none_or(|one| list.contains(&one));
        if !known(&self.primary_status, PRIMARY_STATUSES) {
            return wrong("primary_status: Not a valid choice.");
        }
        if !known(&self.secondary_status, SECONDARY_STATUSES) {
            return wrong("secondary_status: Not a valid choice.");
        }
        let mut times = [&self.creation_filter_start_time, &self.creation_filter_end_time].into_iter().flatten();
        if times.any(|time| time.len() != 19 || DateTime::strptime("%Y-%m-%d %H:%M:%S", time).is_err()) {
            return wrong("The creation time has to be in the format YYYY-MM-DD HH:MM:SS.");
        }
        Ok(())
    }

    /// A deleted campaign matches only a filter by status.
    fn matches(&self, campaign: &Campaign, held: Held) -> bool {
        let has_wanted_status = match (self.primary_status.as_deref(), self.secondary_status.as_deref()) {
            (None, None) => !campaign.deleted,
            (primary, secondary) => {
                primary.is_none_or(|one| has_status(campaign, one, campaign.primary_status(held)))
                    && secondary.is_none_or(|one| has_status(campaign, one, campaign.secondary_status(held)))
            }
        };
        let id = campaign.id.to_string();
        has_wanted_status
            && self.campaign_ids.as_ref().is_none_or(|ids| ids.contains(&id))
            && self
                .campaign_name
                .as_ref()
                .is_none_or(|part| campaign.name.to_lowercase().contains(&part.to_lowercase()))
            && self.objective_type.as_ref().is_none_or(|objective| *objective == campaign.objective)
            && self.creation_filter_start_time.as_ref().is_none_or(|from| campaign.created >= *from)
            && self.creation_filter_end_time.as_ref().is_none_or(|to| campaign.created <= *to)
    }
}

/// Whether a campaign has a status, or one of a group of statuses.
pub(crate) fn has_status(campaign: &Campaign, wanted: &str, actual: &str) -> bool {
    if wanted.ends_with("STATUS_ALL") {
        return true;
    }
    if wanted.ends_with("STATUS_NOT_DELETE") { !campaign.deleted } else { wanted == actual }
}

/// Returns one page, newest first. `kind` is `None` for the endpoint that lists every kind.
pub(crate) fn list(
    account: &Account,
    ads: &Ads,
    query: &Query,
    kind: Option<Kind>,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    let selected = query.strings("fields", Some(FIELDS))?;
    let is_selected = |name: &&&'static str| selected.as_ref().is_none_or(|list| list.iter().any(|one| one == **name));
    let fields: Vec<&'static str> = FIELDS.iter().filter(is_selected).copied().collect();
    let why = "Not a valid object in JSON, or one with unknown fields.";
    if query.string("filtering").is_some_and(|text| !text.trim_start().starts_with('{')) {
        // serde would fill the struct from a JSON array, by position.
        return Err(ApiError::parameter("filtering", why));
    }
    let filtering: Filtering = query.json("filtering", why)?.unwrap_or_default();
    filtering.check()?;
    let held = |campaign: &Campaign| Held::of(ads, &account.id, campaign);
    let is_listed = |campaign: &&Campaign| {
        kind.is_none_or(|kind| kind == campaign.kind) && filtering.matches(campaign, held(campaign))
    };
    let row = |campaign: &Campaign| {
        let status = campaign.secondary_status(held(campaign));
        if campaign.deleted {
            return campaign.row(&account.id, &fields, status);
        }
        campaign.row(&account.id, &fields, &ads.word(&campaign.id.to_string(), status, context))
    };
    let listed = account.campaigns.values().rev().filter(is_listed);
    page(listed.map(row).collect(), query, context.settings.page_size, MAX_PAGE)
}

/// Cuts the requested page out of `rows`. The default is the first page, and `most` is what a client may ask for.
/// `max_rows` is the sandbox setting that shortens pages.
pub(crate) fn page(rows: Vec<Row>, query: &Query, max_rows: Option<usize>, most: usize) -> Result<Data, ApiError> {
    let page = query.number("page", 1, 1..=usize::MAX)?;
    let page_size = query.number("page_size", 10, 1..=most)?.min(max_rows.unwrap_or(most)).max(1);
    let total_number = rows.len();
    let offset = (page - 1).saturating_mul(page_size);
    let list = rows.into_iter().skip(offset).take(page_size).collect();
    let total_page = total_number.div_ceil(page_size);
    Ok(Data::Page { list, page_info: PageInfo { page, page_size, total_number, total_page } })
}
