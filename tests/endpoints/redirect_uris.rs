//! `/v1/redirect-uris`, and the redirect of `authorize?redirect_uri=` after a callback.

use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use url::Url;

const PATH: &str = "/v1/redirect-uris";

impl World {
    pub(super) async fn register(&self, uri: &str, status: u16) -> TestResponse {
        self.ask("POST", PATH).json(&json!({ "uri": uri })).expect(status).await
    }

    /// The registered URIs, as listed.
    async fn registered(&self) -> Vec<Value> {
        self.ask("GET", PATH).expect(200).await.json()["data"].as_array().expect("a list").clone()
    }

    /// Requests a consent page from which the user returns to a URI.
    pub(super) async fn authorize_to(&self, uri: &str, status: u16) -> TestResponse {
        let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("redirect_uri", uri).finish();
        self.ask("GET", &format!("/v1/connections/alpha_ads/authorize?{query}")).expect(status).await
    }

    /// The callback's address after a decision on the consent page.
    async fn decided(&self, uri: &str, decision: &str, accounts: &[&str]) -> String {
        let response = self.authorize_to(uri, 200).await.json();
        self.consent(response["authorize_url"].as_str().expect("an address"), decision, accounts).await
    }

    /// Opens a callback that redirects, and returns the target.
    pub(super) async fn sent_back(&self, callback: &str) -> String {
        let response = self.request("GET", callback).expect(302).await;
        assert_eq!(response.header("cache-control"), "no-store");
        assert_eq!(response.header("referrer-policy"), "no-referrer");
        assert_eq!(response.text, "");
        let location = response.header("location").to_owned();
        let back = parameters(callback);
        for secret in ["code", "state"].iter().filter_map(|name| back.get(*name)) {
            assert!(!location.contains(secret.as_str()), "{location}");
        }
        location
    }
}

pub(super) fn parameters(url: &str) -> BTreeMap<String, String> {
    Url::parse(url).expect("an address").query_pairs().into_owned().collect()
}

/// The code and message of an enveloped error.
fn refusal(response: &TestResponse) -> (String, String) {
    let error = &response.json()["error"];
    assert!(error["requestId"].is_string(), "{}", response.text);
    let text = |name: &str| error[name].as_str().expect("a text").to_owned();
    (text("code"), text("message"))
}

#[tokio::test]
async fn a_uri_is_registered_listed_newest_first_and_removed_once() {
    let world = World::start().await;
    assert_eq!(world.registered().await, Vec::<Value>::new());
    let uris = ["https://example.com/cb", "http://localhost:3000", "http://127.0.0.1/cb?x=1"];
    let mut made = Vec::new();
    for uri in uris {
        let response = world.register(uri, 201).await.json();
        let data = response["data"].clone();
        assert_eq!((response.as_object().map(|body| body.len()), &data["uri"]), (Some(1), &json!(uri)));
        let created_at = data["createdAt"].as_str().expect("a time");
        assert!(created_at.len() == "2026-12-01T09:00:00.000Z".len() && created_at.ends_with('Z'), "{created_at}");
        made.insert(0, data);
    }
    assert_eq!(world.registered().await, made);

    let path = format!("{PATH}/{}", id_of(&made[1]));
    assert_eq!(world.ask("DELETE", &path).expect(204).await.text, "");
    made.remove(1);
    assert_eq!(world.registered().await, made);
    let again = world.ask("DELETE", &path).expect(404).await;
    assert_eq!(
        refusal(&again),
        ("NOT_FOUND".to_owned(), "There is no such redirect URI. GET /v1/redirect-uris lists yours.".to_owned())
    );
    world.register(uris[1], 201).await;
}

