//! Late scheduled changes on the home page.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use super::scheduled_changes::Time;
use crate::world::campaign;
use serde_json::{Value, json};
use shared::domain::EventFilters;

const HOME: &str = "/dashboard";
const CANCEL: &str = "/dashboard/activity/cancel";
const HEADING: &str = "Late scheduled changes";

async fn take_down(site: &Site, platform: &str) {
    let fault = json!({ "platform": platform, "operation": "any", "fault": "error", "times": 100 });
    site.world.control("POST", "faults", &fault).await;
}

async fn is_told_once(site: &Site, ada: &mut Browser<'_>) {
    site.minutes(4).await;
    assert!(ada.text(HOME).await.contains(HEADING));
    let (store, now) = (&site.app.store, site.app.clock.now());
    let page = store.events(ada.customer(), &EventFilters::default(), None, 50, now).await.expect("a read");
    let late = page.events.iter().filter(|event| event.kind.as_str() == "change.late").count();
    assert_eq!(late, 1);
}

#[tokio::test(start_paused = true)]
async fn a_late_change_is_on_the_home_page_until_it_is_canceled() {
    let site = Site::new().await;
    let mut ada = site.signed_in("ada@example.com").await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let Time { typed, .. } = site.ahead(5);
    ada.send_form("/dashboard/campaigns/change", &format!("id={id}&back=one&status=ACTIVE&apply_at={typed}")).await;
    take_down(&site, "alpha_ads").await;
    site.minutes(6).await;
    assert!(!ada.text(HOME).await.contains(HEADING), "it is due, and not late yet");
    is_told_once(&site, &mut ada).await;
    let page = ada.text(HOME).await;
    assert!(
        page.contains("<bdi>a campaign of Google Ads: Account 6 in USD</bdi></a></strong>: <bdi>Activate</bdi>"),
        "{page}"
    );
    let form = filled_in(&page, CANCEL, "Cancel", "");
    let other = site.signed_in("bob@example.com").await.send_form(CANCEL, &form).await;
    assert!(other.contains("role=\"alert\""), "{other}");
    let page = ada.send_form(CANCEL, &form).await;
    assert!(page.contains("The change is canceled"), "{page}");
    assert!(!ada.text(HOME).await.contains(HEADING));
}

#[tokio::test(start_paused = true)]
async fn a_late_held_end_is_on_the_home_page_until_it_is_applied() {
    let site = Site::new().await;
    let mut ada = site.signed_in("ada@example.com").await;
    ada.connect("beta_ads").await;
    let key = ada.key().await;
    let mut body = campaign("beta_ads", "Ending");
    body["end_at"] = Value::from(format!("{}:00Z", site.ahead(10).typed));
    let id = site.create_as(&key, &body).await;
    ada.send_form("/dashboard/campaigns/change", &format!("id={id}&back=one&status=ACTIVE")).await;
    take_down(&site, "beta_ads").await;
    site.minutes(10).await;
    is_told_once(&site, &mut ada).await;
    site.world.control("POST", "reset", &json!({})).await;
    site.minutes(62).await;
    assert!(!ada.text(HOME).await.contains(HEADING));
}
