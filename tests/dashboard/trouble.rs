//! Trouble in one place: the page of connections says which platform does not answer and since when, and which consent
//! needs a person, once for all its ad accounts. Nothing that works is named.

use super::browser::{Browser, ORIGIN, Site};
use http::StatusCode;
use serde_json::json;
use shared::domain::{ConnectionStatus, Plan};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const PAGE: &str = "/dashboard/connections";
const LIST: &str = "/dashboard/campaigns";

impl Site {
    /// The next calls of an operation at a platform fail.
    pub(super) async fn break_down(&self, platform: &str, operation: &str, fault: &str) {
        let fault = json!({ "platform": platform, "operation": operation, "fault": fault, "times": 50 });
        self.world.control("POST", "faults", &fault).await;
    }
}

impl Browser<'_> {
    /// Connects two ad accounts with one consent; returns their ids at the platform.
    async fn connect_two(&mut self, platform: &str) -> Vec<String> {
        let mut accounts = Vec::new();
        for _ in 0..2 {
            let order = json!({ "platform": platform, "currency": "USD" });
            let opened = self.site.world.control("POST", "accounts", &order).await;
            accounts.push(opened["account"]["id"].as_str().expect("an id").to_owned());
        }
        let consent = self.post(PAGE, &format!("platform={platform}")).await.to().to_owned();
        let callback = self.site.world.consent(&consent, &accounts).await;
        let back = self.get(&callback).await;
        assert_eq!(back.status, StatusCode::FOUND, "{}", back.text);
        let back = back.headers["location"].to_str().expect("an address").trim_start_matches(ORIGIN).to_owned();
        assert!(self.text(&back).await.contains("Connected."), "{back}");
        accounts
    }

    /// The connections by the service's own record.
    async fn broken(&self) -> usize {
        let (store, now) = (&self.site.app.store, self.site.app.clock.now());
        let all = store.connections(self.customer(), now).await.expect("connections");
        all.iter().filter(|one| one.status == ConnectionStatus::Revoked).count()
    }
}

/// The section of a page with this id of its heading; empty without one.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("<section aria-labelledby=\"{id}\"");
    page.split(&start).nth(1).and_then(|rest| rest.split("</section>").next()).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_does_not_answer_is_said_with_its_time() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "Spring").await;
    ada.connect("gamma_ads").await;
    ada.text(&format!("{LIST}?read=all")).await;
    let well = ada.text(PAGE).await;
    assert!(section(&well, "silent").is_empty() && section(&well, "consents").is_empty(), "{well}");
    site.break_down("gamma_ads", "list", "error").await;
    advance(Duration::from_secs(600)).await;
    ada.text(&format!("{LIST}?read=all")).await;
    let page = ada.text(PAGE).await;
    let silent = section(&page, "silent");
    assert!(silent.contains("TikTok has not responded since "), "{page}");
    assert!(silent.contains("Last tried: ") && silent.matches(" UTC").count() == 2, "both with a time: {silent}");
    assert!(
        silent.contains("&read=now\">See its campaigns and try again") || silent.contains("&#38;read=now"),
        "{silent}"
    );
    assert!(!silent.contains("Google Ads") && !silent.contains("Reconnect"), "{silent}");
    assert!(section(&page, "consents").is_empty(), "no consent is to blame: {page}");
    assert_eq!(page.matches("badge warn\">Not responding").count(), 1, "{page}");
    assert!(page.contains("<p>1 working, 1 not responding.</p>"), "{page}");
    let answered = silent.split("not responded since <time datetime=\"").nth(1).and_then(|rest| rest.split('"').next());
    let answered = answered.expect("the time of the last answer");
    assert!(page.contains(&format!("<td data-label=\"Last answer\"><time datetime=\"{answered}\">")), "{page}");
    let home = ada.text("/dashboard").await;
    assert!(home.contains(&format!("its numbers are from <time datetime=\"{answered}\">")), "the same time: {home}");
    assert_eq!(page.matches("badge good\">Connected").count(), 1, "Google Ads is well: {page}");
    site.world.control("POST", "reset", &json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn two_accounts_of_one_ended_consent_have_one_reconnect() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let now = site.app.clock.now();
    site.app.store.set_plan(ada.customer(), Plan::Pro, now).await.expect("a write");
    ada.connect_two("alpha_ads").await;
    ada.connect("beta_ads").await;
    site.break_down("alpha_ads", "refresh", "revoked").await;
    advance(Duration::from_secs(2 * 60 * 60)).await;
    let checked = ada.submit(&format!("{PAGE}/sync"), "").await;
    assert_eq!(ada.broken().await, 2, "one grant had both");
    assert!(checked.contains("2 need attention: see the top of this page."), "{checked}");
    let needs = section(&checked, "consents");
    assert_eq!(checked.matches(">Reconnect<").count(), 1, "{checked}");
    assert_eq!(needs.matches("<li>").count(), 1, "{needs}");
    assert!(needs.contains("One login gave access to these 2 ad accounts, so reconnect once."), "{needs}");
    assert!(needs.contains("/dashboard/campaigns?platform=ALPHA"), "the campaigns that it is about: {needs}");
    assert!(!needs.contains("Meta") && section(&checked, "silent").is_empty(), "Meta is well: {checked}");
    let form = ada.text("/dashboard/campaigns/new").await;
    assert!(form.contains("2 ad accounts cannot be chosen now"), "{form}");
    assert_eq!(form.matches("needs you to reconnect it.").count(), 2, "{form}");
    assert_eq!(form.matches("name=\"targets\"").count(), 1, "Meta alone: {form}");
}

