//! The OpenAPI document against the running service: its examples are accepted, and every endpoint is called once.
//! [`super::contract`] validates the responses.

use super::contract::{check, document, operation};
use super::{described, parameters};
use crate::billing::webhooks::signed;
use crate::in_process;
use crate::world::{TestResponse, World, id_of};
use lambda_http::http::StatusCode;
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::domain::Plan;
use shared::routes::Authentication;
use std::collections::BTreeSet;
use std::sync::Arc;
use url::Url;

/// A world in which the accounts of the examples are connected, and whose first key has every scope.
async fn world() -> World {
    let world = World::connected("alpha_ads").await;
    world.connect("beta_ads", &[]).await;
    world.connect("delta_ads", &[]).await;
    let scopes = json!({"scopes": ["read", "write", "billing", "approve"]});
    world.ask("PATCH", "/v1/api-keys/key_default").json(&scopes).expect(200).await;
    world
}

/// An activation that waits for a person: its id, and the version of its review.
pub(super) async fn waiting(world: &World, name: &str) -> (String, String) {
    let campaign = id_of(&world.create("alpha_ads", name).await);
    let connections = world.connections().await;
    let connection = connections.iter().find(|one| one["platform"] == "alpha_ads").expect("a connection");
    let limit = json!({"connections": [connection["id"]], "approval": {"activation": true},
        "amounts": [{"currency": connection["currency"], "daily": 5_000}]});
    let key = json!({"name": name, "scopes": ["campaigns"], "spending_limit": limit});
    let key = world.ask("POST", "/v1/api-keys").json(&key).expect(201).await.json();
    let ask = world.ask("PATCH", &format!("/v1/campaigns/{campaign}"));
    let ask = ask.header("x-api-key", key["api_key"].as_str().expect("a key")).json(&json!({"status": "ACTIVE"}));
    let id = id_of(&ask.expect(202).await.json());
    let review = world.ask("GET", &format!("/v1/changes/{id}/review")).expect(200).await.json();
    (id, review["version"].as_str().expect("a version").to_owned())
}

/// The examples of an operation's body.
fn bodies(method: &str, path: &str) -> Vec<&'static Value> {
    let examples = &operation(method, path)["requestBody"]["content"]["application/json"]["examples"];
    examples.as_object().into_iter().flatten().map(|(_, example)| &example["value"]).collect()
}

#[tokio::test]
async fn every_request_example_is_accepted() {
    let world = world().await;
    let campaign = id_of(&world.create("alpha_ads", "The one to change").await);
    let connections = world.connections().await;
    let connection = id_of(&connections[0]);
    let key = id_of(&world.create_key("The one to change", &["read"]).await);
    let endpoint = id_of(&world.create_endpoint().await);
    let events = world.ask("GET", "/v1/events?type=change.applied").expect(200).await.json();
    let event = id_of(&events["events"][0]);
    let pause = json!({"status": "PAUSED", "all": true});
    let bulk = world.ask("POST", "/v1/campaigns/status").json(&pause).expect(202).await.json();
    let bulk = bulk["bulk_id"].as_str().expect("an id").to_owned();
    let mut taken = 0;
    for route in described() {
        // Made here, because the pause of all campaigns cancels what waits.
        let decides = route.path.ends_with("/approve") || route.path.ends_with("/reject");
        let (waiting, version) =
            if decides { waiting(&world, route.path).await } else { (String::new(), String::new()) };
        let id = match route.path.split('/').nth(2) {
            Some("campaigns") => &campaign,
            Some("changes") if decides => &waiting,
            Some("changes") => &bulk,
            Some("api-keys") => &key,
            Some("webhook-endpoints") => &endpoint,
            _ => &connection,
        };
        for body in bodies(route.method, route.path) {
            // Only some platforms have defaults of new campaigns.
            let platform = match &body["campaign_defaults"] {
                defaults if !defaults["language"].is_null() => Some("delta_ads"),
                defaults if !defaults["special_ad_categories"].is_null() => Some("beta_ads"),
                _ => None,
            };
            let of_platform = |one: &&Value| platform.is_some_and(|platform| one["platform"] == platform);
            let path = match connections.iter().find(of_platform) {
                Some(other) => route.path.replace("{id}", &id_of(other)),
                None => route.path.replace("{id}", id).replace("{external_ref}", "user42"),
            };
            let body = body.to_string().replace("conn_0123456789abcdef0123456789abcdef", &connection);
            let body = body.replace("evt_01a230d51280a1b2c3d4e5f60718293a", &event);
            let body = body.replace("alpha_1002003001_8001002003", &campaign);
            let body = body.replace("9b74c9897bac770ffc029102a200c5de0f3a1c5d7e8b2a4c6f9d1e3b5a7c8d90", &version);
            let body: Value = serde_json::from_str(&body).expect("JSON");
            let ask = world.ask(route.method, &path).json(&body);
            let ask = if body["percent"].is_null() { ask } else { ask.header("idempotency-key", &taken.to_string()) };
            let response = ask.send().await.expect("a response");
            assert!(response.status.is_success(), "{} {path} {body}: {response:?}", route.method);
            taken += 1;
        }
    }
    assert!(taken >= 13, "{taken}");
}

