//! Insights: their query and their bodies. Both shapes have the same fields; the enveloped one has them inside `data`.

use super::campaigns::connection_error;
use super::query::{QueryReader, cursor, reject_unknown_params};
use super::response::{Data, ok};
use super::wire::{Number, iso_millis, pagination};
use super::{AccountInsights, CampaignInsights, InsightsPage, Shape};
use crate::domain::insights::parse_date;
use crate::domain::{AdAccount, Days, Granularity, InsightsRow, ListFilters, Platform, StatusSet};
use crate::error::Error;
use http::Response;
use jiff::ToSpan;
use jiff::civil::Date;
use lambda_http::Body;
use serde::Serialize;
use serde_json::Value;

/// Default number of rows of a page.
const DEFAULT_LIMIT: usize = 500;
/// Most rows of a page.
const MAX_LIMIT: usize = 5_000;
/// Most days of a request.
const MAX_DAYS: i32 = 90;
/// Days of a request without dates. They end yesterday.
const DEFAULT_DAYS: i64 = 7;

const DATE: &str = "must be a day such as 2026-12-01";
const GRANULARITY: &str = "must be day or total";

/// The parameters of `getInsights` and `listInsights`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct InsightsQuery {
    /// Filters, for `listInsights` only.
    pub filters: ListFilters,
    /// Days, at most 90.
    pub days: Days,
    pub granularity: Granularity,
    /// Page size, 1 to 5,000.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
    given: GivenDays,
}

/// The days in a query: `from` and `to`.
type GivenDays = (Option<Date>, Option<Date>);

impl InsightsQuery {
    /// The report as text: pages of another one have other cursors.
    pub fn report(&self) -> String {
        format!("{}..{} {}", self.days.from, self.days.to, self.granularity.as_str())
    }

    /// Takes the days of the report that a cursor belongs to, if this query had these days on an earlier day. Without
    /// `to` the days depend on the day of the request, and all pages of a list have those of the first one.
    pub fn continue_report(&mut self, report: &str) {
        let (from, to) = self.given;
        let is_earlier = |days: &Days| {
            let has_start = from.map_or(i64::from(days.count()) == DEFAULT_DAYS, |from| from == days.from);
            to.is_none() && days.to < self.days.to && has_start
        };
        self.days = days_of_report(report).filter(is_earlier).unwrap_or(self.days);
    }
}

/// The days in the text of a report.
fn days_of_report(report: &str) -> Option<Days> {
    let (days, _) = report.split_once(' ')?;
    let (from, to) = days.split_once("..")?;
    Days::new(parse_date(from)?, parse_date(to)?)
}

/// Reads the query of `getInsights`. `today` is the day in UTC. All errors are reported together.
pub fn read_campaign_insights(pairs: &[(String, String)], today: Date) -> Result<InsightsQuery, Error> {
    reject_unknown_params(pairs, &["from", "to", "granularity"])?;
    let mut reader = QueryReader::new(pairs);
    let query = read(&mut reader, today, None);
    reader.finish(query)
}

/// Reads the query of `listInsights`. `today` is the day in UTC. All errors are reported together.
pub fn read_insights(shape: Shape, pairs: &[(String, String)], today: Date) -> Result<InsightsQuery, Error> {
    let known = ["from", "to", "granularity", "platform", "organization_id", "connection_id", "limit", "cursor"];
    reject_unknown_params(pairs, &known)?;
    let mut reader = QueryReader::new(pairs);
    let platform = reader.platform(shape);
    let query = read(&mut reader, today, platform);
    reader.finish(query)
}

fn read(reader: &mut QueryReader<'_>, today: Date, platform: Option<Platform>) -> InsightsQuery {
    let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let account_id = reader.read("organization_id", "must not be empty", filled).map(|id| AdAccount::plain_id(&id));
    let connection_id = reader.read("connection_id", "must not be empty", filled);
    let limit_rule = format!("must be a whole number from 1 to {MAX_LIMIT}");
    let limit = reader.read("limit", &limit_rule, limit).unwrap_or(DEFAULT_LIMIT);
    let granularity = reader.read("granularity", GRANULARITY, Granularity::parse).unwrap_or(Granularity::Day);
    let to = reader.read("to", DATE, parse_date);
    let given = (reader.read("from", DATE, parse_date), to);
    let days = days(reader, given, today);
    let statuses = StatusSet::not_final();
    let filters =
        ListFilters { platform, account_id, connection_id, statuses, name_contains: None, delivery_states: Vec::new() };
    let cursor = cursor(reader.pairs());
    InsightsQuery { filters, days, granularity, limit, cursor, given }
}

