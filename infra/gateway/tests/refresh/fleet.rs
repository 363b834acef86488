//! Eight gateways over one store, and the requests to them.

use super::REQUESTS;
use crate::gateway_process::GatewayProcess;
use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Value, json};
use shared::outbound::{Outbound, OutboundRequest, OutboundResponse};
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

const PROCESSES: usize = 8;
const TABLE: &str = "unified-ads";
const TIMEOUT: Duration = Duration::from_secs(60);
/// Latency of a refresh at the platform: all other requests arrive meanwhile.
const REFRESH_LATENCY_MS: u32 = 800;

/// The processes, and the clients of their table and their APIs.
pub(crate) struct Fleet {
    pub(crate) processes: Vec<GatewayProcess>,
    dynamodb: aws_sdk_dynamodb::Client,
    http: Outbound,
}

/// Requests in flight. Each task returns the statuses and bodies of its responses.
pub(crate) type Load = JoinSet<Vec<(u16, String)>>;

impl Fleet {
    pub(crate) fn start(folder: &Path) -> Fleet {
        let mut processes = vec![GatewayProcess::on(folder)];
        processes.extend((1..PROCESSES).map(|_| GatewayProcess::joining(folder)));
        let dynamodb = gateway::aws_of_folder(folder).dynamodb_client();
        Fleet { processes, dynamodb, http: Outbound::new().unwrap() }
    }

    /// A request to one of the processes with the demo customer's key.
    fn request(&self, process: usize, path: &str) -> OutboundRequest {
        let process = &self.processes[process];
        let mut sent = get_request(&format!("{}{path}", process.field("gateway")));
        sent.headers.insert("x-api-key", process.field("api_key").parse().unwrap());
        sent
    }

    async fn send(&self, sent: OutboundRequest, status: u16) -> OutboundResponse {
        let request = format!("{} {}", sent.method, sent.url);
        let response = self.http.send(sent, Instant::now() + TIMEOUT).await.unwrap();
        assert_eq!(response.status, status, "{request}: {:?}", response.body);
        response
    }

    pub(crate) async fn get(&self, process: usize, path: &str) -> Value {
        serde_json::from_slice(&self.send(self.request(process, path), 200).await.body).unwrap()
    }

    async fn post(&self, url: String, content_type: &'static str, body: String, status: u16) -> OutboundResponse {
        let headers = HeaderMap::from_iter([(http::header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
        self.send(OutboundRequest { method: Method::POST, url, headers, body: body.into() }, status).await
    }

    async fn control_sandbox(&self, name: &str, body: Value) {
        let url = format!("{}/_sandbox/{name}", self.processes[0].field("sandbox"));
        self.post(url, "application/json", body.to_string(), 200).await;
    }

    /// Connects the first ad account of a platform through one process.
    pub(crate) async fn connect(&self, platform: &str) {
        let response = self.get(1, &format!("/v1/connections/{platform}/authorize")).await;
        let consent = response["authorize_url"].as_str().unwrap().to_owned();
        let form = "application/x-www-form-urlencoded";
        let response = self.post(consent, form, "decision=approve".to_owned(), 302).await;
        self.send(get_request(response.headers["location"].to_str().unwrap()), 200).await;
    }

    pub(crate) async fn connection_status(&self, platform: &str) -> Value {
        let response = self.get(2, "/v1/connections").await;
        let connections = response["connections"].as_array().unwrap();
        connections.iter().find(|connection| connection["platform"] == platform).unwrap()["status"].clone()
    }

    /// Expires a platform's access token in the table. Updates no other attribute: a refresh may be under way.
    pub(crate) async fn expire_access_token(&self, platform: &str) {
        let platform = AttributeValue::S(platform.to_owned());
        let items = self.dynamodb.scan().table_name(TABLE).send().await.unwrap();
        let of_platform = items.items().iter().filter(|item| item.get("platform") == Some(&platform));
        let grants: Vec<_> = of_platform.filter(|item| item.contains_key("access_expires_at")).collect();
        assert_eq!(grants.len(), 1);
        let past = AttributeValue::S("1970-01-01T00:00:00Z".to_owned());
        let update = self.dynamodb.update_item().table_name(TABLE).key("pk", grants[0]["pk"].clone());
        let update = update.key("sk", grants[0]["sk"].clone()).update_expression("SET access_expires_at = :past");
        update.expression_attribute_values(":past", past).send().await.unwrap();
    }

    /// Clears the sandbox's record of requests and delays the next refresh.
    pub(crate) async fn reset_and_slow_refresh(&self, platform: &str) {
        self.control_sandbox("reset", json!({})).await;
        let fault = json!({
            "platform": platform, "operation": "refresh", "fault": "slow", "times": 1, "ms": REFRESH_LATENCY_MS
        });
        self.control_sandbox("faults", fault).await;
    }

    /// Sends all requests, spread over the processes, from `senders` concurrent tasks.
    pub(crate) fn send_all(&self, platform: &str, senders: usize) -> Load {
        let mut load = JoinSet::new();
        for sender in 0..senders {
            let http = self.http.clone();
            let request = self.request(sender % PROCESSES, &list_path(platform));
            load.spawn(async move {
                let mut responses = Vec::new();
                for _ in (sender..REQUESTS).step_by(senders) {
                    let response = send_within_rate_limit(&http, &request).await;
                    responses.push((response.status.as_u16(), String::from_utf8_lossy(&response.body).into_owned()));
                }
                responses
            });
        }
        load
    }

    /// The requests that a platform received: the positions of the refreshes, and the tokens of the others.
    pub(crate) async fn received(&self, platform: &str) -> (Vec<usize>, Vec<Value>) {
        let url = format!("{}/_sandbox/requests?platform={platform}", self.processes[0].field("sandbox"));
        let record: Value = serde_json::from_slice(&self.send(get_request(&url), 200).await.body).unwrap();
        let requests = record["requests"].as_array().unwrap();
        let is_refresh = |request: &Value| request["body"].as_str().unwrap().contains("grant_type=refresh_token");
        let refreshes = (0..requests.len()).filter(|at| is_refresh(&requests[*at])).collect();
        let others = requests.iter().filter(|request| !is_refresh(request));
        (refreshes, others.map(|request| request["headers"]["authorization"].clone()).collect())
    }
}

fn get_request(url: &str) -> OutboundRequest {
    OutboundRequest { method: Method::GET, url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::new() }
}

/// The path that lists one campaign of a platform.
pub(crate) fn list_path(platform: &str) -> String {
    format!("/v1/campaigns?limit=1&platform={platform}")
}

/// Retries 429 after `Retry-After`: a thousand requests at once exceed the burst of every plan.
async fn send_within_rate_limit(http: &Outbound, request: &OutboundRequest) -> OutboundResponse {
    loop {
        let response = http.send(request.clone(), Instant::now() + TIMEOUT).await.unwrap();
        if response.status != 429 {
            return response;
        }
        let wait = response.headers["retry-after"].to_str().unwrap().parse().unwrap();
        tokio::time::sleep(Duration::from_secs(wait)).await;
    }
}
