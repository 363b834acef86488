//! Keys whose limit needs the approval of a person, with a dry run and with a removal.

use super::stop::why_canceled;
use crate::spending::{Stage, with_approval};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use shared::error::Kind;

#[tokio::test(start_paused = true)]
async fn a_dry_run_says_that_approval_is_needed_and_requests_none() {
    for platform in Platform::ALL {
        let stage = Stage::with(&[platform], with_approval).await;
        let one = stage.campaign(platform, "One", 50).await;
        let dry = format!("/v1/campaigns/{one}?dry_run=true");
        let active = json!({"status": "ACTIVE"});
        for (changes, asks) in [
            (active.clone(), true),
            (json!({"status": "ACTIVE", "budget_amount": 60}), true),
            (json!({"name": "Other"}), false),
            (json!({"budget_amount": 60}), false),
        ] {
            let run = stage.agent("PATCH", &dry, &changes).await;
            assert_eq!(
                (run.status, &run.body["verdict"]),
                (200, &json!("would_update")),
                "{platform} {changes}: {run:?}"
            );
            let told = (&run.body["needs_approval"], &run.body["activates"]);
            assert_eq!(told, (&json!(asks), &json!(asks)), "{platform} {changes}: {run:?}");
        }
        let above = stage.agent("PATCH", &dry, &json!({"status": "ACTIVE", "budget_amount": 501})).await;
        let reason = &above.body["reason"];
        assert_eq!((above.status, reason), (403, &json!("SPENDING_LIMIT")), "{platform}: {above:?}");
        let by_owner = stage.owner("PATCH", &dry, &active).await;
        assert_eq!(by_owner["needs_approval"], false, "{platform}: a key without a limit: {by_owner}");
        assert!(stage.changes("&state=awaiting_approval").await.is_empty(), "{platform}: nobody is asked");
        let asked = stage.ask(&one, &active).await;
        stage.approve(&asked).await.expect("an approval");
        let run = stage.agent("PATCH", &dry, &active).await;
        let told = (&run.body["verdict"], &run.body["needs_approval"]);
        assert_eq!(told, (&json!("would_change_nothing"), &json!(false)), "{platform}: {run:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_removal_needs_no_approval_and_ends_changes_awaiting_one() {
    for platform in Platform::ALL {
        let stage = Stage::with(&[platform], with_approval).await;
        let removed = stage.campaign(platform, "Removed", 50).await;
        let asked = stage.ask(&removed, &json!({"status": "ACTIVE"})).await;
        let later = format!("{removed}?apply_at={}", stage.at(5));
        let approved = stage.ask(&later, &json!({"status": "ACTIVE"})).await;
        stage.approve(&approved).await.expect("an approval");
        let path = format!("/v1/campaigns/{removed}");
        let gone = stage.agent("DELETE", &path, &Value::Null).await;
        assert_eq!(gone.status, 204, "{platform}: {gone:?}");
        for id in [&asked, &approved] {
            assert_eq!(why_canceled(&stage, id).await, "The campaign was removed.", "{platform}");
            let late = stage.approve(id).await.expect_err("it does not wait any more");
            assert_eq!(late.kind, Kind::Conflict, "{platform}: {}", late.message);
        }
        let leaving = format!("/v1/campaigns/{}", stage.campaign(platform, "Leaving", 60).await);
        let timed = format!("{leaving}?apply_at={}", stage.at(1));
        let removal = stage.agent("DELETE", &timed, &Value::Null).await;
        assert_eq!((removal.status, &removal.body["state"]), (202, &json!("scheduled")), "{platform}: {removal:?}");
        stage.hours(5).await;
        stage.minutes(2).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}");
        for path in [&path, &leaving] {
            assert_eq!(stage.agent("DELETE", path, &Value::Null).await.status, 404, "{platform}: {path} is gone");
        }
        assert_eq!(stage.reserved_and_left().await, (0, 500), "{platform}: nothing was ever reserved");
    }
}

/// The process of the removal ends before its answer, and maintenance finds that the campaign is removed.
#[tokio::test(start_paused = true)]
async fn a_removal_reconciled_later_ends_pending_changes_too() {
    for platform in Platform::ALL {
        let stage = Stage::with(&[platform], with_approval).await;
        let id = stage.campaign(platform, "Lost", 50).await;
        let path = format!("/v1/campaigns/{id}");
        let asked = stage.ask(&id, &json!({"status": "ACTIVE"})).await;
        let timed = format!("{path}?apply_at={}", stage.at(5));
        let scheduled = stage.owner("PATCH", &timed, &json!({"name": "Later"})).await;
        let removal = stage.lost(platform, false, "DELETE", &path, &Value::Null).await;
        assert_eq!(
            (&removal["kind"], &removal["state"]),
            (&json!("delete"), &json!("applied")),
            "{platform}: {removal}"
        );
        for change in [asked.as_str(), scheduled["id"].as_str().expect("an id")] {
            assert_eq!(why_canceled(&stage, change).await, "The campaign was removed.", "{platform}");
        }
    }
}
