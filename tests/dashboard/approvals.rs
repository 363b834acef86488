//! Approvals: what an agent asks for waits on the dashboard, and a person decides.

use super::actions::shown_key;
use super::browser::{Browser, Site};
use crate::in_process::{json_of, respond};
use crate::world::campaign;
use http::StatusCode;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::serve::PostResponseWork;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const APPROVALS: &str = "/dashboard/approvals";
const APPROVE: &str = "/dashboard/approvals/approve";

impl Site {
    /// Makes a request with a key, a second later.
    pub(super) async fn ask(&self, key: &str, method: &str, path: &str, body: &Value) -> (StatusCode, Value) {
        advance(Duration::from_secs(1)).await;
        let request = http::Request::builder().method(method).uri(path).header("x-api-key", key);
        let body = if body.is_null() { Body::Empty } else { Body::from(body.to_string()) };
        let request: Request = request.body(body).expect("a request");
        let mut response = respond(&self.app, request).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        (response.status(), json_of(response.body()))
    }
}

impl Browser<'_> {
    /// Makes the key of an agent, whose activations a person approves, with a lifetime of 500; returns it.
    pub(super) async fn make_agent(&mut self) -> String {
        let page = self.get("/dashboard/agents").await.text;
        let connection = page.split("name=\"connections\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let connection = connection.expect("an ad account to tick");
        let form = format!(
            "name=Agent&daily=120&per_change=&currency=USD&connections={connection}&approve_activation=yes&approve_above=90"
        );
        let made = self.submit("/dashboard/keys", &form).await;
        assert!(made.contains("a person approves every activation and what adds more than 90.00 USD"), "{made}");
        shown_key(&made).expect("a key")
    }

    /// Sends the form of an approval, as the page has it.
    pub(super) async fn decide(&mut self, action: &str, page: &str, id: &str) -> String {
        let seen = page.split("name=\"seen\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let seen = seen.unwrap_or_default().to_owned();
        self.submit(action, &format!("id={id}&seen={seen}")).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_sees_what_an_agent_asks_for_and_approves_it() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    assert!(ada.text(APPROVALS).await.contains("Nothing is waiting for approval"));
    assert!(!ada.text("/dashboard").await.contains("Waiting for your approval"));
    let campaign = site.create(&own, "Spring sale").await;
    let path = format!("/v1/campaigns/{campaign}");
    let (status, asked) = site.ask(&agent, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    assert_eq!((status, &asked["state"]), (StatusCode::ACCEPTED, &json!("awaiting_approval")), "{asked}");
    let id = asked["id"].as_str().expect("an id");
    let page = asked["approval_url"].as_str().expect("an address");
    let page = page.strip_prefix("https://service.example").expect("our own address").to_owned();

    let home = ada.text("/dashboard").await;
    assert!(home.contains("Waiting for your approval") && home.contains(&page), "{home}");
    assert!(home.contains("<bdi>Spring sale</bdi>"), "the name of the campaign: {home}");
    assert!(home.contains("Approvals <span class=\"badge warn\">1"), "the count in the menu: {home}");
    assert!(ada.text(APPROVALS).await.contains(&page));
    assert!(ada.text("/dashboard/activity").await.contains("Waits for approval"));
    // A person who follows the address without a session signs in, and gets there.
    let mut bob = site.browser();
    let sent = bob.get(&page).await.to().to_owned();
    assert!(sent.ends_with(&format!("return_to=%2Fdashboard%2Fapprovals%2Fone%3Fid%3D{id}")), "{sent}");

    let shown = ada.text(&page).await;
    for text in [
        "Spring sale",
        "Paused",
        "<strong><bdi>Active</bdi></strong>",
        "0.00 of 120.00 USD, 120.00 left",
        "The exact request",
        "Agent",
        "an API key",
        "<dt>Start and end</dt><dd>Runs from now, without an end</dd>",
        ": adds 50.00 USD a day</h2>",
        "<div class=\"decide changes\">",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let done = ada.decide(APPROVE, &shown, id).await;
    assert!(done.contains("Approved and applied.") && done.contains("Approved by ada@example.com."), "{done}");
    assert!(!done.contains(APPROVE), "nothing is left to decide");
    let (_, read) = site.ask(&own, "GET", &path, &Value::Null).await;
    assert_eq!(read["status"], "ACTIVE");
    let again = ada.decide(APPROVE, &shown, id).await;
    assert!(again.contains("Approved and applied.") && !again.contains("role=\"alert\""), "{again}");
}

#[tokio::test(start_paused = true)]
async fn a_throttled_approval_says_that_it_is_retried() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    // The preview of TikTok sends nothing, so the fault meets the change itself.
    ada.connect("gamma_ads").await;
    let agent = ada.make_agent().await;
    let own = ada.begin_work().await;
    let made = site.create_as(&own, &campaign("gamma_ads", "Spring sale")).await;
    let path = format!("/v1/campaigns/{made}");
    let (_, asked) = site.ask(&agent, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    let id = asked["id"].as_str().expect("an id");
    let page = ada.text(&format!("{APPROVALS}/one?id={id}")).await;
    let fault = json!({"platform": "gamma_ads", "operation": "update", "fault": "throttle", "times": 1});
    site.world.control("POST", "faults", &fault).await;
    let done = ada.decide(APPROVE, &page, id).await;
    let (_, waits) = site.ask(&own, "GET", &format!("/v1/changes/{id}"), &Value::Null).await;
    assert_eq!(waits["state"], "scheduled", "{waits}");
    let words = "Approved and scheduled. TikTok has not accepted it yet: we keep retrying.";
    assert!(done.contains(words) && !done.contains("not known yet"), "{done}");
}

#[tokio::test(start_paused = true)]
async fn approving_needs_a_recent_sign_in_and_the_current_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaign = site.create(&own, "Spring sale").await;
    let path = format!("/v1/campaigns/{campaign}");
    let (_, asked) = site.ask(&agent, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    let id = asked["id"].as_str().expect("an id");
    let page = format!("{APPROVALS}/one?id={id}");
    let seen = ada.text(&page).await;
    let (status, _) = site.ask(&agent, "PATCH", &path, &json!({"budget_amount": 80})).await;
    assert_eq!(status, StatusCode::OK, "a raise of a paused campaign");
    let refused = ada.decide(APPROVE, &seen, id).await;
    assert!(refused.contains("has changed since you looked") && refused.contains("80.00 USD a day"), "{refused}");
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let old = ada.text(&page).await;
    assert!(old.contains("sign in once more") && old.contains(APPROVE), "{old}");
    let again = ada.post(APPROVE, &format!("id={id}&seen=")).await.to().to_owned();
    assert!(again.starts_with("/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fapprovals"), "{again}");
    let rejected = ada.decide("/dashboard/approvals/reject", &old, id).await;
    assert!(rejected.contains("ada@example.com has rejected the change."), "{rejected}");
    let (_, read) = site.ask(&own, "GET", &path, &Value::Null).await;
    assert_eq!(read["status"], "PAUSED");
}

#[tokio::test(start_paused = true)]
async fn no_name_hides_or_moves_a_part_of_the_exact_request() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaign = site.create(&own, "Spring sale").await;
    let change = json!({"status": "ACTIVE", "name": "Spring \u{202E}elas\u{2066}", "budget_amount": 70});
    let (status, asked) = site.ask(&agent, "PATCH", &format!("/v1/campaigns/{campaign}"), &change).await;
    assert_eq!((status, &asked["state"]), (StatusCode::ACCEPTED, &json!("awaiting_approval")), "{asked}");
    let page = ada.text(&format!("{APPROVALS}/one?id={}", asked["id"].as_str().expect("an id"))).await;
    let requests: Vec<&str> =
        page.split("<pre><code>").skip(1).filter_map(|rest| rest.split("</pre>").next()).collect();
    assert!(!requests.is_empty(), "{page}");
    for request in requests {
        assert!(request.starts_with("<bdo dir=\"ltr\">") && request.ends_with("</bdo></code>"), "{request}");
        assert!(!request.contains(['\u{202E}', '\u{2066}']), "{request}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_of_another_customer_has_no_approval_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaign = site.create(&own, "Spring sale").await;
    let path = format!("/v1/campaigns/{campaign}");
    let (_, asked) = site.ask(&agent, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    let id = asked["id"].as_str().expect("an id");
    let mut eve = site.signed_in("eve@example.com").await;
    for page in [format!("{APPROVALS}/one?id={id}"), format!("{APPROVALS}/one?id=chg_1"), format!("{APPROVALS}/one")] {
        assert_eq!(eve.get(&page).await.status, StatusCode::NOT_FOUND, "{page}");
    }
    for action in [APPROVE, "/dashboard/approvals/reject"] {
        let refused = eve.post(action, &format!("id={id}&seen=")).await;
        assert_eq!(refused.status, StatusCode::SEE_OTHER);
    }
    assert!(ada.text(APPROVALS).await.contains(id), "it waits on");
}

#[tokio::test(start_paused = true)]
async fn a_person_frees_the_reservation_of_a_key() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaign = site.create(&own, "Spring sale").await;
    let path = format!("/v1/campaigns/{campaign}");
    site.ask(&own, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    let (status, raised) = site.ask(&agent, "PATCH", &path, &json!({"budget_amount": 115})).await;
    assert_eq!(status, StatusCode::OK, "{raised}");
    let (_, listed) = site.ask(&own, "GET", "/v1/api-keys", &Value::Null).await;
    let keys = listed["api_keys"].as_array().expect("a list");
    let key = keys.iter().find(|key| key["name"] == "Agent").and_then(|key| key["id"].as_str()).expect("the key");
    let keys = ada.text("/dashboard/keys").await;
    assert!(keys.contains("Stop or revert") && keys.contains("<progress"), "{keys}");
    let page = format!("/dashboard/keys/one?id={key}");
    let shown = ada.text(&page).await;
    assert!(shown.contains(&campaign) && shown.contains("65.00 USD"), "{shown}");
    let freed = ada.submit("/dashboard/keys/free", &format!("id={key}&campaign={campaign}")).await;
    assert!(
        freed.contains("The campaign does not count any more") && freed.contains("0.00 of 120.00 USD, 120.00 left"),
        "{freed}"
    );
    let (_, limits) = site.ask(&agent, "GET", "/v1/limits", &Value::Null).await;
    assert_eq!(limits["amounts"][0]["daily"]["left"], 120);
    let mut eve = site.signed_in("eve@example.com").await;
    assert_eq!(eve.get(&page).await.status, StatusCode::NOT_FOUND);
}
