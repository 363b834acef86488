//! The flat shape: bare campaigns, lower-case platforms, flat errors (spec 2.2, 4.1, 7.1).

use super::body;
use super::fields::Fields;
use super::request::{AccountChoice, CreateRequest, Target, Targets, UpdateRequest};
use super::wire::{Number, iso_millis};
use crate::domain::{BudgetPeriod, Campaign, CampaignChanges, CampaignStatus, Goal, Platform, StatusSet};
use crate::error::{Error, Kind};
use jiff::Timestamp;
use serde::Serialize;

pub(super) const PERIODS: [BudgetPeriod; 2] = [BudgetPeriod::Daily, BudgetPeriod::Lifetime];
pub(super) const GOALS: [(&str, Goal); 5] = [
    ("CONVERSIONS", Goal::Conversions),
    ("AWARENESS", Goal::BrandAwareness),
    ("TRAFFIC", Goal::WebsiteTraffic),
    ("LEADS", Goal::Leads),
    ("SALES", Goal::Sales),
];
pub(super) const STATUSES: [&str; 4] = ["ACTIVE", "PAUSED", "REMOVED", "ENDED"];

/// Reads the body of a create.
pub(crate) fn read_create(text: &[u8]) -> Result<CreateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let name = body::name(&mut fields);
    let goal = body::goal(&mut fields, &GOALS);
    let amount = body::budget_amount(&mut fields);
    let period = body::budget_period(&mut fields, &PERIODS);
    let platform = platform(&mut fields);
    let connection = fields.string("connection_id");
    let (start_at, end_at) = body::dates(&mut fields);
    let required = (
        fields.require("name", name),
        fields.require("goal", goal),
        fields.require("budget_amount", amount),
        fields.require("budget_period", period),
        fields.require("platform", platform),
    );
    fields.finish()?;
    let (Some(name), Some(goal), Some(budget_amount), Some(budget_period), Some(platform)) = required else {
        return Err(Error::internal("a required field was neither there nor reported"));
    };
    let choice = connection.map_or(AccountChoice::TheOnlyOne, AccountChoice::Connection);
    let targets = Targets::One(Target { platform, choice });
    Ok(CreateRequest { name, goal, budget_amount, budget_period, currency: None, start_at, end_at, targets })
}

/// Reads the body of a PATCH.
pub(crate) fn read_update(text: &[u8]) -> Result<UpdateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let changes = CampaignChanges {
        name: body::name(&mut fields),
        status: fields.one_of("status", &STATUSES, read_status),
        budget_amount: body::budget_amount(&mut fields),
        budget_period: body::budget_period(&mut fields, &PERIODS),
    };
    fields.finish()?;
    Ok(UpdateRequest { changes, organization_id: None })
}

fn platform(fields: &mut Fields<'_>) -> Option<Platform> {
    let words = Platform::ALL.map(Platform::as_str);
    fields.one_of("platform", &words, Platform::parse)
}

fn read_status(word: &str) -> Option<CampaignStatus> {
    match word {
        "ACTIVE" => Some(CampaignStatus::Active),
        "PAUSED" => Some(CampaignStatus::Paused),
        "REMOVED" => Some(CampaignStatus::Archived),
        "ENDED" => Some(CampaignStatus::Ended),
        _ => None,
    }
}

/// The states that a status filter's word stands for: those that read as it.
pub(crate) fn status_filter(word: &str) -> Result<StatusSet, Error> {
    let statuses: Vec<CampaignStatus> =
        CampaignStatus::ALL.into_iter().filter(|status| status_word(*status) == Some(word)).collect();
    if statuses.is_empty() {
        return Err(Error::field("status", format!("must be one of {}", STATUSES.join(", "))));
    }
    Ok(StatusSet::of(&statuses))
}

fn status_word(status: CampaignStatus) -> Option<&'static str> {
    match status {
        CampaignStatus::Active => Some("ACTIVE"),
        CampaignStatus::Paused | CampaignStatus::Draft => Some("PAUSED"),
        CampaignStatus::Ended => Some("ENDED"),
        CampaignStatus::Archived | CampaignStatus::ScheduledForDeletion => Some("REMOVED"),
        CampaignStatus::Unspecified => None,
    }
}

