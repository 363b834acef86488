//! The numbers of a row, and of a total, in the columns that the list shows.

use crate::client::readings::RecentNumbers;
use crate::kit::money;
use crate::kit::numbers::NumberCell;
use crate::kit::order::{Column as _, Heading};
use crate::kit::pace::Pace;
use crate::pages::campaigns::filter::{Column, DAYS_COLUMN, Filter};
use shared::domain::Currency;

/// More columns of numbers than these stand in a table that is scrolled.
const MAX_FIXED: usize = 6;
/// The columns beside those that a person chooses: the box, the name, the status and the button.
const ALWAYS: usize = 4;

/// The columns that the list shows.
pub(super) struct Columns {
    /// Nobody has chosen others. The stylesheet names these by their place, so that the page is small.
    pub(super) is_usual: bool,
    pub(super) budget: bool,
    /// Those of numbers, in their order.
    numbers: Vec<Column>,
    /// The line of fourteen days.
    pub(super) days: bool,
}

/// A number with its column.
pub(super) struct Figure {
    /// The name of the column, for a screen without headings.
    pub(super) label: &'static str,
    value: NumberCell,
    /// The number is the pace, which has a bar.
    pub(super) pace: Option<Pace>,
}

impl Figure {
    /// The number, for the template of numbers.
    pub(super) fn cell(&self) -> &NumberCell {
        &self.value
    }
}

impl Columns {
    pub(super) fn of(filter: &Filter) -> Columns {
        let shown = Column::ALL.iter().filter(|(_, value, _)| filter.shows(value)).map(|(column, _, _)| *column);
        Columns {
            is_usual: filter.columns.is_empty(),
            budget: filter.shows("budget"),
            numbers: shown.filter(|column| *column != Column::Budget).collect(),
            days: filter.shows(DAYS_COLUMN),
        }
    }

    /// All columns of the table.
    pub(super) fn count(&self) -> usize {
        ALWAYS + usize::from(self.budget) + self.numbers.len() + usize::from(self.days)
    }

    /// Whether they may be wider than the page.
    pub(super) fn is_wide(&self) -> bool {
        self.numbers.len() > MAX_FIXED
    }

    /// The headings of these columns.
    pub(super) fn headings(&self, all: Vec<Heading>) -> Vec<Heading> {
        let is_shown = |column: Column| match column {
            Column::Name | Column::Status => true,
            Column::Budget => self.budget,
            other => self.numbers.contains(&other),
        };
        let shown = Column::ALL.iter().zip(all).filter(|((column, _, _), _)| is_shown(*column));
        shown.map(|((column, _, _), heading)| Heading { text: label(*column), ..heading }).collect()
    }

    /// The numbers of a campaign, or of several.
    pub(super) fn figures(&self, numbers: &RecentNumbers, pace: Option<Pace>, currency: Currency) -> Vec<Figure> {
        let code = currency.code();
        let [_, impressions, clicks, rate, click_cost, conversions, cost, _, roas] = numbers.week.cells(code);
        let plain = |text: String| NumberCell { text, why: "" };
        let amount = |total: crate::kit::total::Total| plain(total.text(|amount| money::amount_text(amount, code)));
        let figure = |column: &Column| Figure {
            label: label(*column),
            value: match column {
                Column::Name | Column::Status | Column::Budget | Column::Pace => plain(String::new()),
                Column::Today => amount(numbers.spend.today),
                Column::Week => amount(numbers.spend.week),
                Column::Impressions => impressions.clone(),
                Column::Clicks => clicks.clone(),
                Column::ClickRate => rate.clone(),
                Column::ClickCost => click_cost.clone(),
                Column::Conversions => conversions.clone(),
                Column::ConversionCost => cost.clone(),
                Column::ReturnOnSpend => roas.clone(),
            },
            pace: pace.filter(|_| *column == Column::Pace),
        };
        self.numbers.iter().map(figure).collect()
    }
}

/// The heading of a column without the days, which a note below the list has; spend keeps them.
fn label(column: Column) -> &'static str {
    let (_, _, heading) = Column::ALL.iter().find(|(known, _, _)| *known == column).unwrap_or(&Column::ALL[0]);
    if column == Column::Week { heading } else { heading.strip_suffix(", 7 days").unwrap_or(heading) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::RecentSpend;
    use crate::kit::numbers::Numbers;
    use crate::kit::total::Total;
    use rust_decimal::Decimal;
    use shared::envelope::query::pairs;

    fn columns(query: &str) -> Columns {
        Columns::of(&Filter::of(&pairs(Some(query))))
    }

    fn whole(number: i64) -> Total {
        Total::of(Some(Decimal::from(number)))
    }

    #[test]
    fn a_row_has_the_numbers_of_the_chosen_columns() {
        let week = Numbers {
            spend: whole(50),
            impressions: whole(2_000),
            clicks: whole(40),
            conversions: whole(4),
            conversion_value: whole(125),
            is_open: false,
        };
        let spend = RecentSpend { today: whole(7), week: whole(50), ..RecentSpend::UNKNOWN };
        let numbers = RecentNumbers { spend, week, days: Vec::new() };
        let shown = |query: &str| -> Vec<String> {
            let figures = columns(query).figures(&numbers, None, Currency::from_code("USD").unwrap());
            figures.iter().map(|figure| format!("{} {}", figure.label, figure.cell().text)).collect()
        };
        let all = "cols=today.week.impressions.clicks.ctr.cpc.conversions.cost.roas";
        assert_eq!(
            shown(all),
            [
                "Spend today 7.00",
                "Spend, 7 days 50.00",
                "Impressions 2,000",
                "Clicks 40",
                "CTR 2.00%",
                "CPC 1.25",
                "Conversions 4",
                "Cost per conversion 12.50",
                "ROAS 2.50",
            ]
        );
        assert_eq!(shown("cols=roas"), ["ROAS 2.50"]);
        assert!(columns(all).is_wide() && !columns("").is_wide());
    }

    #[test]
    fn headings_are_those_of_the_columns() {
        let filter = Filter::of(&[]);
        let headings = |query: &str| -> Vec<&str> {
            let all = filter.order.headings(|_| String::new());
            columns(query).headings(all).into_iter().map(|heading| heading.text).collect()
        };
        assert_eq!(headings("cols=roas.budget"), ["Campaign", "Status", "Budget", "ROAS"]);
        assert_eq!((headings("").len(), columns("").count()), (9, 12), "the box, the days and the button beside them");
    }
}
