//! The insights of a person: totals and tabs, and a platform that is slow.

use super::browser::{Browser, Site};
use crate::world::campaign;
use http::StatusCode;
use jiff::ToSpan;
use jiff::tz::TimeZone;
use serde_json::json;
use tokio::time::{Duration, Instant, advance};

const ADA: &str = "ada@example.com";
const INSIGHTS: &str = "/dashboard/insights";

/// The cells of the table on a page, row by row.
fn table(page: &str) -> Vec<Vec<String>> {
    let body = page.split("<table class=\"report\">").nth(1).unwrap_or_default();
    let body = body.split("<tbody>").nth(1).and_then(|rest| rest.split("</tbody>").next()).unwrap_or_default();
    let text = |cell: &str| -> String {
        cell.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
    };
    let row = |row: &str| row.replace("</th>", "</td>").split("</td>").map(text).collect::<Vec<_>>();
    body.split("<tr>").skip(1).map(row).collect()
}

/// The spend in the total of a currency.
fn total<'a>(page: &'a str, currency: &str) -> Option<&'a str> {
    let section = page.split(&format!("Total in {currency}")).nth(1)?;
    section.split("<span class=\"figure\">").nth(1)?.split('<').next()
}

impl Browser<'_> {
    /// Connects platforms with a campaign each, which spent money in the last 20 days.
    pub(super) async fn advertise(&mut self, platforms: &[&str]) {
        let mut key = String::new();
        for platform in platforms {
            self.connect(platform).await;
            if key.is_empty() {
                let form = "name=Nightly&scopes=read&scopes=write&expires=";
                key = super::actions::shown_key(&self.submit("/dashboard/keys", form).await).expect("a key");
            }
            self.site.create_as(&key, &campaign(platform, &format!("=Spring {platform}"))).await;
            let order = json!({ "platform": platform, "seed": 7, "days": 20 });
            self.site.world.control("POST", "delivery", &order).await;
        }
    }

    pub(super) async fn shown(&mut self, path: &str) -> String {
        let shown = self.get(path).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
        shown.text
    }
}

