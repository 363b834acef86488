//! The form that creates a campaign in one or several ad accounts, with a row for each.

use super::fields::{BudgetFields, Field};
use super::rows::{AccountRow, rows};
use crate::client::accounts::Connection;
use crate::client::notice::Notice;
use crate::kit::campaign::{GOALS, PERIODS, goal_word, lacks_goal, period_word};
use crate::kit::campaign_forms::{KEY_FIELD, TARGETS_FIELD};
use crate::kit::choice::{Choice, choices};
use crate::kit::large_budget::ASKED_FIELD;
use crate::kit::money;
use crate::kit::text::listed;
use shared::domain::{Goal, Holder, Platform};
use shared::envelope::query::value;
use shared::envelope::request::MAX_TARGETS;
use shared::platforms::adapter;
use uuid::Uuid;

/// The values of the form.
pub(super) struct CreateForm {
    /// Makes a double click or a reload create once.
    pub(super) key: String,
    /// The budgets that a page has asked about.
    pub(super) asked: Vec<String>,
    pub(super) name: Field,
    pub(super) goals: Vec<GoalChoice>,
    pub(super) goal_error: Option<String>,
    /// The values for all accounts that have none of their own; `None` if one account is all that can be chosen.
    pub(super) for_all: Option<BudgetFields>,
    pub(super) rows: Vec<AccountRow>,
    /// What is wrong with the choice of accounts.
    pub(super) rows_error: Option<String>,
    /// Whether the plan creates in several accounts at once.
    pub(super) has_targets: bool,
    /// The accounts that cannot be chosen now.
    pub(super) unusable: Vec<UnusableAccount>,
}

/// A connected ad account that can have no campaign now.
pub(super) struct UnusableAccount {
    /// The platform and the account for people.
    pub(super) name: String,
    /// What it needs, after the name.
    pub(super) why: &'static str,
}

/// A goal, and where it is missing.
pub(super) struct GoalChoice {
    pub(super) choice: Choice,
    /// ` (not on Reddit)`
    pub(super) note: String,
    /// No account has it.
    pub(super) is_missing: bool,
}

impl CreateForm {
    /// The form that failed, as the person filled it in.
    pub(super) fn values(notice: Option<&Notice>) -> Option<Vec<(String, String)>> {
        // Other forms have no goal.
        notice.filter(|notice| notice.value("goal").is_some()).map(|notice| notice.values.clone())
    }

    /// The form with values. Without a key it is a new request.
    pub(super) fn from_form(
        values: &[(String, String)],
        notice: Option<&Notice>,
        connections: &[Connection],
        has_targets: bool,
    ) -> CreateForm {
        let rows = rows(values, notice, connections, has_targets);
        let field = |name: &str| Field::new(name.to_owned(), value(values, name).unwrap_or_default(), notice);
        let known = PERIODS.map(|period| (period.as_str(), period_word(period)));
        let periods = || choices(&known, value(values, "budget_period").unwrap_or_default());
        let has_several = has_targets && rows.len() > 1;
        CreateForm {
            key: value(values, KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
            asked: values.iter().filter(|(name, _)| name == ASKED_FIELD).map(|(_, asked)| asked.clone()).collect(),
            name: field("name"),
            goals: goals(value(values, "goal").unwrap_or_default(), &rows),
            goal_error: field("goal").error,
            for_all: has_several.then(|| BudgetFields::new(str::to_owned, |name| field(name).value, periods(), notice)),
            rows_error: field(TARGETS_FIELD).error,
            rows,
            has_targets,
            unusable: unusable(connections),
        }
    }

    /// Whether there are more accounts than one form can name.
    pub(super) fn has_too_many(&self) -> bool {
        self.has_targets && self.rows.len() > MAX_TARGETS
    }

    /// Which amounts have no decimals.
    pub(super) fn amount_hint(&self) -> String {
        money::hint_for_all(&self.rows.iter().map(|row| row.currency).collect::<Vec<_>>())
    }

    /// Who keeps the dates of accounts whose platforms have none; empty without such accounts.
    pub(super) fn held_dates(&self) -> String {
        let is_held = |platform: &Platform| adapter(*platform).facts().capabilities.dates_held_by == Holder::Service;
        let held: Vec<&str> = platforms(&self.rows).into_iter().filter(is_held).map(Platform::display_name).collect();
        let have = if held.len() == 1 { "has" } else { "have" };
        match held.as_slice() {
            [] => String::new(),
            held => format!(
                "{} {have} no dates for campaigns: this service activates there at the start and pauses at the end.",
                listed(held)
            ),
        }
    }

    /// The number of accounts that one form can name.
    pub(super) fn max_targets(&self) -> usize {
        MAX_TARGETS
    }
}

fn unusable(connections: &[Connection]) -> Vec<UnusableAccount> {
    let account = |known: &Connection| known.unusable().map(|why| UnusableAccount { name: known.name(), why });
    connections.iter().filter_map(account).collect()
}

/// The platforms of the rows, each once.
fn platforms(rows: &[AccountRow]) -> Vec<Platform> {
    let mut platforms: Vec<Platform> = rows.iter().filter_map(|row| row.platform).collect();
    platforms.sort_unstable();
    platforms.dedup();
    platforms
}

fn goals(chosen: &str, rows: &[AccountRow]) -> Vec<GoalChoice> {
    let platforms = platforms(rows);
    let goal = |goal: Goal| {
        let (value, text) = (goal.as_str().to_owned(), goal_word(goal).to_owned());
        let choice = Choice { is_chosen: value == chosen, value, text };
        let without: Vec<&str> = platforms
            .iter()
            .filter(|platform| lacks_goal(**platform, goal))
            .map(|platform| platform.display_name())
            .collect();
        let is_missing = !platforms.is_empty() && without.len() == platforms.len();
        let note = match without.as_slice() {
            [] => String::new(),
            _ if is_missing => " (no connected account has it)".to_owned(),
            some => format!(" (not on {})", some.join(", ")),
        };
        GoalChoice { choice, note, is_missing }
    };
    GOALS.into_iter().map(goal).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::connection;
    use super::*;
    use crate::kit::form_fields::form as values;

    #[test]
    fn a_failed_form_is_the_same_request_even_if_an_account_is_gone() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ERROR")];
        let values = values(&[("goal", "LEADS"), ("targets", "BETA:2"), ("idempotency_key", "k")]);
        let form = CreateForm::from_form(&values, None, &connections, true);
        assert_eq!(form.key, "k");
        let chosen: Vec<_> = form.rows.iter().filter(|row| row.is_chosen).map(|row| row.target.as_str()).collect();
        assert_eq!(chosen, ["BETA:2"]);
        assert!(form.goals.iter().any(|goal| goal.choice.is_chosen && goal.choice.value == "LEADS"));
    }

