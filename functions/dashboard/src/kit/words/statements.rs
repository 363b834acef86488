//! What an error says, without what only programs can do.

use super::reasons;
use super::rules::{Subject, requirement};
use crate::kit::text::readable;
use shared::domain::{ChangeStatement, ConnectionStatement, FieldError, PlanStatement, RetryStatement, Statement};
use shared::error::Error;

/// The sentences of an error: those of its fields, if it is about any, or else what its reason means to a person.
pub(crate) fn error(error: &Error) -> String {
    if error.details.is_empty() { reasons::refused(error) } else { fields(&error.details) }
}

/// The sentences for fields that no form shows.
pub(crate) fn fields(errors: &[FieldError]) -> String {
    sentences(errors.iter().map(field))
}

/// The sentences of a statement.
pub(crate) fn message(statement: &Statement) -> String {
    match statement {
        Statement::Text(words) => words.clone(),
        Statement::Several(all) => sentences(all.iter().map(message)),
        Statement::Fields(errors) => fields(errors),
        Statement::NoSuch(what) => format!("There is no such {what}."),
        Statement::Change(said) => of_a_change(said),
        Statement::Connection(said) => of_a_connection(said),
        Statement::Plan(said) => of_a_plan(said),
        Statement::Retry(said) => of_a_retry(*said).to_owned(),
    }
}

fn sentences(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join(" ")
}

/// The sentence for a field that no form shows.
pub(crate) fn field(FieldError { field, rule }: &FieldError) -> String {
    let label = match field.as_str() {
        "name" => "Name",
        "goal" => "Goal",
        "status" => "Status",
        "budget_amount" => "Budget",
        "budget_period" => "Period",
        "start_at" => "Start",
        "end_at" => "End",
        other => other,
    };
    requirement(&Subject { field, label, typed: "" }, rule)
}

fn of_a_change(said: &ChangeStatement) -> String {
    match said {
        ChangeStatement::CreateUnknown { platform, name, request: _, is_keyed: _ } => {
            format!("{} has not confirmed “{name}” yet. We are checking.", platform.display_name())
        }
        ChangeStatement::CreatedActive { name, campaign, request: _ } => format!(
            "{} created “{name}” as active, so it may be running. We are pausing it.",
            campaign.platform().display_name()
        ),
        ChangeStatement::OpenCreates { name, number: _ } => format!(
            "Earlier campaigns with the name “{name}” are not confirmed yet, so nothing was sent. Wait, or choose another \
             name."
        ),
        ChangeStatement::FieldsUnknown(_) => {
            "It is not known yet whether the change is made. We are checking.".to_owned()
        }
        ChangeStatement::RemovalUnknown => {
            "It is not known yet whether the campaign is deleted. We are checking.".to_owned()
        }
        ChangeStatement::NotNow(reason) => format!("This is not possible now: {}", message(reason)),
        ChangeStatement::MonthSpent { until } => format!(
            "The budget of this month is spent. Raise it to restart now. Otherwise the campaign restarts at {}, unless somebody \
             has paused it since: activate it then.",
            readable(*until)
        ),
    }
}

fn of_a_connection(said: &ConnectionStatement) -> String {
    match said {
        ConnectionStatement::Missing { account, .. } | ConnectionStatement::Broken { account, .. } => {
            format!("The ad account {account} has no working connection. Look at it under Connections.")
        }
        ConnectionStatement::Ended { account, platform: _ } => {
            format!("The ad account {account} is no longer connected. Connect it again under Connections.")
        }
        ConnectionStatement::AuthorizationEnded(platform) => format!(
            "{} no longer accepts this authorization. Connect the ad account again under Connections.",
            platform.display_name()
        ),
        ConnectionStatement::CurrencyChanged { account, currency } => {
            format!("The ad account {account} has the currency {} now. Check it under Connections.", currency.code())
        }
    }
}

fn of_a_plan(said: &PlanStatement) -> String {
    match said {
        PlanStatement::Connections { plan, most, larger } => format!(
            "All {most} connections of plan {} are used. Remove one, or upgrade to {}.",
            plan.as_str(),
            larger.as_str()
        ),
        PlanStatement::Authorizations { plan: _, most } => {
            format!("{most} connections are in progress. Finish one, or remove one.")
        }
        PlanStatement::Targets { plan, larger: _ } => {
            format!("Plan {} creates in one ad account at a time.", plan.as_str())
        }
        PlanStatement::Had { plan, status } => format!(
            "You already have the plan {} ({}). Manage the subscription in the portal.",
            plan.as_str(),
            status.as_str()
        ),
        PlanStatement::Subscribed(status) => format!(
            "You already have a subscription ({}) and would pay for a second one as well. Change or cancel it in the \
             portal.",
            status.as_str()
        ),
        PlanStatement::Repeated(_) => "Nothing was charged. Try again.".to_owned(),
    }
}

fn of_a_retry(said: RetryStatement) -> &'static str {
    match said {
        RetryStatement::InProgress => {
            "An earlier send of this form, or another campaign with this name, is still in progress."
        }
        RetryStatement::OtherRequest => "This form was sent before with other values, so nothing more was done.",
        RetryStatement::EarlierUnknown => {
            "What became of the earlier send is not known. Send the form again as it is: nothing is done twice."
        }
    }
}
