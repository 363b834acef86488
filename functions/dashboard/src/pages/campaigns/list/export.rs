//! The list as a file: the rows of the page, from what is kept, all pages of them.

use super::{arrange, removed};
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::readings::{AccountState, CampaignRow, Overview, RecentNumbers};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::bound::Ratio;
use crate::kit::csv::{self, Cell, Csv, in_seconds};
use crate::kit::money;
use crate::kit::ratio::{shown_cost, shown_rate};
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
    "Impressions, 7 days",
    "Clicks, 7 days",
    "CTR in percent",
    "CPC",
    "Conversions, 7 days",
    "Cost per conversion",
    "Conversion value, 7 days",
    "ROAS",
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
        let account = row.account_in(&overview.accounts);
        csv.row(cells(row, account.filter(|_| !filter.is_of_removed()), now));
    }
    csv
}

/// `account` is that of a campaign that is kept.
fn cells(row: &CampaignRow, account: Option<&AccountState>, now: Timestamp) -> [Cell; 25] {
    let CampaignRow { campaign, numbers, .. } = row;
    let code = campaign.currency.code();
    let digits = |amount: Decimal| money::form_amount(amount, code);
    let sum = |sum: Total| Cell::known(sum.value_to_show().map(digits));
    let count = |sum: Total| Cell::known(sum.value_to_show().map(|count| count.normalize()));
    let cost = |ratio: Ratio| Cell::known(ratio.exact().map(|cost| shown_cost(cost, code)));
    let rate = |ratio: Ratio| Cell::known(ratio.exact().map(shown_rate));
    let (spend, week) = (numbers.spend, &numbers.week);
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
        count(week.impressions),
        count(week.clicks),
        rate(week.click_rate()),
        cost(week.click_cost()),
        count(week.conversions),
        cost(week.conversion_cost()),
        sum(week.conversion_value),
        rate(week.return_on_spend()),
        Cell::known(campaign.end_at.map(in_seconds)),
        Cell::known(account.and_then(read_at).map(in_seconds)),
        Cell::text(lower_bounds(numbers).join("; ")),
        Cell::text(account.and_then(incomplete).unwrap_or_default()),
    ]
}

/// The columns whose sums are lower bounds.
fn lower_bounds(RecentNumbers { spend, week, .. }: &RecentNumbers) -> Vec<&'static str> {
    let named = [
        ("Spend today", spend.today),
        ("Spend, 7 days", spend.week),
        ("Impressions, 7 days", week.impressions),
        ("Clicks, 7 days", week.clicks),
        ("Conversions, 7 days", week.conversions),
        ("Conversion value, 7 days", week.conversion_value),
    ];
    named.into_iter().filter(|(_, sum)| sum.is_lower_bound()).map(|(title, _)| title).collect()
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
