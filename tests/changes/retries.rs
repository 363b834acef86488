//! Retries under an `Idempotency-Key` after a lost response, when somebody has changed the campaign since: the change
//! is not applied again. The sandbox's books say what happened.

use crate::in_process::{json_of, respond};
use crate::spending::{Stage, daily};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep, timeout};

/// A response to a request with a key.
struct KeyedResponse {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

impl KeyedResponse {
    fn change(&self) -> &str {
        self.headers.get("change-id").and_then(|id| id.to_str().ok()).unwrap_or_default()
    }
}

impl Stage {
    /// A request with an `Idempotency-Key`, of the key with a limit or of the one without.
    async fn keyed(&self, is_limited: bool, method: &str, path: &str, body: &Value) -> KeyedResponse {
        sleep(Duration::from_millis(200)).await;
        let world = if is_limited { &self.limited } else { &self.owner };
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let response = respond(&self.app, world.request(method, path, &[("idempotency-key", "k")], &body)).await;
        let status = response.status().as_u16();
        let (head, body) = response.into_parts();
        let body = if body.is_empty() { Value::Null } else { json_of(&body) };
        KeyedResponse { status, headers: head.headers, body }
    }

    /// Sends a request whose process ends before it hears from the platform, and lets maintenance find out what became of
    /// it. Returns the change.
    pub(super) async fn lost(
        &self,
        platform: Platform,
        is_limited: bool,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Value {
        let operation = if method == "DELETE" { "delete" } else { "update" };
        // The platform carries it out, and its answer comes too late.
        for operation in [operation, "update"] {
            self.fault(platform, operation, "slow", 1).await;
        }
        let lost = timeout(Duration::from_secs(10), self.keyed(is_limited, method, path, body)).await;
        assert!(lost.is_err(), "{platform} {body}: it was answered");
        self.owner.control("POST", "reset", &json!({})).await;
        self.minutes(5).await;
        let changes = self.owner("GET", "/v1/changes?state=applied&limit=1", &Value::Null).await;
        changes["changes"][0].clone()
    }

    /// The only campaign in the sandbox's books.
    async fn book(&self) -> Value {
        let listed = self.owner.control("GET", "campaigns", &Value::Null).await;
        let campaigns = listed["campaigns"].as_array().expect("a list");
        assert_eq!(campaigns.len(), 1, "{listed}");
        campaigns[0].clone()
    }
}

/// A platform with a paused campaign of 50 a day, and its path.
async fn paused(platform: Platform) -> (Stage, String) {
    let stage = Stage::with_daily(&[platform], 500).await;
    let id = stage.campaign(platform, "Kept", 50).await;
    (stage, format!("/v1/campaigns/{id}"))
}

#[tokio::test(start_paused = true)]
async fn a_retried_activation_does_not_revert_a_persons_pause() {
    for platform in Platform::ALL {
        for is_limited in [false, true] {
            let (stage, path) = paused(platform).await;
            let start = json!({"status": "ACTIVE"});
            let lost = stage.lost(platform, is_limited, "PATCH", &path, &start).await;
            stage.owner("PATCH", &path, &json!({"status": "PAUSED"})).await;
            let by_a_person = stage.book().await;
            let again = stage.keyed(is_limited, "PATCH", &path, &start).await;
            assert_eq!((again.status, &again.body["status"]), (200, &json!("PAUSED")), "{platform}: {}", again.body);
            assert_eq!(again.change(), lost["id"], "{platform}: the change that was made");
            assert_eq!(stage.book().await, by_a_person, "{platform} {is_limited}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_retried_raise_does_not_revert_a_persons_budget() {
    for platform in Platform::ALL {
        let (stage, path) = paused(platform).await;
        let raise = json!({"budget_amount": 90, "name": "Raised"});
        stage.lost(platform, false, "PATCH", &path, &raise).await;
        stage.owner("PATCH", &path, &json!({"budget_amount": 50})).await;
        let by_a_person = stage.book().await;
        let again = stage.keyed(false, "PATCH", &path, &raise).await;
        assert_eq!((again.status, &again.body["budget_amount"]), (200, &json!(50)), "{platform}: {}", again.body);
        assert_eq!(stage.book().await, by_a_person, "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retried_removal_has_the_response_that_was_lost() {
    for platform in Platform::ALL {
        let (stage, path) = paused(platform).await;
        stage.lost(platform, false, "DELETE", &path, &Value::Null).await;
        let again = stage.keyed(false, "DELETE", &path, &Value::Null).await;
        assert_eq!(again.status, 204, "{platform}: {}", again.body);
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_applies_a_change_that_certainly_was_not_received() {
    let (stage, path) = paused(Platform::Alpha).await;
    stage.fault(Platform::Alpha, "update", "drop", 1).await;
    let raise = json!({"budget_amount": 90});
    let lost = stage.keyed(false, "PATCH", &path, &raise).await;
    assert!(lost.status >= 500, "{}", lost.body);
    let early = stage.keyed(false, "PATCH", &path, &raise).await;
    assert_eq!((early.status, &early.body["retryable"]), (504, &json!(true)), "{}", early.body);
    assert!(early.headers.contains_key("retry-after"));
    assert_eq!(stage.book().await["budget"], "50.00", "it may still come: nothing was sent again");
    stage.minutes(5).await;
    let made = stage.keyed(false, "PATCH", &path, &raise).await;
    assert_eq!((made.status, &made.body["budget_amount"]), (200, &json!(90)), "{}", made.body);
    assert_eq!(made.change(), lost.change(), "one change with two attempts");
    assert_eq!(stage.book().await["budget"], "90.00");
}

#[tokio::test(start_paused = true)]
async fn a_retry_applies_a_throttled_change() {
    let (stage, path) = paused(Platform::Beta).await;
    let raise = json!({"budget_amount": 90});
    for _ in 0..3 {
        stage.fault(Platform::Beta, "get", "throttle", 1).await;
        assert_eq!(stage.keyed(false, "PATCH", &path, &raise).await.status, 429);
        sleep(Duration::from_mins(6)).await;
    }
    assert_eq!(stage.keyed(false, "PATCH", &path, &raise).await.status, 200);
    assert_eq!(stage.book().await["budget"], "90.00");
}

#[tokio::test(start_paused = true)]
async fn a_retried_bulk_pause_keeps_campaigns_activated_since() {
    let stage = Stage::with_daily(&[Platform::Alpha], 500).await;
    let (one, two) =
        (stage.campaign(Platform::Alpha, "One", 50).await, stage.campaign(Platform::Alpha, "Two", 60).await);
    let active = json!({"status": "ACTIVE"});
    stage.owner("PATCH", &format!("/v1/campaigns/{one}"), &active).await;
    let all = json!({"status": "PAUSED", "all": true});
    // The platform pauses the campaign, and the request has no time left to say so.
    stage.fault(Platform::Alpha, "update", "slow", 1).await;
    let request = stage.keyed(false, "POST", "/v1/campaigns/status", &all);
    // The caller hears nothing, and neither does the key.
    let lost = timeout(Duration::from_secs(10), request).await;
    assert!(lost.is_err(), "{}", lost.map(|lost| lost.body).unwrap_or_default());
    stage.owner.control("POST", "reset", &json!({})).await;
    stage.minutes(5).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    for id in [&one, &two] {
        stage.owner("PATCH", &format!("/v1/campaigns/{id}"), &active).await;
    }
    let again = stage.keyed(false, "POST", "/v1/campaigns/status", &all).await;
    assert_eq!(again.status, 202, "{}", again.body);
    stage.minutes(3).await;
    assert_eq!(stage.running().await, Decimal::from(110), "a person has started both since");
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_gets_no_stored_response_of_another_key() {
    let stage = Stage::with(&[Platform::Alpha, Platform::Beta], |connections| daily(&connections[..1], 500)).await;
    stage.campaign(Platform::Alpha, "One", 50).await;
    stage.campaign(Platform::Beta, "Two", 50).await;
    let all = json!({"status": "PAUSED", "all": true});
    let first = stage.keyed(false, "POST", "/v1/campaigns/status", &all).await;
    assert_eq!(first.status, 202, "{}", first.body);
    let other = stage.keyed(true, "POST", "/v1/campaigns/status", &all).await;
    assert_eq!((other.status, &other.body["code"]), (422, &json!("CONFLICT")), "{}", other.body);
    let again = stage.keyed(false, "POST", "/v1/campaigns/status", &all).await;
    assert_eq!((again.status, again.body), (202, first.body));
}

/// A create whose answer was lost, and that no search has found: its request, and the id of its campaign.
async fn unknown_create(platform: Platform) -> (Stage, Value, String) {
    let stage = Stage::with_daily(&[platform], 500).await;
    let body = json!({"platform": platform.as_str(), "name": "Doubt", "goal": "TRAFFIC", "budget_amount": 50,
        "budget_period": "DAILY"});
    stage.fault(platform, "create", "drop_after", 1).await;
    stage.fault(platform, "list", "error", 99).await;
    let unknown_create = stage.keyed(false, "POST", "/v1/campaigns", &body).await;
    assert_eq!((unknown_create.status, &unknown_create.body["retryable"]), (504, &json!(true)), "{platform}");
    stage.owner.control("POST", "reset", &json!({})).await;
    // The service leaves the platform alone for a while.
    sleep(Duration::from_mins(2)).await;
    let listed = stage.owner("GET", "/v1/campaigns", &Value::Null).await;
    let id = listed["unified"][0]["id"].as_str().unwrap_or_else(|| panic!("{platform}: {listed}")).to_owned();
    (stage, body, id)
}

#[tokio::test(start_paused = true)]
async fn edits_made_before_a_create_is_reconciled_are_kept() {
    for platform in Platform::ALL {
        let (stage, body, id) = unknown_create(platform).await;
        let path = format!("/v1/campaigns/{id}");
        let month = json!({"budget_period": "MONTHLY", "budget_amount": 3_100});
        assert_eq!(stage.enveloped(&stage.owner, "PATCH", &path, &month).await.status, 200, "{platform}");
        let found = stage.keyed(false, "POST", "/v1/campaigns", &body).await;
        assert_eq!((found.status, &found.body["id"]), (201, &json!(id)), "{platform}: {}", found.body);
        stage.minutes(5).await;
        let shown = &stage.enveloped(&stage.owner, "GET", &path, &Value::Null).await.body["data"];
        let budget = json!({"budget_period": shown["budget_period"], "budget_amount": shown["budget_amount"]});
        assert_eq!(budget, month, "{platform}: {shown}");
    }
    for platform in [Platform::Beta, Platform::Gamma] {
        let (stage, body, id) = unknown_create(platform).await;
        let path = format!("/v1/campaigns/{id}");
        stage.owner("PATCH", &path, &json!({"end_at": ahead(&stage, 30)})).await;
        let found = stage.keyed(false, "POST", "/v1/campaigns", &body).await;
        assert_eq!((found.status, &found.body["id"]), (201, &json!(id)), "{platform}: {}", found.body);
        stage.owner("PATCH", &path, &json!({"status": "ACTIVE"})).await;
        assert_ne!(stage.running().await, Decimal::ZERO, "{platform}: it runs");
        stage.minutes(40).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}: it has ended");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_create_edited_since_is_not_created_again() {
    let edits = [
        json!({"budget_amount": 75}),
        json!({"name": "Renamed"}),
        json!({"name": "Renamed", "budget_amount": 75, "status": "ACTIVE"}),
    ];
    for platform in Platform::ALL {
        for edit in &edits {
            let (stage, body, id) = unknown_create(platform).await;
            stage.owner("PATCH", &format!("/v1/campaigns/{id}"), edit).await;
            let found = stage.keyed(false, "POST", "/v1/campaigns", &body).await;
            assert_eq!((found.status, &found.body["id"]), (201, &json!(id)), "{platform} {edit}: {}", found.body);
            let book = stage.book().await;
            let status = edit.get("status").cloned().unwrap_or_else(|| json!("PAUSED"));
            assert_eq!(found.body["status"], status, "{platform} {edit}: {book}");
        }
    }
}

/// A time so many minutes ahead.
fn ahead(stage: &Stage, minutes: i64) -> String {
    let at = stage.owner.clock.now() + SignedDuration::from_mins(minutes);
    Timestamp::from_second(at.as_second()).expect("a time").to_string()
}

#[tokio::test(start_paused = true)]
async fn the_retry_of_a_partly_applied_change_respects_a_passed_end() {
    let (stage, path) = paused(Platform::Gamma).await;
    stage.owner("PATCH", &path, &json!({"end_at": ahead(&stage, 30)})).await;
    // The platform takes the name, and the connection breaks before the status.
    stage.fault(Platform::Gamma, "update", "drop_after", 1).await;
    let start = json!({"name": "Renamed", "status": "ACTIVE"});
    let first = stage.keyed(false, "PATCH", &path, &start).await;
    assert!(first.status >= 500, "{}", first.body);
    assert_eq!(stage.book().await["name"], "Renamed");
    stage.minutes(40).await;
    let again = stage.keyed(false, "PATCH", &path, &start).await;
    assert_eq!((again.status, &again.body["code"]), (409, &json!("CONFLICT")), "{}", again.body);
    assert_eq!(stage.running().await, Decimal::ZERO, "it has ended");
}

#[tokio::test(start_paused = true)]
async fn a_retry_keeps_an_end_set_since() {
    for platform in [Platform::Beta, Platform::Gamma] {
        let (stage, path) = paused(platform).await;
        stage.owner("PATCH", &path, &json!({"end_at": ahead(&stage, 3_000)})).await;
        stage.fault(platform, "update", "throttle", 1).await;
        let endless = json!({"end_at": null, "budget_amount": 70});
        let first = stage.keyed(false, "PATCH", &path, &endless).await;
        assert_eq!(first.status, 429, "{platform}: {}", first.body);
        sleep(Duration::from_mins(6)).await;
        let end = ahead(&stage, 600);
        stage.owner("PATCH", &path, &json!({"end_at": end})).await;
        let again = stage.keyed(false, "PATCH", &path, &endless).await;
        assert_eq!((again.status, &again.body["reason"]), (409, &json!("CHANGED_MEANWHILE")), "{platform}");
        assert_eq!(stage.owner("GET", &path, &Value::Null).await["end_at"], json!(end), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_completes_dates_and_budget_of_the_first_attempt() {
    let (stage, path) = paused(Platform::Beta).await;
    stage.fault(Platform::Beta, "update", "throttle", 1).await;
    let both = json!({"end_at": ahead(&stage, 3_000), "budget_amount": 70});
    assert_eq!(stage.keyed(false, "PATCH", &path, &both).await.status, 429);
    sleep(Duration::from_mins(6)).await;
    let again = stage.keyed(false, "PATCH", &path, &both).await;
    assert_eq!((again.status, &again.body["end_at"]), (200, &both["end_at"]), "{}", again.body);
    assert_eq!(stage.book().await["budget"], "70.00");
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_needs_approval_requests_it() {
    let stage = Stage::with(&[Platform::Alpha], |connections| {
        let mut limit = daily(connections, 500);
        limit["approval"] = json!({"activation": true});
        limit
    })
    .await;
    let id = stage.campaign(Platform::Alpha, "Asked", 50).await;
    let path = format!("/v1/campaigns/{id}");
    stage.owner("PATCH", &path, &json!({"status": "ACTIVE"})).await;
    stage.fault(Platform::Alpha, "update", "throttle", 1).await;
    let raise = json!({"status": "ACTIVE", "budget_amount": 60});
    assert_eq!(stage.keyed(true, "PATCH", &path, &raise).await.status, 429, "it runs: only a raise");
    sleep(Duration::from_mins(6)).await;
    stage.owner("PATCH", &path, &json!({"status": "PAUSED"})).await;
    let retried_at = ahead(&stage, 0);
    let asked = stage.keyed(true, "PATCH", &path, &raise).await;
    assert_eq!((asked.status, &asked.body["state"]), (202, &json!("awaiting_approval")), "{}", asked.body);
    let waits = stage.owner("GET", &format!("/v1/changes/{}", asked.change()), &Value::Null).await;
    assert_eq!(waits["state"], "awaiting_approval", "a person sees it");
    sleep(Duration::from_mins(3)).await;
    let since = format!("/v1/events?since={retried_at}&type=change.awaiting_approval");
    let told = stage.owner("GET", &since, &Value::Null).await;
    assert_eq!(told["events"][0]["data"]["change"]["id"], waits["id"], "told at the retry: {told}");
}
