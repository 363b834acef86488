//! `/v1/connections`: list, authorize, and connections whose grant or token fails.

use crate::world::{World, campaign};
use serde_json::{Value, json};

#[tokio::test]
async fn authorize_answers_the_consent_page_and_a_pending_connection_shows() {
    let world = World::start().await;
    let response = world.ask("GET", "/v1/connections/alpha_ads/authorize").expect(200).await.json();
    assert_eq!(response["platform"], "alpha_ads");
    let url = url::Url::parse(response["authorize_url"].as_str().expect("an address")).expect("an address");
    let query: std::collections::BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    assert_eq!(url.path(), "/alpha_ads/o/oauth2/v2/auth", "scheme and host are replaced, the path is kept");
    assert_eq!(query["response_type"], "code");
    assert_eq!(query["code_challenge_method"], "S256");
    assert_eq!((query["access_type"].as_str(), query["prompt"].as_str()), ("offline", "consent"));
    assert_eq!(query["scope"], "https://www.googleapis.com/auth/adwords");
    assert_eq!(query["state"].len(), 43);
    assert_eq!(query["redirect_uri"], format!("{}/v1/oauth/callback/alpha_ads", world.gateway.url()));

    let connections = world.connections().await;
    assert_eq!(connections.len(), 1);
    let pending = &connections[0];
    assert_eq!((&pending["status"], &pending["remote_account_id"]), (&json!("PENDING"), &json!("")));
    assert_eq!((&pending["label"], &pending["last_synced_at"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_consent_to_several_accounts_makes_a_connection_for_each() {
    let world = World::start().await;
    let url = world.authorize("alpha_ads").await;
    let pending = world.connections().await[0]["id"].clone();
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let back = world.consent(&url, "approve", &[&accounts[0], &accounts[2]]).await;
    let page = world.request("GET", &back).expect(200).await;
    assert!(page.header("content-type").starts_with("text/html"));
    for text in [accounts[0].as_str(), accounts[2].as_str(), "demo@example.com"] {
        assert!(page.text.contains(text), "the page names {text}: {}", page.text);
    }
    let connections = world.connections().await;
    let mut connected: Vec<&str> =
        connections.iter().map(|connection| connection["remote_account_id"].as_str().expect("an id")).collect();
    connected.sort_unstable();
    let mut expected = [accounts[0].as_str(), accounts[2].as_str()];
    expected.sort_unstable();
    assert_eq!(connected, expected);
    assert!(connections.iter().all(|connection| connection["status"] == "ACTIVE"));
    assert!(connections.iter().any(|connection| connection["id"] == pending));
}

#[tokio::test]
async fn authorising_an_account_again_keeps_its_connection_id() {
    let world = World::connected("alpha_ads").await;
    let first = world.connections().await;
    world.connect("alpha_ads", &[]).await;
    let again = world.connections().await;
    assert_eq!(again.len(), 1);
    assert_eq!(again[0]["id"], first[0]["id"]);
    assert_eq!(again[0]["created_at"], first[0]["created_at"]);
    world.create("alpha_ads", "after the second consent").await;
}

#[tokio::test]
async fn an_unknown_platform_is_404_and_an_unknown_parameter_is_400() {
    let world = World::start().await;
    for word in ["google", "ALPHA", "alpha", "alpha_ads%2f"] {
        world.ask("GET", &format!("/v1/connections/{word}/authorize")).expect(404).await;
    }
    world.ask("GET", "/v1/connections/alpha_ads/authorize?scope=all").expect(400).await;
    world.ask("GET", "/v1/connections?x=1").expect(400).await;
    world.ask("GET", "/v1/connections").without("x-api-key").expect(401).await;
    world.ask("GET", "/v1/connections/alpha_ads/authorize").header("x-api-key", "no").expect(401).await;
}

#[tokio::test]
async fn connections_are_flat_for_any_shape_header() {
    let world = World::connected("alpha_ads").await;
    let response = world.ask("GET", "/v1/connections").header("x-api-shape", "enveloped").expect(200).await;
    assert_eq!(response.json()["connections"][0]["platform"], "alpha_ads");
    let response = world.ask("GET", "/v1/connections?x=1").header("x-api-shape", "enveloped").expect(400).await;
    assert_eq!(response.json()["code"], "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_token_close_to_expiry_is_refreshed_within_the_request() {
    let world = World::connected("alpha_ads").await;
    world.let_access_tokens_run_out().await;
    world.create("alpha_ads", "after the refresh").await;
    assert_eq!(world.refreshes("alpha_ads").await, 1);
    world.create("alpha_ads", "with the fresh token").await;
    assert_eq!(world.refreshes("alpha_ads").await, 1);
}

#[tokio::test]
async fn many_requests_at_the_moment_of_expiry_refresh_once() {
    let world = World::connected("alpha_ads").await;
    world.let_access_tokens_run_out().await;
    let reads = (0..20).map(|_| world.ask("GET", "/v1/campaigns").expect(200));
    futures_util::future::join_all(reads).await;
    assert_eq!(world.refreshes("alpha_ads").await, 1);
}

#[tokio::test]
async fn a_revoked_grant_is_424_until_the_account_is_authorized_again() {
    let world = World::connected("alpha_ads").await;
    world.fault("alpha_ads", "any", "revoked", 1).await;
    let response = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "n")).expect(424).await;
    let error = response.json();
    assert_eq!((&error["code"], &error["retryable"]), (&json!("TOKEN_EXPIRED"), &json!(false)));
    assert_eq!(error["platform"], "alpha_ads");
    assert_eq!(response.header("link"), "</v1/connections/alpha_ads/authorize>; rel=\"reauthorize\"");
    let connections = world.connections().await;
    assert_eq!(connections[0]["status"], "REVOKED");

    let response = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "n")).expect(403).await;
    assert_eq!(response.json()["code"], "FORBIDDEN", "it was not active to begin with");
    let response = world.ask("GET", "/v1/campaigns").expect(424).await;
    assert_eq!(response.json()["code"], "TOKEN_EXPIRED", "a dead connection is never just missing from the list");

    world.connect("alpha_ads", &[]).await;
    assert_eq!(world.connections().await[0]["status"], "ACTIVE");
    assert_eq!(world.connections().await[0]["id"], connections[0]["id"]);
    world.create("alpha_ads", "n").await;
}

#[tokio::test]
async fn a_revoked_connection_stays_revoked_as_do_others_of_its_grant() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    let account = &accounts[0];
    let body = json!({"name": "n", "goal": "SALES", "budget_amount": 5, "budget_period": "DAILY", "platform": "ALPHA",
        "organization_id": account});
    let made = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    let path = format!("/v1/campaigns/{}", made["data"]["id"].as_str().expect("an id"));
    world.fault("alpha_ads", "get", "revoked", 1).await;
    world.ask("GET", &path).expect(424).await;
    let before = world.received("alpha_ads").await.len();
    for method in ["GET", "DELETE"] {
        world.ask(method, &path).expect(424).await;
    }
    assert_eq!(world.received("alpha_ads").await.len(), before, "nobody asks with a dead grant");
    assert!(world.connections().await.iter().all(|connection| connection["status"] == "REVOKED"));
}

