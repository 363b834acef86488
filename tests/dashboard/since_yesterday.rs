//! What changed since yesterday, on the home page: who did it, and what that adds to the budgets that run.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use http::StatusCode;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const CHANGE: &str = "/dashboard/campaigns/change";
const UNDO: &str = "/dashboard/activity/undo";

impl Site {
    /// What active campaigns may spend a day, in the sandbox's books.
    async fn runs_a_day(&self) -> Decimal {
        let books = self.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
        let campaigns = books["campaigns"].as_array().expect("a list").iter();
        let active = campaigns.filter(|one| one["status"] != "PAUSED");
        active.map(|one| Decimal::from_str_exact(one["budget"].as_str().expect("a budget")).expect("a number")).sum()
    }
}

impl Browser<'_> {
    async fn switch(&mut self, id: &str, status: &str) {
        advance(Duration::from_secs(1)).await;
        self.send_form(CHANGE, &format!("id={id}&back=one&status={status}")).await;
    }

    /// The part of the home page about what changed.
    async fn since_yesterday(&mut self) -> String {
        let home = self.text("/dashboard").await;
        let part = home.split("aria-labelledby=\"since\"").nth(1).and_then(|rest| rest.split("</section>").next());
        part.unwrap_or_else(|| panic!("no such part: {home}")).to_owned()
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_that_raised_budgets_is_named_with_their_sum() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let mut ids = Vec::new();
    for name in ["Spring", "Summer", "Autumn"] {
        ids.push(site.create(&key, name).await);
    }
    let none = site.runs_a_day().await;
    for id in &ids[..2] {
        ada.switch(id, "ACTIVE").await;
    }
    let started = site.runs_a_day().await;
    for (id, budget) in ids.iter().zip([500, 250, 9_000]) {
        let path = format!("/v1/campaigns/{id}");
        let (status, told) = site.ask(&key, "PATCH", &path, &json!({ "budget_amount": budget })).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }
    let raised = site.runs_a_day().await;
    let part = ada.since_yesterday().await;
    let sum = |sum: Decimal| format!(">+{sum:.2} USD a day</strong>");
    assert_eq!((started - none, raised - started), (Decimal::from(100), Decimal::from(650)), "the books");
    let nightly = part.find("<bdi>Nightly</bdi> (API key)").expect("the key");
    let you = part.find("<bdi>You</bdi>").expect("the person");
    let (of_key, of_person) = if nightly < you { (&part[nightly..you], &part[you..]) } else { panic!("{part}") };
    assert!(of_key.contains(&sum(raised - started)) && of_person.contains(&sum(started - none)), "{part}");
    assert!(of_key.contains("6 changes of 3 campaigns."), "three were created: {part}");
    assert!(of_key.contains("Not in the sum: 1 budget of campaigns that do not run."), "{part}");
    assert!(of_key.contains("/dashboard/activity?api_key_id=key_"), "{part}");
    assert!(of_key.contains("href=\"/dashboard/keys/one?id=key_") && of_key.contains(">Stop or revert"), "{part}");
    let home = ada.text("/dashboard").await;
    assert!(
        home.contains(
            "id=\"large-1\"><bdi>Nightly</bdi> raised your budgets a lot</h2>\n<p>Still running: 650.00 USD a day in 2 campaigns since"
        ),
        "{home}"
    );
    assert!(of_person.contains("/dashboard/activity?person_id=") && !of_person.contains("Stop or"), "{part}");

    ada.switch(&ids[0], "PAUSED").await;
    let taken = site.runs_a_day().await;
    let part = ada.since_yesterday().await;
    assert_eq!(taken - none, Decimal::from(250), "by the books one of them runs");
    assert!(
        part.contains(&sum(Decimal::from(650))) && part.contains(">−400.00 USD a day</strong>"),
        "the pause takes the budget of its campaign from who has paused it: {part}"
    );
    let home = ada.text("/dashboard").await;
    assert!(
        home.contains(
            "<bdi>Nightly</bdi> raised your budgets a lot</h2>\n<p>Still running: 200.00 USD a day in 1 campaign since"
        ),
        "what still runs: {home}"
    );
    assert!(part.contains("Of this still runs: 200.00 USD a day."), "both sums are said: {part}");
}

#[tokio::test(start_paused = true)]
async fn what_was_done_before_yesterday_is_not_told() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "Spring").await;
    ada.switch(&id, "ACTIVE").await;
    advance(Duration::from_hours(24)).await;
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    assert!(ada.since_yesterday().await.contains("<strong>+50.00 USD a day</strong>"), "it was yesterday");
    advance(Duration::from_hours(24)).await;
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let part = ada.since_yesterday().await;
    assert!(part.contains("No changes.") && !part.contains("a day</strong>"), "{part}");
}

#[tokio::test(start_paused = true)]
async fn what_was_reverted_is_not_told_as_if_it_still_ran() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "Spring").await;
    ada.switch(&id, "ACTIVE").await;
    let before = site.runs_a_day().await;
    advance(Duration::from_secs(1)).await;
    let path = format!("/v1/campaigns/{id}");
    let (status, told) = site.ask(&key, "PATCH", &path, &json!({ "budget_amount": 500 })).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    assert!(ada.since_yesterday().await.contains("+450.00 USD a day"));
    advance(Duration::from_secs(1)).await;
    let activity = ada.text("/dashboard/activity?kind=update").await;
    ada.send_form(UNDO, &filled_in(&activity, UNDO, "Undo", "")).await;
    assert_eq!(site.runs_a_day().await, before, "by the books nothing is left of it");
    let part = ada.since_yesterday().await;
    assert!(part.contains("<strong>0.00 USD a day</strong>") && !part.contains("+450.00"), "{part}");
    assert!(part.contains("All reverted by you at <time datetime="), "{part}");
    assert!(part.contains("</time>: 450.00 USD a day less."), "{part}");
    assert!(part.contains("Reverted what “\u{2068}Nightly\u{2069}” did to 1 campaign."), "{part}");
    assert!(part.contains(">Stop<") && !part.contains("Stop or revert"), "{part}");
}

#[tokio::test(start_paused = true)]
async fn more_changes_than_a_page_of_the_api_are_all_read() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "Spring").await;
    let path = format!("/v1/campaigns/{id}");
    for number in 0..110 {
        let (status, told) = site.ask(&key, "PATCH", &path, &json!({ "budget_amount": 60 + number })).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        advance(Duration::from_secs(5)).await;
    }
    let part = ada.since_yesterday().await;
    assert!(part.contains("111 changes of 1 campaign.") && !part.contains("more changes than are read"), "{part}");
}
