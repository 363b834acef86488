//! Stopping a key: by the sandbox's books, none of its campaigns runs.

use super::{Answer, Stage, daily, send, with_key};
use crate::in_process::World;
use jiff::SignedDuration;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::changes::resume_key;
use shared::domain::{ApiKeys, Customer, CustomerId, KeyId, Plan, Platform};
use shared::error::Error;
use shared::store::Account;
use tokio::time::{Duration, sleep};
use uuid::Uuid;

pub(super) fn active() -> Value {
    json!({"status": "ACTIVE"})
}

pub(super) fn paused() -> Value {
    json!({"status": "PAUSED"})
}

impl Stage {
    /// Stops a key, or asks how far its stop is.
    pub(super) async fn stop_key(&self, key: &KeyId) -> Value {
        self.owner("POST", &format!("/v1/api-keys/{key}/stop"), &Value::Null).await
    }

    /// Stops a key while a change of it is in flight. The pause of the first pass finds the campaign paused still.
    async fn stop_in_flight(&self, key: &KeyId) -> Value {
        sleep(Duration::from_secs(3)).await;
        let stopped = self.stop_key(key).await;
        maintenance::run(&self.app).await.expect("maintenance runs to its end");
        assert_eq!(self.changes("&state=applied&kind=update").await.iter().filter(is_of_stop).count(), 1);
        stopped
    }

    pub(crate) async fn stop(&self) -> Value {
        self.stop_key(&self.key).await
    }

    /// What a person does on the dashboard.
    async fn resume(&self) {
        self.resume_as_seen(self.keys().await).await.expect("the key is resumed");
    }

    /// Resumes the key as a person who has seen the keys like this.
    pub(super) async fn resume_as_seen(&self, keys: ApiKeys) -> Result<(), Error> {
        resume_key(&self.app.store, self.owner.customer, keys, &self.key, self.owner.clock.now()).await
    }

    pub(super) async fn keys(&self) -> ApiKeys {
        let account = self.app.store.account(self.owner.customer, self.owner.clock.now()).await.expect("a read");
        account.expect("an account").keys
    }

    /// Makes a key without a limit.
    pub(crate) async fn free_key(&self) -> (KeyId, World) {
        let made = json!({"name": "Free", "scopes": ["campaigns"]});
        let made = self.owner("POST", "/v1/api-keys", &made).await;
        let key = KeyId(made["id"].as_str().expect("an id").to_owned());
        (key, with_key(&self.owner, made["api_key"].as_str().expect("a key")))
    }

    pub(super) async fn as_owner(&self, campaign: &str, changes: &Value) {
        self.owner("PATCH", &format!("/v1/campaigns/{campaign}"), changes).await;
    }

    pub(crate) async fn changes(&self, query: &str) -> Vec<Value> {
        let listed = self.owner("GET", &format!("/v1/changes?limit=100{query}"), &Value::Null).await;
        listed["changes"].as_array().expect("a list").clone()
    }
}

fn is_of_stop(change: &&Value) -> bool {
    change["executed_by"] == "stop"
}

pub(super) fn number_of_changes(stopped: &Value) -> usize {
    stopped["changes"].as_array().expect("a list").len()
}

