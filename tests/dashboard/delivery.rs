//! Why a campaign does not run, as a manager finds it: the first page, the list, the page of the campaign.

use super::browser::{Browser, Site};
use crate::world::campaign;
use serde_json::{Value, json};
use shared::domain::Platform;

const ADA: &str = "ada@example.com";
const LIST: &str = "/dashboard/campaigns";
const CHANGE: &str = "/dashboard/campaigns/change";

/// An active campaign of a platform with these ads.
async fn active(ada: &mut Browser<'_>, platform: Platform, name: &str, ads: &[&str]) -> String {
    let key = ada.key().await;
    let id = ada.site.create_as(&key, &campaign(platform.as_str(), name)).await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    let known = ada.site.world.control("GET", &format!("campaigns?platform={platform}"), &Value::Null).await;
    let all = known["campaigns"].as_array().expect("a list");
    let remote = &all.iter().find(|one| one["name"] == name).expect("a campaign")["id"];
    let order = json!({"platform": platform.as_str(), "campaign_id": remote, "ads": ads});
    ada.site.world.control("POST", "ads", &order).await;
    id
}

#[tokio::test(start_paused = true)]
async fn a_manager_finds_why_a_campaign_does_not_run() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let stopped = active(&mut ada, Platform::Alpha, "Spring", &["rejected", "rejected"]).await;
    active(&mut ada, Platform::Alpha, "Summer", &["approved"]).await;
    active(&mut ada, Platform::Alpha, "Autumn", &["in_review"]).await;
    let home = ada.text("/dashboard?read=all").await;
    assert!(home.contains("2 active campaigns are not running"), "{home}");
    assert!(home.contains("Not running: 2 ads rejected"), "{home}");
    let list = ada.text(&format!("{LIST}?read=all")).await;
    assert!(list.contains("Not running: 2 ads rejected") && list.contains("Not yet running: 1 ad in review"), "{list}");
    let filtered = ada.text(&format!("{LIST}?status=NOT_RUNNING")).await;
    assert_eq!(filtered.matches("<tr id=\"c-").count(), 2, "{filtered}");
    assert!(filtered.contains("Not running</option>") && !filtered.contains("Summer"), "{filtered}");
    let page = ada.text(&format!("{LIST}/one?id={stopped}")).await;
    assert!(page.contains("2 ads rejected") && page.contains("A review has rejected ads."), "{page}");
    assert!(page.contains("2 ads, 0 of them can run."), "{page}");
    let csv = ada.text(&format!("{LIST}/csv?status=NOT_RUNNING")).await;
    assert_eq!(csv.trim().lines().count(), 3, "a heading and two campaigns: {csv}");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_that_may_be_shown_is_not_named() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let shown = active(&mut ada, Platform::Alpha, "Summer", &["approved"]).await;
    let home = ada.text("/dashboard?read=all").await;
    assert!(!home.contains("not running"), "{home}");
    let list = ada.text(&format!("{LIST}?read=all")).await;
    assert!(!list.contains("Not running:") && !list.contains("Not yet running:"), "{list}");
    let page = ada.text(&format!("{LIST}/one?id={shown}")).await;
    assert!(
        page.contains("Can run") && page.contains("1 ad, which can run.") && !page.contains("may be shown"),
        "{page}"
    );
    ada.send_form(CHANGE, &format!("id={shown}&back=one&status=PAUSED")).await;
    let page = ada.text(&format!("{LIST}/one?id={shown}")).await;
    assert!(!page.contains("id=\"delivery\""), "a campaign that is off says so by its status: {page}");
}
