//! The whole service in one process, without a socket: the engine and the sandbox are called directly, and time is
//! tokio's, which can be paused.

pub(crate) mod engine;
pub(crate) mod event_log;
pub(crate) mod faults;
pub(crate) mod network;
pub(crate) mod process;
pub(crate) mod receivers;

use aws_sdk_dynamodb::Client;
use bytes::Bytes;
use dynoxide::Database;
use engine::{Straight, TABLE, client_over, table};
use http::{HeaderMap, Method, header};
use jiff::{SignedDuration, Timestamp};
use lambda_http::{Body, Request, Response};
use network::{Network, ask, issuer, payments, platform_config};
use receivers::Receivers;
use sandbox::InProcess;
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{Customer, CustomerId, Plan, Platform};
use shared::outbound::{Outbound, OutboundRequest, OutboundResponse, Transport};
use shared::routes::{self, Function};
use shared::store::{Account, Store};
use std::sync::Arc;
use tests::SERVICE;
use tokio::time::Instant;
use uuid::Uuid;

/// A day.
const DAY_S: i64 = 24 * 60 * 60;

/// Everything that outlives a process of the service, and a customer.
pub(crate) struct World {
    pub(crate) customer: CustomerId,
    pub(crate) api_key: String,
    pub(crate) database: Database,
    pub(crate) sandbox: InProcess,
    pub(crate) clock: Clock,
    /// The endpoints of webhooks.
    pub(crate) receivers: Receivers,
}

/// A clock that runs with tokio's, or so many times as fast.
pub(crate) fn clock(speed: u32) -> Clock {
    // Noon of four days ago: a start that an adapter takes from the real time is never in the past here, even when days
    // pass, and most runs contain no end of a day.
    let noon = Clock::system().now().as_second() / DAY_S * DAY_S - 4 * DAY_S + DAY_S / 2;
    running_from(Timestamp::from_second(noon).expect("a time"), speed)
}

/// A clock that runs with tokio's from this time on.
pub(crate) fn clock_from(first: Timestamp) -> Clock {
    running_from(first, 1)
}

fn running_from(first: Timestamp, speed: u32) -> Clock {
    let began = Instant::now();
    Clock::from_fn(move || first + SignedDuration::try_from(began.elapsed() * speed).expect("a time"))
}

impl World {
    /// A world with a customer who has no connections.
    pub(crate) async fn new(clock: Clock, plan: Plan) -> World {
        let customer = CustomerId(Uuid::from_u128(7));
        let of_sandbox = clock.clone();
        let key = ApiKey::generate(customer, Mode::Test).expect("a key");
        let email = "someone@example.com".to_owned();
        let created_at = clock.now();
        let owner = Customer { id: customer, email, plan, created_at, disabled: false };
        let database = table();
        let sandbox = InProcess::new(move || of_sandbox.now());
        let receivers = Receivers::default();
        let world = World { customer, api_key: key.reveal().to_owned(), database, sandbox, clock, receivers };
        world
            .straight()
            .store
            .create_account(&Account::new(owner, key.hash(), key.display()))
            .await
            .expect("an account");
        world
    }

    /// A process with direct connections.
    pub(crate) fn straight(&self) -> App {
        self.app(client_over(Straight(self.database.clone())), Arc::new(Network(self.sandbox.clone())))
    }

    /// A process with its own connections to the table and to other hosts.
    pub(crate) fn app(&self, table: Client, network: Arc<dyn Transport>) -> App {
        let outbound = Outbound::with_transport(Arc::clone(&network));
        let webhooks = Arc::new(self.receivers.clone());
        App {
            payments: Some(payments(outbound.clone())),
            issuer: Some(issuer(outbound)),
            platforms: Platform::ALL.map(|platform| (platform, Arc::new(platform_config(platform)))).into(),
            ..tests::app(Store::new(table, TABLE), network, self.clock.clone(), webhooks)
        }
    }

    /// A world of its own with the same records and accounts, in which it is this time. Neither sees what the other does
    /// afterwards; the webhook endpoints are new.
    pub(crate) fn fork(&self, now: Timestamp) -> World {
        let clock = clock_from(now);
        let of_sandbox = clock.clone();
        World {
            customer: self.customer,
            api_key: self.api_key.clone(),
            database: engine::copy(&self.database),
            sandbox: self.sandbox.fork(move || of_sandbox.now()),
            clock,
            receivers: Receivers::default(),
        }
    }

    /// Opens ad accounts at a platform and connects them with one consent; returns their ids.
    pub(crate) async fn connect(&self, app: &Arc<App>, platform: Platform, count: usize) -> Vec<String> {
        self.connect_in(app, platform, count, "USD").await
    }

