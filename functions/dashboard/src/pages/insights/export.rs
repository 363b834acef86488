//! The table as a file: all rows of the chosen tab.

use super::gather::gather;
use super::lines::{Line, lines};
use super::view::{By, View};
use crate::addresses::INSIGHTS;
use crate::csv::{Cell, Csv};
use crate::insights::{Numbers, Range, Sum, rounded, shown_rate};
use crate::money;
use crate::notice::Notice;
use crate::session::SignedIn;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Decimals of an amount for a click, if the currency has fewer.
const MIN_COST_DECIMALS: u32 = 2;
const NUMBERS: [&str; 9] = [
    "Currency",
    "Spend",
    "Spend in the period before",
    "Impressions",
    "Clicks",
    "CTR (%)",
    "CPC",
    "Conversions",
    "Conversion value",
];

/// Sends the file. It waits for every ad account.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    if Range::problem(&request.query, request.now).is_some() {
        return Ok(WebReply::see_other(INSIGHTS));
    }
    let view = View::read(&request.query, request.now);
    let gathered = match gather(request, person, &view, true).await {
        Ok(gathered) => gathered,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(view.path())),
    };
    let mut csv = csv(&lines(&gathered, view.by), &view);
    csv.note_missing(gathered.is_cut || !gathered.late.is_empty() || !gathered.failures.is_empty());
    let Range { from, to, .. } = view.range;
    Ok(csv.reply("insights", &format!("{from}-{to}")))
}

/// The table. A number that is not known in full is empty.
fn csv(lines: &[Line], view: &View) -> Csv {
    let subject: &[&str] = match view.by {
        By::Platform => &["From", "To", "Platform"],
        By::Account => &["From", "To", "Platform", "Ad account", "Ad account number"],
        By::Campaign => &["From", "To", "Platform", "Ad account", "Ad account number", "Campaign", "Campaign id"],
    };
    let mut csv = Csv::new(&[subject, &NUMBERS].concat());
    for line in lines {
        let named = line.account.iter().chain(&line.campaign).flat_map(|(name, id)| [name, id]);
        let subject = [Cell::plain(view.range.from), Cell::plain(view.range.to), Cell::text(line.platform.as_str())];
        csv.row(subject.into_iter().chain(named.map(Cell::text)).chain(numbers(line)));
    }
    csv
}

fn numbers(line: &Line) -> [Cell; 9] {
    let Line { currency, now, before, .. } = line;
    let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = now;
    let amount = |sum: Sum| Cell::known(sum.whole().map(|amount| money::entered(amount, currency)));
    let count = |sum: Sum| Cell::known(sum.whole().map(|count| count.normalize()));
    let decimals = money::decimals(currency).max(MIN_COST_DECIMALS);
    [
        Cell::text(currency.as_str()),
        amount(*spend),
        amount(before.as_ref().map(|before| before.spend).unwrap_or_default()),
        count(*impressions),
        count(*clicks),
        Cell::known(now.click_rate().map(shown_rate)),
        Cell::known(now.click_cost().map(|cost| rounded(cost, decimals))),
        count(*conversions),
        amount(*conversion_value),
    ]
}
