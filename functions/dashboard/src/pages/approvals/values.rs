//! The values of a campaign before and after a change, for people.

use crate::kit::campaign::{self, status_word};
use crate::kit::changes::moment;
use crate::kit::money::budget_of;
use crate::kit::text::readable;
use jiff::Timestamp;
use shared::changes::Review;
use shared::domain::{
    Action, BudgetPeriod, CampaignDefaults, CampaignStatus, CampaignValues, Currency, Goal, NewCampaign,
};

/// A value before and after.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ValueChange {
    pub(super) title: &'static str,
    /// Empty where there is none before.
    pub(super) before: String,
    pub(super) after: String,
}

impl ValueChange {
    /// Whether the change leaves the value as it is.
    pub(super) fn is_same(&self) -> bool {
        self.before == self.after
    }
}

/// The values of a campaign that a change is about, as they are and as they would be.
pub(super) fn value_changes(review: &Review, now: Timestamp) -> Vec<ValueChange> {
    match (&review.change.action, review.before(), review.after(now)) {
        (Action::Create(new), ..) => new_values(new, review.change.currency),
        (_, Some(before), Some(after)) => changed_values(before, &after),
        _ => Vec::new(),
    }
}

fn new_values(NewCampaign { draft, monthly, .. }: &NewCampaign, currency: Currency) -> Vec<ValueChange> {
    let new = |title, after: String| ValueChange { title, before: String::new(), after };
    let amount = monthly.map_or(draft.budget_amount, |monthly| monthly.amount);
    let period = monthly.map_or(draft.budget_period, |_| BudgetPeriod::Monthly);
    let mut lines = vec![
        new("Name", draft.name.clone()),
        new("Status", status_word(CampaignStatus::Paused).to_owned()),
        new("Goal", goal_word(draft.goal).to_owned()),
        new("Budget", budget_of(Some(amount), currency, Some(period))),
    ];
    lines.extend(draft.start_at.map(|at| new("Start", moment(at))));
    lines.extend(draft.end_at.map(|at| new("End", moment(at))));
    let CampaignDefaults { country, language, special_ad_categories } = draft.defaults.clone().unwrap_or_default();
    let categories = special_ad_categories.filter(|categories| !categories.is_empty());
    lines.extend(country.map(|country| new("Country", country)));
    lines.extend(language.map(|language| new("Language", language)));
    lines.extend(categories.map(|categories| new("Special ad categories", categories.join(", "))));
    lines
}

/// A date is shown where the campaign has one before or after: it says for how long a change lets the campaign run.
fn changed_values(before: &CampaignValues, after: &CampaignValues) -> Vec<ValueChange> {
    let budget = |values: &CampaignValues| budget_of(values.budget_amount, values.currency, values.budget_period);
    let line = |title, before: String, after: String| ValueChange { title, before, after };
    let mut lines = vec![
        line("Name", before.name.clone(), after.name.clone()),
        line("Status", status_word(before.status).to_owned(), status_word(after.status).to_owned()),
        line("Budget", budget(before), budget(after)),
    ];
    let shown = |at: Option<Timestamp>| at.map_or_else(|| "none".to_owned(), readable);
    let dates = [("Start", before.start_at, after.start_at), ("End", before.end_at, after.end_at)];
    let has_one = dates.into_iter().filter(|(_, before, after)| before.is_some() || after.is_some());
    lines.extend(has_one.map(|(title, before, after)| line(title, shown(before), shown(after))));
    lines
}

/// The goal as the change names it: a person who approves sees which of the two that mean sales it is.
fn goal_word(goal: Goal) -> &'static str {
    if goal == Goal::Conversions { "Conversions" } else { campaign::goal_word(goal) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::{CampaignChanges, DateChange};

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    fn current(status: CampaignStatus, end_at: Option<&str>) -> CampaignValues {
        CampaignValues {
            name: "Spring".to_owned(),
            status,
            budget_amount: Some(Decimal::from(50)),
            budget_period: Some(BudgetPeriod::Daily),
            currency: Currency::from_code("USD").unwrap(),
            start_at: None,
            end_at: end_at.map(at),
        }
    }

    fn shown(current: &CampaignValues, changes: CampaignChanges) -> Vec<(&'static str, String, String)> {
        let lines = changed_values(current, &current.after(&changes, at("2026-11-28T12:00:00Z")));
        lines.into_iter().map(|line| (line.title, line.before, line.after)).collect()
    }

    #[test]
    fn a_change_shows_what_it_changes_and_what_stays() {
        let changes = CampaignChanges {
            status: Some(CampaignStatus::Active),
            budget_amount: Some(Decimal::from(60)),
            ..CampaignChanges::default()
        };
        let lines = shown(&current(CampaignStatus::Paused, None), changes);
        let lines: Vec<_> =
            lines.iter().map(|(title, before, after)| (*title, before.as_str(), after.as_str())).collect();
        assert_eq!(
            lines,
            [
                ("Name", "Spring", "Spring"),
                ("Status", "Paused", "Active"),
                ("Budget", "50.00 USD a day", "60.00 USD a day"),
            ]
        );
    }

    #[test]
    fn an_end_is_shown_where_the_campaign_has_one() {
        let status = Some(CampaignStatus::Active);
        let activation = CampaignChanges { status, ..CampaignChanges::default() };
        let ending = shown(&current(CampaignStatus::Paused, Some("2026-12-24T12:00:00Z")), activation);
        let (title, before, after) = ending.last().unwrap();
        assert!(*title == "End" && before == after && before.contains("24 Dec 2026"), "{ending:?}");
    }

    #[test]
    fn a_later_end_of_an_ended_campaign_shows_that_it_runs() {
        let end_at = Some(DateChange::Set(at("2026-12-24T12:00:00Z")));
        let ended = current(CampaignStatus::Ended, Some("2026-11-27T12:00:00Z"));
        let lines = shown(&ended, CampaignChanges { end_at, ..CampaignChanges::default() });
        assert_eq!(lines[1], ("Status", "Ended".to_owned(), "Active".to_owned()));
    }
}