/// Goals in this shape's words, each once.
pub(super) fn goal_words(goals: &[Goal]) -> Vec<&'static str> {
    distinct(goals.iter().filter_map(|goal| goal_word(*goal)))
}

/// Periods in this shape's words, each once.
pub(super) fn period_words(periods: &[BudgetPeriod]) -> Vec<&'static str> {
    distinct(periods.iter().map(|period| period_word(*period)))
}

/// States in this shape's words, each once.
pub(super) fn status_words(statuses: &[CampaignStatus]) -> Vec<&'static str> {
    distinct(statuses.iter().filter_map(|status| status_word(*status)))
}

fn distinct(words: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut seen = Vec::new();
    for word in words {
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    seen
}

fn goal_word(goal: Goal) -> Option<&'static str> {
    match goal {
        Goal::BrandAwareness | Goal::Reach => Some("AWARENESS"),
        Goal::WebsiteTraffic => Some("TRAFFIC"),
        Goal::Leads => Some("LEADS"),
        Goal::Sales => Some("SALES"),
        Goal::Conversions => Some("CONVERSIONS"),
        Goal::AppPromotion => None,
    }
}

fn period_word(period: BudgetPeriod) -> &'static str {
    match period {
        BudgetPeriod::Daily => "DAILY",
        BudgetPeriod::Monthly => "MONTHLY",
        BudgetPeriod::Total | BudgetPeriod::Lifetime => "LIFETIME",
    }
}

/// A campaign in this shape.
#[derive(Serialize)]
pub(crate) struct FlatCampaign<'a> {
    id: String,
    platform: &'static str,
    remote_id: &'a str,
    name: &'a str,
    status: Option<&'static str>,
    goal: Option<&'static str>,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    currency: &'static str,
    created_at: Option<String>,
    updated_at: Option<String>,
}

impl<'a> From<&'a Campaign> for FlatCampaign<'a> {
    fn from(campaign: &'a Campaign) -> FlatCampaign<'a> {
        // The whole struct, so that a new field does not compile until this shape decides about it.
        let Campaign {
            id,
            account_id: _,
            remote_id,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            currency,
            total_spend_amount: _,
            start_at: _,
            end_at: _,
            created_at,
            updated_at,
            raw: _,
        } = campaign;
        FlatCampaign {
            id: id.to_string(),
            platform: id.platform().as_str(),
            remote_id,
            name,
            status: status_word(*status),
            goal: goal.and_then(goal_word),
            budget_amount: budget_amount.map(Number),
            budget_period: budget_period.map(period_word),
            currency: currency.code(),
            created_at: created_at.map(iso_millis),
            updated_at: updated_at.map(iso_millis),
        }
    }
}

/// An error in this shape (D2 in docs/decisions.md).
#[derive(Serialize)]
pub(crate) struct FlatError<'a> {
    error: &'a str,
    code: &'static str,
    timestamp: i64,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<FlatDetail<'a>>,
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform_error: Option<super::wire::WireFault<'a>>,
}

#[derive(Serialize)]
struct FlatDetail<'a> {
    field: &'a str,
    message: &'a str,
}

impl<'a> FlatError<'a> {
    pub(crate) fn new(error: &'a Error, request_id: &'a str, now: Timestamp) -> FlatError<'a> {
        FlatError {
            error: &error.message,
            code: code(error.kind),
            timestamp: now.as_second(),
            request_id,
            details: error
                .details
                .iter()
                .map(|fault| FlatDetail { field: &fault.field, message: &fault.message })
                .collect(),
            retryable: error.retryable,
            platform: error.platform.map(Platform::as_str),
            platform_error: error.platform_fault.as_ref().map(Into::into),
        }
    }
}

/// The code of an error; the only difference to the enveloped shape is VALIDATION_ERROR.
pub(crate) fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Validation => "VALIDATION_ERROR",
        other => super::enveloped::code(other),
    }
}
