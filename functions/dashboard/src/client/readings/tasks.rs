//! Reads parts of ad accounts from the API, and keeps them in the table. Each reading is a task of its own, so that what it
//! finds is kept even if the page no longer waits for it.

use super::ask::{ListEnd, PlatformReader};
use super::freshness::LOST;
use super::kept::{self, KeptCampaigns};
use super::reading::Reading;
use super::refresh::{ListedAccount, Task};
use crate::client::all_pages::Limits;
use crate::client::api::Api;
use crate::client::session::SignedIn;
use crate::kit::campaign::CampaignSummary;
use futures_util::future::join_all;
use jiff::Timestamp;
use shared::domain::{Days, ExternalRef, Granularity, Platform};
use shared::request_context::inherit;
use shared::serve::WebRequest;
use shared::store::{KeptOverview, KeptPart, OverviewPart, PartOutcome};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, timeout_at};

/// Requests to the API at a time. A customer of the smallest plan has ten for everything.
const MAX_REQUESTS: usize = 6;
const CAMPAIGNS: Limits = Limits { pages: 10, time: None };
const DAYS: Limits = Limits { pages: 5, time: None };

/// What a reading has found in one account.
#[derive(Clone)]
struct PartResult {
    part: OverviewPart,
    connection: String,
    outcome: PartOutcome,
}

/// The parts whose results are still to come: the part, and the connection.
pub(super) type PendingParts = Vec<(OverviewPart, String)>;

/// Who reads.
pub(super) struct Reader<'a> {
    pub(super) request: &'a WebRequest,
    pub(super) person: &'a SignedIn,
    /// The user whose ad accounts are read; `None` for those of all.
    pub(super) user: Option<&'a ExternalRef>,
}

/// Starts the tasks, and takes what arrives in time into what is kept. Also returns what is still to come.
pub(super) async fn run(
    reader: &Reader<'_>,
    tasks: Vec<Task>,
    mut kept: KeptOverview,
    until: Instant,
) -> (KeptOverview, PendingParts) {
    let parts = tasks.iter().flat_map(|task| task.accounts.iter().map(|account| (task.part, account)));
    let mut waiting: PendingParts = parts.map(|(part, account)| (part, account.connection.clone())).collect();
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let requests = Arc::new(Semaphore::new(MAX_REQUESTS));
    for task in tasks {
        let runner = TaskRunner {
            request: reader.request.clone(),
            person: reader.person.clone(),
            user: reader.user.cloned(),
            requests: Arc::clone(&requests),
        };
        let sender = sender.clone();
        tokio::spawn(inherit(async move { runner.run(task, &sender).await }));
    }
    drop(sender);
    while let Ok(Some(result)) = timeout_at(until, receiver.recv()).await {
        waiting.retain(|(part, connection)| *part != result.part || *connection != result.connection);
        take(&mut kept, result, reader.request.now);
    }
    (kept, waiting)
}

fn take(kept: &mut KeptOverview, result: PartResult, began: Timestamp) {
    let PartResult { part, connection, outcome } = result;
    match kept.parts.iter_mut().find(|known| known.part == part && known.connection == connection) {
        Some(known) => known.take(began, &outcome),
        None => {
            let mut new = KeptPart { part, connection, tried_at: began, rows: None, problem: None };
            new.take(began, &outcome);
            kept.parts.push(new);
        }
    }
}

/// Runs a task for the person of a request.
struct TaskRunner {
    request: WebRequest,
    person: SignedIn,
    user: Option<ExternalRef>,
    requests: Arc<Semaphore>,
}

impl TaskRunner {
    /// Reads, keeps what it has found, and notifies the page.
    async fn run(self, task: Task, page: &mpsc::UnboundedSender<PartResult>) {
        let Task { platform, part, accounts } = task;
        let found = match part {
            OverviewPart::Campaigns => self.campaigns(platform, &accounts).await,
            OverviewPart::Days => self.days(platform, &accounts).await,
        };
        // A failure that is found so late says nothing.
        let is_late = self.request.app.clock.now().duration_since(self.request.now) > LOST;
        let found = found.into_iter().filter(|(_, outcome)| outcome.is_ok() || !is_late);
        let found: Vec<PartResult> =
            found.map(|(connection, outcome)| PartResult { part, connection, outcome }).collect();
        join_all(found.iter().map(|result| self.keep(result))).await;
        for result in found {
            // The page may have gone.
            let _ = page.send(result);
        }
    }

    async fn keep(&self, result: &PartResult) {
        let PartResult { part, connection, outcome } = result;
        let (store, customer) = (&self.request.app.store, self.person.customer());
        if let Err(error) = store.keep_part(customer, *part, connection, self.request.now, outcome).await {
            tracing::warn!(%error, source = error.source, "what was read of an ad account is not kept");
        }
    }

