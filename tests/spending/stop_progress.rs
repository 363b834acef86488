//! Between the stop of a key and its last pause: somebody activates a campaign, a pause fails, the key is resumed, or the
//! operator replaces it.

use super::stop::{active, number_of_changes, paused};
use super::{Stage, send, with_key};
use jiff::SignedDuration;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::changes::{begin_stop, continue_stop};
use shared::domain::stop::ACTIVATED_SINCE;
use shared::domain::{KeyId, Platform, Requester, Stop};
use shared::error::Kind;
use tokio::time::{Duration, sleep};
use uuid::Uuid;

impl Stage {
    /// A stage whose key runs a campaign with a budget of 60, and the campaign.
    pub(crate) async fn with_running(platform: Platform) -> (Stage, String) {
        let stage = Stage::with_daily(&[platform], 1_000).await;
        let one = stage.campaign(platform, "One", 60).await;
        assert_eq!(stage.change(&one, &active()).await, 200);
        (stage, one)
    }

    /// The platform answers again. Its ad account is left alone for a moment still.
    pub(crate) async fn end_faults(&self) {
        self.owner.control("POST", "reset", &json!({})).await;
        sleep(Duration::from_secs(30)).await;
    }

    /// A stop that nobody has continued yet.
    async fn begun_stop(&self, key: KeyId) -> Stop {
        let (customer, now) = (self.owner.customer, self.owner.clock.now());
        let by = Requester::ApiKey { id: KeyId::default_key(), name: "Default".to_owned() };
        let stop = Stop::new(customer, key, by, Uuid::from_u128(7), now);
        begin_stop(&self.app.store, stop, now).await.expect("a store")
    }
}

#[tokio::test(start_paused = true)]
async fn a_pending_pause_is_dropped_once_somebody_else_activates() {
    let (stage, theirs) = Stage::with_running(Platform::Delta).await;
    let other = stage.campaign(Platform::Delta, "Other", 30).await;
    assert_eq!(stage.change(&other, &active()).await, 200);
    stage.fault(Platform::Delta, "any", "error", 200).await;
    assert_eq!(number_of_changes(&stage.stop().await), 2);
    stage.minutes(3).await;
    stage.end_faults().await;
    stage.as_owner(&theirs, &paused()).await;
    stage.as_owner(&theirs, &active()).await;
    stage.minutes(30).await;
    assert_eq!(stage.running().await, Decimal::from(60));
    let canceled = stage.changes("&state=canceled").await;
    assert_eq!((canceled.len(), &canceled[0]["error"]["message"]), (1, &json!(ACTIVATED_SINCE)), "{canceled:?}");
    assert_eq!(stage.stop().await["done"], true);
}

