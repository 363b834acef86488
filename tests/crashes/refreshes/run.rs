//! One run: a connection whose access token expires several times, with requests around each expiry.

use super::events;
use super::platform::TOKEN_LIFE;
use super::service::{Service, customer};
use super::state::StateHandle;
use crate::in_process::engine::table;
use dynoxide::Database;
use shared::domain::ConnectionStatus;
use shared::domain::maintenance_schedule::INTERVAL;
use shared::error::{Error, Kind};
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;
use tokio::time::{Duration, Instant, sleep, sleep_until};

/// Access tokens that expire in a run.
const EXPIRIES: u32 = 4;
/// Requests around each expiry.
const REQUESTS: u64 = 8;
const PROCESSES: u64 = 3;

/// Result of a run.
pub(super) struct Outcome {
    pub(super) trace: u64,
    pub(super) violations: Vec<String>,
    pub(super) log: Vec<String>,
    pub(super) refreshes: u32,
    pub(super) is_lost: bool,
}

/// Parameters of a run, derived from its seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scenario {
    seed: u64,
    faults: bool,
    rotates: bool,
    maintenance: bool,
    /// The user revokes the grant at the platform.
    revoked: bool,
    /// The refresh token expires at the platform; the access token works until its own expiry.
    refresh_expires: bool,
    /// The customer removes the connection.
    removed: bool,
}

impl Scenario {
    pub(super) fn of(seed: u64) -> Scenario {
        let faults = !seed.is_multiple_of(4);
        let chance = |n: u64| faults && seed.is_multiple_of(n);
        Scenario {
            seed,
            faults,
            rotates: seed % 3 != 2,
            maintenance: seed % 5 != 4,
            revoked: chance(17),
            refresh_expires: chance(11),
            removed: chance(13),
        }
    }
}

struct Run {
    scenario: Scenario,
    state: StateHandle,
    database: Database,
    began: Instant,
    services: Mutex<Vec<Service>>,
}

pub(super) fn simulate(seed: u64, keeps_log: bool) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let scenario = Scenario::of(seed);
        let state = StateHandle::new(seed, scenario.faults, scenario.rotates, keeps_log);
        let run = Run { scenario, state, database: table(), began: Instant::now(), services: Mutex::default() };
        Arc::new(run).run().await
    })
}

impl Run {
    async fn run(self: Arc<Run>) -> Outcome {
        self.state.lock().faults = false;
        self.service().connect().await;
        self.state.lock().faults = self.scenario.faults;
        let mut requests = Vec::new();
        let maintenance = self.scenario.maintenance.then(|| tokio::spawn(Arc::clone(&self).run_maintenance()));
        for expiry in 1..=EXPIRIES {
            requests.extend(self.requests_around_expiry().await);
            if expiry == 2 {
                self.act_as_user().await;
            }
            if !self.scenario.faults {
                let refreshes = self.state.lock().platform.refreshes;
                self.expect(refreshes == expiry, || format!("{refreshes} refreshes after {expiry} expiries"));
            }
        }
        if let Some(maintenance) = maintenance {
            maintenance.abort();
        }
        self.check_final_state().await;
        if !self.scenario.faults {
            self.expect(requests.iter().all(JoinHandle::is_finished), || "a request never finished".to_owned());
        }
        let mut state = self.state.lock();
        let violations = std::mem::take(&mut state.platform.violations);
        let refreshes = state.platform.refreshes;
        let is_lost = state.platform.is_revoked && !self.scenario.revoked;
        Outcome { trace: state.log.trace(), violations, log: state.log.lines(), refreshes, is_lost }
    }

    /// A random process; a dead one is replaced.
    fn service(&self) -> Service {
        let chosen = usize::try_from(self.state.lock().random.below(PROCESSES)).expect("a small number");
        let mut services = self.services.lock().expect("the processes");
        let start = || Service::start(&self.state, &self.database, self.began, customer(self.scenario.seed));
        while services.len() <= chosen {
            services.push(start());
        }
        if services[chosen].holder.process.is_dead() {
            services[chosen] = start();
        }
        services[chosen].clone()
    }

    /// Sends requests from 15 minutes before the access token expires until a minute after, many at the same moment.
    async fn requests_around_expiry(self: &Arc<Run>) -> Vec<JoinHandle<()>> {
        let expires_at = self.state.lock().platform.newest_expiry().max(Instant::now());
        let mut times: Vec<Instant> = Vec::new();
        for _ in 0..REQUESTS {
            let mut state = self.state.lock();
            times.push(match state.random.below(3) {
                0 => expires_at - state.random.millis(0, 15 * 60_000),
                1 => expires_at + state.random.millis(0, 60_000),
                _ => expires_at + state.random.millis(0, 20),
            });
        }
        times.push(expires_at + Duration::from_millis(1));
        times.sort_unstable();
        let mut requests = Vec::new();
        for time in times {
            sleep_until(time).await;
            requests.push(tokio::spawn(Arc::clone(self).request()));
        }
        sleep(Duration::from_secs(200)).await;
        requests
    }

