//! Reports of what campaigns have cost.
//!
//! Marketing API: Ad Insights reference. `spend` is a decimal text in major units; where nothing
//! was spent there is no row.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::accounts::Account;
use super::campaign::Campaign;
use super::currency;
use super::error::GraphError;
use super::filter::Filter;
use super::params::Params;

/// Fields that can be asked for; those without a value are left out of answers.
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

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Account,
    Campaign,
    /// There are no ad sets and no ads here, and so no rows of them.
    Below,
}

/// A report that was asked for.
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
    /// By the parameters of a call; `level` is what is reported when nothing is said.
    pub(crate) fn read(params: &'a Params, level: Level, today: Date) -> Result<Self, GraphError> {
        const UNIMITATED: &[&str] = &["breakdowns", "time_increment", "time_ranges", "action_breakdowns", "sort"];
        if let Some(name) = params.any_of(UNIMITATED) {
            return Err(GraphError::unimitated(name));
        }
        let level = match params.choice("level", &["account", "campaign", "adset", "ad"])? {
            None => level,
            Some("account") => Level::Account,
            Some("campaign") => Level::Campaign,
            Some(_) => Level::Below,
        };
        let (since, until) = days(params, today)?;
        let fields = fields(params.text("fields"))?;
        Ok(Self { fields, since, until, level, filter: Filter::read(params)? })
    }

    /// The rows, each with the number it is paged by: the newest campaign comes first.
    pub(crate) fn rows(&self, account: &Account, campaigns: &[&Campaign]) -> Vec<(u64, Value)> {
        let spent = |campaign: &Campaign| campaign.spent_in(Some(self.since), Some(self.until));
        let kept: Vec<&Campaign> = campaigns.iter().copied().filter(|one| self.filter.keeps(one)).collect();
        match self.level {
            Level::Below => Vec::new(),
            Level::Account => {
                let sum = kept.iter().fold(0_u64, |sum, one| sum.saturating_add(spent(one)));
                if sum == 0 { Vec::new() } else { vec![(1, self.row(account, None, sum))] }
            }
            Level::Campaign => {
                let costly = kept.iter().rev().filter(|one| spent(one) > 0);
                costly.map(|one| (u64::MAX - one.id, self.row(account, Some(one), spent(one)))).collect()
            }
        }
    }

    fn row(&self, account: &Account, campaign: Option<&Campaign>, spent: u64) -> Value {
        let mut row = Map::new();
        for name in &self.fields {
            let value = match *name {
                "account_id" => Some(json!(account.id.to_string())),
                "account_name" => Some(json!(account.name)),
                "account_currency" => Some(json!(account.currency)),
                "campaign_id" => campaign.map(|one| json!(one.id.to_string())),
                "campaign_name" => campaign.map(|one| json!(one.name)),
                "objective" => campaign.map(|one| json!(one.objective)),
                "spend" => Some(json!(currency::decimal(spent, &account.currency))),
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
        Some(odd) => Err(GraphError::parameter(format!("{odd} is not valid for fields param. please check"))),
    }
}

/// First and last day: those of `time_range`, else of `date_preset`, which is `last_30d` when it
/// is left out. The presets that begin with `last` end yesterday.
fn days(params: &Params, today: Date) -> Result<(Date, Date), GraphError> {
    if let Some(text) = params.text("time_range") {
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
        // As far back as there are reports: 37 months.
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
        other => return Err(GraphError::unimitated(other)),
    })
}
