//! Refused calls of an agent, and their error messages.

use super::{Agent, books, draft, key_with};
use crate::in_process;
use crate::spending::{Stage, daily};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// A stage with a campaign of 60 a day that the agent has created.
async fn stage() -> (Stage, String) {
    let stage = Stage::with_daily(&[Platform::Epsilon], 500).await;
    let id = Agent::of(&stage).create(&stage.connections[0], "Spring", 60).await;
    (stage, id)
}

fn raise(id: &str, amount: i64) -> Value {
    json!({"campaign_id": id, "budget_amount": amount, "currency": "USD"})
}

#[track_caller]
pub(super) fn says((code, words): (String, String), expected: &str, parts: &[&str]) {
    assert_eq!(code, expected, "{words}");
    for part in parts {
        assert!(words.contains(part), "{words}: {part}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_repeated_confirm_token_replays_the_first_result_and_changes_nothing() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let confirmed = agent.preview("update", &raise(&id, 70)).await;
    let first = agent.call("update_campaign", &confirmed).await.ok();
    stage.owner("PATCH", &format!("/v1/campaigns/{id}"), &json!({"budget_amount": 90})).await;
    sleep(Duration::from_mins(30)).await;
    let again = agent.call("update_campaign", &confirmed).await.ok();
    assert_eq!(first["campaign"], again["campaign"], "also after ten minutes, and after somebody else's change");
    assert_eq!((&first["is_repeated"], &again["is_repeated"]), (&json!(false), &json!(true)));
    assert!(
        again["message"].as_str().expect("words").contains("get_campaign tells how the campaign is now"),
        "{again}"
    );
    assert_eq!(books(&stage.owner).await[0]["budget"], "90.00", "nothing was written");
    let mut other = confirmed.clone();
    other["budget_amount"] = json!(71);
    says(
        agent.call("update_campaign", &other).await.refusal(),
        "VALIDATION_ERROR",
        &["confirm_token belongs to other"],
    );
    let create = agent.preview("create", &draft(&stage.connections[0], "Twice", 60)).await;
    let bought = agent.call("create_campaign", &create).await.ok();
    for _ in 0..3 {
        assert_eq!(agent.call("create_campaign", &create).await.ok()["campaign"], bought["campaign"]);
    }
    assert_eq!(books(&stage.owner).await.len(), 2, "each was bought once");
}

#[tokio::test(start_paused = true)]
async fn a_confirm_token_is_bound_to_its_key_customer_and_tool() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let confirmed = agent.preview("update", &raise(&id, 70)).await;
    let foreign = &["confirm_token is not a token of preview_change", "call preview_change again"];
    let token = confirmed["confirm_token"].as_str().expect("a token");
    for place in [0, 3, token.len() / 2, token.len() - 2] {
        let mut bytes = token.as_bytes().to_vec();
        bytes[place] = if bytes[place] == b'x' { b'y' } else { b'x' };
        let mut altered = confirmed.clone();
        altered["confirm_token"] = json!(String::from_utf8(bytes).expect("a text"));
        says(agent.call("update_campaign", &altered).await.refusal(), "VALIDATION_ERROR", foreign);
    }
    let second = key_with(&stage, &json!(["campaigns"]), &daily(&stage.connections, 500)).await;
    let second = Agent { app: &stage.app, world: &second };
    says(second.call("update_campaign", &confirmed).await.refusal(), "VALIDATION_ERROR", foreign);
    let delete = json!({"campaign_id": id, "confirm_token": token});
    says(agent.call("delete_campaign", &delete).await.refusal(), "VALIDATION_ERROR", foreign);
    let rest = stage.agent("PATCH", &format!("/v1/campaigns/{id}"), &json!({"confirm_token": token})).await;
    assert_eq!((rest.status, &rest.body["details"][0]["field"]), (400, &json!("confirm_token")), "REST has no tokens");
    let elsewhere = in_process::World::new(in_process::clock(1), Plan::Enterprise).await;
    let app = Arc::new(elsewhere.straight());
    let other = Agent { app: &app, world: &elsewhere };
    says(other.call("update_campaign", &confirmed).await.refusal(), "VALIDATION_ERROR", foreign);
    assert_eq!(books(&stage.owner).await[0]["budget"], "60.00", "nothing was changed");
}

#[tokio::test(start_paused = true)]
async fn a_preview_ends_after_ten_minutes_or_if_the_campaign_or_limit_changes() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let path = format!("/v1/campaigns/{id}");
    let again = "Call preview_change again";
    let confirmed = agent.preview("update", &raise(&id, 70)).await;
    sleep(Duration::from_mins(11)).await;
    says(agent.call("update_campaign", &confirmed).await.refusal(), "CONFLICT", &["older than 10 minutes", again]);

    let start = agent.preview("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await;
    stage.owner("PATCH", &path, &json!({"budget_amount": 400})).await;
    let changed = "The campaign has changed since the preview, so this change was not made.";
    says(agent.call("update_campaign", &start).await.refusal(), "CONFLICT", &[changed, again]);
    assert_eq!(stage.running().await, Decimal::ZERO, "the flip: previewed at 60, and 400 when it would start");

    stage.owner("PATCH", &path, &json!({"status": "ACTIVE", "budget_amount": 60})).await;
    let delete = agent.preview("delete", &json!({"campaign_id": id})).await;
    let rename = agent.preview("update", &json!({"campaign_id": id, "name": "Summer"})).await;
    stage.owner("PATCH", &path, &json!({"status": "PAUSED"})).await;
    says(agent.call("update_campaign", &rename).await.refusal(), "CONFLICT", &[changed]);
    says(agent.call("delete_campaign", &delete).await.refusal(), "CONFLICT", &[changed]);

    let confirmed = agent.preview("update", &raise(&id, 70)).await;
    let create = agent.preview("create", &draft(&stage.connections[0], "Late", 60)).await;
    let limit = json!({"spending_limit": daily(&stage.connections, 400)});
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
    for (tool, confirmed) in [("update_campaign", &confirmed), ("create_campaign", &create)] {
        says(agent.call(tool, confirmed).await.refusal(), "CONFLICT", &["The spending limit of this API key", again]);
    }
    let seen = &books(&stage.owner).await;
    assert_eq!((seen.len(), &seen[0]["budget"], &seen[0]["name"]), (1, &json!("60.00"), &json!("Spring")));
}

#[tokio::test(start_paused = true)]
async fn invalid_or_contradictory_arguments_are_refused() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    for (arguments, field) in [
        (json!({"campaign_id": id, "budget_amount": "70,5", "currency": "USD"}), "budget_amount must be a number"),
        (json!({"campaign_id": id, "budget_amount": "1e400", "currency": "USD"}), "budget_amount must be a number"),
        (json!({"campaign_id": id, "budget_amount": "NaN", "currency": "USD"}), "budget_amount must be a number"),
        (json!({"campaign_id": id, "budget_period": "MONTHLY"}), "a person sets a monthly budget on the dashboard"),
        (json!({"campaign_id": id, "budget_amount": 70}), "currency is required with budget_amount"),
        (json!({"campaign_id": id, "budget_amount": 70, "currency": "EUR"}), "currency must be the ad account's"),
        (json!({"campaign_id": id, "budget_amount": 70, "currency": "dollars"}), "currency must be an ISO 4217"),
        (json!({"campaign_id": id, "budget_amount": 70.001, "currency": "USD"}), "budget_amount"),
        (json!({"campaign_id": id, "budget_amount": -1, "currency": "USD"}), "budget_amount must be greater than 0"),
        (json!({"campaign_id": id, "budget": 70, "currency": "USD"}), "budget is not an argument of this tool: it has"),
        (json!({"campaign_id": id, "daily_budget_cents": 7000}), "daily_budget_cents is not an argument"),
        (json!({"campaign_id": id, "status": "REMOVED"}), "delete_campaign removes"),
        (json!({"campaign_id": id}), "must name what to change"),
    ] {
        let preview = json!({"kind": "update", "arguments": arguments});
        says(
            agent.call("preview_change", &preview).await.refusal(),
            "VALIDATION_ERROR",
            &[field, "Correct the fields"],
        );
    }
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"preview_change","arguments":
            {{"kind":"update","arguments":{{"campaign_id":"{id}","currency":"USD",{arguments}}}}}}}}}"#
        )
    };
    for (arguments, code) in [
        (r#""budget_amount":NaN"#, -32700),
        (r#""budget_amount":Infinity"#, -32700),
        (r#""budget_amount":5,"budget_amount":70"#, -32700),
        (r#""budget_amount":5,"budget_\u0061mount":70"#, -32700),
    ] {
        let (status, body) = agent.send(&[], &call(arguments)).await;
        assert_eq!((status, &body["error"]["code"]), (400, &json!(code)), "{arguments}: {body}");
    }
    let (status, body) = agent.send(&[], &call(r#""budget_amount":1e400"#)).await;
    assert_eq!((status, &body["result"]["isError"]), (200, &json!(true)), "{body}");
    let missing = agent.call("update_campaign", &raise(&id, 70)).await.refusal();
    says(missing, "VALIDATION_ERROR", &["confirm_token is required: call preview_change"]);
    let unknown = json!({"kind": "update", "arguments": raise("epsilon_1_2", 70)});
    says(
        agent.call("preview_change", &unknown).await.refusal(),
        "NOT_FOUND",
        &["list_accounts (conn_…), list_campaigns"],
    );
    assert_eq!(books(&stage.owner).await[0]["budget"], "60.00");
}

/// Several hosts send objects and numbers as texts.
#[tokio::test(start_paused = true)]
async fn stringified_objects_and_numbers_are_parsed() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let exact = agent.preview("update", &raise(&id, 70)).await;
    let mut text = raise(&id, 70);
    text["budget_amount"] = json!("70");
    let preview = json!({"kind": "update", "arguments": text.to_string()});
    let shown = agent.call("preview_change", &preview).await.ok();
    assert_eq!(shown["after"]["budget"], "70.00 USD a day");
    text["confirm_token"] = exact["confirm_token"].clone();
    // The whole of the arguments is a text too, and the token is that of the number.
    let made = agent.call("update_campaign", &Value::String(text.to_string())).await.ok();
    assert_eq!(made["campaign"]["budget"], "70.00 USD a day");
    assert_eq!(books(&stage.owner).await[0]["budget"], "70.00");
    let listed = agent.call("list_campaigns", &json!({"limit": "1"})).await.ok();
    assert_eq!(listed["campaigns"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(start_paused = true)]
async fn an_invalid_amount_is_reported_even_with_a_valid_token() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let mut confirmed = agent.preview("update", &raise(&id, 70)).await;
    confirmed["budget_amount"] = json!("70,00");
    let refused = agent.call("update_campaign", &confirmed).await.refusal();
    says(refused, "VALIDATION_ERROR", &["budget_amount must be a number"]);
    let mut monthly = draft(&stage.connections[0], "Month", 900);
    monthly["budget_period"] = json!("MONTHLY");
    for kind in ["create", "update"] {
        let mut arguments = monthly.clone();
        if kind == "update" {
            arguments = json!({"campaign_id": id, "budget_period": "MONTHLY"});
        }
        let preview = json!({"kind": kind, "arguments": arguments});
        let (code, words) = agent.call("preview_change", &preview).await.refusal();
        assert_eq!((code.as_str(), words.contains("Shape")), ("VALIDATION_ERROR", false), "{words}");
        assert!(words.contains("on the dashboard"), "{words}");
    }
    assert_eq!(books(&stage.owner).await[0]["budget"], "60.00");
}

#[tokio::test(start_paused = true)]
async fn many_small_raises_and_activations_stop_at_the_limit() {
    let stage = Stage::with_daily(&[Platform::Epsilon], 100).await;
    let agent = Agent::of(&stage);
    let id = agent.create(&stage.connections[0], "Small", 60).await;
    let start = json!({"campaign_id": id, "status": "ACTIVE"});
    agent.change("update", &start).await;
    let mut refused = 0;
    for step in 1..=45 {
        let arguments = raise(&id, 60 + step);
        let shown = agent.call("preview_change", &json!({"kind": "update", "arguments": arguments})).await;
        if shown.is_error {
            says(shown.refusal(), "FORBIDDEN", &["Tell the person what the limit allows"]);
            refused += 1;
        } else {
            agent.change("update", &arguments).await;
        }
    }
    assert_eq!((stage.running().await, refused), (Decimal::from(100), 5));
    // Pausing frees nothing on the same day, so another campaign cannot take its place.
    let other = agent.create(&stage.connections[0], "Other", 60).await;
    for _ in 0..20 {
        agent.call("pause_campaign", &json!({"campaign_id": id})).await.ok();
        let other = json!({"kind": "update", "arguments": {"campaign_id": other, "status": "ACTIVE"}});
        says(agent.call("preview_change", &other).await.refusal(), "FORBIDDEN", &["limit"]);
        agent.change("update", &start).await;
    }
    assert_eq!(stage.running().await, Decimal::from(100));
}

#[tokio::test(start_paused = true)]
async fn a_suspicious_amount_is_a_warning() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    for (amount, is_suspicious) in [(599, false), (600, true), (6_000, true)] {
        let preview = json!({"kind": "update", "arguments": raise(&id, amount)});
        let shown = agent.call("preview_change", &preview).await.ok();
        let warnings = shown["warnings"].to_string();
        assert_eq!(warnings.contains("10 times the present one"), is_suspicious, "{warnings}");
        assert_eq!(shown["after"]["budget"], format!("{amount}.00 USD a day"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_limited_key_sees_a_monthly_budget_and_cannot_end_it() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let body = json!({"budget_amount": 3000, "budget_period": "MONTHLY"}).to_string();
    let path = format!("/v1/campaigns/{id}");
    let request = stage.owner.request("PATCH", &path, &[("x-api-shape", "enveloped")], &body);
    assert_eq!(in_process::respond(&stage.app, request).await.status(), 200);
    let campaign = agent.call("get_campaign", &json!({"campaign_id": id})).await.ok();
    assert!(campaign.to_string().contains(" USD a day, within 3000.00 USD a month"), "{campaign}");
    let amount = json!({"kind": "update", "arguments": raise(&id, 70)});
    says(
        agent.call("preview_change", &amount).await.refusal(),
        "VALIDATION_ERROR",
        &["follows from a monthly one", "on the dashboard"],
    );
    let (_, words) = agent.call("preview_change", &amount).await.refusal();
    assert!(!words.contains("X-API-Shape"), "a tool has no headers: {words}");
    let mut ended = amount;
    ended["arguments"]["budget_period"] = json!("DAILY");
    says(agent.call("preview_change", &ended).await.refusal(), "FORBIDDEN", &["The budget is monthly"]);
}

#[tokio::test(start_paused = true)]
async fn a_throttled_change_is_confirmed_again_and_an_unknown_one_read_back() {
    let (stage, id) = stage().await;
    let agent = Agent::of(&stage);
    let confirmed = agent.preview("update", &raise(&id, 70)).await;
    stage.fault(Platform::Epsilon, "update", "throttle", 1).await;
    let (code, words) = agent.call("update_campaign", &confirmed).await.refusal();
    assert_eq!(code, "RATE_LIMITED", "{words}");
    assert!(words.contains("Wait") && words.contains("confirm_token"), "{words}");
    sleep(Duration::from_mins(5)).await;
    assert_eq!(agent.call("update_campaign", &confirmed).await.ok()["state"], "applied");
    let create = agent.preview("create", &draft(&stage.connections[0], "Lost", 60)).await;
    stage.fault(Platform::Epsilon, "create", "drop_after", 1).await;
    let first = agent.call("create_campaign", &create).await;
    sleep(Duration::from_mins(2)).await;
    let again = agent.call("create_campaign", &create).await.ok();
    assert!(first.is_error || first.content["campaign"]["id"] == again["campaign"]["id"], "{first:?}");
    assert_eq!(books(&stage.owner).await.len(), 2, "bought once");
}

/// A campaign of Meta, whose dates the service holds, with an end in a hundred hours.
async fn dated(limit_asks: bool) -> (Stage, String) {
    let stage = Stage::with(&[Platform::Beta], |connections| {
        let mut limit = daily(connections, 500);
        limit["approval"] = if limit_asks { json!({"activation": true}) } else { Value::Null };
        limit
    })
    .await;
    let mut draft = draft(&stage.connections[0], "Dated", 60);
    draft["end_at"] = json!(hours_from_now(&stage, 100));
    let created = Agent::of(&stage).change("create", &draft).await;
    let id = created["campaign"]["id"].as_str().expect("an id").to_owned();
    (stage, id)
}

fn hours_from_now(stage: &Stage, hours: i64) -> String {
    format!("{:.0}", stage.owner.clock.now() + jiff::SignedDuration::from_hours(hours))
}

#[tokio::test(start_paused = true)]
async fn a_preview_shows_held_dates_and_its_token_is_bound_to_them() {
    let (stage, id) = dated(false).await;
    let agent = Agent::of(&stage);
    let endless = json!({"campaign_id": id, "end_at": null});
    let shown = agent.call("preview_change", &json!({"kind": "update", "arguments": endless})).await.ok();
    assert!(shown["warnings"].to_string().contains("runs until somebody pauses it"), "{shown}");
    assert_eq!((shown["before"]["end_at"].is_string(), &shown["after"]["end_at"]), (true, &Value::Null));
    let start = agent.preview("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await;
    let path = format!("/v1/campaigns/{id}");
    stage.owner("PATCH", &path, &json!({"end_at": null})).await;
    let refused = agent.call("update_campaign", &start).await.refusal();
    says(refused, "CONFLICT", &["The campaign has changed since the preview"]);
    assert_eq!(stage.running().await, Decimal::ZERO, "it would have run without its end");
    let later = json!({"campaign_id": id, "start_at": hours_from_now(&stage, 50)});
    let moved = agent.change("update", &later).await;
    assert_eq!(
        (&moved["state"], &moved["change_id"]),
        (&json!("applied"), &Value::Null),
        "no change for a start alone"
    );
    let shown = json!({"kind": "update", "arguments": {"campaign_id": id, "status": "ACTIVE"}});
    let shown = agent.call("preview_change", &shown).await.ok();
    assert!(shown["warnings"].to_string().contains("The campaign starts at"), "{shown}");
    let waits = agent.change("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await;
    assert_eq!(waits["state"], "scheduled");
    let paused = agent.call("pause_campaign", &json!({"campaign_id": id})).await.ok();
    assert_eq!(
        (&paused["state"], &paused["change_id"]),
        (&json!("applied"), &waits["change_id"]),
        "it canceled the start"
    );
    let change = agent.call("get_change", &json!({"change_id": waits["change_id"]})).await.ok();
    assert_eq!(change["state"], "canceled");
}

#[tokio::test(start_paused = true)]
async fn a_change_that_cannot_be_approved_has_no_preview() {
    let (stage, id) = dated(true).await;
    let agent = Agent::of(&stage);
    agent.change("update", &json!({"campaign_id": id, "start_at": hours_from_now(&stage, 50)})).await;
    let start = json!({"kind": "update", "arguments": {"campaign_id": id, "status": "ACTIVE"}});
    says(agent.call("preview_change", &start).await.refusal(), "FORBIDDEN", &["ask a person to start the campaign"]);
}

#[tokio::test(start_paused = true)]
async fn a_changed_budget_period_is_a_warning() {
    let stage = Stage::with(&[Platform::Epsilon], |connections| {
        json!({"connections": connections, "amounts": [{"currency": "USD", "daily": 900, "lifetime": 900}]})
    })
    .await;
    let agent = Agent::of(&stage);
    let mut draft = draft(&stage.connections[0], "Whole", 90);
    draft["budget_period"] = json!("LIFETIME");
    draft["end_at"] = json!(hours_from_now(&stage, 200));
    let created = agent.change("create", &draft).await;
    let daily = json!({"campaign_id": created["campaign"]["id"], "budget_period": "DAILY"});
    let shown = agent.call("preview_change", &json!({"kind": "update", "arguments": daily})).await.ok();
    let warnings = shown["warnings"].to_string();
    assert!(warnings.contains("90.00 USD a day then, instead of 90.00 USD in all"), "{warnings}");
    let large = json!({"kind": "create", "arguments": super::draft(&stage.connections[0], "Large", 30_000)});
    let warnings = agent.call("preview_change", &large).await.ok()["warnings"].to_string();
    assert!(warnings.contains("30000.00 USD a day") && warnings.contains("can never start it"), "{warnings}");
}

#[tokio::test(start_paused = true)]
async fn repeating_the_call_completes_a_partly_applied_change() {
    let stage = Stage::with_daily(&[Platform::Gamma], 500).await;
    let agent = Agent::of(&stage);
    let id = agent.create(&stage.connections[0], "Two calls", 60).await;
    let both = json!({"campaign_id": id, "budget_amount": 99, "currency": "USD", "status": "ACTIVE"});
    let confirmed = agent.preview("update", &both).await;
    // The first of two calls is carried out, and the response to it is lost.
    stage.fault(Platform::Gamma, "update", "drop_after", 1).await;
    let first = agent.call("update_campaign", &confirmed).await;
    assert!(first.is_error, "{first:?}");
    assert_eq!(books(&stage.owner).await[0]["budget"], "99.00", "a part of it");
    // Until maintenance has settled the first attempt, the campaign has its turn.
    stage.minutes(4).await;
    let again = agent.call("update_campaign", &confirmed).await;
    assert!(!again.is_error, "{first:?} then {again:?}");
    assert_eq!(stage.running().await, Decimal::from(99));
}

#[tokio::test(start_paused = true)]
async fn an_unsent_create_is_not_sent_after_the_limit_changed() {
    let (stage, _) = stage().await;
    let agent = Agent::of(&stage);
    let create = agent.preview("create", &draft(&stage.connections[0], "Not yet", 60)).await;
    stage.fault(Platform::Epsilon, "create", "throttle", 1).await;
    assert_eq!(agent.call("create_campaign", &create).await.refusal().0, "RATE_LIMITED");
    let limit = json!({"spending_limit": daily(&stage.connections, 10)});
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
    sleep(Duration::from_mins(5)).await;
    says(agent.call("create_campaign", &create).await.refusal(), "CONFLICT", &["The spending limit of this API key"]);
    assert_eq!(books(&stage.owner).await.len(), 1);
    // A create that the platform received before is reported all the same.
    let limit = json!({"spending_limit": daily(&stage.connections, 500)});
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
    let create = agent.preview("create", &draft(&stage.connections[0], "Lost", 60)).await;
    stage.fault(Platform::Epsilon, "create", "drop_after", 1).await;
    stage.fault(Platform::Epsilon, "list", "error", 50).await;
    agent.call("create_campaign", &create).await;
    stage.owner.control("POST", "reset", &json!({})).await;
    sleep(Duration::from_mins(12)).await;
    let told = agent.call("create_campaign", &create).await.ok();
    assert_eq!(told["campaign"]["name"], "Lost", "ten minutes are over, and it exists");
    assert_eq!(books(&stage.owner).await.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_malformed_id_is_not_found() {
    let (stage, _) = stage().await;
    let agent = Agent::of(&stage);
    for id in ["status", "intents", "epsilon_1_2/insights", "", "../keys"] {
        for tool in ["get_campaign", "pause_campaign", "get_insights"] {
            let (code, words) = agent.call(tool, &json!({"campaign_id": id})).await.refusal();
            assert_eq!(code, "NOT_FOUND", "{tool} {id}: {words}");
        }
        assert_eq!(agent.call("get_change", &json!({"change_id": id})).await.refusal().0, "NOT_FOUND");
    }
    let many: serde_json::Map<String, Value> =
        (0..97).map(|number| (format!("{number}{}", "x".repeat(400)), json!(1))).collect();
    assert!(agent.call("pause_campaign", &Value::Object(many)).await.is_error, "and the answer is small");
}
