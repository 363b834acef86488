//! Approval above an amount: the raises of a campaign on one day count as one, so small steps do not avoid it.

use super::{Answer, Stage, daily, send_now, with_key};
use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// A limit of 1,000 a day. A person approves what adds more than 30.
fn above_30(connections: &[String]) -> Value {
    let mut limit = daily(connections, 1_000);
    limit["approval"] = json!({"amounts": [{"currency": "USD", "amount": 30}]});
    limit
}

/// A stage with such a key, and a campaign of 100 that the owner has running.
async fn stage(platform: Platform) -> (Stage, String) {
    let stage = Stage::with(&[platform], above_30).await;
    let campaign = stage.campaign(platform, "One", 100).await;
    stage.owner("PATCH", &format!("/v1/campaigns/{campaign}"), &json!({"status": "ACTIVE"})).await;
    (stage, campaign)
}

impl Stage {
    /// Sets a budget with the limited key. Checks first that a dry run says whether approval is needed.
    async fn raise(&self, campaign: &str, amount: i64) -> Answer {
        let (path, body) = (format!("/v1/campaigns/{campaign}"), json!({"budget_amount": amount}));
        let dry = self.agent("PATCH", &format!("{path}?dry_run=true"), &body).await;
        let answer = self.agent("PATCH", &path, &body).await;
        assert_eq!(dry.body["needs_approval"], json!(answer.status == 202), "{amount}: {dry:?} {answer:?}");
        answer
    }

    async fn raises(&self, campaign: &str, amount: i64) -> u16 {
        self.raise(campaign, amount).await.status
    }
}

