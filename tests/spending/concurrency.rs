//! Concurrent requests of one key in several processes.

use super::{Answer, Stage, send_now};
use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::json;
use shared::domain::Platform;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

#[tokio::test(start_paused = true)]
async fn concurrent_activations_succeed_up_to_the_limit() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let mut campaigns = Vec::new();
    for number in 0..200 {
        campaigns.push(stage.campaign(Platform::Beta, &format!("C{number}"), 10).await);
    }
    // The rate admits so many at once after a pause.
    sleep(Duration::from_mins(10)).await;
    let processes = [Arc::new(stage.owner.straight()), Arc::new(stage.owner.straight())];
    let body = json!({"status": "ACTIVE"});
    let sends = campaigns.iter().enumerate().map(|(number, campaign)| {
        let (app, body) = (&processes[number % 2], &body);
        let (path, limited) = (format!("/v1/campaigns/{campaign}"), &stage.limited);
        async move {
            loop {
                let answer: Answer = send_now(app, limited, "PATCH", &path, body).await;
                if answer.status != 429 {
                    return answer;
                }
                sleep(Duration::from_secs(2)).await;
            }
        }
    });
    let answers = join_all(sends).await;
    let admitted = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.body["spending_limit"]["limit"] == "daily").count();
    assert_eq!(
        (admitted, refused),
        (10, 190),
        "{:?}",
        answers.iter().find(|answer| ![200, 403].contains(&answer.status))
    );
    assert_eq!((stage.running().await, stage.reserved_and_left().await), (Decimal::from(100), (100, 0)));
}

/// One process reads a campaign as paused and raises it, while another activates it: either would be within the limit.
#[tokio::test(start_paused = true)]
async fn concurrent_changes_of_one_campaign_by_two_keys_stay_within_the_limit() {
    for platform in Platform::ALL {
        let stage = Stage::with_daily(&[platform], 100).await;
        let made = json!({"name": "Second", "scopes": ["campaigns"],
            "spending_limit": super::daily(&stage.connections, 100)});
        let made = stage.owner("POST", "/v1/api-keys", &made).await;
        let second = super::with_key(&stage.owner, made["api_key"].as_str().expect("a key"));
        let one = stage.campaign(platform, "One", 60).await;
        let path = format!("/v1/campaigns/{one}");
        let (activation, raise) = (json!({"status": "ACTIVE"}), json!({"budget_amount": 1000}));
        let others = Arc::new(stage.owner.straight());
        let (activated, raised) = tokio::join!(
            send_now(&stage.app, &stage.limited, "PATCH", &path, &activation),
            send_now(&others, &second, "PATCH", &path, &raise),
        );
        let running = stage.running().await;
        let statuses = (activated.status, raised.status);
        assert!(running <= Decimal::from(100), "{platform}: {statuses:?}, {running} runs");
        assert!([(200, 403), (403, 200)].contains(&statuses), "{platform}: {activated:?} {raised:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_lowered_limit_holds_for_requests_in_flight() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    let slow = json!({"platform": "beta_ads", "operation": "get", "fault": "slow", "times": 1, "ms": 2_000});
    stage.owner.control("POST", "faults", &slow).await;
    let path = format!("/v1/campaigns/{one}");
    let lowered = json!({"spending_limit": super::daily(&stage.connections, 50)});
    let key = format!("/v1/api-keys/{}", stage.key);
    let body = json!({"status": "ACTIVE"});
    let (activated, _) = tokio::join!(stage.agent("PATCH", &path, &body), stage.owner("PATCH", &key, &lowered));
    let running = stage.running().await;
    assert_eq!((activated.status, running), (403, Decimal::ZERO), "{activated:?}");
}
