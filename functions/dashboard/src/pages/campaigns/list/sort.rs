//! Sorts the list. What is unknown comes last either way, and equal rows are in the order of their names.

use crate::client::readings::CampaignRow;
use crate::pages::campaigns::filter::{Column, Order};
use jiff::Timestamp;
use shared::domain::Currency;

impl Order {
    /// Sorts rows. Where amounts are compared, the currencies are groups in this order.
    pub(super) fn sort(self, rows: &mut [CampaignRow], currencies: &[Currency], now: Timestamp) {
        rows.sort_by_cached_key(|row| (folded(row), row.campaign.id.to_string()));
        match self.column {
            Column::Name => self.sort_by(rows, |row| Some(folded(row))),
            Column::Status => self.sort_by(rows, |row| Some(row.campaign.status_word(now))),
            Column::Impressions => self.sort_by(rows, |row| row.numbers.week.impressions.known()),
            Column::Clicks => self.sort_by(rows, |row| row.numbers.week.clicks.known()),
            Column::ClickRate => self.sort_by(rows, |row| row.numbers.week.click_rate().known()),
            Column::Conversions => self.sort_by(rows, |row| row.numbers.week.conversions.known()),
            Column::ReturnOnSpend => self.sort_by(rows, |row| row.numbers.week.return_on_spend().known()),
            Column::Pace => self.sort_by(rows, |row| row.pace().map(|pace| pace.share)),
            Column::Budget => self.sort_by(rows, |row| row.campaign.budget_amount),
            Column::Today => self.sort_by(rows, |row| row.numbers.spend.today.known()),
            Column::Week => self.sort_by(rows, |row| row.numbers.spend.week.known()),
            Column::ClickCost => self.sort_by(rows, |row| row.numbers.week.click_cost().known()),
            Column::ConversionCost => self.sort_by(rows, |row| row.numbers.week.conversion_cost().known()),
        }
        if self.column.is_amount() {
            // Amounts of different currencies cannot be compared.
            let place = |currency| currencies.iter().position(|known| *known == currency).unwrap_or(usize::MAX);
            rows.sort_by_key(|row| (place(row.campaign.currency), row.campaign.currency.code()));
        }
    }
}

impl Column {
    /// Whether it has amounts of money.
    fn is_amount(self) -> bool {
        use Column::{Budget, ClickCost, ConversionCost, Today, Week};
        matches!(self, Budget | Today | Week | ClickCost | ConversionCost)
    }
}

fn folded(row: &CampaignRow) -> String {
    row.campaign.name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{RecentNumbers, RecentSpend};
    use crate::kit::campaign::CampaignSummary;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::total::Total;
    use rust_decimal::Decimal;
    use shared::domain::CampaignStatus;

    fn row(name: &str, currency: &str, week: Option<i64>) -> CampaignRow {
        let campaign = CampaignSummary {
            name: name.to_owned(),
            currency: Currency::from_code(currency).unwrap(),
            ..campaign(&format!("beta_1_{name}"), CampaignStatus::Paused)
        };
        let spend = RecentSpend { week: Total::of(week.map(Decimal::from)), ..RecentSpend::UNKNOWN };
        CampaignRow {
            numbers: RecentNumbers { spend, ..RecentNumbers::UNKNOWN },
            ..CampaignRow::without_numbers(campaign)
        }
    }

    fn sorted(order: &str, mut rows: Vec<CampaignRow>) -> String {
        let currencies = ["USD", "JPY"].map(|code| Currency::from_code(code).unwrap());
        Order::parse(order).unwrap().sort(&mut rows, &currencies, Timestamp::UNIX_EPOCH);
        rows.iter().map(|row| row.campaign.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_unknown_comes_last_and_ties_are_in_the_order_of_names() {
        let rows = || {
            vec![row("d", "USD", None), row("B", "USD", Some(9)), row("c", "USD", Some(70)), row("a", "USD", Some(9))]
        };
        assert_eq!(sorted("-week", rows()), "c a B d");
        assert_eq!(sorted("week", rows()), "a B c d");
        assert_eq!(sorted("name", rows()), "a B c d");
        assert_eq!(sorted("-name", rows()), "d c B a");
        assert_eq!(sorted("-clicks", rows()), "a B c d", "all are unknown");
    }

    #[test]
    fn amounts_of_different_currencies_are_not_compared() {
        let rows = vec![row("a", "USD", Some(5)), row("b", "JPY", Some(900)), row("c", "USD", Some(70))];
        assert_eq!(sorted("-week", rows), "c a b");
    }

    #[test]
    fn paces_of_all_currencies_are_compared() {
        let fast = |mut row: CampaignRow, today: i64| {
            row.numbers.spend.today = Total::of(Some(Decimal::from(today)));
            row
        };
        let rows =
            vec![fast(row("a", "USD", None), 4), fast(row("b", "JPY", None), 19), fast(row("c", "USD", None), 12)];
        assert_eq!(sorted("-pace", [rows, vec![row("d", "USD", Some(5))]].concat()), "b c a d");
    }
}
