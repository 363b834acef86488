//! The first page of a morning: what was spent and what runs, what waits for a person, and the first steps of an account
//! that is not set up yet.

mod numbers;
mod steps;

#[cfg(test)]
pub(crate) use numbers::tests::weeks;

use crate::client::api::Api;
use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::client::{approvals, changes, connections, webhooks};
use crate::kit::addresses::HOME;
use crate::kit::changes::ChangeRow;
use crate::kit::connections::{ConnectionSummary, broken};
use crate::kit::plans;
use crate::kit::text::{grouped, readable};
use crate::kit::webhook_endpoint::EndpointRow;
use crate::pages::layout::{self, Layout};
use askama::Template;
use numbers::HomeNumbers;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;
use steps::{Step, steps};

/// Connections that the page shows; the page of connections shows all.
const MAX_ATTENTION: usize = 5;
/// Changes that wait for a person; the page of approvals shows all.
const MAX_WAITING: usize = 5;
/// Changes that are overdue; the activity shows all.
const MAX_OVERDUE: usize = 5;

#[derive(Template)]
#[template(path = "pages/home/home.html")]
struct HomePage {
    layout: Layout,
    plan: &'static str,
    used: u64,
    limit: u64,
    used_shown: String,
    limit_shown: String,
    period_end: String,
    steps: [Step; 3],
    is_started: bool,
    /// `None` without a connection.
    numbers: Option<HomeNumbers>,
    overview: Overview,
    /// Changes that wait for a person, and how many more there are.
    waiting: Vec<ChangeRow>,
    more_waiting: usize,
    /// Scheduled changes whose time is over, and how many more there are.
    overdue: Vec<ChangeRow>,
    more_overdue: usize,
    attention: Vec<ConnectionSummary>,
    /// How many more need a person.
    more: usize,
    /// Endpoints of webhooks that need a person.
    webhooks: Vec<EndpointRow>,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let SignedIn { account, .. } = person;
    let connected = account.connections > 0;
    let api = Api::new(request, person);
    let connections = async { if connected { connections::list(&api).await } else { Ok(Vec::new()) } };
    let overview =
        async { if connected { Overview::read(request, person, None).await } else { Ok(Overview::default()) } };
    let has_campaign = request.app.store.has_campaign(person.customer());
    let waiting = approvals::waiting(request, person, MAX_WAITING);
    let webhooks = webhooks::attention(request, person);
    let overdue = changes::overdue(request, person, MAX_OVERDUE);
    let (connections, overview, has_campaign, waiting, webhooks, overdue) =
        tokio::join!(connections, overview, has_campaign, waiting, webhooks, overdue);
    let connections = connections.map_err(layout::failed)?;
    let mut connections: Vec<ConnectionSummary> = connections.iter().map(ConnectionSummary::of).collect();
    connections.sort_by_key(ConnectionSummary::rank);
    let broken = broken(&connections);
    let (waiting, more_waiting) = waiting?;
    let (overdue, more_overdue) = overdue?;
    let overview = overview.map_err(layout::failed)?;
    let has_campaign = has_campaign? || !overview.rows.is_empty();
    let numbers = connected.then(|| HomeNumbers::new(&overview, broken, request.now));
    let steps = steps(!connections.is_empty(), has_campaign, !account.keys.all().is_empty());
    let plan = account.customer.plan;
    let used = account.usage.requests_used;
    let limit = plan.limits().requests_per_period;
    let template = HomePage {
        layout: Layout { broken, ..Layout::signed_in(request, "Home", HOME, person) },
        plan: plans::name(plan),
        used,
        limit,
        used_shown: grouped(used),
        limit_shown: grouped(limit),
        period_end: readable(account.usage.period_end),
        numbers,
        overview,
        waiting,
        more_waiting,
        overdue,
        more_overdue,
        is_started: steps.iter().all(|step| step.is_done),
        steps,
        attention: connections.into_iter().filter(|row| row.needs_consent).take(MAX_ATTENTION).collect(),
        more: broken.saturating_sub(MAX_ATTENTION),
        webhooks: webhooks?,
    };
    Ok(layout::show_with_targets(request, &template, connections::consent_origins(&request.app)))
}
