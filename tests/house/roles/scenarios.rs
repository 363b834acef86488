//! Every operation of each function on the table, at least once, rare ones included.

use super::Deployed;
use super::TestResponse;
use crate::assistants::consent;
use crate::billing::webhooks::signed;
use crate::in_process::network::{WEBHOOK_SECRET, ask};
use crate::in_process::receivers::Behaviour;
use crate::in_process::{json_of, respond};
use crate::world::campaign;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use jiff::SignedDuration;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::auth::{ApiKey, CustomerToken};
use shared::changes;
use shared::domain::spending::Spender;
use shared::domain::{
    Approver, ChangeId, CustomerId, Invitation, KeyId, PersonId, Platform, Requester, Role, Scope, Stop,
};
use shared::outbound::OutboundRequest;
use shared::routes::{REGISTER, RESOURCE_METADATA};
use shared::store::Store;
use uuid::Uuid;

const CREATE: &str = "/v1/campaigns";
const URI: &str = "https://example.com/cb";

impl Deployed {
    /// Opens a consent page, presses a button there, and follows the redirect to the callback.
    pub(super) async fn consent(&self, platform: &str, query: &str, decision: &str) -> u16 {
        let path = format!("/v1/connections/{platform}/authorize{query}");
        let response = self.ask(200, "GET", &path, &Value::Null).await;
        let page = response.json["authorize_url"].as_str().expect("an address");
        let back = self.submit(page, &format!("decision={decision}")).await;
        self.ask_with(&[], "GET", &back, "").await.status
    }

    pub(super) async fn connection(&self, platform: &str) -> String {
        let listed = self.ask(200, "GET", "/v1/connections", &Value::Null).await.json;
        let mut connections = listed["connections"].as_array().expect("a list").iter();
        let found = connections.find(|connection| connection["platform"] == platform).expect("a connection");
        found["id"].as_str().expect("an id").to_owned()
    }

    /// Requests refresh expired tokens; at last one grant ends.
    async fn let_tokens_end(&self, status: u16, method: &str, path: &str) {
        for fault in [None, Some("error"), Some("revoked")] {
            if let Some(fault) = fault {
                self.fault("alpha_ads", "refresh", fault, 1).await;
            }
            self.table().let_refreshable_tokens_run_out().await;
            let response = self.ask_with(&[("x-api-key", &self.world.api_key)], method, path, "").await;
            assert!(response.status == status || fault.is_some(), "{path}: {}", response.json);
        }
    }
}

pub(super) async fn redirect_uris(deployed: &Deployed) {
    const PATH: &str = "/v1/redirect-uris";
    let made = deployed.ask(201, "POST", PATH, &json!({ "uri": URI })).await.json;
    deployed.ask(409, "POST", PATH, &json!({ "uri": URI })).await;
    deployed.ask(200, "GET", PATH, &Value::Null).await;
    let path = format!("{PATH}/{}", made["data"]["id"].as_str().expect("an id"));
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    deployed.ask(404, "DELETE", &path, &Value::Null).await;
    deployed.ask(201, "POST", PATH, &json!({ "uri": URI })).await;
}

pub(super) async fn users(deployed: &Deployed) {
    const USER: &str = "/v1/users/shop42";
    let limit = json!({ "label": "Shop", "spending_limit": { "amounts": [{ "currency": "USD", "daily": 5 }] } });
    deployed.ask(200, "PUT", USER, &limit).await;
    deployed.ask(200, "GET", USER, &Value::Null).await;
    deployed.ask(200, "GET", "/v1/users", &Value::Null).await;
    deployed.ask(200, "POST", &format!("{USER}/pause"), &Value::Null).await;
    deployed.ask(409, "POST", &format!("{USER}/resume"), &Value::Null).await;
    export(deployed, USER).await;
    deployed.ask(202, "DELETE", &format!("{USER}?erase=true"), &Value::Null).await;
}

/// All pages of an export.
async fn export(deployed: &Deployed, user: &str) {
    let mut cursor = String::new();
    loop {
        let page = deployed.ask(200, "GET", &format!("{user}/export?cursor={cursor}"), &Value::Null).await;
        let end = page.text.lines().last().expect("a last line");
        let end: Value = serde_json::from_str(end).expect("JSON");
        let Some(next) = end["data"]["next_cursor"].as_str() else { return };
        next.clone_into(&mut cursor);
    }
}

pub(super) async fn webhook_endpoints(deployed: &Deployed) {
    const PATH: &str = "/v1/webhook-endpoints";
    let body = json!({ "url": "https://example.com/webhooks", "types": ["*"], "description": "All" });
    let made = deployed.ask(201, "POST", PATH, &body).await.json;
    deployed.ask(200, "GET", PATH, &Value::Null).await;
    let path = format!("{PATH}/{}", made["id"].as_str().expect("an id"));
    deployed.ask(200, "GET", &path, &Value::Null).await;
    let changes = json!({ "url": "https://example.com/others", "types": ["change.applied"], "shape": "enveloped",
        "description": null, "status": "enabled" });
    deployed.ask(200, "PATCH", &path, &changes).await;
    deployed.ask(200, "POST", &format!("{path}/rotate-secret"), &Value::Null).await;
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    deployed.ask(404, "DELETE", &path, &Value::Null).await;
}