#[tokio::test(start_paused = true)]
async fn a_stopped_key_runs_nothing_on_any_platform() {
    let stage = Stage::with_daily(&Platform::ALL, 10_000).await;
    let mut all = 0;
    for platform in Platform::ALL {
        for name in ["One", "Two", "Three"] {
            let campaign = stage.campaign(platform, &format!("{name} {platform}"), 50).await;
            assert_eq!(stage.change(&campaign, &active()).await, 200, "{platform}");
        }
        let others = stage.campaign(platform, &format!("Others {platform}"), 60).await;
        stage.as_owner(&others, &active()).await;
        assert_eq!(stage.change(&others, &json!({"budget_amount": 70})).await, 200, "{platform}: raised");
        let waits = stage.campaign(platform, &format!("Waits {platform}"), 50).await;
        let at = stage.owner.clock.now() + SignedDuration::from_mins(10);
        let later = format!("/v1/campaigns/{waits}?apply_at={at:.0}");
        assert_eq!(stage.agent("PATCH", &later, &active()).await.status, 202, "{platform}");
        all += 4;
    }
    let stopped = stage.stop().await;
    assert_eq!((number_of_changes(&stopped), &stopped["done"]), (all, &json!(false)), "{stopped}");
    let refused = stage.agent("GET", "/v1/campaigns", &Value::Null).await;
    let message = refused.body["error"].as_str().unwrap_or_default();
    assert!(refused.status == 401 && message.contains("was stopped at"), "{refused:?}");
    let canceled = stage.changes("&state=canceled").await;
    assert_eq!(canceled.len(), Platform::ALL.len());
    assert_eq!(canceled[0]["error"]["message"], "The API key was stopped.");
    stage.minutes(2).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    let told = stage.stop().await;
    assert_eq!((&told["done"], &told["changes"]), (&json!(true), &stopped["changes"]), "the same stop: {told}");
    assert_eq!(told["stopped_at"], stopped["stopped_at"]);
    let pause = format!("/v1/changes/{}", stopped["changes"][0].as_str().expect("an id"));
    let pause = stage.owner("GET", &pause, &Value::Null).await;
    assert_eq!((&pause["executed_by"], &pause["requested_by"]["id"]), (&json!("stop"), &json!("key_default")));
    stage.minutes(15).await;
    assert_eq!(stage.running().await, Decimal::ZERO, "nothing that waited follows");
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_done_only_after_its_pauses_are_read() {
    for platform in Platform::ALL {
        let stage = Stage::with_daily(&[platform], 500).await;
        let one = stage.campaign(platform, "One", 60).await;
        assert_eq!(stage.change(&one, &active()).await, 200, "{platform}");
        stage.fault(platform, "update", "ignored", 1_000).await;
        stage.stop().await;
        for _ in 0..10 {
            stage.minutes(1).await;
            assert_eq!(stage.stop().await["done"], false, "{platform}: the campaign runs");
        }
        assert_eq!(stage.running().await, Decimal::from(60), "{platform}");
        stage.owner.control("POST", "reset", &json!({})).await;
        stage.minutes(15).await;
        assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::ZERO, &json!(true)), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_activation_in_flight_at_the_stop_ends_paused() {
    for (platform, late_ms) in [(Platform::Beta, 10_000), (Platform::Gamma, 40_000)] {
        let stage = Stage::with_daily(&[platform], 100).await;
        let one = stage.campaign(platform, "One", 60).await;
        let late =
            json!({"platform": platform.as_str(), "operation": "update", "fault": "late", "times": 1, "ms": late_ms});
        stage.owner.control("POST", "faults", &late).await;
        let (path, body) = (format!("/v1/campaigns/{one}"), active());
        let change = stage.agent("PATCH", &path, &body);
        let (_, stopped) = tokio::join!(change, stage.stop_in_flight(&stage.key));
        assert_eq!((number_of_changes(&stopped), &stopped["done"]), (1, &json!(false)), "{platform}: {stopped}");
        stage.minutes(4).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}");
        let told = stage.stop().await;
        assert_eq!((number_of_changes(&told), &told["done"]), (2, &json!(true)), "{platform}: {told}");
        let spending = stage.spending().await;
        assert!(
            spending.contributions.values().all(|one| one.pending.is_none() && one.daily.is_zero()),
            "{spending:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_has_not_reserved_yet_is_refused() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    let slow = json!({"platform": "beta_ads", "operation": "get", "fault": "slow", "times": 1, "ms": 2_000});
    stage.owner.control("POST", "faults", &slow).await;
    let (path, body) = (format!("/v1/campaigns/{one}"), active());
    let stop = async {
        sleep(Duration::from_secs(1)).await;
        stage.stop().await
    };
    let (activated, stopped) = tokio::join!(stage.agent("PATCH", &path, &body), stop);
    assert_eq!(activated.status, 401, "{activated:?}");
    assert_eq!((number_of_changes(&stopped), &stopped["done"]), (0, &json!(false)), "{stopped}");
    stage.minutes(2).await;
    let told = stage.stop().await;
    assert_eq!((number_of_changes(&told), &told["done"]), (0, &json!(true)), "{told}");
    assert_eq!(stage.running().await, Decimal::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_campaign_activated_by_somebody_else_since_keeps_running() {
    let stage = Stage::with_daily(&[Platform::Alpha], 1_000).await;
    let theirs = stage.campaign(Platform::Alpha, "Theirs", 60).await;
    let own = stage.campaign(Platform::Alpha, "Own", 70).await;
    let raised = stage.campaign(Platform::Alpha, "Raised", 80).await;
    for campaign in [&theirs, &own, &raised] {
        assert_eq!(stage.change(campaign, &active()).await, 200);
    }
    for campaign in [&theirs, &raised] {
        stage.as_owner(campaign, &paused()).await;
        stage.as_owner(campaign, &active()).await;
    }
    assert_eq!(stage.change(&raised, &json!({"budget_amount": 90})).await, 200, "the key adds to it again");
    let stopped = stage.stop().await;
    assert_eq!(number_of_changes(&stopped), 2, "{stopped}");
    stage.minutes(2).await;
    assert_eq!(stage.running().await, Decimal::from(60));
    assert_eq!(stage.stop().await["done"], true);
}

#[tokio::test(start_paused = true)]
async fn a_stop_pauses_a_campaign_that_the_key_has_lowered_since() {
    let stage = Stage::with_daily(&[Platform::Alpha], 100).await;
    let one = stage.campaign(Platform::Alpha, "One", 60).await;
    let other = stage.campaign(Platform::Alpha, "Other", 30).await;
    let theirs = stage.campaign(Platform::Alpha, "Theirs", 40).await;
    stage.as_owner(&theirs, &active()).await;
    assert_eq!(stage.change(&one, &active()).await, 200);
    stage.as_owner(&one, &json!({"budget_amount": 200})).await;
    assert_eq!(stage.change(&one, &json!({"budget_amount": 100})).await, 200, "by more than the key has added");
    for budget in [50, 40] {
        assert_eq!(stage.change(&theirs, &json!({"budget_amount": budget})).await, 200);
    }
    stage.hours(36).await;
    assert_eq!(stage.reserved_and_left().await, (0, 100), "nothing counts any more");
    assert_eq!(stage.change(&other, &active()).await, 200);
    assert_eq!(number_of_changes(&stage.stop().await), 2);
    stage.minutes(2).await;
    assert_eq!(stage.running().await, Decimal::from(40), "what others run goes on");
    assert_eq!(stage.stop().await["done"], true);
}

#[tokio::test(start_paused = true)]
async fn a_stop_of_a_key_without_a_limit_uses_its_history() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let (key, free) = stage.free_key().await;
    let change = async |campaign: &str, changes: &Value| -> Answer {
        send(&stage.app, &free, "PATCH", &format!("/v1/campaigns/{campaign}"), changes).await
    };
    let mut campaigns = Vec::new();
    for (name, budget) in [("Own", 10), ("Raised", 20), ("Lowered", 30), ("Paused", 40), ("Late", 50)] {
        campaigns.push(stage.campaign(Platform::Beta, name, budget).await);
    }
    let [own, raised, lowered, ended, late] = campaigns.as_slice() else { panic!("five campaigns") };
    for campaign in [raised, lowered] {
        stage.as_owner(campaign, &active()).await;
    }
    for (campaign, changes) in [
        (own, active()),
        (raised, json!({"budget_amount": 25})),
        (lowered, json!({"budget_amount": 5})),
        (ended, active()),
        (ended, paused()),
    ] {
        assert_eq!(change(campaign, &changes).await.status, 200);
    }
    // Its request is admitted before the stop, and its platform carries it out long after.
    let fault = json!({"platform": "beta_ads", "operation": "update", "fault": "late", "times": 1, "ms": 40_000});
    stage.owner.control("POST", "faults", &fault).await;
    let stop = async {
        sleep(Duration::from_secs(3)).await;
        let stopped = stage.stop_key(&key).await;
        maintenance::run(&stage.app).await.expect("maintenance runs to its end");
        stopped
    };
    let body = active();
    let (_, stopped) = tokio::join!(change(late, &body), stop);
    assert_eq!((number_of_changes(&stopped), &stopped["done"]), (3, &json!(false)), "{stopped}");
    stage.minutes(5).await;
    assert_eq!(stage.running().await, Decimal::from(5), "what it has lowered goes on");
    assert_eq!(stage.stop_key(&key).await["done"], true);
    assert_eq!(change(own, &active()).await.status, 401);
}

#[tokio::test(start_paused = true)]
async fn a_bulk_activation_of_a_stopped_key_is_not_applied() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let (key, free) = stage.free_key().await;
    stage.campaign(Platform::Beta, "One", 60).await;
    // The account cannot be listed, so maintenance goes on after the request.
    stage.fault(Platform::Beta, "list", "error", 99).await;
    let all = json!({"status": "ACTIVE", "all": true});
    assert_eq!(send(&stage.app, &free, "POST", "/v1/campaigns/status", &all).await.status, 202);
    let stopped = stage.stop_key(&key).await;
    assert_eq!(number_of_changes(&stopped), 0, "{stopped}");
    stage.minutes(4).await;
    assert_eq!(stage.stop_key(&key).await["done"], true);
    stage.owner.control("POST", "reset", &json!({})).await;
    stage.minutes(20).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    assert_eq!(stage.changes("&state=canceled").await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_stop_is_retried_until_the_platform_answers() {
    let stage = Stage::with_daily(&[Platform::Delta], 100).await;
    let one = stage.campaign(Platform::Delta, "One", 60).await;
    let gone = stage.campaign(Platform::Delta, "Gone", 30).await;
    for campaign in [&one, &gone] {
        assert_eq!(stage.change(campaign, &active()).await, 200);
    }
    stage.owner("DELETE", &format!("/v1/campaigns/{gone}"), &Value::Null).await;
    stage.fault(Platform::Delta, "any", "error", 200).await;
    stage.stop().await;
    stage.minutes(20).await;
    assert_eq!(stage.stop().await["done"], false);
    stage.owner.control("POST", "reset", &json!({})).await;
    stage.minutes(60).await;
    assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::ZERO, &json!(true)));
}

#[tokio::test(start_paused = true)]
async fn a_resumed_key_works_and_what_it_added_counts_until_the_day_is_over() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    let two = stage.campaign(Platform::Beta, "Two", 60).await;
    assert_eq!(stage.change(&one, &active()).await, 200);
    // Somebody else pauses it first, so the stop finds it at rest.
    stage.as_owner(&one, &paused()).await;
    stage.stop().await;
    stage.minutes(2).await;
    let rotated = send(&stage.app, &stage.limited, "POST", "/v1/api-keys/rotate", &Value::Null).await;
    assert_eq!(rotated.status, 401, "{rotated:?}");
    let path = format!("/v1/api-keys/{}", stage.key);
    stage.owner("PATCH", &path, &json!({"name": "Renamed"})).await;
    stage.owner("PATCH", &path, &json!({"spending_limit": daily(&stage.connections, 100)})).await;
    assert_eq!(stage.agent("GET", "/v1/limits", &Value::Null).await.status, 401, "an update keeps it stopped");
    let listed = stage.owner("GET", "/v1/api-keys", &Value::Null).await;
    let times: Vec<bool> =
        listed["api_keys"].as_array().expect("a list").iter().map(|key| key["stopped_at"].is_string()).collect();
    assert_eq!(times, [true, false], "{listed}");
    stage.resume().await;
    assert_eq!(stage.reserved_and_left().await, (60, 40));
    assert_eq!(stage.change(&two, &active()).await, 403);
    assert_eq!(stage.change(&one, &active()).await, 200, "the same again");
    stage.as_owner(&one, &paused()).await;
    let again = stage.stop().await;
    assert_eq!(number_of_changes(&again), 1, "another stop: {again}");
    stage.minutes(2).await;
    stage.resume().await;
    stage.hours(36).await;
    assert_eq!(stage.reserved_and_left().await, (0, 100));
    assert_eq!((stage.change(&two, &active()).await, stage.running().await), (200, Decimal::from(60)));
}

#[tokio::test(start_paused = true)]
async fn every_key_can_be_stopped_even_the_last() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let path = |id: &str| format!("/v1/api-keys/{id}/stop");
    for id in ["key_unknown", "key_", "x"] {
        let unknown = send(&stage.app, &stage.owner, "POST", &path(id), &Value::Null).await;
        assert_eq!(unknown.status, 404, "{unknown:?}");
    }
    let own = path(&stage.key.0);
    assert_eq!(stage.agent("POST", &own, &Value::Null).await.status, 403, "a key with a limit stops none");
    let body = send(&stage.app, &stage.owner, "POST", &own, &json!({"now": true})).await;
    assert_eq!(body.status, 400, "{body:?}");
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    stage.as_owner(&one, &active()).await;
    let stopped = stage.owner("POST", &path("key_default"), &Value::Null).await;
    assert_eq!(number_of_changes(&stopped), 1, "{stopped}");
    let refused = send(&stage.app, &stage.owner, "GET", "/v1/campaigns", &Value::Null).await;
    assert_eq!(refused.status, 401, "{refused:?}");
    stage.minutes(4).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    let other = std::sync::Arc::new(stage.owner.straight());
    assert_eq!(send(&other, &stage.owner, "GET", "/v1/campaigns", &Value::Null).await.status, 401, "in every process");
}

#[tokio::test(start_paused = true)]
async fn a_key_of_another_customer_is_unknown() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let id = CustomerId(Uuid::from_u128(8));
    let secret = ApiKey::generate(id, Mode::Test).expect("a key");
    let (email, created_at) = ("other@example.com".to_owned(), stage.owner.clock.now());
    let other = Customer { id, email, plan: Plan::Pro, created_at, disabled: false };
    let account = Account::new(other, secret.hash(), secret.display());
    stage.app.store.create_account(&account).await.expect("an account");
    let other = World { customer: id, ..with_key(&stage.owner, secret.reveal()) };
    let path = format!("/v1/api-keys/{}/stop", stage.key);
    let unknown = send(&stage.app, &other, "POST", &path, &Value::Null).await;
    assert_eq!(unknown.status, 404, "{unknown:?}");
    assert_eq!(stage.agent("GET", "/v1/limits", &Value::Null).await.status, 200);
}
