//! The totals of what the filter selects, over all pages of the list (D236). Each currency has its own, and rates are made of
//! sums.

use super::figures::{Columns, Figure};
use crate::client::readings::{AccountState, CampaignRow, Overview, RecentNumbers, RecentSpend, spent_together};
use crate::kit::campaign::campaign_count;
use crate::kit::together::Together;
use crate::pages::campaigns::filter::Filter;
use shared::domain::{Currency, Reporting};

/// The totals, first that of the currency in which most campaigns have spent.
pub(super) struct ListTotals {
    /// `41 campaigns that match`
    pub(super) matching: String,
    /// `2 other currencies`; `None` for one currency alone.
    pub(super) others: Option<String>,
    pub(super) rows: Vec<ListTotal>,
    spent: Vec<(Currency, RecentSpend)>,
    /// Whether campaigns that the filter may choose are not known.
    is_partial: bool,
}

/// The total of a currency.
pub(super) struct ListTotal {
    /// `30 in USD`
    pub(super) words: String,
    /// The list of this currency alone.
    pub(super) path: String,
    pub(super) figures: Vec<Figure>,
}

impl ListTotals {
    /// The totals of the rows of a filter; `None` without rows. `currencies` is their order.
    pub(super) fn of(
        filter: &Filter,
        overview: &Overview,
        rows: &[CampaignRow],
        currencies: &[Currency],
        columns: &Columns,
    ) -> Option<ListTotals> {
        let mut totals = ListTotals {
            matching: String::new(),
            others: None,
            rows: Vec::new(),
            spent: Vec::new(),
            is_partial: overview.accounts.iter().any(|account| {
                filter.may_choose(account) && account.may_have(overview.currency) && lacks_campaigns(account)
            }),
        };
        for currency in currencies {
            let own = || rows.iter().filter(|row| row.campaign.currency == *currency);
            let numbers = RecentNumbers::sum(own().map(|row| &row.numbers));
            let numbers = if lacks(filter, overview, *currency) { numbers.lower_bound() } else { numbers };
            let count = own().count();
            if count > 0 {
                totals.spent.push((*currency, numbers.spend));
                totals.rows.push(ListTotal {
                    words: format!("{count} in {}", currency.code()),
                    path: Filter { currency: Some(currency.code().to_owned()), page: 1, ..filter.clone() }.path(),
                    figures: columns.figures(&numbers, None, *currency),
                });
            }
        }
        totals.matching = totals.matching(filter, rows.len());
        totals.others = match totals.rows.len() {
            0 => return None,
            1 => None,
            2 => Some("1 other currency".to_owned()),
            number => Some(format!("{} other currencies", number - 1)),
        };
        Some(totals)
    }

    /// The spend of all currencies together, by the customer's own rates.
    pub(super) fn together(&self, reporting: Option<&Reporting>, overview: &Overview) -> Option<Together> {
        spent_together(&self.spent, reporting, self.is_partial, overview.now)
    }

    fn matching(&self, filter: &Filter, count: usize) -> String {
        let begin = if self.is_partial { "at least " } else { "" };
        let end = match count {
            _ if !filter.is_narrow() && filter.currency.is_none() => "",
            1 => " that matches",
            _ => " that match",
        };
        format!("{begin}{}{end}", campaign_count(count))
    }
}

/// Whether an ad account may have campaigns that are not in the list.
fn lacks_campaigns(account: &AccountState) -> bool {
    account.read_at.is_none() || account.is_cut
}

