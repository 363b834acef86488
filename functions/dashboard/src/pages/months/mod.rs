//! Months: which campaign with a monthly budget ends over it, and which behind; and what each ad account has spent and comes to
//! at the pace of the last days.

mod accounts;
mod budgets;
mod export;
mod rows;
mod view;

use crate::client::api::{Api, Refusal};
use crate::client::changes::{self, GoingOn};
use crate::client::readings::{InsightsData, Overview, ShownFailure, gather};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::MONTHS;
use crate::kit::link::Link;
use crate::kit::only_user::OnlyUser;
use crate::kit::text::clock;
use crate::kit::together::Together;
use crate::pages::layout::{self, Layout};
use accounts::{AccountTable, tables, together};
use askama::Template;
use budgets::{BudgetTable, table};
pub(crate) use export::download;
use jiff::Timestamp;
use rows::MonthRows;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;
use view::View;

#[derive(Template)]
#[template(path = "pages/months/months.html")]
struct MonthsPage {
    layout: Layout,
    only_user: Option<OnlyUser>,
    is_connected: bool,
    /// The month for people.
    month: String,
    months: Vec<Link>,
    refusal: Option<Refusal>,
    /// What is known of this month's campaigns; `None` for a month that is over.
    overview: Option<Overview>,
    failures: Vec<ShownFailure>,
    /// Ad accounts that have not responded yet.
    late: Vec<String>,
    is_cut: bool,
    /// How old the numbers are, and when newer ones can be read if the person has asked for them too soon.
    age: Option<String>,
    newer_in: Option<String>,
    /// When the numbers below were read: `Numbers as of 02:58 UTC.`
    read_at: Option<String>,
    /// How far the reading is.
    progress: Option<String>,
    /// The campaigns with monthly budgets; `None` without any.
    budgets: Option<BudgetTable>,
    accounts: Vec<AccountTable>,
    /// What all ad accounts have spent together.
    together: Option<Together>,
    /// The address that the browser loads by itself, because something is still being read.
    next: Option<String>,
    patient: String,
    again: String,
    csv: String,
    /// The list of campaigns of the same user, given by its query string.
    list: String,
}

/// What is read for the page.
struct MonthData {
    /// The numbers of the month.
    insights: InsightsData,
    /// The campaigns, and the spend of the last days; `None` for a month that is over.
    overview: Option<Overview>,
    goes_on: GoingOn,
}

impl MonthData {
    /// Nothing is read.
    fn none() -> MonthData {
        MonthData { insights: InsightsData::default(), overview: None, goes_on: GoingOn::new() }
    }

    /// The rows of all currencies.
    fn rows(&self, view: &View, now: Timestamp) -> MonthRows {
        rows::rows(self, view.month(), now)
    }

    /// Whether something is still being read.
    fn is_reading(&self) -> bool {
        let is_waiting = |overview: &Overview| overview.complete_path.is_some();
        self.insights.is_reading || self.overview.as_ref().is_some_and(is_waiting)
    }

    /// Whether something is missing.
    fn is_incomplete(&self) -> bool {
        let InsightsData { failures, late, is_cut, .. } = &self.insights;
        let lacks = |overview: &Overview| overview.is_cut() || !overview.problems().is_empty();
        let is_partial = self.overview.as_ref().is_some_and(lacks);
        is_partial || self.is_reading() || *is_cut || !late.is_empty() || !failures.is_empty()
    }
}

/// Shows the page. It renders even if some accounts do not answer.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let view = View::read(&request.query, users::named(&request.query)?, request.now);
    let is_connected = person.account.connections > 0;
    let data = if is_connected { read(request, person, &view).await } else { Ok(MonthData::none()) };
    let layout = Layout::signed_in(request, "Months", MONTHS, person);
    Ok(layout::show(request, &MonthsPage { is_connected, ..page(layout, data, &view, request.now) }))
}

/// Reads the campaigns and the numbers at the same time. What is kept of either is not read again.
async fn read(request: &WebRequest, person: &SignedIn, view: &View) -> Result<MonthData, Refusal> {
    let wanted = view.wanted(request.now);
    let overview = async {
        match view.earlier {
            Some(_) => Ok(None),
            None => Overview::read(request, person, view.user.as_ref()).await.map(Some),
        }
    };
    let (insights, overview) = tokio::join!(gather(request, person, &wanted, view.is_patient), overview);
    let (insights, overview) = (insights?, overview?);
    let rows = overview.as_ref().map_or(&[][..], |overview| &overview.rows);
    let goes_on = changes::going_on_of(&Api::new(request, person).acting_for(view.user.as_ref()), rows).await;
    Ok(MonthData { insights, overview, goes_on })
}

/// The ad accounts that have not answered for the month; with those that have not answered for their campaigns, if any.
fn late(insights: &InsightsData, overview: Option<&Overview>) -> Vec<String> {
    let mut late = insights.late.clone();
    if late.is_empty() {
        return late;
    }
    let waiting = overview.iter().flat_map(|overview| &overview.accounts).filter(|account| account.is_waiting);
    for account in waiting {
        if !late.contains(&account.name) {
            late.push(account.name.clone());
        }
    }
    late
}

/// When the numbers were read. The platforms are read in turn, so they may be of several times.
fn read_at(insights: &InsightsData, now: Timestamp) -> Option<String> {
    let times =
        || insights.accounts.iter().filter(|account| account.now.is_some()).filter_map(|account| account.read_at);
    let (first, last) = (times().min()?, times().max()?);
    let (from, to) = (clock(first, now), clock(last, now));
    Some(if from == to {
        format!("Numbers as of {from}.")
    } else {
        format!("Numbers read from {from} to {to}, one platform after the other.")
    })
}

fn page(layout: Layout, data: Result<MonthData, Refusal>, view: &View, now: Timestamp) -> MonthsPage {
    let (data, refusal) = match data {
        Ok(data) => (data, None),
        Err(refusal) => (MonthData::none(), Some(refusal)),
    };
    let reloads = data.is_reading() && !view.is_patient && layout.notice.is_none();
    let rows = data.rows(view, now);
    let MonthData { insights, overview, goes_on: _ } = data;
    // The overview names what it could not read itself.
    let failures = if overview.is_some() { Vec::new() } else { ShownFailure::all(&insights, now) };
    let late = late(&insights, overview.as_ref());
    // One notice names all that is still being read.
    let one_notice = |overview| if late.is_empty() { overview } else { Overview { complete_path: None, ..overview } };
    let overview = overview.map(one_notice);
    let age = insights.age(now);
    let read_at = read_at(&insights, now);
    let (newer_in, progress) = (insights.newer_in(view.is_again, now), insights.progress());
    MonthsPage {
        only_user: OnlyUser::new(view.user.as_ref(), view.of_all_users()),
        is_connected: true,
        month: view::name(view.month()),
        months: view.months(),
        refusal,
        failures,
        overview,
        late,
        is_cut: insights.is_cut,
        age,
        newer_in,
        read_at,
        progress,
        budgets: table(&rows.campaigns, view),
        together: together(layout.reporting.as_ref(), &rows.currencies, now),
        accounts: tables(&rows.currencies),
        next: reloads.then(|| view.patient_path()),
        patient: view.patient_path(),
        again: view.again_path(),
        csv: view.csv_path(),
        list: view.list(),
        layout,
    }
}

#[cfg(test)]
mod tests;
