//! PATCH and DELETE with platform failures in between: the response is true, and a retry is safe, on every platform.

use crate::faults::stage::Stage;
use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::domain::Platform;
use std::time::Duration;

/// The most attempts that any test needs: one for each fault, and one more.
const MOST_ATTEMPTS: usize = 4;

/// Executed or not, and answered or not.
const FAULTS: [&str; 6] = ["error", "drop", "garbage", "throttle", "drop_after", "slow"];

crate::platforms::each_platform! { under_faults }

/// One test per part, so that a failure names it.
macro_rules! under_faults {
    ($platform:expr) => {
        #[tokio::test]
        async fn a_change_repeated_until_it_succeeds_is_applied_once() {
            super::repeats_changes($platform.as_str()).await;
        }

        #[tokio::test]
        async fn a_removal_repeated_until_it_succeeds_removes() {
            super::repeats_removals($platform.as_str()).await;
        }

        #[tokio::test]
        async fn concurrent_removals_remove_once_and_all_succeed() {
            super::removes_at_once($platform.as_str()).await;
        }

        #[tokio::test]
        async fn an_update_that_cannot_be_read_back_is_unknown_and_may_be_repeated() {
            super::admits_ignorance($platform.as_str()).await;
        }
    };
}
use under_faults;

/// Changes of every field, alone and together.
fn changes(name: &str) -> [Value; 4] {
    [
        json!({"name": name}),
        json!({"status": "ACTIVE"}),
        json!({"budget_amount": 75.25}),
        json!({"name": format!("{name}, all at once"), "status": "ACTIVE", "budget_amount": 80}),
    ]
}

/// Each request reads the campaign before any of them removes it.
async fn removes_at_once(platform: &'static str) {
    let world = World::connected(platform).await;
    let removal = json!({"status": "REMOVED"});
    for (deletes, patches) in [(4, 0), (0, 4), (2, 2)] {
        let path = path_of(&world.create(platform, &format!("Removed by {deletes} and {patches}")).await);
        world.settings(json!({"platform": platform, "latency_ms": 150})).await;
        let asks = (0..deletes).map(|_| world.ask("DELETE", &path));
        let asks = asks.chain((0..patches).map(|_| world.ask("PATCH", &path).json(&removal)));
        let responses = join_all(asks.map(|ask| ask.send())).await;
        world.settings(json!({"platform": platform, "latency_ms": 0})).await;
        let statuses: Vec<u16> =
            responses.into_iter().map(|response| response.expect("a response").status.as_u16()).collect();
        let (of_deletes, of_patches) = statuses.split_at(deletes);
        assert!(of_deletes.iter().all(|status| [204, 404].contains(status)), "DELETE: {statuses:?}");
        assert!(of_patches.iter().all(|status| [200, 409].contains(status)), "PATCH: {statuses:?}");
        assert!(statuses.iter().any(|status| *status < 300), "one of them removed it: {statuses:?}");
        world.ask("DELETE", &path).expect(404).await;
    }
}

fn path_of(campaign: &Value) -> String {
    format!("/v1/campaigns/{}", id_of(campaign))
}

fn message(error: &Value) -> &str {
    error["error"].as_str().expect("a message")
}

/// Sends the same request until it succeeds, and returns the errors before that.
async fn until_done(world: &World, method: &str, path: &str, body: &Value) -> (Vec<(u16, Value)>, TestResponse) {
    let mut errors = Vec::new();
    for _ in 0..MOST_ATTEMPTS {
        let ask = world.ask(method, path);
        let ask = if body.is_null() { ask } else { ask.json(body) };
        let response = ask.send().await.expect("a response");
        if response.status.is_success() {
            return (errors, response);
        }
        let error = response.json();
        assert_eq!(error["retryable"], true, "{method} {body}: {error}");
        if response.status == 429 {
            world.let_pauses_end().await;
        }
        errors.push((response.status.as_u16(), error));
    }
    panic!("{method} {body} does not end: {errors:?}");
}

/// The number of campaigns at the platform itself, removed ones included.
async fn held(world: &World, platform: &str) -> usize {
    let held = world.control("GET", &format!("campaigns?platform={platform}")).expect(200).await.json();
    held["campaigns"].as_array().expect("a list").len()
}

async fn reset(world: &World) {
    let response = world.control("POST", "reset").send().await.expect("a response");
    assert!(response.status.is_success(), "{response:?}");
}

