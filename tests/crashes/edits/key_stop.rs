//! The stop of a key whose change is applied or in flight: whatever crashes, the campaign ends paused, nothing is
//! reserved, and the stop says so.

use super::client::{Client, Edit};
use super::prepared::{Prepared, prepared};
use super::spending_limit::Limited;
use crate::crashes::environment::run_paused;
use crate::crashes::events;
use crate::crashes::runs::{LARGE, Outcome, Runs, Scheduled, each, runs_after};
use crate::crashes::settle::settle;
use crate::in_process::faults::{Fault, FaultPlan};
use crate::in_process::json_of;
use serde_json::{Value, json};
use shared::domain::spending::Spender;
use shared::domain::{CampaignId, KeyId, Platform};
use shared::store::table_keys;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// Attempts to stop the key, and the wait between two.
const MAX_ATTEMPTS: usize = 10;
const RETRY_DELAY: Duration = Duration::from_secs(31);
/// Time from the begin of the change to a stop that meets it in flight.
const IN_FLIGHT_AFTER: Duration = Duration::from_millis(15);

/// A change of a key and the stop of the key, with faults.
#[derive(Clone, Debug)]
struct StopSchedule {
    platform: Platform,
    /// Whether the key has a spending limit.
    is_limited: bool,
    /// Whether the stop begins before the change has ended.
    is_in_flight: bool,
    /// Time from the stop to the first run of maintenance.
    phase: Duration,
    /// Faults by the number of the point, of the change, of the stop, and of maintenance.
    faults: Vec<BTreeMap<usize, Fault>>,
    /// Faults of the request that takes the limit of the key away.
    unlimiting: BTreeMap<usize, Fault>,
    keeps_log: bool,
}

/// The parties of a run.
struct Stage {
    client: Client,
    /// The secret of the key that stops the other one.
    owner: String,
    key: KeyId,
}

impl Scheduled for StopSchedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> StopSchedule {
        StopSchedule { keeps_log: true, ..self.clone() }
    }
}

impl StopSchedule {
    async fn run_async(&self) -> Outcome {
        let Prepared { client, owner, key } =
            prepared(self.platform, Limited::KeyAndUser, &Value::Null, self.keeps_log).await;
        let environment = Arc::clone(&client.environment);
        let stage = Stage { client, owner, key: key.expect("a key with a limit") };
        let unlimiting = FaultPlan::planned(self.unlimiting.clone());
        if !self.is_limited {
            environment.plan(vec![unlimiting.clone()]);
            let free = json!({"spending_limit": null}).to_string();
            let path = format!("/v1/api-keys/{}", stage.key);
            stage.client.history.exchange(&environment.start("update"), stage.request("PATCH", &path, &free)).await;
        }
        let faults: Vec<FaultPlan> = self.faults.iter().cloned().map(FaultPlan::planned).collect();
        environment.plan(faults.clone());
        let change = stage.client.send(Edit::Status, None);
        let stop = async {
            if self.is_in_flight {
                sleep(IN_FLIGHT_AFTER).await;
            }
            stage.stop().await;
        };
        if self.is_in_flight {
            tokio::join!(change, stop);
        } else {
            change.await;
            stop.await;
        }
        let maintenance = environment.schedule_maintenance(self.phase, runs_after(&self.faults), 1);
        maintenance.await.expect("no panic");
        stage.settle_the_rest().await;
        let is_refused = self.faults.iter().flat_map(BTreeMap::values).any(|fault| *fault == Fault::Refused);
        stage.check(self.is_limited, is_refused).await;
        let violations = stage.client.history.violations.lock().expect("the history").clone();
        let points = faults.iter().chain([&unlimiting]).map(FaultPlan::points).collect();
        Outcome { violations, log: environment.log.lines(), points }
    }
}

impl Stage {
    fn request(&self, method: &str, path: &str, body: &str) -> lambda_http::Request {
        let mut request = self.client.environment.request(method, path, None, body);
        request.headers_mut().insert("x-api-key", self.owner.parse().expect("a header"));
        request
    }

    fn stop_path(&self) -> String {
        format!("/v1/api-keys/{}/stop", self.key)
    }

    /// Stops the key: sends the request until its response is a success.
    async fn stop(&self) {
        for _ in 0..MAX_ATTEMPTS {
            let service = self.client.environment.start("stop");
            let request = self.request("POST", &self.stop_path(), "");
            let response = self.client.history.exchange(&service, request).await;
            if response.is_some_and(|response| response.status() == 200) {
                return;
            }
            sleep(RETRY_DELAY).await;
        }
        self.client.history.report("the key was not stopped".to_owned());
    }

    async fn ask_clean(&self, method: &str, path: &str, body: &str) -> Value {
        let service = self.client.environment.start_without_faults();
        let response = self.client.history.exchange(&service, self.request(method, path, body)).await;
        json_of(response.expect("a response").body())
    }

