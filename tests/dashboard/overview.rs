//! The list of campaigns with its numbers: cached for minutes, shown while platforms fail or are slow, and current after
//! a change on the dashboard.

use super::browser::{Browser, Site};
use crate::in_process::{clock, clock_from};
use crate::world::campaign;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan};
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, advance};

const ADA: &str = "ada@example.com";
const LIST: &str = "/dashboard/campaigns";
const CHANGE: &str = "/dashboard/campaigns/change";

impl Site {
    async fn fault(&self, platform: &str, operation: &str, fault: &str) {
        let fault = json!({ "platform": platform, "operation": operation, "fault": fault, "times": 50 });
        self.world.control("POST", "faults", &fault).await;
    }
}

/// The number of campaigns in a list.
fn rows(page: &str) -> usize {
    page.matches("<tr id=\"c-").count()
}

/// An active campaign that has spent for some days.
async fn spending(ada: &mut Browser<'_>) -> String {
    let key = ada.begin_work().await;
    let id = ada.site.create(&key, "Spring").await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    let order = json!({ "platform": "alpha_ads", "seed": 7, "days": 3 });
    ada.site.world.control("POST", "delivery", &order).await;
    id
}

#[tokio::test(start_paused = true)]
async fn the_list_has_the_numbers_of_its_campaigns() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let id = spending(&mut ada).await;
    site.create(&ada.key().await, "Winter").await;
    // The page after the consent has read the ad account, and a person's wish serves for ten seconds.
    advance(Duration::from_secs(11)).await;
    let page = ada.text(&format!("{LIST}?read=now")).await;
    assert_eq!(rows(&page), 2, "{page}");
    assert!(page.contains(&format!("<tr id=\"c-{id}\">")) && page.contains("1 active, 1 paused"), "{page}");
    assert!(
        page.contains("<svg role=\"img\" aria-label=\"14 days: 0.00 to ") && page.contains("of the daily budget"),
        "{page}"
    );
    assert!(page.contains("Updated just now.") && page.contains("1–2 of 2"), "{page}");
    let chosen = ada.text(&format!("{LIST}?q=SPRING&cols=week.impressions.ctr")).await;
    assert!(chosen.contains(">1 campaign that matches</th>") && rows(&chosen) == 1, "{chosen}");
    for column in ["Spend, 7 days", "Impressions", "CTR"] {
        let cells: Vec<&str> = chosen.split(&format!("<td data-label=\"{column}\">")).skip(1).collect();
        assert!(cells.len() == 2 && cells.iter().all(|cell| !cell.starts_with('–')), "{column}: {chosen}");
        let text = |cell: &str| cell.split('<').next().unwrap_or_default().to_owned();
        assert_eq!(text(cells[0]), text(cells[1]), "the total of one is that one: {column}");
    }
    assert!(!chosen.contains("data-label=\"Clicks\""), "{chosen}");
    assert_eq!(rows(&ada.text(&format!("{LIST}?q=WINT")).await), 1);
    assert_eq!(rows(&ada.text(&format!("{LIST}?status=PAUSED&sort=-clicks")).await), 1);
    assert!(ada.text(&format!("{LIST}?q=autumn")).await.contains("No campaigns match these filters."));
}

