//! The tables as a file: all rows, in the order of the page.

use super::read;
use super::rows::{Budget, MonthRow, MonthRows};
use super::view::View;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::csv::{Cell, Csv};
use crate::kit::money;
use crate::kit::month_end::Verdict;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::monthly::Month;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

const TITLES: &[&str] = &[
    "Month",
    "Row",
    "Platform",
    "Ad account",
    "Ad account number",
    "Campaign",
    "Campaign id",
    "State",
    "Currency",
    "Spent so far",
    "Budget of the month",
    "Expected by now",
    "Forecast",
    "Complete",
    "Verdict",
];

/// Sends the file. It waits for every ad account.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let view = View::read(&request.query, users::named(&request.query)?, request.now);
    let view = View { is_patient: true, ..view };
    let data = match read(request, person, &view).await {
        Ok(data) => data,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(view.path())),
    };
    let mut csv = csv(&data.rows(&view, request.now), view.month());
    csv.note_missing(data.is_incomplete());
    Ok(csv.reply("months", &view.month().name()))
}

/// All campaigns, and then the ad accounts of all currencies.
pub(super) fn csv(MonthRows { campaigns, currencies }: &MonthRows, month: Month) -> Csv {
    let mut csv = Csv::new(TITLES);
    for row in campaigns.iter().chain(currencies.iter().flat_map(|rows| &rows.accounts)) {
        csv.row(cells(row, month));
    }
    csv
}

/// Numbers stay numbers, so a row whose numbers are lower bounds says that it is not complete.
fn cells(row: &MonthRow, month: Month) -> [Cell; 15] {
    let MonthRow { platform, account: (account, number), currency, other_month: _, spent, forecast, budget } = row;
    let digits = |amount: Decimal| money::form_amount(amount, currency.code());
    let sum = |sum: Total| Cell::known(sum.value_to_show().map(digits));
    let of = |field: fn(&Budget) -> &str| budget.as_ref().map(field).unwrap_or_default();
    [
        Cell::plain(month.name()),
        Cell::text(if budget.is_some() { "Campaign" } else { "Ad account" }),
        Cell::text(*platform),
        Cell::text(account.as_str()),
        Cell::text(number.as_str()),
        Cell::text(of(|budget| &budget.name)),
        Cell::text(of(|budget| &budget.id)),
        Cell::text(of(|budget| budget.badge.as_deref().unwrap_or_default())),
        Cell::text(currency.code()),
        sum(*spent),
        Cell::known(budget.as_ref().map(|budget| digits(budget.end.amount))),
        Cell::known(budget.as_ref().and_then(|budget| budget.expected).map(digits)),
        forecast.map_or_else(|| Cell::plain(""), sum),
        Cell::text(if row.is_whole() { "yes" } else { "no" }),
        Cell::text(row.verdict().map(Verdict::word).unwrap_or_default()),
    ]
}
