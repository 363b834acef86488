//! The choice of ad accounts before the create form, if they are many, with a search in their names.

use crate::client::accounts::Connection;
use crate::kit::campaign_forms::TARGETS_FIELD;
use crate::kit::choice::Choice;
use shared::envelope::query::value;

/// The field of the search.
const SEARCH_FIELD: &str = "search";
/// The button that searches, and does not lead to the form.
const FIND_FIELD: &str = "find";

/// The ad accounts to choose from.
pub(super) struct AccountChoices {
    pub(super) search: String,
    /// Those that the search finds, and those that are ticked already.
    pub(super) accounts: Vec<Choice>,
    /// The number of all.
    pub(super) total: usize,
}

impl AccountChoices {
    /// Whether the person searches, and has not chosen yet.
    pub(super) fn is_search(query: &[(String, String)]) -> bool {
        value(query, FIND_FIELD).is_some()
    }

    /// The active ones of these connections. `ticked` are values of the field.
    pub(super) fn of(connections: &[Connection], ticked: &[String], query: &[(String, String)]) -> AccountChoices {
        let search = value(query, SEARCH_FIELD).unwrap_or_default().trim().to_owned();
        let words = search.to_lowercase();
        let all: Vec<Choice> = connections
            .iter()
            .filter(|known| known.is_active())
            .map(|known| Choice {
                is_chosen: ticked.contains(&known.target()),
                value: known.target(),
                text: known.name(),
            })
            .collect();
        let total = all.len();
        let is_shown = |choice: &Choice| choice.is_chosen || choice.text.to_lowercase().contains(&words);
        AccountChoices { search, accounts: all.into_iter().filter(is_shown).collect(), total }
    }

    /// The name of the field of an account.
    pub(super) fn field(&self) -> &'static str {
        TARGETS_FIELD
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::connection;
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn a_search_finds_parts_of_names_and_keeps_what_is_ticked() {
        let named = |account: &str, name: &str| Connection {
            account_name: Some(name.to_owned()),
            ..connection("gamma_ads", account, "ACTIVE")
        };
        let known = [
            named("1", "Harbour Coffee"),
            named("2", "Bakery"),
            named("3", "Old harbour"),
            connection("gamma_ads", "4", "REVOKED"),
        ];
        let found = |search: &str, ticked: &[&str]| {
            let ticked: Vec<String> = ticked.iter().map(|one| (*one).to_owned()).collect();
            let choices = AccountChoices::of(&known, &ticked, &form(&[("search", search)]));
            let shown = choices.accounts.iter().map(|choice| (choice.value.clone(), choice.is_chosen));
            (shown.collect::<Vec<_>>(), choices.total)
        };
        let one = |value: &str, is_chosen| (value.to_owned(), is_chosen);
        assert_eq!(found(" HARBOUR ", &[]), (vec![one("GAMMA:1", false), one("GAMMA:3", false)], 3));
        assert_eq!(found("old", &["GAMMA:2"]).0, [one("GAMMA:2", true), one("GAMMA:3", false)]);
        assert_eq!((found("", &[]).0.len(), found("none", &[]).0.len()), (3, 0));
        assert!(AccountChoices::is_search(&form(&[("find", "yes")])) && !AccountChoices::is_search(&[]));
    }
}
