//! What the overview adds up to.

use super::overview::CampaignRow;
use super::overview::Overview;
use super::recent::RecentSpend;
use crate::kit::currencies::most_used;
use crate::kit::text::grouped_digits;
use crate::kit::together::Together;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{CampaignStatus, Currency, Reporting};
use std::cmp::Reverse;

/// The number of campaigns by their status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatusCounts {
    pub(crate) active: usize,
    pub(crate) paused: usize,
    /// Ended, draft, archived and others.
    pub(crate) other: usize,
    /// Whether the campaigns of some ad account are not known.
    pub(crate) is_partial: bool,
}

impl StatusCounts {
    /// The number of these campaigns.
    pub(crate) fn of(rows: &[CampaignRow], now: Timestamp) -> StatusCounts {
        let mut counts = StatusCounts::default();
        for row in rows {
            match row.campaign.status_at(now) {
                CampaignStatus::Active => counts.active += 1,
                CampaignStatus::Paused => counts.paused += 1,
                CampaignStatus::Ended
                | CampaignStatus::Draft
                | CampaignStatus::Archived
                | CampaignStatus::ScheduledForDeletion
                | CampaignStatus::Unspecified => counts.other += 1,
            }
        }
        counts
    }

    /// One of the numbers for people: `at least 46`. It says nothing for 0 beside unknown ones.
    pub(crate) fn words(self, count: usize) -> String {
        let known = Total::of(Some(Decimal::from(count)));
        let total = if self.is_partial { known.lower_bound() } else { known };
        total.text(|count| grouped_digits(&count.to_string()))
    }
}

/// The totals of several currencies together, by the customer's own rates. `lacks_some` is whether a part of them is missing.
pub(crate) fn spent_together(
    totals: &[(Currency, RecentSpend)],
    reporting: Option<&Reporting>,
    lacks_some: bool,
    now: Timestamp,
) -> Option<Together> {
    let of = |part: fn(&RecentSpend) -> Total| totals.iter().map(|(code, spend)| (*code, part(spend))).collect();
    let sums = [(" today", of(|spend| spend.today)), (" in the last 7 days", of(|spend| spend.week))];
    Together::of(reporting, &sums, lacks_some, now)
}

impl Overview {
    /// Keeps what is in one currency.
    pub(crate) fn keep(&mut self, code: &str) {
        self.rows.retain(|row| row.campaign.currency.code() == code);
        self.currency = Currency::from_code(code);
    }

    /// The spend in each currency, first the one in which most campaigns have spent, and then that of most campaigns:
    /// amounts of two currencies cannot be compared. It is that of the accounts, as insights add it up: what a
    /// removed campaign has spent stays spent. It is a lower bound without an account whose numbers are not known, and with
    /// one whose numbers are from before: [`Overview::missing`] names it.
    pub(crate) fn totals(&self) -> Vec<(Currency, RecentSpend)> {
        let of_rows = self.rows.iter().map(|row| (row.campaign.currency, 1));
        let of_accounts = self.accounts.iter().filter(|account| account.has_numbers);
        let of_accounts = of_accounts.filter_map(|account| Some((account.currency?, 0)));
        let mut currencies = most_used(of_rows.chain(of_accounts));
        currencies.sort_by_key(|currency| Reverse(self.spending(*currency)));
        let shown = currencies.into_iter().filter(|currency| self.currency.is_none_or(|chosen| chosen == *currency));
        shown.map(|currency| (currency, self.spend(currency))).collect()
    }

    /// The totals of all currencies together, by the customer's own rates.
    pub(crate) fn together(&self, reporting: Option<&Reporting>) -> Option<Together> {
        spent_together(&self.totals(), reporting, self.missing(self.currency).is_some(), self.now)
    }

    /// The number of campaigns in a currency that have spent in seven days, or today.
    fn spending(&self, currency: Currency) -> usize {
        let has_spent = |row: &&CampaignRow| {
            let spend = row.numbers.spend;
            row.campaign.currency == currency && [spend.week, spend.today].map(Total::known).iter().any(is_positive)
        };
        self.rows.iter().filter(has_spent).count()
    }

    /// The spend of all accounts in a currency. The currency of an account that has never answered is not known.
    fn spend(&self, currency: Currency) -> RecentSpend {
        let mut spend = RecentSpend::default();
        for account in self.accounts.iter().filter(|account| account.may_have(Some(currency))) {
            let own = account.spend.unwrap_or(RecentSpend::UNKNOWN);
            spend.add(if account.lack(self.now).is_some() { own.lower_bound() } else { own });
        }
        spend
    }

    /// The number of campaigns by their status.
    pub(crate) fn counts(&self) -> StatusCounts {
        let is_partial =
            self.accounts.iter().any(|account| account.read_at.is_none() && account.may_have(self.currency));
        StatusCounts { is_partial, ..StatusCounts::of(&self.rows, self.now) }
    }

    /// The campaigns that may run now, in the order of the rows.
    pub(crate) fn active(&self) -> impl Iterator<Item = &CampaignRow> {
        self.rows.iter().filter(|row| row.campaign.status_at(self.now) == CampaignStatus::Active)
    }

    /// The campaigns of a currency that spent most in seven days. Those without spend are not among them.
    pub(crate) fn top(&self, currency: Currency, most: usize) -> Vec<&CampaignRow> {
        let spent = |row: &&CampaignRow| row.campaign.currency == currency && is_positive(&week(row));
        let mut rows: Vec<&CampaignRow> = self.rows.iter().filter(spent).collect();
        rows.sort_by_key(|row| Reverse(week(row)));
        rows.truncate(most);
        rows
    }
}

fn is_positive(sum: &Option<Decimal>) -> bool {
    *sum > Some(Decimal::ZERO)
}

fn week(row: &CampaignRow) -> Option<Decimal> {
    row.numbers.spend.week.known()
}
