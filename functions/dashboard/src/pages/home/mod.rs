//! The first page of a morning: first a key that went wild, because it spends by itself, and what else needs a person now, then
//! the numbers, in the first screen of a desktop, then the rest. A new account has its first steps here until a campaign runs.

mod months;
mod numbers;
mod since_yesterday;
mod steps;
mod too_fast;
mod trouble;

#[cfg(test)]
pub(crate) use numbers::tests::weeks;

use crate::client::api::{Api, Refusal};
use crate::client::paused_all::{self, PausedAll};
use crate::client::people::view_only;
use crate::client::readings::{CampaignRow, Overview};
use crate::client::session::SignedIn;
use crate::client::{approvals, changes, connections, webhooks};
use crate::kit::addresses::HOME;
use crate::kit::changes::ChangeRow;
use crate::kit::connections::{ConnectionSummary, broken};
use crate::kit::together::Together;
use crate::kit::webhook_endpoint::EndpointRow;
use crate::pages::layout::{self, Layout};
use askama::Template;
use jiff::Timestamp;
use months::Months;
use numbers::HomeNumbers;
use shared::domain::{Change, Connection};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;
use since_yesterday::{Group, Reader, SinceYesterday, read_from, runs_a_day};
use std::collections::BTreeSet;
use steps::{Progress, Step, steps};
use too_fast::TooFast;

/// Changes that wait for a person; the page of approvals shows all. With more, what else needs one is not in the first screen
/// of a phone.
const MAX_WAITING: usize = 3;
/// Changes that are overdue; the activity shows all.
const MAX_OVERDUE: usize = 5;

#[derive(Template)]
#[template(path = "pages/home/home.html")]
struct HomePage {
    layout: Layout,
    steps: [Step; 3],
    is_started: bool,
    /// That a viewer only looks, and who can change that.
    viewer: Option<String>,
    /// `None` without a connection, or without a campaign.
    numbers: Option<HomeNumbers>,
    /// The spend of all currencies together.
    together: Option<Together>,
    overview: Overview,
    /// Changes that wait for a person, and how many more there are.
    waiting: Vec<ChangeRow>,
    more_waiting: usize,
    /// Whether the person signed in recently enough to approve.
    is_recent: bool,
    /// The months that end over their budgets, or behind; `None` without any.
    months: Option<Months>,
    /// Scheduled changes whose time is over, and how many more there are.
    overdue: Vec<ChangeRow>,
    more_overdue: usize,
    /// The pause of everything, while it can be undone.
    paused_all: Option<PausedAll>,
    /// What ails the connections, in a line.
    trouble: Vec<String>,
    too_fast: Option<TooFast>,
    /// What changed since yesterday; `None` in an account without campaigns.
    since_yesterday: Option<Result<SinceYesterday, Refusal>>,
    /// Endpoints of webhooks that need a person.
    webhooks: Vec<EndpointRow>,
}

impl HomePage {
    /// The page on which the first key that has added a lot is stopped: the only filled button then.
    fn first_stop(&self) -> Option<&str> {
        self.large().find_map(|(_, group)| group.stop.as_ref()).map(|(_, path)| path.as_str())
    }

    /// Those who have added a lot since yesterday, with their numbers on the page.
    fn large(&self) -> impl Iterator<Item = (usize, &Group)> {
        let changed = self.since_yesterday.as_ref().and_then(|read| read.as_ref().ok());
        let groups = changed.into_iter().flat_map(|changed| &changed.groups).zip(1..);
        groups.filter(|(group, _)| group.large.is_some()).map(|(group, number)| (number, group))
    }

