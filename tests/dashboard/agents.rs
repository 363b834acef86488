//! The page "Agents": a limited key, the configuration of clients, and what a person does with an agent.

use super::actions::shown_key;
use super::browser::{Browser, Site};
use super::double_clicks::{another_process, at, filled_in};
use crate::in_process::{json_of, respond};
use http::StatusCode;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const PAGE: &str = "/dashboard/agents";
const LIMIT: &str = "/dashboard/agents/limit";
const BUTTON: &str = "Make a limited key";
const ADDRESS: &str = "https://service.example/v1/mcp";

impl Site {
    async fn request(&self, key: &str, method: &str, path: &str, body: &Value) -> (StatusCode, Value) {
        advance(Duration::from_secs(1)).await;
        let request = http::Request::builder().method(method).uri(path).header("x-api-key", key);
        let body = if body.is_null() { Body::Empty } else { Body::from(body.to_string()) };
        let request: Request = request.body(body).expect("a request");
        let response = respond(&self.app, request).await;
        (response.status(), json_of(response.body()))
    }

    /// The keys with a limit, as the API lists them.
    async fn agents(&self, own: &str) -> Vec<Value> {
        let (_, listed) = self.request(own, "GET", "/v1/api-keys", &Value::Null).await;
        let keys = listed["api_keys"].as_array().expect("a list").iter();
        keys.filter(|key| !key["spending_limit"].is_null()).cloned().collect()
    }
}

impl Browser<'_> {
    /// The form of the page with what a person fills in, and every ad account ticked.
    async fn form(&mut self, own: &str) -> String {
        let page = self.get(PAGE).await.text;
        let accounts = page.split("name=\"connections\" value=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let accounts: String = accounts.map(|id| format!("&connections={id}")).collect();
        filled_in(&page, PAGE, BUTTON, &format!("{own}{accounts}"))
    }

    async fn connect_agent(&mut self, own: &str) -> String {
        let form = self.form(own).await;
        let made = self.submit(PAGE, &form).await;
        shown_key(&made).unwrap_or_else(|| panic!("no key in {made}"))
    }
}

const FORM: &str = "name=Agent&currency=USD&daily=120.50&creates_per_day=3&approve_activation=yes&lifetime=&per_change=&approve_above=";

/// The text of an element, as a browser copies it.
fn copied(page: &str, id: &str) -> String {
    let start = format!("id=\"{id}\">");
    let text = page.split(&start).nth(1).and_then(|rest| rest.split("</pre>").next()).expect(id);
    text.replace("&#34;", "\"").replace("&#39;", "'").replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&")
}

#[tokio::test(start_paused = true)]
async fn without_an_ad_account_the_page_leads_to_one() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let page = ada.get(PAGE).await;
    assert!(
        page.text.contains("None is connected yet") && page.text.contains("href=\"/dashboard/connections\">Connect")
    );
    assert!(!page.text.contains(BUTTON) && !page.text.contains("Your agents"), "{}", page.text);
    assert_eq!(page.headers["cache-control"], "no-store");
    for id in ["cursor", "vs-code"] {
        let file: Value = serde_json::from_str(&copied(&page.text, id)).expect(id);
        assert!(file.to_string().contains("\"Bearer YOUR_KEY\"") && file.to_string().contains(ADDRESS), "{file}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_has_exactly_the_limit_of_the_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let page = ada.get(PAGE).await.text;
    assert!(page.contains("name=\"approve_activation\" value=\"yes\" checked"), "asked by default: {page}");
    assert!(page.matches("name=\"connections\"").count() == 1 && page.contains("\" checked> <span>Google Ads"));
    let agent = ada.connect_agent(FORM).await;
    let listed = site.agents(&own).await;
    let connection = &listed[0]["spending_limit"]["connections"][0];
    let expected = json!({
        "connections": [connection],
        "amounts": [{"currency": "USD", "daily": 120.5, "lifetime": 0, "per_change": null}],
        "creates_per_day": 3,
        "approval": {"activation": true, "amounts": []},
    });
    assert_eq!((&listed[0]["spending_limit"], &listed[0]["scopes"]), (&expected, &json!(["campaigns"])));
    assert_eq!((listed.len(), &listed[0]["name"]), (1, &json!("Agent")));
    // A box that is not ticked and the folded fields count, too.
    let more = "name=Other&currency=EUR&daily=0&creates_per_day=&lifetime=900&per_change=50&approve_above=20";
    ada.connect_agent(more).await;
    let listed = site.agents(&own).await;
    let limit = &listed.iter().find(|key| key["name"] == "Other").expect("the key")["spending_limit"];
    let amounts = json!([{"currency": "EUR", "daily": 0, "lifetime": 900, "per_change": 50}]);
    assert_eq!((&limit["amounts"], &limit["creates_per_day"]), (&amounts, &json!(20)));
    assert_eq!(limit["approval"], json!({"activation": false, "amounts": [{"currency": "EUR", "amount": 20}]}));
    let (status, _) = site.request(&agent, "GET", "/v1/api-keys", &Value::Null).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "an agent sees campaigns alone");
}