/// The number of calls of a change.
fn calls(platform: &str, change: &Value) -> u32 {
    let is_both = change.get("status").is_some() && change.get("name").is_some();
    if platform == "gamma_ads" && is_both { 2 } else { 1 }
}

/// The number of errors under two faults when the first `spared` of so many calls succeed.
fn errors_of(calls: u32, fault: &str, spared: u32) -> usize {
    match fault {
        "slow" => 0,
        // An executed call takes effect, so that only a call after it is missing.
        "drop_after" => usize::from(spared + 1 < calls),
        _ => 2,
    }
}

/// One change under one fault, repeated until it succeeds.
async fn repeat_change(world: &World, platform: &str, change: &Value, fault: &str, spared: u32) {
    let what = format!("{change}, {fault} after {spared}");
    let mut expected = world.create(platform, &format!("Before {what}")).await;
    let path = path_of(&expected);
    let count = held(world, platform).await;
    reset(world).await;
    if spared > 0 {
        world.slow_fault(platform, "update", "slow", spared, 1).await;
    }
    world.slow_fault(platform, "update", fault, 2, u64::from(fault == "slow")).await;
    let (errors, done) = until_done(world, "PATCH", &path, change).await;
    assert_eq!(errors.len(), errors_of(calls(platform, change), fault, spared), "{what}: {errors:?}");
    for (status, error) in &errors {
        assert_eq!((*status, &error["platform"]), (if fault == "throttle" { 429 } else { 502 }, &json!(platform)));
        assert!(fault == "throttle" || message(error).contains("Not applied"), "{what}: {error}");
    }
    let makes = |request: &Value| request["body"].as_str().is_some_and(|body| body.contains("\"create\""));
    assert!(!world.received(platform).await.iter().any(makes), "{what}: no second budget is made");
    assert_eq!(held(world, platform).await, count, "{what}");
    reset(world).await;

    let done = done.json();
    assert_ne!(done["updated_at"], expected["updated_at"], "{what}");
    for (field, value) in change.as_object().expect("an object") {
        expected[field] = value.clone();
    }
    let mut read = world.ask("GET", &path).expect(200).await.json();
    // The platform's own clock may be a moment later.
    assert!(read["updated_at"].as_str() >= done["updated_at"].as_str(), "{what}");
    for campaign in [&mut read, &mut expected] {
        campaign["updated_at"] = done["updated_at"].clone();
        // Only what is read says whether it is shown.
        campaign["delivery"] = Value::Null;
    }
    assert_eq!((&done, &read), (&expected, &expected), "{what}");
}

async fn repeats_changes(platform: &str) {
    let world = World::connected(platform).await;
    for fault in FAULTS {
        for change in changes(&format!("After {fault}")) {
            for spared in 0..calls(platform, &change) {
                repeat_change(&world, platform, &change, fault, spared).await;
            }
        }
    }
}

/// Whether a campaign is removed for good and in no list.
async fn is_gone(world: &World, path: &str) -> bool {
    let read = world.ask("GET", path).send().await.expect("a response");
    let listed = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    listed["unified"] == json!([]) && (read.status == 404 || read.json()["status"] == "REMOVED")
}

async fn repeats_removals(platform: &str) {
    let world = World::connected(platform).await;
    for fault in FAULTS {
        // On this platform to archive is not to delete.
        let archives = if platform == "beta_ads" { "update" } else { "delete" };
        let removal = json!({"status": "REMOVED"});
        for (method, operation, body) in [("DELETE", "delete", Value::Null), ("PATCH", archives, removal)] {
            let path = path_of(&world.create(platform, &format!("{method} {fault}")).await);
            world.slow_fault(platform, operation, fault, 2, u64::from(fault == "slow")).await;
            let (errors, done) = until_done(&world, method, &path, &body).await;
            assert_eq!(errors.len(), if matches!(fault, "slow" | "drop_after") { 0 } else { 2 }, "{fault}: {errors:?}");
            for (_, error) in &errors {
                let said = if method == "DELETE" { "is not removed" } else { "Not applied" };
                assert!(fault == "throttle" || message(error).contains(said), "{fault}: {error}");
            }
            assert!(method == "DELETE" || done.json()["status"] == "REMOVED", "{fault}: {done:?}");
            assert!(is_gone(&world, &path).await, "{method} {fault}");
            reset(&world).await;
            world.ask("DELETE", &path).expect(404).await;
        }
    }
}