    /// The same with accounts in this currency.
    pub(crate) async fn connect_in(
        &self,
        app: &Arc<App>,
        platform: Platform,
        count: usize,
        currency: &str,
    ) -> Vec<String> {
        let mut accounts = Vec::new();
        for _ in 0..count {
            let order = json!({"platform": platform.as_str(), "currency": currency});
            let opened = self.control("POST", "accounts", &order).await;
            accounts.push(opened["account"]["id"].as_str().expect("an id").to_owned());
        }
        self.authorize(app, platform, &accounts).await;
        accounts.iter().map(|id| id.trim_start_matches("act_").to_owned()).collect()
    }

    /// Connects ad accounts with one consent.
    pub(crate) async fn authorize(&self, app: &Arc<App>, platform: Platform, accounts: &[String]) {
        let page = self.try_authorize(app, platform, accounts).await;
        assert_eq!(page.status(), 200, "{:?}", page.body());
    }

    /// Gives one consent for ad accounts; returns the page that says whether they are connected.
    pub(crate) async fn try_authorize(
        &self,
        app: &Arc<App>,
        platform: Platform,
        accounts: &[String],
    ) -> Response<Body> {
        let path = format!("/v1/connections/{platform}/authorize");
        let answered = respond(app, self.request("GET", &path, &[], "")).await;
        let page = json_of(answered.body())["authorize_url"].as_str().expect("an address").to_owned();
        let back = self.consent(&page, accounts).await;
        respond(app, self.request("GET", &back, &[], "")).await
    }

    /// Approves a consent page; returns the redirect as a path of the service.
    pub(crate) async fn consent(&self, page: &str, accounts: &[String]) -> String {
        let form = accounts.iter().fold("decision=approve".to_owned(), |form, id| format!("{form}&account={id}"));
        let sent_back = self.post_form(page, form).await;
        assert_eq!(sent_back.status, 302, "{page}: {}", String::from_utf8_lossy(&sent_back.body));
        location(&sent_back)
    }

    /// Submits a form of one of the sandbox's pages.
    pub(crate) async fn post_form(&self, page: &str, form: String) -> OutboundResponse {
        let kind = header::HeaderValue::from_static("application/x-www-form-urlencoded");
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]);
        let request = OutboundRequest { method: Method::POST, url: page.to_owned(), headers, body: Bytes::from(form) };
        ask(&self.sandbox, request).await.expect("a response")
    }

    /// Calls the sandbox's control API.
    pub(crate) async fn control(&self, method: &str, name: &str, body: &Value) -> Value {
        let url = format!("http://sandbox/_sandbox/{name}");
        let body = Bytes::from(body.to_string());
        let method = method.parse().expect("a method");
        let request = OutboundRequest { method, url, headers: HeaderMap::new(), body };
        let response = ask(&self.sandbox, request).await.expect("a response");
        assert!(response.status.is_success(), "{name}: {}", String::from_utf8_lossy(&response.body));
        json_of(&response.body)
    }

    /// A request of the customer.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request {
        let request = http::Request::builder().method(method).uri(path).header("x-api-key", &self.api_key);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(Body::from(body)).expect("a request")
    }
}

/// The redirect of a response, as a path of the service.
pub(crate) fn location(response: &OutboundResponse) -> String {
    let to = response.headers["location"].to_str().expect("an address");
    to.trim_start_matches(SERVICE).to_owned()
}

/// The body as JSON.
pub(crate) fn json_of(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(body)))
}

/// The function of a request.
pub(crate) fn function_of(request: &Request) -> Function {
    routes::function(request.method().as_str(), request.uri().path())
}

/// Calls the function of a request.
pub(crate) async fn respond(app: &Arc<App>, request: Request) -> Response<Body> {
    let app = Arc::clone(app);
    let function = function_of(&request);
    // Boxed: the futures of so many handlers exceed a thread's stack.
    match function {
        Function::Campaigns => Box::pin(campaigns::handle(app, request)).await,
        Function::Connections => Box::pin(connections::handle(app, request)).await,
        Function::RedirectUris => Box::pin(redirect_uris::handle(app, request)).await,
        Function::ApiKeys => Box::pin(api_keys::handle(app, request)).await,
        Function::Assistants => Box::pin(assistants::handle(app, request)).await,
        Function::WebhookEndpoints => Box::pin(webhook_endpoints::handle(app, request)).await,
        Function::UsageLogs => Box::pin(usage_logs::handle(app, request)).await,
        Function::Billing => Box::pin(billing::handle(app, request)).await,
        Function::Webhooks => Box::pin(webhooks::handle(app, request)).await,
        Function::Mcp => Box::pin(mcp::handle(app, request)).await,
        Function::Docs => Box::pin(docs::handle(app, request)).await,
        Function::Dashboard => Box::pin(dashboard::handle(app, request)).await,
    }
}