    /// What needs a person, in a line each for the first screen of a phone: the id of its part of the page, and what it is.
    fn needs(&self) -> Vec<(String, String)> {
        let count = |count: usize, one: &str, more: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {more}")),
        };
        let large = self.large().next();
        let raised = large.and_then(|(_, group)| Some(format!("{}: +{}", group.name, group.large.as_ref()?.sum)));
        let raise = format!("large-{}", large.map_or(0, |(number, _)| number));
        let too_fast = self.too_fast.as_ref().map_or(0, |fast| fast.count);
        let not_running = self.numbers.as_ref().map_or(0, |numbers| numbers.not_running_count);
        let parts = [
            (raise.as_str(), raised),
            ("waiting", count(self.waiting.len() + self.more_waiting, "approval", "approvals")),
            ("trouble", (!self.trouble.is_empty()).then(|| "Connections".to_owned())),
            ("too-fast", count(too_fast, "too fast", "too fast")),
            ("late", count(self.overdue.len() + self.more_overdue, "late change", "late changes")),
            ("not-running", count(not_running, "not running", "not running")),
            ("months", self.months.as_ref().map(|months| months.counts.clone())),
        ];
        parts.into_iter().filter_map(|(part, words)| Some((part.to_owned(), words?))).collect()
    }
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
    let history = changes::since(request, person, read_from(request.now));
    let (connections, overview, has_campaign, waiting, webhooks, overdue, history) =
        tokio::join!(connections, overview, has_campaign, waiting, webhooks, overdue, history);
    let connections = connections.map_err(layout::failed)?;
    let (waiting, more_waiting) = waiting?;
    let (overdue, more_overdue) = overdue?;
    let overview = overview.map_err(layout::failed)?;
    let [waiting, overdue] = [waiting, overdue].map(|rows| named(rows, &connections, &overview));
    let created: Vec<Timestamp> = connections.iter().map(|connection| connection.created_at).collect();
    let connections: Vec<ConnectionSummary> = connections.iter().map(ConnectionSummary::of).collect();
    let broken = broken(&connections);
    let paused_all = paused_all::read(&api, person, &overview).await;
    let is_own = has_campaign?;
    let has_campaign = is_own || !overview.rows.is_empty();
    let pausing = if overview.rows.iter().any(|row| row.does_not_run(request.now)) {
        changes::pausing(&api, request.now).await
    } else {
        BTreeSet::new()
    };
    let goes_on = changes::going_on_of(&api, &overview.rows).await;
    // Where an ad account could not be read, it is not known that there is none.
    let has_numbers = has_campaign || overview.accounts.iter().any(|account| account.problem.is_some());
    let numbers = has_numbers.then(|| HomeNumbers::new(&overview, broken, &pausing, request.now));
    let (changes, has_older) = history.as_ref().map_or((&[][..], false), |(changes, more)| (changes.as_slice(), *more));
    // One with so many changes is past its first steps.
    let has_activated = has_older || changes.iter().any(steps::has_activated);
    let progress = Progress::of(&created, is_own, has_activated, &overview);
    let needs_person = connections.iter().filter(|row| row.needs_consent).map(|row| (row.id.as_str(), row.platform));
    let trouble = trouble::sentences(&overview.accounts, &needs_person.collect::<Vec<_>>(), request.now);
    let template = HomePage {
        layout: Layout { broken, ..Layout::signed_in(request, "Home", HOME, person) },
        viewer: (!person.may_change()).then(|| view_only(person)),
        numbers,
        together: overview.together(account.reporting.as_ref()),
        months: months::months(&overview, &goes_on),
        waiting,
        more_waiting,
        is_recent: person.session.is_recent(request.now),
        overdue,
        more_overdue,
        is_started: progress.is_over(),
        steps: steps(progress, &overview),
        paused_all,
        trouble,
        too_fast: TooFast::of(&overview, changes),
        since_yesterday: has_campaign.then(|| history.map(|read| since_yesterday(&read, &overview, person, request))),
        overview,
        webhooks: webhooks?,
    };
    Ok(layout::show(request, &template))
}

/// The rows with the names of their ad accounts, and of campaigns whose names their changes do not have.
fn named(mut rows: Vec<ChangeRow>, connections: &[Connection], overview: &Overview) -> Vec<ChangeRow> {
    for row in &mut rows {
        let is_account = |known: &&Connection| {
            known.account.as_ref().is_some_and(|account| account.id == row.account)
                && known.platform.display_name() == row.platform
        };
        if let Some(account) = connections.iter().find(is_account) {
            row.name_account(ConnectionSummary::of(account).name);
        }
        let is_it = |known: &&CampaignRow| row.campaign_id == Some(known.campaign.id.to_string());
        if let Some(known) = overview.rows.iter().find(is_it) {
            row.name_campaign(&known.campaign.name);
        }
    }
    rows
}

fn since_yesterday(
    (changes, has_older): &(Vec<Change>, bool),
    overview: &Overview,
    person: &SignedIn,
    request: &WebRequest,
) -> SinceYesterday {
    let (me, keys, runs_a_day) = (&person.session.person, person.account.keys.all(), &runs_a_day(overview));
    let reader = Reader { me, keys, runs_a_day, now: request.now };
    SinceYesterday::of(changes, *has_older, reader)
}

#[cfg(test)]
mod tests;