/// A consent that connects nothing before it is confirmed.
async fn confirmed(deployed: &Deployed) {
    let path = "/v1/connections/zeta_ads/authorize?confirm=true&redirect_uri=https%3A%2F%2Fexample.com%2Fcb";
    let begun = deployed.ask(200, "GET", path, &Value::Null).await.json;
    let back = deployed.submit(begun["authorize_url"].as_str().expect("an address"), "decision=approve").await;
    let location = deployed.ask_with(&[], "GET", &back, "").await.location;
    let location = url::Url::parse(&location).expect("an address");
    let code = location.query_pairs().find(|(name, _)| name == "confirmation_code").expect("a code").1.into_owned();
    let path = format!("/v1/connections/{}", begun["connection_id"].as_str().expect("an id"));
    deployed.ask(409, "POST", &format!("{path}/confirm"), &json!({ "confirmation_code": "x" })).await;
    deployed.ask(200, "POST", &format!("{path}/confirm"), &json!({ "confirmation_code": code })).await;
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
}

/// The lists of events and deliveries, a test send and a replay.
pub(super) async fn events(deployed: &Deployed) {
    const PATH: &str = "/v1/webhook-endpoints";
    let url = "https://nobody.example.com/webhooks";
    deployed.world.receivers.set(url, Behaviour::Down);
    let body = json!({ "url": url, "types": ["*"] });
    let made = deployed.ask(201, "POST", PATH, &body).await.json;
    let path = format!("{PATH}/{}", made["id"].as_str().expect("an id"));
    let listed = deployed.ask(200, "GET", "/v1/events", &Value::Null).await.json;
    deployed.ask(200, "POST", &format!("{path}/test"), &Value::Null).await;
    let replay = format!("{path}/replay");
    deployed.ask(202, "POST", &replay, &json!({ "event_id": listed["events"][0]["id"] })).await;
    deployed.ask(202, "POST", &replay, &json!({ "since": listed["events"][0]["timestamp"] })).await;
    deployed.ask(200, "GET", &format!("{path}/deliveries"), &Value::Null).await;
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    if !deployed.is_for_person {
        assert_eq!(deployed.consent("zeta_ads", "?external_ref=user42", "approve").await, 200);
        let of_user = deployed.ask(200, "GET", "/v1/events?external_ref=user42", &Value::Null).await.json;
        assert_ne!(of_user["events"], json!([]));
        let path = format!("/v1/connections/{}", deployed.connection("zeta_ads").await);
        deployed.ask(204, "DELETE", &path, &Value::Null).await;
    }
}

pub(super) async fn connections(deployed: &Deployed) {
    assert_eq!(deployed.consent("alpha_ads", "", "approve").await, 200);
    assert_eq!(deployed.consent("alpha_ads", "?redirect_uri=https%3A%2F%2Fexample.com%2Fcb", "approve").await, 302);
    deployed.consent("beta_ads", "", "deny").await;
    // The dashboard has no page for this. The API caller that set `confirm=true` confirms the consent.
    if !deployed.is_for_person {
        confirmed(deployed).await;
    }
    let path = format!("/v1/connections/{}", deployed.connection("alpha_ads").await);
    deployed.ask(200, "GET", &path, &Value::Null).await;
    deployed.ask(200, "PATCH", &path, &json!({ "label": "Spring" })).await;
    // A customer with many connections is read by key.
    let (table, key) = (deployed.table(), &deployed.world.api_key);
    let count = table.number(key, "connections_count").await;
    table.set_account(key, &[("connections_count", 50)]).await;
    deployed.ask(200, "GET", &path, &Value::Null).await;
    for label in ["Summer", "Autumn"] {
        deployed.ask(200, "PATCH", &path, &json!({ "label": label })).await;
    }
    table.set_account(key, &[("connections_count", count)]).await;
    deployed.ask(200, "GET", "/v1/connections", &Value::Null).await;
    deployed.ask(200, "POST", "/v1/connections/sync", &Value::Null).await;
    deployed.ask(200, "DELETE", &format!("{path}?dry_run=true"), &Value::Null).await;
    deployed.let_tokens_end(200, "POST", "/v1/connections/sync").await;
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    deployed.ask(404, "DELETE", &path, &Value::Null).await;
}

