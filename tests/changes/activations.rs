//! Activations that wait for a start, and edits meanwhile. A refused request changes neither.

use super::held_dates::HELD;
use super::{Stage, is_paused};
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

impl Stage {
    /// A campaign that starts in two hours, with an activation at 60 that waits for it. Returns its path.
    async fn planned(&self, platform: Platform, name: &str) -> String {
        let body = json!({"platform": platform.as_str(), "name": name, "goal": "TRAFFIC", "budget_amount": 500,
            "budget_period": "DAILY", "start_at": self.ahead(7200)});
        let made = self.ask(201, "POST", "/v1/campaigns", &body).await;
        let path = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
        self.ask(202, "PATCH", &path, &json!({"status": "ACTIVE", "budget_amount": 60})).await;
        path
    }

    /// The only change that waits.
    async fn waiting_activation(&self) -> Value {
        let list = self.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
        let [waits] = <[Value; 1]>::try_from(list["changes"].as_array().expect("a list").clone()).expect("one change");
        waits
    }
}

#[tokio::test(start_paused = true)]
async fn the_start_of_a_running_campaign_cannot_move_into_the_future() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let path = format!("/v1/campaigns/{}", stage.campaign(platform, "Runs").await);
        stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        // LinkedIn takes a start from the real time, which is ahead here.
        sleep(Duration::from_hours(5 * 24)).await;
        let later = json!({"start_at": stage.ahead(30 * 24 * 3600)});
        for target in [path.clone(), format!("{path}?dry_run=true")] {
            let refused = stage.ask(400, "PATCH", &target, &later).await;
            assert_eq!(refused["details"][0]["field"], "start_at", "{platform}: {refused}");
            let words = refused["details"][0]["message"].as_str().expect("a text");
            assert!(words.contains("PAUSED") && words.contains("apply_at"), "{platform}: {words}");
        }
        assert!(!is_paused(&stage.in_books("Runs").await.0), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_may_postpone_the_start_and_an_activation_waits_for_it() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let path = format!("/v1/campaigns/{}", stage.campaign(platform, "Later").await);
        stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        let start = stage.ahead(3600);
        let paused = stage.ask(200, "PATCH", &path, &json!({"status": "PAUSED", "start_at": start})).await;
        assert_eq!((&paused["status"], &paused["start_at"]), (&json!("PAUSED"), &json!(start)), "{platform}");
        assert!(is_paused(&stage.in_books("Later").await.0), "{platform}");
        stage.ask(202, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        stage.minutes(62).await;
        assert!(!is_paused(&stage.in_books("Later").await.0), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_edit_keeps_pending_changes() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let path = stage.planned(platform, "Waiting").await;
        let planned = stage.waiting_activation().await;
        stage.fault(platform, "update", "error", 1).await;
        let failed = stage.send("PATCH", &path, &[], &json!({"budget_amount": 700})).await;
        assert!(failed.status >= 500, "{platform}: {}", failed.body);
        stage.no_faults().await;
        stage.minutes(5).await;
        assert_eq!(stage.waiting_activation().await, planned, "{platform}");
        stage.minutes(120).await;
        let (status, budget) = stage.in_books("Waiting").await;
        assert!(!is_paused(&status) && budget.trim_end_matches(".00") == "60", "{platform}: {status} {budget}");
    }
}

/// The platform applies it after the request has timed out. Maintenance finds it, and removes the value from the waiting
/// activation.
#[tokio::test(start_paused = true)]
async fn an_edit_reconciled_later_is_not_reverted() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let path = stage.planned(platform, "Found").await;
        let late =
            json!({"platform": platform.as_str(), "operation": "update", "fault": "late", "times": 1, "ms": 60_000});
        stage.world.control("POST", "faults", &late).await;
        let unknown = stage.send("PATCH", &path, &[], &json!({"budget_amount": 55})).await;
        assert!(unknown.status >= 500, "{platform}: {}", unknown.body);
        stage.minutes(5).await;
        assert_eq!(stage.waiting_activation().await["requested"], json!({"status": "ACTIVE"}), "{platform}");
        stage.minutes(120).await;
        let (status, budget) = stage.in_books("Found").await;
        assert!(!is_paused(&status) && budget.trim_end_matches(".00") == "55", "{platform}: {status} {budget}");
    }
}

