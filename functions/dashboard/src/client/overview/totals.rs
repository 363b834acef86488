//! What the overview adds up to.

use super::Overview;
use super::campaign::Row;
use crate::client::insights::Sum;
use rust_decimal::Decimal;
use std::cmp::Reverse;

/// The spend in one currency. Currencies are never added. Campaigns whose spend is unknown make a lower bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) currency: String,
    pub(crate) today: Sum,
    /// The seven full days before today.
    pub(crate) week: Sum,
    /// The seven days before those.
    pub(crate) week_before: Sum,
}

/// The number of campaigns by their status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) active: usize,
    pub(crate) paused: usize,
    /// Ended, draft, archived and others.
    pub(crate) other: usize,
}

impl Overview {
    /// Keeps what is in one currency.
    pub(crate) fn keep(&mut self, currency: &str) {
        self.rows.retain(|row| row.campaign.currency.code() == currency);
        self.gone.retain(|(known, _)| known == currency);
    }

    /// The spend of each currency, the largest number of campaigns first.
    pub(crate) fn totals(&self) -> Vec<Total> {
        let mut totals: Vec<(usize, Total)> = Vec::new();
        let rows = self.rows.iter().map(|Row { campaign, numbers, .. }| (campaign.currency.code(), numbers, 1));
        let gone = self.gone.iter().map(|(currency, numbers)| (currency.as_str(), numbers, 0));
        for (currency, numbers, campaigns) in rows.chain(gone) {
            let at = totals.iter().position(|(_, total)| total.currency == currency);
            let at = at.unwrap_or_else(|| {
                totals.push((0, Total { currency: currency.to_owned(), ..Total::default() }));
                totals.len() - 1
            });
            let (count, total) = &mut totals[at];
            *count += campaigns;
            total.today.add(numbers.today);
            total.week.add(numbers.week);
            total.week_before.add(numbers.week_before);
        }
        // What is not known of an account makes the sums of its currency lower bounds.
        let unknown = self.accounts.iter().filter_map(|account| account.unknown_in.as_ref());
        for currency in unknown {
            for (_, total) in totals.iter_mut().filter(|(_, total)| total.currency == *currency) {
                for sum in [&mut total.today, &mut total.week, &mut total.week_before] {
                    sum.mark_partial();
                }
            }
        }
        totals.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.currency.cmp(&right.currency)));
        totals.into_iter().map(|(_, total)| total).collect()
    }

    /// The number of campaigns by their status.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for row in &self.rows {
            match row.campaign.status_word(self.now) {
                "Active" => counts.active += 1,
                "Paused" => counts.paused += 1,
                _ => counts.other += 1,
            }
        }
        counts
    }

    /// The campaigns of a currency that spent most in seven days. Those without spend are not among them.
    pub(crate) fn top(&self, currency: &str, most: usize) -> Vec<&Row> {
        let spent = |row: &&Row| row.campaign.currency.code() == currency && row.numbers.week > Some(Decimal::ZERO);
        let mut rows: Vec<&Row> = self.rows.iter().filter(spent).collect();
        rows.sort_by_key(|row| Reverse(row.numbers.week));
        rows.truncate(most);
        rows
    }
}
