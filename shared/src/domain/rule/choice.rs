//! Values that a field chooses from.

use crate::domain::webhook_endpoint::EventTypesError;
use crate::domain::{BudgetPeriod, CampaignStatus, Goal, Platform};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a chosen value must satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceRule {
    /// It must be there. Some fields name the values.
    Required { one_of: Option<String> },
    /// It is one of these names, with what else to know of them.
    OneOf(String),
    /// It is one that the platform offers.
    Offered { platform: Platform, instead: Option<Accepted> },
    /// It is a budget period that the platform offers with the campaign's goal.
    OfferedWithGoal { platform: Platform, instead: Accepted },
    /// It is one that the platform lets a change set.
    Settable { platform: Platform, instead: Accepted },
    /// It is a currency.
    Currency,
    /// There is at least one connection.
    SomeConnection,
    /// There is at least one scope, out of these.
    SomeScope(String),
    /// It is a list of types of events.
    #[serde(skip)]
    EventTypes(EventTypesError),
}

/// Values that a field can have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Accepted {
    Goals(Vec<Goal>),
    Periods(Vec<BudgetPeriod>),
    Statuses(Vec<CampaignStatus>),
}

impl ChoiceRule {
    pub(super) fn accepted(&self) -> Option<&Accepted> {
        match self {
            ChoiceRule::Offered { instead, .. } => instead.as_ref(),
            ChoiceRule::OfferedWithGoal { instead, .. } | ChoiceRule::Settable { instead, .. } => Some(instead),
            ChoiceRule::Required { .. }
            | ChoiceRule::OneOf(_)
            | ChoiceRule::Currency
            | ChoiceRule::SomeConnection
            | ChoiceRule::SomeScope(_)
            | ChoiceRule::EventTypes(_) => None,
        }
    }
}

impl fmt::Display for ChoiceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceRule::Required { one_of: None } => f.write_str("is required"),
            ChoiceRule::Required { one_of: Some(names) } => write!(f, "is required: one of {names}"),
            ChoiceRule::OneOf(names) => write!(f, "must be one of {names}"),
            ChoiceRule::Offered { platform, .. } => write!(f, "is not offered on {}", platform.display_name()),
            ChoiceRule::OfferedWithGoal { platform, .. } => {
                write!(f, "is not offered on {} with this goal", platform.display_name())
            }
            ChoiceRule::Settable { platform, .. } => {
                write!(f, "cannot be set to this value on {}", platform.display_name())
            }
            ChoiceRule::Currency => f.write_str("must be a three-letter code of ISO 4217, such as USD"),
            ChoiceRule::SomeConnection => f.write_str("must have at least one connection"),
            ChoiceRule::SomeScope(names) => write!(f, "must have at least one of {names}"),
            ChoiceRule::EventTypes(reason) => reason.fmt(f),
        }
    }
}
