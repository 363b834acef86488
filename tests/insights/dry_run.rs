//! Dry runs: they show the exact request, and change nothing.

use super::{Stage, draft};
use lambda_http::{Context, RequestExt};
use serde_json::{Value, json};
use shared::domain::Platform;
use std::collections::BTreeSet;
use std::slice;
use uuid::Uuid;

/// A request with an id of its own, as Lambda gives it.
fn with_id(stage: &Stage, id: Uuid, method: &str, path: &str, body: &str) -> lambda_http::Request {
    let mut context = Context::default();
    context.request_id = id.to_string();
    stage.world.request(method, path, &[], body).with_lambda_context(context)
}

/// The writes that a platform received after the first `seen` requests.
async fn received(stage: &Stage, platform: Platform, seen: usize) -> Vec<Value> {
    let all = stage.world.control("GET", &format!("requests?platform={platform}"), &Value::Null).await;
    all["requests"].as_array().expect("a list")[seen..].to_vec()
}

/// Whether a platform received exactly this request.
fn is_sent(received: &[Value], request: &Value) -> bool {
    let url = request["url"].as_str().expect("an address");
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).expect("a path").1;
    let path = path.split('?').next().unwrap_or_default();
    received.iter().any(|one| {
        let own = one["path"].as_str().unwrap_or_default().trim_start_matches('/');
        one["method"] == request["method"] && one["body"] == request["body"] && path.ends_with(own)
    })
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_shows_the_creates_exact_request_and_sends_nothing() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await.at_one_time();
        let id = Uuid::from_u128(77);
        let body = draft(platform, "Rehearsed");
        let dry = stage.send(200, with_id(&stage, id, "POST", "/v1/campaigns?dry_run=true", &body)).await;
        assert_eq!((&dry["verdict"], &dry["platform"]), (&json!("would_create"), &json!(platform.as_str())), "{dry}");
        let by_platform = matches!(platform, Platform::Alpha | Platform::Beta);
        assert_eq!(dry["checked_by"], if by_platform { "platform" } else { "service" }, "{platform}");
        assert_eq!(stage.campaigns_at(platform).await, 0, "{platform}");
        let seen = received(&stage, platform, 0).await.len();
        assert!(!is_sent(&received(&stage, platform, 0).await, &dry["request"]), "{platform} received the create");
        stage.send(201, with_id(&stage, id, "POST", "/v1/campaigns", &body)).await;
        let sent = received(&stage, platform, seen).await;
        let more = dry["more_requests"].as_array().cloned().unwrap_or_default();
        assert_eq!(more.len(), usize::from(platform == Platform::Delta), "{platform}");
        let last = more.last().unwrap_or(&dry["request"]);
        assert!(last["body"].as_str().expect("a body").contains("Rehearsed"), "{platform}: {last}");
        for request in [dry["request"].clone()].iter().chain(&more) {
            let request = with_group(request, &sent);
            assert!(is_sent(&sent, &request), "{platform}: {request}\n{sent:#?}");
        }
    }
}

