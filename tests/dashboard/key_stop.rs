//! Stopping a key on the page "API keys", and resuming it.

use super::actions::shown_key;
use super::browser::Site;
use crate::in_process::respond;
use http::StatusCode;
use lambda_http::{Body, Request};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const KEYS: &str = "/dashboard/keys";

/// The id of the key in the form of an action.
fn id_of<'a>(page: &'a str, action: &str) -> Option<&'a str> {
    let form = page.split(&format!("action=\"{action}\"")).nth(1)?;
    form.split("name=\"id\" value=\"").nth(1)?.split('"').next()
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
    assert!(made.contains("but none that you have stopped counting: at most 0 campaigns now."), "{made}");
    assert_eq!(site.patch(&agent, &campaign, r#"{"status":"ACTIVE"}"#).await, StatusCode::OK);
    let page = ada.get(KEYS).await.text;
    assert!(page.contains("at most 1 campaign now") && !page.contains("Stopped"), "{page}");
    // The newest key is the first.
    let id = id_of(&page, "/dashboard/keys/stop").expect("a form").to_owned();
    let stopped = ada.submit("/dashboard/keys/stop", &format!("id={id}")).await;
    assert!(stopped.contains("The key is stopped") && stopped.contains("0 of 1 campaign paused"), "{stopped}");
    assert_eq!(site.patch(&agent, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::UNAUTHORIZED);
    advance(Duration::from_mins(1)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    let page = ada.get(KEYS).await.text;
    assert!(page.contains("1 of 1 campaign paused; what was on its way"), "{page}");
    let resume = format!("id={id}");
    let early = ada.submit("/dashboard/keys/resume", &resume).await;
    assert!(early.contains("is looked at once more") && early.contains("badge bad\">Stopped"), "{early}");
    advance(Duration::from_mins(2)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    let page = ada.get(KEYS).await.text;
    assert!(page.contains("1 of 1 campaign paused (") && !page.contains("Pause the rest"), "{page}");
    advance(Duration::from_mins(10)).await;
    let page = ada.get(KEYS).await.text;
    assert!(page.contains("Sign in again to resume") && id_of(&page, "/dashboard/keys/resume").is_none(), "{page}");
    assert!(ada.post("/dashboard/keys/resume", &resume).await.to().starts_with("/dashboard/sign-in?again=yes"));
    assert_eq!(site.patch(&agent, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::UNAUTHORIZED);
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    assert_eq!(id_of(&ada.get(KEYS).await.text, "/dashboard/keys/resume"), Some(id.as_str()));
    let resumed = ada.submit("/dashboard/keys/resume", &resume).await;
    assert!(resumed.contains("The key is resumed") && !resumed.contains("Stopped"), "{resumed}");
    assert_eq!(site.patch(&agent, &campaign, r#"{"budget_amount":1}"#).await, StatusCode::OK);
    let unknown = ada.submit("/dashboard/keys/resume", "id=key_unknown").await;
    assert!(unknown.contains("role=\"alert\""), "{unknown}");
}