#[tokio::test]
async fn every_documented_parameter_is_accepted() {
    let world = world().await;
    for route in described() {
        let path = route
            .path
            .replace("{platform}", "alpha_ads")
            .replace("{id}", "x")
            .replace("{external_ref}", "x")
            .replace("{request_id}", "x");
        for name in parameters(operation(route.method, route.path), "query") {
            // The flat shape has no such field.
            let ask = world.ask(route.method, &format!("{path}?{name}=%00")).header("x-api-shape", "enveloped");
            let response = ask.send().await.expect("a response");
            assert!(!response.text.contains("is not a parameter"), "{} {path} {name}: {}", route.method, response.text);
        }
        let response = world.ask(route.method, &format!("{path}?no_such=1")).send().await.expect("a response");
        let takes_any = ["/v1/oauth/callback/{platform}", "/v1/billing/webhook"].contains(&route.path);
        assert!(
            takes_any || response.status == 400 || response.text.contains("such"),
            "{} {path}: {response:?}",
            route.method
        );
    }
}

#[tokio::test]
async fn exactly_the_endpoints_that_are_not_public_need_an_api_key() {
    let world = World::start().await;
    for route in described() {
        let path = route
            .path
            .replace("{platform}", "alpha_ads")
            .replace("{id}", "x")
            .replace("{external_ref}", "x")
            .replace("{request_id}", "x")
            .replace("{bulk_id}", "x");
        let response = world.ask(route.method, &path).without("x-api-key").send().await.expect("a response");
        let needs_key = route.authentication != Authentication::Public;
        assert_eq!(response.status == 401, needs_key, "{} {path}: {response:?}", route.method);
    }
}

/// Calls endpoints by their routes and records which.
struct RecordingClient<'a> {
    world: &'a World,
    seen: BTreeSet<(String, String)>,
}

impl RecordingClient<'_> {
    async fn ask(
        &mut self,
        method: &str,
        route: &str,
        parameter: &str,
        body: Option<Value>,
        status: u16,
    ) -> TestResponse {
        self.seen.insert((method.to_owned(), route.to_owned()));
        let (before, rest) = route.split_once('{').unwrap_or((route, "}"));
        let path = format!("{before}{parameter}{}", rest.split_once('}').expect("a parameter").1);
        let ask = self.world.ask(method, &path);
        let ask = if let Some(body) = body { ask.json(&body) } else { ask };
        ask.expect(status).await
    }
}

#[tokio::test]
async fn every_response_matches_the_document() {
    let world = world().await;
    let mut client = RecordingClient { world: &world, seen: BTreeSet::new() };
    campaigns(&mut client).await;
    connections(&mut client).await;
    webhook_endpoints(&mut client).await;
    account(&mut client).await;
    let all: BTreeSet<_> = described().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
    assert_eq!(client.seen, all);
}

async fn campaigns(client: &mut RecordingClient<'_>) {
    let (all, one) = ("/v1/campaigns", "/v1/campaigns/{id}");
    let create = json!({"name": "Toured", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "alpha_ads"});
    let made = client.ask("POST", all, "", Some(create), 201).await;
    let id = id_of(&made.json());
    let request_id = made.header("x-request-id").to_owned();
    client.ask("GET", all, "", None, 200).await;
    client.ask("GET", one, &id, None, 200).await;
    client.ask("GET", "/v1/campaigns/{id}/insights", &id, None, 200).await;
    client.ask("GET", "/v1/campaigns/{id}/delivery", &id, None, 200).await;
    client.ask("GET", "/v1/insights", "", None, 200).await;
    client.ask("GET", "/v1/campaigns/intents/{request_id}", &request_id, None, 200).await;
    let changed = client.ask("PATCH", one, &id, Some(json!({"status": "ACTIVE"})), 200).await;
    client.ask("GET", "/v1/changes", "", None, 200).await;
    client.ask("GET", "/v1/changes/{id}", changed.header("change-id"), None, 200).await;
    scheduled_change(client, &id).await;
    approvals(client).await;
    client.ask("DELETE", one, &id, None, 204).await;
    client.ask("DELETE", one, &id, None, 404).await;
    client.ask("GET", "/v1/platforms", "", None, 200).await;
    client.ask("GET", "/v1/health", "", None, 200).await;
    let served = client.ask("GET", "/v1/openapi.json", "", None, 200).await;
    assert_eq!(served.json(), *document());
    let page = client.ask("GET", "/v1/docs", "", None, 200).await;
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    for response in [served, page] {
        let headers = (response.header("cache-control"), response.header("x-content-type-options"));
        assert_eq!(headers, ("public, max-age=300", "nosniff"));
    }
}

