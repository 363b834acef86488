//! Spend reports.
//!
//! Marketing API: Ad Insights reference. `spend` is a decimal string in major units. A report has no row without spend.

use super::account::Account;
use super::campaign::Campaign;
use super::currency;
use super::error::GraphError;
use super::filter::Filter;
use super::params::Params;
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Fields that a call can select. Responses omit those without a value.
const FIELDS: &[&str] = &[
    "account_id",
    "account_name",
    "account_currency",
    "campaign_id",
    "campaign_name",
    "objective",
    "spend",
    "date_start",
    "date_stop",
    "impressions",
    "clicks",
    "reach",
];

const PRESETS: &[&str] = &[
    "data_maximum",
    "last_14d",
    "last_28d",
    "last_30d",
    "last_3d",
    "last_7d",
    "last_90d",
    "last_month",
    "last_quarter",
    "last_week_mon_sun",
    "last_week_sun_sat",
    "last_year",
    "maximum",
    "this_month",
    "this_quarter",
    "this_week_mon_today",
    "this_week_sun_today",
    "this_year",
    "today",
    "yesterday",
];

/// The aggregation level of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Account,
    Campaign,
    /// Ad set or ad. The sandbox has neither, so these reports are empty.
    BelowCampaign,
}

/// A requested report.
pub(crate) struct Report<'a> {
    fields: Vec<&'a str>,
    since: Date,
    until: Date,
    level: Level,
    filter: Filter,
}

#[derive(Deserialize)]
struct TimeRange {
    since: Date,
    until: Date,
}

impl<'a> Report<'a> {
    /// Reads the parameters of a call. `level` is the default level.
    pub(crate) fn read(params: &'a Params, level: Level, today: Date) -> Result<Self, GraphError> {
        const UNSUPPORTED: &[&str] = &["breakdowns", "time_increment", "time_ranges", "action_breakdowns", "sort"];
        if let Some(name) = params.first_present(UNSUPPORTED) {
            return Err(GraphError::unsupported(name));
        }
        let level = match params.choice("level", &["account", "campaign", "adset", "ad"])? {
            None => level,
            Some("account") => Level::Account,
            Some("campaign") => Level::Campaign,
            Some(_) => Level::BelowCampaign,
        };
        let (since, until) = date_range(params, today)?;
        let fields = fields(params.string("fields"))?;
        Ok(Self { fields, since, until, level, filter: Filter::read(params)? })
    }

    /// The rows with their paging keys, newest campaign first.
    pub(crate) fn rows(&self, account: &Account, campaigns: &[&Campaign]) -> Vec<(u64, Value)> {
        let spend = |campaign: &Campaign| campaign.spend_between(Some(self.since), Some(self.until));
        let matching: Vec<&Campaign> = campaigns.iter().copied().filter(|one| self.filter.matches(one)).collect();
        match self.level {
            Level::BelowCampaign => Vec::new(),
            Level::Account => {
                let sum = matching.iter().fold(0_u64, |sum, one| sum.saturating_add(spend(one)));
                if sum == 0 { Vec::new() } else { vec![(1, self.row(account, None, sum))] }
            }
            Level::Campaign => {
                let reported = matching.iter().rev().filter(|one| spend(one) > 0);
                reported.map(|one| (u64::MAX - one.id, self.row(account, Some(one), spend(one)))).collect()
            }
        }
    }

    fn row(&self, account: &Account, campaign: Option<&Campaign>, spend: u64) -> Value {
        let mut row = Map::new();
        for name in &self.fields {
            let value = match *name {
                "account_id" => Some(json!(account.id.to_string())),
                "account_name" => Some(json!(account.name)),
                "account_currency" => Some(json!(account.currency)),
                "campaign_id" => campaign.map(|one| json!(one.id.to_string())),
                "campaign_name" => campaign.map(|one| json!(one.name)),
                "objective" => campaign.map(|one| json!(one.objective)),
                "spend" => Some(json!(currency::format(spend, &account.currency))),
                _ => None,
            };
            row.extend(value.map(|value| ((*name).to_owned(), value)));
        }
        row.insert("date_start".to_owned(), json!(self.since.to_string()));
        row.insert("date_stop".to_owned(), json!(self.until.to_string()));
        Value::Object(row)
    }
}

fn fields(text: Option<&str>) -> Result<Vec<&str>, GraphError> {
    let text = text.unwrap_or("account_id,campaign_id,spend");
    let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !FIELDS.contains(name)) {
        None => Ok(names),
        Some(name) => Err(GraphError::parameter(format!("{name} is not valid for fields param. please check"))),
    }
}

/// First and last day, from `time_range` or else from `date_preset`, which defaults to `last_30d`. Presets with the
/// prefix `last` end yesterday.
fn date_range(params: &Params, today: Date) -> Result<(Date, Date), GraphError> {
    if let Some(text) = params.string("time_range") {
        let range: TimeRange = serde_json::from_str(text)
            .map_err(|_| GraphError::parameter("Param time_range must be an object of since and until"))?;
        if range.since > range.until {
            return Err(GraphError::parameter("Param time_range: since is after until"));
        }
        return Ok((range.since, range.until));
    }
    let preset = params.choice("date_preset", PRESETS)?.unwrap_or("last_30d");
    let before = |days: i64| today.saturating_sub(days.days());
    Ok(match preset {
        // Meta keeps reports for 37 months.
        "maximum" | "data_maximum" => (today.saturating_sub(37.months()), today),
        "today" => (today, today),
        "yesterday" => (before(1), before(1)),
        "this_month" => (today.first_of_month(), today),
        "this_year" => (today.first_of_year(), today),
        "last_3d" => (before(3), before(1)),
        "last_7d" => (before(7), before(1)),
        "last_14d" => (before(14), before(1)),
        "last_28d" => (before(28), before(1)),
        "last_30d" => (before(30), before(1)),
        "last_90d" => (before(90), before(1)),
        other => return Err(GraphError::unsupported(other)),
    })
}
