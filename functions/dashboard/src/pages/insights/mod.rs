//! Insights: spend and clicks of all ad accounts by day, for each platform and currency.

use crate::accounts::{self, Failure, platform_name};
use crate::addresses::INSIGHTS;
use crate::api::{Api, Refusal};
use crate::choice::Choice;
use crate::insights::{self, Group, Range, Reading, Report};
use crate::layout::{self, Layout, grouped};
use crate::session::SignedIn;
use askama::Template;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "insights.html")]
struct InsightsPage {
    layout: Layout,
    choices: Vec<Choice>,
    range: String,
    is_connected: bool,
    refusal: Option<Refusal>,
    failures: Vec<Failure>,
    /// The number of rows after which reading ended before the last one.
    limit: Option<String>,
    reports: Vec<Report>,
    /// Platforms and currencies whose accounts answered without a row.
    without_rows: Vec<String>,
}

/// Shows the page. It renders even if the API or some accounts do not answer.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let range = Range::read(&request.query, request.now);
    let is_connected = person.account.connections > 0;
    let api = Api::new(request, person);
    let mut reading = if is_connected { insights::read(&api, range).await } else { Reading::default() };
    let errors = std::mem::take(&mut reading.errors);
    // Only a failure needs the names of connections.
    let connections = if errors.is_empty() { Ok(Vec::new()) } else { accounts::connections(&api).await };
    let connections = connections.unwrap_or_default();
    let failures = errors.into_iter().map(|error| Failure::new(error, &connections)).collect();
    let layout = Layout::signed_in(request, "Insights", INSIGHTS, person);
    Ok(layout::show(request, &InsightsPage { is_connected, failures, ..page(layout, reading, range) }))
}

fn page(layout: Layout, reading: Reading, range: Range) -> InsightsPage {
    let limit = reading.limit().map(grouped);
    let (with_rows, without): (Vec<Group>, Vec<Group>) =
        insights::groups(reading.accounts, range).into_iter().partition(|group| !group.is_empty());
    InsightsPage {
        layout,
        choices: range.choices(),
        range: range.text(),
        is_connected: true,
        refusal: reading.refusal,
        failures: Vec::new(),
        limit,
        reports: with_rows.iter().zip(1..).map(|(group, number)| Report::new(group, range, number)).collect(),
        without_rows: without.iter().map(name).collect(),
    }
}

fn name(group: &Group) -> String {
    format!("{} ({})", platform_name(&group.platform), group.currency)
}

#[cfg(test)]
mod tests;