    #[test]
    fn accounts_that_cannot_be_chosen_are_named_with_what_they_need() {
        let connections = ["ACTIVE", "REVOKED", "ERROR"].map(|status| connection("beta_ads", status, status));
        let form = CreateForm::from_form(&[], None, &connections, true);
        let told: Vec<String> = form.unusable.iter().map(|one| format!("{} {}", one.name, one.why)).collect();
        assert_eq!(
            told,
            ["Meta: REVOKED needs you to reconnect it.", "Meta: ERROR no longer lets us in. See Connections."]
        );
        assert_eq!(form.rows.len(), 1);
    }

    #[test]
    fn each_form_has_its_own_key() {
        let key = || CreateForm::from_form(&[], None, &[], true).key;
        assert_ne!(key(), key());
        let other = Notice { values: values(&[(KEY_FIELD, "k")]), ..Notice::default() };
        assert_eq!(CreateForm::values(Some(&other)), None, "the values of another form");
    }

    #[test]
    fn a_goal_that_an_account_lacks_is_marked() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ACTIVE")];
        let app = |connections: &[Connection]| {
            let form = CreateForm::from_form(&[], None, connections, true);
            let goal = form.goals.into_iter().find(|goal| goal.choice.value == "APP_PROMOTION").unwrap();
            (goal.note, goal.is_missing)
        };
        assert_eq!(app(&connections), (" (not on Google Ads)".to_owned(), false));
        assert_eq!(app(&connections[..1]), (" (no connected account has it)".to_owned(), true));
        assert_eq!(app(&connections[1..]), (String::new(), false));
    }

    #[test]
    fn only_platforms_without_dates_have_a_note_on_them() {
        let connections = ["alpha_ads", "beta_ads", "gamma_ads"].map(|platform| connection(platform, "1", "ACTIVE"));
        let note = |connections: &[Connection]| CreateForm::from_form(&[], None, connections, true).held_dates();
        assert_eq!(note(&connections[..1]), "");
        assert!(note(&connections[..2]).starts_with("Meta has no dates"), "{}", note(&connections[..2]));
        assert!(note(&connections).starts_with("Meta and TikTok have no dates"), "{}", note(&connections));
    }

    #[test]
    fn a_line_for_all_is_there_when_several_can_be_chosen() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ACTIVE")];
        let has_line = |connections: &[Connection], has_targets| {
            CreateForm::from_form(&[], None, connections, has_targets).for_all.is_some()
        };
        assert!(has_line(&connections, true));
        assert!(!has_line(&connections, false) && !has_line(&connections[..1], true));
    }
}
