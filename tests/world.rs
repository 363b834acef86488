//! A world of its own for each test: the gateway with its engine and sandbox, and a client with an API key.

use crate::openapi::contract;
use bytes::Bytes;
use gateway::{OpenPorts, Options, Running, SandboxChoice, Storage};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};
use shared::app::{App, Config};
use shared::auth::Mode;
use shared::domain::{Plan, Platform};
use shared::outbound::{Failure, Outbound, OutboundRequest};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::Instant;

/// Longer than any request takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that a test uses.
pub(crate) struct World {
    pub(crate) gateway: Running,
    http: Outbound,
    ports: OnceLock<OpenPorts>,
}

/// A request to the service or to the sandbox.
pub(crate) struct RequestBuilder<'a> {
    world: &'a World,
    request: OutboundRequest,
}

/// A response.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl World {
    pub(crate) async fn start() -> World {
        let options = Options { port: 0, sandbox: SandboxChoice::Start { port: 0 }, storage: Storage::Memory };
        let gateway = gateway::start(options).await.expect("the gateway starts");
        World { gateway, http: Outbound::new().expect("an HTTP client"), ports: OnceLock::new() }
    }

    /// Endpoints of the store and of the secrets for other processes, open from the first call.
    pub(crate) fn endpoints(&self) -> (String, String) {
        let ports = self.ports.get_or_init(|| self.gateway.open_ports().expect("open ports"));
        (ports.store_url().expect("a store"), ports.secrets_url().expect("secrets"))
    }

    /// A world in which the customer has connected the first ad account of a platform.
    pub(crate) async fn connected(platform: &str) -> World {
        let world = World::start().await;
        world.connect(platform, &[]).await;
        world
    }

    /// A world in which the customer has connected the first ad account of every platform.
    pub(crate) async fn connected_to_all() -> World {
        let world = World::start().await;
        for (platform, _) in platforms() {
            world.connect(platform, &[]).await;
        }
        world
    }

    /// A request to the service with the demo customer's key.
    pub(crate) fn ask(&self, method: &str, path: &str) -> RequestBuilder<'_> {
        self.request(method, &format!("{}{path}", self.gateway.url())).header("x-api-key", &self.gateway.api_key)
    }

    /// A request to the sandbox's control API.
    pub(crate) fn control(&self, method: &str, path: &str) -> RequestBuilder<'_> {
        let request = self.request(method, &format!("{}/_sandbox/{path}", self.gateway.sandbox_url));
        request.header("content-type", "application/json")
    }

    /// A request to any address, without a key.
    pub(crate) fn request(&self, method: &str, url: &str) -> RequestBuilder<'_> {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let request = OutboundRequest { method, url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::new() };
        RequestBuilder { world: self, request }
    }

    /// Requests the address of a consent page.
    pub(crate) async fn authorize(&self, platform: &str) -> String {
        self.authorize_as(&self.gateway.api_key, platform).await
    }

    /// The same for the customer with this key.
    pub(crate) async fn authorize_as(&self, key: &str, platform: &str) -> String {
        let path = format!("/v1/connections/{platform}/authorize");
        let response = self.ask("GET", &path).header("x-api-key", key).expect(200).await;
        response.json()["authorize_url"].as_str().expect("an address").to_owned()
    }

    /// Presses a button on a consent page and returns the redirect.
    pub(crate) async fn consent(&self, authorize_url: &str, decision: &str, accounts: &[&str]) -> String {
        let mut form = format!("decision={decision}");
        for account in accounts {
            form.push_str(&format!("&account={account}"));
        }
        let response = self.request("POST", authorize_url).form(&form).expect(302).await;
        response.header("location").to_owned()
    }

    /// Connects ad accounts of a platform; without names, the first one.
    pub(crate) async fn connect(&self, platform: &str, accounts: &[&str]) -> TestResponse {
        self.connect_as(&self.gateway.api_key, platform, accounts).await
    }

    /// The same for the customer with this key.
    pub(crate) async fn connect_as(&self, key: &str, platform: &str, accounts: &[&str]) -> TestResponse {
        let url = self.authorize_as(key, platform).await;
        let back = self.consent(&url, "approve", accounts).await;
        self.request("GET", &back).expect(200).await
    }

    /// The customer's connections.
    pub(crate) async fn connections(&self) -> Vec<Value> {
        self.connections_as(&self.gateway.api_key).await
    }

    /// The connections of the customer with this key.
    pub(crate) async fn connections_as(&self, key: &str) -> Vec<Value> {
        let response = self.ask("GET", "/v1/connections").header("x-api-key", key).expect(200).await;
        response.json()["connections"].as_array().expect("a list").clone()
    }

    /// Sets a fault at the sandbox.
    pub(crate) async fn fault(&self, platform: &str, operation: &str, fault: &str, times: u32) {
        self.slow_fault(platform, operation, fault, times, 0).await;
    }

    /// Sets a fault with a delay.
    pub(crate) async fn slow_fault(&self, platform: &str, operation: &str, fault: &str, times: u32, ms: u64) {
        let mut body = json!({"platform": platform, "operation": operation, "fault": fault, "times": times});
        if ms > 0 {
            body["ms"] = json!(ms);
        }
        let response = self.control("POST", "faults").json(&body).send().await.expect("a response");
        assert!(response.status.is_success(), "{response:?}");
    }

    /// Has the sandbox answer the next requests of an operation with a status and a body.
    pub(crate) async fn answer(&self, platform: &str, operation: &str, times: u32, status: u16, body: &Value) {
        let fault = json!({"platform": platform, "operation": operation, "fault": "answer", "times": times,
            "status": status, "body": body.to_string()});
        self.control("POST", "faults").json(&fault).expect(200).await;
    }

    /// Removes a fault.
    pub(crate) async fn no_fault(&self, platform: &str, operation: &str, fault: &str) {
        self.fault(platform, operation, fault, 0).await;
    }

    /// Changes a platform's settings at the sandbox.
    pub(crate) async fn settings(&self, body: Value) {
        let response = self.control("POST", "settings").json(&body).send().await.expect("a response");
        assert!(response.status.is_success(), "{response:?}");
    }

    /// Every request that a platform received, as `method path`.
    pub(crate) async fn received(&self, platform: &str) -> Vec<Value> {
        let response = self.control("GET", &format!("requests?platform={platform}")).expect(200).await;
        response.json()["requests"].as_array().expect("a list").clone()
    }

    /// The one entry in the usage log for a request. It is written after the response, so this waits for it.
    pub(crate) async fn logged(&self, response: &TestResponse) -> Value {
        let query = format!("/v1/usage-logs?request_id={}", response.header("x-request-id"));
        let until = Instant::now() + PATIENCE;
        loop {
            let page = self.ask("GET", &query).expect(200).await.json();
            match page["usage_logs"].as_array().map(Vec::as_slice) {
                Some([entry]) => return entry.clone(),
                Some([]) if Instant::now() < until => tokio::time::sleep(Duration::from_millis(20)).await,
                _ => panic!("{query}: {page}"),
            }
        }
    }

    /// The number of refreshes at a platform.
    pub(crate) async fn refreshes(&self, platform: &str) -> usize {
        let is_refresh = |request: &&Value| {
            let parameters = format!("{}&{}", request["query"], request["body"]);
            parameters.contains("grant_type=refresh_token") || parameters.contains("fb_exchange_token=EAAL")
        };
        self.received(platform).await.iter().filter(is_refresh).count()
    }

    /// The requests to a platform's revocation endpoint.
    pub(crate) async fn revocations(&self, platform: &str) -> Vec<Value> {
        let is_revocation = |request: &Value| {
            let path = request["path"].as_str().unwrap_or_default();
            path.contains("/revoke") || request["method"] == "DELETE" && path.ends_with("/me/permissions")
        };
        self.received(platform).await.into_iter().filter(is_revocation).collect()
    }

    /// Removes or restores the access of a platform's users to an ad account.
    pub(crate) async fn access(&self, platform: &str, account: &str, access: &str) {
        let body = json!({"platform": platform, "account": account, "access": access});
        self.control("POST", "access").json(&body).expect(200).await;
    }

    /// Syncs the connections.
    pub(crate) async fn sync(&self) -> Value {
        self.ask("POST", "/v1/connections/sync").expect(200).await.json()
    }

    /// One run of maintenance.
    pub(crate) async fn maintenance(&self) -> maintenance::RunResult {
        maintenance::run(&self.gateway.app).await.expect("maintenance runs to its end")
    }

    /// A second process on the same store and sandbox, with another configuration.
    pub(crate) async fn another(&self, change: impl FnOnce(&mut Config)) -> Arc<App> {
        let mut config = self.gateway.config.clone();
        change(&mut config);
        Arc::new(App::start(config).await.expect("an app"))
    }

    /// Creates a campaign in the flat shape and returns it.
    pub(crate) async fn create(&self, platform: &str, name: &str) -> Value {
        self.ask("POST", "/v1/campaigns").json(&campaign(platform, name)).expect(201).await.json()
    }
}

