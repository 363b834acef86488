//! What the endpoint of agents tells a program that it refuses: how its person signs in, and what it may not do. The tokens
//! here are sealed by the test, for keys that the dashboard's request makes.

use super::books;
use crate::in_process::{World, json_of, respond};
use crate::spending::{Stage, daily};
use jiff::{SignedDuration, Timestamp};
use lambda_http::{Body, Request};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ACCESS_LIFETIME, AccessToken, KeyForm, KeySeed, Mode, SessionCaller, TokenOwner};
use shared::domain::{KeyId, PersonId, Platform, Role};
use shared::serve::PostResponseWork;
use tests::SERVICE;
use tokio::time::{Duration, sleep};

const PARAMETERS: &str =
    "resource_metadata=\"https://service.example/.well-known/oauth-protected-resource/v1/mcp\", scope=\"campaigns\"";

/// An assistant that a person has connected: its key, and a token for it.
struct Assistant<'a> {
    stage: &'a Stage,
    key: KeyId,
    token: String,
}

/// What was answered: the status, the challenge, and the body.
#[derive(Debug)]
struct Told {
    status: u16,
    challenge: Option<String>,
    body: Value,
}

impl Assistant<'_> {
    /// Connects an assistant with a scope, for the ad accounts of the stage.
    async fn connect<'a>(stage: &'a Stage, scope: &str, amount: i64) -> Assistant<'a> {
        let limit = daily(&stage.connections, amount);
        let body = json!({"name": "Assistant", "scopes": [scope], "spending_limit": limit});
        let mut request = stage.owner.request("POST", "/v1/api-keys", &[], &body.to_string());
        request.extensions_mut().insert(person(&stage.app, &stage.owner).await);
        let made = respond(&stage.app, request).await;
        assert_eq!(made.status(), 200, "{:?}", made.body());
        let made = json_of(made.body());
        assert_eq!((&made["assistant"], &made["api_key"]), (&json!(true), &Value::Null), "no secret: {made}");
        let key = KeyId(made["id"].as_str().expect("an id").to_owned());
        let token = token_of(stage, &key, stage.owner.clock.now() + ACCESS_LIFETIME).await;
        Assistant { stage, key, token }
    }

    /// Sends a message with the token.
    async fn send(&self, method: &str, params: &Value) -> Told {
        tell(self.stage, &[("authorization", &format!("Bearer {}", self.token))], method, params).await
    }

    async fn tools(&self) -> Vec<String> {
        let listed = self.send("tools/list", &json!({})).await;
        assert_eq!((listed.status, &listed.challenge), (200, &None), "{listed:?}");
        let tools = listed.body["result"]["tools"].as_array().expect("a list");
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }
}

/// The person at the form that connects an assistant.
async fn person(app: &App, world: &World) -> SessionCaller {
    let now = world.clock.now();
    let account = app.store.account(world.customer, now).await.expect("a read").expect("an account");
    let form = KeyForm { seed: KeySeed::random().expect("a seed"), version: None, is_of_assistant: true };
    SessionCaller {
        account,
        person: PersonId("person_1".to_owned()),
        email: None,
        role: Role::Owner,
        mode: Mode::Test,
        key: None,
        form: Some(form),
    }
}

/// A token for a key as it is now.
async fn token_of(stage: &Stage, key: &KeyId, expires_at: Timestamp) -> String {
    let (app, world) = (&stage.app, &stage.owner);
    let account = app.store.account(world.customer, world.clock.now()).await.expect("a read").expect("an account");
    let mark = account.keys.all().iter().find(|one| one.id == *key).expect("the key").hash.clone();
    let owner = TokenOwner { customer: world.customer, mode: Mode::Test };
    let token = AccessToken { owner, key: key.clone(), mark, expires_at };
    token.seal(app.vault().expect("a vault")).await.expect("a token").expose_secret().to_owned()
}

/// Sends a message of an older client with these headers and no key.
async fn tell(stage: &Stage, headers: &[(&str, &str)], method: &str, params: &Value) -> Told {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    ask(stage, "POST", "/v1/mcp", headers, &body).await
}

