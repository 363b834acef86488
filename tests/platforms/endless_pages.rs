//! A platform whose pages never end: the number of calls is bounded, and the response says that it is incomplete.

use crate::world::World;
use serde_json::{Value, json};

/// An empty page that leads to another one, as each platform writes it.
fn empty_page(platform: &str) -> Value {
    match platform {
        "beta_ads" => json!({"data": [], "paging": {"cursors": {"before": "a", "after": "a"}, "next": "https://x"}}),
        "gamma_ads" => {
            let info = json!({"page": 1, "page_size": 1000, "total_number": 9000, "total_page": 9});
            json!({"code": 0, "message": "OK", "request_id": "r", "data": {"list": [], "page_info": info}})
        }
        _ => json!({"data": {"metrics": []}, "pagination": {"next_url": "?page.token=again"}}),
    }
}

/// The number of requests whose path has this end.
async fn received(world: &World, platform: &str, end: &str) -> usize {
    let is_such = |request: &&Value| request["path"].as_str().is_some_and(|path| path.ends_with(end));
    world.received(platform).await.iter().filter(is_such).count()
}

#[tokio::test]
async fn a_report_of_empty_pages_costs_two_calls_and_never_advises_fewer_days() {
    for (platform, end) in [("beta_ads", "/insights"), ("gamma_ads", "/integrated/get/"), ("zeta_ads", "/reports")] {
        let world = World::connected(platform).await;
        let before = received(&world, platform, end).await;
        world.answer(platform, "report", 1_000, 200, &empty_page(platform)).await;
        let error = world.ask("GET", "/v1/insights").expect(502).await.json();
        assert_eq!((&error["code"], &error["retryable"]), (&json!("PLATFORM_ERROR"), &json!(true)), "{error}");
        let words = error["error"].as_str().expect("words");
        assert!(words.contains("is not known") && !words.contains("fewer days"), "{platform}: {words}");
        assert_eq!(received(&world, platform, end).await - before, 2, "{platform}");
        world.no_fault(platform, "report", "answer").await;
        world.ask("GET", "/v1/insights").expect(200).await;
    }
}

#[tokio::test]
async fn a_sync_of_empty_pages_costs_few_calls_and_keeps_the_connection() {
    let world = World::connected("beta_ads").await;
    let before = received(&world, "beta_ads", "/adaccounts").await;
    world.answer("beta_ads", "accounts", 1_000, 200, &empty_page("beta_ads")).await;
    world.sync().await;
    assert_eq!(received(&world, "beta_ads", "/adaccounts").await - before, 2);
    assert_eq!(world.connections().await[0]["status"], "ACTIVE", "what was not read proves nothing");
}
