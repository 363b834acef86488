//! Whole requests, from the entry point to the response: a store with one customer without connections, and no
//! platform that responds.

use super::key::seal;
use super::payments::provider;
use super::platforms::now;
use super::rendering::json;
use super::responses::{self, Script};
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use bytes::Bytes;
use http::{HeaderMap, Request};
use lambda_http::{Body, Response};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{Platform, sha256_hex};
use shared::envelope::query::pairs;
use shared::outbound::Outbound;
use shared::outbound::public::{EndpointTransport, PublicDocument, PublicFailure, PublicResponse};
use shared::platforms::adapter;
use shared::platforms::config::{Client, PlatformConfig};
use shared::platforms::settings::Settings;
use shared::routes::{Function, function};
use shared::store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tests::{app, client_over};
use tokio::time::Instant;

/// The account as the table has it, with `KEY_HASH` for the hash of its key.
const ACCOUNT: &str = r#"{"Attributes":{"customer_id":{"S":"00000000-0000-0000-0000-000000000007"},
    "email":{"S":"owner@example.com"},"plan":{"S":"enterprise"},"created_at":{"S":"2026-11-01T00:00:00Z"},
    "disabled":{"BOOL":false},"api_keys":{"M":{"key_default":{"M":{"name":{"S":"default"},
    "key_hash":{"S":"KEY_HASH"},"prefix":{"S":"uac_live_"},"scopes":{"L":[{"S":"read"},{"S":"write"},{"S":"billing"}]},
    "created_at":{"N":"1793491200000"}}}}},"tat":{"N":"0"},"period_start":{"N":"1793491200"},
    "period_end":{"N":"1796083200"},"used":{"N":"1"},"connections_count":{"N":"0"}}}"#;

thread_local! {
    static SERVICE: Service = Service::new();
}

/// The service and its table.
struct Service {
    app: Arc<App>,
    table: Table,
    /// The customer's key.
    key: String,
}

/// A table with one account; counts its requests.
#[derive(Clone, Debug)]
struct Table {
    requests: Arc<AtomicUsize>,
    account: String,
}

impl HttpConnector for Table {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let body = match target.rsplit('.').next() {
            Some("UpdateItem") => self.account.as_str(),
            Some("Query") => r#"{"Items":[],"Count":0,"ScannedCount":0}"#,
            _ => "{}",
        };
        HttpConnectorFuture::ready(Ok(HttpResponse::new(200.try_into().expect("a status"), body.into())))
    }
}

/// The network of the customers' endpoints: nothing listens.
#[derive(Debug)]
struct NoEndpoint;

#[async_trait]
impl EndpointTransport for NoEndpoint {
    async fn post(&self, _: &str, _: HeaderMap, _: Bytes, _: Instant) -> Result<PublicResponse, PublicFailure> {
        Err(PublicFailure::NotConnected)
    }

    async fn get(&self, _: &str) -> Result<PublicDocument, PublicFailure> {
        Err(PublicFailure::NotConnected)
    }
}

impl Service {
    fn new() -> Service {
        let key = seal(&format!("uac_test_{:0>22}{:a>32}", 7, ""));
        let table = Table { requests: Arc::default(), account: ACCOUNT.replace("KEY_HASH", &sha256_hex(&key)) };
        let nobody = Script::of("", [].into());
        let store = Store::new(client_over(table.clone()), "table");
        let app = App {
            platforms: Platform::ALL.map(|platform| (platform, Arc::new(platform_config(platform)))).into(),
            payments: Some(provider(Outbound::with_transport(nobody.clone()))),
            ..app(store, nobody, Clock::from_fn(now), Arc::new(NoEndpoint))
        };
        Service { app: Arc::new(app), table, key }
    }

