//! The sign-in: who becomes which customer, and which callbacks are refused.

use super::browser::{SESSION, Site};
use crate::in_process::engine::items;
use crate::in_process::respond;
use http::StatusCode;
use lambda_http::Body;
use shared::auth::{ApiKey, Mode};
use shared::domain::{Plan, Session};
use shared::serve::SourceAddress;
use tokio::join;
use tokio::time::{Duration, advance, sleep};
use url::Url;

const ADA: &str = "ada@example.com";

#[tokio::test(start_paused = true)]
async fn the_first_sign_in_creates_a_customer_without_a_valid_key() {
    let site = Site::new().await;
    let mut browser = site.signed_in(ADA).await;
    let account = site.app.store.account(browser.customer(), site.app.clock.now()).await.expect("a store");
    let customer = account.expect("an account").customer;
    assert_eq!((customer.email.as_str(), customer.plan, customer.disabled), (ADA, Plan::Starter, false));
    let key = ApiKey::generate(customer.id, Mode::Test).expect("a key");
    let refused = site.send("GET", "/v1/customer/me", &[("x-api-key", key.reveal())], "").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert!(browser.get("/dashboard/settings").await.text.contains(ADA));
}

#[tokio::test(start_paused = true)]
async fn later_sign_ins_find_the_customer_by_the_person() {
    let site = Site::new().await;
    let first = site.signed_in(ADA).await.customer();
    assert_eq!(site.signed_in("ADA@example.com").await.customer(), first);
    assert_ne!(site.signed_in("bob@example.com").await.customer(), first);
    assert_eq!(site.customers().await, 3, "and that of the world");
}

#[tokio::test(start_paused = true)]
async fn two_tabs_at_the_first_sign_in_make_one_customer() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let (one, two) = (browser.begin("/dashboard/sign-in").await, browser.begin("/dashboard/sign-in").await);
    let (one, two) = (site.at_issuer(&one, ADA).await, site.at_issuer(&two, ADA).await);
    let mut other_tab = site.browser();
    other_tab.cookies = browser.cookies.clone();
    let (first, second) = join!(browser.get(&one), other_tab.get(&two));
    assert_eq!((first.to(), second.to()), ("/dashboard", "/dashboard"));
    assert_eq!(browser.customer(), other_tab.customer());
    assert!(browser.is_signed_in().await && other_tab.is_signed_in().await);
    assert_eq!(site.customers().await, 2, "and that of the world");
}

#[tokio::test(start_paused = true)]
async fn a_callback_works_once_for_ten_minutes_and_in_its_own_browser() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let page = browser.begin("/dashboard/sign-in").await;
    let callback = site.at_issuer(&page, ADA).await;
    let mut victim = site.browser();
    assert_eq!(victim.get(&callback).await.status, StatusCode::BAD_REQUEST, "a link of an attacker");
    victim.begin("/dashboard/sign-in").await;
    assert_eq!(victim.get(&callback).await.status, StatusCode::BAD_REQUEST);
    assert!(!victim.cookies.contains_key(SESSION));
    assert_eq!(browser.get(&callback).await.to(), "/dashboard");
    assert_eq!(browser.get(&callback).await.to(), "/dashboard", "the button \"back\" with a session");
    browser.cookies.remove(SESSION);
    assert_eq!(browser.get(&callback).await.status, StatusCode::BAD_REQUEST);
    let page = browser.begin("/dashboard/sign-in").await;
    advance(Duration::from_secs(600)).await;
    let callback = site.at_issuer(&page, ADA).await;
    let late = browser.get(&callback).await;
    assert!(late.status == StatusCode::BAD_REQUEST && late.text.contains("ten minutes"), "{}", late.text);
}

#[tokio::test(start_paused = true)]
async fn a_wrong_id_token_or_answer_begins_no_session() {
    let site = Site::new().await;
    for fault in ["wrong_aud", "wrong_iss", "wrong_nonce", "expired", "alg_none"] {
        site.token_error(fault).await;
        let mut browser = site.browser();
        let refused = browser.sign_in(ADA).await;
        assert_eq!(refused.status, StatusCode::BAD_GATEWAY, "{fault}");
        assert!(refused.text.contains("href=\"/dashboard/sign-in\"") && !browser.cookies.contains_key(SESSION));
    }
    site.world.control("POST", "reset", &serde_json::Value::Null).await;
    let mut browser = site.browser();
    for change in ["&state=x", "&iss=https%3A%2F%2Fevil.example", "&code=x"] {
        let page = browser.begin("/dashboard/sign-in").await;
        let callback = site.at_issuer(&page, ADA).await + change;
        assert_eq!(browser.get(&callback).await.status, StatusCode::BAD_REQUEST, "{change}");
    }
    let page = browser.begin("/dashboard/sign-in").await;
    let callback = site.at_issuer(&page, ADA).await.replace("http%3A%2F%2Fsandbox", "http%3A%2F%2Fevil.example");
    assert_eq!(browser.get(&callback).await.status, StatusCode::BAD_REQUEST, "{callback}");
    assert_eq!(site.customers().await, 1, "that of the world");
}

