//! Changes in plain words. What is applied is told in the past, everything else as what was asked for.

use super::wire::{Change, Values};
use crate::kit::money;
use crate::pages::layout::readable;

/// What a change does: a line for each thing.
pub(super) fn what(change: &Change) -> Vec<String> {
    let [status, name] = [status(change), renamed(change)];
    let first = match change.kind.as_str() {
        "create" => [Some(created(change)), None, None],
        "update" => [None, status, name],
        "delete" => [Some(told(change, "", "Deleted", "Delete").to_owned()), None, None],
        other => [Some(kind_word(other)), status, name],
    };
    let start = date(change, "Start", "no start date", |values| values.start_at.as_ref());
    let end = date(change, "End", "no end date", |values| values.end_at.as_ref());
    let lines: Vec<String> = first.into_iter().chain([budget(change), start, end]).flatten().collect();
    if lines.is_empty() { vec![kind_word(&change.kind)] } else { lines }
}

/// A kind for people.
pub(crate) fn kind_word(kind: &str) -> String {
    match kind {
        "create" => "Created".to_owned(),
        "update" => "Changed".to_owned(),
        "delete" => "Deleted".to_owned(),
        other => word(other),
    }
}

/// A state for people.
pub(crate) fn state_word(state: &str) -> String {
    match state {
        "sending" => "On its way".to_owned(),
        "unknown" => "Not known yet".to_owned(),
        "failed" => "Not applied".to_owned(),
        "awaiting_approval" => "Waits for approval".to_owned(),
        "expired" => "Not approved in time".to_owned(),
        other => word(other),
    }
}

/// A field of a campaign for people.
pub(super) fn field_word(field: &str) -> String {
    match field {
        "budget_amount" => "budget".to_owned(),
        "start_at" => "start".to_owned(),
        "end_at" => "end".to_owned(),
        other => other.replace('_', " "),
    }
}

fn created(change: &Change) -> String {
    let verb = told(change, "name", "Created", "Create");
    change.requested.name.as_ref().map_or_else(|| verb.to_owned(), |name| format!("{verb} “{name}”"))
}

fn status(change: &Change) -> Option<String> {
    let status = change.requested.status.as_deref()?;
    Some(match status {
        "ACTIVE" => told(change, "status", "Activated", "Activate").to_owned(),
        "PAUSED" => told(change, "status", "Paused", "Pause").to_owned(),
        "ARCHIVED" => told(change, "status", "Deleted", "Delete").to_owned(),
        other => format!("Status {}", word(other)),
    })
}

fn renamed(change: &Change) -> Option<String> {
    let to = change.requested.name.as_deref()?;
    let from = change.before.as_ref().and_then(|before| before.name.as_deref());
    Some(match from {
        Some(from) if from != to => {
            format!("{} “{from}” → “{to}”", told(change, "name", "Renamed", "Rename"))
        }
        _ => format!("Name “{to}”"),
    })
}

/// `Budget 50.00 → 60.00 USD a day`. A request with only an amount or a period keeps the other.
fn budget(change: &Change) -> Option<String> {
    let Change { requested, before, after, .. } = change;
    if !requested.names_budget() {
        return None;
    }
    let before = before.as_ref();
    let after = after.as_ref().filter(|_| change.has_applied("budget_amount") || change.has_applied("budget_period"));
    let latest = [after, Some(requested), before];
    let known = || latest.iter().flatten();
    let amount = known().find_map(|values| values.budget_amount.as_deref());
    let period = known().find_map(|values| values.budget_period.as_deref());
    let to = money::budget(amount, change.currency(), period);
    let from =
        before.filter(|before| before.budget_amount.is_some()).map(|before| budget_of(before, change.currency()));
    Some(match from {
        Some(from) if from != to => format!("Budget {} → {to}", without_same_unit(&from, &to)),
        _ => format!("Budget {to}"),
    })
}

fn budget_of(values: &Values, currency: &str) -> String {
    money::budget(values.budget_amount.as_deref(), currency, values.budget_period.as_deref())
}

/// `End 1 Dec 2026, 09:00 UTC → no end date`.
fn date(change: &Change, title: &str, none: &str, of: impl Fn(&Values) -> Option<&Option<String>>) -> Option<String> {
    let shown = |date: &Option<String>| date.as_deref().map_or_else(|| none.to_owned(), moment);
    let to = shown(of(&change.requested)?);
    let from = change.before.as_ref().and_then(of).map(shown);
    Some(match from {
        Some(from) if from != to => format!("{title} {from} → {to}"),
        _ => format!("{title} {to}"),
    })
}

/// A time for people, or a date as it is.
fn moment(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), readable)
}

/// A budget without its currency and period, if another one has the same.
fn without_same_unit<'a>(budget: &'a str, other: &str) -> &'a str {
    let unit = |text: &'a str| text.split_once(' ');
    match (unit(budget), other.split_once(' ')) {
        (Some((amount, unit)), Some((_, same))) if unit == same => amount,
        _ => budget,
    }
}

/// The past of a verb if a field is applied.
fn told(change: &Change, field: &str, past: &'static str, asked: &'static str) -> &'static str {
    if change.has_applied(field) { past } else { asked }
}

/// A name of the API as a word: `PARTLY_APPLIED` becomes `Partly applied`.
fn word(name: &str) -> String {
    let text = name.replace('_', " ").to_lowercase();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
