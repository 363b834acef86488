//! `GET /v1/oauth/callback/{platform}`: what comes back from a consent page, and what pretends to.

use crate::world::{Answer, GRANT, World, id_of, is_manager, platforms};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use url::Url;

/// A consent that was given and whose callback has not been opened yet.
async fn consented(world: &World) -> Url {
    consented_as(world, &world.gateway.api_key, "alpha_ads").await
}

/// The same at any platform, for the customer with this key.
async fn consented_as(world: &World, key: &str, platform: &str) -> Url {
    let url = world.authorize_as(key, platform).await;
    Url::parse(&world.consent(&url, "approve", &[]).await).expect("an address")
}

/// The value of a parameter of an address.
fn value_of(url: &Url, name: &str) -> String {
    url.query_pairs().find(|(known, _)| known == name).expect("the parameter").1.into_owned()
}

/// What a platform's callback calls the code.
fn code_parameter(platform: &str) -> &'static str {
    if platform == "gamma_ads" { "auth_code" } else { "code" }
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

/// Attacks that our own checks refuse: addresses made of the honest one, each with what is wrong with it.
fn attacks(back: &Url) -> Vec<(&'static str, String)> {
    let (state, code) = (value_of(back, "state"), value_of(back, "code"));
    let set = |name: &str, value: &str| with(back, |query| drop(query.insert(name.into(), value.into())));
    let without = |name: &str| with(back, |query| drop(query.remove(name)));
    let renamed = |from: &str, to: &str| {
        with(back, |query| {
            let value = query.remove(from).expect("the parameter");
            query.insert(to.into(), value);
        })
    };
    let other_case: String = state.chars().map(swapped).collect();
    let bare = back.as_str().split('?').next().expect("a path").to_owned();
    vec![
        ("no parameter at all", bare.clone()),
        ("state missing", without("state")),
        ("state empty", set("state", "")),
        ("state unknown", set("state", &"x".repeat(43))),
        ("state cut", set("state", &state[..42])),
        ("state over-long", set("state", &"x".repeat(10_000))),
        ("state not ASCII", set("state", &"é".repeat(43))),
        ("state in another case", set("state", &other_case)),
        ("state with a space after it", set("state", &format!("{state} "))),
        ("state with a space before it", set("state", &format!(" {state}"))),
        ("state padded", set("state", &format!("{state}="))),
        ("state with NUL", format!("{bare}?state={state}%00&code={code}")),
        ("state with a line break", set("state", &format!("{state}\r\nx: y"))),
        ("state encoded twice", format!("{bare}?code={code}&state={}", encoded_twice(&state))),
        ("state in an array", renamed("state", "state[]")),
        ("state under another name", renamed("state", "State")),
        ("state twice", format!("{back}&state={state}")),
        ("state twice, another", format!("{back}&state={}", "a".repeat(43))),
        ("code missing", without("code")),
        ("code empty", set("code", "")),
        ("code over-long", set("code", &"x".repeat(10_000))),
        ("code not ASCII", set("code", "ü")),
        ("code with NUL", set("code", &format!("{code}\0"))),
        ("code with a line break", set("code", &format!("{code}\n"))),
        ("code under another name", renamed("code", "CODE")),
        ("code as another platform calls it", renamed("code", "auth_code")),
        ("code twice", format!("{back}&code={}", encoded_twice(&code))),
        ("code twice, another", format!("{back}&code=another")),
        ("code and error", set("error", "access_denied")),
        ("error empty", format!("{bare}?state={state}&error=")),
        ("error twice", format!("{bare}?state={state}&error=access_denied&error=access_denied")),
        ("error over-long", format!("{bare}?state={state}&error={}", "x".repeat(10_000))),
        ("error with NUL", format!("{bare}?state={state}&error=access_denied%00")),
        ("semicolons between parameters", format!("{bare}?state={state};code={code}")),
        ("parameters in a parameter", format!("{bare}?q={}", encoded_twice(&format!("state={state}&code={code}")))),
        ("a fragment of the state", format!("{bare}?code={code}#state={state}")),
    ]
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

/// Every byte as `%25XX`.
fn encoded_twice(text: &str) -> String {
    text.bytes().map(|byte| format!("%25{byte:02X}")).collect()
}

#[tokio::test]
async fn a_callback_that_was_tampered_with_is_refused_and_burns_nothing() {
    let world = World::start().await;
    let back = consented(&world).await;
    let before = world.items("").await;
    let attacks = attacks(&back);
    assert!(attacks.len() >= 30);
    for (name, attack) in attacks {
        let page = open(&world, &attack, 400).await;
        assert!(page.text.contains("Nothing was connected"), "{name}");
        assert!(world.items("").await == before, "{name}: a record changed");
    }
    assert_eq!(token_requests(&world).await, 0);
    open(&world, back.as_str(), 200).await;
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"]);
}

#[tokio::test]
async fn a_state_is_refused_at_every_other_platforms_path_and_burns_nothing() {
    let world = World::start().await;
    let mut backs = Vec::new();
    for (platform, _) in platforms() {
        backs.push((platform, consented_as(&world, &world.gateway.api_key, platform).await));
    }
    let before = world.items("").await;
    for (platform, back) in &backs {
        let (state, code) = (value_of(back, "state"), value_of(back, code_parameter(platform)));
        for (other, _) in platforms().into_iter().filter(|(other, _)| other != platform) {
            let attack = format!("{}/v1/oauth/callback/{other}", world.gateway.url());
            let attack = format!("{attack}?state={state}&{}={code}", code_parameter(other));
            open(&world, &attack, 400).await;
        }
        // And at its own path, with the code called what it is called elsewhere.
        let name = if *platform == "gamma_ads" { "code" } else { "auth_code" };
        let attack = format!("{}/v1/oauth/callback/{platform}?state={state}&{name}={code}", world.gateway.url());
        open(&world, &attack, 400).await;
    }
    assert!(world.items("").await == before, "no record changed");
    for (_, back) in &backs {
        open(&world, back.as_str(), 200).await;
    }
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"; 6]);
}

#[tokio::test]
async fn other_methods_and_other_paths_are_no_callback() {
    let world = World::start().await;
    let back = consented(&world).await;
    let before = world.items("").await;
    for method in ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"] {
        let answer = world.request(method, back.as_str()).expect(405).await;
        assert_eq!(answer.header("allow"), "GET", "{method}");
    }
    let form = back.query().expect("parameters").to_owned();
    world.request("POST", back.as_str().split('?').next().expect("a path")).form(&form).expect(405).await;
    let spelled = |path: &str| back.as_str().replace("/v1/oauth/callback/alpha_ads", path);
    for path in [
        "/v1/oauth/callback/alpha_ads/",
        "/v1/oauth/callback//alpha_ads",
        "/v1//oauth/callback/alpha_ads",
        "/v1/oauth/callback/ALPHA",
        "/v1/oauth/callback/Alpha_Ads",
        "/v1/oauth/callback/alpha",
        "/v1/oauth/callback/alpha_ads%2F",
        "/v1/oauth/callback/alpha%5Fads",
        "/v1/oauth/callback/alpha_ads%00",
        "/v1/oauth/callback/omega_ads",
        "/v1/oauth/callback/",
        "/v1/oauth/callback",
        "/v1/OAuth/callback/alpha_ads",
        "/v2/oauth/callback/alpha_ads",
    ] {
        world.request("GET", &spelled(path)).expect(404).await;
    }
    assert_eq!(token_requests(&world).await, 0);
    assert!(world.items("").await == before, "no record changed");
    open(&world, back.as_str(), 200).await;
}

