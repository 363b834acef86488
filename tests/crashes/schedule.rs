//! One schedule: a create, its faults, and the client and maintenance afterwards.

use super::client::{ClientHistory, ClientResponse, CreateRequest, TargetResult};
use super::environment::{Environment, EnvironmentOptions, run_paused};
use super::invariants::{RECONCILED_AFTER, check, check_during_outage, is_reconciled};
use super::outage::Outage;
use super::runs::{Outcome, Scheduled, runs_after};
use crate::in_process::faults::{Fault, FaultPlan};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tokio::time::{Duration, sleep, sleep_until};

/// The time of a client that returns on the next day.
const NEXT_DAY: Duration = Duration::from_secs(25 * 3_600);
/// Shorter than the time for which a final response is replayed.
const ALMOST_A_DAY: Duration = Duration::from_secs(23 * 3_600);

/// When a client sends, and sends again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientPolicy {
    /// Without a key: sends once, and again only when the response says that it is safe.
    SendsOnce,
    /// With a key: sends until the response is final.
    Retries,
    /// With a key: retries twice concurrently, then until the response is final.
    RetriesTwice,
    /// With a key: retries after some minutes.
    RetriesLater,
    /// With a key: retries after a day without maintenance.
    RetriesNextDay,
    /// With a key: retries at once despite `Retry-After`, then until the response is final.
    RetriesAtOnce,
    /// With a key: one connection becomes unusable after the first request. Retries at once, and until the other
    /// targets are created or refused; then the account is connected again, and it retries until the response is final.
    RetriesDuring(Outage),
    /// Two clients without keys send the same request concurrently, each once.
    IdenticalCreates,
}

impl ClientPolicy {
    pub(super) const ALL: [ClientPolicy; 3] =
        [ClientPolicy::SendsOnce, ClientPolicy::Retries, ClientPolicy::RetriesTwice];
}

/// A create with faults.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) options: EnvironmentOptions,
    pub(super) policy: ClientPolicy,
    /// Time from the create's end to the first run of maintenance.
    pub(super) phase: Duration,
    /// Faults by the number of the point, for each process in the order in which they start.
    pub(super) faults: Vec<BTreeMap<usize, Fault>>,
}

impl Scheduled for Schedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> Schedule {
        Schedule { options: EnvironmentOptions { keeps_log: true, ..self.options.clone() }, ..self.clone() }
    }
}

impl Schedule {
    async fn run_async(&self) -> Outcome {
        let environment = Arc::new(Environment::connected(&self.options));
        let faults: Vec<FaultPlan> = self.faults.iter().cloned().map(FaultPlan::planned).collect();
        environment.plan(faults.clone());
        let history = ClientHistory::default();
        let key = (![ClientPolicy::SendsOnce, ClientPolicy::IdenticalCreates].contains(&self.policy))
            .then(|| "key".to_owned());
        let request =
            CreateRequest { name: "Spring".to_owned(), budget: 50, targets: environment.targets.clone(), key };
        let mut requests = vec![request.clone()];
        let first = if self.policy == ClientPolicy::IdenticalCreates {
            requests.push(request.clone());
            let (one, other) = (environment.start("create"), environment.start("create"));
            tokio::join!(history.send(&environment, &one, &request), history.send(&environment, &other, &request)).0
        } else {
            history.send(&environment, &environment.start("create"), &request).await
        };
        if self.policy == ClientPolicy::RetriesNextDay {
            retry_next_day(&environment, &history, &request, first.as_ref()).await;
        }
        let runs = self.schedule_maintenance(&environment);
        self.follow_policy(&environment, &history, &request, first).await;
        runs.await.expect("no panic");
        check(&environment, &history, &requests).await;
        self.expect_certain_refusals(&history);
        let violations = history.violations.lock().expect("the history").clone();
        Outcome { violations, log: environment.log.lines(), points: faults.iter().map(FaultPlan::points).collect() }
    }

    /// The client after its first response.
    async fn follow_policy(
        &self,
        environment: &Environment,
        history: &ClientHistory,
        request: &CreateRequest,
        first: Option<ClientResponse>,
    ) {
        match self.policy {
            ClientPolicy::IdenticalCreates | ClientPolicy::RetriesNextDay => return,
            ClientPolicy::SendsOnce => return self.wait(environment, history, request, first).await,
            ClientPolicy::RetriesAtOnce => {
                let again = history.send(environment, &environment.start("retry"), request).await;
                stays_throttled(history, first.as_ref(), again.as_ref());
            }
            ClientPolicy::RetriesDuring(outage) => retry_during(environment, history, request, outage).await,
            ClientPolicy::RetriesLater => sleep(Duration::from_secs(200)).await,
            ClientPolicy::Retries => {}
            ClientPolicy::RetriesTwice => {
                let (one, other) = (environment.start("retry"), environment.start("retry"));
                tokio::join!(history.send(environment, &one, request), history.send(environment, &other, request));
            }
        }
        send_until_final(environment, history, request).await;
    }

