//! One process of the service whose requests are counted.

use super::call_recorder::{Call, CallRecorder, Peer};
use super::table::{Cells, Row};
use crate::in_process::engine::client_over;
use crate::in_process::{self, json_of, respond};
use lambda_http::{Request, Response};
use serde_json::Value;
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::routes::{self, Match};
use shared::serve::PostResponseWork;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, Instant, sleep};

/// Background work of a process has started by then.
const REST: Duration = Duration::from_secs(10);

/// A process that has served the customer before, unless a test asks for a new one.
pub(super) struct Stage {
    pub(super) in_process: in_process::World,
    app: Arc<App>,
    recorder: CallRecorder,
    pub(super) rows: Vec<Row>,
}

impl Stage {
    /// A world in which the first ad accounts of these platforms are connected.
    pub(super) async fn new(plan: Plan, connected: &[Platform]) -> Stage {
        let in_process = in_process::World::new(in_process::clock(1), plan).await;
        let recorder = CallRecorder::new(in_process.database.clone(), in_process.sandbox.clone());
        let app = Arc::new(in_process.app(client_over(recorder.clone()), Arc::new(recorder.clone())));
        let stage = Stage { in_process, app, recorder, rows: Vec::new() };
        for platform in connected {
            stage.in_process.connect(&stage.app, *platform, 1).await;
        }
        stage
    }

    /// The process.
    pub(super) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app)
    }

    /// A process that has served no request yet.
    pub(super) fn restart(&mut self) {
        self.app = Arc::new(self.in_process.app(client_over(self.recorder.clone()), Arc::new(self.recorder.clone())));
    }

    /// Sends a request without counting.
    pub(super) async fn ask(&self, status: u16, method: &str, path: &str, body: &str) -> Value {
        let mut response = respond(&self.app, self.in_process.request(method, path, &[], body)).await;
        assert_eq!(response.status(), status, "{method} {path}: {:?}", response.body());
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        serde_json::from_slice(response.body()).unwrap_or_default()
    }

    /// Sends a request without counting, and returns its id.
    pub(super) async fn request_id_of(&self, method: &str, path: &str, body: &str) -> String {
        let mut response = respond(&self.app, self.in_process.request(method, path, &[], body)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        response.headers()["x-request-id"].to_str().expect("an id").to_owned()
    }

    /// Sends a request and counts its calls.
    pub(super) async fn count(&mut self, case: &str, status: u16, method: &str, path: &str, body: &str) -> Value {
        self.count_as(case, status, self.in_process.request(method, path, &[], body)).await
    }

    /// The same with a prepared request. Of a redirect it returns where that leads.
    pub(super) async fn count_as(&mut self, case: &str, status: u16, request: Request) -> Value {
        let method = request.method().as_str();
        let path = request.uri().path();
        let endpoint = match routes::find(method, path) {
            Match::Found(route, _) => format!("{} {}", route.method, route.path),
            _ if routes::is_dashboard(path) => format!("{method} {path}"),
            _ => panic!("{method} {path} is no endpoint"),
        };
        // The rate limit has to be at rest, as it is for a customer who sends few requests.
        sleep(REST).await;
        self.recorder.take();
        let began = Instant::now();
        let mut response: Response<_> = respond(&self.app, request).await;
        assert_eq!(response.status(), status, "{endpoint}, {case}: {:?}", response.body());
        let until = self.recorder.take();
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        sleep(REST).await;
        let after = self.recorder.take();
        self.rows.push(Row { endpoint, case: case.to_owned(), cells: cells(&until, &after, began) });
        if let Some(location) = response.headers().get("location") {
            return Value::from(location.to_str().expect("an address"));
        }
        if response.body().is_empty() || !response.headers()["content-type"].as_bytes().ends_with(b"/json") {
            return Value::Null;
        }
        json_of(response.body())
    }
}

fn cells(until: &[Call], after: &[Call], began: Instant) -> Cells {
    let mut waves: BTreeMap<u128, Vec<&Call>> = BTreeMap::new();
    for call in until {
        waves.entry(call.wave(began)).or_default().push(call);
    }
    let all_of_store = |wave: &&Vec<&Call>| wave.iter().all(|call| call.peer == Peer::Store);
    let before = waves.values().take_while(all_of_store).count();
    let path: Vec<String> = waves.values().map(|calls| names(calls.iter().copied())).collect();
    let count = |peer| until.iter().chain(after).filter(|call| call.peer == peer).count();
    let sum = |units: fn(&Call) -> f64| until.iter().chain(after).map(units).fold(0.0, |sum, one| sum + one);
    Cells {
        before: before.to_string(),
        path: path.join(" > "),
        after: names(after.iter()),
        platform: count(Peer::Platform).to_string(),
        payments: count(Peer::Payments).to_string(),
        written: sum(|call| call.written).to_string(),
        read: sum(|call| call.read).to_string(),
    }
}

/// `Query + 2 Put`
fn names<'a>(calls: impl Iterator<Item = &'a Call>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for call in calls {
        *counts.entry(&call.name).or_default() += 1;
    }
    let shown = counts.into_iter().map(|(name, count)| match count {
        1 => name.to_owned(),
        several => format!("{several} {name}"),
    });
    shown.collect::<Vec<_>>().join(" + ")
}
