//! `GET /v1/oauth/callback/{platform}`: what comes back from a consent page, and what pretends to.

use crate::world::{Answer, World, id_of, is_manager};
use serde_json::Value;
use std::collections::BTreeMap;
use url::Url;

/// A consent that was given and whose callback has not been opened yet.
async fn consented(world: &World) -> Url {
    let url = world.authorize("alpha_ads").await;
    Url::parse(&world.consent(&url, "approve", &[]).await).expect("an address")
}

fn with(back: &Url, change: impl Fn(&mut BTreeMap<String, String>)) -> String {
    let mut query: BTreeMap<String, String> = back.query_pairs().into_owned().collect();
    change(&mut query);
    let mut changed = back.clone();
    changed.query_pairs_mut().clear().extend_pairs(query);
    changed.to_string()
}

async fn open(world: &World, url: &str, status: u16) -> Answer {
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

async fn token_requests(world: &World) -> usize {
    let requests = world.received("alpha_ads").await;
    requests.iter().filter(|request| request["path"] == "/token").count()
}

fn statuses(connections: &[Value]) -> Vec<&str> {
    connections.iter().map(|connection| connection["status"].as_str().expect("a status")).collect()
}

#[tokio::test]
async fn a_callback_with_a_parameter_missing_malformed_or_twice_is_refused_and_burns_nothing() {
    let world = World::start().await;
    let back = consented(&world).await;
    let attacks = [
        with(&back, |query| drop(query.remove("state"))),
        with(&back, |query| drop(query.remove("code"))),
        with(&back, |query| drop(query.insert("state".into(), String::new()))),
        with(&back, |query| drop(query.insert("state".into(), "x".repeat(43)))),
        with(&back, |query| drop(query.insert("state".into(), "x".repeat(10_000)))),
        with(&back, |query| drop(query.insert("state".into(), "é".repeat(43)))),
        with(&back, |query| drop(query.insert("code".into(), String::new()))),
        with(&back, |query| drop(query.insert("error".into(), "access_denied".into()))),
        format!("{back}&state={}", "a".repeat(43)),
        format!("{back}&code=another"),
        format!("{back}&error=a&error=b"),
        back.as_str().replace("alpha_ads", "zeta_ads"),
        back.as_str().split('?').next().expect("a path").to_owned(),
    ];
    for attack in attacks {
        let page = open(&world, &attack, 400).await;
        assert!(page.text.contains("Nothing was connected"), "{attack}");
    }
    assert_eq!(token_requests(&world).await, 0);
    assert_eq!(statuses(&world.connections().await), ["PENDING"]);
    open(&world, back.as_str(), 200).await;
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"]);
}

#[tokio::test]
async fn a_callback_from_another_issuer_is_refused_and_burns_nothing() {
    let world = World::start().await;
    let issued_by = |back: &Url, issuer: &str| with(back, |query| drop(query.insert("iss".into(), issuer.into())));
    let back = consented(&world).await;
    let before = world.connections().await;
    let right = issued_by(&back, "https://accounts.google.com");
    let attacks = [
        issued_by(&back, "https://accounts.example"),
        issued_by(&back, "https://accounts.google.com/"),
        issued_by(&back, ""),
        format!("{right}&iss=https%3A%2F%2Faccounts.google.com"),
        format!("{right}&iss=https%3A%2F%2Faccounts.example"),
        issued_by(&back, "https://accounts.example").replace("code=", "error=access_denied&was="),
    ];
    for attack in attacks {
        let page = open(&world, &attack, 400).await;
        assert!(page.text.contains("Nothing was connected"), "{attack}");
    }
    assert_eq!(token_requests(&world).await, 0);
    assert_eq!(world.connections().await, before);
    open(&world, &right, 200).await;
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"]);
}

#[tokio::test]
async fn an_issuer_is_let_be_where_the_platform_is_not_known_to_send_one() {
    let world = World::start().await;
    let url = world.authorize("zeta_ads").await;
    let back = world.consent(&url, "approve", &[]).await;
    open(&world, &format!("{back}&iss=https%3A%2F%2Faccounts.example"), 200).await;
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"]);
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
async fn a_state_that_has_run_out_is_refused_and_its_pending_connection_does_not_show() {
    let world = World::start().await;
    let back = consented(&world).await;
    world.let_authorizations_run_out().await;
    open(&world, back.as_str(), 400).await;
    assert_eq!(token_requests(&world).await, 0);
    assert_eq!(world.connections().await.len(), 0);
}

#[tokio::test]
async fn of_fifty_callbacks_at_once_with_one_state_one_wins() {
    let world = World::start().await;
    let back = consented(&world).await;
    let calls = (0..50).map(|_| world.request("GET", back.as_str()).send());
    let answers = futures_util::future::join_all(calls).await;
    let won = answers.iter().filter(|answer| answer.as_ref().is_ok_and(|answer| answer.status == 200)).count();
    let lost = answers.iter().filter(|answer| answer.as_ref().is_ok_and(|answer| answer.status == 400)).count();
    assert_eq!((won, lost), (1, 49));
    assert_eq!(token_requests(&world).await, 1);
}

#[tokio::test]
async fn the_code_of_one_authorization_does_not_work_with_the_state_of_another() {
    let world = World::start().await;
    let (mine, theirs) = (consented(&world).await, consented(&world).await);
    let code = theirs.query_pairs().find(|(name, _)| name == "code").expect("a code").1.into_owned();
    let mixed = with(&mine, |query| drop(query.insert("code".into(), code.clone())));
    open(&world, &mixed, 400).await;
    assert!(!statuses(&world.connections().await).contains(&"ACTIVE"), "the verifier belongs to the other challenge");
}

#[tokio::test]
async fn a_user_who_says_no_sees_a_page_and_the_pending_connection_is_gone() {
    let world = World::start().await;
    let url = world.authorize("alpha_ads").await;
    let back = world.consent(&url, "deny", &[]).await;
    let page = open(&world, &back, 200).await;
    assert!(page.text.contains("Not connected"));
    assert_eq!(world.connections().await.len(), 0);
    open(&world, &back, 400).await;
}

#[tokio::test]
async fn an_error_that_is_not_the_users_no_is_refused_by_its_name() {
    let world = World::start().await;
    for (error, status) in [("invalid_scope", 400), ("server_error", 400), ("user_cancelled_login", 200)] {
        let url = Url::parse(&world.authorize("alpha_ads").await).expect("an address");
        let state = url.query_pairs().find(|(name, _)| name == "state").expect("a state").1.into_owned();
        let back = format!("{}/v1/oauth/callback/alpha_ads?state={state}&error={error}", world.gateway.url());
        let page = open(&world, &back, status).await;
        assert_eq!(page.text.contains(error), status == 400, "{}", page.text);
        assert_eq!(world.connections().await.len(), 0, "the pending connection is gone");
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
async fn a_platform_that_fails_at_the_exchange_connects_nothing_and_the_page_says_so() {
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
async fn a_consent_that_covers_only_a_manager_account_connects_nothing_of_its_own() {
    let world = World::start().await;
    let accounts = world.all_accounts("alpha_ads").await;
    let manager = &id_of(accounts.iter().find(|account| is_manager(account)).expect("a manager"));
    let url = world.authorize("alpha_ads").await;
    let back = world.consent(&url, "approve", &[manager]).await;
    world.request("GET", &back).send().await.expect("an answer");
    let connections = world.connections().await;
    assert!(
        connections.iter().all(|connection| connection["remote_account_id"] != manager.as_str()),
        "managers hold no campaigns"
    );
}
