//! The environment of the functions: the store, the secrets and the sandbox of a gateway, and customers.

use crate::Failure;
use bytes::Bytes;
use gateway::{OpenPorts, Options, Running, SandboxChoice, Storage};
use lambda_http::http::{HeaderMap, Method, header};
use ring::hmac;
use serde_json::{Value, json};
use shared::auth::Mode;
use shared::clock::Clock;
use shared::domain::{Plan, Platform};
use shared::outbound::{Outbound, OutboundRequest, OutboundResponse};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// Enough customers that none reaches the rate limit of its plan.
const CUSTOMERS: usize = 100;
/// Time between two campaigns, which keeps the customer below its rate limit of 100 a second.
const CREATE_INTERVAL: Duration = Duration::from_millis(11);
/// An event of API Gateway.
const EVENT: &str = include_str!("../../../tests/endpoints/fixtures/event_v2.json");

/// A gateway and its customers.
pub(crate) struct Fixture {
    pub(crate) gateway: Running,
    ports: OpenPorts,
    http: Outbound,
    keys: Vec<String>,
    next: AtomicUsize,
}

impl Fixture {
    pub(crate) async fn start() -> Result<Fixture, Failure> {
        let options = Options { port: 0, sandbox: SandboxChoice::Start { port: 0 }, storage: Storage::Memory };
        let gateway = gateway::start(options).await?;
        let mut keys = Vec::new();
        for number in 0..CUSTOMERS {
            let email = format!("{number}@bench.example");
            let created = gateway::create_customer(&gateway.app, &email, Plan::Enterprise, Mode::Test).await;
            keys.push(created.map_err(|error| error.message.to_string())?.1.reveal().to_owned());
        }
        let ports = gateway.open_ports()?;
        Ok(Fixture { gateway, ports, http: Outbound::new()?, keys, next: AtomicUsize::new(0) })
    }

    /// The API key of the next customer, in rotation.
    pub(crate) fn next_key(&self) -> &str {
        &self.keys[self.next.fetch_add(1, Ordering::Relaxed) % self.keys.len()]
    }

