//! The values of a campaign before and after a change, for people.

use crate::layout::readable;
use crate::money;
use rust_decimal::Decimal;
use shared::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignStatus, CampaignValues, Currency, Goal, NewCampaign,
};

/// A value before and after.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) title: &'static str,
    /// Empty where there is none before.
    pub(super) before: String,
    pub(super) after: String,
}

impl Line {
    /// Whether the change leaves the value as it is.
    pub(super) fn is_same(&self) -> bool {
        self.before == self.after
    }
}

/// The values of a campaign that a change is about, as they are and as they would be.
pub(super) fn lines(action: &Action, current: Option<&CampaignValues>, currency: Currency) -> Vec<Line> {
    match (action, current) {
        (Action::Create(new), _) => created(new, currency),
        (Action::Update(changes), Some(current)) => updated(changes, current),
        (Action::Update(_) | Action::Delete, _) => Vec::new(),
    }
}

fn created(NewCampaign { draft, monthly, .. }: &NewCampaign, currency: Currency) -> Vec<Line> {
    let new = |title, after: String| Line { title, before: String::new(), after };
    let amount = monthly.map_or(draft.budget_amount, |monthly| monthly.amount);
    let period = monthly.map_or(draft.budget_period, |_| BudgetPeriod::Monthly);
    let mut lines = vec![
        new("Name", draft.name.clone()),
        new("Status", status_word(CampaignStatus::Paused)),
        new("Goal", goal_word(draft.goal)),
        new("Budget", budget(Some(amount), Some(period), currency)),
    ];
    lines.extend(draft.start_at.map(|at| new("Start", at.to_string())));
    lines.extend(draft.end_at.map(|at| new("End", at.to_string())));
    lines
}

fn updated(changes: &CampaignChanges, current: &CampaignValues) -> Vec<Line> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    let status_of = |status: CampaignStatus| status_word(status);
    let mut lines = vec![
        Line {
            title: "Name",
            before: current.name.clone(),
            after: name.clone().unwrap_or_else(|| current.name.clone()),
        },
        Line { title: "Status", before: status_of(current.status), after: status_of(status.unwrap_or(current.status)) },
        Line {
            title: "Budget",
            before: budget(current.budget_amount, current.budget_period, current.currency),
            after: budget(
                budget_amount.or(current.budget_amount),
                budget_period.or(current.budget_period),
                current.currency,
            ),
        },
    ];
    let dates = [("Start", start_at, current.start_at), ("End", end_at, current.end_at)];
    lines.extend(dates.into_iter().filter_map(|(title, change, before)| {
        let shown = |at: Option<jiff::Timestamp>| at.map_or_else(|| "none".to_owned(), readable);
        Some(Line { title, before: shown(before), after: shown((*change)?.date()) })
    }));
    lines
}

/// `60.00 USD a day`
fn budget(amount: Option<Decimal>, period: Option<BudgetPeriod>, currency: Currency) -> String {
    let Some(amount) = amount else { return money::NO_BUDGET.to_owned() };
    let code = currency.code();
    money::exact_budget(amount, code, period.map(BudgetPeriod::as_str))
}

/// `Website traffic`
fn goal_word(goal: Goal) -> String {
    match goal {
        Goal::BrandAwareness => "Brand awareness",
        Goal::Reach => "Reach",
        Goal::WebsiteTraffic => "Website traffic",
        Goal::Leads => "Leads",
        Goal::Sales => "Sales",
        Goal::AppPromotion => "App promotion",
        Goal::Conversions => "Conversions",
    }
    .to_owned()
}

fn status_word(status: CampaignStatus) -> String {
    match status {
        CampaignStatus::Active => "Active",
        CampaignStatus::Paused => "Paused",
        CampaignStatus::Ended => "Ended",
        CampaignStatus::Draft => "Draft",
        CampaignStatus::Archived => "Deleted",
        CampaignStatus::ScheduledForDeletion => "Being deleted",
        CampaignStatus::Unspecified => "Not known",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_shows_what_it_changes_and_what_stays() {
        let currency = Currency::from_code("USD").unwrap();
        let current = CampaignValues {
            name: "Spring".to_owned(),
            status: CampaignStatus::Paused,
            budget_amount: Some(Decimal::from(50)),
            budget_period: Some(BudgetPeriod::Daily),
            currency,
            start_at: None,
            end_at: None,
        };
        let changes = CampaignChanges {
            status: Some(CampaignStatus::Active),
            budget_amount: Some(Decimal::from(60)),
            ..CampaignChanges::default()
        };
        let lines = lines(&Action::Update(changes), Some(&current), currency);
        let shown: Vec<_> = lines.iter().map(|line| (line.title, line.before.as_str(), line.after.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("Name", "Spring", "Spring"),
                ("Status", "Paused", "Active"),
                ("Budget", "50.00 USD a day", "60.00 USD a day"),
            ]
        );
        assert!(lines[0].is_same() && !lines[1].is_same());
    }
}