    fn schedule_maintenance(&self, environment: &Arc<Environment>) -> JoinHandle<()> {
        let at_once = if self.policy == ClientPolicy::IdenticalCreates { 2 } else { 1 };
        environment.schedule_maintenance(self.phase, runs_after(&self.faults), at_once)
    }

    /// A refusal leaves no outcome unknown, whatever its body.
    fn expect_certain_refusals(&self, history: &ClientHistory) {
        let mut faults = self.faults.iter().flat_map(BTreeMap::values).peekable();
        if faults.peek().is_none() || !faults.all(|fault| *fault == Fault::Refused) {
            return;
        }
        for unknown in history.responses().iter().filter(|response| response.is_unknown()) {
            history.report(format!("a refusal of unknown outcome: {}", unknown.text));
        }
    }

    async fn wait(
        &self,
        environment: &Environment,
        history: &ClientHistory,
        request: &CreateRequest,
        first: Option<ClientResponse>,
    ) {
        let Some(first) = first else { return };
        if first.is_safe_to_repeat() {
            history.send(environment, &environment.start("repeat"), request).await;
        }
        // With several faults, a later one may have delayed reconciliation.
        let faults: usize = self.faults.iter().map(BTreeMap::len).sum();
        if first.is_unknown() && faults == 1 {
            sleep_until(first.at + RECONCILED_AFTER).await;
            if !is_reconciled(environment).await {
                history.report("not reconciled within a minute after an unknown outcome".to_owned());
            }
        }
    }
}

/// An immediate retry of a throttled create is throttled too: its outcome is not unknown.
fn stays_throttled(history: &ClientHistory, first: Option<&ClientResponse>, again: Option<&ClientResponse>) {
    let was_throttled = first.is_some_and(|first| first.status == 429 && !first.is_unknown());
    if was_throttled && !again.is_some_and(|again| again.status == 429 && again.retry_after.is_some()) {
        history.report(format!("a throttled create is no longer throttled: {again:?}"));
    }
}

/// Retries while a connection is unusable, until every other target is created or refused.
async fn retry_during(environment: &Environment, history: &ClientHistory, request: &CreateRequest, outage: Outage) {
    environment.begin_outage(outage).await;
    let are_others_settled = |response: &ClientResponse| {
        let results = response.results();
        let mut results = results.iter().zip(&request.targets);
        results.all(|(result, target)| environment.was_down(target) || result.is_settled())
    };
    let is_done = |response: &ClientResponse| response.is_refused_as_a_whole() || are_others_settled(response);
    if let Some(last) = history.send_until(environment, request, is_done).await {
        check_during_outage(environment, history, &last).await;
    }
    environment.end_outage(outage).await;
}

/// A key is kept for 30 days after a final response, and for as long as its create is unknown.
async fn retry_next_day(
    environment: &Environment,
    history: &ClientHistory,
    request: &CreateRequest,
    first: Option<&ClientResponse>,
) {
    let has_final_state = is_reconciled(environment).await || first.is_some_and(ClientResponse::is_final);
    sleep(if has_final_state { ALMOST_A_DAY } else { NEXT_DAY }).await;
    send_until_final(environment, history, request).await;
    if !has_final_state {
        sleep(ALMOST_A_DAY).await;
        still_replays(environment, history, request).await;
    }
}

/// A final response is replayed for a time after it was sent, not after the first use of its key.
async fn still_replays(environment: &Environment, history: &ClientHistory, request: &CreateRequest) {
    let response = history.send_until_final(environment, request).await;
    if !response.as_ref().is_some_and(|response| response.is_replay) {
        history.report(format!("a final response is no longer replayed: {response:?}"));
    }
}

/// Sends until the response is final; every later response replays it.
async fn send_until_final(environment: &Environment, history: &ClientHistory, request: &CreateRequest) {
    let Some(last) = history.send_until_final(environment, request).await else { return };
    if !last.results().iter().all(TargetResult::is_settled) {
        history.report(format!("the final response lacks a campaign: {}", last.text));
    }
    let mut before = last;
    // The last response may not have been stored; the next one is.
    for _ in 0..2 {
        let Some(next) = history.send_until_final(environment, request).await else { return };
        if next.is_replay {
            if next.text != before.text {
                history.report(format!("{} is replayed as {}", before.text, next.text));
            }
            return;
        }
        before = next;
    }
    history.report("a final response is not replayed".to_owned());
}
