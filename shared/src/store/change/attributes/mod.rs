//! The attributes of a change that are maps of their own.

mod action;
mod pacing;

pub(super) use action::ActionAttributes;
pub(super) use pacing::PacingAttribute;

use crate::domain::{
    Approval, BudgetPeriod, CampaignStatus, CampaignValues, ChangeError, Currency, KeyId, PersonId, Reason, Requester,
};
use crate::error::Error;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

const API_KEY: &str = "API_KEY";
const PERSON: &str = "PERSON";

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct ValuesAttribute {
    name: String,
    status: String,
    budget_amount: Option<String>,
    budget_period: Option<String>,
    currency: String,
    start_at: Option<Timestamp>,
    end_at: Option<Timestamp>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct RequesterAttribute {
    kind: String,
    id: String,
    /// The name of a key, or the e-mail address of a person.
    name: Option<String>,
}

/// The approval of a change by a person.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct ApprovalAttribute {
    by: RequesterAttribute,
    at: Timestamp,
    seen: Option<ValuesAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct ErrorAttribute {
    code: String,
    /// Absent in records of before reasons.
    reason: Option<String>,
    message: String,
    is_refusal: bool,
    platform_code: Option<String>,
    platform_message: Option<String>,
    field: Option<String>,
}

impl From<&CampaignValues> for ValuesAttribute {
    fn from(values: &CampaignValues) -> ValuesAttribute {
        let CampaignValues { name, status, budget_amount, budget_period, currency, start_at, end_at } = values;
        ValuesAttribute {
            name: name.clone(),
            status: status.as_str().to_owned(),
            budget_amount: budget_amount.map(|amount| amount.to_string()),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            currency: currency.code().to_owned(),
            start_at: *start_at,
            end_at: *end_at,
        }
    }
}

impl ValuesAttribute {
    pub(in crate::store) fn parse(self) -> Result<CampaignValues, Error> {
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

impl From<&Approval> for ApprovalAttribute {
    fn from(Approval { by, at, seen }: &Approval) -> ApprovalAttribute {
        ApprovalAttribute { by: by.into(), at: *at, seen: seen.as_ref().map(Into::into) }
    }
}

impl ApprovalAttribute {
    pub(super) fn parse(self) -> Result<Approval, Error> {
        let seen = self.seen.map(ValuesAttribute::parse).transpose()?;
        Ok(Approval { by: self.by.parse()?, at: self.at, seen })
    }
}

impl From<&ChangeError> for ErrorAttribute {
    fn from(error: &ChangeError) -> ErrorAttribute {
        let ChangeError { code, reason, message, is_refusal, platform_code, platform_message, field } = error.clone();
        let reason = reason.map(|reason| reason.as_str().to_owned());
        ErrorAttribute { code, reason, message, is_refusal, platform_code, platform_message, field }
    }
}

impl From<ErrorAttribute> for ChangeError {
    fn from(error: ErrorAttribute) -> ChangeError {
        let ErrorAttribute { code, reason, message, is_refusal, platform_code, platform_message, field } = error;
        let reason = reason.as_deref().and_then(Reason::parse);
        ChangeError { code, reason, message, is_refusal, platform_code, platform_message, field }
    }
}

pub(super) fn status(name: &str) -> Result<CampaignStatus, Error> {
    CampaignStatus::parse(name).ok_or_else(corrupt_record)
}

fn period(name: &str) -> Result<BudgetPeriod, Error> {
    BudgetPeriod::parse(name).ok_or_else(corrupt_record)
}

fn amount(text: &str) -> Result<Decimal, Error> {
    Decimal::from_str_exact(text).map_err(Error::internal)
}

pub(super) fn corrupt_record() -> Error {
    Error::internal("a change has a malformed attribute")
}
