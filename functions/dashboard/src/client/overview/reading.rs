//! Reads parts of ad accounts from the API. Each reading is a task of its own, so that what it finds is kept even if the
//! page no longer waits for it.

use super::days::{self, DaysPage};
use super::kept;
use super::plan::{ListedAccount, Task};
use crate::client::accounts::{ConnectionError, add_errors};
use crate::client::all_pages::target;
use crate::client::api::{Api, Refusal};
use crate::client::campaign_json::CampaignList;
use crate::client::session::SignedIn;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use shared::domain::Platform;
use shared::request_context::inherit;
use shared::serve::WebRequest;
use shared::store::{KeptOverview, KeptPart, OverviewPart, PartOutcome};
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, timeout_at};

/// Requests to the API at a time. A customer of the smallest plan has ten for everything.
const MAX_REQUESTS: usize = 6;
/// Campaigns of a page of the API, and most pages that are read of a platform.
const CAMPAIGNS_PAGE: usize = 100;
const MAX_CAMPAIGNS_PAGES: usize = 10;
/// Rows of a page of the API, and most pages that are read of a platform.
const DAYS_PAGE: usize = 5_000;
const MAX_DAYS_PAGES: usize = 5;
/// A failure that is found so late says nothing: Lambda may have frozen the process meanwhile.
const MAX_TIME: SignedDuration = SignedDuration::from_mins(1);

/// What a reading has found in one account.
#[derive(Clone)]
struct Arrived {
    part: OverviewPart,
    connection: String,
    outcome: PartOutcome,
}

/// The parts that have not arrived: the part, and the connection.
pub(super) type Waiting = Vec<(OverviewPart, String)>;

/// Starts the tasks, and takes what arrives in time into what is kept. Also returns what is still to come.
pub(super) async fn read(
    request: &WebRequest,
    person: &SignedIn,
    tasks: Vec<Task>,
    mut kept: KeptOverview,
    until: Instant,
) -> (KeptOverview, Waiting) {
    let parts = tasks.iter().flat_map(|task| task.accounts.iter().map(|account| (task.part, account)));
    let mut waiting: Waiting = parts.map(|(part, account)| (part, account.connection.clone())).collect();
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let requests = Arc::new(Semaphore::new(MAX_REQUESTS));
    for task in tasks {
        let reading = Reading { request: request.clone(), person: person.clone(), requests: Arc::clone(&requests) };
        let sender = sender.clone();
        tokio::spawn(inherit(async move { reading.run(task, &sender).await }));
    }
    drop(sender);
    while let Ok(Some(arrived)) = timeout_at(until, receiver.recv()).await {
        waiting.retain(|(part, connection)| *part != arrived.part || *connection != arrived.connection);
        take(&mut kept, arrived, request.now);
    }
    (kept, waiting)
}

fn take(kept: &mut KeptOverview, arrived: Arrived, began: Timestamp) {
    let Arrived { part, connection, outcome } = arrived;
    match kept.parts.iter_mut().find(|known| known.part == part && known.connection == connection) {
        Some(known) => known.take(began, &outcome),
        None => {
            let mut new = KeptPart { part, connection, tried_at: began, rows: None, problem: None };
            new.take(began, &outcome);
            kept.parts.push(new);
        }
    }
}

/// A task while it runs, and the request whose person it reads for.
struct Reading {
    request: WebRequest,
    person: SignedIn,
    requests: Arc<Semaphore>,
}