/// Every platform, in both spellings.
pub(crate) fn platforms() -> [(&'static str, &'static str); Platform::ALL.len()] {
    Platform::ALL.map(|platform| (platform.as_str(), platform.as_upper()))
}

/// A flat create body that every platform accepts.
pub(crate) fn campaign(platform: &str, name: &str) -> Value {
    json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": platform})
}

/// Whether an ad account is a manager account.
pub(crate) fn is_manager(account: &Value) -> bool {
    account["marks"].as_array().is_some_and(|marks| marks.contains(&json!("manager")))
}

/// The id of an object.
pub(crate) fn id_of(thing: &Value) -> String {
    thing["id"].as_str().expect("an id").to_owned()
}

impl RequestBuilder<'_> {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a header name");
        self.request.headers.insert(name, HeaderValue::from_str(value).expect("a header value"));
        self
    }

    /// Removes a header.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.request.headers.remove(name);
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.text("application/json", body.to_string())
    }

    pub(crate) fn form(self, body: &str) -> Self {
        self.text("application/x-www-form-urlencoded", body.to_owned())
    }

    /// A body without serialization.
    pub(crate) fn text(mut self, content_type: &str, body: impl Into<Bytes>) -> Self {
        self.request.body = body.into();
        self.header("content-type", content_type)
    }

    pub(crate) async fn send(self) -> Result<TestResponse, Failure> {
        let (method, url) = (self.request.method.clone(), self.request.url.clone());
        let response = self.world.http.send(self.request, Instant::now() + PATIENCE).await?;
        let text = String::from_utf8_lossy(&response.body).into_owned();
        let response = TestResponse { status: response.status, headers: response.headers, text };
        // Every test checks that the service returns only documented responses.
        if let Some(path) = url.strip_prefix(&self.world.gateway.url()) {
            contract::check(method.as_str(), path, &response);
        }
        Ok(response)
    }

    /// Sends the request and asserts the status.
    pub(crate) async fn expect(self, status: u16) -> TestResponse {
        let what = format!("{} {}", self.request.method, self.request.url);
        let response = self.send().await.unwrap_or_else(|failure| panic!("{what}: {failure}"));
        assert_eq!(response.status.as_u16(), status, "{what}: {}", response.text);
        response
    }
}