pub(super) async fn campaigns(deployed: &Deployed) {
    let body = |name: &str| campaign("alpha_ads", name);
    assert_eq!(deployed.consent("alpha_ads", "", "approve").await, 200);
    deployed.ask(201, "POST", CREATE, &body("Plain")).await;
    let made = deployed.ask_keyed("k", 201, "POST", CREATE, &body("Keyed")).await;
    deployed.ask_keyed("k", 201, "POST", CREATE, &body("Keyed")).await;
    deployed.ask_keyed("k", 422, "POST", CREATE, &body("Other")).await;
    deployed.ask(422, "POST", CREATE, &body("Plain")).await;

    deployed.fault("alpha_ads", "create", "drop_after", 1).await;
    let found = deployed.ask(201, "POST", CREATE, &body("Found")).await;
    deployed.ask(200, "GET", &format!("{CREATE}/intents/{}", found.id), &Value::Null).await;
    deployed.fault("alpha_ads", "create", "drop", 1).await;
    let doubtful = deployed.ask_keyed("d", 504, "POST", CREATE, &body("Doubtful")).await;
    deployed.ask_keyed("d", 504, "POST", CREATE, &body("Doubtful")).await;
    deployed.ask(200, "GET", &format!("{CREATE}/intents/{}", doubtful.id), &Value::Null).await;

    let path = format!("{CREATE}/{}", made.json["id"].as_str().expect("an id"));
    deployed.ask(200, "GET", CREATE, &Value::Null).await;
    deployed.ask(200, "GET", &path, &Value::Null).await;
    deployed.ask(200, "PATCH", &path, &json!({ "status": "ACTIVE" })).await;
    deployed.fault("alpha_ads", "update", "throttle", 1).await;
    deployed.ask(429, "PATCH", &path, &json!({ "status": "PAUSED" })).await;
    deployed.table().let_pauses_end().await;
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    deployed.let_tokens_end(200, "GET", CREATE).await;
}

/// Changes for later, dates that the service holds, and many campaigns at once.
pub(super) async fn scheduled_changes(deployed: &Deployed) {
    assert_eq!(deployed.consent("alpha_ads", "", "approve").await, 200);
    assert_eq!(deployed.consent("beta_ads", "", "approve").await, 200);
    let at = |hours: i64| {
        let at = deployed.world.clock.now() + jiff::SignedDuration::from_hours(hours);
        jiff::Timestamp::from_second(at.as_second()).expect("a time").to_string()
    };
    let path = |made: &TestResponse| format!("{CREATE}/{}", made.json["id"].as_str().expect("an id"));
    let made = deployed.ask(201, "POST", CREATE, &campaign("alpha_ads", "Later")).await;
    let scheduled = format!("{}?apply_at={}", path(&made), at(1));
    let change = deployed.ask(202, "PATCH", &scheduled, &json!({ "status": "ACTIVE" })).await.json;
    deployed.ask_keyed("s", 202, "PATCH", &scheduled, &json!({ "name": "Renamed" })).await;
    let cancel = format!("/v1/changes/{}/cancel", change["id"].as_str().expect("an id"));
    deployed.ask(200, "POST", &cancel, &Value::Null).await;
    deployed.ask(409, "POST", &cancel, &Value::Null).await;
    let ending = path(&deployed.ask(201, "POST", CREATE, &campaign("alpha_ads", "Ending")).await);
    deployed.ask(202, "DELETE", &format!("{ending}?apply_at={}", at(1)), &Value::Null).await;
    let mut dated = campaign("beta_ads", "Dated");
    (dated["start_at"], dated["end_at"]) = (json!(at(2)), json!(at(4)));
    let dated = path(&deployed.ask(201, "POST", CREATE, &dated).await);
    deployed.ask(202, "PATCH", &dated, &json!({ "status": "ACTIVE" })).await;
    deployed.ask(200, "PATCH", &dated, &json!({ "end_at": at(6) })).await;
    let running = path(&deployed.ask(201, "POST", CREATE, &campaign("alpha_ads", "Running")).await);
    deployed.ask(200, "PATCH", &running, &json!({ "status": "ACTIVE" })).await;
    deployed.fault("beta_ads", "list", "error", 9).await;
    let all = json!({ "status": "PAUSED", "all": true });
    let bulk = deployed.ask(202, "POST", &format!("{CREATE}/status"), &all).await.json;
    deployed.fault("beta_ads", "list", "error", 0).await;
    let told = format!("{CREATE}/status/{}", bulk["bulk_id"].as_str().expect("an id"));
    deployed.ask(200, "GET", &told, &Value::Null).await;
    let raise = json!({ "percent": "10", "platform": "alpha_ads" });
    let raised = deployed.ask_keyed("raised", 202, "POST", &format!("{CREATE}/budgets"), &raise).await.json;
    let undo = |id: &Value| format!("/v1/changes/{}/undo", id.as_str().expect("an id"));
    deployed.ask(200, "POST", &undo(&raised["changes"][0]), &Value::Null).await;
    deployed.ask(202, "POST", &undo(&raised["bulk_id"]), &Value::Null).await;
    deployed.ask(204, "DELETE", &dated, &Value::Null).await;
    let path = format!("/v1/connections/{}", deployed.connection("beta_ads").await);
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
}