    fn api(&self) -> Api<'_> {
        Api::new(&self.request, &self.person).acting_for(self.user.as_ref())
    }

    /// Reads the campaigns of a platform. An account without any has empty rows.
    async fn campaigns(&self, platform: Platform, accounts: &[ListedAccount]) -> Vec<(String, PartOutcome)> {
        let mut found: HashMap<String, Vec<CampaignSummary>> = HashMap::new();
        let api = self.api();
        let reader = PlatformReader { api: &api, turns: Some(&self.requests), platform, limits: CAMPAIGNS };
        let end = reader.campaigns(|campaign| {
            found.entry(campaign.connection.0.clone()).or_default().push(CampaignSummary::from(&campaign));
        });
        let end = end.await;
        outcomes(platform, accounts, &end, |connection| {
            let own = found.get(connection).map(Vec::as_slice).unwrap_or_default();
            Some(KeptCampaigns::write(own.iter(), end.is_cut))
        })
    }

    /// Reads the days of a platform's campaigns. An account that was not reached keeps what it has.
    async fn days(&self, platform: Platform, accounts: &[ListedAccount]) -> Vec<(String, PartOutcome)> {
        let Some(days) = all_days(accounts) else { return Vec::new() };
        let mut found: HashMap<String, Reading> = HashMap::new();
        let api = self.api();
        let reader = PlatformReader { api: &api, turns: Some(&self.requests), platform, limits: DAYS };
        let end = reader.insights(days, Granularity::Day, |part| match found.get_mut(&part.connection.0) {
            Some(known) => known.add(part),
            None => drop(found.insert(part.connection.0.clone(), part)),
        });
        let end = end.await;
        found.values_mut().for_each(|reading| reading.is_cut = end.is_cut);
        outcomes(platform, accounts, &end, |connection| found.get(connection).map(kept::write_days))
    }
}

/// The days that one request reads for all accounts of a platform. They cover those of each account: it may be another
/// day already in some.
pub(super) fn all_days(accounts: &[ListedAccount]) -> Option<Days> {
    let days = || accounts.iter().map(|account| account.days);
    Some(Days { from: days().map(|days| days.from).min()?, to: days().map(|days| days.to).max()? })
}

/// What was found in each account, once the list has ended. An account that failed on one page has failed, and keeps the
/// rows of its last reading.
fn outcomes(
    platform: Platform,
    accounts: &[ListedAccount],
    end: &ListEnd,
    found: impl Fn(&str) -> Option<String>,
) -> Vec<(String, PartOutcome)> {
    let outcome = |ListedAccount { connection, days: _ }: &ListedAccount| {
        let refused = end.refusal.as_ref().map(|refusal| refusal.of_reading(platform));
        let failed = end.errors.iter().find(|error| error.connection.0 == *connection);
        let outcome = match refused.or_else(|| failed.map(|error| error.message.clone())) {
            Some(message) => Err(message),
            None => Ok(found(connection)?),
        };
        Some((connection.clone(), outcome))
    };
    accounts.iter().filter_map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::accounts::Connection;
    use crate::client::accounts::ConnectionError;
    use crate::client::accounts::tests::known;
    use crate::client::api::Refusal;
    use crate::client::readings::refresh::listed_account;
    use shared::domain::{ConnectionId, Reason};
    use shared::error::{Error, Kind};

    fn account(platform: &str, zone: &str, now: &str) -> ListedAccount {
        let connection = Connection { time_zone: Some(zone.to_owned()), ..known(platform, "7") };
        listed_account(&connection, now.parse().unwrap())
    }

    #[test]
    fn each_account_is_read_up_to_today_in_its_report_zone() {
        let asked = |accounts: &[(&str, &str)]| {
            let accounts = accounts.iter().map(|(platform, zone)| account(platform, zone, "2026-11-23T23:30:00Z"));
            let Days { from, to } = all_days(&accounts.collect::<Vec<_>>()).unwrap();
            format!("{from} {to}")
        };
        assert_eq!(asked(&[("beta_ads", "Asia/Tokyo")]), "2026-11-10 2026-11-24", "it is the next day there");
        assert_eq!(asked(&[("zeta_ads", "Asia/Tokyo")]), "2026-11-09 2026-11-23", "Reddit counts in UTC");
        let (tokyo, new_york) = (("beta_ads", "Asia/Tokyo"), ("beta_ads", "America/New_York"));
        assert_eq!(asked(&[new_york]), "2026-11-09 2026-11-23");
        assert_eq!(asked(&[tokyo, new_york]), "2026-11-09 2026-11-24", "one request reads both");
        assert!(all_days(&[]).is_none());
    }

    #[test]
    fn an_account_that_fails_on_any_page_keeps_what_it_has() {
        let accounts = [account("beta_ads", "UTC", "2026-11-23T12:00:00Z")];
        let of = |end: ListEnd, found: Option<&str>| {
            let mut outcomes = outcomes(Platform::Beta, &accounts, &end, |_| found.map(str::to_owned));
            outcomes.pop().map(|(_, outcome)| outcome)
        };
        assert_eq!(of(ListEnd::default(), Some("rows")), Some(Ok("rows".to_owned())));
        assert_eq!(of(ListEnd::default(), None), None, "it was not reached");
        let error = Error::new(Kind::PlatformFailed, "It does not answer.");
        let error = ConnectionError::new(Platform::Beta, ConnectionId("conn_1".to_owned()), &error);
        let failed = ListEnd { errors: vec![error], ..ListEnd::default() };
        let told = "Meta answers with an error. We try again in a minute.".to_owned();
        assert_eq!(of(failed, Some("a part")), Some(Err(told)));
        let refusal = |reason, message: &str| Refusal {
            status: 500,
            message: message.to_owned(),
            details: Vec::new(),
            reason,
            request_id: String::new(),
        };
        let ours = refusal(Some(Reason::Internal), "Nothing was sent to an ad platform; try again.");
        let refused = |refusal| of(ListEnd { refusal: Some(refusal), ..ListEnd::default() }, None);
        let told = "This is our fault. We try again in a minute.".to_owned();
        assert_eq!(refused(ours), Some(Err(told)), "a reading sends nothing");
        assert_eq!(refused(refusal(None, "No.")), Some(Err("No.".to_owned())));
    }
}
