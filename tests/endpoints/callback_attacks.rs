//! Forged callbacks to `GET /v1/oauth/callback/{platform}`: refused, most of them before anything is sent or changed,
//! so that the genuine callback still works.

use crate::house::table::GRANT;
use crate::oauth::callback::{consented, consented_as, open, statuses, token_requests};
use crate::world::{World, platforms};
use serde_json::{Value, json};
use shared::domain::Plan;
use std::collections::BTreeMap;
use url::Url;

/// The value of a parameter in an address.
fn value_of(url: &Url, name: &str) -> String {
    url.query_pairs().find(|(known, _)| known == name).expect("the parameter").1.into_owned()
}

/// The name of the code parameter in a platform's callback.
fn code_parameter(platform: &str) -> &'static str {
    if platform == "gamma_ads" { "auth_code" } else { "code" }
}

/// The address with other parameters.
fn with(back: &Url, change: impl Fn(&mut BTreeMap<String, String>)) -> String {
    let mut query: BTreeMap<String, String> = back.query_pairs().into_owned().collect();
    change(&mut query);
    let mut changed = back.clone();
    changed.query_pairs_mut().clear().extend_pairs(query);
    changed.to_string()
}

/// Attacks that our own checks refuse: addresses derived from a genuine one, each with its fault.
struct Attacks {
    back: Url,
    /// Without parameters.
    bare: String,
    state: String,
    code: String,
}

impl Attacks {
    fn on(back: &Url) -> Attacks {
        let bare = back.as_str().split('?').next().expect("a path").to_owned();
        Attacks { back: back.clone(), bare, state: value_of(back, "state"), code: value_of(back, "code") }
    }

    fn all(&self) -> Vec<(&'static str, String)> {
        [self.with_states(), self.with_codes(), self.with_errors(), self.of_other_forms()].concat()
    }

    fn set(&self, name: &str, value: &str) -> String {
        with(&self.back, |query| drop(query.insert(name.into(), value.into())))
    }

    fn without(&self, name: &str) -> String {
        with(&self.back, |query| drop(query.remove(name)))
    }

    fn renamed(&self, from: &str, to: &str) -> String {
        with(&self.back, |query| {
            let value = query.remove(from).expect("the parameter");
            query.insert(to.into(), value);
        })
    }

    fn with_states(&self) -> Vec<(&'static str, String)> {
        let Attacks { back, bare, state, code } = self;
        let other_case: String = state.chars().map(swapped).collect();
        vec![
            ("state missing", self.without("state")),
            ("state empty", self.set("state", "")),
            ("state unknown", self.set("state", &"x".repeat(43))),
            ("state cut", self.set("state", &state[..42])),
            ("state over-long", self.set("state", &"x".repeat(10_000))),
            ("state not ASCII", self.set("state", &"é".repeat(43))),
            ("state in another case", self.set("state", &other_case)),
            ("state with a space after it", self.set("state", &format!("{state} "))),
            ("state with a space before it", self.set("state", &format!(" {state}"))),
            ("state padded", self.set("state", &format!("{state}="))),
            ("state with NUL", format!("{bare}?state={state}%00&code={code}")),
            ("state with a line break", self.set("state", &format!("{state}\r\nx: y"))),
            ("state encoded twice", format!("{bare}?code={code}&state={}", encoded_twice(state))),
            ("state in an array", self.renamed("state", "state[]")),
            ("state under another name", self.renamed("state", "State")),
            ("state twice", format!("{back}&state={state}")),
            ("state twice, another", format!("{back}&state={}", "a".repeat(43))),
        ]
    }

    fn with_codes(&self) -> Vec<(&'static str, String)> {
        let Attacks { back, code, .. } = self;
        vec![
            ("code empty", self.set("code", "")),
            ("code over-long", self.set("code", &"x".repeat(10_000))),
            ("code not ASCII", self.set("code", "ü")),
            ("code with NUL", self.set("code", &format!("{code}\0"))),
            ("code with a line break", self.set("code", &format!("{code}\n"))),
            ("code as another platform calls it", self.renamed("code", "auth_code")),
            ("code twice", format!("{}&code={}", self.set("code", "same"), "same")),
            ("code twice, another", format!("{back}&code=another")),
            ("code and error", self.set("error", "access_denied")),
        ]
    }

    fn with_errors(&self) -> Vec<(&'static str, String)> {
        let Attacks { bare, state, .. } = self;
        let error = |error: &str| format!("{bare}?state={state}&error={error}");
        vec![
            ("error empty", error("")),
            ("error twice", error("access_denied&error=access_denied")),
            ("error over-long", error(&"x".repeat(10_000))),
            ("error with NUL", error("access_denied%00")),
        ]
    }

