//! Dates that the service holds, because the platform's campaigns have none; and dates on every platform.

use super::{Stage, is_paused};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

/// The platforms whose campaigns have no dates.
pub(super) const HELD: [Platform; 2] = [Platform::Beta, Platform::Gamma];

impl Stage {
    /// A time so many whole days ahead, at the end of a day in New York.
    fn days(&self, days: i64) -> String {
        let zone = jiff::tz::TimeZone::get("America/New_York").expect("a zone");
        let day = zone.to_datetime(self.world.clock.now() + SignedDuration::from_hours(24 * days)).date();
        day.to_string()
    }

    pub(super) async fn dated(
        &self,
        platform: Platform,
        name: &str,
        start: Option<String>,
        end: Option<String>,
    ) -> Value {
        let body = json!({"platform": platform.as_str(), "name": name, "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY", "start_at": start, "end_at": end});
        self.ask(201, "POST", "/v1/campaigns", &body).await
    }

    pub(super) async fn patch(&self, status: u16, id: &str, body: &Value) -> Value {
        self.ask(status, "PATCH", &format!("/v1/campaigns/{id}"), body).await
    }

    /// Gives consent for the platform's only ad account again.
    async fn authorize_again(&self, platform: Platform) {
        let listed = self.ask(200, "GET", "/v1/connections", &Value::Null).await;
        let account = listed["connections"][0]["remote_account_id"].as_str().expect("an account");
        let account = if platform == Platform::Beta { format!("act_{account}") } else { account.to_owned() };
        self.world.authorize(&self.app, platform, &[account]).await;
    }

    pub(super) async fn waiting(&self) -> Vec<Value> {
        let list = self.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
        list["changes"].as_array().expect("a list").clone()
    }
}

