//! One schedule: a scheduled or a bulk change, its faults, and the client and maintenance afterwards.

use super::super::client::{Client, Edit};
use super::invariants::{Seen, check, is_settled};
use crate::crashes::client::ClientHistory;
use crate::crashes::edits::prepared::{Prepared, prepared};
use crate::crashes::edits::spending_limit::{self, Limited};
use crate::crashes::environment::{Service, run_paused, text_of};
use crate::crashes::runs::{Outcome, Scheduled, runs_after};
use crate::crashes::settle::settle;
use crate::in_process::faults::{Fault, FaultPlan};
use crate::in_process::json_of;
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::domain::Platform;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, Instant, sleep, sleep_until};

/// Time from the request to the scheduled change. Every retry of the request comes earlier.
const AHEAD: Duration = Duration::from_secs(3_600);
/// Time from the run of maintenance that makes the change to a request that cancels it.
const CANCELED_AFTER: Duration = Duration::from_millis(90);
/// Wait before a retry.
const RETRY_DELAY: Duration = Duration::from_secs(31);
/// The path of bulk changes of budgets.
const BUDGETS: &str = "/v1/campaigns/budgets";
/// Attempts of a client.
const MAX_ATTEMPTS: usize = 10;

/// A request whose change is stored before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Scheduled(Edit),
    /// Activates every campaign.
    Bulk,
    /// Raises every budget by a percentage: a second time would be another amount.
    Budgets,
    /// Undoes such a change, which was applied before.
    Undo,
}

/// What happens after the first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeferredPolicy {
    /// Without a key: the client sends once.
    SendsOnce,
    /// With a key: the client sends until the response is a success.
    Retries,
    /// As `SendsOnce`, and two runs of maintenance begin at the same time.
    RunsTwice,
    /// As `SendsOnce`, and the client cancels the change while maintenance makes it.
    Cancels,
}

/// A scheduled or bulk change with faults.
#[derive(Clone, Debug)]
pub(super) struct DeferredSchedule {
    pub(super) platform: Platform,
    pub(super) request: Request,
    pub(super) policy: DeferredPolicy,
    /// Time from the request's end, or that of the scheduled change, to the first run of maintenance.
    pub(super) phase: Duration,
    /// Faults by the number of the point, for each process in the order in which they start.
    pub(super) faults: Vec<BTreeMap<usize, Fault>>,
    pub(super) limited: Limited,
    pub(super) keeps_log: bool,
}

/// A bulk change that is undone, and the change of the campaign in it.
struct UndoneBulk {
    bulk: String,
    change: String,
}

/// A response to the request.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) status: u16,
    pub(super) body: Value,
    text: String,
}

impl Received {
    pub(super) fn is_success(&self) -> bool {
        self.status < 300
    }
}

impl Scheduled for DeferredSchedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> DeferredSchedule {
        DeferredSchedule { keeps_log: true, ..self.clone() }
    }
}

impl Request {
    /// What the change makes of the campaign.
    pub(super) fn edit(self) -> Edit {
        match self {
            Request::Scheduled(edit) => edit,
            Request::Bulk => Edit::Status,
            Request::Budgets => Edit::Raised,
            Request::Undo => Edit::Former,
        }
    }

    /// Whether it changes many campaigns.
    pub(super) fn is_bulk(self) -> bool {
        !matches!(self, Request::Scheduled(_))
    }
}