#[tokio::test(start_paused = true)]
async fn raises_of_one_day_need_approval_as_one() {
    for platform in Platform::ALL {
        let (stage, campaign) = stage(platform).await;
        assert_eq!(stage.raises(&campaign, 129).await, 200, "{platform}: 29");
        let asked = stage.raise(&campaign, 158).await;
        assert_eq!((asked.status, &asked.body["state"]), (202, &json!("awaiting_approval")), "{platform}");
        assert_eq!(stage.raises(&campaign, 130).await, 200, "{platform}: 30 in all");
        assert_eq!(stage.raises(&campaign, 131).await, 202, "{platform}: 31 in all");
        assert_eq!(stage.running().await, Decimal::from(130), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_raises_need_approval_as_one() {
    let (stage, campaign) = stage(Platform::Beta).await;
    let processes = [Arc::clone(&stage.app), Arc::new(stage.owner.straight())];
    let path = format!("/v1/campaigns/{campaign}");
    for _ in 0..4 {
        sleep(Duration::from_secs(10)).await;
        let bodies: Vec<Value> = (1..=5).map(|step| json!({"budget_amount": 100 + 29 * step})).collect();
        let sends = bodies.iter().enumerate().map(|(number, body)| {
            let app = &processes[number % 2];
            send_now(app, &stage.limited, "PATCH", &path, body)
        });
        let answers = join_all(sends).await;
        assert!(answers.iter().all(|answer| [200, 202, 429].contains(&answer.status)), "{answers:?}");
        assert!(stage.running().await <= Decimal::from(130), "{answers:?}");
    }
    assert_eq!(stage.running().await, Decimal::from(129));
}

#[tokio::test(start_paused = true)]
async fn raises_count_from_the_lowest_budget_of_the_day() {
    let (stage, campaign) = stage(Platform::Beta).await;
    for _ in 0..3 {
        assert_eq!(stage.raises(&campaign, 80).await, 200, "lowering is free");
        assert_eq!(stage.raises(&campaign, 105).await, 200, "25 over the lowest, however often");
    }
    assert_eq!(stage.raises(&campaign, 111).await, 202, "31 over the lowest");
    assert_eq!(stage.raises(&campaign, 110).await, 200);
    assert_eq!(stage.running().await, Decimal::from(110));
}

#[tokio::test(start_paused = true)]
async fn an_activation_and_later_raises_need_approval_as_one() {
    let stage = Stage::with(&[Platform::Beta], above_30).await;
    let campaign = stage.campaign(Platform::Beta, "One", 25).await;
    assert_eq!(stage.change(&campaign, &json!({"status": "ACTIVE"})).await, 200, "25 in all");
    assert_eq!(stage.raises(&campaign, 31).await, 202);
    assert_eq!(stage.raises(&campaign, 30).await, 200);
    assert_eq!(stage.change(&campaign, &json!({"status": "PAUSED"})).await, 200);
    assert_eq!(stage.change(&campaign, &json!({"status": "ACTIVE"})).await, 200, "the same 30 again");
    assert_eq!(stage.running().await, Decimal::from(30));
}

#[tokio::test(start_paused = true)]
async fn raises_of_a_paused_campaign_need_approval_as_one() {
    let stage = Stage::with(&[Platform::Alpha], above_30).await;
    let campaign = stage.campaign(Platform::Alpha, "One", 100).await;
    assert_eq!((stage.raises(&campaign, 129).await, stage.raises(&campaign, 158).await), (200, 202));
}

#[tokio::test(start_paused = true)]
async fn the_next_raise_counts_from_the_last_decision_of_a_person() {
    let (stage, campaign) = stage(Platform::Beta).await;
    assert_eq!(stage.raises(&campaign, 129).await, 200);
    let asked = stage.raise(&campaign, 140).await;
    let seen = stage.review(asked.body["id"].as_str().expect("an id")).await;
    assert_eq!(seen.raised.map(|raised| raised.from), Some(Decimal::from(100)), "they see where the day began");
    stage.approve(asked.body["id"].as_str().expect("an id")).await.expect("an approval");
    assert_eq!((stage.raises(&campaign, 171).await, stage.raises(&campaign, 170).await), (202, 200), "30 over 140");
    stage.owner("PATCH", &format!("/v1/campaigns/{campaign}"), &json!({"budget_amount": 300})).await;
    assert_eq!((stage.raises(&campaign, 331).await, stage.raises(&campaign, 330).await), (202, 200), "30 over 300");
    stage.owner("PATCH", &format!("/v1/campaigns/{campaign}"), &json!({"budget_amount": 200})).await;
    assert_eq!((stage.raises(&campaign, 231).await, stage.raises(&campaign, 230).await), (202, 200), "30 over 200");
    assert_eq!(stage.running().await, Decimal::from(230));
}

#[tokio::test(start_paused = true)]
async fn raises_of_another_day_do_not_count() {
    let (stage, campaign) = stage(Platform::Beta).await;
    assert_eq!((stage.raises(&campaign, 130).await, stage.raises(&campaign, 131).await), (200, 202));
    let later = format!(
        "/v1/campaigns/{campaign}?apply_at={:.0}",
        stage.app.clock.now() + jiff::SignedDuration::from_hours(30)
    );
    let scheduled = stage.agent("PATCH", &later, &json!({"budget_amount": 150})).await;
    assert_eq!((scheduled.status, &scheduled.body["state"]), (202, &json!("scheduled")), "{scheduled:?}");
    stage.hours(30).await;
    stage.minutes(1).await;
    assert_eq!(stage.running().await, Decimal::from(150));
    assert_eq!((stage.raises(&campaign, 161).await, stage.raises(&campaign, 160).await), (202, 200), "30 over 130");
}

#[tokio::test(start_paused = true)]
async fn raises_of_two_keys_with_the_rule_count_together() {
    let (stage, campaign) = stage(Platform::Beta).await;
    let body = json!({"name": "Second", "scopes": ["campaigns"], "spending_limit": above_30(&stage.connections)});
    let made = stage.owner("POST", "/v1/api-keys", &body).await;
    let second = with_key(&stage.owner, made["api_key"].as_str().expect("a key"));
    assert_eq!(stage.raises(&campaign, 129).await, 200);
    sleep(Duration::from_secs(1)).await;
    let raise = json!({"budget_amount": 158});
    let answer = send_now(&stage.app, &second, "PATCH", &format!("/v1/campaigns/{campaign}"), &raise).await;
    assert_eq!((answer.status, stage.running().await), (202, Decimal::from(129)), "{answer:?}");
}
