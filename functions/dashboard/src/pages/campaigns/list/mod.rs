//! The page of all campaigns: the overview with a filter and an order, a page at a time.

mod controls;
mod edit;
mod export;
mod figures;
mod head;
mod page;
mod removed;
mod row;
mod sort;
mod totals;

pub(crate) use export::download;

use super::filter::{Filter, IDS_FIELD};
use super::form_page::Origin;
use super::views::{self, Views};
use crate::client::api::{Api, Refusal};
use crate::client::changes::{self, GoingOn};
use crate::client::paused_all::{self, PausedAll};
use crate::client::readings::{CampaignRow, Overview};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::choice::Choice;
use crate::kit::only_user::OnlyUser;
use crate::kit::order::Heading;
use crate::kit::text::path_segment;
use crate::pages::layout::{self, Layout};
use askama::Template;
use controls::Chip;
use edit::{BudgetForm, Need};
use figures::Columns;
use head::Head;
use jiff::Timestamp;
use page::Pager;
use removed::RemovedList;
use row::ListRow;
use shared::domain::Currency;
use shared::envelope::WebReply;
use shared::envelope::query::pairs;
use shared::error::Error;
use shared::serve::WebRequest;
use totals::ListTotals;

#[derive(Template)]
#[template(path = "pages/campaigns/list/campaigns.html")]
struct CampaignsPage {
    layout: Layout,
    overview: Overview,
    /// The pause of everything, while it can be undone.
    paused_all: Option<PausedAll>,
    only_user: Option<OnlyUser>,
    head: Head,
    /// The totals of what the filter selects.
    totals: Option<ListTotals>,
    /// Whether there may be a campaign to pause: some are known, or not all ad accounts have responded.
    has_campaigns: bool,
    /// The parameters of this page.
    parameters: Vec<(String, String)>,
    search: String,
    orders: Vec<Choice>,
    /// The number of rows in the address; empty for the usual one.
    page_size: String,
    platforms: Vec<Choice>,
    statuses: Vec<Choice>,
    accounts: Vec<Choice>,
    /// The choices of the currency; empty if all campaigns have the same.
    currencies: Vec<Choice>,
    /// The columns that can be chosen, in groups.
    column_choices: Vec<(&'static str, Vec<Choice>)>,
    columns: Columns,
    chips: Vec<Chip>,
    /// The views that the person has saved.
    views: Views,
    /// The query string of this page, with which a form in a row comes back to it.
    list: String,
    /// The same as a value in an address.
    list_value: String,
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

/// What the page shows of the campaigns.
struct View<'a> {
    filter: &'a Filter,
    /// The campaign whose budget the person changes in its row.
    edit: Option<&'a str>,
    /// The amount that another page advises for it.
    need: Option<Need>,
    /// The page from which the person has opened the form of a row, and to which that leads back.
    origin: Option<Origin>,
    /// The campaigns that are ticked from the start: those of a form that has failed.
    ticked: Vec<&'a str>,
    /// The campaigns that their monthly budget activates again.
    goes_on: GoingOn,
    now: Timestamp,
}

/// Shows the page. It renders even if the API refuses the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::named(&request.query)?;
    let filter = Filter::of(&request.query);
    let (overview, refusal) = match Overview::read(request, person, user.as_ref()).await {
        Ok(overview) => (overview, None),
        Err(refusal) => (Overview::default(), Some(refusal)),
    };
    let api = Api::new(request, person).acting_for(user.as_ref());
    let (rows, removed) =
        if filter.is_of_removed() { removed::read(&api, &filter).await } else { (overview.rows.clone(), None) };
    let goes_on = changes::going_on_of(&api, &rows).await;
    let paused_all = if user.is_none() { paused_all::read(&api, person, &overview).await } else { None };
    let layout = Layout::signed_in(request, "Campaigns", CAMPAIGNS, person);
    let notice = layout.notice.clone();
    let edit = edit::opened(&request.query, notice.as_ref());
    let origin = Origin::of(&request.query);
    let ticked = request.query.iter().filter(|(name, _)| name == IDS_FIELD).map(|(_, id)| id.as_str()).collect();
    let need = edit::need(&request.query);
    let view = View { filter: &filter, edit, need, origin, ticked, goes_on, now: request.now };
    let views = Views::of(views::own(person), &filter, notice.as_ref());
    let template = page(layout, overview, rows, view);
    Ok(layout::show(request, &CampaignsPage { removed, refusal, paused_all, views, ..template }))
}