pub(super) async fn changes(deployed: &Deployed) {
    let listed = deployed.ask(200, "GET", "/v1/changes?kind=update", &Value::Null).await.json;
    let change = &listed["changes"][0];
    let text = |field: &str| change[field].as_str().expect("a text");
    deployed.ask(200, "GET", &format!("/v1/changes/{}", text("id")), &Value::Null).await;
    deployed.ask(200, "GET", &format!("/v1/changes?campaign_id={}", text("campaign_id")), &Value::Null).await;
    // No page of the dashboard filters by these.
    if !deployed.is_for_person {
        for filter in ["reference=order-42", "idempotency_key=raised", "external_ref=user42"] {
            deployed.ask(200, "GET", &format!("/v1/changes?{filter}"), &Value::Null).await;
        }
    }
}

pub(super) async fn usage_logs(deployed: &Deployed) {
    deployed.ask(200, "GET", "/v1/usage-logs?limit=2&method=GET&status_code=2xx&path=/v1", &Value::Null).await;
    deployed.ask(404, "GET", "/v1/nothing", &Value::Null).await;
    deployed.ask(405, "PUT", CREATE, &Value::Null).await;
}

/// Sends the key, which other functions would look up.
pub(super) async fn docs(deployed: &Deployed) {
    for path in ["/v1/platforms", "/v1/health", "/v1/openapi.json", "/v1/docs", "/v1/docs/campaigns"] {
        deployed.ask(200, "GET", path, &Value::Null).await;
    }
    for path in [RESOURCE_METADATA, "/.well-known/oauth-authorization-server"] {
        deployed.ask(200, "GET", path, &Value::Null).await;
    }
    deployed.ask(201, "POST", REGISTER, &json!({"redirect_uris": ["http://127.0.0.1/callback"]})).await;
    for path in ["/", "/v1", "/wp-login.php"] {
        deployed.ask(404, "GET", path, &Value::Null).await;
    }
}

pub(super) async fn billing(deployed: &Deployed) {
    deployed.ask(200, "GET", "/v1/billing/status", &Value::Null).await;
    deployed.fault("stripe", "customer", "error", 1).await;
    let checkout = "/v1/billing/create-checkout-session";
    let plan = json!({ "plan": "pro" });
    deployed.ask_with(&[("x-api-key", &deployed.world.api_key)], "POST", checkout, &plan.to_string()).await;
    let session = deployed.ask_keyed("c", 200, "POST", checkout, &plan).await.json;
    deployed.ask_keyed("c", 200, "POST", checkout, &plan).await;
    let page = session["checkout_url"].as_str().expect("an address");
    deployed.submit(page, "decision=pay").await;
    let path = format!("/v1/billing/return?session_id={}", session["session_id"].as_str().expect("an id"));
    assert_eq!(deployed.ask_with(&[], "GET", &path, "").await.status, 200);
    deployed.ask(200, "POST", "/v1/billing/portal", &Value::Null).await;
    deployed.ask(200, "GET", "/v1/customer/me", &Value::Null).await;
    let events = deployed.world.control("GET", "stripe/events", &Value::Null).await;
    for event in events["events"].as_array().expect("a list") {
        // Each event is delivered twice, as the provider may do.
        for _ in 0..2 {
            deliver(deployed, &event["event"].to_string()).await;
        }
    }
    // A customer that an operator created at the provider names its account.
    let bearer = HeaderValue::from_str(&format!("Bearer {}", sandbox::STRIPE_KEY)).expect("a key");
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    let made = OutboundRequest {
        method: Method::POST,
        url: "http://sandbox/stripe/v1/customers".to_owned(),
        headers: HeaderMap::from_iter([(header::AUTHORIZATION, bearer), (header::CONTENT_TYPE, form)]),
        body: Bytes::from_static(b"email=ada%40example.com"),
    };
    let customer = json_of(&ask(&deployed.world.sandbox, made).await.expect("a customer").body)["id"].clone();
    let object =
        json!({ "id": "sub_1", "customer": customer, "metadata": { "account": deployed.world.customer.to_string() } });
    let kind = "customer.subscription.updated";
    deliver(deployed, &json!({ "id": "evt_1", "type": kind, "data": { "object": object } }).to_string()).await;
}

async fn deliver(deployed: &Deployed, event: &str) {
    let signature = signed(WEBHOOK_SECRET, deployed.world.clock.now().as_second(), event);
    let response = deployed.ask_with(&[("stripe-signature", &signature)], "POST", "/v1/billing/webhook", event).await;
    assert_eq!(response.status, 200, "{}", response.json);
}