#[tokio::test(start_paused = true)]
async fn a_pending_pause_is_dropped_once_the_resumed_key_activates() {
    let (stage, one) = Stage::with_running(Platform::Delta).await;
    stage.fault(Platform::Delta, "any", "error", 200).await;
    stage.stop().await;
    stage.minutes(3).await;
    stage.end_faults().await;
    stage.as_owner(&one, &paused()).await;
    stage.resume_as_seen(stage.keys().await).await.expect("the key is resumed");
    assert_eq!(stage.change(&one, &active()).await, 200);
    stage.minutes(30).await;
    assert_eq!(stage.running().await, Decimal::from(60));
    assert_eq!(stage.changes("&state=canceled").await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stop_after_a_failed_pause_starts_again() {
    let (stage, _) = Stage::with_running(Platform::Beta).await;
    // Meta answers like this for a campaign that the connection may not see, too.
    let unseen = json!({"error": {"message": "Unsupported get request.", "type": "GraphMethodException", "code": 100,
        "error_subcode": 33}});
    let fault = json!({"platform": "beta_ads", "operation": "get", "fault": "answer", "times": 99, "status": 400,
        "body": unseen.to_string()});
    stage.owner.control("POST", "faults", &fault).await;
    let stopped = stage.stop().await;
    stage.minutes(3).await;
    assert_eq!(stage.running().await, Decimal::from(60), "the pause has failed");
    stage.end_faults().await;
    let again = stage.stop().await;
    assert_ne!(again["stopped_at"], stopped["stopped_at"]);
    assert_eq!((number_of_changes(&again), &again["done"]), (1, &json!(false)), "{again}");
    stage.minutes(3).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    let told = stage.stop().await;
    assert_eq!((&told["stopped_at"], &told["done"]), (&again["stopped_at"], &json!(true)), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_done_although_one_of_its_pauses_was_canceled() {
    let (stage, _) = Stage::with_running(Platform::Delta).await;
    let other = stage.campaign(Platform::Delta, "Other", 30).await;
    assert_eq!(stage.change(&other, &active()).await, 200);
    stage.fault(Platform::Delta, "any", "error", 200).await;
    let stopped = stage.stop().await;
    let of_other = stage.changes(&format!("&campaign_id={other}&state=scheduled")).await;
    let pause = of_other[0]["id"].as_str().expect("an id");
    stage.owner("POST", &format!("/v1/changes/{pause}/cancel"), &Value::Null).await;
    stage.minutes(3).await;
    assert_eq!(stage.stop().await["done"], false, "the other pause is tried still");
    stage.end_faults().await;
    stage.minutes(30).await;
    let told = stage.stop().await;
    assert_eq!((&told["stopped_at"], &told["done"]), (&stopped["stopped_at"], &json!(true)), "{told}");
    stage.minutes(3).await;
    assert_eq!(stage.running().await, Decimal::from(30), "asking how far it is pauses nothing more");
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_not_done_while_a_campaign_is_disconnected() {
    let (stage, _) = Stage::with_running(Platform::Beta).await;
    let removed = format!("/v1/connections/{}", stage.connections[0]);
    stage.owner("DELETE", &removed, &Value::Null).await;
    // Its history has expired too.
    stage.hours(24 * 400).await;
    assert_eq!(number_of_changes(&stage.stop().await), 1);
    stage.minutes(3).await;
    let told = stage.stop().await;
    assert_eq!(told["done"], false, "{told}");
    let failed = stage.changes("&state=failed").await;
    assert!(failed[0]["error"]["message"].to_string().contains("no longer connected"), "{failed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_key_cannot_be_resumed_from_an_outdated_view() {
    let (stage, _) = Stage::with_running(Platform::Beta).await;
    stage.stop().await;
    let seen = stage.keys().await;
    let early = stage.resume_as_seen(seen.clone()).await.expect_err("a pass is left");
    assert!(early.kind == Kind::Conflict && early.retryable, "{early:?}");
    stage.minutes(2).await;
    stage.resume_as_seen(seen.clone()).await.expect("the key is resumed");
    stage.resume_as_seen(stage.keys().await).await.expect("it is valid already");
    stage.stop().await;
    stage.minutes(2).await;
    let late = stage.resume_as_seen(seen).await.expect_err("another stop");
    assert_eq!(late.kind, Kind::Conflict, "{late:?}");
    assert_eq!(stage.agent("GET", "/v1/limits", &Value::Null).await.status, 401);
    assert!(stage.spending().await.stopped_at.is_some());
    assert_eq!(stage.stop().await["done"], true, "the stop is known still");
    stage.resume_as_seen(stage.keys().await).await.expect("the key is resumed");
    assert_eq!(stage.agent("GET", "/v1/limits", &Value::Null).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_refuse_a_key_the_operator_created_since() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    stage.as_owner(&one, &active()).await;
    let stop = stage.begun_stop(KeyId::default_key()).await;
    let secret = ApiKey::generate(stage.owner.customer, Mode::Test).expect("a key");
    let now = stage.owner.clock.now() + SignedDuration::from_secs(1);
    let (store, customer) = (&stage.app.store, stage.owner.customer);
    store.reset_keys(customer, &secret.hash(), secret.display(), now).await.expect("a store");
    continue_stop(&stage.app, stop).await.expect("its campaigns are found");
    stage.minutes(3).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    let owner = with_key(&stage.owner, secret.reveal());
    assert_eq!(send(&stage.app, &owner, "GET", "/v1/campaigns", &Value::Null).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn only_one_process_at_a_time_runs_a_stop() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let stop = stage.begun_stop(stage.key.clone()).await;
    let (store, now) = (&stage.app.store, stage.owner.clock.now());
    let until = now + SignedDuration::from_secs(90);
    assert!(store.take_stop(&stop, now, until).await.expect("a store"));
    assert!(!store.take_stop(&stop, now, until).await.expect("a store"), "another process has it");
    assert!(store.take_stop(&stop, until, until).await.expect("a store"), "that process has ended");
}

#[tokio::test(start_paused = true)]
async fn the_pause_of_a_stop_is_tried_in_every_run() {
    for failures in [1, 3] {
        let (stage, _) = Stage::with_running(Platform::Delta).await;
        stage.fault(Platform::Delta, "update", "error", failures).await;
        stage.stop().await;
        stage.minutes(u64::from(failures) + 1).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "after {failures} failures");
        stage.minutes(1).await;
        assert_eq!(stage.stop().await["done"], true, "after {failures} failures");
    }
}
