//! Wrong requests are told what was probably meant, and each has a reason of its own (D77 in docs/decisions.md).

use crate::world::{TestResponse, World, campaign, id_of};
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::domain::{CustomerId, Plan};
use uuid::Uuid;

const CREATE: &str = "/v1/campaigns";

/// The reason and the words of an error, of either shape.
fn told(response: &TestResponse) -> (String, String) {
    let body = response.json();
    let nested = &body["error"];
    let error = if nested.is_object() { nested } else { &body };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let details = body["details"].as_array().into_iter().flatten().map(|one| format!("; {one}")).collect::<String>();
    let message = if nested.is_object() { text(&error["message"]) } else { text(&body["error"]) };
    (text(&error["reason"]), format!("{message}{details}"))
}

#[track_caller]
fn assert_told(response: &TestResponse, reason: &str, parts: &[&str]) {
    let (known, words) = told(response);
    assert_eq!(known, reason, "{}", response.text);
    for part in parts {
        assert!(words.contains(part), "{part}: {words}");
    }
}

fn enveloped(platform: &str, account: &str) -> Value {
    json!({"name": "n", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "platform": platform, "organization_id": account})
}

#[tokio::test]
async fn a_body_that_mixes_the_shapes_is_told_what_chose_its_shape() {
    let world = World::connected("alpha_ads").await;
    let mut mixed = campaign("alpha_ads", "n");
    mixed["organization_id"] = json!("1002003001");
    let response = world.ask("POST", CREATE).json(&mixed).expect(400).await;
    assert_told(
        &response,
        "INVALID_REQUEST",
        &["organization_id makes this a request of the enveloped", "connection_id"],
    );
    let upper = campaign("ALPHA", "n");
    let response = world.ask("POST", CREATE).json(&upper).expect(400).await;
    assert_told(&response, "INVALID_REQUEST", &["platform makes this a request of the enveloped", "alpha_ads"]);
    let mut both = enveloped("ALPHA", "1002003001");
    both["targets"] = json!([{"platform": "ALPHA", "organization_id": "1002003001"}]);
    let response = world.ask("POST", CREATE).json(&both).expect(400).await;
    assert_told(&response, "INVALID_REQUEST", &["platform must not be sent with targets"]);
}

#[tokio::test]
async fn a_platform_by_its_own_name_is_told_ours() {
    let world = World::connected("alpha_ads").await;
    let which = ["alpha_ads (Google Ads)", "zeta_ads (Reddit)", "did you mean alpha_ads?"];
    let response = world.ask("POST", CREATE).json(&campaign("google", "n")).expect(400).await;
    assert_told(&response, "INVALID_REQUEST", &which);
    for list in ["/v1/campaigns?platform=google", "/v1/insights?platform=google"] {
        assert_told(&world.ask("GET", list).expect(400).await, "INVALID_REQUEST", &which);
    }
    let response = world.ask("GET", "/v1/connections/google/authorize").expect(404).await;
    assert_told(&response, "NOT_FOUND", &which);
}

#[tokio::test]
async fn an_account_id_is_accepted_as_its_platform_shows_it() {
    let world = World::connected_to_all().await;
    let account_on = async |platform: &str| {
        let connections = world.connections().await;
        let of = connections.iter().find(|connection| connection["platform"] == platform).expect("a connection");
        of["remote_account_id"].as_str().expect("an id").to_owned()
    };
    let (google, meta, linkedin) =
        (account_on("alpha_ads").await, account_on("beta_ads").await, account_on("delta_ads").await);
    let dashed = format!("{}-{}-{}", &google[..3], &google[3..6], &google[6..]);
    for (platform, shown, plain) in [
        ("ALPHA", dashed, google),
        ("BETA", format!("act_{meta}"), meta),
        ("DELTA", format!("urn:li:sponsoredAccount:{linkedin}"), linkedin),
    ] {
        let created = world.ask("POST", CREATE).json(&enveloped(platform, &shown)).expect(201).await.json();
        assert_eq!(created["data"]["organization_id"], plain, "{shown}");
        let page = world.ask("GET", &format!("/v1/campaigns?organization_id={shown}")).expect(200).await.json();
        assert_eq!(page["unified"].as_array().map(Vec::len), Some(1), "{shown}: {page}");
    }
}