impl Reading {
    /// Reads, keeps what it has found, and tells the page.
    async fn run(self, task: Task, page: &mpsc::UnboundedSender<Arrived>) {
        let Task { platform, part, accounts } = task;
        let found = match part {
            OverviewPart::Campaigns => self.campaigns(platform, &accounts).await,
            OverviewPart::Days => self.days(platform, &accounts).await,
        };
        let failed = |message: &str| {
            let each = |account: &ListedAccount| (account.connection.clone(), Err(message.to_owned()));
            accounts.iter().map(each).collect()
        };
        let found: Vec<(String, PartOutcome)> = found.unwrap_or_else(|refusal| failed(&refusal.message));
        let is_late = self.request.app.clock.now().duration_since(self.request.now) > MAX_TIME;
        let found = found.into_iter().filter(|(_, outcome)| outcome.is_ok() || !is_late);
        let found: Vec<Arrived> = found.map(|(connection, outcome)| Arrived { part, connection, outcome }).collect();
        join_all(found.iter().map(|arrived| self.keep(arrived))).await;
        for arrived in found {
            // The page may have gone.
            let _ = page.send(arrived);
        }
    }

    async fn keep(&self, arrived: &Arrived) {
        let Arrived { part, connection, outcome } = arrived;
        let (store, customer) = (&self.request.app.store, self.person.customer());
        if let Err(error) = store.keep_part(customer, (*part, connection), self.request.now, outcome).await {
            tracing::warn!(%error, source = error.source, "what was read of an ad account is not kept");
        }
    }

    /// Reads the campaigns of a platform. An account without any has empty rows.
    async fn campaigns(
        &self,
        platform: Platform,
        accounts: &[ListedAccount],
    ) -> Result<Vec<(String, PartOutcome)>, Refusal> {
        let target = format!("/v1/campaigns?platform={}&limit={CAMPAIGNS_PAGE}", platform.as_upper());
        let (mut campaigns, mut errors) = (Vec::new(), Vec::new());
        let add = |page: CampaignList| {
            campaigns.extend(page.unified);
            add_errors(&mut errors, page.errors);
            page.pagination.next_cursor
        };
        let is_cut = self.pages(&target, MAX_CAMPAIGNS_PAGES, add).await?;
        let mut found = failures(errors);
        for ListedAccount { connection, id, today: _ } in accounts {
            if !found.iter().any(|(failed, _)| failed == connection) {
                let own = campaigns.iter().filter(|campaign| campaign.organization_id == *id);
                found.push((connection.clone(), Ok(kept::to_json(own, is_cut))));
            }
        }
        Ok(found)
    }

    /// Reads the days of a platform's campaigns. An account that was not reached keeps what it has.
    async fn days(
        &self,
        platform: Platform,
        accounts: &[ListedAccount],
    ) -> Result<Vec<(String, PartOutcome)>, Refusal> {
        let todays = accounts.iter().map(|account| account.today);
        let Some(days) = days::range(todays) else { return Ok(Vec::new()) };
        let (from, to) = days;
        let target = format!("/v1/insights?platform={}&from={from}&to={to}&limit={DAYS_PAGE}", platform.as_upper());
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        let add = |DaysPage { data }: DaysPage| {
            read.extend(data.accounts);
            add_errors(&mut errors, data.errors);
            data.pagination.next_cursor
        };
        let is_cut = self.pages(&target, MAX_DAYS_PAGES, add).await?;
        let mut found = failures(errors);
        found.extend(days::by_connection(read, days, is_cut));
        Ok(found)
    }

    /// Reads at most so many pages of a list. Returns whether there are more.
    async fn pages<T: DeserializeOwned>(
        &self,
        first: &str,
        most: usize,
        mut add: impl FnMut(T) -> Option<String>,
    ) -> Result<bool, Refusal> {
        let mut cursor: Option<String> = None;
        for _ in 0..most {
            cursor = add(self.get(&target(first, cursor.as_deref())).await?);
            if cursor.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads a page of the API, when its turn has come.
    async fn get<T: DeserializeOwned>(&self, target: &str) -> Result<T, Refusal> {
        // The semaphore is never closed.
        let _permit = self.requests.acquire().await.ok();
        Api::new(&self.request, &self.person).read(target).await
    }
}

/// The accounts that could not be read.
fn failures(errors: Vec<ConnectionError>) -> Vec<(String, PartOutcome)> {
    errors.into_iter().map(|error| (error.connection_id, Err(error.message))).collect()
}