async fn admits_ignorance(platform: &str) {
    let world = World::connected(platform).await;
    let mut expected = world.create(platform, "Before").await;
    let path = path_of(&expected);
    let both = json!({"name": "After", "budget_amount": 80});
    for (method, operation, body, said) in [
        ("PATCH", "update", &both, "which of these were applied: name, budget_amount"),
        ("DELETE", "delete", &Value::Null, "whether the campaign was removed"),
    ] {
        // The read before the change is answered, the one after it is not.
        world.slow_fault(platform, "get", "slow", 1, 1).await;
        world.fault(platform, "get", "error", 9).await;
        world.fault(platform, operation, "drop_after", 1).await;
        let ask = world.ask(method, &path);
        let ask = if body.is_null() { ask } else { ask.json(body) };
        let error = ask.expect(502).await.json();
        assert_eq!((&error["code"], &error["retryable"]), (&json!("PLATFORM_ERROR"), &json!(true)), "{error}");
        assert!(message(&error).contains(said) && message(&error).contains("is safe"), "{error}");
        reset(&world).await;
        if method == "DELETE" {
            world.ask(method, &path).expect(404).await;
            assert!(is_gone(&world, &path).await);
        } else {
            let done = world.ask(method, &path).json(body).expect(200).await.json();
            for field in ["name", "budget_amount", "updated_at"] {
                expected[field] = body.get(field).unwrap_or(&done[field]).clone();
            }
            assert_eq!(done, expected);
        }
    }
}

