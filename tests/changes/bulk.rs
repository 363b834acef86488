//! One status for many campaigns: each campaign has a change, and its outcome is certain.

use super::{Stage, is_paused};
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

pub(super) const STATUS: &str = "/v1/campaigns/status";

impl Stage {
    /// Creates an active campaign, and returns its id.
    pub(super) async fn active(&self, platform: Platform, name: &str) -> String {
        let id = self.campaign(platform, name).await;
        self.ask(200, "PATCH", &format!("/v1/campaigns/{id}"), &json!({"status": "ACTIVE"})).await;
        id
    }

    pub(super) async fn bulk_status(&self, bulk: &Value) -> Value {
        let bulk = bulk["bulk_id"].as_str().expect("an id");
        self.ask(200, "GET", &format!("{STATUS}/{bulk}"), &Value::Null).await
    }
}

pub(super) fn count(list: &Value) -> usize {
    list.as_array().expect("a list").len()
}

#[tokio::test(start_paused = true)]
async fn one_call_pauses_every_campaign_on_all_platforms() {
    let stage = Stage::connected(&Platform::ALL).await;
    for platform in Platform::ALL {
        stage.active(platform, &format!("On {platform}")).await;
        stage.campaign(platform, &format!("Off {platform}")).await;
    }
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
    assert_eq!((count(&bulk["changes"]), count(&bulk["unchanged"])), (6, 6), "{bulk}");
    assert_eq!((&bulk["errors"], &bulk["canceled"]), (&json!([]), &json!([])));
    for (name, status, _) in stage.books().await {
        assert!(is_paused(&status), "{name} is {status}");
    }
    let told = stage.bulk_status(&bulk).await;
    assert_eq!((&told["settled"], count(&told["accounts"])), (&json!(true), 6), "{told}");
    for account in told["accounts"].as_array().expect("a list") {
        assert_eq!((&account["listed"], &account["failing"]), (&json!(true), &Value::Null), "{account}");
        assert_eq!((count(&account["changes"]), &account["changes"][0]["state"]), (1, &json!("applied")), "{account}");
    }
    let change = stage.change(bulk["changes"][0].as_str().expect("an id")).await;
    assert_eq!(
        (&change["executed_by"], &change["requested_by"]["type"]),
        (&json!("bulk"), &json!("api_key")),
        "{change}"
    );
    assert_eq!((&change["before"]["status"], &change["after"]["status"]), (&json!("ACTIVE"), &json!("PAUSED")));
    let enveloped = [("x-api-shape", "enveloped")];
    let again = stage.send("POST", STATUS, &enveloped, &json!({"status": "PAUSED", "platform": "ALPHA"})).await;
    assert_eq!((again.status, count(&again.body["data"]["changes"])), (202, 0), "{}", again.body);
}