async fn ask(stage: &Stage, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Told {
    // A token of the rate limit each time.
    sleep(Duration::from_millis(200)).await;
    let request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request: Request = request.body(Body::from(body)).expect("a request");
    let mut response = respond(&stage.app, request).await;
    if let Some(rest) = PostResponseWork::take_from(&mut response) {
        rest.run().await;
    }
    let challenge = response.headers().get("www-authenticate").map(|value| value.to_str().expect("text").to_owned());
    Told { status: response.status().as_u16(), challenge, body: json_of(response.body()) }
}

async fn stage() -> Stage {
    Stage::with_daily(&[Platform::Epsilon], 500).await
}

/// Attack 13 of the list: a token works at the endpoint of agents only.
#[tokio::test(start_paused = true)]
async fn a_token_works_as_bearer_at_the_endpoint_of_agents_only() {
    assert!(PARAMETERS.contains(SERVICE));
    let stage = stage().await;
    let assistant = Assistant::connect(&stage, "campaigns", 100).await;
    assert!(assistant.tools().await.contains(&"create_campaign".to_owned()));
    let bearer = format!("Bearer {}", assistant.token);
    for (method, path) in [("GET", "/v1/campaigns"), ("POST", "/v1/campaigns"), ("GET", "/v1/customer/me")] {
        let refused = ask(&stage, method, path, &[("authorization", &bearer)], "").await;
        assert_eq!((refused.status, refused.challenge.as_deref()), (401, Some("Bearer")), "{path}");
        assert!(refused.body["error"].as_str().expect("words").contains("/v1/mcp only"), "{}", refused.body);
        ask(&stage, method, path, &[("x-api-key", &assistant.token)], "").await.is_refused_as_key();
    }
    tell(&stage, &[("x-api-key", &assistant.token)], "tools/list", &json!({})).await.is_refused_as_key();
    let both = [("authorization", bearer.as_str()), ("x-api-key", stage.owner.api_key.as_str())];
    tell(&stage, &both, "tools/list", &json!({})).await.is_refused_as_key();
    let in_query = format!("/v1/mcp?access_token={}", assistant.token);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let refused = ask(&stage, "POST", &in_query, &[], &body).await;
    assert_eq!((refused.status, refused.challenge), (401, Some(format!("Bearer {PARAMETERS}"))));
}

impl Told {
    #[track_caller]
    fn is_refused_as_key(&self) {
        assert_eq!((self.status, self.challenge.as_deref()), (401, Some("Bearer")), "{self:?}");
    }

    #[track_caller]
    fn is_refused_as_token(&self) {
        let challenge = format!("Bearer error=\"invalid_token\", {PARAMETERS}");
        assert_eq!((self.status, self.challenge.as_ref()), (401, Some(&challenge)), "{self:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_program_without_a_credential_learns_where_to_sign_in() {
    let stage = stage().await;
    let with_scheme = [vec![], vec![("authorization", "Basic abc")], vec![("cookie", "a=b")]];
    for headers in with_scheme {
        for method in ["initialize", "tools/list", "tools/call", "nothing"] {
            let refused = tell(&stage, &headers, method, &json!({"name": "get_limits"})).await;
            assert_eq!((refused.status, refused.challenge), (401, Some(format!("Bearer {PARAMETERS}"))), "{method}");
        }
    }
    let evil = [("host", "evil.example")];
    let refused = tell(&stage, &evil, "tools/list", &json!({})).await;
    assert_eq!(refused.challenge, Some(format!("Bearer {PARAMETERS}")), "the address is never that of the request");
    for key in ["uac_live_x", "uac_test_", &stage.owner.api_key.replace("uac_test_", "uac_live_")] {
        let bearer = format!("Bearer {key}");
        tell(&stage, &[("authorization", &bearer)], "tools/list", &json!({})).await.is_refused_as_key();
        tell(&stage, &[("x-api-key", key)], "tools/list", &json!({})).await.is_refused_as_key();
    }
}

/// Attack 14 of the list: a token ends with its key, also in a process that has just seen it.
#[tokio::test(start_paused = true)]
async fn a_token_that_has_ended_asks_for_a_sign_in() {
    let stage = stage().await;
    let now = stage.owner.clock.now();
    let none = ["eyJh.e30.", "uat_test_", "uar_test_00000000000000000000000000000007.v1.k1.x", "garbage"];
    for text in none {
        let bearer = format!("Bearer {text}");
        tell(&stage, &[("authorization", &bearer)], "tools/list", &json!({})).await.is_refused_as_token();
    }
    let mut assistant = Assistant::connect(&stage, "campaigns", 100).await;
    let valid = assistant.token.clone();
    assistant.token = token_of(&stage, &assistant.key, now - SignedDuration::from_secs(1)).await;
    assistant.send("tools/list", &json!({})).await.is_refused_as_token();
    assistant.token = format!("{valid}A");
    assistant.send("tools/list", &json!({})).await.is_refused_as_token();
    assistant.token = valid;
    assert_eq!(assistant.send("tools/list", &json!({})).await.status, 200);
    stage.owner("POST", &format!("/v1/api-keys/{}/stop", assistant.key), &Value::Null).await;
    for method in ["tools/list", "tools/call"] {
        assistant.send(method, &json!({"name": "get_limits"})).await.is_refused_as_token();
    }
    let other = Assistant::connect(&stage, "campaigns", 100).await;
    assert_eq!(other.send("tools/list", &json!({})).await.status, 200);
    let path = format!("/v1/api-keys/{}", other.key);
    let removed = respond(&stage.app, stage.owner.request("DELETE", &path, &[], "")).await;
    assert_eq!(removed.status(), 204);
    for method in ["tools/list", "tools/call"] {
        other.send(method, &json!({"name": "get_limits"})).await.is_refused_as_token();
    }
}

/// Attack 32 of the list.
#[tokio::test(start_paused = true)]
async fn an_assistant_that_only_looks_changes_nothing() {
    let stage = stage().await;
    let assistant = Assistant::connect(&stage, "read", 0).await;
    let names = assistant.tools().await;
    let reads =
        ["list_accounts", "list_campaigns", "get_campaign", "get_delivery", "get_insights", "get_limits", "get_change"];
    assert_eq!(names, reads);
    let accounts = assistant.send("tools/call", &json!({"name": "list_accounts"})).await;
    assert_eq!((accounts.status, accounts.challenge.is_none()), (200, true), "{accounts:?}");
    let before = books(&stage.owner).await;
    let challenge = format!("Bearer error=\"insufficient_scope\", {PARAMETERS}");
    for tool in ["preview_change", "create_campaign", "update_campaign", "delete_campaign", "pause_campaign"] {
        let mut arguments = super::draft(&stage.connections[0], "Never", 5);
        arguments["confirm_token"] = json!("x");
        let refused = assistant.send("tools/call", &json!({"name": tool, "arguments": arguments})).await;
        assert_eq!((refused.status, refused.challenge.as_ref()), (403, Some(&challenge)), "{tool}: {refused:?}");
        let (code, reason) = (&refused.body["code"], &refused.body["reason"]);
        assert_eq!((code, reason), (&json!("FORBIDDEN"), &json!("SCOPE_MISSING")), "{tool}");
    }
    assert_eq!(books(&stage.owner).await, before);
    // The holder of an API key has no host that could ask for more.
    let made = json!({"name": "Reader", "scopes": ["read"]});
    let made = stage.owner("POST", "/v1/api-keys", &made).await;
    let bearer = format!("Bearer {}", made["api_key"].as_str().expect("a key"));
    let call = json!({"name": "pause_campaign", "arguments": {}});
    let refused = tell(&stage, &[("authorization", &bearer)], "tools/call", &call).await;
    assert_eq!((refused.status, refused.challenge), (200, None));
    assert_eq!(refused.body["error"]["code"], -32602, "{}", refused.body);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_by_the_limit_stays_an_answer_of_the_tool() {
    let stage = stage().await;
    let assistant = Assistant::connect(&stage, "campaigns", 10).await;
    let draft = super::draft(&stage.connections[0], "Too much", 400);
    let call = json!({"name": "preview_change", "arguments": {"kind": "create", "arguments": draft}});
    let answered = assistant.send("tools/call", &call).await;
    assert_eq!((answered.status, answered.challenge), (200, None), "{}", answered.body);
    let content = &answered.body["result"]["structuredContent"];
    assert!(answered.body["result"]["isError"] == json!(true) || content["warnings"].is_array(), "{}", answered.body);
}

/// The service of these tests has an address with HTTPS. `protocol.rs` asks one without.
#[tokio::test(start_paused = true)]
async fn known_hosts_may_send_their_own_origin_over_https() {
    let stage = stage().await;
    let key = ("x-api-key", stage.owner.api_key.as_str());
    for (origin, status) in [
        ("https://claude.ai", 200),
        (SERVICE, 200),
        ("https://claude.ai.evil.example", 403),
        ("https://evil.example/https://claude.ai", 403),
        ("http://claude.ai", 403),
        ("https://claude.ai:8443", 403),
        ("https://CLAUDE.ai", 403),
        ("https://claude.ai/", 403),
        ("null", 403),
        ("", 403),
    ] {
        let answered = tell(&stage, &[key, ("origin", origin)], "tools/list", &json!({})).await;
        assert_eq!((answered.status, &answered.challenge), (status, &None), "{origin}");
    }
    let twice = [key, ("origin", "https://claude.ai"), ("origin", "https://claude.ai")];
    assert_eq!(tell(&stage, &twice, "tools/list", &json!({})).await.status, 403);
}