impl TestResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The names of the fields at fault, in the flat shape.
    pub(crate) fn fields(&self) -> Vec<String> {
        let details = self.json()["details"].as_array().cloned().unwrap_or_default();
        details.iter().map(|fault| fault["field"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl World {
    /// A platform's ad accounts at the sandbox, managers included.
    pub(crate) async fn all_accounts(&self, platform: &str) -> Vec<Value> {
        let accounts = self.control("GET", &format!("accounts?platform={platform}")).expect(200).await.json();
        accounts["accounts"].as_array().expect("a list").clone()
    }

    /// The ids of a platform's ad accounts that can hold campaigns, the first in USD.
    pub(crate) async fn sandbox_accounts(&self, platform: &str) -> Vec<String> {
        let accounts = self.all_accounts(platform).await;
        accounts.iter().filter(|account| !is_manager(account)).map(id_of).collect()
    }

    /// The id of a platform's first ad account in a currency.
    pub(crate) async fn sandbox_account_in(&self, platform: &str, currency: &str) -> String {
        let accounts = self.all_accounts(platform).await;
        let found = accounts.iter().find(|account| account["currency"] == currency && !is_manager(account));
        id_of(found.expect("an account in that currency"))
    }

    /// The key of a customer on plan starter without connections.
    pub(crate) async fn another_customer(&self) -> String {
        self.customer_on(Plan::Starter).await
    }

    /// The key of a customer on a plan, without connections.
    pub(crate) async fn customer_on(&self, plan: Plan) -> String {
        let made = gateway::create_customer(&self.gateway.app, "other@example.com", plan, Mode::Test).await;
        made.expect("a customer").1.reveal().to_owned()
    }
}