#[tokio::test]
async fn each_connection_that_does_not_work_has_its_own_sentence() {
    let world = World::connected("alpha_ads").await;
    world.connect("beta_ads", &[]).await;
    let connections = world.connections().await;
    let id_on =
        |platform: &str| id_of(connections.iter().find(|one| one["platform"] == platform).expect("a connection"));
    let (google, meta) = (id_on("alpha_ads"), id_on("beta_ads"));
    let with = async |id: &str| {
        let mut body = campaign("alpha_ads", "n");
        body["connection_id"] = json!(id);
        world.ask("POST", CREATE).json(&body).expect(403).await
    };
    assert_told(&with(&meta).await, "NOT_CONNECTED", &[&meta, "is one of beta_ads"]);
    let unknown = "conn_00000000000000000000000000000000";
    assert_told(&with(unknown).await, "NOT_CONNECTED", &["You have no connection with the id", unknown]);
    let stranger = world.customer_on(Plan::Pro).await;
    world.connect_as(&stranger, "alpha_ads", &[]).await;
    let foreign = id_of(&world.connections_as(&stranger).await[0]);
    let (_, of_unknown) = told(&with(unknown).await);
    let (_, of_foreign) = told(&with(&foreign).await);
    assert_eq!(of_foreign.replace(&foreign, unknown), of_unknown, "another customer's id reads as an unknown one");
    world.fault("alpha_ads", "accounts", "revoked", 1).await;
    world.sync().await;
    assert_told(&with(&google).await, "CONNECTION_REVOKED", &["is REVOKED", "Authorize the account again"]);
    let revoked = world.connections().await.into_iter().find(|one| one["id"] == json!(google)).expect("it");
    assert!(revoked["status_message"].as_str().is_some_and(|words| words.contains("withdrawn")), "{revoked}");
}

#[tokio::test]
async fn a_key_that_does_not_work_is_told_why() {
    let world = World::start().await;
    let (ask, key) = (|| world.ask("GET", "/v1/campaigns"), world.gateway.api_key.clone());
    let keyless = || ask().without("x-api-key");
    assert_told(&keyless().expect(401).await, "KEY_MISSING", &["Send it in the X-API-Key header"]);
    let bearer = keyless().header("authorization", &format!("Bearer {key}"));
    assert_told(&bearer.expect(401).await, "KEY_MISSING", &["Authorization is not read", "X-API-Key"]);
    for (sent, part) in
        [(&key[..30], "cut off"), ("sk_live_1", "begins with"), (&format!("Bearer {key}"), "without Bearer")]
    {
        assert_told(&ask().header("x-api-key", sent).expect(401).await, "KEY_MALFORMED", &[part]);
    }
    let stranger = ApiKey::generate(CustomerId(Uuid::from_u128(9)), Mode::Test).expect("a key");
    assert_told(&ask().header("x-api-key", stranger.reveal()).expect(401).await, "KEY_UNKNOWN", &["not known"]);
    let rotated = world.ask("POST", "/v1/api-keys/rotate").expect(200).await.json();
    assert_told(&ask().expect(401).await, "KEY_REVOKED", &["rotated or deleted"]);
    let new = rotated["api_key"].as_str().expect("a key");
    ask().header("x-api-key", new).expect(200).await;
}

#[tokio::test]
async fn a_path_is_told_the_nearest_one_and_a_method_those_that_work() {
    let world = World::start().await;
    for (path, meant) in [
        ("/v1/campaigns/", "Did you mean /v1/campaigns?"),
        ("/v1/campaign", "Did you mean /v1/campaigns?"),
        ("/v1/campaign/alpha_1_2", "Did you mean /v1/campaigns/{id}?"),
        ("/v1/nothing/like/it", "GET /v1/docs shows all paths."),
    ] {
        assert_told(&world.ask("GET", path).expect(404).await, "PATH_NOT_FOUND", &[meant]);
    }
    let response = world.ask("PUT", "/v1/campaigns/alpha_1_2").expect(405).await;
    assert_told(&response, "METHOD_NOT_ALLOWED", &["PUT", "It supports GET, PATCH, DELETE"]);
}

