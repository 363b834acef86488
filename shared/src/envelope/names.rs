//! The names of several goals, budget periods or statuses in a shape, and the messages that list them.

use super::{Shape, enveloped, flat};
use crate::domain::{Accepted, BudgetPeriod, CampaignStatus, FieldError, Goal};

/// The names of goals, without duplicates.
pub(super) fn goal_names(shape: Shape, goals: &[Goal]) -> Vec<&'static str> {
    distinct(goals.iter().filter_map(|goal| goal_name(shape, *goal)))
}

/// The name of a goal, if the shape has one.
pub(super) fn goal_name(shape: Shape, goal: Goal) -> Option<&'static str> {
    match shape {
        Shape::Flat => flat::goal_name(goal),
        Shape::Enveloped => Some(enveloped::goal_name(Some(goal))),
    }
}

/// The names of budget periods, without duplicates.
fn period_names(shape: Shape, periods: &[BudgetPeriod]) -> Vec<&'static str> {
    distinct(periods.iter().filter_map(|period| period_name(shape, *period)))
}

/// The name of a budget period. The flat shape has no months.
pub(super) fn period_name(shape: Shape, period: BudgetPeriod) -> Option<&'static str> {
    match (shape, period) {
        (Shape::Flat, BudgetPeriod::Monthly) => None,
        (Shape::Flat, _) => Some(flat::period_name(period)),
        (Shape::Enveloped, _) => Some(period.as_str()),
    }
}

/// The names of statuses, without duplicates.
pub(super) fn status_names(shape: Shape, statuses: &[CampaignStatus]) -> Vec<&'static str> {
    distinct(statuses.iter().filter_map(|status| status_name(shape, *status)))
}

/// The name of a status, if the shape has one.
pub(super) fn status_name(shape: Shape, status: CampaignStatus) -> Option<&'static str> {
    match shape {
        Shape::Flat => flat::status_name(status),
        Shape::Enveloped => Some(enveloped::status_name(status)),
    }
}

fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// The message of a field's error, with the accepted values as the shape spells them.
pub(super) fn message(error: &FieldError, shape: Shape) -> String {
    let names = match error.rule.accepted() {
        None => return error.rule.to_string(),
        Some(Accepted::Goals(goals)) => goal_names(shape, goals),
        Some(Accepted::Periods(periods)) => period_names(shape, periods),
        Some(Accepted::Statuses(statuses)) => status_names(shape, statuses),
    };
    match names.as_slice() {
        [] => error.rule.to_string(),
        [only] => format!("{}; use {only}", error.rule),
        several => format!("{}; use one of {}", error.rule, several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ChoiceRule, Platform};

    #[test]
    fn a_message_lists_the_values_of_the_requests_shape() {
        let goals = Accepted::Goals(vec![Goal::BrandAwareness, Goal::Reach, Goal::Sales, Goal::Conversions]);
        let statuses = Accepted::Statuses(vec![CampaignStatus::Active, CampaignStatus::Archived]);
        let whole_run = Accepted::Periods(vec![BudgetPeriod::Total, BudgetPeriod::Lifetime]);
        let days = Accepted::Periods(vec![BudgetPeriod::Daily, BudgetPeriod::Monthly]);
        let none = Accepted::Goals(vec![Goal::AppPromotion]);
        for (accepted, flat, enveloped) in [
            (goals, "no; use one of AWARENESS, SALES, CONVERSIONS", "no; use one of BRAND_AWARENESS, REACH, SALES"),
            (statuses, "no; use one of ACTIVE, REMOVED", "no; use one of ACTIVE, ARCHIVED"),
            (whole_run, "no; use LIFETIME", "no; use one of TOTAL, LIFETIME"),
            (days, "no; use DAILY", "no; use one of DAILY, MONTHLY"),
            (none, "no", "no; use APP_PROMOTION"),
        ] {
            let error =
                FieldError::new("goal", ChoiceRule::Offered { platform: Platform::Beta, instead: Some(accepted) });
            let no = "is not offered on Meta";
            assert_eq!(message(&error, Shape::Flat), flat.replace("no", no));
            assert_eq!(message(&error, Shape::Enveloped), enveloped.replace("no", no));
        }
    }
}
