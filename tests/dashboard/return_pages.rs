//! Redirects from the pages of platforms and of the payment provider: each ends on a page of the dashboard that shows the
//! outcome.

use super::browser::{Browser, ORIGIN, Site};
use crate::in_process::location;
use http::StatusCode;
use serde_json::json;

const ADA: &str = "ada@example.com";
const CHECKOUT: &str = "/dashboard/billing/checkout";

impl Browser<'_> {
    /// Follows the redirects from an address of the service to a page; returns the text of the page.
    async fn follow(&mut self, address: &str) -> String {
        let mut path = address.trim_start_matches(ORIGIN).to_owned();
        for _ in 0..5 {
            let shown = self.get(&path).await;
            if shown.status == StatusCode::OK {
                return shown.text;
            }
            assert!(shown.status.is_redirection(), "{path}: {}", shown.text);
            let next = shown.headers["location"].to_str().expect("an address");
            path = next.trim_start_matches(ORIGIN).to_owned();
        }
        panic!("too many redirects from {address}");
    }

    /// Decides on the provider's checkout of plan pro; returns the page that the person comes back to.
    async fn check_out(&mut self, key: &str, decision: &str) -> String {
        let form = format!("plan=pro&idempotency_key={key}");
        let page = self.post(CHECKOUT, &form).await.to().to_owned();
        let back = self.site.world.post_form(&page, format!("decision={decision}")).await;
        self.follow(&location(&back)).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_checkout_ends_on_the_page_of_billing() {
    let site = Site::new().await;
    site.world.control("POST", "stripe/webhook", &json!({})).await;
    let mut ada = site.signed_in(ADA).await;
    let before = ada.get("/dashboard/billing").await.text;
    assert!(before.contains("99.00 USD a month") && before.contains("Upgrade to Pro"), "{before}");
    assert!(before.contains("<dd>Nothing: it is free</dd>") && !before.contains("29.00 USD"), "{before}");
    let canceled = ada.check_out("one", "cancel").await;
    assert!(
        canceled.contains("Canceled. Your plan is unchanged.") && canceled.contains("Upgrade to Pro"),
        "{canceled}"
    );
    let paid = ada.check_out("two", "pay").await;
    assert!(paid.contains("Thank you. Your plan is Pro.") && paid.contains("aria-current=\"page\""), "{paid}");
    let again = ada.get("/dashboard/billing").await.text;
    assert!(!again.contains("Thank you."), "once: {again}");
    assert!(
        again.contains("<dd>99.00 USD a month</dd>") && again.contains("<dd>99.00 USD, without tax, on "),
        "{again}"
    );
    let third = ada.submit(CHECKOUT, "plan=enterprise&idempotency_key=three").await;
    assert!(
        third.contains("Change or cancel it in the billing portal below.") && !third.contains("/v1/billing"),
        "{third}"
    );
}

#[tokio::test(start_paused = true)]
async fn without_the_provider_the_page_of_billing_has_no_prices() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let fault = json!({"platform": "stripe", "operation": "subscription", "fault": "slow", "times": 9, "ms": 60_000});
    site.world.control("POST", "faults", &fault).await;
    let page = ada.get("/dashboard/billing").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!page.text.contains("USD a month") && page.text.contains("The checkout shows the price"), "{}", page.text);
}

#[tokio::test(start_paused = true)]
async fn a_used_consent_leads_to_the_connections() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let consent = ada.post("/dashboard/connections", "platform=alpha_ads").await.to().to_owned();
    let order = json!({ "platform": "alpha_ads", "currency": "USD" });
    let opened = site.world.control("POST", "accounts", &order).await;
    let account = opened["account"]["id"].as_str().expect("an id").to_owned();
    let callback = site.world.consent(&consent, &[account]).await;
    let first = ada.follow(&callback).await;
    assert!(first.contains("Connected. Your ad accounts are in the list."), "{first}");
    let second = ada.follow(&callback).await;
    assert!(second.contains("This consent was used already") && second.contains("aria-current=\"page\""), "{second}");
    let mut stranger = site.browser();
    let shown = stranger.get(&callback).await;
    assert_eq!(shown.status, StatusCode::BAD_REQUEST, "a person without a session has no page of ours");
}

