//! The undo of a change and of a bulk change. The sandbox's books say what happened.

use super::bulk::{STATUS, count};
use super::{Stage, is_paused};
use serde_json::{Value, json};
use shared::domain::Platform;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value}"))
}

impl Stage {
    async fn undo(&self, status: u16, id: &str) -> Value {
        self.ask(status, "POST", &format!("/v1/changes/{id}/undo"), &Value::Null).await
    }

    /// Changes a campaign, and returns the id of the change.
    async fn changed(&self, id: &str, body: &Value) -> String {
        let answer = self.send("PATCH", &format!("/v1/campaigns/{id}"), &[], body).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.change_ids
    }
}

#[tokio::test(start_paused = true)]
async fn an_applied_change_is_undone_unless_the_campaign_changed_since() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let id = stage.campaign(platform, "Spring").await;
        let both = stage.changed(&id, &json!({"name": "Summer", "budget_amount": 60})).await;
        // Another field is not in the way.
        let activated = stage.changed(&id, &json!({"status": "ACTIVE"})).await;
        let undone = stage.undo(200, &both).await;
        assert_eq!((&undone["state"], &undone["kind"]), (&json!("applied"), &json!("update")), "{platform}: {undone}");
        assert_eq!(undone["requested"], json!({"name": "Spring", "budget_amount": 50}), "{platform}");
        assert_eq!(stage.budget("Spring").await, "50", "{platform}");
        assert_eq!(stage.undo(200, &both).await["id"], json!(both), "{platform}: it is undone already");
        assert_eq!(stage.undo(200, text(&undone["id"])).await["after"]["name"], "Summer", "{platform}: and back");
        stage.undo(200, &activated).await;
        assert!(is_paused(&stage.in_books("Summer").await.0), "{platform}");
        let third = stage.changed(&id, &json!({"budget_amount": 70})).await;
        stage.set_budget(&id, 80).await;
        let refused = stage.undo(409, &third).await;
        assert_eq!(refused["reason"], "CHANGED_MEANWHILE", "{platform}: {refused}");
        assert_eq!(stage.budget("Summer").await, "80", "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn undo_cancels_a_pending_change_and_refuses_one_without_an_inverse() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Spring").await;
    let waiting = stage.schedule(&id, 3_600, &json!({"status": "ACTIVE"})).await;
    assert_eq!(stage.undo(200, &waiting).await["state"], "canceled");
    assert_eq!(stage.undo(200, &waiting).await["state"], "canceled", "a second click");
    let created = stage.ask(200, "GET", "/v1/changes?kind=create", &Value::Null).await;
    let created = text(&created["changes"][0]["id"]).to_owned();
    let dated = stage.changed(&id, &json!({"end_at": "2031-07-31"})).await;
    let removed = stage.send("DELETE", &format!("/v1/campaigns/{id}"), &[], &Value::Null).await.change_ids;
    for without in [created, dated, removed] {
        let refused = stage.undo(409, &without).await;
        assert_eq!(refused["reason"], "STATE_CONFLICT", "{refused}");
    }
    for unknown in ["chg_1", "blk_00000000000000000000000000000000", "chg_00000000000000000000000000000000"] {
        stage.undo(404, unknown).await;
    }
    let body = json!({"connection_id": "conn_1"});
    stage.ask(400, "POST", &format!("/v1/changes/{waiting}/undo"), &body).await;
}

#[tokio::test(start_paused = true)]
async fn one_idempotency_key_undoes_once() {
    let stage = Stage::connected(&[Platform::Delta]).await;
    let id = stage.campaign(Platform::Delta, "Spring").await;
    let change = stage.changed(&id, &json!({"budget_amount": 60})).await;
    let (path, key) = (format!("/v1/changes/{change}/undo"), [("idempotency-key", "k")]);
    let first = stage.send("POST", &path, &key, &Value::Null).await;
    assert_eq!((first.status, stage.budget("Spring").await.as_str()), (200, "50"), "{}", first.body);
    assert_eq!(first.change_ids, text(&first.body["id"]));
    stage.set_budget(&id, 60).await;
    let again = stage.send("POST", &path, &key, &Value::Null).await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert_eq!(stage.budget("Spring").await, "60", "somebody has set it again");
}

