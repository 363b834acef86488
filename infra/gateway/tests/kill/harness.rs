//! The clients, and their connections to the gateway and to the sandbox.

use crate::gateway_process::GatewayProcess;
use crate::kill::requests::{Account, ClientResponse, CreateRequest, Exchange, Random};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::outbound::{Failure, Outbound, OutboundRequest};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

const TIMEOUT: Duration = Duration::from_secs(60);
const CREATE_PATH: &str = "/v1/campaigns";

/// State that all clients share.
pub(crate) struct Harness {
    http: Outbound,
    api_key: String,
    pub(super) sandbox: String,
    accounts: Vec<Account>,
    /// URL of the gateway; `None` while it is down.
    gateway: watch::Sender<Option<String>>,
    is_stopped: watch::Sender<bool>,
}

impl Harness {
    /// Connects the first ad account of every platform.
    pub(crate) async fn start(process: &GatewayProcess, sandbox: &str) -> Harness {
        let mut harness = Harness::without_accounts(process, sandbox);
        for platform in sandbox::PLATFORMS {
            harness.connect(platform, None, "").await;
        }
        let connections = harness.get("/v1/connections").await;
        let account = |connection: &Value| Account {
            platform: connection["platform"].as_str().unwrap().to_owned(),
            id: connection["remote_account_id"].as_str().unwrap().to_owned(),
        };
        harness.accounts = connections["connections"].as_array().unwrap().iter().map(account).collect();
        assert_eq!(harness.accounts.len(), sandbox::PLATFORMS.len());
        harness
    }

    /// Connects nothing.
    pub(crate) fn without_accounts(process: &GatewayProcess, sandbox: &str) -> Harness {
        Harness {
            http: Outbound::new().unwrap(),
            api_key: process.field("api_key").to_owned(),
            sandbox: sandbox.to_owned(),
            accounts: Vec::new(),
            gateway: watch::Sender::new(Some(process.field("gateway").to_owned())),
            is_stopped: watch::Sender::new(false),
        }
    }

    /// Sets the latency of every platform.
    pub(crate) async fn set_latency(&self, latency_ms: u64) {
        for platform in sandbox::PLATFORMS {
            self.control("settings", &json!({"platform": platform, "latency_ms": latency_ms})).await;
        }
    }

    /// Calls a control address of the sandbox.
    pub(crate) async fn control(&self, name: &str, body: &Value) -> Value {
        let url = format!("{}/_sandbox/{name}", self.sandbox);
        let received = self.send(post_request(&url, "application/json", body.to_string())).await.unwrap();
        assert!([200, 201].contains(&received.status), "{name} {body}: {received:?}");
        serde_json::from_str(&received.text).unwrap()
    }

    /// Connects these ad accounts of a platform, or the first one, for a user of the customer if one is named.
    pub(super) async fn connect(&self, platform: &str, user: Option<&str>, accounts: &str) {
        let path = format!("/v1/connections/{platform}/authorize");
        let authorize = self.ask(user, Method::GET, &path, &Value::Null).await;
        let consent = authorize["authorize_url"].as_str().unwrap();
        let form = format!("decision=approve{accounts}");
        let approval = post_request(consent, "application/x-www-form-urlencoded", form);
        let response = self.http.send(approval, Instant::now() + TIMEOUT).await.unwrap();
        let callback = response.headers["location"].to_str().unwrap();
        assert_eq!(self.send(get_request(callback)).await.unwrap().status, 200);
    }

    /// Publishes the URL of the gateway; `None` while it is down.
    pub(crate) fn set_gateway(&self, gateway: Option<&str>) {
        self.gateway.send_replace(gateway.map(str::to_owned));
    }

    /// Stops all clients.
    pub(crate) fn stop(&self) {
        self.is_stopped.send_replace(true);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        *self.is_stopped.borrow()
    }

    /// Runs one client until the harness stops. Requests without a final response are retried when `Retry-After`
    /// allows; the client sends new ones meanwhile.
    pub(crate) async fn run_client(self: Arc<Self>, client: u64, mut random: Random) -> Vec<Exchange> {
        let (mut finished, mut retries): (Vec<Exchange>, Vec<(Instant, Exchange)>) = (Vec::new(), Vec::new());
        for number in 0.. {
            if self.is_stopped() {
                break;
            }
            let due = retries.iter().position(|(at, _)| *at <= Instant::now());
            let mut exchange = match due {
                Some(index) => retries.swap_remove(index).1,
                None => {
                    let name = format!("Campaign {client} {number}");
                    Exchange::new(CreateRequest::random(name, &self.accounts, &mut random))
                }
            };
            let wait = self.attempt(&mut exchange).await;
            if exchange.is_open() {
                retries.push((Instant::now() + wait, exchange));
            } else {
                finished.push(exchange);
            }
        }
        finished.extend(retries.into_iter().map(|(_, exchange)| exchange));
        finished
    }

    /// Sends a request once and returns the wait before a retry.
    async fn attempt(&self, exchange: &mut Exchange) -> Duration {
        match self.until_killed(async |gateway| self.create(gateway, &exchange.request).await).await {
            Some(received) => {
                let wait = received.retry_after.unwrap_or(1);
                exchange.responses.push(received);
                Duration::from_secs(wait)
            }
            None => {
                exchange.interrupted += 1;
                Duration::ZERO
            }
        }
    }