impl DeferredSchedule {
    async fn run_async(&self) -> Outcome {
        let Prepared { client, key, .. } = prepared(self.platform, self.limited, &Value::Null, self.keeps_log).await;
        let environment = Arc::clone(&client.environment);
        let undone = if self.request == Request::Undo { Some(raised(&client).await) } else { None };
        let faults: Vec<FaultPlan> = self.faults.iter().cloned().map(FaultPlan::planned).collect();
        environment.plan(faults.clone());
        let wait = match self.request {
            Request::Scheduled(_) => AHEAD + self.phase,
            Request::Bulk | Request::Budgets | Request::Undo => self.phase,
        };
        let at_once = if self.policy == DeferredPolicy::RunsTwice { 2 } else { 1 };
        let apply_at = environment.now() + SignedDuration::try_from(AHEAD).expect("a short time");
        let apply_at = apply_at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let began = Instant::now();
        let mut received = vec![self.send(&client, &apply_at, undone.as_ref()).await];
        let begins = if self.request.is_bulk() { Instant::now() } else { began } + wait;
        let runs = runs_after(&self.faults);
        let delay = begins.duration_since(Instant::now());
        let maintenance = environment.schedule_maintenance(delay, runs, at_once);
        if self.policy == DeferredPolicy::Retries {
            while received.len() < MAX_ATTEMPTS && !received.last().is_some_and(is_received) {
                sleep(RETRY_DELAY).await;
                received.push(self.send(&client, &apply_at, undone.as_ref()).await);
            }
        }
        let is_clean = self.faults.first().is_none_or(BTreeMap::is_empty);
        if is_clean && !is_received(&received[0]) {
            client.history.report(format!("a request without faults fails: {:?}", received[0]));
        }
        let canceled = match self.policy {
            DeferredPolicy::Cancels => {
                sleep_until(begins + CANCELED_AFTER).await;
                cancel(&client, &received).await
            }
            _ => None,
        };
        maintenance.await.expect("no panic");
        settle(&environment, async || is_settled(&environment)).await;
        let may_be_refused = self.faults.iter().flat_map(BTreeMap::values).any(|fault| *fault == Fault::Refused);
        let seen = Seen { received: &received, canceled, undone: undone.as_ref().map(|undone| undone.change.as_str()) };
        check(&client, self.request, may_be_refused, seen).await;
        if self.limited != Limited::Nobody {
            spending_limit::check(&client, key.as_ref()).await;
        }
        let violations = client.history.violations.lock().expect("the history").clone();
        Outcome { violations, log: environment.log.lines(), points: faults.iter().map(FaultPlan::points).collect() }
    }

    /// Sends the request to the next process; `None` when the client received no response.
    async fn send(&self, client: &Client, apply_at: &str, undone: Option<&UndoneBulk>) -> Option<Received> {
        let campaign = format!("/v1/campaigns/{}?apply_at={apply_at}", client.campaign);
        let undo = undone.map(|undone| format!("/v1/changes/{}/undo", undone.bulk)).unwrap_or_default();
        let (method, path, body) = match self.request {
            Request::Scheduled(Edit::Removal) => ("DELETE", campaign.as_str(), String::new()),
            Request::Scheduled(edit) => ("PATCH", campaign.as_str(), edit.body().to_string()),
            Request::Bulk => ("POST", "/v1/campaigns/status", json!({"status": "ACTIVE", "all": true}).to_string()),
            Request::Budgets => ("POST", BUDGETS, json!({"percent": "10", "all": true}).to_string()),
            Request::Undo => ("POST", undo.as_str(), String::new()),
        };
        let is_keyed = self.policy == DeferredPolicy::Retries || matches!(self.request, Request::Budgets);
        let key = is_keyed.then_some("key");
        let request = client.environment.request(method, path, key, &body);
        let service = client.environment.start("request");
        ask(&client.history, &service, request).await
    }
}

/// Raises the budget of the campaign, without faults. From then on its books are watched.
async fn raised(client: &Client) -> UndoneBulk {
    let environment = &client.environment;
    let service = environment.start_without_faults();
    let body = json!({"percent": "10", "all": true}).to_string();
    let request = environment.request("POST", BUDGETS, Some("raised"), &body);
    let begun = json_of(campaigns::handle(Arc::clone(&service.app), request).await.body());
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{begun}")).to_owned();
    environment.books.watch(&environment.in_process.sandbox).await;
    UndoneBulk { bulk: text(&begun["bulk_id"]), change: text(&begun["changes"][0]) }
}

/// Whether the client has received a success.
fn is_received(received: &Option<Received>) -> bool {
    received.as_ref().is_some_and(Received::is_success)
}

async fn ask(history: &ClientHistory, service: &Service, request: lambda_http::Request) -> Option<Received> {
    let response = history.exchange(service, request).await?;
    let text = text_of(&response);
    Some(Received { status: response.status().as_u16(), body: json_of(text.as_bytes()), text })
}

/// Cancels the scheduled change; `None` if the client does not know it.
async fn cancel(client: &Client, received: &[Option<Received>]) -> Option<Received> {
    let response = received.iter().flatten().find(|response| response.is_success())?;
    let change = response.body["id"].as_str().unwrap_or_else(|| panic!("{}", response.text));
    let request = client.environment.request("POST", &format!("/v1/changes/{change}/cancel"), None, "");
    ask(&client.history, &client.environment.start_without_faults(), request).await
}