#[tokio::test(start_paused = true)]
async fn the_insights_page_has_a_total_and_tabs() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.advertise(&["alpha_ads", "beta_ads"]).await;
    let page = ada.shown(&format!("{INSIGHTS}?wait=all")).await;
    let spend = total(&page, "USD").expect("a total").to_owned();
    assert!(!page.contains("http-equiv") && page.matches("<svg").count() == 1, "{page}");
    let rows = table(&page);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|row| row[1] == "USD" && row[3].ends_with('%')), "{rows:?}");

    let campaigns = ada.shown(&format!("{INSIGHTS}?by=campaign&wait=all")).await;
    let names: Vec<String> = table(&campaigns).into_iter().map(|row| row[0].clone()).collect();
    assert!(names.iter().all(|name| name.starts_with("=Spring ")), "{names:?}");
    assert_eq!(total(&campaigns, "USD"), Some(spend.as_str()));
    assert!(campaigns.contains(r#"aria-current="true">Campaign</a>"#), "{campaigns}");
    let longer = ada.shown(&format!("{INSIGHTS}?days=14&by=account&wait=all")).await;
    assert_ne!(total(&longer, "USD"), Some(spend.as_str()));
    let wrong = ada.shown(&format!("{INSIGHTS}?from=2026-02-30&to=%3Cb%3E")).await;
    assert!(wrong.contains("Choose the first and the last day.") && wrong.contains("value=\"2026-02-30\""), "{wrong}");

    let mut bob = site.signed_in("bob@example.com").await;
    let nothing = bob.shown(&format!("{INSIGHTS}?wait=all")).await;
    assert!(nothing.contains("No ad account is connected yet") && !nothing.contains("<svg"), "of another customer");
    bob.advertise(&["alpha_ads"]).await;
    let own = bob.shown(&format!("{INSIGHTS}?wait=all")).await;
    assert_eq!(table(&own).len(), 1, "{own}");
}

/// The headings of the table.
fn headings(page: &str) -> Vec<String> {
    let head = page.split("<table class=\"report\">").nth(1).and_then(|rest| rest.split("</thead>").next());
    let text = |link: &str| {
        link.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default().trim().to_owned()
    };
    head.unwrap_or_default().split("<a ").skip(1).map(text).collect()
}

#[tokio::test(start_paused = true)]
async fn the_file_has_the_columns_of_the_table_which_is_below_the_totals() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let key = ada.key().await;
    site.create_as(&key, &campaign("alpha_ads", "Spring")).await;
    let listed = site.world.control("GET", "campaigns?platform=alpha_ads", &json!(null)).await;
    let day = TimeZone::UTC.to_datetime(site.app.clock.now()).date().saturating_sub(3.days());
    let order = json!({ "platform": "alpha_ads", "campaign_id": listed["campaigns"][0]["id"], "date": day, "spend": "30",
        "impressions": 1_000, "clicks": 10, "conversions": "4", "conversion_value": "75" });
    site.world.control("POST", "delivery", &order).await;
    let page = ada.shown(&format!("{INSIGHTS}?by=campaign&wait=all")).await;
    assert!(page.find("Total in USD") < page.find("<table class=\"report\">"), "{page}");
    let row = &table(&page)[0];
    assert_eq!(row[1..12], ["USD", "30.00", "–", "1,000", "10", "1.00%", "3.00", "4", "7.50", "75.00", "2.50"]);
    assert!(page.contains("Most in a day: 30.00 USD. The scale is from 0 to 40.00 USD."), "{page}");
    let file = ada.shown(&format!("{INSIGHTS}/csv?by=campaign")).await;
    let titles: Vec<&str> = file.lines().next().expect("titles").split(',').collect();
    let at = |heading: &String| titles.iter().position(|title| title.trim_end_matches(" (%)") == heading);
    let places: Vec<usize> = headings(&page).iter().filter_map(at).collect();
    assert!(places.len() == headings(&page).len() && places.is_sorted(), "{titles:?} of {:?}", headings(&page));
    let numbers = format!(",USD,30.00,,,1000,10,1.00,3.00,4,7.50,75.00,2.50,{},complete,\r\n", site.app.clock.now());
    assert!(file.contains(&numbers), "{file}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_platform_delays_neither_the_others_nor_the_next_request() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.advertise(&["alpha_ads", "beta_ads"]).await;
    let slow = json!({ "platform": "beta_ads", "operation": "any", "fault": "slow", "ms": 5_000, "times": 1_000 });
    site.world.control("POST", "faults", &slow).await;
    let begun = Instant::now();
    let first = ada.shown(INSIGHTS).await;
    assert!(begun.elapsed() <= Duration::from_millis(1_000), "{:?}", begun.elapsed());
    assert_eq!(table(&first).len(), 1, "{first}");
    assert!(first.contains("Still waiting for these ad accounts") && first.contains("<bdi>Meta: "), "{first}");
    assert!(first.contains("<meta name=\"goes-on\" content=\"/dashboard/insights?days=7"), "{first}");

    let second = ada.shown(&format!("{INSIGHTS}?wait=all")).await;
    assert_eq!(table(&second).len(), 2, "{second}");
    assert!(!second.contains("goes-on"), "{second}");
    assert!(begun.elapsed() < Duration::from_secs(19), "the reading of the first page goes on: {:?}", begun.elapsed());

    let begun = Instant::now();
    let third = ada.shown(INSIGHTS).await;
    assert!(begun.elapsed() < Duration::from_millis(100), "{:?}", begun.elapsed());
    assert_eq!(table(&third).len(), 2, "{third}");
    assert!(third.contains("Refresh") && !third.contains("goes-on"), "{third}");
}

#[tokio::test(start_paused = true)]
async fn a_total_without_a_platform_is_a_lower_bound_without_a_difference() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.advertise(&["alpha_ads", "beta_ads"]).await;
    let fault = json!({ "platform": "beta_ads", "operation": "any", "fault": "error", "times": 1_000 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.shown(&format!("{INSIGHTS}?wait=all")).await;
    let rows = table(&page);
    assert_eq!((rows.len(), rows[0][2].starts_with("at least")), (1, false), "Google Ads is whole: {rows:?}");
    let figure = format!("at least {}</span> </dd>", rows[0][2]);
    assert!(total(&page, "USD").is_some_and(|spend| spend.starts_with("at least")) && page.contains(&figure), "{page}");
    assert!(page.contains("<p class=\"fine\">At least, without Meta"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn the_last_numbers_stay_while_a_platform_fails() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.advertise(&["alpha_ads"]).await;
    let good = ada.shown(&format!("{INSIGHTS}?wait=all")).await;
    advance(Duration::from_secs(400)).await;
    let fault = json!({ "platform": "alpha_ads", "operation": "any", "fault": "error", "times": 1_000 });
    site.world.control("POST", "faults", &fault).await;
    let failed = ada.shown(&format!("{INSIGHTS}?wait=all")).await;
    let mut as_before = table(&good);
    as_before[0][0].push_str(" · as of 12:00 UTC");
    assert_eq!(table(&failed), as_before, "{failed}");
    assert!(failed.contains("Its numbers are as of "), "{failed}");
}
