//! A person approves what a key with a limit has asked for, and every fault meets every point of the process that makes
//! it, or of the maintenance after it. When the schedule ends, the change is made once or waits on, and no more runs than
//! the limit admits.

use super::client::{Client, Edit};
use super::deferred::is_settled;
use super::prepared::{Prepared, prepared};
use super::spending_limit::{self, Limited};
use crate::crashes::environment::{Environment, run_paused};
use crate::crashes::runs::{Outcome, Runs, Scheduled, each, runs_after};
use crate::crashes::settle::settle;
use crate::in_process::faults::{Fault, FaultPlan};
use crate::in_process::json_of;
use serde_json::{Value, json};
use shared::changes;
use shared::domain::{Approver, Change, ChangeId, ChangeState, PersonId, Platform, Requester};
use shared::error::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, sleep};
use uuid::Uuid;

/// The name of the campaign that is created.
const NEW: &str = "Approved";

/// What a person approves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Update(Edit),
    Create,
}

/// An approval with faults.
#[derive(Clone, Debug)]
struct ApprovalSchedule {
    platform: Platform,
    asked: Asked,
    /// Time from the approval's end to the first run of maintenance.
    phase: Duration,
    /// Faults by the number of the point, for each process in the order in which they start.
    faults: Vec<BTreeMap<usize, Fault>>,
    keeps_log: bool,
}

impl Scheduled for ApprovalSchedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> ApprovalSchedule {
        ApprovalSchedule { keeps_log: true, ..self.clone() }
    }
}

impl ApprovalSchedule {
    async fn run_async(&self) -> Outcome {
        // The campaign of the client is below the amount.
        let rule = json!({"activation": true, "amounts": [{"currency": "USD", "amount": 55}]});
        let Prepared { client, key, .. } = prepared(self.platform, Limited::KeyAndUser, &rule, self.keeps_log).await;
        let (environment, key) = (Arc::clone(&client.environment), key.expect("a key with a limit"));
        let id = self.ask(&client).await;
        let faults: Vec<FaultPlan> = self.faults.iter().cloned().map(FaultPlan::planned).collect();
        let seen = look(&environment, id).await;
        let waiting = read(&environment, id).await;
        environment.plan(faults.clone());
        let service = environment.start("approval");
        let approval = changes::approve(&service.app, waiting, person(), &seen);
        let approved = service.process.run(approval).await;
        environment
            .log
            .record(|| format!("the approval ends: {:?}", approved.map(|one| one.map(|change| change.state))));
        self.approve_again(&client, id, &seen).await;
        environment.schedule_maintenance(self.phase, runs_after(&self.faults), 1).await.expect("no panic");
        settle(&environment, async || is_settled_or_waits(&environment).await).await;
        let change = self.approve_what_waits(&client, id).await;
        self.check(&client, &change).await;
        spending_limit::check(&client, Some(&key)).await;
        let violations = client.history.violations.lock().expect("the history").clone();
        Outcome { violations, log: environment.log.lines(), points: faults.iter().map(FaultPlan::points).collect() }
    }

    /// Asks for the change without faults.
    async fn ask(&self, client: &Client) -> ChangeId {
        let path = format!("/v1/campaigns/{}", client.campaign);
        let create = json!({"platform": self.platform.as_str(), "name": NEW, "goal": "TRAFFIC", "budget_amount": 60,
            "budget_period": "DAILY"});
        let (method, path, body) = match self.asked {
            Asked::Update(edit) => ("PATCH", path.as_str(), edit.body()),
            Asked::Create => ("POST", "/v1/campaigns", create),
        };
        let service = client.environment.start_without_faults();
        let request = client.environment.request(method, path, None, &body.to_string());
        let change = json_of(campaigns::handle(Arc::clone(&service.app), request).await.body());
        assert_eq!(change["state"], "awaiting_approval", "{change}");
        ChangeId::parse(change["id"].as_str().expect("an id")).expect("an id")
    }

    /// The caller sends the same decision again, as one does without an answer: it makes nothing twice.
    async fn approve_again(&self, client: &Client, id: ChangeId, seen: &str) {
        let environment = &client.environment;
        let (before, app) = (read(environment, id).await, environment.start_without_faults().app);
        let again = Approver { request: Some(Uuid::max()), ..person() };
        let answer = changes::approve(&app, before.clone(), again, seen).await;
        let is_known = before.approval.is_some();
        if is_known && !answer.as_ref().is_ok_and(|change| *change == before) {
            client.history.report(format!("the same decision again is {answer:?}, after {before:?}"));
        }
    }

