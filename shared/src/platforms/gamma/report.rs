//! Reports of campaigns: the request, its pages, and the numbers of a row.
//!
//! <https://business-api.tiktok.com/portal/docs?id=1740302848100353>

use super::api::{self, LARGEST_PAGE};
use super::wire::ReportRow;
use crate::platforms::engine::insights::number;
use crate::platforms::errors::invalid_cursor;
use crate::platforms::prelude::*;
use serde_json::{Value, json};

/// The text in place of a number that the platform does not have.
const ABSENT: &str = r#""-""#;

/// A report of campaigns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report<'a> {
    pub(super) account: &'a str,
    /// Only these campaigns; all if empty.
    pub(super) ids: &'a [&'a str],
    /// Includes deleted campaigns, which a report otherwise omits.
    pub(super) with_deleted: bool,
    pub(super) period: Period,
    /// A JSON list.
    pub(super) metrics: &'static str,
}

/// The time of a report, in the account's time zone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Period {
    /// The whole run of each campaign.
    Lifetime,
    Days(Days, Granularity),
}

impl Report<'_> {
    /// The request for a page; its token is its number, and none for the first.
    pub(super) fn request(&self, token: Option<&str>) -> Result<OutboundRequest, Error> {
        let number = token.map_or(Some(1), |token| token.parse::<u32>().ok().filter(|number| *number > 0));
        let number = number.ok_or_else(invalid_cursor)?.to_string();
        let size = LARGEST_PAGE.to_string();
        let filtering = self.filtering();
        let mut parameters = vec![
            ("advertiser_id", self.account),
            ("report_type", "BASIC"),
            ("data_level", "AUCTION_CAMPAIGN"),
            ("metrics", self.metrics),
            ("page", &number),
            ("page_size", &size),
        ];
        if let Some(filtering) = &filtering {
            parameters.push(("filtering", filtering));
        }
        let (from, to) = match self.period {
            Period::Days(days, _) => (days.from.to_string(), days.to.to_string()),
            Period::Lifetime => Default::default(),
        };
        match self.period {
            Period::Lifetime => parameters.push(("query_lifetime", "true")),
            Period::Days(..) => parameters.extend([("start_date", from.as_str()), ("end_date", &to)]),
        }
        parameters.push(("dimensions", self.period.dimensions()));
        Ok(api::query("report/integrated/get", &parameters))
    }

    fn filtering(&self) -> Option<String> {
        let ids = (!self.ids.is_empty()).then(|| filter("campaign_ids", self.ids));
        let status = self.with_deleted.then(|| filter("campaign_status", &["STATUS_ALL"]));
        let filters: Vec<Value> = ids.into_iter().chain(status).collect();
        (!filters.is_empty()).then(|| Value::from(filters).to_string())
    }
}

impl Period {
    fn dimensions(self) -> &'static str {
        match self {
            Period::Days(_, Granularity::Day) => r#"["campaign_id","stat_time_day"]"#,
            Period::Days(_, Granularity::Total) | Period::Lifetime => r#"["campaign_id"]"#,
        }
    }
}

/// A condition, with its values as text.
fn filter(field_name: &str, values: &[&str]) -> Value {
    json!({"field_name": field_name, "filter_type": "IN", "filter_value": json!(values).to_string()})
}

/// Reads a page of a report from the response to the address that was called.
pub(super) fn read(called: &str, response: &OutboundResponse) -> Result<Page<ReportRow>, Error> {
    api::read_numbered(called, response, LARGEST_PAGE)
}

/// An amount, or another number, of a row; `None` if the platform does not have it.
pub(super) fn amount(json: Option<&RawValue>) -> Result<Option<Decimal>, Error> {
    number(Platform::Gamma, present(json))
}

/// The number, unless a dash is in its place.
pub(super) fn present(json: Option<&RawValue>) -> Option<&RawValue> {
    json.filter(|json| json.get() != ABSENT)
}
