//! The list as a file: the rows of the page, from what is kept, all pages of them.

use super::{arrange, removed};
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::readings::{AccountState, CampaignRow, Overview};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::csv::{self, Cell, Csv, in_seconds};
use crate::kit::money;
use crate::kit::total::Total;
use crate::pages::campaigns::filter::Filter;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

const TITLES: &[&str] = &[
    "Name",
    "Id",
    "Platform",
    "Ad account",
    "Ad account number",
    "Status",
    "On its way",
    "Currency",
    "Budget",
    "Budget for",
    "Spend today",
    "Pace in percent",
    "Spend, 7 days",
    "Clicks, 7 days",
    "CPC",
    "End",
    "Read at",
    "Lower bounds",
    "Incomplete",
];

/// Sends the file. What the platforms have not answered yet is as it was read last, as on the page.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::named(&request.query)?;
    let filter = Filter::of(&request.query);
    let overview = match Overview::read(request, person, user.as_ref()).await {
        Ok(overview) => overview,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(filter.path())),
    };
    let (rows, lacks) = if filter.is_of_removed() {
        let (rows, list) = removed::read(&Api::new(request, person).acting_for(user.as_ref()), &filter).await;
        (rows, list.is_some_and(|list| list.is_cut || !list.problems.is_empty()))
    } else {
        let is_unread = |account: &AccountState| account.read_at.is_none();
        let lacks = overview.is_cut() || !overview.problems().is_empty() || overview.accounts.iter().any(is_unread);
        (overview.rows.clone(), lacks)
    };
    let mut csv = table(&filter, overview, rows, request.now);
    csv.note_missing(lacks);
    Ok(csv.reply("campaigns", &csv::day(request.now)))
}

/// The rows of a filter in its order.
pub(super) fn table(filter: &Filter, mut overview: Overview, mut rows: Vec<CampaignRow>, now: Timestamp) -> Csv {
    if let Some(currency) = &filter.currency {
        overview.keep(currency);
    }
    arrange(filter, &overview, &mut rows, now);
    let mut csv = Csv::new(TITLES);
    for row in &rows {
        let account = overview.accounts.iter().find(|account| account.connection == row.connection);
        csv.row(cells(row, account.filter(|_| !filter.is_of_removed()), now));
    }
    csv
}

/// `account` is that of a campaign that is kept.
fn cells(row: &CampaignRow, account: Option<&AccountState>, now: Timestamp) -> [Cell; 19] {
    let CampaignRow { campaign, numbers, .. } = row;
    let digits = |amount: Decimal| money::form_amount(amount, campaign.currency.code());
    let sum = |sum: Total| Cell::known(sum.value_to_show().map(digits));
    let spend = numbers.spend;
    let is_bound = |sum: &Total| sum.value_to_show().is_some() && sum.exact().is_none();
    let named = [("Spend today", spend.today), ("Spend, 7 days", spend.week), ("Clicks, 7 days", numbers.clicks)];
    let bounds = named.iter().filter(|(_, sum)| is_bound(sum)).map(|(title, _)| *title);
    [
        Cell::text(campaign.name.as_str()),
        Cell::text(campaign.id.to_string()),
        Cell::text(campaign.id.platform().display_name()),
        Cell::text(row.account.as_str()),
        Cell::text(campaign.account_id.as_str()),
        Cell::text(campaign.status_word(now)),
        Cell::text(row.on_its_way.words()),
        Cell::text(campaign.currency.code()),
        Cell::known(campaign.budget_amount.map(digits)),
        Cell::text(money::span_of(campaign.budget_period).trim()),
        sum(spend.today),
        Cell::known(row.pace().map(|pace| pace.share.round_dp(2))),
        sum(spend.week),
        Cell::known(numbers.clicks.value_to_show().map(|clicks| clicks.normalize())),
        Cell::known(row.click_cost()),
        Cell::known(campaign.end_at.map(in_seconds)),
        Cell::known(account.and_then(read_at).map(in_seconds)),
        Cell::text(bounds.collect::<Vec<_>>().join(" and ")),
        Cell::text(account.and_then(incomplete).unwrap_or_default()),
    ]
}

/// When the rows of an account were read: the older one of its campaigns and their numbers.
fn read_at(account: &AccountState) -> Option<Timestamp> {
    [account.read_at, account.numbers_at].into_iter().flatten().min()
}

/// What the rows of an account lack.
fn incomplete(account: &AccountState) -> Option<&'static str> {
    let AccountState { problem, numbers_problem, is_cut, .. } = account;
    let lacks = [
        (problem.is_some(), "the ad account did not answer"),
        (numbers_problem.is_some(), "its numbers did not come"),
        (*is_cut, "the ad account has more campaigns"),
    ];
    lacks.into_iter().find(|(is_so, _)| *is_so).map(|(_, words)| words)
}