#[tokio::test(start_paused = true)]
async fn the_configuration_has_the_address_and_the_key_once() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let form = ada.form(FORM).await;
    let made = ada.post(PAGE, &form).await;
    assert_eq!(made.to(), PAGE, "no key in an address");
    assert!(!made.text.contains("uac_"), "{}", made.text);
    let page = ada.get(PAGE).await;
    assert_eq!(page.headers["cache-control"], "no-store");
    let key = shown_key(&page.text).expect("a key");
    let bearer = format!("Bearer {key}");
    let cursor: Value = serde_json::from_str(&copied(&page.text, "cursor")).expect("JSON");
    let server = json!({"url": ADDRESS, "headers": {"Authorization": bearer}});
    assert_eq!(cursor, json!({"mcpServers": {"unified-ads": server}}));
    let code: Value = serde_json::from_str(&copied(&page.text, "vs-code")).expect("JSON");
    let server = json!({"type": "http", "url": ADDRESS, "headers": {"Authorization": bearer}});
    assert_eq!(code, json!({"servers": {"unified-ads": server}}));
    let claude = copied(&page.text, "claude-code");
    let expected =
        format!("claude mcp add --transport http unified-ads {ADDRESS} --header \"Authorization: {bearer}\"");
    assert_eq!(claude, expected);
    let inspector = copied(&page.text, "inspector");
    assert!(inspector.starts_with("npx @modelcontextprotocol/inspector --cli https://"), "{inspector}");
    assert!(inspector.ends_with(&format!("--header \"Authorization: {bearer}\"")), "{inspector}");
    let again = ada.get(PAGE).await.text;
    assert!(!again.contains(&key) && again.contains("Bearer YOUR_KEY"), "once: {again}");
}

#[tokio::test(start_paused = true)]
async fn a_double_click_makes_one_agent() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let form = ada.form(FORM).await;
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(first.submit(PAGE, &form), second.submit(PAGE, &form));
    let key = shown_key(&a).expect("a key on the first page");
    assert_eq!(shown_key(&b), Some(key.clone()), "both pages show the same key");
    advance(Duration::from_secs(60)).await;
    assert_eq!(shown_key(&ada.submit(PAGE, &form).await), Some(key), "sent again later");
    assert_eq!(site.agents(&own).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_stands_beside_its_field_and_the_form_is_kept() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    for (was, wrong, field) in [
        ("daily=120.50", "daily=120%2C50", "daily"),
        ("currency=USD", "currency=US%22", "currency"),
        ("creates_per_day=3", "creates_per_day=1.5", "creates_per_day"),
        ("lifetime=", "lifetime=-1", "lifetime"),
        ("per_change=", "per_change=0.001", "per_change"),
        ("approve_above=", "approve_above=much", "approve_above"),
        ("name=Agent", "name=+", "name"),
    ] {
        let form = ada.form(&FORM.replace(was, wrong)).await;
        let page = ada.submit(PAGE, &form).await;
        let input = page.split(&format!("<input id=\"{field}\"")).nth(1).and_then(|rest| rest.split('>').next());
        assert!(input.expect(field).contains("aria-invalid=\"true\""), "{field}: {page}");
        let error = page.split(&format!("id=\"{field}-error\">")).nth(1).and_then(|rest| rest.split('<').next());
        assert!(error.expect(field).starts_with("It "), "{field}: {error:?}");
        assert_eq!(page.matches("class=\"error\"").count(), 1, "{field}: {page}");
        assert!(!page.contains("<strong>spending_limit"), "a field that the form does not have: {page}");
        assert!(page.contains("\" checked> <span>Google Ads"), "the form keeps its choice");
    }
    let form = ada.form(&FORM.replace("&approve_activation=yes", "")).await;
    let page = ada.submit(PAGE, form.split("&connections=").next().expect("a form")).await;
    assert!(page.contains("Choose an ad account") && page.contains("value=\"120.50\""), "{page}");
    assert!(page.contains("name=\"approve_activation\" value=\"yes\">"), "not ticked, as the person left it: {page}");
    assert!(site.agents(&own).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_agent_is_listed_with_what_it_has_left_and_its_links() {
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
        "Asks before a campaign starts",
        "<a href=\"/dashboard/approvals\">Waits for you: 1",
        &format!("<a href=\"/dashboard/activity?api_key_id={id}\">Its changes"),
        &format!("<a href=\"/dashboard/keys/spending?id={id}\">What it runs"),
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
    let page = ada.get(PAGE).await.text;
    let form = filled_in(&page, "/dashboard/keys/stop", "Stop Agent", "");
    assert_eq!(ada.post("/dashboard/keys/stop", &form).await.to(), PAGE);
    let stopped = ada.get(PAGE).await.text;
    assert!(stopped.contains("The key is stopped") && stopped.contains("badge bad\">Stopped"), "{stopped}");
    assert_eq!(site.request(&agent, "GET", "/v1/limits", &Value::Null).await.0, StatusCode::UNAUTHORIZED);
    advance(Duration::from_mins(1)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    advance(Duration::from_mins(2)).await;
    maintenance::run(&site.app).await.expect("maintenance runs to its end");
    let form = filled_in(&ada.get(PAGE).await.text, "/dashboard/keys/resume", "Resume Agent", "");
    let resumed = ada.submit("/dashboard/keys/resume", &form).await;
    assert!(resumed.contains("Configure your client") && !resumed.contains("Stopped"), "{resumed}");
    assert_eq!(site.request(&agent, "GET", "/v1/limits", &Value::Null).await.0, StatusCode::OK);
    // A form says which page it is on, and leads nowhere else.
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
    assert!(ada.submit(LIMIT, &same).await.contains("The limit is changed."));
    assert_eq!(&site.agents(&own).await[0]["spending_limit"], limit, "what the page shows is what the key has");
    let refused = ada.submit(LIMIT, &same.replace("daily=120.50", "daily=lots")).await;
    assert!(refused.contains("id=\"daily-error\">It must be") && refused.contains("value=\"lots\""), "{refused}");
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
