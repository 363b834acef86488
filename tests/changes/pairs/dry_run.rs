//! Dry runs, with dates that the service holds, with a time and with a removal: refused, or reported and not applied.

use crate::changes::held_dates::{HELD, id_of};
use crate::changes::{Stage, is_paused};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;

#[tokio::test(start_paused = true)]
async fn a_dry_run_moves_no_date_and_cancels_no_waiting_activation() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let made = stage.dated(platform, "Rehearsed", Some(stage.ahead(3600)), Some(stage.ahead(7200))).await;
        let id = id_of(&made);
        stage.patch(202, &id, &json!({"status": "ACTIVE"})).await;
        let path = format!("/v1/campaigns/{id}");
        let seen = async || (stage.ask(200, "GET", &path, &Value::Null).await, stage.waiting().await);
        let before = seen().await;
        for (changes, activates) in [
            (json!({"status": "PAUSED"}), false),
            (json!({"start_at": stage.ahead(1800)}), true),
            (json!({"start_at": stage.ahead(5400)}), false),
            (json!({"end_at": null}), false),
            (json!({"status": "ACTIVE", "budget_amount": 60}), true),
        ] {
            let run = stage.ask(200, "PATCH", &format!("{path}?dry_run=true"), &changes).await;
            let told = (&run["verdict"], &run["activates"]);
            assert_eq!(told, (&json!("would_update"), &json!(activates)), "{platform} {changes}: {run}");
        }
        assert_eq!(seen().await, before, "{platform}: nothing has moved");
        stage.minutes(62).await;
        assert!(!is_paused(&stage.in_books("Rehearsed").await.0), "{platform}: at its start");
        stage.minutes(60).await;
        assert!(is_paused(&stage.in_books("Rehearsed").await.0), "{platform}: at its end");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_cannot_be_scheduled_and_keeps_scheduled_changes() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let id = stage.campaign(platform, "Kept").await;
        let dry = format!("/v1/campaigns/{id}?dry_run=true");
        let budget = async || stage.in_books("Kept").await.1.parse::<Decimal>().expect("an amount");
        let verdict = async |amount: i64| {
            let run = stage.ask(200, "PATCH", &dry, &json!({"budget_amount": amount})).await;
            run["verdict"].as_str().expect("a verdict").to_owned()
        };
        let change = stage.schedule(&id, 600, &json!({"budget_amount": 60})).await;
        let timed = format!("{dry}&apply_at={}", stage.ahead(600));
        let refused = stage.ask(400, "PATCH", &timed, &json!({"budget_amount": 70})).await;
        assert_eq!(refused["details"][0]["field"], "apply_at", "{platform}: {refused}");
        for (amount, expected) in [(50, "would_change_nothing"), (60, "would_update"), (70, "would_update")] {
            assert_eq!(verdict(amount).await, expected, "{platform}: {amount} while 60 waits");
        }
        let waiting = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
        assert_eq!(waiting["changes"].as_array().map(Vec::len), Some(1), "{platform}: {waiting}");
        assert_eq!(budget().await, Decimal::from(50), "{platform}: before its time");
        stage.minutes(12).await;
        assert_eq!(stage.change(&change).await["state"], "applied", "{platform}");
        assert_eq!(budget().await, Decimal::from(60), "{platform}: as it was scheduled");
        assert_eq!(verdict(60).await, "would_change_nothing", "{platform}: it has 60");
    }
}

#[tokio::test(start_paused = true)]
async fn a_removal_has_a_dry_run_only_as_a_status() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let path = format!("/v1/campaigns/{}", stage.campaign(platform, "Kept").await);
        let dry = format!("{path}?dry_run=true");
        let seen = async || (stage.ask(200, "GET", &path, &Value::Null).await, stage.books().await);
        let before = seen().await;
        let refused = stage.ask(400, "DELETE", &dry, &Value::Null).await;
        assert_eq!(refused["details"][0]["field"], "dry_run", "{platform}: {refused}");
        let run = stage.ask(200, "PATCH", &dry, &json!({"status": "REMOVED"})).await;
        let told = (&run["verdict"], &run["activates"], run["request"].is_object());
        assert_eq!(told, (&json!("would_update"), &json!(false), true), "{platform}: {run}");
        assert_eq!(seen().await, before, "{platform}: it is there");
        stage.ask(204, "DELETE", &path, &Value::Null).await;
        for changes in [json!({"name": "Other"}), json!({"status": "ACTIVE"}), json!({"status": "REMOVED"})] {
            stage.ask(409, "PATCH", &dry, &changes).await;
        }
    }
}
