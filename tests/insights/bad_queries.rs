//! Invalid queries, accounts that fail, and campaigns of others.

use super::Stage;
use serde_json::json;
use shared::domain::Platform;

#[tokio::test(start_paused = true)]
async fn a_wrong_query_names_its_parameter_before_any_call() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let future = stage.day(-3);
    for (query, field) in [
        ("from=2026-02-30".to_owned(), "from"),
        ("from=2020-01-01&to=2020-06-01".to_owned(), "from"),
        (format!("to={future}"), "to"),
        ("granularity=week".to_owned(), "granularity"),
        ("limit=5001".to_owned(), "limit"),
        ("cursor=x".to_owned(), "cursor"),
        ("date=2026-01-01".to_owned(), "date"),
    ] {
        let refused = stage.ask(400, "GET", &format!("/v1/insights?{query}"), "").await;
        assert_eq!(refused["details"][0]["field"], field, "{query}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cursor_belongs_to_its_days() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    for name in ["First", "Second"] {
        stage.create(Platform::Alpha, name).await;
    }
    stage.deliver(json!({"platform": "alpha_ads", "seed": 4, "days": 20})).await;
    let page = stage.ask(200, "GET", "/v1/insights?limit=2", "").await;
    let cursor = page["pagination"]["next_cursor"].as_str().expect("more rows");
    let refused = stage.ask(400, "GET", &format!("/v1/insights?granularity=total&cursor={cursor}"), "").await;
    assert_eq!(refused["details"][0]["field"], "cursor");
    stage.ask(400, "GET", &format!("/v1/campaigns?cursor={cursor}"), "").await;
}

#[tokio::test(start_paused = true)]
async fn an_account_that_fails_is_in_errors_and_the_others_have_their_rows() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    stage.create(Platform::Beta, "Shown").await;
    stage.deliver(json!({"platform": "beta_ads", "seed": 5, "days": 20})).await;
    let fault = json!({"platform": "alpha_ads", "operation": "any", "fault": "error", "times": 50});
    stage.world.control("POST", "faults", &fault).await;
    let page = stage.ask(200, "GET", "/v1/insights", "").await;
    assert_eq!(page["errors"][0]["platform"], "alpha_ads", "{page}");
    assert_eq!(page["accounts"][0]["platform"], "beta_ads");
    assert!(!page["accounts"][0]["rows"].as_array().expect("rows").is_empty());
    let only = stage.ask(502, "GET", "/v1/insights?platform=alpha_ads", "").await;
    assert_eq!(only["code"], "PLATFORM_ERROR");
}

#[tokio::test(start_paused = true)]
async fn an_unknown_campaign_is_404_and_too_early_days_are_refused() {
    let stage = Stage::connected(&[Platform::Epsilon]).await;
    let (id, remote) = stage.create(Platform::Epsilon, "Known").await;
    let other = id.replace(&remote, "626700000000");
    for id in [other.as_str(), "alpha_1_2", "x"] {
        stage.ask(404, "GET", &format!("/v1/campaigns/{id}/insights"), "").await;
    }
    let old = format!("from={}&to={}", stage.day(120), stage.day(100));
    let refused = stage.ask(400, "GET", &format!("/v1/campaigns/{id}/insights?{old}"), "").await;
    assert_eq!(refused["details"][0]["field"], "from", "{refused}");
    stage.ask(422, "GET", &format!("/v1/insights?{old}"), "").await;
}
