//! A grant is refreshed once, whoever needs it and in however many processes: eight of the real program over one store,
//! and a thousand requests that find the access token run out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod served;

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Value, json};
use served::Served;
use shared::app::Aws;
use shared::outbound::{Answer, Outbound, Outgoing};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

const PROCESSES: usize = 8;
const REQUESTS: usize = 1_000;
const TABLE: &str = "unified-ads";
/// Long enough for anything that is meant to answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the platform lets a refresh wait for its answer, so that all others come in between.
const SLOW_MS: u32 = 800;

/// The processes, and who speaks with them.
struct Fleet {
    served: Vec<Served>,
    engine: aws_sdk_dynamodb::Client,
    http: Outbound,
}

/// Requests on their way, and what becomes of them.
type Storm = JoinSet<Vec<(u16, String)>>;

impl Fleet {
    fn start(folder: &Path) -> Fleet {
        let mut served = vec![Served::on(folder)];
        served.extend((1..PROCESSES).map(|_| Served::joined(folder)));
        let file = std::fs::read_to_string(folder.join("engine.json")).unwrap();
        let engine: Value = serde_json::from_str(&file).unwrap();
        let aws = Aws {
            region: "us-east-1".to_owned(),
            credentials: Credentials::new("local", "local", None, None, "test"),
            dynamodb_endpoint: engine["endpoint"].as_str().map(str::to_owned),
            secrets_endpoint: None,
        };
        Fleet { served, engine: aws.dynamodb_client(), http: Outbound::new().unwrap() }
    }

    /// A request to one of the processes with the demo customer's key.
    fn request(&self, process: usize, path: &str) -> Outgoing {
        let served = &self.served[process];
        let mut outgoing = plain(&format!("{}{path}", served.said("gateway")));
        outgoing.headers.insert("x-api-key", served.said("api_key").parse().unwrap());
        outgoing
    }

    async fn send(&self, outgoing: Outgoing, status: u16) -> Answer {
        let what = format!("{} {}", outgoing.method, outgoing.url);
        let answer = self.http.send(outgoing, Instant::now() + PATIENCE).await.unwrap();
        assert_eq!(answer.status, status, "{what}: {:?}", answer.body);
        answer
    }

    async fn get(&self, process: usize, path: &str) -> Value {
        serde_json::from_slice(&self.send(self.request(process, path), 200).await.body).unwrap()
    }

