//! A key with a limit sees only its own connections, ad accounts and campaigns, in every response (D88).

use super::{Answer, Stage, daily};
use serde_json::{Value, json};
use shared::domain::Platform;

const CREATE: &str = "/v1/campaigns";

fn draft(rest: &Value) -> Value {
    let mut draft = json!({"name": "New", "goal": "TRAFFIC", "budget_amount": 5, "budget_period": "DAILY",
        "platform": "alpha_ads"});
    draft.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
    draft
}

/// The ad account of each connection.
async fn accounts(stage: &Stage) -> Vec<String> {
    let listed = stage.owner("GET", "/v1/connections", &Value::Null).await;
    let listed = listed["connections"].as_array().expect("a list").iter();
    listed.map(|one| one["remote_account_id"].as_str().expect("an account").to_owned()).collect()
}

/// Asserts that an answer names none of these.
fn names_none(what: &str, answer: &Answer, hidden: &[&str]) {
    let text = answer.body.to_string();
    assert!(hidden.iter().all(|name| !text.contains(name)), "{what}: {hidden:?} in {text}");
}

#[tokio::test(start_paused = true)]
async fn the_only_connection_of_a_key_is_the_default_and_no_other_is_named() {
    let stage = Stage::with(&[Platform::Alpha; 3], |all| daily(&all[..1], 100)).await;
    let accounts = accounts(&stage).await;
    let hidden = [&stage.connections[1], &stage.connections[2], &accounts[1], &accounts[2]].map(String::as_str);
    for path in [CREATE, "/v1/campaigns?dry_run=true"] {
        let made = stage.agent("POST", path, &draft(&json!({}))).await;
        assert!(made.status < 300, "{path}: {made:?}");
        names_none(path, &made, &hidden);
        if path == CREATE {
            assert_eq!(made.body["connection_id"], stage.connections[0].as_str(), "{made:?}");
        }
    }
    let misspelled = json!({"name": "New", "goal": "WEBSITE_TRAFFIC", "budget_amount": 5, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": "4040404040"});
    let refused = stage.agent("POST", CREATE, &misspelled).await;
    assert_eq!((refused.status, &refused.body["error"]["reason"]), (403, &json!("NOT_CONNECTED")), "{refused:?}");
    assert!(refused.body.to_string().contains(&accounts[0]), "its own is named: {refused:?}");
    names_none("did you mean", &refused, &hidden);
    let foreign = stage.agent("POST", CREATE, &draft(&json!({"connection_id": stage.connections[1]}))).await;
    let unknown = stage.agent("POST", CREATE, &draft(&json!({"connection_id": "conn_unknown"}))).await;
    assert_eq!((foreign.status, &foreign.body["reason"]), (403, &json!("NOT_CONNECTED")), "{foreign:?}");
    let told = |answer: &Answer, id: &str| answer.body["error"].as_str().expect("a text").replace(id, "…");
    assert_eq!(told(&foreign, &stage.connections[1]), told(&unknown, "conn_unknown"), "as one that nobody has");
}

#[tokio::test(start_paused = true)]
async fn a_choice_lists_the_connections_of_the_key_alone() {
    let stage = Stage::with(&[Platform::Alpha; 3], |all| daily(&all[..2], 100)).await;
    let hidden = accounts(&stage).await.remove(2);
    let refused = stage.agent("POST", CREATE, &draft(&json!({}))).await;
    assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!("connection_id")), "{refused:?}");
    let text = refused.body.to_string();
    assert!(stage.connections[..2].iter().all(|own| text.contains(own)), "{text}");
    names_none("a choice", &refused, &[&stage.connections[2], &hidden]);
}

/// With many connections a search for active ones ends at the second, which may be none of the key's.
#[tokio::test(start_paused = true)]
async fn the_only_connection_of_a_key_among_many_is_the_default() {
    let stage = Stage::with(&[Platform::Alpha; 12], |all| daily(&all[11..], 100)).await;
    let made = stage.agent("POST", CREATE, &draft(&json!({}))).await;
    assert_eq!((made.status, &made.body["connection_id"]), (201, &json!(stage.connections[11])), "{made:?}");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_of_another_connection_is_404_for_every_method() {
    let stage = Stage::with(&[Platform::Alpha, Platform::Beta], |all| daily(&all[..1], 100)).await;
    let hidden = stage.campaign(Platform::Beta, "Hidden", 5).await;
    let bulk = stage.owner("POST", "/v1/campaigns/status", &json!({"status": "PAUSED", "platform": "beta_ads"})).await;
    let changes = stage.owner("GET", "/v1/changes", &Value::Null).await;
    let change = changes["changes"][0]["id"].as_str().expect("a change");
    let other = &stage.connections[1];
    let pause = |rest: Value| {
        let mut body = json!({"status": "PAUSED"});
        body.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
        body
    };
    let campaign = format!("/v1/campaigns/{hidden}");
    let bulk_id = bulk["bulk_id"].as_str().expect("an id");
    let bulk = format!("/v1/campaigns/status/{bulk_id}");
    for (method, path, body) in [
        ("PATCH", campaign.clone(), json!({"status": "PAUSED"})),
        ("PATCH", format!("{campaign}?dry_run=true"), json!({"budget_amount": 9})),
        ("DELETE", campaign.clone(), Value::Null),
        ("GET", format!("{campaign}/insights"), Value::Null),
        ("POST", "/v1/campaigns/status".to_owned(), pause(json!({"ids": [hidden]}))),
        ("POST", "/v1/campaigns/status".to_owned(), pause(json!({"connection_id": other}))),
        ("POST", "/v1/campaigns/budgets".to_owned(), json!({"budgets": [{"id": hidden, "budget_amount": 6}]})),
        ("POST", format!("/v1/changes/{change}/undo"), Value::Null),
        ("POST", format!("/v1/changes/{bulk_id}/undo"), Value::Null),
        ("GET", bulk, Value::Null),
        ("GET", format!("/v1/changes/{change}"), Value::Null),
        ("GET", format!("/v1/campaigns?connection_id={other}"), Value::Null),
        ("GET", format!("/v1/insights?connection_id={other}"), Value::Null),
        ("GET", format!("/v1/connections/{other}"), Value::Null),
    ] {
        let answer = stage.agent(method, &path, &body).await;
        assert_eq!(answer.status, 404, "{method} {path}: {answer:?}");
        names_none(&path, &answer, &[other]);
    }
    for (key, chosen) in [
        ("ids", json!({"percent": "10", "ids": [hidden]})),
        ("account", json!({"percent": "10", "connection_id": other})),
    ] {
        let headers = [("idempotency-key", key)];
        let request = stage.limited.request("POST", "/v1/campaigns/budgets", &headers, &chosen.to_string());
        assert_eq!(crate::in_process::respond(&stage.app, request).await.status(), 404, "{chosen}");
    }
    let books = stage.owner("GET", &campaign, &Value::Null).await;
    assert_eq!((&books["name"], &books["status"]), (&json!("Hidden"), &json!("PAUSED")));
}