#[tokio::test(start_paused = true)]
async fn pausing_everything_keeps_ended_campaigns_ended() {
    for platform in [Platform::Epsilon, Platform::Zeta] {
        for named in [false, true] {
            let stage = Stage::connected(&[platform]).await;
            let body = json!({"platform": platform.as_str(), "name": "Ended", "goal": "TRAFFIC", "budget_amount": 50,
                "budget_period": "DAILY", "start_at": stage.ahead(3_600), "end_at": stage.ahead(30 * 3_600)});
            let made = stage.ask(201, "POST", "/v1/campaigns", &body).await;
            let id = made["id"].as_str().expect("an id");
            let path = format!("/v1/campaigns/{id}");
            stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
            sleep(Duration::from_hours(31)).await;
            let read = async || stage.ask(200, "GET", &path, &Value::Null).await;
            assert_eq!(read().await["status"], "ENDED", "{platform}");
            let later = stage.schedule(id, 600, &json!({"end_at": stage.ahead(90 * 3_600)})).await;
            let renamed = stage.schedule(id, 600, &json!({"name": "Renamed"})).await;
            let mut which = json!({"status": "PAUSED"});
            which[if named { "ids" } else { "all" }] = if named { json!([id]) } else { json!(true) };
            let bulk = stage.ask(202, "POST", STATUS, &which).await;
            assert_eq!(bulk["canceled"], json!([later]), "{platform}: {bulk}");
            stage.minutes(15).await;
            assert_eq!(read().await["status"], "ENDED", "{platform}");
            assert_eq!(stage.change(&renamed).await["state"], "applied", "{platform}: a name lets nothing run");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn campaigns_are_selected_by_platform_connection_or_ids() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    let one = stage.active(Platform::Alpha, "One").await;
    let two = stage.active(Platform::Alpha, "Two").await;
    let other = stage.active(Platform::Beta, "Other").await;
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "ids": [one, other]})).await;
    assert_eq!(count(&bulk["changes"]), 2, "{bulk}");
    assert!(!is_paused(&stage.in_books("Two").await.0));
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "platform": "alpha_ads"})).await;
    assert_eq!((count(&bulk["changes"]), &bulk["unchanged"]), (1, &json!([one])), "{bulk}");
    assert!(is_paused(&stage.in_books("Two").await.0));
    let connections = stage.ask(200, "GET", "/v1/connections", &Value::Null).await;
    let connections = connections["connections"].as_array().expect("a list").clone();
    let alpha = connections.iter().find(|one| one["platform"] == "alpha_ads").expect("a connection");
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "ACTIVE", "connection_id": alpha["id"]})).await;
    assert_eq!(count(&bulk["changes"]), 2, "{bulk}");
    assert!(!is_paused(&stage.in_books("One").await.0) && is_paused(&stage.in_books("Other").await.0));
    let _ = two;
}

#[tokio::test(start_paused = true)]
async fn one_unknown_campaign_refuses_the_bulk_change() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let one = stage.active(Platform::Alpha, "One").await;
    let removed = stage.active(Platform::Alpha, "Removed").await;
    stage.ask(204, "DELETE", &format!("/v1/campaigns/{removed}"), &Value::Null).await;
    for unknown in [format!("{one}9"), "alpha_1_2".to_owned(), "x".to_owned(), removed] {
        stage.ask(404, "POST", STATUS, &json!({"status": "PAUSED", "ids": [one, unknown]})).await;
    }
    stage.minutes(2).await;
    assert!(!is_paused(&stage.in_books("One").await.0));
    stage.ask(404, "POST", STATUS, &json!({"status": "PAUSED", "connection_id": "conn_none"})).await;
    stage.ask(404, "GET", &format!("{STATUS}/blk_00000000000000000000000000000000"), &Value::Null).await;
}

#[tokio::test(start_paused = true)]
async fn an_empty_or_oversized_selection_is_refused() {
    let stage = Stage::connected(&[]).await;
    let many: Vec<String> = (0..501).map(|number| format!("alpha_1_{number}")).collect();
    for (body, field) in [
        (json!({"status": "PAUSED"}), "all"),
        (json!({"status": "PAUSED", "all": false}), "all"),
        (json!({"status": "PAUSED", "ids": []}), "ids"),
        (json!({"status": "PAUSED", "ids": many}), "ids"),
        (json!({"status": "PAUSED", "ids": ["alpha_1_2"], "all": true}), "ids"),
        (json!({"status": "PAUSED", "platform": "alpha_ads", "all": true}), "all"),
        (json!({"status": "REMOVED", "all": true}), "status"),
        (json!({"all": true}), "status"),
        (json!({"status": "PAUSED", "platform": "ALPHA"}), "platform"),
    ] {
        let refused = stage.send("POST", STATUS, &[("x-api-shape", "flat")], &body).await;
        let fields: Vec<&Value> =
            refused.body["details"].as_array().expect("fields").iter().map(|one| &one["field"]).collect();
        assert!(refused.status == 400 && fields.contains(&&json!(field)), "{body}: {}", refused.body);
    }
}

