//! A customer who has used up the quota can still upgrade.

use super::{CHECKOUT, PORTAL};
use crate::world::World;
use serde_json::json;
use shared::clock::Clock;
use shared::domain::Plan;

const STATUS: &str = "/v1/billing/status";
const ME: &str = "/v1/customer/me";
const QUOTA: i64 = 10_000;

#[tokio::test]
async fn beyond_the_quota_a_customer_upgrades_and_the_new_quota_applies() {
    let world = World::start().await;
    world.set_plan(Plan::Starter).await;
    let key = world.gateway.api_key.clone();
    world.set_account(&key, &[("used", QUOTA)]).await;
    let refused = world.ask("GET", "/v1/connections").expect(429).await.json();
    assert_eq!(refused["code"], "RATE_LIMIT_EXCEEDED");
    let status = world.status().await;
    assert_eq!(status["usage"], json!({ "requests_used": QUOTA, "requests_limit": QUOTA }));
    assert_eq!(world.me().await["plan"], "starter");
    world.portal().await;
    let page = world.buy("pro").await;
    assert!(page.text.contains("Your plan is pro"), "{}", page.text);
    world.set_account(&key, &[("tat", 0)]).await;
    let response = world.ask("GET", "/v1/connections").expect(200).await;
    assert!(response.header("ratelimit-policy").contains("\"quota\";q=250000"), "{:?}", response.headers);
    assert_eq!(world.status().await["usage"]["requests_limit"], 250_000);
}

#[tokio::test]
async fn requests_that_lead_to_an_upgrade_count_only_against_the_rate() {
    let world = World::start().await;
    let key = world.another_customer().await;
    let burst = Plan::Starter.limits().burst;
    let requests = [("GET", STATUS), ("GET", ME), ("POST", PORTAL), ("POST", CHECKOUT)];
    for used in [0, 3, QUOTA] {
        for (method, path) in requests {
            world.set_account(&key, &[("tat", 0), ("used", used)]).await;
            let ask = || {
                let ask = world.ask(method, path).header("x-api-key", &key);
                if path == CHECKOUT { ask.json(&json!({ "plan": "pro" })) } else { ask }
            };
            let response = ask().expect(200).await;
            let left = format!("\"quota\";r={};", QUOTA - used);
            assert!(response.header("ratelimit").contains(&left), "{path}: {:?}", response.headers);
            assert!(response.header("ratelimit").contains(&format!("\"rate\";r={};", burst - 1)), "{path}");
            let ahead = Clock::system().now().as_microsecond() + 60_000_000;
            world.set_account(&key, &[("tat", ahead)]).await;
            let throttled = ask().expect(429).await;
            assert_eq!(throttled.json()["code"], "RATE_LIMITED", "{path} with {used} used");
            assert!(throttled.header("retry-after").parse::<u64>().is_ok_and(|wait| wait <= 60), "{path}");
            assert_eq!(world.number(&key, "used").await, used, "{path}");
        }
    }
}

#[tokio::test]
async fn a_malformed_upgrade_beyond_the_quota_names_its_error() {
    let world = World::start().await;
    let key = world.another_customer().await;
    world.set_account(&key, &[("used", QUOTA)]).await;
    let ask = |path: &str| world.ask("POST", path).header("x-api-key", &key);
    assert_eq!(ask(CHECKOUT).json(&json!({ "plan": "none" })).expect(400).await.fields(), ["plan"]);
    assert_eq!(ask(&format!("{CHECKOUT}?a=b")).json(&json!({ "plan": "pro" })).expect(400).await.fields(), ["a"]);
    world.set_account(&key, &[("period_start", 0), ("period_end", 1)]).await;
    ask(CHECKOUT).json(&json!({ "plan": "pro" })).expect(200).await;
}