/// Changes for later, and one status for many campaigns.
async fn scheduled_change(client: &mut RecordingClient<'_>, id: &str) {
    let at = shared::clock::Clock::system().now() + jiff::SignedDuration::from_hours(1);
    let scheduled = format!("{id}?apply_at={}", jiff::Timestamp::from_second(at.as_second()).expect("a time"));
    let one = "/v1/campaigns/{id}";
    let change = client.ask("PATCH", one, &scheduled, Some(json!({"name": "Renamed"})), 202).await;
    client.ask("DELETE", one, &scheduled, None, 202).await;
    let change = change.header("change-id").to_owned();
    client.ask("POST", "/v1/changes/{id}/cancel", &change, None, 200).await;
    client.ask("POST", "/v1/changes/{id}/cancel", &change, None, 409).await;
    client.ask("PATCH", one, id, Some(json!({"end_at": "2031-07-31"})), 200).await;
    let pause = json!({"status": "PAUSED", "all": true});
    let bulk = client.ask("POST", "/v1/campaigns/status", "", Some(pause), 202).await.json();
    let bulk = bulk["bulk_id"].as_str().expect("an id");
    client.ask("GET", "/v1/campaigns/status/{bulk_id}", bulk, None, 200).await;
    let undo = "/v1/changes/{id}/undo";
    client.ask("POST", undo, bulk, None, 202).await;
    let percent = json!({"percent": "10", "ids": [id]});
    client.ask("POST", "/v1/campaigns/budgets", "", Some(percent), 400).await;
    let amounts = json!({"budgets": [{"id": id, "budget_amount": 61}]});
    let raised = client.ask("POST", "/v1/campaigns/budgets", "", Some(amounts), 202).await.json();
    let raised = raised["changes"][0].as_str().expect("an id");
    client.ask("POST", undo, raised, None, 200).await;
    client.ask("POST", undo, &change, None, 200).await;
    client.ask("POST", undo, raised, Some(json!({"changes": [raised]})), 202).await;
    client.ask("POST", undo, "chg_1", None, 404).await;
}

/// A change that a person approves in the customer's product, and one that they reject.
async fn approvals(client: &mut RecordingClient<'_>) {
    let [review, approve, reject] = ["review", "approve", "reject"].map(|part| format!("/v1/changes/{{id}}/{part}"));
    let (id, version) = waiting(client.world, "Asked for").await;
    let enveloped = client.world.ask("GET", &format!("/v1/changes/{id}/review")).header("x-api-shape", "enveloped");
    assert_eq!(enveloped.expect(200).await.json()["data"]["version"], version);
    client.ask("GET", &review, &id, None, 200).await;
    client.ask("POST", &approve, &id, Some(json!({"approved_by": "Ada"})), 400).await;
    client.ask("POST", &approve, &id, Some(json!({"version": "other", "approved_by": "Ada"})), 409).await;
    for _ in 0..2 {
        client.ask("POST", &approve, &id, Some(json!({"version": version, "approved_by": "Ada"})), 200).await;
    }
    client.ask("GET", &review, &id, None, 409).await;
    let (id, _) = waiting(client.world, "Asked for again").await;
    client.ask("POST", &reject, &id, Some(json!({"rejected_by": "Ada", "reason": "Too much."})), 200).await;
    client.ask("POST", &reject, "chg_1", Some(json!({"rejected_by": "Ada"})), 404).await;
}

