//! Pauses of ticked campaigns and of one alone while a platform does not answer, or where one of them is gone.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use crate::world::campaign;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant};

const ADA: &str = "ada@example.com";
const LIST: &str = "/dashboard/campaigns?read=all";
const MANY: &str = "/dashboard/campaigns/many";
const CHANGE: &str = "/dashboard/campaigns/change";
const UNDO: &str = "/dashboard/campaigns/undo";
const DELETE: &str = "/dashboard/campaigns/delete";
const SILENT: &str = "delta_ads";

impl Site {
    /// Whether the only campaign of a platform runs, by the sandbox's books.
    async fn is_active(&self, platform: &str) -> bool {
        let books = self.world.control("GET", &format!("campaigns?platform={platform}"), &Value::Null).await;
        ["ACTIVE", "ENABLED"].map(Value::from).contains(&books["campaigns"][0]["status"])
    }
}

/// An active campaign of Google Ads and one of LinkedIn, as the list keeps them.
async fn two_active(ada: &mut Browser<'_>) -> [String; 2] {
    let key = ada.begin_work().await;
    ada.connect(SILENT).await;
    let healthy = ada.site.create(&key, "Healthy").await;
    let silent = ada.site.create_as(&key, &campaign(SILENT, "Silent")).await;
    for id in [&healthy, &silent] {
        ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    }
    assert!(ada.site.is_active("alpha_ads").await && ada.site.is_active(SILENT).await);
    ada.text(LIST).await;
    [healthy, silent]
}

#[tokio::test(start_paused = true)]
async fn ticked_campaigns_pause_where_platforms_answer_and_are_tried() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let [healthy, silent] = two_active(&mut ada).await;
    site.break_down(SILENT, "any", "error").await;
    let page = ada.send_form(MANY, &format!("ids={healthy}&ids={silent}&pause=yes")).await;
    assert!(page.contains("Paused 1, 1 is on its way.") && page.contains("<bdi>Silent</bdi>"), "{page}");
    assert!(page.contains("LinkedIn has not confirmed it yet. It is tried again for a week."), "{page}");
    assert!(!site.is_active("alpha_ads").await && site.is_active(SILENT).await);
    assert!(page.contains("aria-label=\"Cancel the change of Silent\""), "{page}");
    let list = ada.text(LIST).await;
    assert!(list.contains("1 active, ") && list.contains("<small>pause on its way</small>"), "it still runs: {list}");
    assert!(ada.text("/dashboard/activity").await.contains(">On its way</span>"));
    site.world.control("POST", "faults", &json!({ "platform": SILENT, "operation": "any", "times": 0 })).await;
    site.minutes(15).await;
    assert!(!site.is_active(SILENT).await, "it was tried until the platform answered");
}

#[tokio::test(start_paused = true)]
async fn the_page_of_a_silent_campaign_has_what_was_kept_and_its_pause() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let [_, silent] = two_active(&mut ada).await;
    let page = format!("/dashboard/campaigns/one?id={silent}");
    assert!(!ada.text(&page).await.contains("does not answer"));
    // It hangs: the page does not wait until it has no time left.
    let fault = json!({ "platform": SILENT, "operation": "any", "fault": "slow", "ms": 60_000, "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    let start = Instant::now();
    let shown = ada.text(&page).await;
    assert!(start.elapsed() < Duration::from_secs(9), "{:?}", start.elapsed());
    for text in [
        "<strong>LinkedIn does not answer.</strong> These are the values as of ",
        "<bdi>Silent</bdi>",
        "badge good\">Active",
        "value=\"50.00\"",
        "A pause is kept and tried until LinkedIn answers, for a week.",
        "&wait=all\">Ask again</a>",
        "<span class=\"label\">Is it running?</span><strong class=\"figure\">Not known</strong>",
        "<h2 id=\"results\">Spend and clicks by day</h2>",
        "<dt>Goal</dt><dd>Cannot be read now</dd>",
        "<dt>End</dt><dd>no end date</dd>",
    ] {
        assert!(shown.contains(text) || shown.contains(&text.replace('&', "&#38;")), "{text}: {shown}");
    }
    assert!(!shown.contains("id=\"days\"") && !shown.contains("role=\"alert\""), "{shown}");
    site.world.control("POST", "faults", &json!({ "platform": SILENT, "operation": "any", "times": 0 })).await;
    site.break_down(SILENT, "any", "error").await;
    let form = filled_in(&shown, CHANGE, "id=\"switch\"", "status=PAUSED");
    let paused = ada.send_form(CHANGE, &form).await;
    assert!(paused.contains("is not paused yet: LinkedIn has not confirmed it. The pause is tried again"), "{paused}");
    site.world.control("POST", "faults", &json!({ "platform": SILENT, "operation": "any", "times": 0 })).await;
    site.minutes(15).await;
    assert!(!site.is_active(SILENT).await, "it was tried until the platform answered");
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_one_row_is_tried_as_one_of_ticked_campaigns() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let [_, silent] = two_active(&mut ada).await;
    site.break_down(SILENT, "any", "error").await;
    let page = ada.send_form(CHANGE, &format!("back=list&pause={silent}")).await;
    let tried = "is not paused yet: LinkedIn has not confirmed it. The pause is tried again for a week";
    assert!(page.contains(tried) && page.contains(">Undo</button>"), "{page}");
    assert!(site.is_active(SILENT).await);
    let list = ada.text(LIST).await;
    assert!(list.contains("<small>pause on its way</small>"), "{list}");
    site.world.control("POST", "faults", &json!({ "platform": SILENT, "operation": "any", "times": 0 })).await;
    site.minutes(15).await;
    assert!(!site.is_active(SILENT).await, "it was tried until the platform answered");
}

#[tokio::test(start_paused = true)]
async fn a_tried_pause_of_one_row_can_be_given_up() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let [_, silent] = two_active(&mut ada).await;
    site.break_down(SILENT, "any", "error").await;
    let page = ada.send_form(CHANGE, &format!("back=list&pause={silent}")).await;
    let page = ada.send_form(UNDO, &filled_in(&page, UNDO, "Undo", "")).await;
    assert!(page.contains("the change is canceled"), "{page}");
    site.world.control("POST", "faults", &json!({ "platform": SILENT, "operation": "any", "times": 0 })).await;
    site.minutes(15).await;
    assert!(site.is_active(SILENT).await, "it runs on");
}

#[tokio::test(start_paused = true)]
async fn what_a_refused_pause_had_ticked_stays_ticked() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let [healthy, gone] = two_active(&mut ada).await;
    ada.send_form(DELETE, &format!("id={gone}&back=one")).await;
    let page = ada.send_form(MANY, &format!("ids={healthy}&ids={gone}&pause=yes&list=sort%3Dname")).await;
    assert!(page.contains("No campaign was paused.") && !page.contains("Request <code>"), "{page}");
    assert!(page.contains(&format!("value=\"{healthy}\" checked")), "{page}");
    assert!(site.is_active("alpha_ads").await, "nothing was done");
}
