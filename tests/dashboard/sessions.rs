//! Sessions: their end, and the customer that they belong to.

use super::browser::{Browser, SESSION, Site};
use crate::in_process::engine::Straight;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use http::StatusCode;
use shared::domain::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const HOUR: Duration = Duration::from_secs(60 * 60);

#[tokio::test(start_paused = true)]
async fn sign_out_ends_the_session_at_once() {
    let site = Site::new().await;
    let mut browser = site.signed_in(ADA).await;
    let kept = browser.cookies.clone();
    let page = browser.get("/dashboard").await;
    assert_eq!(page.headers["cache-control"], "no-store", "the button \"back\" asks the service again");
    assert_eq!(browser.post("/dashboard/sign-out", "").await.to(), "/dashboard/sign-in");
    assert!(!browser.cookies.contains_key(SESSION));
    browser.cookies = kept;
    assert!(!browser.is_signed_in().await, "a copy of the cookie");
    assert_eq!(browser.post("/dashboard/sign-out", "").await.to(), "/dashboard/sign-in", "again");
}

#[tokio::test(start_paused = true)]
async fn sign_out_everywhere_ends_the_sessions_of_the_person_only() {
    let site = Site::new().await;
    let (mut one, mut two) = (site.signed_in(ADA).await, site.signed_in(ADA).await);
    let mut other = site.signed_in("bob@example.com").await;
    let listed = two.get("/dashboard/settings").await.text;
    assert_eq!(
        listed.matches("<span title=\"Browser &#60;b&#62;&#38;1\">Unknown browser</span>").count(),
        2,
        "{listed}"
    );
    assert_eq!(listed.matches("(this browser)").count(), 1, "{listed}");
    two.post("/dashboard/sign-out", "sessions=all").await;
    assert!(!one.is_signed_in().await && !two.is_signed_in().await && other.is_signed_in().await);
}

/// A store client that counts its requests.
#[derive(Clone, Debug)]
struct Counted {
    inner: Straight,
    requests: Arc<AtomicUsize>,
}

impl HttpConnector for Counted {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.inner.call(request)
    }
}

#[tokio::test(start_paused = true)]
async fn thousands_of_sessions_end_in_a_few_requests_of_the_store() {
    let site = Site::new().await;
    let ada = site.signed_in(ADA).await;
    let (store, now) = (&site.app.store, site.world.clock.now());
    let customer = ada.customer();
    let own = store.sessions(customer, None, now).await.expect("a read").remove(0);
    for number in 0..1_500 {
        let hash = format!("{number:064x}");
        let session = Session::new(hash, own.person.clone(), None, None, "Browser", now);
        assert!(store.begin_session(customer, &session).await.expect("a write"));
    }
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = site.over(Counted { inner: Straight(site.world.database.clone()), requests: Arc::clone(&requests) });
    let mut browser = Browser { site: &counted, cookies: ada.cookies.clone() };
    assert_eq!(browser.post("/dashboard/sign-out", "sessions=all").await.to(), "/dashboard/sign-in");
    assert!(store.sessions(customer, None, now).await.expect("a read").is_empty());
    assert!(requests.load(Ordering::Relaxed) <= 25, "{requests:?}");
}

#[tokio::test(start_paused = true)]
async fn a_session_ends_after_8_hours_without_a_request() {
    let site = Site::new().await;
    let mut browser = site.signed_in(ADA).await;
    advance(8 * HOUR - Duration::from_secs(1)).await;
    assert!(browser.is_signed_in().await);
    advance(8 * HOUR - Duration::from_secs(1)).await;
    assert!(browser.is_signed_in().await, "each request begins the time again");
    advance(8 * HOUR).await;
    let sent = browser.get("/dashboard/campaigns?status=PAUSED").await.to().to_owned();
    let page = browser.text(&sent).await;
    for words in ["<h1>You were signed out</h1>", "after 8 hours without activity, after 7 days", "Sign in to go on"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("All your campaigns in one place"), "no first visit: {page}");
    assert_eq!(browser.sign_in_from(&sent, ADA).await.to(), "/dashboard/campaigns?status=PAUSED");
    browser.post("/dashboard/sign-out", "").await;
    assert!(browser.text("/dashboard/sign-in").await.contains("All your campaigns in one place"), "it is their wish");
}

