//! The error of a request that was applied in part.

use super::execute::ExecutionError;
use crate::domain::{Action, ChangedFields};
use crate::error::Error;

impl ExecutionError {
    /// The error for the caller, which names the fields that were applied in the record before the platform failed.
    /// `asked` is the whole requested action.
    pub fn into_error(self, asked: &Action) -> Error {
        let ExecutionError { error, has_changed_record, sent, has_ended_monthly_budget, .. } = self;
        // An earlier attempt may have set the monthly amount.
        let is_moved =
            |field: &&str| !sent.contains(field) && (has_changed_record || !["start_at", "end_at"].contains(field));
        let moved: Vec<&str> =
            if sent.is_empty() { Vec::new() } else { asked.field_names().into_iter().filter(is_moved).collect() };
        let error = if moved.is_empty() { error } else { with_applied_before(error, moved, sent) };
        if !has_ended_monthly_budget {
            return error;
        }
        let message = error.message.and("The monthly budget has ended, and the campaign keeps its daily budget.");
        Error { message, ..error }
    }
}

fn with_applied_before(error: Error, moved: Vec<&'static str>, sent: Vec<&'static str>) -> Error {
    let known = error.outcomes.as_deref().cloned();
    let known = known.unwrap_or_else(|| ChangedFields { not_applied: sent, ..ChangedFields::default() });
    let message = error.message.and(format!("Applied before: {}.", moved.join(", ")));
    let applied = [moved, known.applied.clone()].concat();
    Error { message, ..error }.with_outcomes(ChangedFields { applied, ..known })
}
