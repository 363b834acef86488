//! The fields of the form that undoes changes: the button in a notice.

use super::filter::Filter;
use crate::kit::form_fields::picked;
use shared::domain::ChangeId;

/// The field with the id of the change.
pub(super) const CHANGE_FIELD: &str = "change";
/// The field with the ids of the changes of many budgets, separated by commas.
pub(super) const CHANGES_FIELD: &str = "changes";
/// The fields with which the form comes back to its page.
const PAGE_FIELDS: [&str; 3] = ["id", "back", "list"];

/// The fields that undo a change of another form.
pub(super) fn of_change(change: ChangeId, form: &[(String, String)]) -> Vec<(String, String)> {
    let page = picked(form, &PAGE_FIELDS);
    [(CHANGE_FIELD.to_owned(), change.to_string())].into_iter().chain(page).collect()
}

/// The fields that undo changes of many budgets, and lead back to a list; empty without any.
pub(super) fn of_changes(changes: &[ChangeId], list: &Filter) -> Vec<(String, String)> {
    if changes.is_empty() {
        return Vec::new();
    }
    let ids: Vec<String> = changes.iter().map(ChangeId::to_string).collect();
    vec![(CHANGES_FIELD.to_owned(), ids.join(",")), ("list".to_owned(), list.list())]
}
