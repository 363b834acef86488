//! What a key has added to the daily budgets that run, and when that is so much that it comes first on the page.

use super::Reader;
use crate::client::readings::Overview;
use crate::kit::campaign::campaign_count;
use crate::kit::effects::Effect;
use crate::kit::left::{Doer, Left, applied_at};
use crate::kit::money;
use crate::kit::text::{clock, listed};
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, Change, Currency};
use std::cmp::Reverse;

/// What a key has added to the daily budget of a campaign, as far as the campaign has it still.
#[derive(Debug)]
pub(super) struct Added<'a> {
    /// The first change of the key that counts.
    pub(super) first: &'a Change,
    currency: Currency,
    amount: Decimal,
}

/// What each key has added to a campaign. It is no more than what the campaign may spend more than before, whoever has lowered
/// or paused it since.
pub(super) fn added<'a>(left: &Left<'a>) -> Vec<Added<'a>> {
    let Some((currency, net)) = left.net.as_ref().and_then(Effect::a_day) else { return Vec::new() };
    let mut all: Vec<Added<'a>> = Vec::new();
    for (change, effect) in left.effects.iter().map(|(change, effect)| (*change, effect)) {
        let doer = Doer::answering_for(change);
        let amount = effect.a_day().map(|(_, amount)| amount).filter(|amount| !amount.is_zero());
        let (Doer::Key(_), Some(amount)) = (doer, amount) else { continue };
        match all.iter_mut().find(|one| Doer::answering_for(one.first) == doer) {
            Some(one) => one.amount = one.amount.saturating_add(amount),
            None => all.push(Added { first: change, currency, amount }),
        }
    }
    let capped = all.into_iter().map(|one| Added { amount: one.amount.min(net), ..one });
    capped.filter(|one| one.amount > Decimal::ZERO).collect()
}

/// Whether what a key has added is at least half of the daily budgets that run without it.
fn is_large(added: Decimal, runs: Decimal) -> bool {
    let others = runs.saturating_sub(added);
    added > Decimal::ZERO && added.saturating_mul(Decimal::TWO) >= others
}

/// What a key has added that is much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Large {
    /// `4,275.00 USD a day in 19 campaigns since 09:10 UTC`: what of it still runs.
    pub(in super::super) words: String,
    /// `4,275.00 USD a day`
    pub(in super::super) sum: String,
}

/// What a key has added in the currencies in which that is much.
pub(super) fn large(added: &[Added<'_>], Reader { runs_a_day, now, .. }: Reader<'_>) -> Option<Large> {
    let mut sums: Vec<(Currency, Decimal, usize)> = Vec::new();
    for Added { currency, amount, .. } in added {
        match sums.iter_mut().find(|(known, ..)| known == currency) {
            Some((_, sum, campaigns)) => (*sum, *campaigns) = (sum.saturating_add(*amount), *campaigns + 1),
            None => sums.push((*currency, *amount, 1)),
        }
    }
    sums.retain(|(currency, sum, _)| is_large(*sum, of_currency(runs_a_day, *currency)));
    let is_told = |one: &&Added<'_>| sums.iter().any(|(currency, ..)| *currency == one.currency);
    let since = added.iter().filter(is_told).filter_map(|one| applied_at(one.first, now)).min()?;
    sums.sort_by_key(|(_, _, campaigns)| Reverse(*campaigns));
    let (words, sum) = told(&sums);
    Some(Large { words: format!("{words} since {}", clock(since, now)), sum })
}

/// The sums with their campaigns, and without. Of many currencies the first stands for itself: seven sums are read twice.
fn told(sums: &[(Currency, Decimal, usize)]) -> (String, String) {
    let a_day = money::span_of(Some(BudgetPeriod::Daily));
    let sum =
        |(currency, sum, _): &(Currency, Decimal, usize)| format!("{}{a_day}", money::in_currency(*sum, *currency));
    let words = |one: &(Currency, Decimal, usize)| format!("{} in {}", sum(one), campaign_count(one.2));
    match sums {
        [first, others @ ..] if others.len() > 1 => {
            let campaigns = campaign_count(others.iter().map(|(_, _, campaigns)| campaigns).sum());
            let currencies = format!("{} other currencies", others.len());
            (
                format!("{}, and {campaigns} in {currencies},", words(first)),
                format!("{} and in {currencies}", sum(first)),
            )
        }
        few => (listed(&few.iter().map(words).collect::<Vec<_>>()), listed(&few.iter().map(sum).collect::<Vec<_>>())),
    }
}

fn of_currency(sums: &[(Currency, Decimal)], currency: Currency) -> Decimal {
    sums.iter().find(|(known, _)| *known == currency).map_or(Decimal::ZERO, |(_, sum)| *sum)
}

/// The daily budgets of the campaigns that run, in each currency.
pub(in super::super) fn runs_a_day(overview: &Overview) -> Vec<(Currency, Decimal)> {
    let mut sums: Vec<(Currency, Decimal)> = Vec::new();
    for campaign in overview.campaigns().filter(|campaign| campaign.is_active(overview.now)) {
        let (Some(amount), Some(BudgetPeriod::Daily)) = (campaign.budget_amount, campaign.budget_period) else {
            continue;
        };
        match sums.iter_mut().find(|(currency, _)| *currency == campaign.currency) {
            Some((_, sum)) => *sum = sum.saturating_add(amount),
            None => sums.push((campaign.currency, amount)),
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_what_runs_without_it_is_much() {
        for (added, runs, large) in [
            (50, 150, true),
            (49, 149, false),
            (50, 151, false),
            (10, 10, true),
            (10, 0, true),
            (0, 0, false),
            (-5, 0, false),
        ] {
            assert_eq!(is_large(Decimal::from(added), Decimal::from(runs)), large, "{added} of {runs}");
        }
    }
}
