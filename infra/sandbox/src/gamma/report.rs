//! The spend report: one row for each campaign with spend.
//!
//! TikTok API for Business v1.3: "Run a synchronous report", "Basic reports". The sandbox stores the total spend of a
//! campaign, not its days, so only lifetime reports are supported.

use super::account::Account;
use super::campaign::Campaign;
use super::currency;
use super::envelope::{Data, FieldValue, Row};
use super::error::ApiError;
use super::list;
use super::params::Query;
use serde::Deserialize;
use serde_json::json;

/// Parameters of a report call.
pub(crate) const PARAMETERS: &[&str] = &[
    "advertiser_id",
    "data_level",
    "dimensions",
    "end_date",
    "filtering",
    "metrics",
    "page",
    "page_size",
    "query_lifetime",
    "report_type",
    "service_type",
    "start_date",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    field_name: String,
    filter_type: String,
    /// A JSON list, encoded as a string.
    filter_value: String,
}

pub(crate) fn report(account: &Account, query: &Query) -> Result<Data, ApiError> {
    query.choice("report_type", &["BASIC"])?;
    query.choice("data_level", &["AUCTION_CAMPAIGN"])?;
    if query.string("service_type").is_some_and(|kind| kind != "AUCTION") {
        return Err(ApiError::parameter("service_type", "Must be one of: AUCTION."));
    }
    check_only(query, "dimensions", "campaign_id")?;
    check_only(query, "metrics", "spend")?;
    check_lifetime(query)?;
    let ids = filtered_ids(query)?;
    let is_reported = |campaign: &&Campaign| {
        campaign.spent > 0 && ids.as_ref().is_none_or(|ids| ids.contains(&campaign.id.to_string()))
    };
    let reported = account.campaigns.values().rev().filter(is_reported);
    let rows = reported.map(|campaign| row(campaign, &account.currency)).collect();
    list::page(rows, query, None)
}

fn row(campaign: &Campaign, currency: &str) -> Row {
    let spend = currency::format(campaign.spent, currency);
    Row::from([
        ("dimensions", FieldValue::Plain(json!({ "campaign_id": campaign.id.to_string() }))),
        ("metrics", FieldValue::Plain(json!({ "spend": spend }))),
    ])
}

/// Requires a list with exactly the one name that the sandbox supports.
fn check_only(query: &Query, parameter: &str, only: &str) -> Result<(), ApiError> {
    let list = query.strings(parameter, Some(&[only]))?.ok_or_else(|| ApiError::missing(parameter))?;
    if list.len() == 1 { Ok(()) } else { Err(ApiError::parameter(parameter, "Length must be 1.")) }
}

fn check_lifetime(query: &Query) -> Result<(), ApiError> {
    if query.string("query_lifetime") == Some("true") {
        return Ok(());
    }
    for name in ["start_date", "end_date"] {
        query.required(name)?;
    }
    Err(ApiError::parameter("query_lifetime", "Must be true: the sandbox keeps no spend by day."))
}

/// The campaign ids of the filter; `None` without a filter.
fn filtered_ids(query: &Query) -> Result<Option<Vec<String>>, ApiError> {
    let wrong = |why: &str| ApiError::parameter("filtering", why);
    let Some(filters) = query.json::<Vec<Filter>>("filtering", "Not a valid list of filters in JSON.")? else {
        return Ok(None);
    };
    let [filter] = filters.as_slice() else { return Err(wrong("Length must be 1.")) };
    if filter.field_name != "campaign_ids" || filter.filter_type != "IN" {
        return Err(wrong("Must be campaign_ids IN."));
    }
    let ids = serde_json::from_str::<Vec<String>>(&filter.filter_value);
    ids.map(Some).map_err(|_| wrong("filter_value: Not a valid list of strings in JSON."))
}