#[tokio::test]
async fn a_code_that_the_platform_did_not_issue_connects_nothing_at_any_platform() {
    let world = World::start().await;
    for (platform, _) in platforms() {
        let back = consented_as(&world, &world.gateway.api_key, platform).await;
        let invented = with(&back, |query| drop(query.insert(code_parameter(platform).into(), "invented".into())));
        let page = open(&world, &invented, 400).await;
        assert!(page.text.contains("Nothing was connected"), "{platform}");
        open(&world, back.as_str(), 400).await;
        assert!(statuses(&world.connections().await).iter().all(|status| *status == "PENDING"), "{platform}");
        assert_eq!(world.items(GRANT).await.len(), 0, "{platform}");
    }
}

/// Somebody else's code in a callback of one's own, and the reverse: the account would end at the wrong customer.
///
/// Where the platform takes a PKCE challenge it refuses a code that comes with another authorization's verifier. On
/// the others nothing binds a code to a state (the exchange names the client, the redirect address and the code, and
/// these are the same for all), so neither we nor the platform can tell: whoever gets hold of a code that was not used
/// yet can bring it with a state of his own. This test says which platforms these are, so that no list of them is
/// out of date; the README names it among the known limits.
#[tokio::test]
async fn anothers_code_is_refused_where_the_platform_takes_a_challenge_and_cannot_be_elsewhere() {
    let world = World::start().await;
    let key = world.another_customer().await;
    let capabilities = world.ask("GET", "/v1/platforms").expect(200).await.json();
    for capability in capabilities["platforms"].as_array().expect("a list") {
        let platform = capability["platform"].as_str().expect("a platform");
        let (name, binds) = (code_parameter(platform), capability["oauth"]["pkce"] == true);
        assert_eq!(binds, platform == "alpha_ads", "{platform}");
        for (keys, owner) in [([&world.gateway.api_key, &key], "demo"), ([&key, &world.gateway.api_key], "other")] {
            let mine = consented_as(&world, keys[0], platform).await;
            let theirs = consented_as(&world, keys[1], platform).await;
            let mixed = with(&mine, |query| drop(query.insert(name.into(), value_of(&theirs, name))));
            let page = open(&world, &mixed, if binds { 400 } else { 200 }).await;
            assert_eq!(page.text.contains(owner), !binds, "{platform}: the page names whose it is now");
            let has = |connections: &[Value]| {
                connections.iter().any(|one| one["platform"] == platform && one["status"] == "ACTIVE")
            };
            assert_eq!(has(&world.connections_as(keys[0]).await), !binds, "{platform}");
            if owner == "demo" {
                assert!(!has(&world.connections_as(keys[1]).await), "{platform}: nothing for whoever did not call");
            }
        }
    }
}

