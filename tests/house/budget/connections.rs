//! The connections endpoints.

use super::stage::Stage;
use super::table::Row;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};

const PATH: &str = "/v1/connections";

/// Connects each platform, and removes each connection.
pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[]).await;
    stage.ask(200, "GET", PATH, "").await;
    stage.count("nothing connected", 200, "GET", PATH, "").await;
    for platform in Platform::ALL {
        connect(&mut stage, platform).await;
        if platform == Platform::Alpha {
            stage.count("1 connection", 200, "GET", PATH, "").await;
            stage.count("1 connection", 200, "POST", "/v1/connections/sync", "").await;
        }
    }
    let connections = stage.count("6 connections", 200, "GET", PATH, "").await;
    stage.count("a connection on each platform", 200, "POST", "/v1/connections/sync", "").await;
    let path_on = |platform: Platform| {
        let all = connections["connections"].as_array().expect("a list");
        let found = all.iter().find(|known| known["platform"] == platform.as_str()).expect("a connection");
        format!("{PATH}/{}", found["id"].as_str().expect("an id"))
    };
    stage.count("a page of 2", 200, "GET", &format!("{PATH}?limit=2"), "").await;
    stage.count("", 200, "GET", &path_on(Platform::Alpha), "").await;
    let label = json!({"label": "Spring"}).to_string();
    stage.count("", 200, "PATCH", &path_on(Platform::Alpha), &label).await;
    users(&mut stage, &path_on(Platform::Alpha)).await;
    stage.ask(201, "POST", "/v1/redirect-uris", r#"{"uri":"https://example.com/cb"}"#).await;
    let with_uri = format!("{PATH}/alpha_ads/authorize?redirect_uri=https%3A%2F%2Fexample.com%2Fcb");
    let begun = stage.count("with a redirect_uri", 200, "GET", &with_uri, "").await;
    stage.ask(204, "DELETE", &format!("{PATH}/{}", begun["connection_id"].as_str().expect("an id")), "").await;
    confirmed(&mut stage, &format!("{with_uri}&confirm=true")).await;
    let preview = format!("{}?dry_run=true", path_on(Platform::Alpha));
    stage.count("a dry run", 200, "DELETE", &preview, "").await;
    for platform in Platform::ALL {
        stage.count(&format!("{platform}, its last connection"), 204, "DELETE", &path_on(platform), "").await;
    }
    stage.rows
}

/// A user with one connection.
async fn users(stage: &mut Stage, connection: &str) {
    const USER: &str = "/v1/users/shop42";
    stage.count("to a user", 200, "PATCH", connection, r#"{"external_ref":"shop42"}"#).await;
    stage.count("the label", 200, "PUT", USER, r#"{"label":"Shop"}"#).await;
    let limit = r#"{"spending_limit":{"amounts":[{"currency":"USD","daily":100}]}}"#;
    stage.count("the limit", 200, "PUT", USER, limit).await;
    stage.count("1 connection", 200, "GET", USER, "").await;
    stage.count("1 user", 200, "GET", "/v1/users", "").await;
    stage.count("from a user with a limit", 200, "PATCH", connection, r#"{"external_ref":null}"#).await;
    stage.count("to a user with a limit", 200, "PATCH", connection, r#"{"external_ref":"shop42"}"#).await;
    stage.count("1 connection", 200, "POST", &format!("{USER}/pause"), "").await;
    stage.count("again", 200, "POST", &format!("{USER}/pause"), "").await;
    stage.count("too early", 409, "POST", &format!("{USER}/resume"), "").await;
    stage.count("1 connection", 200, "GET", &format!("{USER}/export"), "").await;
    stage.ask(200, "PATCH", connection, r#"{"external_ref":null}"#).await;
    stage.count("without connections", 202, "DELETE", &format!("{USER}?erase=true"), "").await;
    stage.count("again", 202, "DELETE", &format!("{USER}?erase=true"), "").await;
}

/// Opens a consent page, approves there, and follows the redirect.
async fn connect(stage: &mut Stage, platform: Platform) {
    let word = platform.as_str();
    let opened = stage.in_process.control("POST", "accounts", &json!({"platform": word, "currency": "USD"})).await;
    let account = opened["account"]["id"].as_str().expect("an id").to_owned();
    let path = format!("{PATH}/{word}/authorize");
    let begun: Value = match platform {
        Platform::Alpha => stage.count("", 200, "GET", &path, "").await,
        _ => stage.ask(200, "GET", &path, "").await,
    };
    let page = begun["authorize_url"].as_str().expect("an address");
    let back = stage.in_process.consent(page, &[account]).await;
    stage.count(&format!("{word}, 1 account"), 200, "GET", &back, "").await;
}

/// A consent that connects nothing before it is confirmed, to an account that is connected already.
async fn confirmed(stage: &mut Stage, path: &str) {
    let listed = stage.ask(200, "GET", &format!("{PATH}?platform=alpha_ads"), "").await;
    let account = listed["connections"][0]["remote_account_id"].as_str().expect("an account").to_owned();
    let begun = stage.ask(200, "GET", path, "").await;
    let back = stage.in_process.consent(begun["authorize_url"].as_str().expect("an address"), &[account]).await;
    let location = stage.count("alpha_ads, to be confirmed", 302, "GET", &back, "").await;
    let location = url::Url::parse(location.as_str().expect("a redirect")).expect("an address");
    let code = location.query_pairs().find(|(name, _)| name == "confirmation_code").expect("a code").1.into_owned();
    let body = json!({"confirmation_code": code}).to_string();
    let confirm = format!("{PATH}/{}/confirm", begun["connection_id"].as_str().expect("an id"));
    stage.count("alpha_ads, 1 account", 200, "POST", &confirm, &body).await;
}