/// Mallory begins in her dashboard, and sends the address of the consent page to somebody else.
#[tokio::test(start_paused = true)]
async fn a_consent_finished_in_another_session_connects_nothing() {
    let site = Site::new().await;
    let mut mallory = site.signed_in("mallory@example.com").await;
    let mut bob = site.signed_in("bob@example.com").await;
    for victim in [&mut site.browser(), &mut bob] {
        let consent = mallory.post("/dashboard/connections", "platform=alpha_ads").await.to().to_owned();
        let order = json!({ "platform": "alpha_ads", "currency": "USD" });
        let opened = site.world.control("POST", "accounts", &order).await;
        let account = opened["account"]["id"].as_str().expect("an id").to_owned();
        let callback = site.world.consent(&consent, &[account]).await;
        let back = victim.get(&callback).await;
        let back = back.headers["location"].to_str().expect("an address");
        assert!(back.contains("status=failed&error=VALIDATION_ERROR"), "{back}");
        let late = mallory.follow(&callback).await;
        assert!(late.contains("This consent was used already"), "once: {late}");
    }
    let connections = site.app.store.connections(mallory.customer(), site.app.clock.now()).await.expect("a read");
    assert!(connections.is_empty(), "{connections:?}");
}

#[tokio::test(start_paused = true)]
async fn a_consent_that_is_canceled_changes_nothing() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let shown = ada.get("/dashboard/connections?status=denied&error=access_denied").await.text;
    assert!(shown.contains("you pressed Cancel there. Your connections are unchanged."), "{shown}");
    let consent = ada.post("/dashboard/connections", "platform=gamma_ads").await.to().to_owned();
    let state = consent.split("state=").nth(1).and_then(|rest| rest.split('&').next()).expect("a state").to_owned();
    let callback = format!("{ORIGIN}/v1/oauth/callback/gamma_ads?state={state}&error=access_denied");
    let shown = ada.follow(&callback).await;
    assert!(shown.contains("TikTok did not connect: you pressed Cancel there."), "{shown}");
    assert!(shown.contains("value=\"gamma_ads\">Try again<"), "a button, not a search: {shown}");
    let forged = ada.get("/dashboard/billing?checkout=paid").await.to().to_owned();
    let shown = ada.get(&forged).await.text;
    assert!(!shown.contains("Your plan is Pro"), "a link says nothing of another plan: {shown}");
}

#[tokio::test(start_paused = true)]
async fn another_login_does_not_restore_a_broken_connection() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let fault = json!({ "platform": "alpha_ads", "operation": "refresh", "fault": "revoked", "times": 5 });
    site.world.control("POST", "faults", &fault).await;
    tokio::time::advance(std::time::Duration::from_secs(2 * 60 * 60)).await;
    let checked = ada.submit("/dashboard/connections/sync", "").await;
    assert!(checked.contains("1 needs attention: see the top of this page."), "{checked}");
    assert!(checked.contains("notice outcome bad") && !checked.contains("notice outcome good"), "{checked}");
    let badge = "<span class=\"badge warn\">1<span class=\"hidden\"> broken</span></span>";
    assert!(checked.contains(badge), "{checked}");
    assert!(ada.get("/dashboard/settings").await.text.contains(badge), "every page has the badge");
    let fault = json!({ "platform": "alpha_ads", "operation": "refresh", "fault": "revoked", "times": 0 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.connect("alpha_ads").await;
    assert!(page.contains("Connected, but these accounts still have no access."), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_full_plan_says_what_to_do_on_the_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    for _ in 0..3 {
        ada.connect("alpha_ads").await;
    }
    let page = ada.submit("/dashboard/connections", "platform=beta_ads").await;
    assert!(page.contains("Remove one, or upgrade to Pro.") && !page.contains("DELETE"), "{page}");
}
