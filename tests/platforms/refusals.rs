//! Refusals as the platforms send them, and the errors of the service for them: the caller's or the operator's.

use crate::world::{World, id_of, platforms};
use serde_json::{Value, json};

/// An error of Meta without a subcode.
fn meta(code: i64, message: &str) -> Value {
    json!({"error": {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "A"}})
}

/// The refusal of a request with a wrong parameter, as each platform writes it.
fn refusal(platform: &str) -> (u16, Value) {
    match platform {
        "alpha_ads" => {
            let kind = "type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure";
            let failure = json!({"@type": kind, "errors": [
                {"errorCode": {"requestError": "INVALID_PAGE_SIZE"}, "message": "Page size is not supported."}]});
            (
                400,
                json!({"error": {"code": 400, "message": "Invalid.", "status": "INVALID_ARGUMENT", "details": [failure]}}),
            )
        }
        "beta_ads" => (400, meta(100, "(#100) Tried accessing nonexisting field (spend_cap)")),
        "gamma_ads" => {
            (200, json!({"code": 40002, "message": "filtering: Invalid value", "request_id": "r", "data": {}}))
        }
        "delta_ads" => (400, json!({"status": 400, "code": "PARAM_INVALID", "message": "Invalid value for param"})),
        "epsilon_ads" => (400, json!({"code": 1, "message": "Invalid request: page_size"})),
        _ => {
            let fields = json!([{"field": "page.size", "message": "must be at most 50"}]);
            (400, json!({"error": {"code": 400, "message": "Bad Request", "fields": fields}}))
        }
    }
}

/// Asserts that an error is the operator's, and that the connection still works.
async fn is_the_operators(world: &World, error: &Value, what: &str) {
    assert_eq!(
        (&error["code"], &error["reason"]),
        (&json!("PLATFORM_ERROR"), &json!("OPERATOR_REQUIRED")),
        "{what}: {error}"
    );
    assert_eq!(error["retryable"], false, "{what}: {error}");
    let words = error["error"].as_str().expect("words");
    assert!(words.contains("operator") && !words.contains("refused the request"), "{what}: {words}");
    assert_eq!(world.connections().await[0]["status"], "ACTIVE", "{what}");
}

#[tokio::test]
async fn a_refused_read_is_an_operator_error_on_every_platform() {
    for (platform, _) in platforms() {
        let world = World::connected(platform).await;
        let path = format!("/v1/campaigns/{}", id_of(&world.create(platform, "Read").await));
        let (status, body) = refusal(platform);
        // Google's reports are searches for campaigns.
        let report = if platform == "alpha_ads" { "list" } else { "report" };
        for (operation, method, asked) in [
            ("list", "GET", "/v1/campaigns".to_owned()),
            ("get", "GET", path.clone()),
            ("get", "PATCH", path.clone()),
            (report, "GET", "/v1/insights".to_owned()),
        ] {
            world.answer(platform, operation, 1, status, &body).await;
            let ask = world.ask(method, &asked);
            let ask = if method == "PATCH" { ask.json(&json!({"name": "Renamed"})) } else { ask };
            let error = ask.expect(502).await.json();
            is_the_operators(&world, &error, &format!("{platform}, {method} {asked}")).await;
        }
        assert_eq!(world.ask("GET", &path).expect(200).await.json()["name"], "Read", "{platform}");
    }
}

#[tokio::test]
async fn an_advertiser_unknown_to_tiktok_is_an_account_error() {
    for code in [40300, 40301] {
        let world = World::connected("gamma_ads").await;
        let body = json!({"code": code, "message": "Object does not exist.", "request_id": "r", "data": {}});
        world.answer("gamma_ads", "list", 1, 200, &body).await;
        let error = world.ask("GET", "/v1/campaigns").expect(403).await.json();
        assert_eq!(error["reason"], "PLATFORM_ACCESS_DENIED", "{error}");
        assert!(!error["error"].as_str().expect("words").contains("no such campaign"), "{error}");
    }
}

#[tokio::test]
async fn an_invalid_token_of_meta_without_a_subcode_ends_the_connection() {
    let world = World::connected("beta_ads").await;
    let dead = meta(190, "Invalid OAuth access token - Cannot parse access token");
    world.answer("beta_ads", "any", 9, 401, &dead).await;
    let error = world.ask("GET", "/v1/campaigns").expect(424).await.json();
    assert_eq!((&error["code"], &error["reason"]), (&json!("TOKEN_EXPIRED"), &json!("AUTHORIZATION_ENDED")), "{error}");
    assert_eq!(world.connections().await[0]["status"], "REVOKED");
}

#[tokio::test]
async fn an_app_error_of_meta_is_an_operator_error_and_keeps_the_connection() {
    let world = World::connected("beta_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Kept").await));
    for (code, message) in [
        (270, "(#270) This Ads API request is not allowed for apps with development access level"),
        (190, "Error validating application. Application has been deleted."),
        (101, "Error validating application. Cannot get application info due to a system error."),
        (5, "(#5) Unauthorized source IP address"),
        (11, "(#11) This method is deprecated"),
        (12, "(#12) This endpoint is deprecated for versions v26.0 and higher"),
        (3, "(#3) Application does not have the capability to make this API call."),
    ] {
        let body = meta(code, message);
        world.answer("beta_ads", "list", 1, 400, &body).await;
        let error = world.ask("GET", "/v1/campaigns").expect(502).await.json();
        is_the_operators(&world, &error, message).await;
        world.answer("beta_ads", "update", 1, 400, &body).await;
        let refused = world.ask("PATCH", &path).json(&json!({"name": "Renamed"})).expect(502).await;
        is_the_operators(&world, &refused.json(), message).await;
        let change = world.ask("GET", &format!("/v1/changes/{}", refused.header("change-id"))).expect(200).await.json();
        assert_eq!(change["state"], "failed", "the call was not carried out: {change}");
    }
}
