//! The page of all campaigns: the overview with a filter and an order, a page at a time.

mod controls;
mod export;
mod page;
mod removed;
mod row;
mod sort;

pub(crate) use export::download;

use super::filter::{Filter, Order};
use crate::client::api::{Api, Refusal};
use crate::client::readings::{CampaignRow, Overview};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::choice::Choice;
use crate::kit::only_user::OnlyUser;
use crate::kit::order::Heading;
use crate::pages::layout::{self, Layout};
use askama::Template;
use controls::Chip;
use jiff::Timestamp;
use page::Pager;
use removed::RemovedList;
use row::{ListRow, total_words};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/campaigns/list/campaigns.html")]
struct CampaignsPage {
    layout: Layout,
    overview: Overview,
    only_user: Option<OnlyUser>,
    /// The number of campaigns and their spend, for people.
    totals: Vec<String>,
    search: String,
    /// The order in the address; empty for the usual one.
    sort: String,
    /// The number of rows in the address; empty for the usual one.
    page_size: String,
    platforms: Vec<Choice>,
    statuses: Vec<Choice>,
    accounts: Vec<Choice>,
    /// The choices of the currency; empty if all campaigns have the same.
    currencies: Vec<Choice>,
    chips: Vec<Chip>,
    /// The query string of this page, with which a form in a row comes back to it.
    list: String,
    headings: Vec<Heading>,
    rows: Vec<ListRow>,
    pager: Pager,
    /// The text beside a list of removed campaigns.
    removed: Option<RemovedList>,
    /// The list that the API refused.
    refusal: Option<Refusal>,
    /// Whether there is an ad account, or the list is of one user.
    is_connected: bool,
}

/// Shows the page. It renders even if the API refuses the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::named(&request.query)?;
    let filter = Filter::of(&request.query);
    let (overview, refusal) = match Overview::read(request, person, user.as_ref()).await {
        Ok(overview) => (overview, None),
        Err(refusal) => (Overview::default(), Some(refusal)),
    };
    let (rows, removed) = if filter.is_of_removed() {
        removed::read(&Api::new(request, person).acting_for(user.as_ref()), &filter).await
    } else {
        (overview.rows.clone(), None)
    };
    let layout = Layout::signed_in(request, "Campaigns", CAMPAIGNS, person);
    let template = page(layout, overview, rows, &filter, request.now);
    Ok(layout::show(request, &CampaignsPage { removed, refusal, ..template }))
}

/// The page of an overview.
fn page(
    layout: Layout,
    mut overview: Overview,
    mut rows: Vec<CampaignRow>,
    filter: &Filter,
    now: Timestamp,
) -> CampaignsPage {
    let used = overview.rows.iter().map(|row| row.campaign.currency.code());
    let currencies = controls::currencies(filter, used);
    if let Some(currency) = &filter.currency {
        overview.keep(currency);
    }
    rows.retain(|row| filter.fits(&row.campaign, &row.connection, now));
    filter.order.sort(&mut rows, now);
    let pager = Pager::new(rows.len(), filter);
    let filter = &filter.at(pager.page);
    let list = filter.list();
    let names = overview.accounts.iter().map(|account| (account.connection.as_str(), account.name.as_str()));
    let account = names.clone().find(|(id, _)| Some(*id) == filter.account.as_deref()).map(|(_, name)| name);
    CampaignsPage {
        only_user: OnlyUser::new(filter.user.as_ref(), Filter { user: None, ..filter.at(1) }.path()),
        totals: total_words(&overview),
        search: filter.search.clone().unwrap_or_default(),
        sort: if filter.order == Order::default() { String::new() } else { filter.order.to_string() },
        page_size: filter.other_page_size().unwrap_or_default(),
        platforms: controls::platforms(filter),
        statuses: controls::statuses(filter),
        accounts: controls::accounts(filter, names),
        currencies,
        chips: controls::chips(filter, account),
        headings: filter.order.headings(|order| filter.in_order(order).path()),
        rows: rows[pager.range()].iter().map(|row| ListRow::new(row, &list, now)).collect(),
        is_connected: !overview.accounts.is_empty() || filter.user.is_some(),
        pager,
        list,
        removed: None,
        refusal: None,
        overview,
        layout,
    }
}

#[cfg(test)]
pub(crate) mod tests;