/// A change that was asked for after the activation, and is made before it, is the later word.
#[tokio::test(start_paused = true)]
async fn an_earlier_waiting_activation_does_not_revert_a_scheduled_value() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let path = stage.planned(platform, "Scheduled").await;
        let at = stage.ahead(1800);
        stage.ask(202, "PATCH", &format!("{path}?apply_at={at}"), &json!({"budget_amount": 55})).await;
        stage.minutes(125).await;
        let (status, budget) = stage.in_books("Scheduled").await;
        assert!(!is_paused(&status) && budget.trim_end_matches(".00") == "55", "{platform}: {status} {budget}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_activation_keeps_the_other_fields_of_the_first() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let path = stage.planned(platform, "Twice").await;
        stage.ask(202, "PATCH", &path, &json!({"status": "ACTIVE", "name": "Renamed"})).await;
        let waits = stage.waiting_activation().await;
        let expected = json!({"status": "ACTIVE", "name": "Renamed", "budget_amount": 60});
        assert_eq!(waits["requested"], expected, "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_replaced_waiting_change_names_the_key_that_replaced_it() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let path = stage.planned(Platform::Beta, "Named").await;
    let planned = stage.waiting_activation().await["id"].as_str().expect("an id").to_owned();
    stage.ask(200, "PATCH", &path, &json!({"start_at": stage.ahead(9000)})).await;
    let canceled = stage.change(&planned).await;
    let words = canceled["error"]["message"].as_str().expect("a reason");
    let name = canceled["requested_by"]["name"].as_str().expect("the name of the key");
    assert!(canceled["state"] == "canceled" && words.contains(name), "{canceled}");
}

#[tokio::test(start_paused = true)]
async fn canceling_an_end_says_that_the_campaign_has_no_end() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let body = json!({"platform": platform.as_str(), "name": "Endless", "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY", "end_at": stage.ahead(7200)});
        stage.ask(201, "POST", "/v1/campaigns", &body).await;
        let cancel = format!("/v1/changes/{}/cancel", stage.waiting_activation().await["id"].as_str().expect("an id"));
        let canceled = stage.ask(200, "POST", &cancel, &Value::Null).await;
        let words = canceled["error"]["message"].as_str().expect("a reason");
        assert!(words.contains("runs until somebody pauses it"), "{platform}: {words}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_says_whether_a_campaign_runs_afterwards() {
    for platform in [Platform::Beta, Platform::Epsilon, Platform::Zeta] {
        let stage = Stage::connected(&[platform]).await;
        let path = format!("/v1/campaigns/{}", stage.campaign(platform, "Dry").await);
        let dry = format!("{path}?dry_run=true");
        for (changes, activates) in [
            (json!({"status": "ACTIVE"}), true),
            (json!({"name": "Other"}), false),
            (json!({"budget_amount": 60}), false),
        ] {
            let run = stage.ask(200, "PATCH", &dry, &changes).await;
            assert_eq!(run["activates"], activates, "{platform} {changes}: {run}");
        }
        stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        let run = stage.ask(200, "PATCH", &dry, &json!({"budget_amount": 60})).await;
        assert_eq!(run["activates"], false, "{platform}: it runs already: {run}");
    }
    let stage = Stage::connected(&[Platform::Beta]).await;
    let path = stage.planned(Platform::Beta, "Earlier").await;
    for (seconds, activates) in [(3600, true), (9000, false)] {
        let start = json!({"start_at": stage.ahead(seconds)});
        let run = stage.ask(200, "PATCH", &format!("{path}?dry_run=true"), &start).await;
        assert_eq!(run["activates"], activates, "{seconds}: {run}");
    }
}
