//! What an API key or a user has left of a spending limit, for people.

use super::still::ended_of;
use crate::kit::money;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::Spending;
use shared::domain::spending::{CurrencyLimit, LimitUsage, Spender};

/// A limit in a currency, with a bar.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LimitBar {
    pub(crate) title: &'static str,
    /// `60.00 of 500.00 USD, 440.00 left`
    pub(crate) text: String,
    /// The end of the bar, and how far it is filled.
    pub(crate) max: String,
    pub(crate) value: String,
}

/// The bars of a spending limit: one for daily budgets, and one for budgets of a whole run if there are any.
pub(crate) fn bars(spending: &Spending, now: Timestamp) -> Vec<LimitBar> {
    let Some(limit) = &spending.limit else { return Vec::new() };
    let (daily_title, lifetime_title) = match spending.spender {
        Spender::Key(_) => ("Daily budgets", "Budgets for a whole run"),
        Spender::User(_) => ("Daily budgets of the user", "Budgets for a whole run, of the user"),
    };
    let of_currency = |one: &CurrencyLimit| {
        let currency = one.currency;
        let daily = LimitUsage { currency, amount: one.daily, reserved: spending.daily(currency, now) };
        let lifetime = LimitUsage { currency, amount: one.lifetime, reserved: spending.lifetime(currency) };
        let has_lifetime = !lifetime.amount.is_zero() || !lifetime.reserved.is_zero();
        // What does not run any more counts for today alone.
        let counts = if ended_of(spending, currency, now).is_zero() { "" } else { " count today" };
        [Some(bar(daily_title, daily, counts)), has_lifetime.then(|| bar(lifetime_title, lifetime, ""))]
    };
    limit.amounts.iter().flat_map(of_currency).flatten().collect()
}

fn bar(title: &'static str, usage: LimitUsage, counts: &str) -> LimitBar {
    let code = usage.currency.code();
    let shown = |amount: Decimal| money::amount_text(amount, code);
    let (reserved, amount, left) = (shown(usage.reserved), shown(usage.amount), shown(usage.remaining()));
    LimitBar {
        title,
        text: format!("{reserved} of {amount} {code}{counts}, {left} left"),
        // A bar needs an end above 0.
        max: if usage.amount.is_zero() { Decimal::ONE } else { usage.amount }.to_string(),
        value: usage.reserved.min(usage.amount).to_string(),
    }
}