/// Whether the sums in a currency lack something of an ad account from which the filter may choose.
fn lacks(filter: &Filter, overview: &Overview, currency: Currency) -> bool {
    let accounts = overview.accounts.iter();
    let mut chosen = accounts.filter(|account| filter.may_choose(account) && account.may_have(Some(currency)));
    chosen.any(|account| lacks_campaigns(account) || account.lack(overview.now).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign::CampaignSummary;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::numbers::Numbers;
    use crate::kit::total::Total;
    use jiff::Timestamp;
    use rust_decimal::Decimal;
    use shared::domain::{CampaignStatus, Platform};
    use shared::envelope::query::pairs;

    fn whole(number: i64) -> Total {
        Total::of(Some(Decimal::from(number)))
    }

    /// A campaign with its spend, clicks and conversion value.
    fn row(number: usize, code: &str, [spend, clicks, value]: [i64; 3]) -> CampaignRow {
        let id = format!("beta_7_{number}");
        let currency = Currency::from_code(code).unwrap();
        let summary = CampaignSummary { currency, ..campaign(&id, CampaignStatus::Paused) };
        let week =
            Numbers { spend: whole(spend), clicks: whole(clicks), conversion_value: whole(value), ..Numbers::UNKNOWN };
        let spend = RecentSpend { week: whole(spend), ..RecentSpend::default() };
        let numbers = RecentNumbers { spend, week, days: Vec::new() };
        CampaignRow { numbers, ..CampaignRow::without_numbers(summary) }
    }

    fn account(platform: Platform, is_read: bool) -> AccountState {
        AccountState {
            platform: Some(platform),
            spend: is_read.then(RecentSpend::default),
            read_at: is_read.then_some(Timestamp::UNIX_EPOCH),
            numbers_at: is_read.then_some(Timestamp::UNIX_EPOCH),
            ..AccountState::default()
        }
    }

    fn totals(query: &str, rows: &[CampaignRow], accounts: Vec<AccountState>) -> ListTotals {
        let filter = Filter::of(&pairs(Some(query)));
        let overview = Overview { accounts, ..Overview::default() };
        let currencies = ["USD", "JPY", "EUR"].map(|code| Currency::from_code(code).unwrap());
        ListTotals::of(&filter, &overview, rows, &currencies, &Columns::of(&filter)).unwrap()
    }

    fn shown(total: &ListTotal) -> Vec<&str> {
        total.figures.iter().map(|figure| figure.cell().text.as_str()).collect()
    }

    #[test]
    fn rates_of_a_total_are_of_its_sums() {
        let rows = [row(1, "USD", [100, 10, 900]), row(2, "USD", [300, 90, 100]), row(3, "JPY", [5_000, 0, 0])];
        let totals = totals("q=a&cols=week.cpc.roas", &rows, vec![account(Platform::Beta, true)]);
        assert_eq!(shown(&totals.rows[0]), ["400.00", "4.00", "2.50"], "not the mean of 10.00 and 3.33");
        assert_eq!(shown(&totals.rows[1]), ["5,000", "–", "0.00"]);
        assert_eq!((totals.matching.as_str(), totals.rows[0].words.as_str()), ("3 campaigns that match", "2 in USD"));
        assert_eq!(totals.others.as_deref(), Some("1 other currency"));
        assert_eq!(totals.rows[1].path, "/dashboard/campaigns?q=a&currency=JPY&cols=week.cpc.roas");
    }

    #[test]
    fn a_total_is_a_lower_bound_only_without_what_the_filter_may_choose() {
        let rows = [row(1, "USD", [100, 10, 900])];
        let accounts = || vec![account(Platform::Beta, true), account(Platform::Gamma, false)];
        let week = |query: &str| {
            let totals = totals(query, &rows, accounts());
            (totals.matching.clone(), shown(&totals.rows[0])[0].to_owned())
        };
        assert_eq!(week("cols=week"), ("at least 1 campaign".to_owned(), "at least 100.00".to_owned()));
        assert_eq!(week("platform=BETA&cols=week"), ("1 campaign that matches".to_owned(), "100.00".to_owned()));
        let unknown = [CampaignRow { numbers: RecentNumbers::UNKNOWN, ..rows[0].clone() }];
        assert_eq!(shown(&totals("cols=week.roas", &unknown, Vec::new()).rows[0]), ["–", "–"]);
    }
}
