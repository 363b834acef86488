//! Reports.
//!
//! Marketing API: Ad Insights reference, Ads Action Stats; Manage Your Ad Object's Status. `spend` is a decimal string
//! in major units, and every other number is a string too. A report has no row without delivery, and a row has no
//! action that did not happen. Not verified: the order of rows.

use super::account::Account;
use super::campaign::Campaign;
use super::currency;
use super::error::GraphError;
use super::filter::Filter;
use super::insights_range::parts;
use super::params::Params;
use crate::delivery::{self, Delivery};
use crate::money::decimal;
use jiff::civil::Date;
use serde::{Serialize, Serializer};
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
    "actions",
    "action_values",
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
    /// First and last day of each row.
    parts: Vec<(Date, Date)>,
    level: Level,
    filter: Filter,
}

impl<'a> Report<'a> {
    /// Reads the parameters of a call. `level` is the default level.
    pub(crate) fn read(params: &'a Params, level: Level, today: Date) -> Result<Self, GraphError> {
        const UNSUPPORTED: &[&str] = &[
            "breakdowns",
            "time_ranges",
            "action_attribution_windows",
            "action_breakdowns",
            "action_report_time",
            "sort",
        ];
        if let Some(name) = params.first_present(UNSUPPORTED) {
            return Err(GraphError::unsupported(name));
        }
        let level = match params.choice("level", &["account", "campaign", "adset", "ad"])? {
            None => level,
            Some("account") => Level::Account,
            Some("campaign") => Level::Campaign,
            Some(_) => Level::BelowCampaign,
        };
        let parts = parts(params, today)?;
        let fields = fields(params.string("fields"))?;
        Ok(Self { fields, parts, level, filter: Filter::read(params)? })
    }

    /// The rows of an account, with their paging keys. Its archived and deleted campaigns have rows of their own only
    /// with a filter on the status; the account's own row contains them.
    pub(crate) fn of_account<'r>(&'r self, account: &'r Account) -> Vec<(u64, Row<'r>)> {
        let is_listed = |one: &&Campaign| match self.level {
            Level::Campaign => self.filter.lists(one),
            Level::Account | Level::BelowCampaign => self.filter.matches(one),
        };
        self.rows(account, &account.campaigns.values().filter(is_listed).collect::<Vec<_>>())
    }

    /// The rows of a campaign in any state, with their paging keys.
    pub(crate) fn of_campaign<'r>(&'r self, account: &'r Account, campaign: &'r Campaign) -> Vec<(u64, Row<'r>)> {
        let matching: Vec<&Campaign> = [campaign].into_iter().filter(|one| self.filter.matches(one)).collect();
        self.rows(account, &matching)
    }

    /// The rows of campaigns, newest campaign first and oldest day first.
    fn rows<'r>(&'r self, account: &'r Account, campaigns: &[&'r Campaign]) -> Vec<(u64, Row<'r>)> {
        let groups: Vec<(Option<&Campaign>, Vec<&Campaign>)> = match self.level {
            Level::BelowCampaign => Vec::new(),
            Level::Account => vec![(None, campaigns.to_vec())],
            Level::Campaign => campaigns.iter().rev().map(|one| (Some(*one), vec![*one])).collect(),
        };
        let rows = groups.iter().flat_map(|(campaign, of)| {
            let reported = self.parts.iter().filter_map(move |part| Some((*part, delivered(of, part.0, part.1)?)));
            reported.map(move |(part, total)| Row { fields: &self.fields, account, campaign: *campaign, part, total })
        });
        (0..).zip(rows).collect()
    }
}

/// A row of a report. It becomes JSON only on the page that contains it, because a report can have many pages.
pub(crate) struct Row<'a> {
    fields: &'a [&'a str],
    account: &'a Account,
    campaign: Option<&'a Campaign>,
    part: (Date, Date),
    total: Delivery,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl Row<'_> {
    fn json(&self) -> Map<String, Value> {
        let Row { fields, account, campaign, part, total } = self;
        let mut row = Map::new();
        for name in *fields {
            let value = match *name {
                "account_id" => Some(json!(account.id.to_string())),
                "account_name" => Some(json!(account.name)),
                "account_currency" => Some(json!(account.currency)),
                "campaign_id" => campaign.map(|one| json!(one.id.to_string())),
                "campaign_name" => campaign.map(|one| json!(one.name)),
                "objective" => campaign.map(|one| json!(one.objective)),
                "spend" => Some(json!(spend(total, account))),
                "impressions" => Some(json!(total.impressions.to_string())),
                "clicks" => Some(json!(total.clicks.to_string())),
                "actions" => actions(*campaign, total, total.conversions, total.clicks),
                "action_values" => actions(*campaign, total, total.conversion_value, 0),
                _ => None,
            };
            row.extend(value.map(|value| ((*name).to_owned(), value)));
        }
        row.insert("date_start".to_owned(), json!(part.0.to_string()));
        row.insert("date_stop".to_owned(), json!(part.1.to_string()));
        row
    }
}

/// The delivery of campaigns on some days; `None` where nothing was delivered.
fn delivered(campaigns: &[&Campaign], first: Date, last: Date) -> Option<Delivery> {
    let mut total = Delivery::default();
    let days = campaigns.iter().filter_map(|one| delivery::sum(&one.delivered, first, last));
    days.for_each(|day| total.add(&day));
    (total != Delivery::default()).then_some(total)
}

fn spend(total: &Delivery, account: &Account) -> String {
    let sign = if total.spend < 0 { "-" } else { "" };
    let spend = currency::units(total.spend.saturating_abs(), &account.currency);
    format!("{sign}{}", currency::format(spend, &account.currency))
}

/// `actions` or `action_values`: the same conversions under each of their names, and clicks on links. Absent without
/// any.
fn actions(campaign: Option<&Campaign>, total: &Delivery, amount: i64, clicks: u64) -> Option<Value> {
    let names: &[&str] = match campaign.map(|one| one.objective.as_str()) {
        Some("OUTCOME_LEADS") => &["lead", "offsite_conversion.fb_pixel_lead"],
        Some("OUTCOME_APP_PROMOTION") => &["mobile_app_install", "omni_app_install"],
        _ => &["purchase", "omni_purchase", "offsite_conversion.fb_pixel_purchase", "onsite_web_purchase"],
    };
    let mut actions = Vec::new();
    if clicks > 0 {
        actions.push(json!({ "action_type": "link_click", "value": clicks.to_string() }));
    }
    if total.conversions > 0 && amount > 0 {
        actions.extend(names.iter().map(|name| json!({ "action_type": name, "value": decimal(amount, 0) })));
    }
    (!actions.is_empty()).then_some(Value::Array(actions))
}

fn fields(text: Option<&str>) -> Result<Vec<&str>, GraphError> {
    let text = text.unwrap_or("account_id,campaign_id,impressions,spend");
    let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !FIELDS.contains(name)) {
        None => Ok(names),
        Some(name) => Err(GraphError::parameter(format!("{name} is not valid for fields param. please check"))),
    }
}
