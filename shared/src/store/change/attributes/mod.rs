//! The attributes of a change that are maps of their own.

mod action;
mod monthly;

pub(super) use action::{ActionAttributes, ChangesAttribute};
pub(super) use monthly::MonthlyBudgetAttribute;

use crate::domain::{
    Approval, BudgetPeriod, CampaignStatus, CampaignValues, ChangeError, Currency, KeyId, PersonId, Reason, Requester,
    Statement,
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
    /// The message as data, in JSON; absent for plain words. Other code than this may not know it, and takes the words.
    said: Option<String>,
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
        let said = (!matches!(message, Statement::Text(_))).then(|| serde_json::to_string(&message).ok()).flatten();
        let message = message.to_string();
        ErrorAttribute { code, reason, message, said, is_refusal, platform_code, platform_message, field }
    }
}

impl From<ErrorAttribute> for ChangeError {
    fn from(error: ErrorAttribute) -> ChangeError {
        let ErrorAttribute { code, reason, message, said, is_refusal, platform_code, platform_message, field } = error;
        let said = said.and_then(|said| serde_json::from_str(&said).ok());
        let message = said.unwrap_or(Statement::Text(message));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ChangeStatement, ConnectionStatement, FieldError, Platform, TimeRule};

    fn stored(message: impl Into<Statement>) -> ErrorAttribute {
        ErrorAttribute::from(&ChangeError { message: message.into(), ..ChangeError::default() })
    }

    #[test]
    fn an_error_is_read_with_its_data() {
        let ended = ConnectionStatement::AuthorizationEnded(Platform::Beta);
        let fields = vec![FieldError::new("end_at", TimeRule::AfterStart)];
        for message in [
            Statement::from(ended).and(ChangeStatement::FieldsUnknown(vec!["name".to_owned()])),
            Statement::Fields(fields),
            Statement::from("Meta refused the request: Too low."),
        ] {
            let attribute = stored(message.clone());
            assert_eq!(attribute.message, message.to_string());
            assert_eq!(ChangeError::from(attribute).message, message);
        }
    }

    #[test]
    fn an_error_whose_data_is_not_known_is_read_with_its_words() {
        let unknown = ErrorAttribute { said: Some("{\"Later\":1}".to_owned()), ..stored("No.") };
        assert_eq!(ChangeError::from(unknown).message, Statement::from("No."));
        assert_eq!(stored("No.").said, None, "words are no data");
    }
}