#[tokio::test]
async fn a_body_parameter_or_amount_that_does_not_fit_is_told_what_does() {
    let world = World::connected("alpha_ads").await;
    let gzip = vec![0x1f, 0x8b, 8, 0, 0];
    let named = world.ask("POST", CREATE).text("application/json", gzip.clone()).header("content-encoding", "gzip");
    assert_told(&named.expect(415).await, "UNSUPPORTED_CONTENT", &["Content-Encoding", "uncompressed"]);
    let unnamed = world.ask("POST", CREATE).text("application/json", gzip).expect(400).await;
    assert_told(&unnamed, "INVALID_REQUEST", &["gzip", "Content-Encoding"]);
    let response = world.ask("GET", "/v1/campaigns?page=2").expect(400).await;
    assert_told(&response, "INVALID_REQUEST", &["which has platform, ", "limit", "cursor"]);
    let response = world.ask("GET", "/v1/limits?page=2").expect(400).await;
    assert_told(&response, "INVALID_REQUEST", &["which has none"]);
    let lists = ["campaigns", "insights", "changes", "events", "usage-logs"];
    for list in lists {
        world.ask("GET", &format!("/v1/{list}?cursor=")).expect(200).await;
    }
    let mut large = campaign("alpha_ads", "n");
    large["budget_amount"] = json!(1e15);
    let response = world.ask("POST", CREATE).json(&large).expect(400).await;
    assert_told(&response, "INVALID_REQUEST", &["the maximum is 9223372036854"]);
}

#[tokio::test]
async fn a_reason_tells_what_one_code_mixes() {
    let world = World::connected("alpha_ads").await;
    let create = |key: &str, name: &str| {
        world.ask("POST", CREATE).header("idempotency-key", key).json(&campaign("alpha_ads", name))
    };
    create("k", "One").expect(201).await;
    assert_told(&create("k", "Two").expect(422).await, "IDEMPOTENCY_KEY_REUSED", &[]);
    assert_told(&create("r", "One").expect(422).await, "PLATFORM_REFUSED", &[]);
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "Read").await));
    world.fault("alpha_ads", "get", "throttle", 1).await;
    assert_told(&world.ask("GET", &path).expect(429).await, "PLATFORM_THROTTLED", &[]);
    let uri = json!({"uri": "https://example.com/back"});
    world.ask("POST", "/v1/redirect-uris").json(&uri).expect(201).await;
    assert_told(&world.ask("POST", "/v1/redirect-uris").json(&uri).expect(409).await, "ALREADY_EXISTS", &[]);
}

#[tokio::test]
async fn the_error_of_a_half_applied_update_lists_its_fields() {
    let world = World::connected("beta_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Before").await));
    let both = json!({"name": "After", "budget_amount": 80});
    for (shape, missing) in [("flat", "not_applied"), ("enveloped", "notApplied")] {
        // The read before the change is answered, the one after it is not.
        world.slow_fault("beta_ads", "get", "slow", 1, 1).await;
        world.fault("beta_ads", "get", "error", 9).await;
        world.fault("beta_ads", "update", "drop_after", 1).await;
        let response = world.ask("PATCH", &path).header("x-api-shape", shape).json(&both).expect(502).await;
        assert_told(&response, "OUTCOME_UNKNOWN", &["name, budget_amount"]);
        let body = response.json();
        let error = if shape == "flat" { &body } else { &body["error"] };
        let lists = ["applied", missing, "unknown"].map(|list| error[list].clone());
        assert_eq!(lists, [json!([]), json!([]), json!(["name", "budget_amount"])], "{body}");
        let reset = world.control("POST", "reset").send().await.expect("a response");
        assert!(reset.status.is_success(), "{reset:?}");
        world.ask("PATCH", &path).json(&json!({"name": "Before", "budget_amount": 50})).expect(200).await;
    }
}