    fn respond(&self, function: Function, request: lambda_http::Request) -> Response<Body> {
        let app = Arc::clone(&self.app);
        responses::run(async {
            match function {
                Function::Campaigns => campaigns::handle(app, request).await,
                Function::Connections => connections::handle(app, request).await,
                Function::RedirectUris => redirect_uris::handle(app, request).await,
                Function::ApiKeys => api_keys::handle(app, request).await,
                Function::Assistants => assistants::handle(app, request).await,
                Function::WebhookEndpoints => webhook_endpoints::handle(app, request).await,
                Function::UsageLogs => usage_logs::handle(app, request).await,
                Function::Billing => billing::handle(app, request).await,
                Function::Webhooks => webhooks::handle(app, request).await,
                Function::Mcp => mcp::handle(app, request).await,
                Function::Docs => docs::handle(app, request).await,
                Function::Dashboard => dashboard::handle(app, request).await,
            }
        })
    }
}

fn platform_config(platform: Platform) -> PlatformConfig {
    let client = Client { client_id: "client".into(), client_secret: "secret".into(), developer_token: None };
    PlatformConfig::new(platform, client, Settings::local(), None)
}

/// Sends a request: a line with method and address, lines of headers, an empty line, a body. Adds the customer's key
/// where the input has none. Returns its success.
pub(super) fn request(input: &[u8]) -> bool {
    SERVICE.with(|service| {
        let Some(request) = service.read(input) else { return false };
        let method = request.method().to_string();
        let path = request.uri().path().to_owned();
        let response = service.respond(function(&method, &path), request);
        let (status, headers) = (response.status(), response.headers());
        assert!(status != 500, "{method} {path}: {response:?}");
        assert!(headers.contains_key("x-request-id") && headers["x-content-type-options"] == "nosniff");
        assert_eq!(status == 405, headers.contains_key("allow"), "{response:?}");
        if headers.get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            json(&response);
        }
        status.is_success()
    })
}

impl Service {
    fn read(&self, input: &[u8]) -> Option<lambda_http::Request> {
        let gap = input.windows(2).position(|two| two == b"\n\n").unwrap_or(input.len());
        let head = &input[..gap];
        let body = input.get(gap + 2..).unwrap_or_default();
        let mut lines = head.split(|byte| *byte == b'\n');
        let line = lines.next()?;
        let space = line.iter().position(|byte| *byte == b' ')?;
        let mut builder = Request::builder().method(&line[..space]).uri(&line[space + 1..]);
        let mut is_keyed = false;
        for line in lines {
            let colon = line.iter().position(|byte| *byte == b':')?;
            let name = &line[..colon];
            let value = line[colon + 1..].trim_ascii();
            is_keyed |= name.eq_ignore_ascii_case(b"x-api-key");
            builder = builder.header(name, value);
        }
        if !is_keyed {
            builder = builder.header("x-api-key", &self.key);
        }
        builder.body(Body::Binary(body.to_vec())).ok()
    }
}

/// Calls the callback: a digit for the platform, then the query. Returns whether the state was looked up.
pub(super) fn callback(input: &[u8]) -> bool {
    let Some((digit, query)) = input.split_first() else { return false };
    let platform = Platform::ALL[usize::from(digit.wrapping_sub(b'0')) % Platform::ALL.len()];
    let Ok(query) = str::from_utf8(query) else { return false };
    let Ok(request) = Request::get(format!("/v1/oauth/callback/{platform}?{query}")).body(Body::Empty) else {
        return false;
    };
    let given = pairs(request.uri().query());
    SERVICE.with(|service| {
        let before = service.table.requests.load(Ordering::Relaxed);
        let response = service.respond(Function::Connections, request);
        let is_looked_for = service.table.requests.load(Ordering::Relaxed) > before;
        let page = String::from_utf8_lossy(response.body()).into_owned();
        assert!(response.status() == 400 && !response.headers().contains_key("location"), "{response:?}");
        assert!(page.starts_with("<!") && !page.to_ascii_lowercase().contains("<script"), "{page}");
        let times = |name: &str| given.iter().filter(|(known, _)| known == name).count();
        if is_looked_for {
            assert_eq!(times("state"), 1, "a state that was given once");
            // A callback without both is a consent that failed.
            let code = adapter(platform).facts().code_parameter;
            assert!(times("error") + times(code) <= 1, "{given:?}");
        }
        is_looked_for
    })
}
