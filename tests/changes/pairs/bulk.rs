//! Bulk changes, with dates that the service holds, with a dry run and with a removal.

use super::why_canceled;
use crate::changes::bulk::{STATUS, count};
use crate::changes::held_dates::{HELD, id_of};
use crate::changes::{Stage, is_paused};
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

#[tokio::test(start_paused = true)]
async fn a_bulk_pause_cancels_a_waiting_activation_and_keeps_the_end() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let early = stage.dated(platform, "Early", Some(stage.ahead(1800)), Some(stage.ahead(7200))).await;
        let activation = stage.patch(202, &id_of(&early), &json!({"status": "ACTIVE"})).await;
        let runs = stage.dated(platform, "Runs", None, Some(stage.ahead(7200))).await;
        stage.patch(200, &id_of(&runs), &json!({"status": "ACTIVE"})).await;
        let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
        assert_eq!((&bulk["canceled"], count(&bulk["changes"])), (&json!([activation["id"]]), 1), "{platform}: {bulk}");
        let reason = why_canceled(&stage, &activation["id"]).await;
        assert_eq!(reason, "The campaign was paused together with others.", "{platform}");
        stage.minutes(35).await;
        for name in ["Early", "Runs"] {
            assert!(is_paused(&stage.in_books(name).await.0), "{platform}: {name} after the start");
        }
        let ends: Vec<Value> = stage.waiting().await.iter().map(|change| change["apply_at"].clone()).collect();
        assert_eq!(ends, [runs["end_at"].clone(), early["end_at"].clone()], "{platform}: both ends wait");
        for campaign in [&early, &runs] {
            stage.patch(200, &id_of(campaign), &json!({"status": "ACTIVE"})).await;
        }
        stage.minutes(30).await;
        for name in ["Early", "Runs"] {
            assert!(!is_paused(&stage.in_books(name).await.0), "{platform}: {name} before its end");
        }
        stage.minutes(60).await;
        for name in ["Early", "Runs"] {
            assert!(is_paused(&stage.in_books(name).await.0), "{platform}: {name} has ended");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_bulk_activation_activates_each_campaign_only_between_its_dates() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        stage.dated(platform, "Over", None, Some(stage.ahead(600))).await;
        stage.dated(platform, "Early", Some(stage.ahead(3600)), None).await;
        stage.dated(platform, "Open", None, None).await;
        stage.minutes(12).await;
        let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "ACTIVE", "all": true})).await;
        assert_eq!(count(&bulk["changes"]), 3, "{platform}: {bulk}");
        assert!(!is_paused(&stage.in_books("Open").await.0), "{platform}");
        for name in ["Over", "Early"] {
            assert!(is_paused(&stage.in_books(name).await.0), "{platform}: {name}");
        }
        let failed = stage.ask(200, "GET", "/v1/changes?state=failed", &Value::Null).await;
        let codes: Vec<&Value> =
            failed["changes"].as_array().expect("a list").iter().map(|change| &change["error"]["code"]).collect();
        assert_eq!(codes, [&json!("CONFLICT")], "{platform}: one has ended: {failed}");
        assert_eq!(stage.bulk_status(&bulk).await["settled"], false, "{platform}: one waits for its start");
        stage.minutes(52).await;
        assert!(!is_paused(&stage.in_books("Early").await.0), "{platform}: at its start");
        assert!(is_paused(&stage.in_books("Over").await.0), "{platform}: it has ended");
        assert_eq!(stage.bulk_status(&bulk).await["settled"], true, "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_bulk_change_has_no_dry_run() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.active(Platform::Alpha, "On").await;
    for which in [json!({"status": "PAUSED", "all": true}), json!({"status": "PAUSED", "ids": [id]})] {
        for value in ["true", "false"] {
            let path = format!("{STATUS}?dry_run={value}");
            let refused = stage.send("POST", &path, &[("x-api-shape", "flat")], &which).await;
            let field = &refused.body["details"][0]["field"];
            assert_eq!((refused.status, field), (400, &json!("dry_run")), "{which}: {}", refused.body);
        }
    }
    stage.minutes(2).await;
    assert!(!is_paused(&stage.in_books("On").await.0), "nothing was done");
}