#[tokio::test(start_paused = true)]
async fn a_bulk_change_is_undone_except_for_campaigns_changed_since() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    let one = stage.active(Platform::Alpha, "One").await;
    let two = stage.active(Platform::Alpha, "Two").await;
    stage.active(Platform::Beta, "Three").await;
    let paused = stage.ask(202, "POST", STATUS, &json!({"status": "PAUSED", "all": true})).await;
    stage.changed(&two, &json!({"status": "ACTIVE"})).await;
    stage.changed(&two, &json!({"status": "PAUSED"})).await;
    stage.ask(204, "DELETE", &format!("/v1/campaigns/{one}"), &Value::Null).await;
    let undone = stage.undo(202, text(&paused["bulk_id"])).await;
    assert_eq!(count(&undone["changes"]), 3, "{undone}");
    let told = stage.bulk_status(&undone).await;
    assert_eq!((&told["undoes"], &told["status"]), (&paused["bulk_id"], &json!("ACTIVE")), "{told}");
    assert_eq!(told["settled"], true, "{told}");
    let all =
        told["accounts"].as_array().expect("a list").iter().flat_map(|one| one["changes"].as_array().expect("a list"));
    let states: Vec<(&str, &Value)> = all.map(|change| (text(&change["campaign_id"]), &change["state"])).collect();
    assert!(states.iter().all(|(id, state)| (*id == one) == (*state == "failed")), "{told}");
    for name in ["Two", "Three"] {
        assert!(
            !is_paused(&stage.in_books(name).await.0),
            "{name} has the status that was set, whoever has set it since"
        );
    }
    // The undo is a bulk change, too.
    let again = stage.undo(202, text(&undone["bulk_id"])).await;
    assert_eq!(count(&again["changes"]), 2, "{again}");
    assert!(is_paused(&stage.in_books("Three").await.0));
}

#[tokio::test(start_paused = true)]
async fn budgets_are_undone_exactly_in_all_ad_accounts_or_in_one() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    stage.campaign(Platform::Alpha, "One").await;
    let moved = stage.campaign(Platform::Beta, "Two").await;
    let raised = stage.raise(202, &json!({"percent": "33.34", "all": true})).await;
    assert_eq!(stage.budget("One").await, "66.67");
    let connections = stage.ask(200, "GET", "/v1/connections", &Value::Null).await;
    let connections = connections["connections"].as_array().expect("a list").clone();
    let beta = connections.iter().find(|one| one["platform"] == "beta_ads").expect("a connection");
    let path = format!("/v1/changes/{}/undo", text(&raised["bulk_id"]));
    let undone = stage.ask(202, "POST", &path, &json!({"connection_id": beta["id"]})).await;
    assert_eq!(count(&undone["changes"]), 1, "{undone}");
    assert_eq!((stage.budget("One").await.as_str(), stage.budget("Two").await.as_str()), ("66.67", "50"));
    stage.ask(404, "POST", &path, &json!({"connection_id": "conn_none"})).await;
    stage.set_budget(&moved, 90).await;
    let all = stage.undo(202, text(&raised["bulk_id"])).await;
    assert_eq!((stage.budget("One").await.as_str(), stage.budget("Two").await.as_str()), ("50", "90"));
    let told = stage.bulk_status(&all).await;
    let failed = told["accounts"].as_array().expect("a list").iter().find(|one| one["platform"] == "beta_ads");
    assert_eq!(failed.expect("an account")["changes"][0]["error"]["reason"], "CHANGED_MEANWHILE", "{told}");
}

