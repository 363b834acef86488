//! Every request ends in time when a dependency hangs: within 28 s as deployed, 3 s after the limit for platform calls.
//! These tests shorten that limit.

mod case;

use crate::faults::slow_store;
use crate::world::{World, campaign, platforms};
use case::{Case, send_all};
use serde_json::{Value, json};
use std::time::Duration;

/// Limit for platform calls: long enough for a busy machine to send every request.
const PLATFORM_TIMEOUT: Duration = Duration::from_secs(4);
/// Delay of a hanging dependency.
const HANG_MS: u64 = 60_000;

/// The platforms and the payment provider.
fn dependencies() -> impl Iterator<Item = &'static str> {
    platforms().into_iter().map(|(platform, _)| platform).chain(["stripe"])
}

/// The platforms on which a create first looks something up, such as a campaign group or a pixel.
async fn look_up_first(world: &World) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (platform, _) in platforms() {
        let before = world.received(platform).await.len();
        world.create(platform, "Its first call").await;
        if world.received(platform).await[before]["method"] == "GET" {
            found.push(platform);
        }
    }
    found
}

async fn on_all_platforms(world: &World, name: &str) -> Value {
    let connections = world.connections().await;
    let target = |connection: &Value| {
        let platform = connection["platform"].as_str().expect("a platform").trim_end_matches("_ads").to_uppercase();
        json!({"platform": platform, "organization_id": connection["remote_account_id"]})
    };
    let targets: Vec<Value> = connections.iter().map(target).collect();
    assert_eq!(targets.len(), platforms().len());
    json!({"name": name, "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY", "targets": targets})
}

/// Path and query of a URL of the service.
fn path_of(url: &str) -> String {
    let at = url.find("/v1/").unwrap_or_else(|| panic!("not a URL of the service: {url}"));
    url[at..].to_owned()
}

/// Creates with and without a key, in one account and in all.
async fn creates(world: &World) -> Vec<Case> {
    let mut cases: Vec<Case> =
        platforms().map(|(platform, _)| Case::create(None, campaign(platform, "Single"))).into_iter().collect();
    cases.push(Case::create(Some("one"), campaign("beta_ads", "Keyed")));
    cases.push(Case::create(None, on_all_platforms(world, "Everywhere").await));
    cases.push(Case::create(Some("all"), on_all_platforms(world, "Keyed everywhere").await));
    cases
}

/// Every other request that calls platforms or the payment provider.
async fn others(world: &World) -> Vec<Case> {
    let mut cases = vec![
        Case::new("GET", "/v1/campaigns", Value::Null),
        Case::new("POST", "/v1/connections/sync", Value::Null),
        Case::new("POST", "/v1/billing/create-checkout-session", json!({"plan": "pro"})),
        Case::new("POST", "/v1/billing/portal", json!({})),
    ];
    for (platform, _) in platforms() {
        let created = world.create(platform, "There already").await;
        let path = format!("/v1/campaigns/{}", created["id"].as_str().expect("an id"));
        cases.push(Case::new("GET", path.as_str(), Value::Null));
        cases.push(Case::new("PATCH", path.as_str(), json!({"name": "Renamed"})));
        cases.push(Case::new("DELETE", path, Value::Null));
        let url = world.authorize(platform).await;
        cases.push(Case::new("GET", path_of(&world.consent(&url, "approve", &[]).await), Value::Null));
    }
    cases
}

async fn check_hanging_dependencies(fault: &str) {
    let world = World::connected_to_all().await;
    let app = world.another(|config| config.platform_timeout = PLATFORM_TIMEOUT).await;
    let look_up_first = look_up_first(&world).await;
    let (creates, others) = (creates(&world).await, others(&world).await);
    for dependency in dependencies() {
        world.slow_fault(dependency, "any", fault, 10_000, HANG_MS).await;
    }
    let api_key = &world.gateway.api_key;
    let (creates, others) = tokio::join!(send_all(&app, api_key, creates), send_all(&app, api_key, others));
    for case in &creates {
        match case.body["platform"].as_str() {
            Some(platform) if look_up_first.contains(&platform) => case.assert_platform_error(true),
            _ => case.assert_unknown(),
        }
        for (platform, state) in case.create_states(&world).await {
            let expected = if look_up_first.contains(&platform.as_str()) { "not_created" } else { "unknown" };
            assert_eq!(state, expected, "{platform}: {case:?}");
        }
    }
    for case in &others {
        match case.path.as_str() {
            // The response reports each connection separately.
            "/v1/connections/sync" => assert!([200, 502, 503, 504].contains(&case.status), "{case:?}"),
            path if path.starts_with("/v1/oauth/") => {
                assert!([502, 504].contains(&case.status) && case.response.contains("<html"), "{case:?}");
            }
            _ => {
                assert!([502, 503, 504].contains(&case.status), "{case:?}");
                assert_eq!(case.error()["code"], "PLATFORM_ERROR", "{case:?}");
            }
        }
    }
}

