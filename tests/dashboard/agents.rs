//! The page "Agents": a limited key, and the configuration of clients.

use super::actions::shown_key;
use super::browser::{Browser, Site};
use super::double_clicks::{another_process, at, filled_in};
use crate::in_process::{json_of, respond};
use http::StatusCode;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
pub(super) const PAGE: &str = "/dashboard/agents";
/// What a person fills in.
pub(super) const FORM: &str = "name=Agent&currency=USD&daily=120.50&creates_per_day=3&approve_activation=yes\
                               &lifetime=&per_change=&approve_above=";
const BUTTON: &str = "Make a limited key";
const ADDRESS: &str = "https://service.example/v1/mcp";

impl Site {
    pub(super) async fn request(&self, key: &str, method: &str, path: &str, body: &Value) -> (StatusCode, Value) {
        advance(Duration::from_secs(1)).await;
        let request = http::Request::builder().method(method).uri(path).header("x-api-key", key);
        let body = if body.is_null() { Body::Empty } else { Body::from(body.to_string()) };
        let request: Request = request.body(body).expect("a request");
        let response = respond(&self.app, request).await;
        (response.status(), json_of(response.body()))
    }

    /// The keys with a limit, as the API lists them.
    pub(super) async fn agents(&self, own: &str) -> Vec<Value> {
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

    pub(super) async fn connect_agent(&mut self, own: &str) -> String {
        let form = self.form(own).await;
        let made = self.submit(PAGE, &form).await;
        shown_key(&made).unwrap_or_else(|| panic!("no key in {made}"))
    }
}

/// The text of an element, as a browser copies it.
fn copied(page: &str, id: &str) -> String {
    let start = format!("id=\"{id}\">");
    let text = page.split(&start).nth(1).and_then(|rest| rest.split("</pre>").next()).expect(id);
    text.replace("&#34;", "\"").replace("&#39;", "'").replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&")
}

#[tokio::test(start_paused = true)]
async fn without_an_ad_account_the_page_links_to_connections() {
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
async fn the_limit_form_says_that_each_key_has_its_own_limit() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let says = |page: &str| page.contains("Two keys have two limits");
    assert!(says(&ada.get(PAGE).await.text), "before it is made");
    ada.connect_agent(FORM).await;
    let page = ada.get(PAGE).await.text;
    let address =
        page.split("href=\"").find_map(|rest| rest.split('"').next().filter(|to| to.contains("agents/limit")));
    assert!(says(&ada.get(address.expect("a page of its limit")).await.text), "where it is changed");
}

#[tokio::test(start_paused = true)]
async fn a_key_has_exactly_the_limit_of_the_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let page = ada.get(PAGE).await.text;
    assert!(page.contains("name=\"approve_activation\" value=\"yes\" checked"), "asked by default: {page}");
    assert!(page.matches("name=\"connections\"").count() == 1 && page.contains("\" checked> <span><bdi>"));
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
    let more = "name=Other&currency=USD&daily=0&creates_per_day=&lifetime=900&per_change=50&approve_above=20";
    ada.connect_agent(more).await;
    let listed = site.agents(&own).await;
    let limit = &listed.iter().find(|key| key["name"] == "Other").expect("the key")["spending_limit"];
    let amounts = json!([{"currency": "USD", "daily": 0, "lifetime": 900, "per_change": 50}]);
    assert_eq!((&limit["amounts"], &limit["creates_per_day"]), (&amounts, &json!(20)));
    assert_eq!(limit["approval"], json!({"activation": false, "amounts": [{"currency": "USD", "amount": 20}]}));
    let (status, _) = site.request(&agent, "GET", "/v1/api-keys", &Value::Null).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "an agent sees campaigns alone");
}

#[tokio::test(start_paused = true)]
async fn the_configuration_shows_the_key_only_once() {
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
async fn an_error_is_shown_at_its_field_and_the_form_keeps_its_values() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    for (was, wrong, field) in [
        ("daily=120.50", "daily=1%2C205", "daily"),
        ("currency=USD", "currency=US%22", "currency"),
        ("creates_per_day=3", "creates_per_day=1.5", "creates_per_day"),
        ("lifetime=", "lifetime=-1", "lifetime"),
        ("per_change=", "per_change=0.001", "per_change"),
        ("approve_above=", "approve_above=much", "approve_above"),
        ("name=Agent", "name=+", "name"),
    ] {
        let form = ada.form(&FORM.replace(was, wrong)).await;
        let page = ada.submit(PAGE, &form).await;
        let input = page.split(&format!(" id=\"{field}\" name=\"")).nth(1).and_then(|rest| rest.split('>').next());
        assert!(input.expect(field).contains("aria-invalid=\"true\""), "{field}: {page}");
        let error = page.split(&format!("id=\"{field}-error\">")).nth(1).and_then(|rest| rest.split('<').next());
        assert!(
            error.expect(field).ends_with('.') && !error.expect(field).contains("must be a number"),
            "{field}: {error:?}"
        );
        assert_eq!(page.matches("class=\"error\"").count(), 1, "{field}: {page}");
        assert!(!page.contains("spending_limit"), "no field of the API that the form lacks: {page}");
        assert!(page.contains(" checked> <span><bdi>Account 6 in USD"), "the form keeps its choice");
    }
    let form = ada.form(&FORM.replace("&approve_activation=yes", "")).await;
    let page = ada.submit(PAGE, form.split("&connections=").next().expect("a form")).await;
    assert!(page.contains("Choose an ad account") && page.contains("value=\"120.50\""), "{page}");
    assert!(page.contains("name=\"approve_activation\" value=\"yes\">"), "not ticked, as the person left it: {page}");
    assert!(site.agents(&own).await.is_empty());
}
