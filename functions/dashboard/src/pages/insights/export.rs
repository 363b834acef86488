//! The table as a file: all rows of the chosen tab.

use super::lines::{Line, lines};
use super::view::{TableKind, View};
use crate::client::notice::Notice;
use crate::client::readings::gather;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::INSIGHTS;
use crate::kit::bound::Ratio;
use crate::kit::csv::{Cell, Csv, in_seconds};
use crate::kit::money;
use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use crate::kit::ratio::{shown_change, shown_cost, shown_rate};
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// The columns of the table, in its order; beside the spend that of the period before.
const NUMBERS: [&str; 15] = [
    "Currency",
    "Spend",
    "Spend in the period before",
    "Change (%)",
    "Impressions",
    "Clicks",
    "CTR (%)",
    "CPC",
    "Conversions",
    "Cost per conversion",
    "Conversion value",
    "ROAS",
    "Read at",
    "Completeness",
    "Lower bounds",
];

/// Sends the file. It waits for every ad account.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    if Range::problem(&request.query, request.now).is_some() {
        return Ok(WebReply::see_other(INSIGHTS));
    }
    users::named(&request.query)?;
    let view = View::read(&request.query, request.now);
    let gathered = match gather(request, person, &view.wanted(), true).await {
        Ok(gathered) => gathered,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(view.path())),
    };
    let gathered = gathered.in_currency(view.currency);
    let mut csv = csv(&lines(&gathered, view.by, view.order), view.by);
    csv.note_missing(gathered.is_cut || !gathered.late.is_empty() || !gathered.failures.is_empty());
    let Range { from, to, .. } = gathered.shown_range(view.range);
    Ok(csv.reply("insights", &format!("{from}-{to}")))
}

/// The table. Its numbers are numbers alone: what they are is in the last two columns.
pub(super) fn csv(lines: &[Line], by: TableKind) -> Csv {
    let subject: &[&str] = match by {
        TableKind::Platform => &["From", "To", "Platform"],
        TableKind::Account => &["From", "To", "Platform", "Ad account", "Ad account number"],
        TableKind::Campaign => {
            &["From", "To", "Platform", "Ad account", "Ad account number", "Campaign", "Campaign id"]
        }
    };
    let mut csv = Csv::new(&[subject, &NUMBERS].concat());
    for line in lines {
        let Range { from, to, .. } = line.range;
        let named = line.account.iter().chain(&line.campaign).flat_map(|(name, id)| [name, id]);
        let subject = [Cell::plain(from), Cell::plain(to), Cell::text(line.platform)];
        csv.row(subject.into_iter().chain(named.map(Cell::text)).chain(numbers(line)));
    }
    csv
}

fn numbers(line: &Line) -> [Cell; 15] {
    let Line { now, before, .. } = line;
    let currency = line.currency.code();
    let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = now;
    let amount = |sum: Total| cell(sum, &|amount| money::form_amount(amount, currency));
    let count = |sum: Total| cell(sum, &|count| count.normalize().to_string());
    let cost = |ratio: Ratio| Cell::known(ratio.exact().map(|cost| shown_cost(cost, currency)));
    let rate = |ratio: Ratio| Cell::known(ratio.exact().map(shown_rate));
    let spend_before = before.as_ref().and_then(|before| before.spend.exact());
    [
        Cell::text(currency),
        amount(*spend),
        Cell::known(spend_before.map(|amount| money::form_amount(amount, currency))),
        Cell::known(shown_change(spend.exact(), spend_before)),
        count(*impressions),
        count(*clicks),
        rate(now.click_rate()),
        cost(now.click_cost()),
        count(*conversions),
        cost(now.conversion_cost()),
        amount(*conversion_value),
        rate(now.return_on_spend()),
        Cell::known(line.read_at.map(in_seconds)),
        Cell::text(completeness(line)),
        Cell::text(now.lower_bounds().join("; ")),
    ]
}

/// What the sums of a row are: `incomplete` if a part of it could not be read, or is from before, and `lower bound` if the
/// platform has not reported a part of one.
fn completeness(line: &Line) -> &'static str {
    match line.now.lower_bounds().is_empty() {
        _ if line.is_incomplete => "incomplete",
        true => "complete",
        false => "lower bound",
    }
}

/// The number of a sum, also of a lower bound: `12.50`. One of which nothing is known is empty.
fn cell(sum: Total, show: &dyn Fn(Decimal) -> String) -> Cell {
    Cell::known(sum.value_to_show().map(show))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_a_number_and_one_that_is_not_known_is_empty() {
        let sum = |parts: &[Option<i64>]| {
            let mut sum = Total::default();
            parts.iter().for_each(|part| sum.add(Total::of(part.map(Decimal::from))));
            cell(sum, &|amount| money::form_amount(amount, "USD"))
        };
        assert_eq!(sum(&[Some(5), Some(7)]), Cell::plain("12.00"));
        assert_eq!(sum(&[Some(5), None]), Cell::plain("5.00"), "a column says that it is a lower bound");
        assert_eq!((sum(&[None]), sum(&[])), (Cell::plain(""), Cell::plain("")));
    }
}
