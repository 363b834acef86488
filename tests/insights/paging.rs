//! Pages of a list of insights: the calls of each, and the same days on all.

use super::Stage;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::Duration;

/// The number of requests that Google has received.
async fn received(stage: &Stage) -> usize {
    let all = stage.world.control("GET", "requests?platform=alpha_ads", &Value::Null).await;
    all["requests"].as_array().expect("a list").len()
}

#[tokio::test(start_paused = true)]
async fn a_page_reads_few_empty_reports() {
    let stage = Stage::new().await;
    for account in &stage.world.connect(&stage.app, Platform::Alpha, 4).await {
        let draft = json!({"name": "Busy", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
            "platform": "ALPHA", "organization_id": account});
        stage.ask(201, "POST", "/v1/campaigns", &draft.to_string()).await;
    }
    stage.deliver(json!({"platform": "alpha_ads", "seed": 6, "days": 25})).await;
    let range = format!("from={}&to={}", stage.day(25), stage.day(1));
    let mut calls = Vec::new();
    let mut cursor = String::new();
    for _ in 0..2 {
        let before = received(&stage).await;
        let page = stage.ask(200, "GET", &format!("/v1/insights?{range}&limit=5{cursor}"), "").await;
        calls.push(received(&stage).await - before);
        assert_eq!(page["accounts"].as_array().map(Vec::len), Some(1), "the first account fills the page: {page}");
        cursor = format!("&cursor={}", page["pagination"]["next_cursor"].as_str().expect("more rows"));
    }
    assert!(calls[0] <= 2, "the first page has made {} calls", calls[0]);
    assert_eq!(calls[1], 1, "a page inside an account");
}

#[tokio::test(start_paused = true)]
async fn a_cursor_without_dates_continues_after_midnight() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    for name in ["First", "Second"] {
        stage.create(Platform::Alpha, name).await;
    }
    stage.deliver(json!({"platform": "alpha_ads", "seed": 4, "days": 20})).await;
    let first = stage.ask(200, "GET", "/v1/insights?limit=2", "").await;
    let cursor = first["pagination"]["next_cursor"].as_str().expect("more rows");
    // The clock starts at noon.
    tokio::time::advance(Duration::from_secs(13 * 3_600)).await;
    let second = stage.ask(200, "GET", &format!("/v1/insights?limit=2&cursor={cursor}"), "").await;
    assert_eq!((&second["from"], &second["to"]), (&first["from"], &first["to"]));
    let anew = stage.ask(200, "GET", "/v1/insights?limit=2", "").await;
    assert_ne!(anew["to"], first["to"]);
}