    /// Runs maintenance until nothing is due.
    async fn settle_the_rest(&self) {
        let environment = &self.client.environment;
        let kinds = [table_keys::DUE_CHANGE, table_keys::DUE_SCHEDULED, table_keys::DUE_STOP];
        let is_settled = async || environment.still_due(&kinds).is_empty();
        if !settle(environment, is_settled).await {
            self.client.history.report("something is still due".to_owned());
        }
    }

    /// Checks every invariant; violations are added to the client's history.
    async fn check(&self, is_limited: bool, is_refused: bool) {
        let environment = &self.client.environment;
        let states = environment.books.states();
        let told = self.ask_clean("POST", &self.stop_path(), "").await;
        let store = &environment.start_without_faults().app.store;
        let campaign = CampaignId::parse(&self.client.campaign).expect("a campaign");
        let spender = Spender::Key(self.key.clone());
        let spending = store.spending_state(environment.customer, &[spender], Some(&campaign)).await.expect("a read");
        let expect = |holds: bool, what: &str| {
            if !holds {
                let report = format!("{what}: {told}; {spending:?}; the books: {states:?}");
                self.client.history.report(report);
            }
        };
        let runs = states.last().is_some_and(|last| last.status == "ACTIVE");
        let is_done = told["done"] == true;
        expect(is_done || is_refused, "the stop is not done");
        expect(!runs || (is_refused && !is_done), "the campaign runs");
        events::violations(environment).await.iter().for_each(|violation| expect(false, violation));
        let service = environment.start_without_faults();
        let own = environment.request("GET", "/v1/changes", None, "");
        let refused = self.client.history.exchange(&service, own).await.expect("a response");
        expect(refused.status() == 401, "the key is not refused");
        if is_limited
            && !is_refused
            && let Some(of_key) = spending.spendings.key()
        {
            let counts = of_key.contributions.get(&campaign);
            expect(counts.is_none_or(|one| one.pending.is_none() && one.daily.is_zero()), "something is reserved");
            expect(spending.turn.change.is_none(), "a change has the turn still");
        }
    }
}

/// Each fault at each point of the change, of the stop, and of the runs of maintenance after it.
fn stopped_on(platform: Platform) {
    let schedule = |is_limited: bool, is_in_flight: bool, phase: u64, faults: &[BTreeMap<usize, Fault>]| {
        let phase = Duration::from_secs(phase);
        let (faults, unlimiting) = (faults.to_vec(), BTreeMap::new());
        StopSchedule { platform, is_limited, is_in_flight, phase, faults, unlimiting, keeps_log: false }
    };
    // The points of one process: that of the change is 0, that of the stop 1.
    let each_point = |runs: &mut Runs<StopSchedule>, is_limited: bool, is_in_flight: bool, process: usize| {
        let clean = vec![BTreeMap::new(); process + 1];
        let base = runs.run(schedule(is_limited, is_in_flight, 1, &clean));
        runs.points += base.points[process].len();
        for (point, fault) in each(&base.points[process]) {
            let mut faults = clean.clone();
            faults[process] = BTreeMap::from([(point, fault)]);
            runs.run_in_rotation(|phase| schedule(is_limited, is_in_flight, phase, &faults));
        }
    };
    Runs::of("points of taking the limit away before a stop", &platform.to_string(), 1, |runs| {
        let free = |phase| schedule(false, false, phase, &[]);
        let base = runs.run(free(1));
        let points = base.points.last().expect("the points of the request");
        runs.points += points.len();
        for (point, fault) in each(points) {
            let unlimiting = BTreeMap::from([(point, fault)]);
            runs.run_in_rotation(|phase| StopSchedule { unlimiting: unlimiting.clone(), ..free(phase) });
        }
    });
    for is_limited in [true, false] {
        let on = format!("{platform}, limited: {is_limited}");
        Runs::of("points of a change in flight at a stop", &on, 1, |runs| {
            each_point(runs, is_limited, true, 0);
        });
        Runs::of("points of a stop", &on, 1, |runs| {
            [false, true].into_iter().for_each(|is_in_flight| each_point(runs, is_limited, is_in_flight, 1));
        });
        Runs::of("points of maintenance after a stop", &on, LARGE, |runs| {
            [2, 3].into_iter().for_each(|process| each_point(runs, is_limited, true, process));
        });
    }
}

/// The test of each platform.
macro_rules! stopped {
    ($platform:expr) => {
        #[test]
        fn a_stopped_key_runs_nothing_despite_crashes() {
            crate::crashes::edits::key_stop::stopped_on($platform);
        }
    };
}
use stopped;

crate::platforms::each_platform! { stopped }