async fn gives_up_in_time(platform: Platform) {
    let stage = Stage::new(&[platform]).await;
    let app = stage.with_platform_timeout(Duration::from_secs(3));
    let platform = platform.as_str();
    let path = path_of(&stage.create(platform, "Before").await);
    let name = json!({"name": "After"});
    // Executed late, which no response shows.
    stage.hang(platform, "update", "late", 1).await;
    let (status, error) = stage.ask(&app, "PATCH", &path, &name).await;
    assert_eq!((status, &error["retryable"]), (504, &json!(true)), "{error}");
    assert!(message(&error).contains("Not applied so far: name."), "{error}");
    // Executed at once and answered late.
    stage.hang(platform, "update", "slow", 1).await;
    let (status, done) = stage.ask(&app, "PATCH", &path, &name).await;
    assert_eq!((status, &done["name"]), (200, &json!("After")), "{done}");
    // The read back is not answered either.
    stage.fault(platform, "get", "slow", 1, Duration::from_millis(1)).await;
    stage.hang(platform, "get", "late", 1).await;
    stage.hang(platform, "delete", "slow", 1).await;
    let (status, error) = stage.ask(&app, "DELETE", &path, &Value::Null).await;
    assert_eq!((status, &error["retryable"]), (504, &json!(true)), "{error}");
    assert!(message(&error).contains("not known whether the campaign was removed"), "{error}");
    stage.world.control("POST", "reset", &Value::Null).await;
    assert_eq!(stage.ask(&stage.app, "DELETE", &path, &Value::Null).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_call_is_abandoned_in_time_for_the_read_back() {
    for platform in Platform::ALL {
        gives_up_in_time(platform).await;
    }
}

#[tokio::test]
async fn a_refused_second_call_reports_the_fields_of_the_first() {
    let world = World::connected("gamma_ads").await;
    let made = world.create("gamma_ads", "Before").await;
    let path = path_of(&made);
    world.ask("PATCH", &path).json(&json!({"status": "ACTIVE"})).expect(200).await;
    let spend = json!({"platform": "gamma_ads", "campaign_id": made["remote_id"], "amount": "100.00"});
    assert!(world.control("POST", "spend").json(&spend).send().await.expect("a response").status.is_success());
    // The campaign is paused first, and a budget below its spend is refused then.
    let body = json!({"status": "PAUSED", "budget_amount": 60, "name": "After"});
    for attempt in ["first", "again"] {
        let error = world.ask("PATCH", &path).json(&body).expect(422).await.json();
        assert_eq!((&error["code"], &error["retryable"]), (&json!("PLATFORM_ERROR"), &json!(false)), "{error}");
        assert_eq!(error["platform_error"]["field"], "budget_amount", "{error}");
        let applied = "Applied: status. Not applied: name, budget_amount.";
        assert_eq!(message(&error).contains(applied), attempt == "first", "{error}");
    }
    let read = world.ask("GET", &path).expect(200).await.json();
    assert_eq!(
        (&read["status"], &read["name"], &read["budget_amount"]),
        (&json!("PAUSED"), &json!("Before"), &json!(50))
    );
    let body = json!({"status": "PAUSED", "budget_amount": 120, "name": "After"});
    world.ask("PATCH", &path).json(&body).expect(200).await;
}

#[tokio::test]
async fn a_throttled_second_call_reports_the_first_and_retry_after() {
    let world = World::connected("gamma_ads").await;
    let path = path_of(&world.create("gamma_ads", "Before").await);
    world.slow_fault("gamma_ads", "update", "slow", 1, 1).await;
    world.fault("gamma_ads", "update", "throttle", 1).await;
    let body = json!({"status": "ACTIVE", "budget_amount": 60, "name": "After"});
    let response = world.ask("PATCH", &path).json(&body).expect(429).await;
    assert!(response.header("retry-after").parse::<u64>().is_ok_and(|wait| wait >= 1), "{response:?}");
    let error = response.json();
    assert_eq!((&error["code"], &error["retryable"]), (&json!("RATE_LIMITED"), &json!(true)), "{error}");
    let applied = "Applied: name, budget_amount. Not applied: status. Repeat the request";
    assert!(message(&error).contains(applied), "{error}");
}

#[tokio::test]
async fn a_consent_that_ends_between_two_calls_reports_the_first() {
    let world = World::connected("gamma_ads").await;
    let path = path_of(&world.create("gamma_ads", "Before").await);
    world.slow_fault("gamma_ads", "update", "slow", 1, 1).await;
    world.fault("gamma_ads", "update", "revoked", 1).await;
    let body = json!({"status": "ACTIVE", "name": "After"});
    let error = world.ask("PATCH", &path).json(&body).expect(424).await.json();
    assert_eq!(error["code"], "TOKEN_EXPIRED");
    assert!(message(&error).contains("Part of the change was applied first"), "{error}");
    world.connect("gamma_ads", &[]).await;
    let done = world.ask("PATCH", &path).json(&body).expect(200).await.json();
    assert_eq!((&done["name"], &done["status"]), (&json!("After"), &json!("ACTIVE")));
}

#[tokio::test]
async fn a_throttled_update_costs_no_further_call() {
    let world = World::connected("zeta_ads").await;
    let path = path_of(&world.create("zeta_ads", "Before").await);
    let calls = async |body: &Value, status: u16| {
        reset(&world).await;
        if status == 429 {
            world.fault("zeta_ads", "update", "throttle", 1).await;
        }
        world.ask("PATCH", &path).json(body).expect(status).await;
        world.let_pauses_end().await;
        world.received("zeta_ads").await.len()
    };
    let refused = calls(&json!({"name": "After"}), 429).await;
    assert_eq!(refused, calls(&json!({"name": "After"}), 200).await, "it is sent, and that is all");
}

#[tokio::test]
async fn the_error_of_a_partly_applied_update_lists_its_fields() {
    let world = World::connected("beta_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Before").await));
    let both = json!({"name": "After", "budget_amount": 80});
    for (shape, missing) in [("flat", "not_applied"), ("enveloped", "notApplied")] {
        // The read before the change is answered, the one after it is not.
        world.slow_fault("beta_ads", "get", "slow", 1, 1).await;
        world.fault("beta_ads", "get", "error", 9).await;
        world.fault("beta_ads", "update", "drop_after", 1).await;
        let response = world.ask("PATCH", &path).header("x-api-shape", shape).json(&both).expect(502).await;
        let body = response.json();
        let error = if shape == "flat" { &body } else { &body["error"] };
        assert_eq!(error["reason"], "OUTCOME_UNKNOWN", "{body}");
        assert!(body.to_string().contains("name, budget_amount"), "{body}");
        let lists = ["applied", missing, "unknown"].map(|list| error[list].clone());
        assert_eq!(lists, [json!([]), json!([]), json!(["name", "budget_amount"])], "{body}");
        reset(&world).await;
        world.ask("PATCH", &path).json(&json!({"name": "Before", "budget_amount": 50})).expect(200).await;
    }
}
