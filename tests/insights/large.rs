//! An account with many campaigns and days: every page arrives in time, and small enough for Lambda.

use super::{Stage, draft};
use crate::scale::size;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, Instant};

/// Lambda's limit of a response.
const MAX_RESPONSE: usize = 6_000_000;
/// Time of a page: less than API Gateway waits.
const MAX_PAGE: Duration = Duration::from_secs(25);

#[tokio::test(start_paused = true)]
async fn an_account_with_many_campaigns_and_days_is_read_page_by_page() {
    let campaigns = size("INSIGHTS_CAMPAIGNS", 60);
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        for number in 0..campaigns {
            stage.ask(201, "POST", "/v1/campaigns", &draft(platform, &format!("Campaign {number}"))).await;
        }
        stage.deliver(json!({"platform": platform.as_str(), "seed": 9, "days": 89})).await;
        let latency = json!({"platform": platform.as_str(), "latency_ms": 300});
        stage.world.control("POST", "settings", &latency).await;
        let range = format!("from={}&to={}", stage.day(89), stage.day(1));
        let mut rows = 0;
        let mut pages = 0;
        let mut cursor = String::new();
        let mut longest = Duration::ZERO;
        let mut largest = 0;
        loop {
            let began = Instant::now();
            let page = stage.ask(200, "GET", &format!("/v1/insights?{range}&limit=5000{cursor}"), "").await;
            longest = longest.max(began.elapsed());
            largest = largest.max(page.to_string().len());
            let own = page["accounts"][0]["rows"].as_array().map_or(0, Vec::len);
            (rows, pages) = (rows + own, pages + 1);
            assert_eq!(page.get("errors"), None, "{platform}");
            let next: &Value = &page["pagination"]["next_cursor"];
            let Some(next) = next.as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        println!(
            "{platform}: {rows} rows of {campaigns} campaigns, {pages} pages, longest {longest:?}, {largest} bytes"
        );
        assert!(longest < MAX_PAGE && largest < MAX_RESPONSE, "{platform}: {longest:?}, {largest} bytes");
        let most = usize::try_from(campaigns * 89).expect("a number");
        assert!(rows <= most && rows > most * 7 / 10, "{platform}: {rows} of {most} rows");
    }
}