#[tokio::test]
async fn a_failing_token_endpoint_fails_no_request_of_a_valid_token() {
    let world = World::start().await;
    world.connect("alpha_ads", &[]).await;
    world.let_access_tokens_near_their_end().await;
    world.fault("alpha_ads", "refresh", "error", 1).await;
    world.create("alpha_ads", "with the old token").await;
    assert_eq!(world.refreshes("alpha_ads").await, 1, "it was tried");
    assert_eq!(world.connections().await[0]["status"], "ACTIVE");
}

#[tokio::test]
async fn one_failure_of_a_platform_does_not_change_the_connection() {
    let world = World::connected("alpha_ads").await;
    for fault in ["error", "drop", "garbage", "throttle"] {
        world.fault("alpha_ads", "list", fault, 9).await;
        let response = world.ask("GET", "/v1/campaigns").send().await.expect("a response");
        world.no_fault("alpha_ads", "list", fault).await;
        assert!(!response.status.is_success(), "{fault}");
        assert_eq!(world.connections().await[0]["status"], "ACTIVE", "{fault}");
    }
}

#[tokio::test]
async fn tokens_are_sealed_in_the_table() {
    let world = World::connected("alpha_ads").await;
    let requests = world.received("alpha_ads").await;
    let bearer = requests.iter().find_map(|request| request["headers"]["authorization"].as_str());
    let token = bearer.expect("a call with a token").trim_start_matches("Bearer ").to_owned();
    let items = world.table_dump().await;
    assert!(items.contains("LINK#GRANT#"), "the dump holds the grant");
    for secret in [token.as_str(), world.gateway.api_key.as_str()] {
        assert!(!items.contains(secret), "a secret lies open in the table");
    }
}