/// The request with the id of the campaign group that LinkedIn created in between.
fn with_group(request: &Value, sent: &[Value]) -> Value {
    const GROUP: &str = "urn:li:sponsoredCampaignGroup:";
    let body = request["body"].as_str().expect("a body");
    let bodies = sent.iter().filter_map(|one| one["body"].as_str());
    let group = bodies.filter_map(|body| body.split_once(GROUP)?.1.split('"').next()).next();
    let Some(group) = group else { return request.clone() };
    let body = body.replace(&format!("{GROUP}1\""), &format!("{GROUP}{group}\""));
    json!({"method": request["method"], "url": request["url"], "body": body})
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_shows_each_request_of_a_change_and_changes_nothing() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let (id, _) = stage.create(platform, "Kept").await;
        let path = format!("/v1/campaigns/{id}");
        // A campaign is switched on after, and off before any other change.
        for change in [
            json!({"name": "Renamed", "status": "ACTIVE"}).to_string(),
            json!({"name": "Kept", "status": "PAUSED"}).to_string(),
        ] {
            let before = stage.ask(200, "GET", &path, "").await;
            let dry = stage.ask(200, "PATCH", &format!("{path}?dry_run=true"), &change).await;
            assert_eq!(dry["verdict"], "would_update", "{platform}: {dry}");
            assert_eq!(stage.ask(200, "GET", &path, "").await, before, "{platform}");
            let seen = received(&stage, platform, 0).await.len();
            stage.ask(200, "PATCH", &path, &change).await;
            let sent = received(&stage, platform, seen).await;
            let more = dry["more_requests"].as_array().cloned().unwrap_or_default();
            assert_eq!(more.len(), usize::from(platform == Platform::Gamma), "{platform}");
            let shown: Vec<Value> = [dry["request"].clone()].into_iter().chain(more).collect();
            let sent_at = |request: &Value| sent.iter().position(|one| is_sent(slice::from_ref(one), request));
            let order: Vec<Option<usize>> = shown.iter().map(sent_at).collect();
            assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{platform}: {shown:#?}\n{sent:#?}");
        }
        let change = json!({"name": "Kept", "status": "PAUSED"}).to_string();
        let nothing = stage.ask(200, "PATCH", &format!("{path}?dry_run=true"), &change).await;
        assert_eq!((&nothing["verdict"], &nothing["request"]), (&json!("would_change_nothing"), &Value::Null));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_target_refuses_all_as_in_the_real_request() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Zeta]).await;
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let account = |index: usize| connections["connections"][index]["remote_account_id"].clone();
    let order = json!({"name": "No", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": [{"platform": "ALPHA", "organization_id": account(0)},
            {"platform": "ZETA", "organization_id": account(1)}, {"platform": "BETA", "organization_id": "1"}]});
    let dry = stage.ask(200, "POST", "/v1/campaigns?dry_run=true", &order.to_string()).await;
    let verdicts: Vec<&Value> = dry["data"].as_array().expect("a list").iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, ["would_fail"; 3], "{dry}");
    // Names on Reddit have at least 3 characters.
    assert_eq!(dry["data"][1]["error"]["code"], "BAD_REQUEST");
    assert_eq!(dry["data"][1]["organization_id"], account(1));
    let other = dry["data"][0]["error"]["message"].as_str().expect("a message");
    assert!(other.contains("targets[1]"), "{other}");
    assert_eq!(dry["data"][2]["error"]["code"], "FORBIDDEN");
    assert_eq!(dry["data"][2]["connection_id"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_without_a_verdict_fails_like_the_request() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Zeta]).await;
    let fault = |platform: &str, operation: &str| json!({"platform": platform, "operation": operation, "fault": "error", "times": 50});
    stage.world.control("POST", "faults", &fault("alpha_ads", "create")).await;
    stage.world.control("POST", "faults", &fault("zeta_ads", "accounts")).await;
    for platform in [Platform::Alpha, Platform::Zeta] {
        let failed = stage.ask(502, "POST", "/v1/campaigns?dry_run=true", &draft(platform, "Unknown")).await;
        assert_eq!(failed["code"], "PLATFORM_ERROR", "{failed}");
    }
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let account = |index: usize| connections["connections"][index]["remote_account_id"].clone();
    let order = json!({"name": "Several", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": [{"platform": "ALPHA", "organization_id": account(0)},
            {"platform": "ZETA", "organization_id": account(1)}]});
    let dry = stage.ask(200, "POST", "/v1/campaigns?dry_run=true", &order.to_string()).await;
    for result in dry["data"].as_array().expect("a list") {
        assert_eq!((&result["verdict"], &result["checked_by"]), (&json!("unknown"), &json!("service")), "{dry}");
        assert_eq!(result["error"]["retryable"], true, "{dry}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_reports_errors_that_only_the_platform_knows() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    stage.create(Platform::Alpha, "Taken").await;
    let dry = stage.ask(200, "POST", "/v1/campaigns?dry_run=true", &draft(Platform::Alpha, "Taken")).await;
    assert_eq!((&dry["verdict"], &dry["checked_by"]), (&json!("would_fail"), &json!("platform")), "{dry}");
    assert_eq!(dry["error"]["platform_error"]["field"], "name", "{dry}");
}

#[tokio::test(start_paused = true)]
async fn a_secret_is_masked_and_a_key_or_another_value_is_refused() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let body = draft(Platform::Beta, "Masked");
    let dry = stage.ask(200, "POST", "/v1/campaigns?dry_run=true", &body).await;
    let url = dry["request"]["url"].as_str().expect("an address");
    assert!(url.ends_with("appsecret_proof=[secret]"), "{url}");
    let keyed = stage.world.request("POST", "/v1/campaigns?dry_run=true", &[("idempotency-key", "k")], &body);
    let refused = stage.send(400, keyed).await;
    assert_eq!(refused["details"][0]["field"], "Idempotency-Key");
    for query in ["dry_run=1", "dry_run=", "dry_run=TRUE", "dryrun=true", "dry_run=true&dry_run=true"] {
        stage.ask(400, "POST", &format!("/v1/campaigns?{query}"), &body).await;
    }
    stage.ask(201, "POST", "/v1/campaigns?dry_run=false", &body).await;
}

/// The keys of all items but those of the usage log.
fn keys(stage: &Stage) -> BTreeSet<String> {
    let request = json!({"TableName": crate::in_process::engine::TABLE});
    let found = stage.world.database.scan(serde_json::from_value(request).expect("a request")).expect("a read");
    let found = serde_json::to_value(&found).expect("JSON");
    let items = found["Items"].as_array().expect("a list").clone();
    items.iter().map(|item| format!("{} {}", item["pk"]["S"], item["sk"]["S"])).collect()
}

#[tokio::test(start_paused = true)]
async fn dry_runs_create_nothing() {
    let runs = crate::scale::size("DRY_RUNS", 240);
    let stage = Stage::connected(&Platform::ALL).await;
    for platform in Platform::ALL {
        stage.ask(200, "POST", "/v1/campaigns?dry_run=true", &draft(platform, "First run")).await;
    }
    let before: BTreeSet<String> = keys(&stage).into_iter().filter(|key| !key.contains("USAGE#")).collect();
    for run in 0..runs {
        let platform = Platform::ALL[usize::try_from(run % 6).expect("a number")];
        let dry = stage.ask(200, "POST", "/v1/campaigns?dry_run=true", &draft(platform, &format!("Run {run}"))).await;
        assert_eq!(dry["verdict"], "would_create", "{dry}");
    }
    for platform in Platform::ALL {
        assert_eq!(stage.campaigns_at(platform).await, 0, "{platform}");
    }
    let after: BTreeSet<String> = keys(&stage).into_iter().filter(|key| !key.contains("USAGE#")).collect();
    let left: Vec<&String> = after.symmetric_difference(&before).collect();
    assert!(left.is_empty(), "{runs} dry runs left {left:?}");
    println!("{runs} dry runs: nothing on any platform, no change, no idempotency record");
}
