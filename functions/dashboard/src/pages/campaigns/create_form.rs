//! The form that creates a campaign in one or several ad accounts.

use super::wire::{GOALS, PERIODS};
use crate::accounts::{Connection, target_name};
use crate::choice::{Choice, choices};
use crate::notice::Notice;
use shared::envelope::query::value;
use shared::envelope::request::MAX_TARGETS;
use uuid::Uuid;

/// The field with the idempotency key.
pub(super) const KEY_FIELD: &str = "idempotency_key";
/// The field of the ad accounts, once for each.
pub(super) const TARGETS_FIELD: &str = "targets";
/// The fields that a failed form is shown with again.
const FIELDS: [&str; 8] =
    ["name", "goal", "budget_amount", "budget_period", "start_at", "end_at", TARGETS_FIELD, KEY_FIELD];

/// The values of the form.
pub(super) struct CreateForm {
    /// Makes a double click or a reload create once.
    pub(super) key: String,
    pub(super) goals: Vec<Choice>,
    pub(super) periods: Vec<Choice>,
    pub(super) accounts: Vec<Choice>,
    /// Whether the plan creates in several accounts at once.
    pub(super) has_targets: bool,
    values: Vec<(String, String)>,
}

impl CreateForm {
    /// A new form, or the one that failed as the person filled it in.
    pub(super) fn new(notice: Option<&Notice>, connections: &[Connection], has_targets: bool) -> CreateForm {
        // Other forms of the page have no goal.
        let failed = notice.filter(|notice| notice.value("goal").is_some());
        CreateForm::filled_in(failed.map(|notice| notice.values.clone()).unwrap_or_default(), connections, has_targets)
    }

    /// The form with values. Without a key it is a new request.
    pub(super) fn filled_in(
        values: Vec<(String, String)>,
        connections: &[Connection],
        has_targets: bool,
    ) -> CreateForm {
        let key = value(&values, KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
        CreateForm {
            key,
            goals: choices(GOALS, value(&values, "goal").unwrap_or_default()),
            periods: choices(PERIODS, value(&values, "budget_period").unwrap_or_default()),
            accounts: accounts(connections, &targets(&values)),
            has_targets,
            values,
        }
    }

    /// The text that the person filled in for a field.
    pub(super) fn value(&self, name: &str) -> &str {
        value(&self.values, name).unwrap_or_default()
    }

    /// Whether there are more accounts than one form can name.
    pub(super) fn has_too_many(&self) -> bool {
        self.has_targets && self.accounts.len() > MAX_TARGETS
    }

    /// The number of accounts that one form can name.
    pub(super) fn max_targets(&self) -> usize {
        MAX_TARGETS
    }
}

/// The ad accounts that a form names, sorted: the same choice is the same request.
pub(super) fn targets(form: &[(String, String)]) -> Vec<&str> {
    let named = form.iter().filter(|(name, _)| name == TARGETS_FIELD);
    let mut targets: Vec<&str> = named.map(|(_, target)| target.as_str()).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The values that the form is shown with again.
pub(super) fn kept(form: &[(String, String)]) -> Vec<(String, String)> {
    form.iter().filter(|(name, _)| FIELDS.contains(&name.as_str())).cloned().collect()
}

/// The accounts that can have a campaign. A chosen one stays in the form even if its connection is not active any more:
/// without it the form would be another request.
fn accounts(connections: &[Connection], chosen: &[&str]) -> Vec<Choice> {
    let active = connections.iter().filter(|known| known.status == "ACTIVE" && !known.remote_account_id.is_empty());
    let choice = |known: &Connection| {
        let value = known.target();
        Choice { is_chosen: chosen.contains(&value.as_str()), text: known.name(), value }
    };
    let mut accounts: Vec<Choice> = active.map(choice).collect();
    if let ([only], []) = (accounts.as_mut_slice(), chosen) {
        only.is_chosen = true;
    }
    let is_missing = |target: &&&str| !accounts.iter().any(|choice| choice.value == **target);
    let missing: Vec<&&str> = chosen.iter().filter(is_missing).collect();
    accounts.extend(missing.into_iter().map(|target| Choice {
        value: (*target).to_owned(),
        text: format!("{} (not active now)", target_name(target)),
        is_chosen: true,
    }));
    accounts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(platform: &str, account: &str, status: &str) -> Connection {
        let [id, platform, status, remote_account_id] = ["conn_1", platform, status, account].map(str::to_owned);
        Connection { id, platform, status, label: None, remote_account_id, account_name: None, time_zone: None }
    }

    fn shown(accounts: Vec<Choice>) -> Vec<(String, String, bool)> {
        accounts.into_iter().map(|choice| (choice.value, choice.text, choice.is_chosen)).collect()
    }

    #[test]
    fn only_active_accounts_are_offered_and_a_single_one_is_chosen() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "REVOKED")];
        assert_eq!(shown(accounts(&connections, &[])), [("ALPHA:1".to_owned(), "Google Ads: 1".to_owned(), true)]);
    }

    #[test]
    fn a_failed_form_is_the_same_request_even_if_an_account_is_gone() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ERROR")];
        let values = [("goal", "LEADS"), ("targets", "BETA:2"), ("idempotency_key", "k")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let form = CreateForm::new(Some(&Notice { values, ..Notice::default() }), &connections, true);
        assert_eq!(form.key, "k");
        let chosen: Vec<_> =
            form.accounts.iter().filter(|choice| choice.is_chosen).map(|choice| &choice.value).collect();
        assert_eq!(chosen, ["BETA:2"]);
        assert!(form.goals.iter().any(|goal| goal.is_chosen && goal.value == "LEADS"));
    }

    #[test]
    fn each_form_has_its_own_key() {
        let key = || CreateForm::new(None, &[], true).key;
        assert_ne!(key(), key());
        let other = Notice { values: vec![(KEY_FIELD.to_owned(), "k".to_owned())], ..Notice::default() };
        assert_ne!(CreateForm::new(Some(&other), &[], true).key, "k", "the values of another form");
    }
}
