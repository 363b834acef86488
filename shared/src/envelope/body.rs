//! The part of reading bodies that the two shapes share: every field that means the same in both.

use super::fields::Fields;
use super::request::MAX_NAME_CHARS;
use crate::domain::{BudgetPeriod, Goal, Moment};
use rust_decimal::Decimal;

/// A name of 1 to 255 characters.
pub(super) fn name(fields: &mut Fields<'_>) -> Option<String> {
    let name = fields.string("name")?;
    let length = name.chars().count();
    if name.trim().is_empty() || length > MAX_NAME_CHARS {
        fields.fault("name", format!("must be 1 to {MAX_NAME_CHARS} characters and not blank; it has {length}"));
        return None;
    }
    if name.chars().any(char::is_control) {
        fields.fault("name", "must not hold control characters or line breaks");
        return None;
    }
    // Platforms take such spaces away, and then the campaign could not be found again by its name.
    if name.trim() != name {
        fields.fault("name", "must not begin or end with a space");
        return None;
    }
    Some(name)
}

/// An amount greater than zero.
pub(super) fn budget_amount(fields: &mut Fields<'_>) -> Option<Decimal> {
    let amount = fields.decimal("budget_amount")?;
    if amount <= Decimal::ZERO {
        fields.fault("budget_amount", "must be greater than 0");
        return None;
    }
    Some(amount)
}

/// A period out of those that the shape has.
pub(super) fn budget_period(fields: &mut Fields<'_>, allowed: &[BudgetPeriod]) -> Option<BudgetPeriod> {
    let words: Vec<&str> = allowed.iter().map(|period| period.as_str()).collect();
    fields.one_of("budget_period", &words, |word| allowed.iter().copied().find(|period| period.as_str() == word))
}

/// A goal out of those that the shape has.
pub(super) fn goal(fields: &mut Fields<'_>, words: &[(&'static str, Goal)]) -> Option<Goal> {
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    fields.one_of("goal", &names, |word| words.iter().find(|(known, _)| *known == word).map(|(_, goal)| *goal))
}

/// `start_at` and `end_at`; an end that is not after its start is a fault of the end.
pub(super) fn dates(fields: &mut Fields<'_>) -> (Option<Moment>, Option<Moment>) {
    let start = moment(fields, "start_at");
    let end = moment(fields, "end_at");
    let backwards = match (start, end) {
        (Some(Moment::Instant(start)), Some(Moment::Instant(end))) => end <= start,
        (Some(Moment::Day(start)), Some(Moment::Day(end))) => end < start,
        // A day against an instant depends on the account's time zone; the adapter knows it.
        _ => false,
    };
    if backwards {
        fields.fault("end_at", "must be after start_at");
    }
    (start, end)
}

fn moment(fields: &mut Fields<'_>, field: &str) -> Option<Moment> {
    let text = fields.nullable_string(field)?;
    let moment = Moment::parse(&text);
    if moment.is_none() {
        fields.fault(field, "must be RFC 3339 with an offset (2026-12-01T09:00:00Z) or a date (2026-12-01)");
    }
    moment
}
