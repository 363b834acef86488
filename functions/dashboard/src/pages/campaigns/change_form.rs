//! The form that changes a campaign. It carries the values that the page showed, so that only a difference is sent.

use super::change::{TIME_FIELD, time};
use super::filter::Filter;
use super::wire::MONTHLY;
use crate::kit::choice::{Choice, choices};
use crate::kit::form_fields::picked;
use crate::kit::money;
use crate::pages::layout::readable;
use jiff::Timestamp;
use shared::envelope::query::value;

/// The fields that a preview shows again.
const FIELDS: [&str; 10] = [
    "id",
    "name",
    "was_name",
    "budget_amount",
    "was_budget_amount",
    PERIOD_FIELD,
    WAS_PERIOD_FIELD,
    "currency",
    TIME_FIELD,
    "list",
];
/// The field with the period of the budget.
pub(super) const PERIOD_FIELD: &str = "budget_period";
/// The period that the page showed.
pub(super) const WAS_PERIOD_FIELD: &str = "was_budget_period";
/// The periods that a campaign can be given.
const DAY_OR_MONTH: &[(&str, &str)] = &[("DAILY", "A day"), (MONTHLY, "A month")];

/// The values of the form.
pub(super) struct ChangeForm {
    pub(super) id: String,
    pub(super) was_name: String,
    pub(super) name: String,
    /// `None` for a campaign without a budget of its own.
    pub(super) budget: Option<Budget>,
    /// The time of the change as a person filled it in; empty for now.
    pub(super) apply_at: String,
    /// The query string of the list that the person came from.
    pub(super) list: String,
}

/// The budget in the form.
pub(super) struct Budget {
    pub(super) currency: String,
    pub(super) was_amount: String,
    pub(super) amount: String,
    pub(super) was_period: String,
    pub(super) period: String,
}

impl Budget {
    /// How its amount is written.
    pub(super) fn hint(&self) -> &'static str {
        money::hint(&self.currency)
    }

    /// The periods that can be chosen; none for a budget of the whole run.
    pub(super) fn periods(&self) -> Vec<Choice> {
        let has_choice = DAY_OR_MONTH.iter().any(|(period, _)| *period == self.was_period);
        if has_choice { choices(DAY_OR_MONTH, &self.period) } else { Vec::new() }
    }
}

impl ChangeForm {
    /// The form as a person filled it in.
    pub(super) fn filled_in(form: &[(String, String)]) -> ChangeForm {
        let field = |name| value(form, name).unwrap_or_default().to_owned();
        let budget = |was: &str| Budget {
            currency: field("currency"),
            was_amount: was.to_owned(),
            amount: field("budget_amount"),
            was_period: field(WAS_PERIOD_FIELD),
            period: field(PERIOD_FIELD),
        };
        ChangeForm {
            id: field("id"),
            was_name: field("was_name"),
            name: field("name"),
            budget: value(form, "was_budget_amount").map(budget),
            apply_at: field(TIME_FIELD),
            list: Filter::of_form(form).list(),
        }
    }
}

/// The time of a form for people; `None` for now.
pub(super) fn readable_time(form: &[(String, String)]) -> Option<String> {
    let at = time(form)?;
    Some(at.parse::<Timestamp>().map_or(at, readable))
}

/// The values that a preview shows again.
pub(super) fn kept(form: &[(String, String)]) -> Vec<(String, String)> {
    picked(form, &FIELDS)
}
