//! The attributes of a change that are maps of their own.

use crate::domain::{
    BudgetPeriod, CampaignChanges, CampaignDraft, CampaignStatus, CampaignValues, ChangeError, Currency, DateChange,
    Goal, KeyId, Moment, PersonId, Requester,
};
use crate::error::Error;
use crate::store::campaign_records::{goal_name, parse_budget_period, parse_goal};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

const API_KEY: &str = "API_KEY";
const PERSON: &str = "PERSON";

#[derive(Serialize, Deserialize)]
pub(super) struct DraftAttribute {
    name: String,
    goal: String,
    budget_amount: String,
    budget_period: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_at: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ChangesAttribute {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget_amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget_period: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_at: Option<DateAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_at: Option<DateAttribute>,
}

/// A change of a date. Without a time it takes the date away.
#[derive(Serialize, Deserialize)]
struct DateAttribute {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ValuesAttribute {
    name: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget_amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget_period: Option<String>,
    currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct RequesterAttribute {
    kind: String,
    id: String,
    /// The name of a key, or the e-mail address of a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ErrorAttribute {
    code: String,
    message: String,
    is_refusal: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    platform_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    platform_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl From<&CampaignDraft> for DraftAttribute {
    fn from(draft: &CampaignDraft) -> DraftAttribute {
        let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at } = draft;
        DraftAttribute {
            name: name.clone(),
            goal: goal_name(*goal).to_owned(),
            budget_amount: budget_amount.to_string(),
            budget_period: budget_period.as_str().to_owned(),
            start_at: start_at.map(|moment| moment.to_string()),
            end_at: end_at.map(|moment| moment.to_string()),
        }
    }
}

impl DraftAttribute {
    pub(super) fn parse(self) -> Result<CampaignDraft, Error> {
        let moment =
            |text: Option<String>| text.map(|text| Moment::parse(&text).ok_or_else(corrupt_record)).transpose();
        let goal: Goal = parse_goal(&self.goal).ok_or_else(corrupt_record)?;
        Ok(CampaignDraft {
            name: self.name,
            goal,
            budget_amount: amount(&self.budget_amount)?,
            budget_period: period(&self.budget_period)?,
            start_at: moment(self.start_at)?,
            end_at: moment(self.end_at)?,
        })
    }
}

impl From<&CampaignChanges> for ChangesAttribute {
    fn from(changes: &CampaignChanges) -> ChangesAttribute {
        let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
        let date = |change: &DateChange| DateAttribute { at: change.date() };
        ChangesAttribute {
            name: name.clone(),
            status: status.map(|status| status_name(status).to_owned()),
            budget_amount: budget_amount.map(|amount| amount.to_string()),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            start_at: start_at.as_ref().map(date),
            end_at: end_at.as_ref().map(date),
        }
    }
}

impl ChangesAttribute {
    pub(super) fn parse(self) -> Result<CampaignChanges, Error> {
        let date = |date: DateAttribute| date.at.map_or(DateChange::Clear, DateChange::Set);
        Ok(CampaignChanges {
            name: self.name,
            status: self.status.as_deref().map(status).transpose()?,
            budget_amount: self.budget_amount.as_deref().map(amount).transpose()?,
            budget_period: self.budget_period.as_deref().map(period).transpose()?,
            start_at: self.start_at.map(date),
            end_at: self.end_at.map(date),
        })
    }
}

impl From<&CampaignValues> for ValuesAttribute {
    fn from(values: &CampaignValues) -> ValuesAttribute {
        let CampaignValues { name, status, budget_amount, budget_period, currency, start_at, end_at } = values;
        ValuesAttribute {
            name: name.clone(),
            status: status_name(*status).to_owned(),
            budget_amount: budget_amount.map(|amount| amount.to_string()),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            currency: currency.code().to_owned(),
            start_at: *start_at,
            end_at: *end_at,
        }
    }
}

impl ValuesAttribute {
    pub(super) fn parse(self) -> Result<CampaignValues, Error> {
        Ok(CampaignValues {
            name: self.name,
            status: status(&self.status)?,
            budget_amount: self.budget_amount.as_deref().map(amount).transpose()?,
            budget_period: self.budget_period.as_deref().map(period).transpose()?,
            currency: Currency::from_code(&self.currency).ok_or_else(corrupt_record)?,
            start_at: self.start_at,
            end_at: self.end_at,
        })
    }
}

impl From<&Requester> for RequesterAttribute {
    fn from(requester: &Requester) -> RequesterAttribute {
        let (kind, id, name) = match requester {
            Requester::ApiKey { id, name } => (API_KEY, &id.0, Some(name.clone())),
            Requester::Person { id, email } => (PERSON, &id.0, email.clone()),
        };
        RequesterAttribute { kind: kind.to_owned(), id: id.clone(), name }
    }
}

impl RequesterAttribute {
    pub(super) fn parse(self) -> Result<Requester, Error> {
        match self.kind.as_str() {
            API_KEY => Ok(Requester::ApiKey { id: KeyId(self.id), name: self.name.unwrap_or_default() }),
            PERSON => Ok(Requester::Person { id: PersonId(self.id), email: self.name }),
            _ => Err(corrupt_record()),
        }
    }
}

impl From<&ChangeError> for ErrorAttribute {
    fn from(error: &ChangeError) -> ErrorAttribute {
        let ChangeError { code, message, is_refusal, platform_code, platform_message, field } = error.clone();
        ErrorAttribute { code, message, is_refusal, platform_code, platform_message, field }
    }
}

impl From<ErrorAttribute> for ChangeError {
    fn from(error: ErrorAttribute) -> ChangeError {
        let ErrorAttribute { code, message, is_refusal, platform_code, platform_message, field } = error;
        ChangeError { code, message, is_refusal, platform_code, platform_message, field }
    }
}

pub(super) fn status(name: &str) -> Result<CampaignStatus, Error> {
    let named = |status: &CampaignStatus| status_name(*status) == name;
    CampaignStatus::ALL.into_iter().find(named).ok_or_else(corrupt_record)
}

pub(super) fn status_name(status: CampaignStatus) -> &'static str {
    match status {
        CampaignStatus::Active => "ACTIVE",
        CampaignStatus::Paused => "PAUSED",
        CampaignStatus::Ended => "ENDED",
        CampaignStatus::Draft => "DRAFT",
        CampaignStatus::Archived => "ARCHIVED",
        CampaignStatus::ScheduledForDeletion => "SCHEDULED_FOR_DELETION",
        CampaignStatus::Unspecified => "UNSPECIFIED",
    }
}

fn period(name: &str) -> Result<BudgetPeriod, Error> {
    parse_budget_period(name).ok_or_else(corrupt_record)
}

fn amount(text: &str) -> Result<Decimal, Error> {
    Decimal::from_str_exact(text).map_err(Error::internal)
}

pub(super) fn corrupt_record() -> Error {
    Error::internal("a change has a malformed attribute")
}