async fn connections(client: &mut RecordingClient<'_>) {
    let id = id_of(&client.ask("GET", "/v1/connections", "", None, 200).await.json()["connections"][0]);
    client.ask("POST", "/v1/connections/sync", "", None, 200).await;
    client.ask("GET", "/v1/connections/{id}", &id, None, 200).await;
    client.ask("PATCH", "/v1/connections/{id}", &id, Some(json!({"label": "Toured"})), 200).await;
    client.ask("DELETE", "/v1/connections/{id}", &id, None, 204).await;
    client.ask("GET", "/v1/connections/{platform}/authorize", "zeta_ads", None, 200).await;
    client.ask("GET", "/v1/oauth/callback/{platform}", "zeta_ads", None, 400).await;
    client.ask("GET", "/v1/oauth/callback/{platform}", "eta_ads", None, 404).await;
    let made = client.ask("POST", "/v1/redirect-uris", "", Some(json!({"uri": "https://example.com/"})), 201).await;
    client.ask("GET", "/v1/redirect-uris", "", None, 200).await;
    confirmed(client).await;
    client.ask("DELETE", "/v1/redirect-uris/{id}", &id_of(&made.json()["data"]), None, 204).await;
}

/// A consent that connects nothing before it is confirmed.
async fn confirmed(client: &mut RecordingClient<'_>) {
    let world = client.world;
    let path = "/v1/connections/zeta_ads/authorize?confirm=true&redirect_uri=https%3A%2F%2Fexample.com%2F";
    let begun = world.ask("GET", path).expect(200).await.json();
    let id = begun["connection_id"].as_str().expect("an id");
    let callback = world.consent(begun["authorize_url"].as_str().expect("an address"), "approve", &[]).await;
    let back = world.request("GET", &callback).expect(302).await;
    let back = Url::parse(back.header("location")).expect("an address");
    let code = back.query_pairs().find(|(name, _)| name == "confirmation_code").expect("a code").1.into_owned();
    const USER: &str = "/v1/users/{external_ref}";
    client.ask("GET", USER, "user41", None, 404).await;
    let limit = json!({"label": "Shop", "spending_limit": {"amounts": [{"currency": "USD", "daily": 5}]}});
    client.ask("PUT", USER, "user41", Some(limit), 200).await;
    client.ask("GET", "/v1/users", "", None, 200).await;
    client.ask("GET", USER, "user41", None, 200).await;
    client.ask("POST", "/v1/users/{external_ref}/pause", "user41", None, 200).await;
    client.ask("POST", "/v1/users/{external_ref}/resume", "user41", None, 409).await;
    client.ask("GET", "/v1/users/{external_ref}/export", "user41", None, 200).await;
    client.ask("DELETE", "/v1/users/{external_ref}", "user41?erase=true", None, 202).await;
    let confirm = "/v1/connections/{id}/confirm";
    client.ask("POST", confirm, id, Some(json!({"confirmation_code": 1})), 400).await;
    client.ask("POST", confirm, id, Some(json!({"confirmation_code": "x"})), 409).await;
    client.ask("POST", confirm, id, Some(json!({"confirmation_code": code})), 200).await;
    client.ask("POST", confirm, id, Some(json!({"confirmation_code": code})), 409).await;
}

async fn webhook_endpoints(client: &mut RecordingClient<'_>) {
    const ALL: &str = "/v1/webhook-endpoints";
    const ONE: &str = "/v1/webhook-endpoints/{id}";
    // Nobody listens there.
    let body = json!({"url": "http://127.0.0.1:9/webhooks", "types": ["*"]});
    let id = id_of(&client.ask("POST", ALL, "", Some(body), 201).await.json());
    client.ask("GET", ALL, "", None, 200).await;
    client.ask("GET", ONE, &id, None, 200).await;
    client.ask("GET", "/v1/events", "", None, 200).await;
    client.ask("POST", "/v1/webhook-endpoints/{id}/test", &id, None, 200).await;
    let since = shared::clock::Clock::system().now() - jiff::SignedDuration::from_hours(1);
    let replay = "/v1/webhook-endpoints/{id}/replay";
    client.ask("POST", replay, &id, Some(json!({"since": since.to_string()})), 202).await;
    client.ask("POST", replay, &id, Some(json!({})), 400).await;
    client.ask("GET", "/v1/webhook-endpoints/{id}/deliveries", &id, None, 200).await;
    client.ask("PATCH", ONE, &id, Some(json!({"types": ["change.applied"], "status": "disabled"})), 200).await;
    client.ask("POST", "/v1/webhook-endpoints/{id}/rotate-secret", &id, None, 200).await;
    client.ask("DELETE", ONE, &id, None, 204).await;
}

