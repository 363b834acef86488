//! The spend report: one row for each campaign that has cost something.
//!
//! TikTok API for Business v1.3: "Run a synchronous report", "Basic reports". The sandbox keeps a
//! campaign's whole cost and no days, so it reports over the lifetime only.

use serde::Deserialize;
use serde_json::json;

use super::accounts::Account;
use super::answer::{Cell, Data, Refusal, Row};
use super::campaign::Campaign;
use super::currency;
use super::given::Query;
use super::list;

/// The parameters of a report.
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
    /// A list in JSON, as text.
    filter_value: String,
}

pub(crate) fn report(account: &Account, query: &Query) -> Result<Data, Refusal> {
    query.choice("report_type", &["BASIC"])?;
    query.choice("data_level", &["AUCTION_CAMPAIGN"])?;
    if query.text("service_type").is_some_and(|kind| kind != "AUCTION") {
        return Err(Refusal::at("service_type", "Must be one of: AUCTION."));
    }
    named(query, "dimensions", "campaign_id")?;
    named(query, "metrics", "spend")?;
    check_lifetime(query)?;
    let wanted = wanted(query)?;
    let counted = |campaign: &&Campaign| {
        campaign.spent > 0 && wanted.as_ref().is_none_or(|ids| ids.contains(&campaign.id.to_string()))
    };
    let found = account.campaigns.values().rev().filter(counted);
    let rows = found.map(|campaign| row(campaign, &account.currency)).collect();
    list::page(rows, query, None)
}

fn row(campaign: &Campaign, currency: &str) -> Row {
    let spend = currency::sum(campaign.spent, currency);
    Row::from([
        ("dimensions", Cell::Plain(json!({ "campaign_id": campaign.id.to_string() }))),
        ("metrics", Cell::Plain(json!({ "spend": spend }))),
    ])
}

/// A list that has to hold exactly the one name that the sandbox reports by.
fn named(query: &Query, parameter: &str, only: &str) -> Result<(), Refusal> {
    let list = query.texts(parameter, Some(&[only]))?.ok_or_else(|| Refusal::missing(parameter))?;
    if list.len() == 1 { Ok(()) } else { Err(Refusal::at(parameter, "Length must be 1.")) }
}

fn check_lifetime(query: &Query) -> Result<(), Refusal> {
    if query.text("query_lifetime") == Some("true") {
        return Ok(());
    }
    for name in ["start_date", "end_date"] {
        query.required(name)?;
    }
    Err(Refusal::at("query_lifetime", "Must be true: the sandbox keeps no spend by day."))
}

/// The campaigns that the filter names; all without one.
fn wanted(query: &Query) -> Result<Option<Vec<String>>, Refusal> {
    let wrong = |why: &str| Refusal::at("filtering", why);
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
