//! What changes did together: how many they are, and what they add to the budgets that run or take from them.

mod effect;

pub(crate) use effect::{Effect, after, between, effect, moves_money};

use crate::kit::campaign::campaign_count;
use crate::kit::money;
use crate::kit::text::grouped;
use crate::kit::total::Total;
use effect::Span;
use rust_decimal::Decimal;
use shared::domain::{Change, Currency};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Changes that were applied, counted and added up.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    changes: usize,
    campaigns: BTreeSet<String>,
    sums: Vec<(Span, Currency, Total)>,
    /// Changed budgets of campaigns that do not run.
    resting: usize,
    /// Changes whose effect is not known.
    unknown: usize,
}

impl Effects {
    /// Adds a change that was applied, or a part of it.
    pub(crate) fn add(&mut self, change: &Change) {
        self.count(change);
        self.add_effect(effect(change));
    }

    /// Counts a change, and adds nothing.
    pub(crate) fn count(&mut self, change: &Change) {
        self.changes += 1;
        self.campaigns.extend(change.campaign.as_ref().map(ToString::to_string));
    }

    /// Adds the effect of a change, which need not be one of those that are counted.
    pub(crate) fn add_effect(&mut self, effect: Effect) {
        match effect {
            Effect::None => {}
            Effect::Resting => self.resting += 1,
            Effect::Unknown => self.unknown += 1,
            Effect::Sums(sums) => sums.into_iter().for_each(|(span, currency, amount)| {
                let amount = Total::of(Some(amount));
                match self.sums.iter_mut().find(|known| known.0 == span && known.1 == currency) {
                    Some((_, _, sum)) => sum.add(amount),
                    None => self.sums.push((span, currency, amount)),
                }
            }),
        }
    }

    /// The campaigns of the counted changes.
    pub(crate) fn campaigns(&self) -> &BTreeSet<String> {
        &self.campaigns
    }

    /// The number of changes.
    pub(crate) fn changes(&self) -> usize {
        self.changes
    }

    /// Whether they have added to some budget.
    pub(crate) fn adds(&self) -> bool {
        self.sums.iter().any(|(_, _, sum)| sum.known() > Some(Decimal::ZERO))
    }

    /// `+4,275.00 USD a day`: what they have added to the budgets that run, one for each currency and period.
    pub(crate) fn sums(&self) -> Vec<String> {
        let mut sums: Vec<&(Span, Currency, Total)> = self.sums.iter().collect();
        sums.sort_by_key(|(span, currency, _)| (*span, currency.code()));
        sums.into_iter().map(|(span, currency, sum)| sum_text(*span, *currency, *sum)).collect()
    }

    /// The same sums in a sentence, without those that are 0: `4,275.00 USD a day more`.
    pub(crate) fn differences(&self) -> Vec<String> {
        let is_zero = |sum: &&(Span, Currency, Total)| sum.2.exact() == Some(Decimal::ZERO);
        let mut sums: Vec<&(Span, Currency, Total)> = self.sums.iter().filter(|sum| !is_zero(sum)).collect();
        sums.sort_by_key(|(span, currency, _)| (*span, currency.code()));
        sums.into_iter().map(|(span, currency, sum)| difference_text(*span, *currency, *sum)).collect()
    }

    /// `57 changes of 19 campaigns`
    pub(crate) fn counts(&self) -> String {
        format!("{} of {}", count(self.changes, "change", "changes"), campaign_count(self.campaigns.len()))
    }

    /// What is not in the sums.
    pub(crate) fn asides(&self) -> Vec<String> {
        let resting = (self.resting > 0).then(|| {
            let budgets = count(self.resting, "budget", "budgets");
            format!("Not in the sum: {budgets} of campaigns that do not run.")
        });
        let unknown = (self.unknown > 0).then(|| {
            let changes = count(self.unknown, "change", "changes");
            format!("Not in the sum: {changes} whose budget is not known here.")
        });
        resting.into_iter().chain(unknown).collect()
    }
}

/// `1 change`, `12 changes`
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(u64::try_from(number).unwrap_or(u64::MAX)), if number == 1 { one } else { many })
}

/// `3,600.00 USD a day less`
fn difference_text(span: Span, currency: Currency, sum: Total) -> String {
    let word = if sum.known() < Some(Decimal::ZERO) { "less" } else { "more" };
    let shown = sum.text(|amount| money::in_currency(amount.abs(), currency));
    format!("{shown}{} {word}", money::span_of(Some(span.period())))
}

/// `+4,275.00 USD a day`
fn sum_text(span: Span, currency: Currency, sum: Total) -> String {
    let shown = sum.text(|amount| {
        let sign = match amount.cmp(&Decimal::ZERO) {
            Ordering::Less => "−",
            Ordering::Equal => "",
            Ordering::Greater => "+",
        };
        format!("{sign}{}", money::in_currency(amount.abs(), currency))
    });
    format!("{shown}{}", money::span_of(Some(span.period())))
}