    /// The API keys of all customers.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.keys.clone()
    }

    /// A request as API Gateway sends it to a function.
    pub(crate) fn event(target: &str, key: Option<&str>) -> Result<Bytes, Failure> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut event: Value = serde_json::from_str(EVENT)?;
        event["rawPath"] = json!(path);
        event["rawQueryString"] = json!(query);
        event["requestContext"]["http"]["path"] = json!(path);
        if let Some(key) = key {
            event["headers"]["x-api-key"] = json!(key);
        }
        Ok(event.to_string().into())
    }

    /// A webhook of the payment provider for a customer that the service does not know.
    pub(crate) fn webhook_event(&self) -> Result<Bytes, Failure> {
        let object = json!({"object": "subscription", "id": "sub_bench", "customer": "cus_bench"});
        let body = json!({"id": "evt_bench", "type": "customer.subscription.updated", "data": {"object": object}});
        let body = body.to_string();
        let now = Clock::system().now().as_second();
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.gateway.webhook_secret.as_bytes());
        let signature = hex::encode(hmac::sign(&key, format!("{now}.{body}").as_bytes()));
        let path = "/v1/billing/webhook";
        let mut event: Value = serde_json::from_str(EVENT)?;
        event["rawPath"] = json!(path);
        event["requestContext"]["http"]["path"] = json!(path);
        event["requestContext"]["http"]["method"] = json!("POST");
        event["headers"]["content-type"] = json!("application/json");
        event["headers"]["stripe-signature"] = json!(format!("t={now},v1={signature}"));
        event["body"] = json!(body);
        Ok(event.to_string().into())
    }

    /// An event whose body is the service's response at a path, so that the echo sends as many bytes as the function.
    pub(crate) async fn echo_event(&self, path: &str) -> Result<Bytes, Failure> {
        let response = self.send(Method::GET, &format!("{}{path}", self.gateway.url()), "", None).await?;
        let mut event: Value = serde_json::from_str(EVENT)?;
        event["body"] = json!(String::from_utf8_lossy(&response.body));
        Ok(event.to_string().into())
    }

    /// The environment of a function.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let config = &self.gateway.config;
        let sandbox = &self.gateway.sandbox_url;
        let variables = [
            ("AWS_LAMBDA_FUNCTION_NAME", "bench".to_owned()),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128".to_owned()),
            ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST".to_owned()),
            ("AWS_LAMBDA_LOG_GROUP_NAME", "bench".to_owned()),
            ("AWS_LAMBDA_LOG_STREAM_NAME", "bench".to_owned()),
            ("_HANDLER", "bootstrap".to_owned()),
            ("AWS_REGION", config.aws.region.clone()),
            ("AWS_ACCESS_KEY_ID", "local".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "local".to_owned()),
            ("TABLE_NAME", config.table.clone()),
            ("SECRETS_PREFIX", config.secrets_prefix.clone()),
            ("DYNAMODB_ENDPOINT", self.ports.store_url().unwrap_or_default()),
            ("SECRETS_MANAGER_ENDPOINT", self.ports.secrets_url().unwrap_or_default()),
            ("PUBLIC_BASE_URL", self.gateway.url()),
            ("PLATFORM_BASE_URL", format!("{sandbox}/{{platform}}")),
            ("PAYMENT_BASE_URL", format!("{sandbox}/stripe")),
        ];
        variables.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// The API key of a customer with a connected ad account and campaigns in it.
    pub(crate) async fn advertiser(&self, platform: Platform, campaigns: usize) -> Result<&str, Failure> {
        let key = self.next_key();
        let url = format!("{}/v1/connections/{platform}/authorize", self.gateway.url());
        let authorize: Value = serde_json::from_slice(&self.send(Method::GET, &url, key, None).await?.body)?;
        let consent = authorize["authorize_url"].as_str().ok_or("no authorize_url")?;
        let redirect = self
            .send(Method::POST, consent, "", Some(("application/x-www-form-urlencoded", "decision=approve")))
            .await?;
        let callback = redirect.headers.get(header::LOCATION).ok_or("no location")?.to_str()?;
        self.send(Method::GET, callback, "", None).await?;
        let url = format!("{}/v1/campaigns", self.gateway.url());
        let mut pace = tokio::time::interval(CREATE_INTERVAL);
        for number in 0..campaigns {
            pace.tick().await;
            let campaign = json!({"name": format!("Campaign {number} of {campaigns}"), "goal": "TRAFFIC", "budget_amount": 50,
                "budget_period": "DAILY", "platform": platform.as_str()});
            self.send(Method::POST, &url, key, Some(("application/json", &campaign.to_string()))).await?;
        }
        Ok(key)
    }

    /// Sends a command to the sandbox.
    pub(crate) async fn control(&self, path: &str, command: &Value) -> Result<(), Failure> {
        let url = format!("{}/_sandbox/{path}", self.gateway.sandbox_url);
        self.send(Method::POST, &url, "", Some(("application/json", &command.to_string()))).await?;
        Ok(())
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        key: &str,
        body: Option<(&str, &str)>,
    ) -> Result<OutboundResponse, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert("x-api-key", key.parse()?);
        if let Some((content_type, _)) = body {
            headers.insert(header::CONTENT_TYPE, content_type.parse()?);
        }
        let body = body.map(|(_, text)| Bytes::copy_from_slice(text.as_bytes())).unwrap_or_default();
        let request = OutboundRequest { method, url: url.to_owned(), headers, body };
        let response = self.http.send(request, Instant::now() + Duration::from_secs(20)).await?;
        if response.status.is_client_error() || response.status.is_server_error() {
            return Err(format!("{}: {}", response.status, String::from_utf8_lossy(&response.body)).into());
        }
        Ok(response)
    }
}

/// The path of a binary that was built together with this one.
pub(crate) fn binary(name: &str) -> Result<PathBuf, Failure> {
    let path = std::env::current_exe()?.with_file_name(name);
    if !path.exists() {
        return Err(format!("{} does not exist: run infra/bench/run, which builds it", path.display()).into());
    }
    Ok(path)
}

/// The command that runs a binary.
pub(crate) fn command(name: &str) -> Result<Vec<OsString>, Failure> {
    Ok(vec![binary(name)?.into()])
}
