//! Sums while a platform is silent: they are lower bounds, and say what is missing and since when.

use super::browser::{Browser, Site};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const HOME: &str = "/dashboard?read=all";
const LIST: &str = "/dashboard/campaigns?read=all";

impl Site {
    /// The platform that has the only campaign fails from now on.
    async fn fall_silent(&self) {
        let fault = json!({ "platform": "alpha_ads", "operation": "any", "fault": "throttle", "times": 1_000 });
        self.world.control("POST", "faults", &fault).await;
    }
}

/// A campaign that has spent today, by the sandbox's books.
async fn spending(ada: &mut Browser<'_>) {
    let account = ada.open_account("alpha_ads").await;
    ada.consent_to("alpha_ads", account).await;
    let key = ada.key().await;
    ada.site.create(&key, "Spring").await;
    let known = ada.site.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
    let today = TimeZone::UTC.to_datetime(ada.site.app.clock.now()).date();
    let order = json!({ "platform": "alpha_ads", "campaign_id": known["campaigns"][0]["id"], "date": today,
        "spend": "31.25", "impressions": 10, "clicks": 1 });
    ada.site.world.control("POST", "delivery", &order).await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_platform_makes_each_sum_a_lower_bound() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    spending(&mut ada).await;
    let (home, list) = (ada.text(HOME).await, ada.text(LIST).await);
    assert!(
        home.contains("<strong class=\"figure\">31.25 USD</strong>") && home.contains(">Updated just now. "),
        "{home}"
    );
    assert!(list.contains("USD 31.25 today") && !list.contains("at least"), "{list}");
    site.fall_silent().await;
    advance(Duration::from_mins(10)).await;
    let (home, list) = (ada.text(&format!("{HOME}?read=now")).await, ada.text(LIST).await);
    let since = "Google Ads as of <time datetime=";
    let tile = format!("<strong class=\"figure\">at least 31.25 USD</strong><span class=\"fine\">{since}");
    assert!(home.contains(&tile) && !home.contains("just now"), "{home}");
    assert!(home.contains("Not up to date, Google Ads as of <time datetime="), "{home}");
    assert!(list.contains("Not up to date, Google Ads as of <time datetime="), "the same words: {list}");
    assert!(list.contains("USD at least 31.25 today, "), "{list}");
    assert_eq!(list.matches(since).count(), 1, "above the list it stands once: {list}");
    assert!(
        !home.contains("Nothing was sent") && !list.contains("Nothing was sent"),
        "a reading sends nothing: {list}"
    );
    site.world.control("POST", "reset", &json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn before_anything_is_known_there_is_a_dash_and_no_zero() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let account = ada.open_account("alpha_ads").await;
    ada.consent_to("alpha_ads", account).await;
    site.fall_silent().await;
    let home = ada.text(HOME).await;
    assert!(home.contains("– active") && !home.contains(">0 active"), "{home}");
    assert!(
        home.contains("<strong class=\"figure\">–</strong><span class=\"fine\">without Google Ads</span>"),
        "{home}"
    );
    assert!(home.contains("No data yet."), "{home}");
    site.world.control("POST", "reset", &json!({})).await;
}