#[tokio::test]
async fn a_code_that_comes_again_with_a_fresh_state_connects_nothing_and_its_tokens_are_found_dead() {
    let world = World::start().await;
    let back = consented(&world).await;
    open(&world, back.as_str(), 200).await;
    let before = world.connections().await;
    let fresh = Url::parse(&world.authorize("alpha_ads").await).expect("an address");
    let replayed = with(&back, |query| drop(query.insert("state".into(), value_of(&fresh, "state"))));
    open(&world, &replayed, 400).await;
    assert_eq!(world.connections().await[0], before[0], "nothing new");
    // The platform takes back what it issued for a code that it sees twice (RFC 6749 4.1.2).
    let answer = world.sync().await;
    assert_eq!((&answer["synced"], &answer["connections"][0]["status"]), (&json!(0), &json!("REVOKED")));
}

#[tokio::test]
async fn a_denial_uses_the_state_up() {
    let world = World::start().await;
    let back = consented(&world).await;
    let (path, state) = (back.as_str().split('?').next().expect("a path"), value_of(&back, "state"));
    open(&world, &format!("{path}?state={state}&error=access_denied"), 200).await;
    for again in [back.as_str(), &format!("{path}?state={state}&error=access_denied")] {
        open(&world, again, 400).await;
    }
    assert_eq!(token_requests(&world).await, 0);
    assert_eq!(world.items("LINK#").await.len(), 0);
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