    async fn request(self: Arc<Run>) {
        let service = self.service();
        let is_sync = self.state.lock().random.chance(250);
        let outcome = if is_sync { service.sync().await } else { service.request().await };
        let kind = outcome.as_ref().err().map(|error| error.kind);
        self.state.lock().log.record(|| format!("request {kind:?}"));
        self.expect(self.scenario.faults || outcome.is_ok(), || {
            format!("a request failed without a fault: {outcome:?}")
        });
        let has_ended = self.state.lock().platform.has_ended();
        self.expect(has_ended || self.scenario.removed || kind != Some(Kind::TokenExpired), || {
            "a response says that an active grant has ended".to_owned()
        });
    }

    /// Maintenance at its interval. It skips the time far from an expiry, in which nothing is due.
    async fn run_maintenance(self: Arc<Run>) {
        loop {
            sleep(INTERVAL.unsigned_abs()).await;
            let left = self.state.lock().platform.newest_expiry().saturating_duration_since(Instant::now());
            if left < Duration::from_secs(15 * 60) {
                let service = self.service();
                // Not awaited: the run of a process that dies never ends.
                tokio::spawn(async move { maintenance::run(&service.app).await.map(|_| ()) });
            }
        }
    }

    /// Revokes the grant, expires its refresh token or removes the connection.
    async fn act_as_user(&self) {
        if self.scenario.revoked {
            self.state.lock().platform.is_revoked = true;
        }
        if self.scenario.refresh_expires {
            self.state.lock().platform.refuses_refreshes = true;
        }
        if self.scenario.removed {
            self.remove().await;
        }
    }

    /// The customer repeats the removal until there is a response.
    async fn remove(&self) {
        loop {
            let service = self.service();
            let removal = tokio::time::timeout(Duration::from_secs(60), service.remove()).await;
            if matches!(removal, Ok(Ok(_))) && !service.holder.process.is_dead() {
                return;
            }
        }
    }

    /// Ends the faults; then the stored state must agree with the platform.
    async fn check_final_state(&self) {
        self.state.lock().faults = false;
        sleep(TOKEN_LIFE).await;
        for _ in 0..3 {
            let service = self.service();
            let _ = maintenance::run(&service.app).await;
            sleep(Duration::from_secs(61)).await;
        }
        let service = self.service();
        let status_after_maintenance = service.connection().await.map(|connection| connection.status);
        let last_request = service.request().await;
        let connection = service.connection().await;
        let (has_ended, all_stored) = {
            let state = self.state.lock();
            (state.platform.has_ended(), state.platform.all_stored())
        };
        for violation in events::violations(&service, connection.as_ref()).await {
            self.expect(false, || violation.clone());
        }
        let status = connection.map(|connection| connection.status);
        if has_ended && !self.scenario.removed {
            self.check_ended([status_after_maintenance, status], &last_request, all_stored);
        } else if self.scenario.removed {
            let connected = service.customer_connections().await.expect("a read without faults");
            self.expect(status.is_none(), || "a removed connection exists again".to_owned());
            self.expect(connected.grants.is_empty(), || "the grant of a removed connection is still stored".to_owned());
        } else {
            self.expect(last_request.is_ok(), || format!("a request under an active grant fails: {last_request:?}"));
            self.expect(status == Some(ConnectionStatus::Active), || {
                format!("a connection with an active grant is {status:?}")
            });
        }
    }

    /// The state after the grant has ended: its connection is REVOKED and requests fail with the right error.
    fn check_ended<T>(
        &self,
        statuses: [Option<ConnectionStatus>; 2],
        last_request: &Result<T, Error>,
        all_stored: bool,
    ) {
        for status in statuses {
            self.expect(status == Some(ConnectionStatus::Revoked), || {
                format!("a connection whose grant has ended is {status:?}")
            });
        }
        let code = last_request.as_ref().err().map(|error| error.kind);
        self.expect(code == Some(Kind::TokenExpired), || format!("a request under an ended grant fails with {code:?}"));
        self.expect(self.scenario.revoked || self.scenario.refresh_expires || !all_stored, || {
            "the grant ended although every token was stored".to_owned()
        });
    }

    fn expect(&self, holds: bool, violation: impl Fn() -> String) {
        if !holds {
            self.state.lock().platform.violations.push(violation());
        }
    }
}