/// Those of a campaign come to the values from before the first of them, in one bulk change with an undo.
#[tokio::test(start_paused = true)]
async fn a_set_of_changes_is_undone_together_but_for_others_changes() {
    let stage = Stage::connected(&Platform::ALL).await;
    let mut set: Vec<String> = Vec::new();
    for platform in Platform::ALL {
        let id = stage.campaign(platform, &format!("On {platform}")).await;
        set.push(stage.changed(&id, &json!({"budget_amount": 60})).await);
        set.push(stage.changed(&id, &json!({"status": "ACTIVE", "budget_amount": 70})).await);
    }
    let other = stage.campaign(Platform::Alpha, "Between").await;
    set.push(stage.changed(&other, &json!({"budget_amount": 60})).await);
    stage.set_budget(&other, 65).await;
    set.push(stage.changed(&other, &json!({"budget_amount": 70})).await);
    let since = stage.campaign(Platform::Beta, "Since").await;
    set.push(stage.changed(&since, &json!({"budget_amount": 60})).await);
    stage.set_budget(&since, 80).await;
    let path = format!("/v1/changes/{}/undo", set[0]);
    let (body, key) = (json!({"changes": set}), [("idempotency-key", "k")]);
    let undone = stage.send("POST", &path, &key, &body).await;
    assert_eq!((undone.status, count(&undone.body["changes"])), (202, 7), "{}", undone.body);
    let refused = &undone.body["refused"];
    assert_eq!(
        (&refused[0]["campaign_id"], &refused[0]["error"]["reason"]),
        (&json!(other), &json!("CHANGED_MEANWHILE"))
    );
    for platform in Platform::ALL {
        let (status, budget) = stage.in_books(&format!("On {platform}")).await;
        assert!(is_paused(&status) && budget.starts_with("50"), "{platform}: {status} {budget}");
    }
    assert_eq!((stage.budget("Between").await.as_str(), stage.budget("Since").await.as_str()), ("70", "80"));
    let again = stage.send("POST", &path, &key, &body).await;
    assert_eq!((again.status, &again.body), (202, &undone.body), "a retry changes nothing");
    let told = stage.bulk_status(&undone.body).await;
    assert_eq!(
        (&told["undoes"], &told["status"], &told["settled"]),
        (&Value::Null, &Value::Null, &json!(true)),
        "{told}"
    );
    stage.undo(202, text(&undone.body["bulk_id"])).await;
    assert_eq!(stage.budget("On alpha_ads").await, "70", "the undo of the set has an undo");
    for (wrong, status) in
        [(json!({"changes": ["chg_00000000000000000000000000000000"]}), 404), (json!({"changes": []}), 400)]
    {
        stage.ask(status, "POST", &path, &wrong).await;
    }
    let of_bulk = format!("/v1/changes/{}/undo", text(&undone.body["bulk_id"]));
    stage.ask(400, "POST", &of_bulk, &json!({"changes": [set[0]]})).await;
}

/// What is not made yet is not made any more, and what has no outcome is undone once it has one.
#[tokio::test(start_paused = true)]
async fn an_undo_ends_unfinished_changes_of_a_bulk_change() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta, Platform::Zeta]).await;
    stage.campaign(Platform::Alpha, "Made").await;
    stage.campaign(Platform::Beta, "Unlisted").await;
    stage.campaign(Platform::Zeta, "Throttled").await;
    stage.fault(Platform::Beta, "list", "error", 8).await;
    stage.fault(Platform::Zeta, "update", "throttle", 1).await;
    let raised = stage.raise(202, &json!({"percent": "10", "all": true})).await;
    assert_eq!(stage.budget("Made").await, "55");
    let undone = stage.undo(202, text(&raised["bulk_id"])).await;
    assert_eq!((count(&undone["changes"]), count(&undone["canceled"])), (1, 1), "{undone}");
    stage.no_faults().await;
    stage.minutes(15).await;
    for name in ["Made", "Unlisted", "Throttled"] {
        assert_eq!(stage.budget(name).await, "50", "{name}");
    }
    for bulk in [&raised, &undone] {
        let told = stage.bulk_status(bulk).await;
        assert_eq!(told["settled"], true, "{told}");
    }
}

/// A campaign that another bulk change pauses before the undo of a pause has ended stays paused.
#[tokio::test(start_paused = true)]
async fn a_later_bulk_pause_overrides_an_unfinished_undo() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    let (alpha, beta) = (stage.campaign(Platform::Alpha, "Sure").await, stage.campaign(Platform::Beta, "Unsure").await);
    for id in [&alpha, &beta] {
        stage.changed(id, &json!({"status": "ACTIVE"})).await;
    }
    stage.fault(Platform::Beta, "update", "drop_after", 1).await;
    stage.fault(Platform::Beta, "get", "error", 20).await;
    let pause = json!({"status": "PAUSED", "all": true});
    let first = stage.ask(202, "POST", STATUS, &pause).await;
    let undone = stage.undo(202, text(&first["bulk_id"])).await;
    assert_eq!(count(&undone["changes"]), 1, "the other pause has no outcome yet: {undone}");
    stage.no_faults().await;
    stage.ask(202, "POST", STATUS, &pause).await;
    stage.minutes(30).await;
    for name in ["Sure", "Unsure"] {
        assert!(is_paused(&stage.in_books(name).await.0), "{name} stays paused");
    }
    let told = stage.bulk_status(&undone).await;
    assert_eq!(told["settled"], true, "{told}");
}