#[tokio::test]
async fn platforms_that_act_and_never_respond_delay_no_caller() {
    check_hanging_dependencies("slow").await;
}

#[tokio::test]
async fn platforms_that_act_late_delay_no_caller() {
    check_hanging_dependencies("late").await;
}

#[tokio::test]
async fn a_store_that_hangs_at_authentication_delays_no_caller() {
    let world = World::connected_to_all().await;
    let mut cases = creates(&world).await;
    cases.extend(others(&world).await);
    for (method, path) in [
        ("GET", "/v1/connections"),
        ("GET", "/v1/connections/alpha_ads/authorize"),
        ("GET", "/v1/customer/me"),
        ("GET", "/v1/billing/status"),
        ("GET", "/v1/usage-logs"),
        ("GET", "/v1/redirect-uris"),
        ("GET", "/v1/webhook-endpoints"),
        ("GET", "/v1/api-keys"),
        ("POST", "/v1/api-keys/rotate"),
    ] {
        cases.push(Case::new(method, path, Value::Null));
    }
    world.control("POST", "reset").expect(200).await;
    // The backlog accepts connections; no server responds.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", silent.local_addr().expect("an address"));
    let app = world
        .another(|config| {
            config.platform_timeout = Duration::from_secs(1);
            config.aws.dynamodb_endpoint = Some(endpoint);
        })
        .await;
    for case in send_all(&app, &world.gateway.api_key, cases).await {
        assert!([500, 502, 504].contains(&case.status), "{case:?}");
        if !case.path.starts_with("/v1/oauth/") {
            let code = case.error()["code"].clone();
            assert!([json!("INTERNAL_ERROR"), json!("PLATFORM_ERROR")].contains(&code), "{case:?}");
        }
    }
    for dependency in dependencies() {
        assert_eq!(world.received(dependency).await.len(), 0, "{dependency}");
    }
}

#[tokio::test]
async fn a_store_that_hangs_after_the_create_delays_no_caller() {
    let world = World::connected_to_all().await;
    let cases = creates(&world).await;
    // Writes after a campaign was created, and at the end of a request with a key.
    let endpoint = slow_store::start(&world.endpoints().0, &["campaign_id = :campaign", ":ended"]);
    let app = world
        .another(|config| {
            config.platform_timeout = PLATFORM_TIMEOUT;
            config.aws.dynamodb_endpoint = Some(endpoint);
        })
        .await;
    let cases = send_all(&app, &world.gateway.api_key, cases).await;
    let expected: usize = cases.iter().map(|case| case.body["targets"].as_array().map_or(1, Vec::len)).sum();
    for case in &cases {
        // The response may be 201 although its create is not stored yet.
        if case.status != 201 {
            case.assert_unknown();
        }
        assert!(case.create_states(&world).await.iter().all(|(_, state)| state == "unknown"), "{case:?}");
    }
    let mut created = 0;
    for (platform, _) in platforms() {
        created += world.campaigns_at(platform).await;
    }
    assert_eq!(created, expected, "every campaign is created once");
    let report = maintenance::run(&world.later(120).await).await.expect("maintenance runs to its end");
    assert_eq!((report.changes, report.failed), (expected, 0));
    for case in &cases {
        assert!(case.create_states(&world).await.iter().all(|(_, state)| state == "created"), "{case:?}");
    }
}

#[tokio::test]
async fn a_store_that_hangs_after_a_hanging_platform_delays_no_caller() {
    let world = World::connected_to_all().await;
    let cases = creates(&world).await;
    for (platform, _) in platforms() {
        world.slow_fault(platform, "create", "late", 10_000, HANG_MS).await;
    }
    // Writes after a create with an unknown outcome, and at the end of a request with a key.
    let endpoint = slow_store::start(&world.endpoints().0, &["SET due_at = :due, #until = :until", ":ended"]);
    let app = world
        .another(|config| {
            config.platform_timeout = PLATFORM_TIMEOUT;
            config.aws.dynamodb_endpoint = Some(endpoint);
        })
        .await;
    for case in send_all(&app, &world.gateway.api_key, cases).await {
        case.assert_unknown();
        assert!(case.create_states(&world).await.iter().all(|(_, state)| state == "unknown"), "{case:?}");
    }
}
