//! Forms that came after their session had ended, or whose action needs a recent sign-in.

use super::browser::{Browser, SESSION, Site};
use super::double_clicks::filled_in;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const COOKIE: &str = "__Host-form";
const URIS: &str = "/dashboard/settings/redirect-uris";
const URI: &str = "uri=https%3A%2F%2Fexample.com%2Fconnected";
const SIGNED_OUT: &str = "You were signed out, and are signed in again.";

impl Browser<'_> {
    /// Sends a form without a session, and signs in; returns the page after that.
    async fn submit_after_sign_out(&mut self, path: &str, form: &str, email: &str) -> String {
        let sign_in = self.post(path, form).await.to().to_owned();
        assert!(sign_in.starts_with("/dashboard/sign-in?"), "{sign_in}");
        let page = self.sign_in_from(&sign_in, email).await.to().to_owned();
        self.get(&page).await.text
    }
}

/// A browser whose session another one has ended.
async fn signed_out(site: &Site) -> Browser<'_> {
    let (browser, mut other) = (site.signed_in(ADA).await, site.signed_in(ADA).await);
    other.post("/dashboard/sign-out", "sessions=all").await;
    browser
}

#[tokio::test(start_paused = true)]
async fn a_form_sent_after_the_session_ended_is_shown_again_and_not_applied() {
    let site = Site::new().await;
    let mut ada = signed_out(&site).await;
    let page = ada.submit_after_sign_out(URIS, URI, ADA).await;
    assert!(page.contains(SIGNED_OUT) && page.contains("value=\"https://example.com/connected\""), "{page}");
    assert!(page.contains("No redirect URI is registered"), "nothing was sent: {page}");
    assert!(!ada.cookies.contains_key(COOKIE), "it is shown once");
    assert!(!ada.get("/dashboard/settings").await.text.contains(SIGNED_OUT));
}

#[tokio::test(start_paused = true)]
async fn the_campaign_form_survives_the_end_of_the_session() {
    let site = Site::new().await;
    let mut ada = signed_out(&site).await;
    let form =
        "idempotency_key=k&name=Fr%C3%BChling&goal=LEADS&budget_amount=&targets=BETA%3A7&budget_amount.BETA%3A7=25";
    let page = ada.submit_after_sign_out("/dashboard/campaigns/preview", form, ADA).await;
    for text in [SIGNED_OUT, "value=\"Frühling\"", "value=\"BETA:7\" checked", "value=\"25\"", "LEADS\" selected"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[tokio::test(start_paused = true)]
async fn another_person_in_the_same_browser_never_sees_the_form() {
    let site = Site::new().await;
    let mut ada = signed_out(&site).await;
    let page = ada.submit_after_sign_out(URIS, URI, "bob@example.com").await;
    assert!(page.contains("bob@example.com") && !page.contains("value=\"https://example.com/connected\""), "{page}");
    assert!(!ada.cookies.contains_key(COOKIE));
    // After a sign-out the browser sends no customer.
    ada.post("/dashboard/sign-out", "").await;
    ada.post(URIS, URI).await;
    assert!(!ada.cookies.contains_key(COOKIE) && !ada.cookies.contains_key(SESSION));
}

#[tokio::test(start_paused = true)]
async fn the_form_cookie_is_sealed() {
    let site = Site::new().await;
    let mut ada = signed_out(&site).await;
    ada.post(URIS, URI).await;
    assert!(ada.cookies[COOKIE].starts_with("v1."), "sealed");
    let stolen = ada.cookies[COOKIE].clone();
    // A form of another site is refused before it is kept.
    ada.cookies.remove(COOKIE);
    ada.post_with(URIS, URI, &[("sec-fetch-site", "cross-site")]).await;
    assert!(!ada.cookies.contains_key(COOKIE));
    ada.cookies.insert(COOKIE.to_owned(), format!("{stolen}x"));
    let home = ada.sign_in_from("/dashboard/sign-in?return_to=%2Fdashboard%2Fsettings", ADA).await.to().to_owned();
    assert!(!ada.get(&home).await.text.contains(SIGNED_OUT), "a damaged form is dropped");
}

#[tokio::test(start_paused = true)]
async fn a_form_sent_after_sign_out_returns_to_the_page_of_its_action() {
    let site = Site::new().await;
    let mut ada = signed_out(&site).await;
    let page = ada.submit_after_sign_out("/dashboard/keys/delete", "id=key_1", ADA).await;
    assert!(page.contains("No keys yet") && page.contains(SIGNED_OUT), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_form_that_needs_a_recent_sign_in_is_kept_too() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = "url=https%3A%2F%2Fhooks.example%2F&description=Mine&events=some&types=change.late&shape=flat";
    let form = filled_in(&ada.get("/dashboard/webhooks").await.text, "/dashboard/webhooks", "Create endpoint", own);
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let page = ada.submit_after_sign_out("/dashboard/webhooks", &form, ADA).await;
    assert!(page.contains("You are signed in again. Your form is as you left it, and nothing is sent yet"), "{page}");
    for text in ["value=\"https://hooks.example/\"", "value=\"Mine\"", "value=\"change.late\" checked"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}