/// The page of an overview.
fn page(layout: Layout, mut overview: Overview, mut rows: Vec<CampaignRow>, view: View<'_>) -> CampaignsPage {
    let View { filter, now, .. } = view;
    let used = overview.rows.iter().map(|row| row.campaign.currency.code());
    let currencies = controls::currencies(filter, used);
    let has_campaigns =
        !overview.rows.is_empty() || !overview.problems().is_empty() || overview.complete_path.is_some();
    if let Some(currency) = &filter.currency {
        overview.keep(currency);
    }
    let by_spend = arrange(filter, &overview, &mut rows, now);
    let pager = Pager::new(rows.len(), filter);
    let filter = &filter.at(pager.page);
    let list = filter.list();
    let names = overview.accounts.iter().map(|account| (account.connection.as_str(), account.name.as_str()));
    let account = names.clone().find(|(id, _)| Some(*id) == filter.account.as_deref()).map(|(_, name)| name);
    let columns = Columns::of(filter);
    let totals = ListTotals::of(filter, &overview, &rows, &by_spend, &columns).filter(|_| !filter.is_of_removed());
    let of_rows = (rows.as_slice(), totals.as_ref());
    let head = Head::of(filter, &overview, of_rows, (layout.reporting.as_ref(), now));
    let shown = rows[pager.range()].iter().map(|row| shown_row(row, &view, (&list, filter), &columns, &layout));
    CampaignsPage {
        only_user: OnlyUser::new(filter.user.as_ref(), Filter { user: None, ..filter.at(1) }.path()),
        head,
        totals,
        has_campaigns,
        parameters: pairs(Some(&list)),
        search: filter.search.clone().unwrap_or_default(),
        orders: controls::orders(filter),
        page_size: filter.other_page_size().unwrap_or_default(),
        platforms: controls::platforms(filter),
        statuses: controls::statuses(filter),
        accounts: controls::accounts(filter, names),
        currencies,
        column_choices: controls::columns(filter),
        chips: controls::chips(filter, account),
        views: Views::default(),
        headings: columns.headings(filter.order.headings(|order| filter.in_order(order).path())),
        rows: shown.collect(),
        columns,
        is_connected: !overview.accounts.is_empty() || filter.user.is_some(),
        pager,
        list_value: path_segment(&list),
        list,
        removed: None,
        refusal: None,
        paused_all: None,
        overview,
        layout,
    }
}

/// A row of the page, with its form if the person has opened that. `list` and `filter` are those of the page.
fn shown_row(
    row: &CampaignRow,
    View { edit, need, origin, ticked, goes_on, now, filter: _ }: &View<'_>,
    (list, filter): (&str, &Filter),
    columns: &Columns,
    layout: &Layout,
) -> ListRow {
    let notice = layout.notice.as_ref();
    let shown = ListRow::new(row, list, columns, goes_on, *now);
    let is_open = shown.has_budget && *edit == Some(shown.id.as_str());
    let form = is_open.then(|| BudgetForm::of(&row.campaign, notice)).flatten();
    let form = form.map(|form| edit::advised(form, *need, (&row.campaign, goes_on), (*origin, filter)));
    let origin = origin.map(|origin| (origin.name(), origin.path(&shown.id, filter)));
    let form = form.map(|form| BudgetForm { origin, spent: edit::spent(row, *now), ..form });
    let is_wrong = edit::refused(notice) == Some(shown.id.as_str());
    let is_ticked = ticked.contains(&shown.id.as_str());
    ListRow { edit: form, is_wrong, is_ticked, ..shown }
}

/// Takes the rows of a filter in its order. Returns the currencies in theirs.
fn arrange(filter: &Filter, overview: &Overview, rows: &mut Vec<CampaignRow>, now: Timestamp) -> Vec<Currency> {
    let account = |row: &CampaignRow| {
        let known = row.account_in(&overview.accounts);
        known.map_or_else(|| row.account.clone(), |account| account.name.clone())
    };
    rows.retain(|row| filter.fits(row, &account(row), now));
    let by_spend: Vec<Currency> = overview.totals().into_iter().map(|(currency, _)| currency).collect();
    filter.order.sort(rows, &by_spend, now);
    by_spend
}

#[cfg(test)]
pub(crate) mod tests;
