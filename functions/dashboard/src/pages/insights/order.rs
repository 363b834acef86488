//! The order of the table. Amounts of different currencies cannot be compared, so each currency is a group then.

use super::lines::Line;
use crate::kit::order;
use crate::kit::ratio::percent;
use rust_decimal::Decimal;
use shared::domain::Currency;

/// A column by which the table can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Name,
    Currency,
    Spend,
    Change,
    Impressions,
    Clicks,
    ClickRate,
    ClickCost,
    Conversions,
    ConversionCost,
    ConversionValue,
    ReturnOnSpend,
}

/// A column and a direction.
pub(super) type Order = order::Order<Column>;

impl order::Column for Column {
    const ALL: &'static [(Column, &'static str, &'static str)] = &[
        (Column::Name, "name", "Name"),
        (Column::Currency, "currency", "Currency"),
        (Column::Spend, "spend", "Spend"),
        (Column::Change, "change", "Change"),
        (Column::Impressions, "impressions", "Impressions"),
        (Column::Clicks, "clicks", "Clicks"),
        (Column::ClickRate, "ctr", "CTR"),
        (Column::ClickCost, "cpc", "CPC"),
        (Column::Conversions, "conversions", "Conversions"),
        (Column::ConversionCost, "cost", "Cost per conversion"),
        (Column::ConversionValue, "value", "Conversion value"),
        (Column::ReturnOnSpend, "roas", "ROAS"),
    ];

    fn is_text(self) -> bool {
        matches!(self, Column::Name | Column::Currency)
    }
}

impl Default for Order {
    /// What costs most comes first.
    fn default() -> Order {
        Order { column: Column::Spend, is_descending: true }
    }
}

impl Order {
    /// Sorts rows. `currencies` is the order of the groups. Equal rows are in the order of their names.
    pub(super) fn sort(self, lines: &mut [Line], currencies: &[Currency]) {
        lines.sort_by_cached_key(|line| line.name().to_lowercase());
        match self.column {
            Column::Name => self.sort_by(lines, |line| Some(line.name().to_lowercase())),
            Column::Currency => self.sort_by(lines, |line| Some(line.currency.code())),
            Column::Change => self.sort_by(lines, change),
            Column::Impressions => self.sort_by(lines, |line| line.now.impressions.known()),
            Column::Clicks => self.sort_by(lines, |line| line.now.clicks.known()),
            Column::ClickRate => self.sort_by(lines, |line| line.now.click_rate().known()),
            Column::Conversions => self.sort_by(lines, |line| line.now.conversions.known()),
            Column::ReturnOnSpend => self.sort_by(lines, |line| line.now.return_on_spend().known()),
            Column::Spend => self.sort_by_amount(lines, currencies, |line| line.now.spend.known()),
            Column::ClickCost => self.sort_by_amount(lines, currencies, |line| line.now.click_cost().known()),
            Column::ConversionCost => self.sort_by_amount(lines, currencies, |line| line.now.conversion_cost().known()),
            Column::ConversionValue => self.sort_by_amount(lines, currencies, |line| line.now.conversion_value.known()),
        }
    }

    fn sort_by_amount(self, lines: &mut [Line], currencies: &[Currency], amount: impl Fn(&Line) -> Option<Decimal>) {
        self.sort_by(lines, amount);
        lines.sort_by_key(|line| currencies.iter().position(|code| *code == line.currency));
    }
}

/// The difference of the spend in percent, as the table shows it.
fn change(line: &Line) -> Option<Decimal> {
    let before = line.before.as_ref()?.spend.exact().filter(|before| *before > Decimal::ZERO)?;
    percent(line.now.spend.exact()?, before)
}