#[tokio::test(start_paused = true)]
async fn an_account_that_is_not_ticked_again_is_named_with_both_ways_out() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let now = site.app.clock.now();
    site.app.store.set_plan(ada.customer(), Plan::Pro, now).await.expect("a write");
    let accounts = ada.connect_two("alpha_ads").await;
    ada.text(&format!("{LIST}?read=all")).await;
    site.break_down("alpha_ads", "refresh", "revoked").await;
    advance(Duration::from_secs(2 * 60 * 60)).await;
    let ended = ada.text(&format!("{LIST}?read=all")).await;
    assert!(ended.contains("Google Ads ended our access."), "{ended}");
    assert_eq!(ada.broken().await, 2, "one grant had both");
    let none = json!({ "platform": "alpha_ads", "operation": "refresh", "fault": "revoked", "times": 0 });
    site.world.control("POST", "faults", &none).await;
    let back = ada.connect_to("alpha_ads", accounts[0].clone()).await;
    assert!(back.contains("Connected, but you did not tick this one. Reconnect and tick it, or remove it."), "{back}");
    assert_eq!(ada.broken().await, 1, "the other one was not ticked");
    let needs = section(&back, "consents");
    assert!(needs.contains("You did not tick it when you reconnected") && needs.contains("1 ad account."), "{needs}");
    assert!(needs.contains("/dashboard/connections/remove?id=") && needs.contains(">Reconnect<"), "{needs}");
    assert!(section(&back, "silent").is_empty(), "the one that was renewed does not count as silent: {back}");
    assert_eq!(back.matches("badge good\">Connected").count(), 1, "{back}");
}

#[tokio::test(start_paused = true)]
async fn a_create_in_part_is_amber_and_names_both() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let now = site.app.clock.now();
    site.app.store.set_plan(ada.customer(), Plan::Pro, now).await.expect("a write");
    for platform in ["alpha_ads", "beta_ads"] {
        ada.connect(platform).await;
    }
    let connections = site.app.store.connections(ada.customer(), now).await.expect("connections");
    let targets: Vec<String> =
        connections.iter().map(|one| format!("&targets={}:{}", one.platform.as_upper(), one.account_id())).collect();
    let page = ada.text(LIST).await;
    assert!(page.contains("/dashboard/campaigns/new"), "{page}");
    let own = format!("name=Spring&goal=WEBSITE_TRAFFIC&budget_amount=20&budget_period=DAILY{}", targets.concat());
    let page = ada.text("/dashboard/campaigns/new").await;
    let form = super::double_clicks::filled_in(&page, LIST, "Create campaign", &own);
    site.break_down("beta_ads", "create", "throttle").await;
    let outcome = ada.submit(LIST, &form).await;
    assert!(
        outcome.contains("<div class=\"notice outcome part\"") && !outcome.contains("notice outcome bad"),
        "{outcome}"
    );
    assert_eq!(outcome.matches("badge good\">Done").count(), 1, "{outcome}");
    assert_eq!(outcome.matches("badge warn\">Not done").count(), 1, "{outcome}");
    assert!(outcome.contains("starts when you activate it, has no end"), "{outcome}");
    let created = site.world.control("GET", "campaigns", &serde_json::Value::Null).await;
    assert_eq!(created["campaigns"].as_array().map(Vec::len), Some(1), "by the sandbox's books: {created}");
}
