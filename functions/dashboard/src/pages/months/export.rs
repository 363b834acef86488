//! The tables as a file: all rows, in the order of the page.

use super::read;
use super::rows::{CurrencyRows, MonthRow};
use super::view::View;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::csv::{Cell, Csv};
use crate::kit::money;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::Currency;
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
    "At this pace",
];

/// Sends the file. It waits for every ad account.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let view = View::read(&request.query, users::named(&request.query)?, request.now);
    let view = View { is_patient: true, ..view };
    let data = match read(request, person, &view).await {
        Ok(data) => data,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(view.path())),
    };
    let mut csv = csv(&data.rows(&view, request.now));
    csv.note_missing(data.is_incomplete());
    Ok(csv.reply("months", &view.month().name()))
}

/// The rows of all currencies.
pub(super) fn csv(currencies: &[CurrencyRows]) -> Csv {
    let mut csv = Csv::new(TITLES);
    for CurrencyRows { currency, campaigns, accounts, is_partial: _ } in currencies {
        for row in campaigns.iter().chain(accounts) {
            csv.row(cells(row, *currency));
        }
    }
    csv
}

fn cells(row: &MonthRow, currency: Currency) -> [Cell; 13] {
    let digits = |amount: Decimal| money::form_amount(amount, currency.code());
    let sum = |sum: Total| Cell::known(sum.value_to_show().map(|_| sum.text(digits)));
    let (campaign, id) = row.campaign.clone().unwrap_or_default();
    let (account, number) = &row.account;
    [
        Cell::plain(row.month.name()),
        Cell::text(if row.campaign.is_some() { "Campaign" } else { "Ad account" }),
        Cell::text(row.platform),
        Cell::text(account.as_str()),
        Cell::text(number.as_str()),
        Cell::text(campaign),
        Cell::text(id),
        Cell::text(row.badge.as_deref().unwrap_or_default()),
        Cell::text(currency.code()),
        sum(row.spent),
        Cell::known(row.plan.map(|plan| digits(plan.amount))),
        Cell::known(row.plan.and_then(|plan| plan.expected).map(digits)),
        row.forecast.map_or_else(|| Cell::plain(""), sum),
    ]
}
