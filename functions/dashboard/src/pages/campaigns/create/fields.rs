//! The controls of the create form.

use crate::client::notice::Notice;
use crate::kit::campaign_forms::{TARGETS_FIELD, own_field};
use crate::kit::choice::Choice;

/// A control, its value, and what is wrong with it.
#[derive(Default)]
pub(super) struct Field {
    /// The name and the id.
    pub(super) id: String,
    pub(super) value: String,
    pub(super) error: Option<String>,
}

/// Budget and dates.
pub(super) struct BudgetFields {
    pub(super) amount: Field,
    pub(super) period: Field,
    pub(super) periods: Vec<Choice>,
    pub(super) start: Field,
    pub(super) end: Field,
}

impl Field {
    /// A control with its error of a notice.
    pub(super) fn new(id: String, value: &str, notice: Option<&Notice>) -> Field {
        let errors = notice.map(|notice| notice.errors.as_slice()).unwrap_or_default();
        let error = errors.iter().find(|error| error.id == id).map(|error| error.message.clone());
        Field { id, value: value.to_owned(), error }
    }

    /// The type of a control for a day. A browser shows no other text in a field for dates.
    pub(super) fn kind(&self) -> &'static str {
        let is_day =
            self.value.is_empty() || self.value.parse::<jiff::civil::Date>().is_ok_and(|_| self.value.len() == 10);
        if is_day { "date" } else { "text" }
    }
}

impl BudgetFields {
    /// The line of an account, or of all.
    pub(super) fn new(
        id: impl Fn(&str) -> String,
        of: impl Fn(&str) -> String,
        periods: Vec<Choice>,
        notice: Option<&Notice>,
    ) -> BudgetFields {
        let field = |name: &str| Field::new(id(name), &of(name), notice);
        let [amount, period, start, end] = ["budget_amount", "budget_period", "start_at", "end_at"].map(field);
        BudgetFields { amount, period, periods, start, end }
    }
}

/// The id of the control that chooses an account.
pub(super) fn choice_id(target: &str) -> String {
    own_field(TARGETS_FIELD, target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_no_day() {
        for (text, kind) in [("", "date"), ("2026-12-01", "date"), ("2026-12-01 09:00", "text"), ("soon", "text")] {
            assert_eq!(Field { value: text.to_owned(), ..Field::default() }.kind(), kind);
        }
    }
}