    /// A change that waits on is approved once more, without faults.
    async fn approve_what_waits(&self, client: &Client, id: ChangeId) -> Change {
        let environment = &client.environment;
        let change = read(environment, id).await;
        if change.state != ChangeState::AwaitingApproval {
            return change;
        }
        if !environment.books.writes().is_empty() {
            client.history.report("it waits, and something was written".to_owned());
        }
        let approve = async || {
            let (app, seen) = (environment.start_without_faults().app, look(environment, id).await);
            changes::approve(&app, read(environment, id).await, person(), &seen).await
        };
        let mut approved = approve().await;
        if approved.as_ref().is_err_and(|error| error.kind == Kind::RateLimited) {
            // The platform throttles for an hour.
            sleep(Duration::from_hours(1)).await;
            approved = approve().await;
        }
        if approved.is_err() {
            client.history.report(format!("what waits cannot be approved: {approved:?}"));
        }
        settle(environment, async || is_settled_or_waits(environment).await).await;
        read(environment, id).await
    }

    /// The outcome is that of the books, and nothing was made twice.
    async fn check(&self, client: &Client, change: &Change) {
        let environment = &client.environment;
        let is_settled = is_settled(environment);
        let states = environment.books.states();
        let made = match self.asked {
            Asked::Update(edit) => usize::from(states.last().is_some_and(|last| edit.is_complete(last))),
            Asked::Create => {
                let listed: Vec<Value> = environment.campaigns().await;
                listed.iter().filter(|one| one["name"] == NEW).count()
            }
        };
        let may_fail = self.faults.iter().flat_map(BTreeMap::values).next().is_some();
        let holds = match &change.state {
            ChangeState::Applied => made == 1,
            ChangeState::Failed(_) => made == 0 && may_fail,
            ChangeState::PartlyApplied(_) => may_fail && states.first() != states.last(),
            _ => false,
        };
        // A create leaves the campaign alone that the books watch.
        let is_repeated = self.asked != Asked::Create && states.windows(2).any(|pair| pair[0] == pair[1]);
        let is_approved = change.approval.is_some();
        if !(holds && is_settled && is_approved) || is_repeated {
            client.history.report(format!("{:?}, made {made} times: {states:?}", change.state));
        }
    }
}

async fn read(environment: &Environment, id: ChangeId) -> Change {
    let store = &environment.start_without_faults().app.store;
    store.change(environment.customer, id).await.expect("a read").expect("a change")
}

/// The version of what a person sees.
async fn look(environment: &Environment, id: ChangeId) -> String {
    let app = environment.start_without_faults().app;
    changes::review(&app, read(environment, id).await).await.expect("a review").version()
}

fn person() -> Approver {
    let by = Requester::Person { id: PersonId("person".to_owned()), email: None };
    Approver::in_person(by, Uuid::nil())
}

/// Whether nothing is due except changes awaiting approval.
async fn is_settled_or_waits(environment: &Environment) -> bool {
    let store = &environment.start_without_faults().app.store;
    let waiting = store.awaiting_approval(environment.customer).await.expect("a read");
    !waiting.is_empty() || is_settled(environment)
}

/// Each fault at each point of the approval.
fn approved_on(platform: Platform) {
    Runs::of("points of an approval", platform.as_str(), 1, |runs| {
        for asked in [Asked::Update(Edit::Status), Asked::Update(Edit::Everything), Asked::Create] {
            let schedule = |phase: u64, faults: &[BTreeMap<usize, Fault>]| {
                let (phase, faults) = (Duration::from_secs(phase), faults.to_vec());
                ApprovalSchedule { platform, asked, phase, faults, keeps_log: false }
            };
            let base = runs.run(schedule(1, &[BTreeMap::new()]));
            runs.points += base.points[0].len();
            for (point, fault) in each(&base.points[0]) {
                let faults = [BTreeMap::from([(point, fault)])];
                runs.run_in_rotation(|phase| schedule(phase, &faults));
            }
        }
    });
}

/// The test of each platform.
macro_rules! approved {
    ($platform:expr) => {
        #[test]
        fn an_approved_change_is_applied_once_despite_crashes() {
            crate::crashes::edits::approval::approved_on($platform);
        }
    };
}
use approved;

crate::platforms::each_platform! { approved }