#[tokio::test(start_paused = true)]
async fn a_rotated_key_of_the_issuer_is_read_within_a_minute() {
    let site = Site::new().await;
    site.signed_in(ADA).await;
    site.world.control("POST", "oidc/keys", &serde_json::json!({})).await;
    advance(Duration::from_secs(60)).await;
    site.signed_in(ADA).await;
}

#[tokio::test(start_paused = true)]
async fn a_canceled_sign_in_says_so() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let page = browser.begin("/dashboard/sign-in").await;
    let denied = site.world.post_form(&page, "decision=deny".to_owned()).await;
    let shown = browser.get(&crate::in_process::location(&denied)).await;
    assert!(shown.status == StatusCode::BAD_REQUEST && shown.text.contains("<h1>You canceled</h1>"), "{}", shown.text);
}

#[tokio::test(start_paused = true)]
async fn the_return_address_is_a_page_of_the_dashboard() {
    let site = Site::new().await;
    for (asked, shown) in [
        ("%2Fdashboard%2Fsettings", "/dashboard/settings"),
        ("https%3A%2F%2Fevil.example%2Fdashboard", "/dashboard"),
        ("%2F%2Fevil.example", "/dashboard"),
        ("%2Fdashboard%5C%40evil.example", "/dashboard"),
        ("%2Fv1%2Fdocs", "/dashboard"),
        ("%2Fdashboard%0D%0ASet-Cookie%3Aa%3Db", "/dashboard"),
    ] {
        let path = format!("/dashboard/sign-in?return_to={asked}");
        let mut browser = site.browser();
        assert_eq!(browser.sign_in_from(&path, ADA).await.to(), shown, "{asked}");
        assert_eq!(browser.get(&path).await.to(), shown, "{asked}, signed in already");
    }
    let sent = site.browser().get("/dashboard/settings").await;
    assert_eq!(sent.to(), "/dashboard/sign-in?return_to=%2Fdashboard%2Fsettings");
}

#[tokio::test(start_paused = true)]
async fn a_secret_needs_a_sign_in_of_the_last_ten_minutes() {
    let site = Site::new().await;
    let mut browser = site.signed_in(ADA).await;
    let page = browser.begin("/dashboard/sign-in?again=yes").await;
    let query: Vec<(String, String)> = Url::parse(&page).expect("an address").query_pairs().into_owned().collect();
    for (name, value) in [("max_age", Session::MAX_RECENT.as_secs().to_string()), ("prompt", "login".to_owned())] {
        assert!(query.contains(&(name.to_owned(), value)), "{page}");
    }
    let before = browser.session().to_owned();
    let callback = site.at_issuer(&page, ADA).await;
    assert_eq!(browser.get(&callback).await.to(), "/dashboard");
    assert_ne!(browser.session(), before);
    site.token_error("old_auth_time").await;
    let refused = browser.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    assert_eq!(refused.status, StatusCode::BAD_GATEWAY);
    assert_eq!(browser.sign_in(ADA).await.to(), "/dashboard", "a page without secrets has no limit");
}

#[tokio::test(start_paused = true)]
async fn without_the_issuer_the_page_says_what_to_do() {
    let site = Site::new().await;
    site.world
        .control(
            "POST",
            "faults",
            &serde_json::json!({"platform": "oidc", "operation": "any", "fault": "error", "times": 9}),
        )
        .await;
    let shown = site.browser().get("/dashboard/sign-in").await;
    assert!(shown.status == StatusCode::BAD_GATEWAY && shown.text.contains("Try again in a minute"), "{}", shown.text);
    let mut app = site.world.straight();
    app.issuer = None;
    let site = Site { app: std::sync::Arc::new(app), ..site };
    let shown = site.browser().get("/dashboard/sign-in").await;
    assert!(shown.status == StatusCode::NOT_IMPLEMENTED && shown.text.contains("has not set up"), "{}", shown.text);
}

impl Site {
    /// The status of a start of a sign-in, or of its end, from an address.
    async fn status_for(&self, source: &str, method: &str, path: &str) -> u16 {
        let request = http::Request::builder().method(method).uri(path).header("sec-fetch-site", "same-origin");
        let request = request.extension(SourceAddress(source.parse().expect("an address")));
        let response = respond(&self.app, request.body(Body::Empty).expect("a request")).await;
        response.status().as_u16()
    }
}

#[tokio::test(start_paused = true)]
async fn a_network_begins_and_ends_a_bounded_number_of_sign_ins() {
    let site = Site::new().await;
    let (begin, end) = (("POST", "/dashboard/sign-in"), ("GET", "/dashboard/callback?code=c&state=s"));
    let mut admitted = 0;
    for at in 0..100 {
        let (method, path) = if at % 2 == 0 { begin } else { end };
        admitted += usize::from(site.status_for("203.0.113.7", method, path).await != 429);
    }
    assert!((60..=61).contains(&admitted), "{admitted}");
    let stored = items(&site.world.database).iter().filter(|item| item["sk"]["S"] == "SIGN_IN").count();
    assert!((30..=31).contains(&stored), "{stored}");
    assert_eq!(site.status_for("203.0.113.8", begin.0, begin.1).await, 303, "another network");
    sleep(Duration::from_secs(5)).await;
    assert_eq!(site.status_for("203.0.113.7", begin.0, begin.1).await, 303, "a turn each second");
}