#[tokio::test]
async fn a_wrong_uri_or_body_is_400_naming_the_field() {
    let world = World::start().await;
    for uri in ["http://example.com/", "https:evil.com", "http://127.1", "http://[::1]/", "https://a@example.com/", ""]
    {
        let (code, message) = refusal(&world.register(uri, 400).await);
        assert_eq!(code, "BAD_REQUEST");
        assert!(message.starts_with("uri must "), "{uri}: {message}");
    }
    for (body, field) in [
        ("{}", "uri"),
        (r#"{"uri":7}"#, "uri"),
        (r#"{"uri":null}"#, "uri"),
        (r#"{"uri":"https://example.com","uri":"https://example.com"}"#, "uri"),
        (r#"{"uri":"https://example.com","label":"x"}"#, "label"),
        (r#"{"uri":"#, "body"),
        ("[]", "body"),
        ("", "body"),
    ] {
        let response = world.ask("POST", PATH).text("application/json", body).expect(400).await;
        let (code, message) = refusal(&response);
        assert_eq!(code, "BAD_REQUEST");
        assert!(message.starts_with(&format!("{field} ")), "{body}: {message}");
    }
    assert_eq!(world.registered().await, Vec::<Value>::new());
}

#[tokio::test]
async fn redirect_uris_are_enveloped_for_any_shape_header() {
    let world = World::start().await;
    for shape in ["flat", "enveloped", "round"] {
        let ask = |method: &str, path: &str| world.ask(method, path).header("x-api-shape", shape);
        let listed = ask("GET", PATH).expect(200).await;
        assert_eq!((listed.json(), listed.header("x-api-shape")), (json!({"data": []}), ""));
        for (response, expected) in [
            (ask("GET", PATH).without("x-api-key").expect(401).await, "UNAUTHORIZED"),
            (ask("PUT", PATH).expect(405).await, "BAD_REQUEST"),
            (ask("GET", &format!("{PATH}/ruri_x")).expect(405).await, "BAD_REQUEST"),
            (ask("DELETE", &format!("{PATH}/ruri_x")).expect(404).await, "NOT_FOUND"),
            (ask("GET", &format!("{PATH}?limit=1")).expect(400).await, "BAD_REQUEST"),
            (ask("GET", &format!("{PATH}/a/b")).expect(404).await, "NOT_FOUND"),
            (ask("POST", PATH).text("text/plain", "uri").expect(415).await, "BAD_REQUEST"),
            (ask("POST", PATH).text("application/json", vec![b' '; 300 * 1024]).expect(413).await, "BAD_REQUEST"),
        ] {
            assert_eq!(refusal(&response).0, expected, "{shape}");
        }
    }
    assert_eq!(world.ask("PUT", PATH).expect(405).await.header("allow"), "POST, GET, HEAD");
}

#[tokio::test]
async fn another_customers_uri_is_not_found() {
    let world = World::start().await;
    let other = world.another_customer().await;
    let id = id_of(&world.register("https://example.com/cb", 201).await.json()["data"]);
    let theirs = |method: &str, path: &str| world.ask(method, path).header("x-api-key", &other);
    assert_eq!(theirs("GET", PATH).expect(200).await.json()["data"], json!([]));
    theirs("DELETE", &format!("{PATH}/{id}")).expect(404).await;
    theirs("GET", "/v1/connections/alpha_ads/authorize?redirect_uri=https://example.com/cb").expect(400).await;
    theirs("POST", PATH).json(&json!({"uri": "https://example.com/cb"})).expect(201).await;
    theirs("DELETE", &format!("{PATH}/{id}")).expect(204).await;
    assert_eq!(world.registered().await.len(), 1);
}

#[tokio::test]
async fn of_thirty_different_uris_at_once_ten_are_registered() {
    let world = World::start().await;
    let register = |n: usize| {
        let body = json!({ "uri": format!("https://example.com/{n}") });
        world.ask("POST", PATH).json(&body).send()
    };
    let responses = join_all((0..30).map(register)).await;
    let mut made = Vec::new();
    let mut refused = 0;
    for response in responses {
        let response = response.expect("a response");
        if response.status == 201 {
            made.push(id_of(&response.json()["data"]));
            continue;
        }
        let (code, message) = refusal(&response);
        assert_eq!((response.status.as_u16(), code.as_str()), (400, "BAD_REQUEST"));
        assert!(message.starts_with("uri exceeds the limit of 10 "), "{message}");
        refused += 1;
    }
    assert_eq!((made.len(), refused, world.registered().await.len()), (10, 20, 10));

    let taken = world.registered().await[0]["uri"].as_str().expect("a URI").to_owned();
    assert_eq!(refusal(&world.register(&taken, 409).await).0, "CONFLICT", "a duplicate is one, room or not");
    world.ask("DELETE", &format!("{PATH}/{}", made[0])).expect(204).await;
    world.register("https://example.com/one-more", 201).await;
    world.register("https://example.com/two-more", 400).await;
}

#[tokio::test]
async fn concurrent_equal_uris_are_registered_and_removed_once() {
    let world = World::start().await;
    let register = |_| world.ask("POST", PATH).json(&json!({"uri": "https://example.com/cb"})).send();
    let responses = join_all((0..20).map(register)).await;
    let mut statuses: Vec<u16> =
        responses.into_iter().map(|response| response.expect("a response").status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![201], vec![409; 19]].concat());

    let path = format!("{PATH}/{}", id_of(&world.registered().await[0]));
    let responses = join_all((0..10).map(|_| world.ask("DELETE", &path).send())).await;
    let done =
        responses.into_iter().filter(|response| response.as_ref().is_ok_and(|response| response.status == 204)).count();
    assert_eq!(done, 1);
    for n in 0..10 {
        world.register(&format!("https://example.com/{n}"), 201).await;
    }
    world.register("https://example.com/10", 400).await;
}

#[tokio::test]
async fn authorize_takes_a_registered_uri_and_any_port_of_127_0_0_1() {
    let world = World::start().await;
    for uri in ["https://example.com/cb", "http://localhost:3000/cb", "http://127.0.0.1:8000/cb"] {
        let refused = world.authorize_to(uri, 400).await;
        assert_eq!(refused.fields(), ["redirect_uri"]);
        assert!(refused.text.contains("POST /v1/redirect-uris"), "it says what to do: {}", refused.text);
        world.register(uri, 201).await;
        world.authorize_to(uri, 200).await;
    }
    world.authorize_to("http://127.0.0.1:51004/cb", 200).await;
    for uri in [
        "",
        "https://example.com/cb/",
        "https://example.com/cb?x=1",
        "https://EXAMPLE.com/cb",
        "http://localhost:3001/cb",
        "http://127.0.0.1:8000/other",
        "http://127.1:8000/cb",
        "http://127.0.0.1:8000@evil.com/cb",
    ] {
        assert_eq!(world.authorize_to(uri, 400).await.fields(), ["redirect_uri"], "{uri}");
    }
    for query in ["redirect_uri=https://example.com/cb&redirect_uri=https://example.com/cb", "return_to=x"] {
        world.ask("GET", &format!("/v1/connections/alpha_ads/authorize?{query}")).expect(400).await;
    }
}

#[tokio::test]
async fn a_consent_ends_at_the_registered_uri_with_the_connections_id() {
    let world = World::start().await;
    let uri = "https://example.com/cb?tenant=a%20b&empty";
    world.register(uri, 201).await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let callback = world.decided(uri, "approve", &[&accounts[0]]).await;
    let pending = id_of(&world.connections().await[0]);
    let location = world.sent_back(&callback).await;
    let connected = format!("{uri}&status=connected&connection_id={pending}&connection_ids={pending}");
    assert_eq!(location, connected, "its own query is kept");
    let connections = world.connections().await;
    assert_eq!((id_of(&connections[0]), &connections[0]["status"]), (pending.clone(), &json!("ACTIVE")));
    world.request("GET", &callback).expect(400).await;

    let again = world.decided(uri, "approve", &[&accounts[0]]).await;
    assert_eq!(parameters(&world.sent_back(&again).await)["connection_id"], pending, "it was connected before");

    let more = world.decided(uri, "approve", &[&accounts[0], &accounts[1]]).await;
    let named = parameters(&world.sent_back(&more).await)["connection_id"].clone();
    let connections = world.connections().await;
    let named = connections.iter().find(|connection| connection["id"] == named.as_str()).expect("a connection");
    assert_eq!(named["remote_account_id"], accounts[1].as_str(), "the one that the PENDING one became");

    let both = world.decided(uri, "approve", &[&accounts[1], &accounts[0]]).await;
    let first = accounts[..2].iter().min().expect("an account").as_str();
    let named = parameters(&world.sent_back(&both).await)["connection_id"].clone();
    let of_first = connections.iter().find(|connection| connection["remote_account_id"] == first);
    assert_eq!(of_first.map(id_of), Some(named), "all were connected before: the first by account");
}

#[tokio::test]
async fn a_denial_and_a_failure_redirect_to_the_registered_uri_too() {
    let world = World::start().await;
    let uri = "http://127.0.0.1/cb";
    world.register(uri, 201).await;
    let here = "http://127.0.0.1:51004/cb";
    let callback = world.decided(here, "deny", &[]).await;
    assert_eq!(world.sent_back(&callback).await, format!("{here}?status=denied&error=access_denied"));

    let callback = world.decided(here, "approve", &[]).await;
    world.fault("alpha_ads", "token", "error", 1).await;
    let failed = format!("{here}?status=failed&error=PLATFORM_ERROR&reason=PLATFORM_FAILED&message=");
    assert!(world.sent_back(&callback).await.starts_with(&failed));

    let response = world.authorize_to(uri, 200).await.json();
    let state = &parameters(response["authorize_url"].as_str().expect("an address"))["state"];
    let callback = format!("{}/v1/oauth/callback/alpha_ads?state={state}&error=invalid_scope", world.gateway.url());
    let back = parameters(&world.sent_back(&callback).await);
    assert_eq!((back["error"].as_str(), back["reason"].as_str()), ("FORBIDDEN", "PLATFORM_ACCESS_DENIED"));
    assert!(back["message"].contains("invalid_scope"), "{back:?}");
    assert!(world.connections().await.iter().all(|connection| connection["status"] != "ACTIVE"));
}

#[tokio::test]
async fn a_malformed_callback_is_refused_with_a_page_and_its_state_stays_valid() {
    let world = World::start().await;
    let uri = "https://example.com/cb";
    world.register(uri, 201).await;
    let callback = world.decided(uri, "approve", &[]).await;
    let page = world.request("GET", &format!("{callback}&code=another")).expect(400).await;
    assert!(page.header("content-type").starts_with("text/html"));
    assert_eq!(page.header("location"), "");
    world.sent_back(&callback).await;
}

#[tokio::test]
async fn a_uri_removed_between_authorize_and_callback_is_not_redirected_to() {
    let world = World::start().await;
    let uri = "https://example.com/cb";
    let id = id_of(&world.register(uri, 201).await.json()["data"]);
    let callback = world.decided(uri, "approve", &[]).await;
    world.ask("DELETE", &format!("{PATH}/{id}")).expect(204).await;
    let page = world.request("GET", &callback).expect(200).await;
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(page.text.contains("demo@example.com") && !page.text.contains(uri), "{}", page.text);
    assert_eq!(world.connections().await[0]["status"], "ACTIVE");
}
