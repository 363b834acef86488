//! Responses while the store or a platform is down or does not respond.

use super::stage::{EVERY_REQUEST, Stage};
use crate::world::{World, campaign, platforms};
use lambda_http::Body;
use lambda_http::http::Request;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, Instant, sleep};

const CREATE: &str = "/v1/campaigns";

#[tokio::test]
async fn a_store_that_is_down_is_500_and_nothing_is_sent() {
    let world = World::connected("alpha_ads").await;
    let before = world.received("alpha_ads").await.len();
    // Port 9 is the discard service, usually without a listener.
    let app = world.another(|config| config.aws.dynamodb_endpoint = Some("http://127.0.0.1:9".to_owned())).await;
    let request = Request::builder().method("POST").uri(CREATE).header("x-api-key", &world.gateway.api_key);
    let body = Body::Text(campaign("alpha_ads", "n").to_string());
    let response = campaigns::handle(app, request.body(body).expect("a request")).await;
    let error: Value = serde_json::from_slice(response.body()).expect("JSON");
    assert_eq!((response.status().as_u16(), &error["code"]), (500, &json!("INTERNAL_ERROR")));
    assert_eq!(error["retryable"], true);
    assert!(!error.to_string().contains("127.0.0.1"), "internal details belong in the log: {error}");
    assert_eq!(world.received("alpha_ads").await.len(), before);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_store_is_500_before_the_gateway_times_out() {
    let stage = Stage::new(&[Platform::Alpha]).await;
    let before = stage.received("alpha_ads").await.len();
    let app = stage.with_slow_store(&[EVERY_REQUEST]);
    let (status, error) = stage.ask(&app, "POST", CREATE, &campaign("alpha_ads", "n")).await;
    assert_eq!((status, &error["code"]), (500, &json!("INTERNAL_ERROR")));
    assert_eq!(stage.received("alpha_ads").await.len(), before);
}

#[tokio::test(start_paused = true)]
async fn a_partly_stored_bulk_change_is_continued() {
    let stage = Stage::new(&[Platform::Beta]).await;
    let mut ids = Vec::new();
    for name in ["One", "Two"] {
        let id = stage.create("beta_ads", name).await["id"].as_str().expect("an id").to_owned();
        stage.ask_ok("PATCH", &format!("{CREATE}/{id}"), &json!({"status": "ACTIVE"})).await;
        ids.push(id);
    }
    let second: &'static str = ids.remove(1).leak();
    let app = stage.with_slow_store(vec![second].leak());
    let (status, told) =
        stage.ask(&app, "POST", "/v1/campaigns/status", &json!({"status": "PAUSED", "all": true})).await;
    assert_eq!((status, &told["retryable"]), (500, &json!(true)), "{told}");
    for _ in 0..3 {
        sleep(Duration::from_mins(1)).await;
        maintenance::run(&stage.app).await.expect("maintenance runs to its end");
    }
    let books = stage.world.control("GET", "campaigns", &Value::Null).await;
    let campaigns = books["campaigns"].as_array().expect("a list");
    assert!(campaigns.len() == 2 && campaigns.iter().all(|one| one["status"] == "PAUSED"), "{books:#}");
}

#[tokio::test(start_paused = true)]
async fn a_platform_timeout_is_504_and_its_create_is_reconciled() {
    let stage = Stage::new(&[Platform::Alpha]).await;
    let app = stage.with_platform_timeout(Duration::from_secs(3));
    stage.hang("alpha_ads", "list", "late", 1).await;
    let (status, error) = stage.ask(&app, "GET", CREATE, &Value::Null).await;
    assert_eq!((status, &error["code"]), (504, &json!("PLATFORM_ERROR")));
    assert_eq!((&error["retryable"], &error["platform"]), (&json!(true), &json!("alpha_ads")));

    stage.hang("alpha_ads", "create", "slow", 1).await;
    let (status, created) = stage.ask(&app, "POST", CREATE, &campaign("alpha_ads", "Response lost")).await;
    assert_eq!((status, &created["name"]), (201, &json!("Response lost")), "only the response was lost");
    stage.hang("alpha_ads", "create", "late", 1).await;
    let (status, error) = stage.ask(&app, "POST", CREATE, &campaign("alpha_ads", "Unsent")).await;
    assert_eq!((status, &error["retryable"]), (504, &json!(false)));
    let page = stage.ask_ok("GET", CREATE, &Value::Null).await;
    assert_eq!(
        (page["unified"].as_array().map(Vec::len), &page["unified"][0]["name"]),
        (Some(1), &json!("Response lost"))
    );
}

/// The list through a process with this time for platform calls, while gamma hangs; returns how long it took.
async fn list_beside_a_hanging_platform(platform_timeout: Duration) -> Duration {
    let stage = Stage::new(&Platform::ALL).await;
    for (platform, _) in platforms() {
        stage.create(platform, "Shown").await;
    }
    stage.hang("gamma_ads", "list", "late", 9).await;
    let app = stage.with_platform_timeout(platform_timeout);
    let began = Instant::now();
    let (status, page) = stage.ask(&app, "GET", "/v1/campaigns?limit=100", &Value::Null).await;
    assert_eq!(status, 200, "{page}");
    let shown = page["unified"].as_array().expect("a list");
    let shown: Vec<&str> = shown.iter().filter_map(|campaign| campaign["platform"].as_str()).collect();
    let others = platforms().into_iter().map(|(platform, _)| platform).filter(|platform| *platform != "gamma_ads");
    assert_eq!(shown, others.collect::<Vec<_>>());
    let errors = page["errors"].as_array().expect("the errors");
    assert_eq!(errors.len(), 1, "{page}");
    assert_eq!((&errors[0]["platform"], &errors[0]["code"]), (&json!("gamma_ads"), &json!("PLATFORM_ERROR")));
    assert_eq!(errors[0]["retryable"], true);
    began.elapsed()
}

#[tokio::test(start_paused = true)]
async fn a_hanging_platform_is_left_out_of_the_list_before_the_deadline() {
    let took = list_beside_a_hanging_platform(Duration::from_secs(25)).await;
    assert!(took < Duration::from_secs(13), "a read takes 12 s at most: {took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_platform_delays_a_list_no_longer_than_its_deadline() {
    let took = list_beside_a_hanging_platform(Duration::from_secs(4)).await;
    assert!(took < Duration::from_secs(5), "{took:?}");
}
