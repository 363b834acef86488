//! The spending limit of a key or of a user: the form that sets it (its fields, what it shows, and what it sends), its
//! words, bars of what is left of it, and what counts.

mod accounts;
mod bars;
mod body;
mod counted;
mod currency;
mod form;
mod still;
mod words;

pub(crate) use accounts::AccountChoice;
pub(crate) use bars::{LimitBar, bars};
pub(crate) use body::{
    API_CONNECTIONS, NewLimit, has_limit, limit_of, no_change_of, ticked_connections, user_limit_of,
};
pub(crate) use counted::{CountedRow, counted};
pub(crate) use form::{LimitForm, has_one_currency};
pub(crate) use still::still_counts;
pub(crate) use words::{limit_words, seen_accounts};

use crate::kit::choice::Choice;
use crate::kit::currencies::currency_choices;
use crate::kit::form_errors::Control;
use body::{APPROVE_ACTIVATION, CONNECTIONS, OTHER_CURRENCY};
use shared::domain::Currency;

/// A field of one line.
pub(crate) struct Field {
    /// Its name in the form, and its id on the page.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    /// The keyboard of a phone.
    pub(crate) mode: &'static str,
    pub(crate) length: u8,
    pub(crate) is_required: bool,
    pub(crate) value: String,
    /// What it may have; empty for a field that is typed.
    pub(crate) choices: Vec<Choice>,
    /// The currency of an amount; `None` where it stands beside it already, or is not an amount.
    pub(crate) unit: Option<String>,
}

/// The values of the fields.
struct Values {
    currency: String,
    daily: String,
    creates: String,
    lifetime: String,
    per_change: String,
    approve_above: String,
}

/// The names of the fields in the form.
const CURRENCY: &str = "currency";
const DAILY: &str = "daily";
const CREATES: &str = "creates_per_day";
const LIFETIME: &str = "lifetime";
const PER_CHANGE: &str = "per_change";
const APPROVE_ABOVE: &str = "approve_above";

/// All fields of the form. None is a secret.
pub(crate) const FIELDS: [&str; 9] =
    [CONNECTIONS, CURRENCY, OTHER_CURRENCY, DAILY, CREATES, LIFETIME, PER_CHANGE, APPROVE_ABOVE, APPROVE_ACTIVATION];

/// The controls in the order of the page.
pub(crate) const ORDER: [&str; 8] =
    [CONNECTIONS, DAILY, CURRENCY, CREATES, LIFETIME, PER_CHANGE, APPROVE_ABOVE, "external_ref"];

const CURRENCY_LABEL: &str = "Currency";
const DAILY_LABEL: &str = "Most that it may run, a day";
const CREATES_LABEL: &str = "New campaigns a day";
const LIFETIME_LABEL: &str = "Most that it may run, in all";
const PER_CHANGE_LABEL: &str = "One change may add at most";
const APPROVE_ABOVE_LABEL: &str = "Ask me before a campaign gets more in a day than";

/// The controls of the form.
pub(crate) const CONTROLS: &[Control] = &[
    ("name", "name", "Name"),
    ("scopes", "scopes", "Permissions"),
    ("external_ref", "external_ref", "User"),
    ("spending_limit.connections", "connections", "Ad accounts"),
    ("spending_limit.amounts[0].currency", CURRENCY, CURRENCY_LABEL),
    ("spending_limit.amounts[0].daily", DAILY, DAILY_LABEL),
    ("spending_limit.amounts[0].lifetime", LIFETIME, LIFETIME_LABEL),
    ("spending_limit.amounts[0].per_change", PER_CHANGE, PER_CHANGE_LABEL),
    ("spending_limit.creates_per_day", CREATES, CREATES_LABEL),
    ("spending_limit.approval.amounts[0].currency", CURRENCY, CURRENCY_LABEL),
    ("spending_limit.approval.amounts[0].amount", APPROVE_ABOVE, APPROVE_ABOVE_LABEL),
];

impl Values {
    /// The fields that are always shown. The currency stands beside the amount. It is one of these; without any it is typed.
    fn fields(&self, currencies: &[Currency]) -> Vec<Field> {
        let choices = if currencies.is_empty() { Vec::new() } else { currency_choices(currencies, &self.currency) };
        let currency = "Campaigns of accounts in another currency cannot be activated or raised.";
        let daily = "The daily budgets of all campaigns that are activated under it, and what is added to others.";
        vec![
            Field { is_required: true, ..amount(DAILY, DAILY_LABEL, daily, &self.daily) },
            Field {
                mode: "text",
                length: 3,
                is_required: true,
                choices,
                ..amount(CURRENCY, CURRENCY_LABEL, currency, &self.currency)
            },
            Field { mode: "numeric", ..amount(CREATES, CREATES_LABEL, "A new campaign is paused.", &self.creates) },
        ]
    }

    /// The fields that are folded, with the currency at each.
    fn folded(&self) -> Vec<Field> {
        let in_currency = |field: Field| Field { unit: Some(self.currency.clone()), ..field };
        let lifetime = "Budgets for a whole run, such as 300 for three weeks. Leave empty for none.";
        let unbounded = "Leave empty for no extra limit.";
        let above = "Of its budget, or of a raise. Leave empty to never ask.";
        vec![
            in_currency(amount(LIFETIME, LIFETIME_LABEL, lifetime, &self.lifetime)),
            in_currency(amount(PER_CHANGE, PER_CHANGE_LABEL, unbounded, &self.per_change)),
            in_currency(amount(APPROVE_ABOVE, APPROVE_ABOVE_LABEL, above, &self.approve_above)),
        ]
    }
}

fn amount(name: &'static str, label: &'static str, hint: &'static str, value: &str) -> Field {
    let (value, choices) = (value.to_owned(), Vec::new());
    Field { name, label, hint, mode: "decimal", length: 30, is_required: false, value, choices, unit: None }
}
