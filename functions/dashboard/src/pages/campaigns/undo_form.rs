//! The fields of the form that undoes changes: the button in a notice.

use super::filter::Filter;
use crate::kit::form_fields::picked;
use shared::domain::{BulkId, ChangeId};

/// The field with the id of the change.
pub(super) const CHANGE_FIELD: &str = "change";
/// The field with the id of a change of many budgets.
pub(super) const BULK_FIELD: &str = "bulk";
/// The fields with which the form comes back to its page.
const PAGE_FIELDS: [&str; 3] = ["id", "back", "list"];

/// The fields that undo a change of another form.
pub(super) fn of_change(change: ChangeId, form: &[(String, String)]) -> Vec<(String, String)> {
    let page = picked(form, &PAGE_FIELDS);
    [(CHANGE_FIELD.to_owned(), change.to_string())].into_iter().chain(page).collect()
}

/// The fields that undo a change of many budgets, and lead back to a list.
pub(super) fn of_bulk(bulk: BulkId, list: &Filter) -> Vec<(String, String)> {
    vec![(BULK_FIELD.to_owned(), bulk.to_string()), ("list".to_owned(), list.list())]
}