#[tokio::test(start_paused = true)]
async fn a_session_ends_after_7_days() {
    let site = Site::new().await;
    let mut browser = site.signed_in(ADA).await;
    for _ in 1..7 * 4 {
        advance(6 * HOUR).await;
        assert!(browser.is_signed_in().await);
    }
    advance(6 * HOUR).await;
    assert!(!browser.is_signed_in().await);
}

#[tokio::test(start_paused = true)]
async fn a_session_cookie_set_before_the_sign_in_is_replaced() {
    let site = Site::new().await;
    let mut attacker = site.signed_in("eve@example.com").await;
    let fixed = attacker.session().to_owned();
    let mut victim = site.browser();
    victim.cookies.insert(SESSION.to_owned(), fixed.clone());
    assert_eq!(victim.sign_in(ADA).await.to(), "/dashboard");
    assert_ne!(victim.session(), fixed);
    assert!(victim.is_signed_in().await && !attacker.is_signed_in().await, "the old session has ended");
}

#[tokio::test(start_paused = true)]
async fn a_session_opens_only_its_own_customer() {
    let site = Site::new().await;
    let mut eve = site.signed_in("eve@example.com").await;
    let ada = site.signed_in(ADA).await;
    let (own, other) = (eve.session().to_owned(), ada.session().to_owned());
    let (customer, _) = other.split_once('.').expect("a token");
    let (own_customer, secret) = own.split_once('.').expect("a token");
    let altered = [
        format!("{customer}.{secret}"),
        format!("{}.{secret}", customer.to_uppercase()),
        format!("{own_customer}.{}", "A".repeat(43)),
        secret.to_owned(),
        String::new(),
    ];
    for altered in altered {
        eve.cookies.insert(SESSION.to_owned(), altered.clone());
        assert!(!eve.is_signed_in().await, "{altered}");
    }
    eve.cookies.insert(SESSION.to_owned(), own);
    assert!(eve.is_signed_in().await);
}

#[tokio::test(start_paused = true)]
async fn cookies_open_no_endpoint_and_keys_open_no_page() {
    let site = Site::new().await;
    let browser = site.signed_in(ADA).await;
    let cookie = format!("{SESSION}={}", browser.session());
    for path in ["/v1/customer/me", "/v1/campaigns", "/v1/usage-logs", "/v1/connections"] {
        let refused = site.send("GET", path, &[("cookie", &cookie)], "").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let key = site.world.api_key.as_str();
    let shown = site.send("GET", "/dashboard", &[("x-api-key", key), ("authorization", key)], "").await;
    assert_eq!(shown.to(), "/dashboard/sign-in");
}

#[tokio::test(start_paused = true)]
async fn people_of_a_disabled_customer_see_why_and_may_sign_out() {
    let site = Site::new().await;
    let mut browser = site.signed_in(ADA).await;
    assert!(site.app.store.set_disabled(browser.customer(), true).await.expect("a store"));
    let shown = browser.get("/dashboard").await;
    assert!(shown.status == StatusCode::FORBIDDEN && shown.text.contains("disabled"), "{}", shown.text);
    assert_eq!(browser.post("/dashboard/sign-out", "").await.to(), "/dashboard/sign-in");
}

#[tokio::test(start_paused = true)]
async fn the_table_holds_no_value_of_a_cookie() {
    let site = Site::new().await;
    let browser = site.signed_in(ADA).await;
    let sessions = site.app.store.session(browser.customer(), browser.session(), site.app.clock.now()).await;
    assert!(sessions.expect("a store").is_none(), "the cookie's value is no key");
    assert_eq!(Session::MAX_IDLE.as_hours(), 8);
}