/// A pause adds no spend, whatever the campaigns are. An activation has to see them.
#[tokio::test(start_paused = true)]
async fn a_pause_by_ids_is_tried_until_a_silent_platform_answers() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    let reachable = stage.active(Platform::Alpha, "Reachable").await;
    let (silent, off) = (stage.active(Platform::Beta, "Silent").await, stage.campaign(Platform::Beta, "Off").await);
    stage.fault(Platform::Beta, "any", "error", 100).await;
    let both = json!({"status": "PAUSED", "ids": [format!("{reachable}9"), silent]});
    stage.ask(404, "POST", STATUS, &both).await;
    let named = json!({"status": "PAUSED", "ids": [reachable, silent, off, format!("{silent}9")]});
    let bulk = stage.ask(202, "POST", STATUS, &named).await;
    assert_eq!((count(&bulk["changes"]), bulk["errors"][0]["platform"].as_str()), (4, Some("beta_ads")), "{bulk}");
    assert!(is_paused(&stage.in_books("Reachable").await.0) && !is_paused(&stage.in_books("Silent").await.0));
    assert_eq!(stage.bulk_status(&bulk).await["settled"], false);
    stage.ask(502, "POST", STATUS, &json!({"status": "ACTIVE", "ids": [reachable, silent]})).await;
    assert!(is_paused(&stage.in_books("Reachable").await.0), "nothing was done");
    stage.no_faults().await;
    stage.minutes(15).await;
    assert!(is_paused(&stage.in_books("Silent").await.0) && is_paused(&stage.in_books("Off").await.0));
    let told = stage.bulk_status(&bulk).await;
    assert_eq!(told["settled"], true, "{told}");
    let changes = told["accounts"].as_array().expect("a list").iter().flat_map(|one| one["changes"].as_array());
    let failed: Vec<_> = changes.flatten().filter(|change| change["state"] == "failed").collect();
    assert_eq!(failed.len(), 1, "the campaign that does not exist: {told}");
}

/// The platform throttles, so the change of the campaign waits for its next attempt.
#[tokio::test(start_paused = true)]
async fn a_removal_ends_the_unfinished_pause_of_a_bulk_change() {
    for platform in [Platform::Alpha, Platform::Beta, Platform::Zeta] {
        let stage = Stage::connected(&[platform]).await;
        let id = stage.active(platform, "Throttled").await;
        stage.fault(platform, "update", "throttle", 1).await;
        let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
        assert_eq!(stage.bulk_status(&bulk).await["settled"], false, "{platform}");
        // The service leaves the ad account alone for a moment, and maintenance does not run.
        sleep(Duration::from_mins(15)).await;
        stage.ask(204, "DELETE", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        let reason = why_canceled(&stage, &bulk["changes"][0]).await;
        assert_eq!(reason, "The campaign was removed.", "{platform}");
        assert_eq!(stage.bulk_status(&bulk).await["settled"], true, "{platform}: nothing is tried any more");
        let removed = stage.books().await;
        for status in ["ACTIVE", "PAUSED"] {
            let all = stage.ask(202, "POST", STATUS, &json!({"status": status, "all": true})).await;
            assert_eq!((count(&all["changes"]), count(&all["unchanged"])), (0, 0), "{platform} {status}: {all}");
            stage.ask(404, "POST", STATUS, &json!({"status": status, "ids": [id]})).await;
        }
        stage.minutes(5).await;
        assert_eq!(stage.books().await, removed, "{platform}: it stays removed");
    }
}

#[tokio::test(start_paused = true)]
async fn a_bulk_pause_keeps_a_scheduled_removal() {
    for platform in [Platform::Alpha, Platform::Gamma] {
        let stage = Stage::connected(&[platform]).await;
        let id = stage.active(platform, "Leaving").await;
        let path = format!("/v1/campaigns/{id}");
        let removal = stage.ask(202, "DELETE", &format!("{path}?apply_at={}", stage.ahead(600)), &Value::Null).await;
        let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
        assert_eq!((&bulk["canceled"], count(&bulk["changes"])), (&json!([]), 1), "{platform}: {bulk}");
        assert!(is_paused(&stage.in_books("Leaving").await.0), "{platform}");
        stage.minutes(12).await;
        let removal = stage.change(removal["id"].as_str().expect("an id")).await;
        assert_eq!(removal["state"], "applied", "{platform}: {removal}");
        stage.ask(404, "DELETE", &path, &Value::Null).await;
    }
}
