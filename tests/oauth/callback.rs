//! `GET /v1/oauth/callback/{platform}`: returns from a consent page. Forged callbacks are in
//! [`crate::endpoints::callback_attacks`].

use crate::house::table::GRANT;
use crate::world::{TestResponse, World, id_of, is_manager};
use serde_json::Value;
use shared::auth::ApiKey;
use url::Url;

/// Approves a consent; returns the callback URL without opening it.
pub(crate) async fn consented(world: &World) -> Url {
    consented_as(world, &world.gateway.api_key, "alpha_ads").await
}

/// Like [`consented`], at any platform, for the customer with this key.
pub(crate) async fn consented_as(world: &World, key: &str, platform: &str) -> Url {
    let url = world.authorize_as(key, platform).await;
    Url::parse(&world.consent(&url, "approve", &[]).await).expect("an address")
}

/// Opens a callback URL as a browser does. Asserts its status, and headers that forbid framing and caching.
pub(crate) async fn open(world: &World, url: &str, status: u16) -> TestResponse {
    let page = world.request("GET", url).expect(status).await;
    for (name, value) in
        [("cache-control", "no-store"), ("x-frame-options", "DENY"), ("x-content-type-options", "nosniff")]
    {
        assert_eq!(page.header(name), value);
    }
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert!(page.header("content-type").starts_with("text/html"));
    page
}

/// Number of token requests that Google Ads received.
pub(crate) async fn token_requests(world: &World) -> usize {
    let requests = world.received("alpha_ads").await;
    requests.iter().filter(|request| request["path"] == "/token").count()
}

/// Statuses of connections, in their order.
pub(crate) fn statuses(connections: &[Value]) -> Vec<&str> {
    connections.iter().map(|connection| connection["status"].as_str().expect("a status")).collect()
}

#[tokio::test]
async fn a_callback_works_once() {
    let world = World::start().await;
    let back = consented(&world).await;
    open(&world, back.as_str(), 200).await;
    open(&world, back.as_str(), 400).await;
    assert_eq!(token_requests(&world).await, 1);
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"]);
}

#[tokio::test]
async fn an_expired_state_is_refused_and_its_connection_is_hidden() {
    let world = World::start().await;
    let back = consented(&world).await;
    world.let_authorizations_run_out().await;
    open(&world, back.as_str(), 400).await;
    assert_eq!(token_requests(&world).await, 0);
    assert_eq!(world.connections().await.len(), 0);
}

#[tokio::test]
async fn one_of_fifty_concurrent_callbacks_with_one_state_succeeds() {
    let world = World::start().await;
    let back = consented(&world).await;
    let calls = (0..50).map(|_| world.request("GET", back.as_str()).send());
    let responses = futures_util::future::join_all(calls).await;
    let succeeded =
        responses.iter().filter(|response| response.as_ref().is_ok_and(|response| response.status == 200)).count();
    let rejected =
        responses.iter().filter(|response| response.as_ref().is_ok_and(|response| response.status == 400)).count();
    assert_eq!((succeeded, rejected), (1, 49));
    assert_eq!(token_requests(&world).await, 1);
}

#[tokio::test]
async fn a_denied_consent_shows_a_page_and_deletes_the_pending_connection() {
    let world = World::start().await;
    let url = world.authorize("alpha_ads").await;
    let back = world.consent(&url, "deny", &[]).await;
    let page = open(&world, &back, 200).await;
    assert!(page.text.contains("Not connected"));
    assert_eq!(world.connections().await.len(), 0);
    open(&world, &back, 400).await;
}

#[tokio::test]
async fn a_callback_with_another_oauth_error_is_400_and_names_it() {
    let world = World::start().await;
    for (error, status) in [("invalid_scope", 400), ("server_error", 400), ("user_cancelled_login", 200)] {
        let url = Url::parse(&world.authorize("alpha_ads").await).expect("an address");
        let state = url.query_pairs().find(|(name, _)| name == "state").expect("a state").1.into_owned();
        let back = format!("{}/v1/oauth/callback/alpha_ads?state={state}&error={error}", world.gateway.url());
        let page = open(&world, &back, status).await;
        assert_eq!(page.text.contains(error), status == 400, "{}", page.text);
        assert_eq!(world.connections().await.len(), 0, "the pending connection is deleted");
    }
}

#[tokio::test]
async fn a_consent_that_adds_an_account_gives_it_the_pending_connections_id() {
    let world = World::connected("alpha_ads").await;
    let first = world.connections().await.remove(0);
    let url = world.authorize("alpha_ads").await;
    let connections = world.connections().await;
    let pending = connections.iter().find(|connection| connection["status"] == "PENDING").expect("one")["id"].clone();
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let back = world.consent(&url, "approve", &[&accounts[0], &accounts[1]]).await;
    open(&world, &back, 200).await;
    let connections = world.connections().await;
    let id_in = |account: &str| {
        let found = connections.iter().find(|connection| connection["remote_account_id"] == account);
        found.expect("a connection")["id"].clone()
    };
    assert_eq!((id_in(&accounts[0]), id_in(&accounts[1])), (first["id"].clone(), pending));
}

#[tokio::test]
async fn a_failed_code_exchange_is_502_and_connects_nothing() {
    let world = World::start().await;
    for (operation, fault) in [("token", "error"), ("token", "drop"), ("token", "garbage"), ("accounts", "error")] {
        let back = consented(&world).await;
        world.fault("alpha_ads", operation, fault, 1).await;
        open(&world, back.as_str(), 502).await;
        assert!(!statuses(&world.connections().await).contains(&"ACTIVE"), "{operation} {fault}");
    }
    let back = consented(&world).await;
    open(&world, back.as_str(), 200).await;
}

#[tokio::test]
async fn a_consent_to_a_manager_account_alone_connects_nothing() {
    let world = World::start().await;
    let accounts = world.all_accounts("alpha_ads").await;
    let manager = &id_of(accounts.iter().find(|account| is_manager(account)).expect("a manager"));
    let url = world.authorize("alpha_ads").await;
    let back = world.consent(&url, "approve", &[manager]).await;
    world.request("GET", &back).send().await.expect("a response");
    let connections = world.connections().await;
    assert!(
        connections.iter().all(|connection| connection["remote_account_id"] != manager.as_str()),
        "managers hold no campaigns"
    );
}

#[tokio::test]
async fn a_callback_of_a_disabled_customer_exchanges_no_code() {
    let world = World::start().await;
    let back = consented(&world).await;
    let customer = ApiKey::parse(&world.gateway.api_key).expect("a key").customer();
    assert!(world.gateway.app.store.set_disabled(customer, true).await.expect("an account"));
    let page = open(&world, back.as_str(), 400).await;
    assert!(page.text.contains("disabled"), "{}", page.text);
    assert_eq!(token_requests(&world).await, 0);
    assert!(world.items(GRANT).await.is_empty());
}