pub(super) async fn maintenance(deployed: &Deployed) {
    assert_eq!(deployed.consent("alpha_ads", "", "approve").await, 200);
    let report = deployed.maintenance(3_700).await;
    assert_eq!(report.changes, 2, "the doubtful creates of before, one of an agent");
    assert!(report.scheduled > 0, "{report:?}");
    deployed.table().let_access_tokens_near_their_end().await;
    assert_eq!(deployed.maintenance(0).await.grants, 1, "moved to its next time");
    deployed.table().let_access_tokens_run_out().await;
    assert_eq!(deployed.maintenance(0).await.grants, 1, "refreshed");
    for fault in ["error", "revoked"] {
        deployed.fault("alpha_ads", "refresh", fault, 1).await;
        deployed.table().let_access_tokens_run_out().await;
        assert_eq!(deployed.maintenance(0).await.failed, 1);
    }
    deployed.ask(200, "GET", "/v1/connections/beta_ads/authorize", &Value::Null).await;
    deployed.table().let_authorizations_run_out().await;
    assert_eq!(deployed.maintenance(0).await.pending, 1);
    // As if a process had stopped in the middle of a removal.
    deployed.connect(Platform::Gamma).await;
    deployed.table().lose_items("LINK#CONNECTION#").await;
    deployed.table().let_access_tokens_near_their_end().await;
    assert!(deployed.maintenance(0).await.grants > 0);
    // A create whose response was lost: the search finds the campaign and records it.
    deployed.connect(Platform::Beta).await;
    deployed.fault("beta_ads", "list", "error", 99).await;
    deployed.fault("beta_ads", "create", "drop_after", 1).await;
    deployed.ask(504, "POST", CREATE, &campaign("beta_ads", "Left to maintenance")).await;
    deployed.fault("beta_ads", "list", "error", 0).await;
    assert_eq!(deployed.maintenance(60).await.changes, 1);
    stop(deployed).await;
    erasure(deployed).await;
}

/// The erasure of a user with a connection, a campaign, a request under a key, and an API key of its own.
async fn erasure(deployed: &Deployed) {
    const USER: &str = "/v1/users/leaving";
    deployed.connect(Platform::Delta).await;
    let connection = format!("/v1/connections/{}", deployed.connection("delta_ads").await);
    deployed.ask(200, "PATCH", &connection, &json!({ "external_ref": "leaving" })).await;
    let bound = json!({ "name": "Of a user", "scopes": ["read"], "external_ref": "leaving" });
    deployed.ask(201, "POST", "/v1/api-keys", &bound).await;
    deployed.ask_keyed("leaving", 201, "POST", CREATE, &campaign("delta_ads", "To erase")).await;
    deployed.ask(202, "DELETE", &format!("{USER}?erase=true"), &Value::Null).await;
    for minutes in [1, 2, 3, 4, 5, 7, 9, 11, 30, 32, 34] {
        deployed.maintenance(minutes * 60).await;
    }
    deployed.ask(404, "GET", USER, &Value::Null).await;
}

/// The events of all requests before.
pub(super) async fn deliveries(deployed: &Deployed) {
    let url = "https://hooks.example.com/";
    let made = deployed.ask(201, "POST", "/v1/webhook-endpoints", &json!({ "url": url, "types": ["*"] })).await.json;
    assert!(deployed.deliveries(0).await.events > 0, "they happened before the endpoint");
    let created = deployed.ask(201, "POST", CREATE, &campaign("epsilon_ads", "To tell")).await.json;
    assert!(deployed.deliveries(0).await.delivered > 0);
    let path = format!("{CREATE}/{}", created["id"].as_str().expect("an id"));
    let seconds = [1, 10, 20, 4_000, 10_000, 20_000];
    for (number, (status, seconds)) in [500, 503, 500, 204, 410, 500].into_iter().zip(seconds).enumerate() {
        deployed.world.receivers.set(url, Behaviour::Answers(status, None));
        deployed.ask(200, "PATCH", &path, &json!({ "name": format!("To tell {number}") })).await;
        deployed.deliveries(seconds).await;
    }
    let path = format!("/v1/webhook-endpoints/{}", made["id"].as_str().expect("an id"));
    let told = deployed.ask(200, "GET", &path, &Value::Null).await;
    assert_eq!(told.json["status"], "disabled");
}