/// The days of a query: by default the last 7 full days, and without `from` the 7 days up to `to`.
fn days(reader: &mut QueryReader<'_>, (from, to): GivenDays, today: Date) -> Days {
    // East of UTC the day has begun already.
    if to.is_some_and(|to| to > today.saturating_add(1.day())) {
        reader.fail("to", "must not be in the future");
    }
    let last = to.unwrap_or_else(|| today.saturating_sub(1.day()).max(from.unwrap_or(Date::MIN)));
    let first = from.unwrap_or_else(|| last.saturating_sub((DEFAULT_DAYS - 1).days()));
    let Some(days) = Days::new(first, last) else {
        reader.fail("from", "must not be after to");
        return Days { from: last, to: last };
    };
    if days.count() > MAX_DAYS {
        reader.fail("from", &format!("must be at most {MAX_DAYS} days before to, counting both"));
    }
    days
}

fn limit(text: &str) -> Option<usize> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok()).flatten().filter(|limit| (1..=MAX_LIMIT).contains(limit))
}

#[derive(Serialize)]
struct AccountBody<'a> {
    platform: &'static str,
    connection_id: &'a str,
    organization_id: &'a str,
    currency: &'static str,
    time_zone: &'a str,
    attribution: &'static str,
    as_of: String,
    final_after: String,
    rows: Vec<RowBody<'a>>,
}

#[derive(Serialize)]
struct CampaignBody<'a> {
    campaign_id: String,
    from: String,
    to: String,
    granularity: &'static str,
    #[serde(flatten)]
    account: AccountBody<'a>,
}

#[derive(Serialize)]
struct ListBody<'a> {
    from: String,
    to: String,
    granularity: &'static str,
    accounts: Vec<AccountBody<'a>>,
    pagination: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Value>,
}

#[derive(Serialize)]
struct RowBody<'a> {
    campaign_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    spend: Option<Number>,
    impressions: Option<i64>,
    clicks: Option<i64>,
    conversions: Option<Number>,
    conversion_value: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<&'a [&'static str]>,
    is_final: bool,
}

/// The response of `listInsights`.
pub(super) fn list_response(page: &InsightsPage, shape: Shape) -> Response<Body> {
    in_shape(
        shape,
        ListBody {
            from: page.days.from.to_string(),
            to: page.days.to.to_string(),
            granularity: page.granularity.as_str(),
            accounts: page.accounts.iter().map(|account| account_body(account, shape)).collect(),
            pagination: pagination(page.next_cursor.as_deref()),
            errors: page.failures.iter().map(|failure| connection_error(failure, shape)).collect(),
        },
    )
}

/// The response of `getInsights`.
pub(super) fn campaign_response(insights: &CampaignInsights, shape: Shape) -> Response<Body> {
    let CampaignInsights { campaign, days, granularity, account } = insights;
    in_shape(
        shape,
        CampaignBody {
            campaign_id: campaign.to_string(),
            from: days.from.to_string(),
            to: days.to.to_string(),
            granularity: granularity.as_str(),
            account: account_body(account, shape),
        },
    )
}

fn in_shape(shape: Shape, body: impl Serialize) -> Response<Body> {
    match shape {
        Shape::Flat => ok(&body),
        Shape::Enveloped => ok(&Data { data: body }),
    }
}

fn account_body(insights: &AccountInsights, shape: Shape) -> AccountBody<'_> {
    let AccountInsights { platform, connection_id, account_id, currency, rows, .. } = insights;
    let is_final = insights.finality();
    AccountBody {
        platform: shape.platform_name(*platform),
        connection_id: &connection_id.0,
        organization_id: account_id,
        currency: currency.code(),
        time_zone: &insights.time_zone,
        attribution: insights.attribution,
        as_of: iso_millis(insights.as_of),
        final_after: insights.final_after().to_string(),
        rows: rows.iter().map(|row| row_body(row, is_final(row))).collect(),
    }
}

fn row_body(row: &InsightsRow, is_final: bool) -> RowBody<'_> {
    // Destructured in full: a new field must be shown or ignored explicitly.
    let InsightsRow { campaign, date, spend, impressions, clicks, conversions, conversion_value, unreadable } = row;
    RowBody {
        campaign_id: campaign.to_string(),
        date: date.map(|date| date.to_string()),
        spend: spend.map(Number),
        impressions: *impressions,
        clicks: *clicks,
        conversions: conversions.map(Number),
        conversion_value: conversion_value.map(Number),
        unreadable: Some(unreadable.as_slice()).filter(|names| !names.is_empty()),
        is_final,
    }
}

#[cfg(test)]
mod tests;