pub(super) fn id_of(campaign: &Value) -> String {
    campaign["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(start_paused = true)]
async fn one_create_with_both_dates_works_on_all_platforms() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let made = stage.dated(platform, "Dated", Some(stage.days(2)), Some(stage.days(9))).await;
        let holder = if HELD.contains(&platform) { "service" } else { "platform" };
        let holders = (&made["start_held_by"], &made["end_held_by"]);
        assert_eq!(holders, (&json!(holder), &json!(holder)), "{platform}: {made}");
        assert!(made["start_at"].is_string() && made["end_at"].is_string(), "{platform}: {made}");
        let read = stage.ask(200, "GET", &format!("/v1/campaigns/{}", id_of(&made)), &Value::Null).await;
        let listed = stage.ask(200, "GET", "/v1/campaigns", &Value::Null).await;
        for field in ["start_at", "end_at", "start_held_by", "end_held_by"] {
            assert_eq!(read[field], made[field], "{platform} {field}");
            assert_eq!(listed["unified"][0][field], made[field], "{platform} {field}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_campaign_without_dates_has_no_held_dates() {
    let stage = Stage::connected(&HELD).await;
    for platform in HELD {
        let made = stage.dated(platform, "Open", None, None).await;
        assert_eq!((&made["end_at"], &made["end_held_by"]), (&Value::Null, &Value::Null), "{platform}: {made}");
        // Meta returns a start of its own.
        assert_ne!(made["start_held_by"], "service", "{platform}: {made}");
    }
    assert!(stage.waiting().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_service_pauses_a_campaign_at_its_end() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let made = stage.dated(platform, "Ending", None, Some(stage.ahead(1200))).await;
        let id = id_of(&made);
        let [pause] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
        assert_eq!((&pause["requested"], &pause["campaign_id"]), (&json!({"status": "PAUSED"}), &json!(id)));
        assert_eq!((&pause["apply_at"], &pause["requested_by"]["type"]), (&made["end_at"], &json!("api_key")));
        stage.patch(200, &id, &json!({"status": "ACTIVE"})).await;
        stage.minutes(18).await;
        assert!(!is_paused(&stage.in_books("Ending").await.0), "{platform}: before its end");
        stage.minutes(4).await;
        assert!(is_paused(&stage.in_books("Ending").await.0), "{platform}");
        let pause = stage.change(pause["id"].as_str().expect("an id")).await;
        assert_eq!((&pause["state"], &pause["executed_by"]), (&json!("applied"), &json!("schedule")), "{pause}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_end_without_effect_is_retried_until_the_pause_is_read() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let made = stage.dated(platform, "Ending", None, Some(stage.ahead(1200))).await;
        stage.patch(200, &id_of(&made), &json!({"status": "ACTIVE"})).await;
        let [pause] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
        let pause = pause["id"].as_str().expect("an id");
        stage.fault(platform, "update", "ignored", 1_000).await;
        for _ in 0..40 {
            stage.minutes(1).await;
            let change = stage.change(pause).await;
            assert!(change["state"] != "applied" && change["state"] != "failed", "{platform}: {change}");
        }
        assert!(!is_paused(&stage.in_books("Ending").await.0), "{platform}: nothing was done");
        stage.no_faults().await;
        stage.minutes(5).await;
        assert!(is_paused(&stage.in_books("Ending").await.0), "{platform}");
        assert_eq!(stage.change(pause).await["state"], "applied", "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_held_end_pauses_within_minutes_after_an_outage() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let ending = stage.dated(platform, "Ending", None, Some(stage.ahead(1200))).await;
        let scheduled = stage.campaign(platform, "Scheduled").await;
        for id in [&id_of(&ending), &scheduled] {
            stage.patch(200, id, &json!({"status": "ACTIVE"})).await;
        }
        stage.schedule(&scheduled, 1200, &json!({"status": "PAUSED"})).await;
        stage.minutes(18).await;
        stage.fault(platform, "any", "error", 1_000_000).await;
        stage.minutes(45).await;
        for name in ["Ending", "Scheduled"] {
            assert!(!is_paused(&stage.in_books(name).await.0), "{platform}: the platform is down");
        }
        stage.no_faults().await;
        stage.minutes(6).await;
        for name in ["Ending", "Scheduled"] {
            assert!(is_paused(&stage.in_books(name).await.0), "{platform}: {name}");
        }
    }
}

/// The campaign is read, the pause is lost, and nobody can read what became of it.
#[tokio::test(start_paused = true)]
async fn an_unknown_pause_of_a_past_end_is_checked_every_minute() {
    let platform = Platform::Beta;
    let stage = Stage::connected(&[platform]).await;
    let made = stage.dated(platform, "Old", None, Some(stage.days(30))).await;
    stage.patch(200, &id_of(&made), &json!({"status": "ACTIVE"})).await;
    let [pause] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
    let end = pause["apply_at"].as_str().and_then(|at| at.parse::<Timestamp>().ok()).expect("a time");
    sleep(Duration::try_from(end.duration_since(stage.world.clock.now())).expect("ahead")).await;
    let read_once = json!({"platform": platform.as_str(), "operation": "get", "fault": "slow", "ms": 1, "times": 1});
    stage.world.control("POST", "faults", &read_once).await;
    stage.fault(platform, "get", "error", 1_000).await;
    stage.fault(platform, "update", "drop", 1).await;
    stage.minutes(3).await;
    let change = stage.change(pause["id"].as_str().expect("an id")).await;
    assert_eq!(change["state"], "unknown", "{change}");
    stage.no_faults().await;
    stage.minutes(5).await;
    assert!(is_paused(&stage.in_books("Old").await.0), "it is looked at again, and made");
}

/// What goes on for a day around an end: the grant is revoked until somebody authorizes again, the platform throttles,
/// or it is down.
#[tokio::test(start_paused = true)]
async fn an_end_during_a_day_long_outage_is_applied_afterwards() {
    for platform in HELD {
        for fault in ["revoked", "throttle", "error"] {
            let stage = Stage::connected(&[platform]).await;
            let made = stage.dated(platform, "Ending", None, Some(stage.ahead(1200))).await;
            stage.patch(200, &id_of(&made), &json!({"status": "ACTIVE"})).await;
            let [pause] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
            stage.fault(platform, "any", fault, 1_000_000).await;
            for _ in 0..24 {
                stage.minutes(2).await;
                sleep(Duration::from_mins(58)).await;
            }
            let change = stage.change(pause["id"].as_str().expect("an id")).await;
            assert_eq!(change["state"], "scheduled", "{platform}, {fault}: {change}");
            assert!(!is_paused(&stage.in_books("Ending").await.0), "{platform}, {fault}: the platform is down");
            stage.no_faults().await;
            if fault == "revoked" {
                stage.authorize_again(platform).await;
            }
            stage.minutes(62).await;
            assert!(is_paused(&stage.in_books("Ending").await.0), "{platform}, {fault}");
            let change = stage.change(pause["id"].as_str().expect("an id")).await;
            assert_eq!(change["state"], "applied", "{platform}, {fault}: {change}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn canceling_the_pause_of_an_end_removes_the_end() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let id = id_of(&stage.dated(platform, "Endless", Some(stage.days(1)), Some(stage.days(3))).await);
        let [pause] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
        let cancel = format!("/v1/changes/{}/cancel", pause["id"].as_str().expect("an id"));
        assert_eq!(stage.ask(200, "POST", &cancel, &Value::Null).await["state"], "canceled");
        let read = stage.ask(200, "GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        assert_eq!((&read["end_at"], &read["end_held_by"]), (&Value::Null, &Value::Null), "{platform}: {read}");
        assert!(read["start_at"].is_string(), "the start stays: {read}");
        stage.ask(409, "POST", &cancel, &Value::Null).await;
        stage.patch(200, &id, &json!({"end_at": stage.days(4)})).await;
        assert_eq!(stage.waiting().await.len(), 1, "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_ended_campaign_is_activated_only_with_a_later_end() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let id = id_of(&stage.dated(Platform::Beta, "Over", None, Some(stage.ahead(600))).await);
    stage.minutes(12).await;
    let refused = stage.patch(409, &id, &json!({"status": "ACTIVE"})).await;
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("later end_at")), "{refused}");
    let past = stage.patch(400, &id, &json!({"status": "ACTIVE", "end_at": stage.ahead(-60)})).await;
    assert_eq!(past["details"][0]["field"], "end_at", "{past}");
    let later = stage.ahead(3600);
    let again = stage.patch(200, &id, &json!({"status": "ACTIVE", "end_at": later})).await;
    assert_eq!((&again["status"], &again["end_at"]), (&json!("ACTIVE"), &json!(later)));
    stage.minutes(62).await;
    assert!(is_paused(&stage.in_books("Over").await.0), "the later end holds, too");
    let open = stage.patch(200, &id, &json!({"status": "ACTIVE", "end_at": null})).await;
    assert_eq!((&open["end_at"], &open["end_held_by"]), (&Value::Null, &Value::Null));
    stage.minutes(200).await;
    assert!(!is_paused(&stage.in_books("Over").await.0), "without an end it runs");
}

#[tokio::test(start_paused = true)]
async fn an_activation_before_a_held_start_waits_for_the_start() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let made = stage.dated(platform, "Early", Some(stage.ahead(1800)), None).await;
        let id = id_of(&made);
        let answer = stage.send("PATCH", &format!("/v1/campaigns/{id}"), &[], &json!({"status": "ACTIVE"})).await;
        assert_eq!(answer.status, 202, "{}", answer.body);
        assert_eq!((&answer.body["state"], &answer.body["apply_at"]), (&json!("scheduled"), &made["start_at"]));
        assert_eq!(answer.body["id"], answer.change_ids);
        stage.minutes(28).await;
        assert!(is_paused(&stage.in_books("Early").await.0), "{platform}: before its start");
        stage.minutes(4).await;
        assert!(!is_paused(&stage.in_books("Early").await.0), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_moved_date_moves_the_changes_that_wait_for_it() {
    let stage = Stage::connected(&[Platform::Gamma]).await;
    let (start, end) = (stage.ahead(1800), stage.ahead(7200));
    let id = id_of(&stage.dated(Platform::Gamma, "Moved", Some(start), Some(end)).await);
    stage.patch(202, &id, &json!({"status": "ACTIVE"})).await;
    let (start, end) = (stage.ahead(3600), stage.ahead(5400));
    let moved =
        stage.send("PATCH", &format!("/v1/campaigns/{id}"), &[], &json!({"start_at": start, "end_at": end})).await;
    assert_eq!((moved.status, &moved.body["start_at"], &moved.body["end_at"]), (200, &json!(start), &json!(end)));
    assert_eq!(moved.change_ids.split(", ").count(), 2, "{}", moved.change_ids);
    let mut times: Vec<Value> = stage.waiting().await.iter().map(|change| change["apply_at"].clone()).collect();
    times.sort_by_key(Value::to_string);
    assert_eq!(times, [json!(start), json!(end)]);
    stage.minutes(40).await;
    assert!(is_paused(&stage.in_books("Moved").await.0), "the first start does not hold any more");
    stage.minutes(22).await;
    assert!(!is_paused(&stage.in_books("Moved").await.0));
    stage.minutes(30).await;
    assert!(is_paused(&stage.in_books("Moved").await.0));
}

#[tokio::test(start_paused = true)]
async fn removing_the_start_or_pausing_ends_a_waiting_activation() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    for (name, change) in [("Cleared", json!({"start_at": null})), ("Paused", json!({"status": "PAUSED"}))] {
        let id = id_of(&stage.dated(Platform::Beta, name, Some(stage.ahead(1800)), None).await);
        stage.patch(202, &id, &json!({"status": "ACTIVE"})).await;
        stage.patch(200, &id, &change).await;
        assert!(stage.waiting().await.is_empty(), "{name}");
        stage.minutes(35).await;
        assert!(is_paused(&stage.in_books(name).await.0), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn dates_out_of_order_or_in_the_past_are_refused() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let body = |start: String, end: String| {
            json!({"platform": platform.as_str(), "name": "Wrong", "goal": "TRAFFIC", "budget_amount": 50,
                "budget_period": "DAILY", "start_at": start, "end_at": end})
        };
        for (start, end) in [(stage.ahead(600), stage.ahead(600)), (stage.ahead(-900), stage.ahead(-600))] {
            let refused = stage.ask(400, "POST", "/v1/campaigns", &body(start, end)).await;
            assert_eq!(refused["details"][0]["field"], "end_at", "{platform}: {refused}");
        }
        let id = id_of(&stage.dated(platform, "Right", None, Some(stage.ahead(3600))).await);
        let refused = stage.patch(400, &id, &json!({"start_at": stage.ahead(7200)})).await;
        assert_eq!(refused["details"][0]["field"], "start_at", "{platform}: {refused}");
        let at = stage.ahead(600);
        let both =
            stage.ask(400, "PATCH", &format!("/v1/campaigns/{id}?apply_at={at}"), &json!({"end_at": null})).await;
        assert_eq!(both["details"][0]["field"], "apply_at", "{platform}: {both}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_scheduled_activation_respects_the_held_dates() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let early = id_of(&stage.dated(Platform::Beta, "Early", Some(stage.ahead(3600)), None).await);
    let late = id_of(&stage.dated(Platform::Beta, "Late", None, Some(stage.ahead(600))).await);
    let status = json!({"status": "ACTIVE"});
    stage.schedule(&early, 1200, &status).await;
    let after_end = stage.schedule(&late, 1200, &status).await;
    stage.minutes(30).await;
    assert!(is_paused(&stage.in_books("Early").await.0) && is_paused(&stage.in_books("Late").await.0));
    let failed = stage.change(&after_end).await;
    assert_eq!((&failed["state"], &failed["error"]["code"]), (&json!("failed"), &json!("CONFLICT")), "{failed}");
    stage.minutes(35).await;
    assert!(!is_paused(&stage.in_books("Early").await.0), "it starts at its start");
}

/// The create is found by maintenance: its end begins then.
#[tokio::test(start_paused = true)]
async fn an_unknown_create_gets_its_end_when_it_is_found() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        stage.fault(platform, "create", "drop_after", 1).await;
        stage.fault(platform, "list", "error", 20).await;
        let body = json!({"platform": platform.as_str(), "name": "Found", "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY", "end_at": stage.ahead(7200)});
        let unknown = stage.send("POST", "/v1/campaigns", &[], &body).await;
        assert_eq!(unknown.status, 504, "{}", unknown.body);
        assert!(stage.waiting().await.is_empty(), "{platform}: the end waits for the create");
        stage.no_faults().await;
        let later = stage.ahead(30);
        stage.minutes(8).await;
        let create = stage.change(&unknown.change_ids).await;
        assert_eq!(create["state"], "applied", "{platform}: {create}");
        let [pause] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
        assert_eq!(pause["campaign_id"], create["campaign_id"], "{platform}");
        stage.minutes(3).await;
        let since = format!("/v1/events?since={later}&type=change.scheduled");
        let told = stage.ask(200, "GET", &since, &Value::Null).await;
        assert_eq!(
            told["events"][0]["data"]["change"]["id"], pause["id"],
            "{platform}: told when it is stored: {told}"
        );
    }
}

/// A create that is refused leaves nothing to end.
#[tokio::test(start_paused = true)]
async fn a_refused_create_stores_no_end() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    stage.fault(Platform::Beta, "create", "throttle", 1).await;
    let body = json!({"platform": "beta_ads", "name": "Refused", "goal": "TRAFFIC", "budget_amount": 50,
        "budget_period": "DAILY", "end_at": stage.ahead(7200)});
    assert_eq!(stage.send("POST", "/v1/campaigns", &[], &body).await.status, 429);
    stage.minutes(3).await;
    assert!(stage.waiting().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_held_date_too_far_in_the_future_is_refused() {
    let far = "9999-01-01T00:00:00Z";
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let create = |start: Value, end: Value| {
            json!({"platform": platform.as_str(), "name": "Far", "goal": "TRAFFIC", "budget_amount": 50,
                "budget_period": "DAILY", "start_at": start, "end_at": end})
        };
        for (field, body) in
            [("end_at", create(Value::Null, json!(far))), ("start_at", create(json!(far), Value::Null))]
        {
            let refused = stage.ask(400, "POST", "/v1/campaigns", &body).await;
            assert_eq!(refused["details"][0]["field"], field, "{platform}: {refused}");
        }
        let id = id_of(&stage.dated(platform, "Near", None, None).await);
        for field in ["start_at", "end_at"] {
            let refused = stage.patch(400, &id, &json!({field: far})).await;
            assert_eq!(refused["details"][0]["field"], field, "{platform}: {refused}");
        }
        stage.maintenance().await;
    }
}

#[tokio::test(start_paused = true)]
async fn every_successful_concurrent_move_of_a_date_is_kept() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let id = id_of(&stage.dated(Platform::Beta, "Moved", None, None).await);
    let path = format!("/v1/campaigns/{id}");
    let (start, end) = (json!({"start_at": stage.ahead(7200)}), json!({"end_at": stage.ahead(90_000)}));
    let (moved, other) = tokio::join!(stage.send("PATCH", &path, &[], &start), stage.send("PATCH", &path, &[], &end));
    let read = stage.ask(200, "GET", &path, &Value::Null).await;
    for (answer, field) in [(&moved, "start_at"), (&other, "end_at")] {
        let holder = if field == "start_at" { "start_held_by" } else { "end_held_by" };
        let is_held = read[holder] == "service";
        assert!([200, 409].contains(&answer.status), "{}", answer.body);
        assert_eq!(is_held, answer.status == 200, "{field}: {} {read}", answer.body);
    }
    assert!(moved.status == 200 || other.status == 200);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_activation_does_not_revert_later_edits() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let id = id_of(&stage.dated(platform, "Waiting", Some(stage.ahead(7200)), None).await);
        stage.patch(202, &id, &json!({"status": "ACTIVE", "budget_amount": 60})).await;
        stage.patch(200, &id, &json!({"budget_amount": 55})).await;
        let [activation] = <[Value; 1]>::try_from(stage.waiting().await).expect("one change");
        assert_eq!(activation["requested"], json!({"status": "ACTIVE"}), "{platform}");
        stage.minutes(123).await;
        let (status, budget) = stage.in_books("Waiting").await;
        assert!(!is_paused(&status) && budget.trim_end_matches(".00") == "55", "{platform}: {status} {budget}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_of_dates_refuses_what_the_update_would_refuse() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let id = id_of(&stage.dated(platform, "Ending", None, Some(stage.ahead(1200))).await);
        let path = format!("/v1/campaigns/{id}?dry_run=true");
        let past = stage.ask(400, "PATCH", &path, &json!({"end_at": stage.ahead(-60)})).await;
        assert_eq!(past["details"][0]["field"], "end_at", "{platform}: {past}");
        stage.minutes(25).await;
        stage.ask(409, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE", "end_at": stage.ahead(7200)})).await;
    }
}