async fn account(client: &mut RecordingClient<'_>) {
    client.ask("GET", "/v1/usage-logs", "", None, 200).await;
    client.ask("GET", "/v1/customer/me", "", None, 200).await;
    client.ask("GET", "/v1/billing/status", "", None, 200).await;
    client.ask("POST", "/v1/billing/create-checkout-session", "", Some(json!({"plan": "pro"})), 200).await;
    client.ask("POST", "/v1/billing/portal", "", None, 200).await;
    client.ask("GET", "/v1/billing/return", "", None, 200).await;
    client.ask("POST", "/v1/billing/webhook", "", Some(json!({})), 400).await;
    let world = client.world;
    let event = r#"{"id":"evt_1","type":"other","data":{"object":{}}}"#;
    let signature = signed(&world.gateway.webhook_secret, Clock::system().now().as_second(), event);
    let ask = world.ask("POST", "/v1/billing/webhook").header("stripe-signature", &signature);
    ask.text("application/json", event).expect(200).await;
    let made = client.ask("POST", "/v1/api-keys", "", Some(json!({"name": "Toured", "scopes": ["read"]})), 201).await;
    client.ask("GET", "/v1/api-keys", "", None, 200).await;
    client.ask("PATCH", "/v1/api-keys/{id}", &id_of(&made.json()), Some(json!({"name": "Again"})), 200).await;
    client.ask("GET", "/v1/limits", "", None, 200).await;
    for (method, status) in [("tools/list", 200), ("ping", 200), ("server/discover", 200)] {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
        client.ask("POST", "/v1/mcp", "", Some(message), status).await;
    }
    client.ask("POST", "/v1/mcp", "", Some(json!({})), 400).await;
    client.ask("POST", "/v1/api-keys/{id}/stop", &id_of(&made.json()), None, 200).await;
    client.ask("DELETE", "/v1/api-keys/{id}", &id_of(&made.json()), None, 204).await;
    client.ask("POST", "/v1/api-keys/rotate", "", None, 200).await;
    client.ask("GET", "/v1/customer/me", "", None, 401).await;
}

#[tokio::test]
async fn the_document_needs_no_key_and_is_served_without_the_prefix_too() {
    let world = World::start().await;
    for path in ["/v1/openapi.json", "/openapi.json", "/v1/docs", "/docs", "/v1/docs/campaigns", "/docs/campaigns"] {
        world.ask("GET", path).without("x-api-key").expect(200).await;
    }
    for method in ["QUERY", "TRACE", "OPTIONS", "PUT", "BREW"] {
        let response = world.ask(method, "/v1/docs").expect(405).await;
        assert_eq!(response.header("allow"), "GET, HEAD", "{method}");
        check(method, "/v1/docs", &response);
    }
}

#[tokio::test]
async fn head_of_the_document_has_the_headers_of_get() {
    let world = World::start().await;
    for (path, status) in [
        ("/v1/docs", 200),
        ("/docs/campaigns", 200),
        ("/v1/openapi.json?shape=flat", 200),
        ("/v1/platforms", 200),
        ("/v1/health", 200),
        ("/v1/docs/nothing", 404),
        ("/v1/openapi.json?shape=odd", 400),
    ] {
        let shown = world.ask("GET", path).without("x-api-key").expect(status).await;
        let head = world.ask("HEAD", path).without("x-api-key").expect(status).await;
        assert_eq!((head.text.as_str(), head.header("content-type")), ("", shown.header("content-type")), "{path}");
    }
}

/// The local server drops the body of any response to HEAD, so this asks the function itself.
#[tokio::test]
async fn head_of_the_document_has_no_body_on_any_server() {
    let world = in_process::World::new(in_process::clock(1), Plan::Starter).await;
    let app = Arc::new(world.straight());
    for path in ["/v1/docs", "/v1/openapi.json"] {
        let [shown, head] = ["GET", "HEAD"].map(|method| world.request(method, path, &[], ""));
        let (shown, head) = (in_process::respond(&app, shown).await, in_process::respond(&app, head).await);
        assert_eq!((shown.status(), shown.body().is_empty()), (StatusCode::OK, false), "{path}");
        assert_eq!((head.status(), head.body().is_empty()), (StatusCode::OK, true), "{path}");
    }
}

#[tokio::test]
async fn head_of_an_endpoint_with_a_key_is_get_without_a_body() {
    let world = World::connected("alpha_ads").await;
    for path in ["/v1/campaigns", "/v1/customer/me", "/v1/connections", "/v1/usage-logs"] {
        let (shown, head) = (world.ask("GET", path).expect(200).await, world.ask("HEAD", path).expect(200).await);
        assert_eq!((head.text.as_str(), head.header("content-type")), ("", shown.header("content-type")), "{path}");
    }
    world.ask("HEAD", "/v1/campaigns").without("x-api-key").expect(401).await;
    world.ask("HEAD", "/v1/campaigns/alpha_1_2").expect(404).await;
    world.ask("HEAD", "/v1/connections/alpha_ads/authorize").expect(405).await;
}
