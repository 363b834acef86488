//! The pause of everything keeps its undo for a day, on the pages that a person opens next.

use super::browser::{Browser, Site};
use super::bulk_undo::active;
use super::double_clicks::filled_in;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const PAUSE_ALL: &str = "/dashboard/campaigns/pause-all";
const STATUS: &str = "/dashboard/campaigns/status";
const CHANGE: &str = "/dashboard/campaigns/change";
const PAGES: [&str; 3] = ["/dashboard?read=all", "/dashboard/campaigns?read=all", "/dashboard/activity"];

impl Site {
    /// The campaigns that run, by the sandbox's books.
    async fn active_now(&self) -> usize {
        let books = self.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
        let campaigns = books["campaigns"].as_array().expect("a list").iter();
        campaigns.filter(|one| one["status"] != "PAUSED").count()
    }
}

/// Active campaigns with these names, and their pause.
async fn paused(ada: &mut Browser<'_>, names: &[&str]) -> Vec<String> {
    let (_, ids) = active(ada, names).await;
    let page = ada.text(PAUSE_ALL).await;
    let form = filled_in(&page, PAUSE_ALL, &format!("Pause {} campaigns", names.len()), "");
    let outcome = ada.send_form(PAUSE_ALL, &form).await;
    assert!(outcome.contains(&format!("Paused {}.", names.len())), "{outcome}");
    ids
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_everything_is_undone_from_the_next_pages() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    paused(&mut ada, &["A", "B"]).await;
    assert_eq!(site.active_now().await, 0);
    advance(Duration::from_hours(2)).await;
    for page in PAGES {
        let page = ada.text(page).await;
        assert!(page.contains("You paused 2 campaigns at <time datetime="), "{page}");
    }
    let page = ada.text("/dashboard").await;
    let undone = ada.send_form(STATUS, &filled_in(&page, STATUS, "Undo", "")).await;
    assert!(undone.contains("Activated 2."), "{undone}");
    assert_eq!(site.active_now().await, 2);
    for page in PAGES {
        let page = ada.text(page).await;
        assert!(!page.contains("You paused 2"), "it is undone: {page}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_undo_of_a_pause_ends_when_nothing_is_left_to_undo() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let ids = paused(&mut ada, &["A", "B"]).await;
    ada.send_form(CHANGE, &format!("id={}&back=one&status=ACTIVE", ids[0])).await;
    let home = ada.text(PAGES[0]).await;
    assert!(home.contains(" 1 is still paused.") && home.contains(": activate 1 campaign again"), "{home}");
    ada.send_form(CHANGE, &format!("id={}&back=one&status=ACTIVE", ids[1])).await;
    assert!(!ada.text(PAGES[0]).await.contains("You paused"));
}

#[tokio::test(start_paused = true)]
async fn a_pause_is_never_one_of_0_campaigns() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let fault = json!({ "platform": "alpha_ads", "operation": "list", "fault": "throttle", "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.text(PAUSE_ALL).await;
    assert!(page.contains("Pause all active campaigns</button>") && !page.contains("0 campaigns"), "{page}");
    site.world.control("POST", "reset", &json!({})).await;
}