    async fn post(&self, url: String, content_type: &'static str, body: String, status: u16) -> Answer {
        let headers = HeaderMap::from_iter([(http::header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
        self.send(Outgoing { method: Method::POST, url, headers, body: body.into() }, status).await
    }

    async fn control(&self, name: &str, body: Value) {
        let url = format!("{}/_sandbox/{name}", self.served[0].said("sandbox"));
        self.post(url, "application/json", body.to_string(), 200).await;
    }

    /// Connects the first ad account of a platform: asked for at one process, and come back to the same.
    async fn connect(&self, platform: &str) {
        let answer = self.get(1, &format!("/v1/connections/{platform}/authorize")).await;
        let consent = answer["authorize_url"].as_str().unwrap().to_owned();
        let form = "application/x-www-form-urlencoded";
        let answer = self.post(consent, form, "decision=approve".to_owned(), 302).await;
        self.send(plain(answer.headers["location"].to_str().unwrap()), 200).await;
    }

    async fn status(&self, platform: &str) -> Value {
        let answer = self.get(2, "/v1/connections").await;
        let connections = answer["connections"].as_array().unwrap();
        connections.iter().find(|connection| connection["platform"] == platform).unwrap()["status"].clone()
    }

    /// Makes the services believe that a platform's access token has run out. Nothing else of the record is written:
    /// somebody may be refreshing it.
    async fn let_the_token_run_out(&self, platform: &str) {
        let word = AttributeValue::S(platform.to_owned());
        let items = self.engine.scan().table_name(TABLE).send().await.unwrap();
        let of_platform = items.items().iter().filter(|item| item.get("platform") == Some(&word));
        let grants: Vec<_> = of_platform.filter(|item| item.contains_key("access_expires_at")).collect();
        assert_eq!(grants.len(), 1);
        let past = AttributeValue::S("1970-01-01T00:00:00Z".to_owned());
        let update = self.engine.update_item().table_name(TABLE).key("pk", grants[0]["pk"].clone());
        let update = update.key("sk", grants[0]["sk"].clone()).update_expression("SET access_expires_at = :past");
        update.expression_attribute_values(":past", past).send().await.unwrap();
    }

    /// Begins the record anew, and makes the next refresh slow.
    async fn prepare(&self, platform: &str) {
        self.control("reset", json!({})).await;
        let fault = json!({"platform": platform, "operation": "refresh", "fault": "slow", "times": 1, "ms": SLOW_MS});
        self.control("faults", fault).await;
    }

    /// Sends all requests, spread over the processes, from so many senders at once.
    fn storm(&self, platform: &str, senders: usize) -> Storm {
        let mut storm = JoinSet::new();
        for sender in 0..senders {
            let http = self.http.clone();
            let request = self.request(sender % PROCESSES, &list(platform));
            storm.spawn(async move {
                let mut answers = Vec::new();
                for _ in (sender..REQUESTS).step_by(senders) {
                    let answer = http.send(request.clone(), Instant::now() + PATIENCE).await.unwrap();
                    answers.push((answer.status.as_u16(), String::from_utf8_lossy(&answer.body).into_owned()));
                }
                answers
            });
        }
        storm
    }

    /// What a platform received, in order: the refreshes by their place, and the tokens that came with the rest.
    async fn received(&self, platform: &str) -> (Vec<usize>, Vec<Value>) {
        let url = format!("{}/_sandbox/requests?platform={platform}", self.served[0].said("sandbox"));
        let record: Value = serde_json::from_slice(&self.send(plain(&url), 200).await.body).unwrap();
        let requests = record["requests"].as_array().unwrap();
        let is_refresh = |request: &Value| request["body"].as_str().unwrap().contains("grant_type=refresh_token");
        let refreshes = (0..requests.len()).filter(|at| is_refresh(&requests[*at])).collect();
        let others = requests.iter().filter(|request| !is_refresh(request));
        (refreshes, others.map(|request| request["headers"]["authorization"].clone()).collect())
    }
}

fn plain(url: &str) -> Outgoing {
    Outgoing { method: Method::GET, url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::new() }
}

fn list(platform: &str) -> String {
    format!("/v1/campaigns?limit=1&platform={platform}")
}

async fn all_succeed(storm: Storm) {
    let answers = storm.join_all().await.concat();
    assert_eq!(answers.len(), REQUESTS);
    let failed: Vec<_> = answers.iter().filter(|(status, _)| *status != 200).collect();
    assert!(failed.is_empty(), "{} failed, for instance {:?}", failed.len(), failed[0]);
}

/// One for each request, if a process may have so many files open: for each sender the first process has up to four
/// connections, with those that the others open to its engine and its sandbox.
fn most_senders() -> usize {
    let limit = Command::new("sh").args(["-c", "ulimit -n"]).output().unwrap();
    let limit = String::from_utf8(limit.stdout).unwrap().trim().parse().unwrap_or(usize::MAX);
    REQUESTS.min(limit / 4)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_requests_to_eight_processes_refresh_a_grant_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut fleet = Fleet::start(folder.path());
    // The refresh tokens of the second rotate, and there a used one that comes again is the end of the grant.
    for platform in ["alpha_ads", "epsilon_ads"] {
        fleet.connect(platform).await;
        // All find the token run out: they wait for the one refresh, and what reaches the platform has its token.
        fleet.prepare(platform).await;
        fleet.let_the_token_run_out(platform).await;
        all_succeed(fleet.storm(platform, most_senders())).await;
        let (refreshes, tokens) = fleet.received(platform).await;
        assert_eq!(refreshes, [0], "{platform}: of the requests to it, these were refreshes");
        assert!(tokens.len() >= REQUESTS && tokens.iter().all(|token| *token == tokens[0]), "{platform}");
        assert_eq!(fleet.status(platform).await, "ACTIVE", "{platform}");
        // It runs out while they are on their way: some have the old token, some the next.
        fleet.prepare(platform).await;
        let storm = fleet.storm(platform, most_senders() / 4);
        fleet.let_the_token_run_out(platform).await;
        all_succeed(storm).await;
        fleet.get(3, &list(platform)).await;
        let (refreshes, _) = fleet.received(platform).await;
        assert_eq!(refreshes.len(), 1, "{platform}");
        assert_eq!(fleet.status(platform).await, "ACTIVE", "{platform}");
    }
    for served in fleet.served.iter_mut().rev() {
        assert_eq!(served.signal("-TERM").code(), Some(0));
        assert_eq!(served.rest(), "");
    }
}