    fn of_other_forms(&self) -> Vec<(&'static str, String)> {
        let Attacks { bare, state, code, .. } = self;
        vec![
            ("no parameter at all", bare.clone()),
            ("semicolons between parameters", format!("{bare}?state={state};code={code}")),
            ("parameters in a parameter", format!("{bare}?q={}", encoded_twice(&format!("state={state}&code={code}")))),
            ("state in the fragment", format!("{bare}?code={code}#state={state}")),
        ]
    }
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

/// Every byte as `%25XX`.
fn encoded_twice(text: &str) -> String {
    text.bytes().map(|byte| format!("%25{byte:02X}")).collect()
}

#[tokio::test]
async fn a_tampered_callback_is_refused_and_its_state_stays_valid() {
    let world = World::start().await;
    let back = consented(&world).await;
    let before = world.items("").await;
    let attacks = Attacks::on(&back).all();
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
async fn a_state_is_refused_at_another_platforms_path_and_stays_valid() {
    let world = World::start().await;
    let mut backs = Vec::new();
    for (platform, _) in platforms() {
        backs.push((platform, consented_as(&world, &world.gateway.api_key, platform).await));
    }
    let before = world.items("").await;
    for (platform, back) in &backs {
        let state = value_of(back, "state");
        let code = value_of(back, code_parameter(platform));
        for (other, _) in platforms().into_iter().filter(|(other, _)| other != platform) {
            let attack = format!("{}/v1/oauth/callback/{other}", world.gateway.url());
            let attack = format!("{attack}?state={state}&{}={code}", code_parameter(other));
            open(&world, &attack, 400).await;
        }
        // Also at its own path, with the code under another platform's parameter name.
        let name = if *platform == "gamma_ads" { "code" } else { "auth_code" };
        let attack = format!("{}/v1/oauth/callback/{platform}?state={state}&{name}={code}", world.gateway.url());
        open(&world, &attack, 400).await;
    }
    assert!(world.items("").await == before, "no record changed");
    for (_, back) in &backs {
        open(&world, back.as_str(), 200).await;
    }
    assert_eq!(statuses(&world.connections().await), vec!["ACTIVE"; platforms().len()]);
}

#[tokio::test]
async fn other_methods_and_paths_are_not_a_callback() {
    let world = World::start().await;
    let back = consented(&world).await;
    let before = world.items("").await;
    for method in ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"] {
        let response = world.request(method, back.as_str()).expect(405).await;
        assert_eq!(response.header("allow"), "GET", "{method}");
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
async fn a_forged_code_connects_nothing_at_any_platform() {
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

/// A stolen code in one's own callback, and the reverse: the account would be connected for the wrong customer.
///
/// A platform with PKCE refuses a code that comes with the verifier of another authorization. On the others nothing
/// binds a code to a state (the exchange names the client, the redirect address and the code, which are the same for
/// all), so neither side can tell: an attacker with an unused code can bring it with a state of another authorization.
/// This test names these platforms, so that no list of them is out of date; `docs/limits.md` has it among the known
/// limits.
#[tokio::test]
async fn a_stolen_code_is_refused_where_the_platform_supports_pkce() {
    let world = World::start().await;
    let key = world.customer_on(Plan::Enterprise).await;
    let capabilities = world.ask("GET", "/v1/platforms").expect(200).await.json();
    for capability in capabilities["platforms"].as_array().expect("a list") {
        let platform = capability["platform"].as_str().expect("a platform");
        let name = code_parameter(platform);
        let binds = capability["oauth"]["pkce"] == true;
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
async fn a_replayed_code_with_a_fresh_state_connects_nothing() {
    let world = World::start().await;
    let back = consented(&world).await;
    open(&world, back.as_str(), 200).await;
    let before = world.connections().await;
    let fresh = Url::parse(&world.authorize("alpha_ads").await).expect("an address");
    let replayed = with(&back, |query| drop(query.insert("state".into(), value_of(&fresh, "state"))));
    open(&world, &replayed, 400).await;
    assert_eq!(world.connections().await[0], before[0], "nothing new");
    // The platform revokes the tokens of a code that it sees twice (RFC 6749 4.1.2).
    let response = world.sync().await;
    assert_eq!((&response["synced"], &response["connections"][0]["status"]), (&json!(0), &json!("REVOKED")));
}

#[tokio::test]
async fn a_denied_consent_consumes_its_state() {
    let world = World::start().await;
    let back = consented(&world).await;
    let path = back.as_str().split('?').next().expect("a path");
    let state = value_of(&back, "state");
    open(&world, &format!("{path}?state={state}&error=access_denied"), 200).await;
    for again in [back.as_str(), &format!("{path}?state={state}&error=access_denied")] {
        open(&world, again, 400).await;
    }
    assert_eq!(token_requests(&world).await, 0);
    assert_eq!(world.items("LINK#").await.len(), 0);
}

#[tokio::test]
async fn a_callback_from_another_issuer_is_refused_and_its_state_stays_valid() {
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
async fn an_issuer_is_ignored_where_the_platform_is_not_known_to_send_one() {
    let world = World::start().await;
    let url = world.authorize("zeta_ads").await;
    let back = world.consent(&url, "approve", &[]).await;
    open(&world, &format!("{back}&iss=https%3A%2F%2Faccounts.example"), 200).await;
    assert_eq!(statuses(&world.connections().await), ["ACTIVE"]);
}
