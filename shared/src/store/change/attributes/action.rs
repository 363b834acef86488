//! The attributes of what a change does.

use super::{amount, corrupt_record, period, status};
use crate::domain::{
    Action, CampaignChanges, CampaignDefaults, CampaignDraft, ChangeKind, DateChange, Goal, Moment, NewCampaign,
    NewMonthlyBudget,
};
use crate::error::Error;
use crate::store::campaign_defaults::DefaultsAttribute;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// What a change does: its kind, and the attributes of that kind.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(in crate::store::change) struct ActionAttributes {
    kind: String,
    draft: Option<DraftAttribute>,
    held_start_at: Option<Timestamp>,
    held_end_at: Option<Timestamp>,
    monthly: Option<NewMonthlyBudgetAttribute>,
    key_digest: Option<String>,
    changes: Option<ChangesAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct DraftAttribute {
    name: String,
    goal: String,
    budget_amount: String,
    budget_period: String,
    start_at: Option<String>,
    end_at: Option<String>,
    defaults: Option<DefaultsAttribute>,
}

/// The monthly budget of a create.
#[derive(Serialize, Deserialize)]
struct NewMonthlyBudgetAttribute {
    amount: String,
    day: Date,
}

impl NewMonthlyBudgetAttribute {
    fn parse(self) -> Result<NewMonthlyBudget, Error> {
        Ok(NewMonthlyBudget { amount: amount(&self.amount)?, day: self.day })
    }
}

/// Fields of a campaign: those that an update asks for, or those that its campaign must still have.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(in crate::store::change) struct ChangesAttribute {
    name: Option<String>,
    status: Option<String>,
    budget_amount: Option<String>,
    budget_period: Option<String>,
    start_at: Option<DateAttribute>,
    end_at: Option<DateAttribute>,
}

/// A change of a date. Without a time it takes the date away.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct DateAttribute {
    at: Option<Timestamp>,
}

impl From<&Action> for ActionAttributes {
    fn from(action: &Action) -> ActionAttributes {
        let kind = action.kind().as_str().to_owned();
        let none = ActionAttributes {
            kind,
            draft: None,
            held_start_at: None,
            held_end_at: None,
            monthly: None,
            key_digest: None,
            changes: None,
        };
        match action {
            Action::Create(NewCampaign { draft, held_start_at, held_end_at, monthly, key_digest }) => {
                ActionAttributes {
                    draft: Some(draft.into()),
                    held_start_at: *held_start_at,
                    held_end_at: *held_end_at,
                    monthly: monthly.map(|NewMonthlyBudget { amount, day }| NewMonthlyBudgetAttribute {
                        amount: amount.to_string(),
                        day,
                    }),
                    key_digest: key_digest.clone(),
                    ..none
                }
            }
            Action::Update(changes) => ActionAttributes { changes: Some(changes.into()), ..none },
            Action::Delete => none,
        }
    }
}

impl ActionAttributes {
    pub(in crate::store::change) fn parse(self) -> Result<Action, Error> {
        let ActionAttributes { kind, draft, held_start_at, held_end_at, monthly, key_digest, changes } = self;
        match (ChangeKind::parse(&kind), draft, changes) {
            (Some(ChangeKind::Create), Some(draft), _) => {
                let monthly = monthly.map(NewMonthlyBudgetAttribute::parse).transpose()?;
                let draft = draft.parse()?;
                Ok(Action::Create(NewCampaign { draft, held_start_at, held_end_at, monthly, key_digest }))
            }
            (Some(ChangeKind::Update), _, Some(changes)) => Ok(Action::Update(changes.parse()?)),
            (Some(ChangeKind::Delete), ..) => Ok(Action::Delete),
            _ => Err(corrupt_record()),
        }
    }
}

impl From<&CampaignDraft> for DraftAttribute {
    fn from(draft: &CampaignDraft) -> DraftAttribute {
        let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at, defaults } = draft;
        DraftAttribute {
            name: name.clone(),
            goal: goal.as_str().to_owned(),
            budget_amount: budget_amount.to_string(),
            budget_period: budget_period.as_str().to_owned(),
            start_at: start_at.map(|moment| moment.to_string()),
            end_at: end_at.map(|moment| moment.to_string()),
            defaults: defaults.as_ref().map(DefaultsAttribute::from),
        }
    }
}

impl DraftAttribute {
    fn parse(self) -> Result<CampaignDraft, Error> {
        let moment =
            |text: Option<String>| text.map(|text| Moment::parse(&text).ok_or_else(corrupt_record)).transpose();
        let goal = Goal::parse(&self.goal).ok_or_else(corrupt_record)?;
        Ok(CampaignDraft {
            name: self.name,
            goal,
            budget_amount: amount(&self.budget_amount)?,
            budget_period: period(&self.budget_period)?,
            start_at: moment(self.start_at)?,
            end_at: moment(self.end_at)?,
            defaults: self.defaults.map(CampaignDefaults::from),
        })
    }
}

impl From<&CampaignChanges> for ChangesAttribute {
    fn from(changes: &CampaignChanges) -> ChangesAttribute {
        let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
        let date = |change: &DateChange| DateAttribute { at: change.date() };
        ChangesAttribute {
            name: name.clone(),
            status: status.map(|status| status.as_str().to_owned()),
            budget_amount: budget_amount.map(|amount| amount.to_string()),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            start_at: start_at.as_ref().map(date),
            end_at: end_at.as_ref().map(date),
        }
    }
}

impl ChangesAttribute {
    pub(in crate::store::change) fn parse(self) -> Result<CampaignChanges, Error> {
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
