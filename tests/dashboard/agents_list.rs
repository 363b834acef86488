//! The list of agents: the remaining limit of each, its links, its stop and its limit.

use super::agents::{FORM, PAGE};
use super::browser::Site;
use super::double_clicks::filled_in;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const LIMIT: &str = "/dashboard/agents/limit";

#[tokio::test(start_paused = true)]
async fn an_agent_is_listed_with_its_remaining_limit_and_links() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.connect_agent(&FORM.replace("name=Agent", "name=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E")).await;
    let id = site.agents(&own).await[0]["id"].as_str().expect("an id").to_owned();
    let campaign = site.create(&own, "One").await;
    let path = format!("/v1/campaigns/{campaign}");
    let (status, asked) = site.request(&agent, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{asked}");
    let page = ada.get(PAGE).await.text;
    assert!(!page.contains("<script>") && page.contains("&#60;script&#62;alert(1)"), "{page}");
    for text in [
        "0.00 of 120.50 USD, 120.50 left",
        "0 of 3 campaigns created today",
        "May run up to 120.50 USD a day; a person approves every activation.",
        "Sees <bdi>Google Ads: ",
        "<a href=\"/dashboard/approvals\">1 waits for you",
        &format!("<a href=\"/dashboard/activity?api_key_id={id}\">Its changes"),
        &format!("<a href=\"/dashboard/keys/one?id={id}\">What it did and runs"),
        &format!("<a href=\"{LIMIT}?id={id}\">Change its limit"),
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let activity = ada.get(&format!("/dashboard/activity?api_key_id={id}")).await;
    assert!(activity.text.contains("Waits for approval"), "{}", activity.text);
    assert!(ada.get("/dashboard/approvals").await.text.contains("One"));
    // A key without a limit is no agent, and what another customer has is nowhere.
    assert_eq!(page.matches("Change its limit").count(), 1);
    let mut eve = site.signed_in("eve@example.com").await;
    assert!(!eve.get(PAGE).await.text.contains("Your agents"));
    assert_eq!(eve.get(&format!("{LIMIT}?id={id}")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(eve.post(LIMIT, &format!("id={id}&{FORM}&connections=conn_1")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(start_paused = true)]
async fn an_agent_is_stopped_and_resumed_on_the_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.connect_agent(FORM).await;
    let id = site.agents(&own).await[0]["id"].as_str().expect("an id").to_owned();
    let page = format!("/dashboard/keys/one?id={id}");
    assert!(ada.get(PAGE).await.text.contains(&format!("href=\"{page}\">Stop or revert")));
    let form = filled_in(&ada.text(&page).await, "/dashboard/keys/stop", "Stop it and pause what it runs", "");
    assert_eq!(ada.post("/dashboard/keys/stop", &form).await.to(), page);
    let stopped = ada.get(&page).await.text;
    assert!(stopped.contains("is stopped, and refused") && stopped.contains("badge bad\">Stopped"), "{stopped}");
    let listed = ada.get(PAGE).await.text;
    assert!(listed.contains("badge bad\">Stopped") && listed.contains("Resume or revert"), "{listed}");
    assert_eq!(site.request(&agent, "GET", "/v1/limits", &Value::Null).await.0, StatusCode::UNAUTHORIZED);
    advance(Duration::from_mins(1)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    advance(Duration::from_mins(2)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    let form = filled_in(&ada.get(&page).await.text, "/dashboard/keys/resume", "Resume <bdi>Agent</bdi>", "");
    let resumed = ada.submit("/dashboard/keys/resume", &form).await;
    assert!(resumed.contains("is resumed. What") && !resumed.contains("Stopped"), "{resumed}");
    assert_eq!(site.request(&agent, "GET", "/v1/limits", &Value::Null).await.0, StatusCode::OK);
    // A form leads to the page of its key, and nowhere else.
    let elsewhere = ada.post("/dashboard/keys/stop", "id=key_unknown&page=https%3A%2F%2Fevil.example").await;
    assert_eq!(elsewhere.to(), "/dashboard/keys");
    assert_eq!(site.agents(&own).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_limit_is_changed_by_a_recent_sign_in() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let form = FORM.replace("lifetime=&", "lifetime=900&").replace("approve_above=", "approve_above=20");
    ada.connect_agent(&form).await;
    let key = site.agents(&own).await.remove(0);
    let (id, limit) = (key["id"].as_str().expect("an id"), &key["spending_limit"]);
    let address = format!("{LIMIT}?id={id}");
    let page = ada.get(&address).await.text;
    for text in
        ["value=\"120.50\"", "value=\"900.00\"", "value=\"20.00\"", "value=\"3\"", "<details open>", "yes\" checked"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    let connection = limit["connections"][0].as_str().expect("an id");
    let same = filled_in(&page, LIMIT, "Change the limit", &format!("{form}&connections={connection}"));
    assert!(ada.submit(LIMIT, &same).await.contains("is changed. It applies from now on."));
    assert_eq!(&site.agents(&own).await[0]["spending_limit"], limit, "what the page shows is what the key has");
    let refused = ada.submit(LIMIT, &same.replace("daily=120.50", "daily=lots")).await;
    assert!(refused.contains("id=\"daily-error\">Write a number") && refused.contains("value=\"lots\""), "{refused}");
    ada.submit(LIMIT, &same.replace("daily=120.50", "daily=7")).await;
    assert_eq!(site.agents(&own).await[0]["spending_limit"]["amounts"][0]["daily"], 7);
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let old = ada.get(&address).await.text;
    assert!(old.contains("Sign in again") && !old.contains("Change the limit</button>"), "{old}");
    assert!(ada.post(LIMIT, &same).await.to().starts_with("/dashboard/sign-in?again=yes"));
    let again = ada.post(PAGE, FORM).await.to().to_owned();
    assert_eq!(again, "/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fagents");
    let amounts = json!([{"currency": "USD", "daily": 1}, {"currency": "EUR", "daily": 1}]);
    let two = json!({"spending_limit": {"connections": [connection], "amounts": amounts}});
    let (status, _) = site.request(&own, "PATCH", &format!("/v1/api-keys/{id}"), &two).await;
    assert_eq!(status, StatusCode::OK);
    assert!(ada.get(&address).await.text.contains("several currencies"), "the form would drop one");
}

#[tokio::test(start_paused = true)]
async fn a_program_without_a_limit_is_listed_and_gets_one() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    // The last key that may write keeps its scope.
    ada.send_form("/dashboard/keys", "name=Other&scopes=read&scopes=write&expires=").await;
    let campaign = site.create(&own, "Spring").await;
    site.patched(&own, &campaign, &json!({"status": "ACTIVE", "budget_amount": 60})).await;
    let page = ada.text(PAGE).await;
    let part = page.split("id=\"programs\"").nth(1).and_then(|rest| rest.split("</section>").next()).expect("a part");
    assert!(part.contains("<bdi>Nightly</bdi>") && part.contains("<strong>+60.00 USD a day</strong>"), "{part}");
    let nightly = part.split("<bdi>Nightly</bdi>").nth(1).expect("its row");
    let edit = nightly.split("href=\"").find_map(|rest| rest.split('"').next().filter(|to| to.starts_with(LIMIT)));
    let form = ada.text(edit.expect("a way to the limit")).await;
    let connection = form.split("name=\"connections\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let typed = format!("currency=USD&daily=100&creates_per_day=1&connections={}", connection.expect("an account"));
    let limit = filled_in(&form, LIMIT, "Set the limit", &typed);
    let done = ada.submit(LIMIT, &limit).await;
    assert!(done.contains("has a limit now"), "{done}");
    let part = done.split("id=\"programs\"").nth(1).and_then(|rest| rest.split("</section>").next()).expect("a part");
    assert!(part.contains("<bdi>Other</bdi>") && !part.contains("<bdi>Nightly</bdi>"), "{part}");
    advance(Duration::from_mins(1)).await;
    let raise = json!({"budget_amount": 500});
    let (status, answer) = site.request(&own, "PATCH", &format!("/v1/campaigns/{campaign}"), &raise).await;
    assert!(status.is_client_error(), "{status} {answer}");
    assert_eq!(site.in_books().await["Spring"], (true, 60.into()), "by the books of the platform");
    let (status, _) = site.request(&own, "POST", "/v1/api-keys", &json!({"name": "More", "scopes": ["write"]})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "it makes no key without a limit");
}