/// 23:00 in UTC: in Tokyo it is the next day already. Reddit counts in UTC nevertheless, and Meta as its account does.
#[tokio::test(start_paused = true)]
async fn today_and_seven_days_are_the_same_days_on_every_page() {
    for (platform, account, is_ahead) in
        [("zeta_ads", "a2_h8rbr0002", false), ("beta_ads", "act_1203004005006002", true)]
    {
        let late = clock(1).now() + SignedDuration::from_hours(11);
        let site = Site::at(clock_from(late)).await;
        let mut ada = site.signed_in(ADA).await;
        ada.connect_to(platform, account.to_owned()).await;
        let mut body = campaign(platform, "Spring");
        body["budget_amount"] = json!(5000);
        let id = site.create_as(&ada.key().await, &body).await;
        let known = site.world.control("GET", &format!("campaigns?platform={platform}"), &Value::Null).await;
        let remote = &known["campaigns"][0]["id"];
        let utc = TimeZone::UTC.to_datetime(late).date();
        let today = if is_ahead { utc.tomorrow().expect("a day") } else { utc };
        for (back, spend) in [(0_i64, "300"), (1, "7000"), (7, "40"), (8, "90000"), (14, "40"), (15, "5")] {
            let order = json!({ "platform": platform, "campaign_id": remote, "date": today.saturating_sub(back.days()),
                "spend": spend, "impressions": 10, "clicks": 1 });
            site.world.control("POST", "delivery", &order).await;
        }
        advance(Duration::from_secs(11)).await;
        let list = ada.text(&format!("{LIST}?read=now")).await;
        assert!(list.contains("JPY 300 today, 7,040 in the last 7 days"), "{platform}: {list}");
        let home = ada.text("/dashboard?read=all").await;
        for spent in ["<strong class=\"figure\">300 JPY", "<strong class=\"figure\">7,040 JPY"] {
            assert!(home.contains(spent), "{platform}: {home}");
        }
        let page = ada.text(&format!("{LIST}/one?id={id}")).await;
        assert!(page.contains("7,040 JPY spent and 2 clicks"), "{platform}: {page}");
        let insights = ada.text("/dashboard/insights?wait=all").await;
        assert!(insights.contains("<span class=\"figure\">7,040</span>"), "{platform}: {insights}");
        let first = today.saturating_sub(7.days());
        let last = today.saturating_sub(1.day());
        let csv = ada.text("/dashboard/insights/csv").await;
        assert!(csv.contains(&format!("{first},{last},")) && csv.contains(",7040,90040,"), "{platform}: {csv}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_recent_read_is_reused() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "A").await;
    ada.text(LIST).await;
    site.create(&key, "B").await;
    assert_eq!(rows(&ada.text(LIST).await), 1, "it was read a moment ago");
    advance(Duration::from_secs(11)).await;
    assert_eq!(rows(&ada.text(LIST).await), 2, "a program has changed it");
    advance(Duration::from_secs(60)).await;
    let again = format!("{LIST}?read=now");
    let page = ada.text(LIST).await;
    assert!(page.contains("Updated 1 minute ago.") && page.contains(&format!("href=\"{again}\"")), "{page}");
    assert!(ada.text(&again).await.contains("Updated just now."));
    site.create(&key, "C").await;
    advance(Duration::from_secs(180)).await;
    assert_eq!(rows(&ada.text(LIST).await), 3);
}

#[tokio::test(start_paused = true)]
async fn an_account_that_fails_keeps_its_rows_and_says_why() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "A").await;
    assert_eq!(rows(&ada.text(LIST).await), 1);
    site.fault("alpha_ads", "list", "throttle").await;
    advance(Duration::from_secs(300)).await;
    let page = ada.text(LIST).await;
    assert_eq!(rows(&page), 1, "{page}");
    assert!(page.contains("Google Ads asks us to slow down."), "{page}");
    assert!(page.contains("Last updated 5 minutes ago.") && !page.contains("did not answer"), "{page}");
    site.world.control("POST", "reset", &json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_platform_does_not_delay_the_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "A").await;
    ada.connect("beta_ads").await;
    let fault = json!({ "platform": "beta_ads", "operation": "list", "fault": "slow", "times": 50, "ms": 9_000 });
    site.world.control("POST", "faults", &fault).await;
    let began = Instant::now();
    let page = ada.get(LIST).await.text;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(rows(&page), 1, "{page}");
    assert!(page.contains("Still waiting for <bdi>Meta: "), "{page}");
    assert!(page.contains("<strong>Updating: 1 of 2 read</strong>") && !page.contains(">Refresh</a>"), "{page}");
    let complete = format!("{LIST}?read=all");
    assert!(page.contains(&format!("<meta name=\"goes-on\" content=\"{complete}\"><noscript><meta")), "{page}");
    let page = ada.get(&complete).await.text;
    assert!(!page.contains("Still waiting") && !page.contains("goes-on"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_change_is_in_the_list_at_once() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    assert!(ada.text(LIST).await.contains(">Paused</span>"));
    // The change was applied, even if the platform still returns the old values.
    let slow = |times: u32| json!({ "platform": "alpha_ads", "operation": "list", "fault": "error", "times": times });
    site.world.control("POST", "faults", &slow(50)).await;
    let page = ada.send_form(CHANGE, &format!("id={id}&back=list&status=ACTIVE")).await;
    assert!(page.contains(">Active</span>") && page.contains("1 active, 0 paused"), "{page}");
    site.world.control("POST", "reset", &json!({})).await;
    let page = ada.send_form("/dashboard/campaigns/delete", &format!("id={id}&list=status%3DACTIVE")).await;
    assert_eq!(rows(&page), 0, "{page}");
}

#[tokio::test(start_paused = true)]
async fn starting_a_consent_refreshes_the_list() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "A").await;
    assert_eq!(rows(&ada.text(LIST).await), 1);
    site.create(&key, "B").await;
    ada.text("/dashboard/connections?status=error").await;
    assert_eq!(rows(&ada.text(LIST).await), 1, "a page that is only read notes nothing");
    ada.post("/dashboard/connections", "platform=alpha_ads").await;
    assert_eq!(rows(&ada.text(LIST).await), 2);
}