    /// Sends a request to the gateway. If the gateway is killed meanwhile, this waits for the next one, and the response
    /// is `None`.
    async fn until_killed(
        &self,
        send: impl AsyncFnOnce(&str) -> Result<ClientResponse, Failure>,
    ) -> Option<ClientResponse> {
        let gateway = self.gateway_url().await;
        let sent = send(&gateway).await.ok();
        if sent.is_none() {
            let _ = self.gateway.subscribe().wait_for(|now| now.as_ref() != Some(&gateway)).await;
        }
        sent
    }

    /// Sends a request with a JSON body, or an empty one, with the customer's key. `None` if the gateway was killed.
    pub(crate) async fn call(&self, method: Method, path: &str, body: &Value) -> Option<ClientResponse> {
        self.call_with(&[], method, path, body).await
    }

    /// The same with more headers, or with another key.
    pub(crate) async fn call_with(
        &self,
        headers: &[(&'static str, &str)],
        method: Method,
        path: &str,
        body: &Value,
    ) -> Option<ClientResponse> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        loop {
            let sent = async |gateway: &str| {
                let mut request = post_request(&format!("{gateway}{path}"), "application/json", body.clone());
                request.method = method.clone();
                for (name, value) in [&[("x-api-key", self.api_key.as_str())], headers].concat() {
                    request.headers.insert(name, value.parse().unwrap());
                }
                self.send(request).await
            };
            let received = self.until_killed(sent).await?;
            if received.status != 429 {
                return Some(received);
            }
            sleep(Duration::from_secs(received.retry_after.unwrap())).await;
        }
    }

    async fn create(&self, gateway: &str, request: &CreateRequest) -> Result<ClientResponse, Failure> {
        let mut sent = post_request(&format!("{gateway}{CREATE_PATH}"), "application/json", request.body.clone());
        sent.headers.extend(self.headers(request));
        self.send(sent).await
    }

    fn headers(&self, request: &CreateRequest) -> HeaderMap {
        let values = [("x-api-key", Some(&self.api_key)), ("idempotency-key", request.idempotency_key.as_ref())];
        let header = |(name, value): (&'static str, Option<&String>)| {
            Some((HeaderName::from_static(name), HeaderValue::from_str(value?).unwrap()))
        };
        values.into_iter().filter_map(header).collect()
    }

    /// The same request for a function in this process.
    pub(crate) fn function_request(&self, request: &CreateRequest) -> Request {
        let mut function_request = Request::new(Body::Text(request.body.clone()));
        *function_request.method_mut() = Method::POST;
        *function_request.uri_mut() = CREATE_PATH.parse().unwrap();
        function_request.headers_mut().extend(self.headers(request));
        function_request
    }

    /// Sends a finished request again. Returns a violation if the response is not a replay of the last one.
    pub(crate) async fn replay(&self, exchange: &Exchange) -> Option<String> {
        exchange.request.idempotency_key.as_ref()?;
        let last = exchange.responses.last()?;
        let replay = self.create_within_rate_limit(&exchange.request).await;
        let is_same = replay.is_replayed && (replay.status, &replay.text) == (last.status, &last.text);
        (!is_same).then(|| format!("the replay of {} differs: {last:?}, then {replay:?}", exchange.request.name))
    }

    async fn create_within_rate_limit(&self, request: &CreateRequest) -> ClientResponse {
        loop {
            let received = self.create(&self.gateway_url().await, request).await.unwrap();
            if received.status != 429 {
                return received;
            }
            sleep(Duration::from_secs(received.retry_after.unwrap())).await;
        }
    }

    /// Reads a resource of the API.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let received = self.call(Method::GET, path, &Value::Null).await.unwrap();
        serde_json::from_str(&received.text).unwrap()
    }

    /// All entries of a list, page by page.
    pub(crate) async fn list(&self, path: &str, name: &str) -> Vec<Value> {
        let (mut entries, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}limit=100{cursor}")).await;
            entries.extend(page[name].as_array().unwrap().clone());
            match page["pagination"]["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return entries,
            }
        }
    }

    /// All campaigns at the platforms.
    pub(crate) async fn platform_campaigns(&self) -> Vec<Value> {
        self.books("campaigns").await["campaigns"].as_array().unwrap().clone()
    }

    /// What a control address of the sandbox shows.
    pub(crate) async fn books(&self, name: &str) -> Value {
        let received = self.send(get_request(&format!("{}/_sandbox/{name}", self.sandbox))).await.unwrap();
        serde_json::from_str(&received.text).unwrap()
    }

    /// The URL of the gateway, as soon as one runs.
    async fn gateway_url(&self) -> String {
        let mut gateway = self.gateway.subscribe();
        gateway.wait_for(Option::is_some).await.unwrap().clone().unwrap()
    }

    pub(super) async fn send(&self, request: OutboundRequest) -> Result<ClientResponse, Failure> {
        Ok(ClientResponse::from(&self.http.send(request, Instant::now() + TIMEOUT).await?))
    }
}

fn get_request(url: &str) -> OutboundRequest {
    OutboundRequest { method: Method::GET, url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::new() }
}

pub(super) fn post_request(url: &str, content_type: &'static str, body: String) -> OutboundRequest {
    let headers = HeaderMap::from_iter([(http::header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
    OutboundRequest { method: Method::POST, body: body.into(), headers, ..get_request(url) }
}
