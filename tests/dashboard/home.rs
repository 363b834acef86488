//! The home page, and the names of keys in their list and in the request log.

use super::actions::shown_key;
use super::browser::Site;
use super::double_clicks::filled_in;
use crate::in_process::respond;
use jiff::tz::TimeZone;
use lambda_http::Body;
use serde_json::{Value, json};
use shared::serve::PostResponseWork;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const CHANGE: &str = "/dashboard/campaigns/change";

impl Site {
    /// Makes a request with a key, and the entry of it in the usage log.
    async fn log_with_key(&self, key: &str, path: &str) {
        let request = http::Request::builder().uri(path).header("x-api-key", key);
        let mut response = respond(&self.app, request.body(Body::Empty).expect("a request")).await;
        PostResponseWork::take_from(&mut response).expect("an entry").run().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_home_page_shows_the_first_steps_in_order() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let new = ada.get("/dashboard").await.text;
    let at = |page: &str, text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}: {page}"));
    assert!(at(&new, "Connect an ad account") < at(&new, "Create a campaign"), "{new}");
    assert!(at(&new, "Create a campaign") < at(&new, "Activate it"), "{new}");
    assert!(!new.contains("API key</strong>") && new.matches("<section").count() == 1, "nothing else: {new}");
    assert_eq!(new.matches("class=\"button").count(), 1, "only the next one has a button: {new}");
    assert!(new.contains("This is a sandbox"), "{new}");
    assert!(!new.contains("At a glance"), "{new}");
    ada.connect("alpha_ads").await;
    let connected = ada.get("/dashboard?read=all").await.text;
    assert!(connected.contains("<li class=\"done\">") && !connected.contains("At a glance"), "{connected}");
    assert!(
        connected.contains("class=\"button\" href=\"/dashboard/campaigns/new\""),
        "never an empty list: {connected}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_first_campaign_is_followed_until_it_runs() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "Spring").await;
    let created = ada.text("/dashboard?read=all").await;
    let page = format!("class=\"button\" href=\"/dashboard/campaigns/one?id={id}\">Open the campaign</a>");
    assert!(created.contains("Activate it") && created.contains(&page), "{created}");
    ada.send_form("/dashboard/campaigns/change", &format!("id={id}&back=one&status=ACTIVE")).await;
    let runs = ada.text("/dashboard?read=all").await;
    assert!(!runs.contains("Your first five minutes") && runs.contains("1 active"), "{runs}");
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_does_not_answer_is_one_line() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    assert!(!ada.text("/dashboard?read=all").await.contains("Connection problems"));
    let fault = json!({ "platform": "alpha_ads", "operation": "list", "fault": "throttle", "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    advance(Duration::from_mins(10)).await;
    let home = ada.text("/dashboard?read=all").await;
    let since = home.split("<p>Google Ads did not answer at <time datetime=").nth(1);
    assert!(
        since.is_some_and(|rest| rest.contains("; its numbers are from <time") && rest.contains(">12:00 UTC</time>. <a")),
        "{home}"
    );
    assert!(home.contains("1 platform not responding") && !home.contains("throttling"), "{home}");
}

/// Pressed within the minutes for which a reading serves: the page that is completed afterwards has what was asked for.
#[tokio::test(start_paused = true)]
async fn a_refresh_that_fails_says_so_and_not_that_all_works() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "Spring").await;
    let home = ada.text("/dashboard?read=all").await;
    assert!(home.contains(">All working</a>"), "{home}");
    advance(Duration::from_secs(60)).await;
    let fault = json!({ "platform": "alpha_ads", "operation": "any", "fault": "slow", "ms": 5_000, "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    let refreshed = ada.text("/dashboard?read=now").await;
    assert!(refreshed.contains(">0 of 1 responded</a>") && !refreshed.contains("All working"), "{refreshed}");
    let next = refreshed.split("<meta name=\"goes-on\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let next = next.expect("the page is completed").to_owned();
    assert!(next.starts_with("/dashboard?read=all-"), "{next}");
    let fault = json!({ "platform": "alpha_ads", "operation": "any", "fault": "drop", "times": 50 });
    site.world.control("POST", "faults", &json!({ "platform": "alpha_ads", "operation": "any", "times": 0 })).await;
    site.world.control("POST", "faults", &fault).await;
    let complete = ada.text(&next).await;
    assert!(complete.contains("<p>Google Ads did not answer at <time datetime="), "{complete}");
    assert!(!complete.contains("All working") && complete.contains("1 platform not responding"), "{complete}");
}

/// The sandbox's ad account has campaigns of others.
#[tokio::test(start_paused = true)]
async fn a_new_account_keeps_its_steps_although_its_ad_account_spends() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let account = ada.open_account("alpha_ads").await;
    ada.connect_to("alpha_ads", account.clone()).await;
    let id = site.create(&ada.key().await, "Spring").await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    let mut bob = site.signed_in("bob@example.com").await;
    bob.connect_to("alpha_ads", account).await;
    let home = bob.text("/dashboard?read=all").await;
    assert!(home.contains("1 active") && home.contains("Your first five minutes"), "{home}");
    assert!(home.contains("class=\"button\" href=\"/dashboard/campaigns/new\">Create a campaign</a>"), "{home}");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_that_spends_too_fast_is_on_the_home_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "Spring").await;
    ada.send_form("/dashboard/campaigns/change", &format!("id={id}&back=one&status=ACTIVE")).await;
    let spend = async |amount: &str| {
        let known = site.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
        let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
        let order = json!({ "platform": "alpha_ads", "campaign_id": known["campaigns"][0]["id"], "date": today,
            "spend": amount, "impressions": 10, "clicks": 1 });
        site.world.control("POST", "delivery", &order).await;
    };
    spend("50").await;
    assert!(!ada.text("/dashboard?read=all").await.contains("Spending too fast"), "all of it is not more than it");
    spend("91.23").await;
    advance(Duration::from_mins(5)).await;
    let home = ada.text("/dashboard?read=all").await;
    assert!(home.contains("Spending too fast") && home.contains("1 campaign has spent more today"), "{home}");
    assert!(home.contains("<strong class=\"fast\">"), "{home}");
    assert!(home.contains("Google Ads may spend up to 2 times the daily budget on a day."), "{home}");
    let lower = format!("/dashboard/campaigns?edit={id}&q=Spring&back=home");
    assert!(home.contains(&format!("href=\"{}#budget_amount\">Lower<", lower.replace('&', "&#38;"))), "{home}");
    let form = filled_in(&ada.text(&lower).await, CHANGE, "USD a day", "budget_amount=40");
    assert_eq!(ada.post(CHANGE, &form).await.to(), "/dashboard", "the way back");
    assert!(ada.text("/dashboard").await.contains("budget 50.00 to 40.00 USD."));
    let status = async || {
        let known = site.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
        known["campaigns"][0]["status"].clone()
    };
    let running = status().await;
    assert_eq!(ada.post(CHANGE, &format!("back=home&pause={id}")).await.to(), "/dashboard");
    assert_ne!(status().await, running);
    let home = ada.text("/dashboard").await;
    assert!(home.contains(": nothing is spent until you activate it.") && !home.contains("too-fast"), "{home}");
    let undo = filled_in(&home, "/dashboard/campaigns/undo", "Undo", "");
    assert_eq!(ada.post("/dashboard/campaigns/undo", &undo).await.to(), "/dashboard");
    assert_eq!(status().await, running, "undone");
}

#[tokio::test(start_paused = true)]
async fn keys_are_distinguishable_in_the_list_and_in_the_log() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut ends = Vec::new();
    for name in ["Reporting", "Nightly"] {
        let page = ada.submit("/dashboard/keys", &format!("name={name}&scopes=read&expires=")).await;
        assert!(page.contains("Key created. Copy it now."), "{page}");
        let key = shown_key(&page).expect("a key");
        let end = key[key.len() - 4..].to_owned();
        assert!(page.contains(&format!("<code>…{end}</code>")), "{page}");
        ends.push(end);
        site.log_with_key(&key, "/v1/campaigns").await;
    }
    let listed = ada.get("/dashboard/keys").await.text;
    assert!(ends.iter().all(|end| listed.contains(&format!("…{end}"))), "{listed}");
    let log = ada.get("/dashboard/usage").await.text;
    assert!(log.contains("<bdi>Reporting</bdi>") && log.contains("<bdi>Nightly</bdi>"), "{log}");
    for path in ["/campaigns", "/v1/campaigns", "campaigns"] {
        let found = ada.get(&format!("/dashboard/usage?path={path}")).await.text;
        assert!(
            found.contains("<code>/v1/campaigns</code>") && found.contains(&format!("value=\"{path}\"")),
            "{found}"
        );
    }
}
