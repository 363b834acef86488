//! Stopping a key on its page, and resuming it.

use super::actions::shown_key;
use super::browser::Site;
use crate::in_process::respond;
use http::StatusCode;
use lambda_http::{Body, Request};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const KEYS: &str = "/dashboard/keys";

const RESUME: &str = "action=\"/dashboard/keys/resume\"";

/// The address of the first key's page. The newest key is the first.
fn key_page(keys: &str) -> String {
    let rest = keys.split("href=\"/dashboard/keys/one?id=").nth(1).expect("a key");
    format!("/dashboard/keys/one?id={}", rest.split('"').next().unwrap_or_default())
}

impl Site {
    async fn patch(&self, key: &str, campaign: &str, body: &str) -> StatusCode {
        let path = format!("/v1/campaigns/{campaign}");
        let request = http::Request::builder().method("PATCH").uri(path).header("x-api-key", key);
        let request: Request = request.body(Body::from(body.to_owned())).expect("a request");
        respond(&self.app, request).await.status()
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_is_stopped_on_its_page_and_resumed_by_a_recent_sign_in() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let campaign = site.create(&own, "One").await;
    let page = ada.get("/dashboard/agents").await.text;
    let connection = page.split("name=\"connections\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let connection = connection.expect("an ad account to tick");
    let form = format!("name=Agent&daily=500&per_change=&currency=USD&connections={connection}");
    advance(Duration::from_secs(1)).await;
    let made = ada.submit(KEYS, &form).await;
    let agent = shown_key(&made).expect("a key");
    let page = key_page(&ada.text(KEYS).await);
    let id = page.rsplit('=').next().expect("an id").to_owned();
    let none = ada.text(&page).await;
    assert!(
        none.contains(
            "whose budget it has raised: at most 0 campaigns now. Campaigns that you took out of its limit go on."
        ),
        "{none}"
    );
    assert!(none.contains("Nothing was changed in this time.") && none.contains("badge good\">Active"), "{none}");
    assert_eq!(site.patch(&agent, &campaign, r#"{"status":"ACTIVE"}"#).await, StatusCode::OK);
    let live = ada.text(&format!("{page}&since=day&wait=all")).await;
    for text in [
        "<strong>+50.00 USD a day</strong> in 1 change of 1 campaign.",
        "1 of these campaigns runs now, with budgets of 50.00 USD a day.",
        "at most 1 campaign now",
        "50.00 of 500.00 USD, 450.00 left",
        "Stop it and pause what it runs",
        "Stop it and revert the ticked campaigns",
    ] {
        assert!(live.contains(text), "{text}: {live}");
    }
    // The page makes the pauses itself: maintenance has not run.
    let stopped = ada.send_form("/dashboard/keys/stop", &format!("id={id}")).await;
    assert!(stopped.contains("is stopped, and refused") && stopped.contains("1 of 1 campaign paused."), "{stopped}");
    assert!(stopped.contains("data-live") && stopped.contains("1 of 1 campaign paused; what was on its"), "{stopped}");
    let books = site.world.control("GET", "campaigns?platform=alpha_ads", &serde_json::Value::Null).await;
    assert_eq!(books["campaigns"][0]["status"], "PAUSED", "{books}");
    assert_eq!(site.patch(&agent, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::UNAUTHORIZED);
    assert!(ada.text(KEYS).await.contains("badge bad\">Stopped"));
    let resume = format!("id={id}");
    let early = ada.submit("/dashboard/keys/resume", &resume).await;
    assert!(early.contains("is looked at once more") && early.contains("badge bad\">Stopped"), "{early}");
    advance(Duration::from_mins(2)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    let done = ada.text(&page).await;
    assert!(done.contains("<strong>1 of 1 campaign paused</strong>.") && !done.contains("data-live"), "{done}");
    assert!(!done.contains("Pause the rest"), "{done}");
    advance(Duration::from_mins(10)).await;
    let old = ada.text(&page).await;
    assert!(old.contains("Sign in again to resume") && !old.contains(RESUME), "{old}");
    assert!(ada.post("/dashboard/keys/resume", &resume).await.to().starts_with("/dashboard/sign-in?again=yes"));
    assert_eq!(site.patch(&agent, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::UNAUTHORIZED);
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    assert!(ada.text(&page).await.contains(RESUME));
    let resumed = ada.submit("/dashboard/keys/resume", &resume).await;
    assert!(resumed.contains("is resumed. What") && !resumed.contains("Stopped"), "{resumed}");
    assert_eq!(site.patch(&agent, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::OK);
    let unknown = ada.submit("/dashboard/keys/resume", "id=key_unknown").await;
    assert!(unknown.contains("role=\"alert\""), "{unknown}");
}

#[tokio::test(start_paused = true)]
async fn a_key_is_stopped_alone_and_its_campaigns_go_on() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let campaign = site.create(&own, "One").await;
    advance(Duration::from_secs(1)).await;
    let made = ada.submit(KEYS, "name=Wild&scopes=read&scopes=write&expires=").await;
    let wild = shown_key(&made).expect("a key");
    let page = key_page(&ada.text(KEYS).await);
    let id = page.rsplit('=').next().expect("an id").to_owned();
    assert_eq!(site.patch(&wild, &campaign, r#"{"status":"ACTIVE"}"#).await, StatusCode::OK);
    let runs = async || {
        let books = site.world.control("GET", "campaigns?platform=alpha_ads", &serde_json::Value::Null).await;
        books["campaigns"][0]["status"] != "PAUSED"
    };
    assert!(runs().await);
    let only = format!("id={id}&only=yes");
    let stopped = ada.send_form("/dashboard/keys/stop", &only).await;
    assert!(stopped.contains("is stopped, and refused from now on. Its campaigns go on as they are"), "{stopped}");
    assert!(
        stopped.contains("<strong>Its campaigns were left as they were</strong>") && !stopped.contains("data-live"),
        "{stopped}"
    );
    assert_eq!(site.patch(&wild, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::UNAUTHORIZED);
    for _ in 0..3 {
        advance(Duration::from_mins(1)).await;
        maintenance::run(&site.app).await.expect("maintenance runs to its end");
    }
    assert!(runs().await, "nothing has paused it");
    // It is resumed like any other key, and stopped once more.
    let resumed = ada.submit("/dashboard/keys/resume", &format!("id={id}")).await;
    assert!(resumed.contains("is resumed. What"), "{resumed}");
    assert_eq!(site.patch(&wild, &campaign, r#"{"budget_amount":60}"#).await, StatusCode::OK);
    ada.send_form("/dashboard/keys/stop", &only).await;
    // Its campaigns can be paused afterwards.
    let paused = ada.send_form("/dashboard/keys/stop", &format!("id={id}")).await;
    assert!(paused.contains("1 of 1 campaign paused"), "{paused}");
    assert!(!runs().await);
    // A stop with pauses is not taken back by one of the key alone.
    let again = ada.send_form("/dashboard/keys/stop", &only).await;
    assert!(again.contains("is stopped already, and its campaigns are paused."), "{again}");
}