#[tokio::test(start_paused = true)]
async fn a_bulk_pause_cancels_scheduled_activations() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Tomorrow").await;
    let waiting = stage.schedule(&id, 3600, &json!({"status": "ACTIVE"})).await;
    let renaming = stage.schedule(&id, 3600, &json!({"name": "Renamed"})).await;
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
    assert_eq!((&bulk["canceled"], count(&bulk["changes"])), (&json!([waiting]), 0), "{bulk}");
    let canceled = stage.change(&waiting).await;
    assert_eq!((&canceled["state"], &canceled["error"]["code"]), (&json!("canceled"), &json!("CONFLICT")));
    assert_eq!(stage.change(&renaming).await["state"], "scheduled");
}

#[tokio::test(start_paused = true)]
async fn an_account_that_cannot_be_listed_is_paused_by_maintenance() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    stage.active(Platform::Alpha, "Reachable").await;
    stage.active(Platform::Beta, "Unreachable").await;
    stage.fault(Platform::Beta, "list", "error", 8).await;
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
    assert_eq!((count(&bulk["changes"]), bulk["errors"][0]["platform"].as_str()), (1, Some("beta_ads")), "{bulk}");
    let told = stage.bulk_status(&bulk).await;
    assert_eq!(told["settled"], false, "{told}");
    let failing = told["accounts"].as_array().expect("a list").iter().find(|one| one["platform"] == "beta_ads");
    assert_eq!(failing.expect("an account")["failing"]["code"], "PLATFORM_ERROR", "{told}");
    assert!(is_paused(&stage.in_books("Reachable").await.0));
    stage.no_faults().await;
    stage.minutes(6).await;
    assert!(is_paused(&stage.in_books("Unreachable").await.0));
    assert_eq!(stage.bulk_status(&bulk).await["settled"], true);
}

#[tokio::test(start_paused = true)]
async fn a_throttled_bulk_pause_is_retried_until_applied() {
    let stage = Stage::connected(&[Platform::Zeta]).await;
    stage.active(Platform::Zeta, "Throttled").await;
    stage.fault(Platform::Zeta, "update", "throttle", 1).await;
    let bulk = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
    assert!(!is_paused(&stage.in_books("Throttled").await.0));
    assert_eq!(stage.bulk_status(&bulk).await["settled"], false);
    stage.minutes(10).await;
    assert!(is_paused(&stage.in_books("Throttled").await.0));
    assert_eq!(stage.bulk_status(&bulk).await["settled"], true);
}

#[tokio::test(start_paused = true)]
async fn one_idempotency_key_makes_one_bulk_change() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    stage.active(Platform::Alpha, "Once").await;
    let body = json!({"status": "PAUSED", "all": true});
    let key = [("idempotency-key", "k")];
    let first = stage.send("POST", STATUS, &key, &body).await;
    let again = stage.send("POST", STATUS, &key, &body).await;
    assert_eq!((first.status, again.status, &again.body), (202, 202, &first.body));
    assert_eq!(first.change_ids, "", "a bulk change names its changes in the body");
}

#[tokio::test(start_paused = true)]
async fn a_later_pause_ends_an_activation_still_being_retried() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    stage.campaign(Platform::Beta, "Off").await;
    stage.fault(Platform::Beta, "list", "error", 3).await;
    let on = stage.ask(202, "POST", STATUS, &json!({"status": "ACTIVE", "all": true})).await;
    assert_eq!(count(&on["errors"]), 1, "{on}");
    stage.no_faults().await;
    let off = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
    stage.minutes(10).await;
    assert!(is_paused(&stage.in_books("Off").await.0), "what was asked for last");
    assert_eq!(stage.bulk_status(&off).await["settled"], true);
    let told = stage.bulk_status(&on).await;
    assert_eq!((&told["settled"], &told["accounts"][0]["listed"]), (&json!(true), &json!(false)), "{told}");
}
