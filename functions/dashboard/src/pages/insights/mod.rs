//! Insights: what all ad accounts spent and got for it, by currency, and by platform, ad account or campaign.

mod by_platform;
mod export;
mod lines;
mod order;
mod table;
mod totals;
mod view;

use crate::client::api::Refusal;
use crate::client::readings::{InsightsData, ShownFailure, gather, last_reads};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::INSIGHTS;
use crate::kit::link::Link;
use crate::kit::only_user::OnlyUser;
use crate::kit::range::{Range, text as days_text};
use crate::kit::together::Together;
use crate::pages::layout::{self, Layout};
use askama::Template;
pub(crate) use export::download;
use jiff::Timestamp;
use shared::domain::Reporting;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use table::{Table, table, table_of};
use totals::{CurrencyTotal, totals};
use view::{TableKind, View};

#[derive(Template)]
#[template(path = "pages/insights/insights.html")]
struct InsightsPage {
    layout: Layout,
    only_user: Option<OnlyUser>,
    periods: Vec<Link>,
    tabs: Vec<Link>,
    /// The choices of the currency; empty if there is one alone.
    currencies: Vec<Link>,
    /// The hidden fields of the form of the days.
    hidden_fields: Vec<(&'static str, String)>,
    /// The dates in the form: as a person entered them, or those in force.
    from: String,
    to: String,
    /// What is wrong with them.
    problem: Option<&'static str>,
    /// The days for people.
    range: String,
    /// The same in plain words: `16–22 November 2026`.
    days: String,
    /// What they are compared with.
    compared: String,
    /// Which days those of an ad account are: a line, and the text that it opens.
    about_days: (String, String),
    is_connected: bool,
    refusal: Option<Refusal>,
    failures: Vec<ShownFailure>,
    /// Ad accounts that have not responded yet.
    late: Vec<String>,
    /// Something is still being read.
    is_reading: bool,
    /// The page has waited for it.
    is_patient: bool,
    is_cut: bool,
    /// How old the numbers are, and when newer ones can be read if the person has asked for them too soon.
    age: Option<String>,
    newer_in: Option<String>,
    /// How far the reading is.
    progress: Option<String>,
    totals: Vec<CurrencyTotal>,
    /// The spend of all currencies together.
    together: Option<Together>,
    table: Table,
    /// Whether a reporting currency with all rates would give each platform one total.
    lacks_reporting: bool,
    patient: String,
    again: String,
    csv: String,
}

impl InsightsPage {
    /// Whether the browser comes back by itself, once, for what is still being read.
    fn reloads(&self) -> bool {
        self.is_reading && !self.is_patient
    }

    /// The choice of the currency that is in force; `None` if there is one currency alone.
    fn currency(&self) -> Option<&str> {
        self.currencies.iter().find(|link| link.is_current).map(|link| link.text.as_str())
    }
}

/// Shows the page. It renders even if the API or some accounts do not answer.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    users::named(&request.query)?;
    let view = View::read(&request.query, request.now);
    let is_connected = person.account.connections > 0;
    let gathered = if is_connected {
        gather(request, person, &view.wanted(), view.is_patient).await
    } else {
        Ok(InsightsData::default())
    };
    let gathered = match gathered {
        Ok(gathered) if gathered.is_without_accounts() => {
            Ok(gathered.with_last_reads(&last_reads(request, person.customer()).await))
        }
        gathered => gathered,
    };
    let layout = Layout::signed_in(request, "Insights", INSIGHTS, person);
    let problem = Range::problem(&request.query, request.now);
    let entered = |name| if problem.is_some() { value(&request.query, name).map(str::to_owned) } else { None };
    let page = page(layout, gathered, &view, request.now);
    let from = entered("from").unwrap_or(page.from);
    let to = entered("to").unwrap_or(page.to);
    Ok(layout::show(request, &InsightsPage { is_connected, problem, from, to, ..page }))
}

fn page(layout: Layout, gathered: Result<InsightsData, Refusal>, view: &View, now: Timestamp) -> InsightsPage {
    let (gathered, refusal) =
        gathered.map_or_else(|refusal| (InsightsData::default(), Some(refusal)), |gathered| (gathered, None));
    let currencies = view.currencies(&gathered.currencies());
    let gathered = gathered.in_currency(view.currency);
    let range = gathered.shown_range(view.range);
    let totals = totals(&gathered, view, now);
    let sums = [(" spent", totals.iter().map(|total| total.spend).collect())];
    let together =
        Together::of(layout.reporting.as_ref(), &sums, view.currency.is_none() && gathered.is_without_accounts(), now);
    let lines = lines::lines(&gathered, view.by, view.order);
    let has_rates = |reporting: &&Reporting| lines.iter().all(|line| reporting.counts(line.currency));
    let reporting = layout.reporting.as_ref().filter(has_rates);
    let table = match view.by {
        TableKind::Platform => {
            let groups = by_platform::groups(&gathered, lines, view.order, reporting);
            table_of(&groups, view, now)
        }
        TableKind::Account | TableKind::Campaign => table(&lines, view, now),
    };
    InsightsPage {
        lacks_reporting: table.has_groups() && reporting.is_none() && layout.may_change,
        layout,
        only_user: OnlyUser::new(view.user.as_ref(), view.of_all_users()),
        periods: view.periods(),
        tabs: view.tabs(),
        currencies,
        hidden_fields: view.hidden_fields(),
        from: range.from.to_string(),
        to: range.to.to_string(),
        problem: None,
        range: range.title(),
        days: range.complete_text(),
        compared: compared(&gathered, range),
        about_days: about_days(&gathered, range),
        is_connected: true,
        refusal,
        totals,
        together,
        table,
        age: gathered.age(now),
        newer_in: gathered.newer_in(view.is_again, now),
        progress: gathered.progress(),
        failures: ShownFailure::all(&gathered, now),
        late: gathered.late,
        is_reading: gathered.is_reading,
        is_patient: view.is_patient,
        is_cut: gathered.is_cut,
        patient: view.patient_path(),
        again: view.again_path(),
        csv: view.csv_path(),
    }
}

/// What the days are compared with.
fn compared(gathered: &InsightsData, range: Range) -> String {
    match gathered.other_days(range) {
        None => format!("Compared with {}.", days_text(range.period_before())),
        Some(_) => "Compared with the days before.".to_owned(),
    }
}

/// Which days those of an ad account are, in a line and the text that it opens. Where some are others, it says which.
fn about_days(gathered: &InsightsData, range: Range) -> (String, String) {
    let zone = "A day is that of the ad account’s own time zone.";
    let Some((count, days)) = gathered.other_days(range) else {
        return ("About these days".to_owned(), zone.to_owned());
    };
    let (accounts, have) =
        if count == 1 { ("1 ad account".to_owned(), "has") } else { (format!("{count} ad accounts"), "have") };
    let theirs = days.map_or_else(|| "others".to_owned(), days_text);
    let chart = if range.is_number_of_days() {
        " The chart adds the first days of all, then the second, and so on."
    } else {
        ""
    };
    let text = format!(
        "{zone} In {accounts}, where it is another day, they are {theirs}.{chart} Each ad account is compared with the days \
         before its own."
    );
    (format!("{accounts} {have} other days"), text)
}

#[cfg(test)]
pub(crate) mod tests;