/// The stop of a key whose request has ended before it did anything, and the same of an assistant's key.
async fn stop(deployed: &Deployed) {
    deployed.connect(Platform::Epsilon).await;
    let limit = json!({ "connections": [deployed.connection("epsilon_ads").await],
        "amounts": [{ "currency": "USD", "daily": 500 }] });
    let made = json!({ "name": "To stop", "scopes": ["campaigns"], "spending_limit": limit });
    let key = deployed.ask(201, "POST", "/v1/api-keys", &made).await.json;
    let agent = [("x-api-key", key["api_key"].as_str().expect("a key"))];
    let draft = campaign("epsilon_ads", "To pause").to_string();
    let created = deployed.ask_with(&agent, "POST", CREATE, &draft).await;
    assert_eq!(created.status, 201, "{}", created.json);
    let path = format!("{CREATE}/{}", created.json["id"].as_str().expect("an id"));
    assert_eq!(deployed.ask_with(&agent, "PATCH", &path, r#"{"status":"ACTIVE"}"#).await.status, 200);
    let (app, customer) = (&deployed.straight, deployed.world.customer);
    let person = PersonId("person".to_owned());
    let assistant = consent(app, customer, Scope::Campaigns, &person).await.key;
    let keys = [KeyId(key["id"].as_str().expect("an id").to_owned()), assistant];
    for key in &keys {
        let person = Requester::Person { id: person.clone(), email: None };
        let now = deployed.world.clock.now();
        let stop = Stop::new(customer, key.clone(), person, Uuid::new_v4(), now);
        assert!(app.store.begin_stop(&stop, None, now).await.expect("a store"));
    }
    for seconds in [1, 120] {
        deployed.maintenance(seconds).await;
    }
    for key in &keys {
        let ended = app.store.stop(customer, key).await.expect("a store").expect("a stop");
        assert_eq!(ended.next, None);
    }
    deployed.ask(204, "DELETE", &format!("/v1/api-keys/{}", keys[1]), &Value::Null).await;
}

/// A request whose key could not be checked. After the response the service finds out whether it belongs in the
/// customer's log.
pub(super) async fn a_store_in_trouble(deployed: &Deployed) {
    for (name, path) in [
        ("Campaigns", CREATE),
        ("Connections", "/v1/connections"),
        ("RedirectUris", "/v1/redirect-uris"),
        ("WebhookEndpoints", "/v1/webhook-endpoints"),
        ("UsageLogs", "/v1/usage-logs"),
        ("Billing", "/v1/billing/status"),
    ] {
        deployed.process(name).recorder.refuse_next("UpdateItem");
        deployed.ask(500, "GET", path, &Value::Null).await;
    }
}

pub(super) async fn api_keys(deployed: &Deployed) {
    const KEYS: &str = "/v1/api-keys";
    const ROTATE: &str = "/v1/api-keys/rotate";
    let made = deployed.ask(201, "POST", KEYS, &json!({ "name": "Reader", "scopes": ["read"] })).await.json;
    deployed.ask(200, "GET", KEYS, &Value::Null).await;
    let path = format!("{KEYS}/{}", made["id"].as_str().expect("an id"));
    deployed.ask(200, "PATCH", &path, &json!({ "name": "Report", "scopes": ["campaigns"] })).await;
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    deployed.ask(404, "DELETE", &path, &Value::Null).await;
    limited_key(deployed).await;
    deployed.process("ApiKeys").recorder.refuse_next("UpdateItem");
    deployed.ask(500, "POST", ROTATE, &Value::Null).await;
    deployed.ask(200, "POST", ROTATE, &Value::Null).await;
    deployed.ask(401, "POST", ROTATE, &Value::Null).await;
}

/// A key with a spending limit, from its creation to its deletion.
async fn limited_key(deployed: &Deployed) {
    const KEYS: &str = "/v1/api-keys";
    assert_eq!(deployed.consent("delta_ads", "", "approve").await, 200);
    let limit = json!({ "connections": [deployed.connection("delta_ads").await],
        "amounts": [{ "currency": "USD", "daily": 500 }] });
    let body = json!({ "name": "Agent", "scopes": ["campaigns"], "spending_limit": limit });
    let made = deployed.ask(201, "POST", KEYS, &body).await.json;
    deployed.ask(200, "GET", KEYS, &Value::Null).await;
    let path = format!("{KEYS}/{}", made["id"].as_str().expect("an id"));
    for changes in [json!({ "name": "Other" }), json!({ "spending_limit": limit })] {
        deployed.ask(200, "PATCH", &path, &changes).await;
    }
    let agent = [("x-api-key", made["api_key"].as_str().expect("a key"))];
    let draft = campaign("delta_ads", "Of an agent").to_string();
    let created = deployed.ask_with(&agent, "POST", CREATE, &draft).await;
    assert_eq!(created.status, 201, "{}", created.json);
    let campaign = format!("{CREATE}/{}", created.json["id"].as_str().expect("an id"));
    for (method, path, body) in [
        ("GET", "/v1/limits", ""),
        ("PATCH", campaign.as_str(), r#"{"status":"ACTIVE"}"#),
        ("PATCH", campaign.as_str(), r#"{"status":"PAUSED"}"#),
    ] {
        assert_eq!(deployed.ask_with(&agent, method, path, body).await.status, 200, "{method} {path}");
    }
    let at = deployed.world.clock.now() + jiff::SignedDuration::from_hours(1);
    let at = jiff::Timestamp::from_second(at.as_second()).expect("a time");
    let later = format!("{campaign}?apply_at={at}");
    assert_eq!(deployed.ask_with(&agent, "PATCH", &later, r#"{"status":"ACTIVE"}"#).await.status, 202);
    for _ in 0..2 {
        deployed.ask(200, "POST", &format!("{path}/stop"), &Value::Null).await;
    }
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
}

/// Changes that wait for a person: an activation that is approved, one that is rejected, and a create.
async fn approvals(deployed: &Deployed) {
    let limit = json!({ "connections": [deployed.connection("delta_ads").await],
        "amounts": [{ "currency": "USD", "daily": 500 }],
        "approval": { "activation": true, "amounts": [{ "currency": "USD", "amount": 10 }] } });
    let body = json!({ "name": "Asks", "scopes": ["campaigns"], "spending_limit": limit });
    let made = deployed.ask(201, "POST", "/v1/api-keys", &body).await.json;
    let key = KeyId(made["id"].as_str().expect("an id").to_owned());
    let agent = made["api_key"].as_str().expect("a key");
    let app = &deployed.process("Dashboard").app;
    let customer = ApiKey::parse(agent).expect("a key").customer();
    let by = Requester::Person { id: PersonId("person".to_owned()), email: None };
    let by = Approver::in_person(by, Uuid::new_v4());
    let read = async |id| app.store.change(customer, id).await.expect("a read").expect("a change");
    let look = async |id| changes::review(app, read(id).await).await.expect("a review").version();
    let campaign_of = |name: &str| campaign("delta_ads", name).to_string();
    let id = awaiting_approval(deployed, agent, "POST", CREATE, &campaign_of("Approved")).await;
    let seen = look(id).await;
    let created = changes::approve(app, read(id).await, by.clone(), &seen).await.expect("an approval");
    let campaign = created.campaign.expect("a campaign");
    let path = format!("{CREATE}/{campaign}");
    let ask = async || awaiting_approval(deployed, agent, "PATCH", &path, r#"{"status":"ACTIVE"}"#).await;
    let rejected = ask().await;
    app.store.awaiting_approval(customer).await.expect("a read");
    changes::reject(app, read(rejected).await, &by, None).await.expect("a rejection");
    let id = ask().await;
    let seen = look(id).await;
    changes::approve(app, read(id).await, by, &seen).await.expect("an approval");
    assert!(app.store.free_contribution(customer, &Spender::Key(key), &campaign).await.expect("a write"));
    let product = json!({ "name": "Product", "scopes": ["approve"] });
    let product = deployed.ask(201, "POST", "/v1/api-keys", &product).await.json;
    let product = [("x-api-key", product["api_key"].as_str().expect("a key"))];
    let draft = campaign_of("Approved in the product");
    for (method, path, body) in [("POST", CREATE, draft.as_str()), ("PATCH", path.as_str(), r#"{"budget_amount":90}"#)]
    {
        let change = format!("/v1/changes/{}", awaiting_approval(deployed, agent, method, path, body).await);
        let review = deployed.ask_with(&product, "GET", &format!("{change}/review"), "").await;
        let decision = json!({ "version": review.json["version"], "approved_by": "user-4711" }).to_string();
        for _ in 0..2 {
            let approved = deployed.ask_with(&product, "POST", &format!("{change}/approve"), &decision).await;
            assert_eq!((approved.status, &approved.json["state"]), (200, &json!("applied")), "{}", approved.json);
        }
    }
    let rejected = awaiting_approval(deployed, agent, "POST", CREATE, &campaign_of("Rejected")).await;
    let reject = format!("/v1/changes/{rejected}/reject");
    assert_eq!(deployed.ask_with(&product, "POST", &reject, r#"{"rejected_by":"user-4711"}"#).await.status, 200);
}

/// Asks for a change with a key, and returns the id of the one that waits for a person.
async fn awaiting_approval(deployed: &Deployed, key: &str, method: &str, path: &str, body: &str) -> ChangeId {
    let request = http::Request::builder().method(method).uri(path).header("x-api-key", key);
    let request = request.header("content-type", "application/json").body(Body::from(body)).expect("a request");
    let response = Box::pin(respond(&deployed.process("Campaigns").app, request)).await;
    let change: Value = serde_json::from_slice(response.body()).expect("a change");
    assert_eq!(change["state"], "awaiting_approval", "{change}");
    ChangeId::parse(change["id"].as_str().expect("an id")).expect("an id")
}

/// The dashboard's requests of the API for a person who is signed in.
pub(super) async fn person(deployed: &Deployed) {
    const KEYS: &str = "/v1/api-keys";
    Box::pin(redirect_uris(deployed)).await;
    Box::pin(webhook_endpoints(deployed)).await;
    Box::pin(connections(deployed)).await;
    Box::pin(campaigns(deployed)).await;
    Box::pin(scheduled_changes(deployed)).await;
    Box::pin(changes(deployed)).await;
    Box::pin(events(deployed)).await;
    Box::pin(billing(deployed)).await;
    Box::pin(limited_key(deployed)).await;
    Box::pin(approvals(deployed)).await;
    Box::pin(users(deployed)).await;
    deployed.ask(200, "GET", "/v1/changes?external_ref=shop42", &Value::Null).await;
    deployed.ask(200, "GET", "/v1/usage-logs?limit=2&method=GET", &Value::Null).await;
    let made = deployed.ask(201, "POST", KEYS, &json!({ "name": "Reader", "scopes": ["read"] })).await.json;
    deployed.ask(200, "GET", KEYS, &Value::Null).await;
    deployed.ask(200, "POST", "/v1/api-keys/rotate", &Value::Null).await;
    deployed.ask(204, "DELETE", &format!("{KEYS}/{}", made["id"].as_str().expect("an id")), &Value::Null).await;
}

/// A browser's request to the dashboard: its redirect, and the pair of the cookie that it sets.
pub(super) async fn visit(
    deployed: &Deployed,
    method: &str,
    path: &str,
    cookies: &str,
    body: &str,
) -> (String, String) {
    let response = Box::pin(browse(deployed, method, path, cookies, body)).await;
    let location = response.headers().get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
    (location.to_owned(), cookie_of(&response))
}

/// The pair of the cookie that an answer sets.
pub(super) fn cookie_of(response: &Response<Body>) -> String {
    let cookie = response.headers().get("set-cookie").and_then(|value| value.to_str().ok()).unwrap_or_default();
    cookie.split(';').next().unwrap_or_default().to_owned()
}

/// A browser's request to the dashboard, with the whole answer.
pub(super) async fn browse(deployed: &Deployed, method: &str, path: &str, cookies: &str, body: &str) -> Response<Body> {
    let request = http::Request::builder().method(method).uri(path).header("cookie", cookies);
    let request =
        request.header("content-type", "application/x-www-form-urlencoded").header("sec-fetch-site", "same-origin");
    let request = request.body(Body::Text(body.to_owned())).expect("a request");
    Box::pin(respond(&deployed.process("Dashboard").app, request)).await
}

/// Signs a person in; returns the session's cookie.
pub(super) async fn sign_in(deployed: &Deployed, path: &str, email: &str) -> String {
    let (page, browser) = visit(deployed, "POST", path, "", "").await;
    let back = deployed.submit(&page, &format!("email={email}")).await;
    let (to, session) = visit(deployed, "GET", &back, &browser, "").await;
    assert_eq!(to, "/dashboard", "{email}");
    session
}

/// Invites a person, makes another one an owner, and removes them.
async fn people(deployed: &Deployed, session: &str, store: &Store, customer: CustomerId) {
    const PEOPLE: &str = "/dashboard/settings/people";
    visit(deployed, "POST", &format!("{PEOPLE}/invite"), session, "idempotency_key=1&role=MEMBER").await;
    let made = store.invitations(customer, deployed.world.clock.now()).await.expect("a store").remove(0);
    visit(deployed, "POST", &format!("{PEOPLE}/withdraw"), session, &format!("id={}", made.hash)).await;
    let people = store.people(customer).await.expect("a store");
    let other = people.iter().find(|person| person.email.as_deref() == Some("invited@example.com")).expect("a person");
    let id = &other.id.0;
    visit(deployed, "POST", &format!("{PEOPLE}/role"), session, &format!("role=OWNER&id={id}")).await;
    visit(deployed, "POST", &format!("{PEOPLE}/remove"), session, &format!("id={id}")).await;
    assert_eq!(store.people(customer).await.expect("a store").len(), people.len() - 1);
}

pub(super) async fn dashboard(deployed: &Deployed) {
    const SIGN_IN: &str = "/dashboard/sign-in";
    sign_in(deployed, SIGN_IN, "new@example.com").await;
    let invited = deployed.world.customer;
    let store = &deployed.straight.store;
    let token = CustomerToken::generate(invited).expect("a token");
    let (hash, created_at) = (token.hash(), deployed.world.clock.now());
    let invitation = Invitation { hash, created_at, inviter: None, role: Role::Member, invitee: None };
    store.put_invitation(invited, &invitation).await.expect("an invitation");
    let link = format!("{SIGN_IN}?invitation={}", token.reveal());
    visit(deployed, "GET", &link, "", "").await;
    sign_in(deployed, &link, "invited@example.com").await;
    let session = sign_in(deployed, SIGN_IN, "demo%40example.com").await;
    let made = json!({ "name": "To resume", "scopes": ["read"] });
    let key = deployed.ask(201, "POST", "/v1/api-keys", &made).await.json;
    let form = format!("id={}", key["id"].as_str().expect("an id"));
    for (method, page) in [("POST", "/stop"), ("GET", ""), ("POST", "/resume")] {
        visit(deployed, method, &format!("/dashboard/keys{page}"), &session, &form).await;
    }
    // Sent twice, the form reads the endpoint that it has made.
    let endpoint = "idempotency_key=1&url=https%3A%2F%2Fhooks.example.com%2F&events=all&shape=flat";
    let mut made = String::new();
    for _ in 0..2 {
        let (page, _) = visit(deployed, "POST", "/dashboard/webhooks", &session, endpoint).await;
        visit(deployed, "GET", &page, &session, "").await;
        made = page;
    }
    let (_, id) = made.split_once('?').expect("the id of the endpoint");
    visit(deployed, "POST", "/dashboard/webhooks/delete", &session, id).await;
    // An hour later the session's next request is recorded.
    let hash = CustomerToken::parse(session.split_once('=').expect("a pair").1).expect("a token").hash();
    let now = deployed.world.clock.now();
    let (_, known) = store.session(invited, &hash, now).await.expect("a store").expect("a session");
    store.touch_session(invited, &known, now - SignedDuration::from_hours(1)).await.expect("a store");
    visit(deployed, "GET", "/dashboard", &session, "").await;
    people(deployed, &session, store, invited).await;
    visit(deployed, "GET", "/dashboard/settings", &session, "").await;
    visit(deployed, "POST", "/dashboard/sign-out", &session, "sessions=all").await;
}
