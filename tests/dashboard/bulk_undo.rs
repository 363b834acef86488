//! The undo of a bulk change with one button, except for campaigns that changed since.

use super::browser::{Browser, Site};
use super::double_clicks::{another_process, at, filled_in};
use super::scheduled_changes::page_of;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::advance;

const ADA: &str = "ada@example.com";
const ACTIVITY: &str = "/dashboard/activity";
const LIST: &str = "/dashboard/campaigns";
const MANY: &str = "/dashboard/campaigns/many";
const STATUS: &str = "/dashboard/campaigns/status";
const UNDO: &str = "/dashboard/campaigns/undo";
const CHANGE: &str = "/dashboard/campaigns/change";

/// The key of a program, and active campaigns with these names.
pub(super) async fn active(ada: &mut Browser<'_>, names: &[&str]) -> (String, Vec<String>) {
    let key = ada.begin_work().await;
    let mut ids = Vec::new();
    for name in names {
        let id = ada.site.create(&key, name).await;
        ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
        ids.push(id);
    }
    (key, ids)
}

impl Browser<'_> {
    /// Pauses campaigns; returns the page of the outcome.
    async fn paused(&mut self, ids: &[String]) -> String {
        let ids: String = ids.iter().map(|id| format!("ids={id}&")).collect();
        let page = self.text(&format!("{MANY}?{ids}do=pause")).await;
        let form = filled_in(&page, MANY, "Pause ", "");
        self.send_form(MANY, &form).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_bulk_pause_is_undone_with_one_click() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let (_, ids) = active(&mut ada, &["A", "B"]).await;
    let page = ada.paused(&ids).await;
    assert!(page.contains("Paused 2."), "{page}");
    let undo = filled_in(&page, STATUS, "Undo: activate 2 campaigns again", "");
    let (mut left, mut right) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(left.post(STATUS, &undo), right.post(STATUS, &undo));
    assert_eq!(a.to(), b.to(), "a double click is one bulk change");
    let page = left.text(a.to()).await;
    assert!(page.contains("The undo has begun: 2 campaigns are activated again."), "{page}");
    assert!(page.contains("Activated 2.") && page.contains("Undo: pause 2 campaigns again"), "{page}");
    assert!(ada.text(LIST).await.contains("2 active, 0 paused"));
    let again = ada.send_form(STATUS, &undo).await;
    assert!(again.contains("Activated 2."), "a third click leads to the same change: {again}");
    assert!(ada.text(LIST).await.contains("2 active, 0 paused"));
}

#[tokio::test(start_paused = true)]
async fn a_bulk_pause_is_one_entry_of_the_activity() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, ids) = active(&mut ada, &["A", "B"]).await;
    let page = ada.paused(&ids).await;
    let rows = ada.rows(ACTIVITY).await;
    let entry = "|Paused 2 campaigns / −100.00 USD a day together|2 campaigns / Google Ads|";
    assert!(rows[0].contains(entry) && rows[0].contains("See all or undo"), "{rows:?}");
    assert!(rows[1..3].iter().all(|row| row.contains("|Paused|") && row.contains("Undo of ")), "{rows:?}");
    let alone = ada.rows(&format!("{ACTIVITY}?campaign_id={}", ids[0])).await;
    assert!(alone[0].contains("|Paused|") && alone[0].contains("See the whole change"), "{alone:?}");
    let file = ada.text(&format!("{ACTIVITY}/csv?kind=update&state=applied")).await;
    assert_eq!(file.matches(",Paused,").count(), 2, "each campaign has its row: {file}");

    ada.send_form(STATUS, &filled_in(&page, STATUS, "Undo: activate 2 campaigns again", "")).await;
    let rows = ada.rows(ACTIVITY).await;
    let paused = rows.iter().find(|row| row.contains("Paused 2 campaigns")).expect("the entry");
    assert!(rows[0].contains("|Activated 2 campaigns / +100.00 USD a day together|"), "{rows:?}");
    assert!(paused.contains("Undone by you ") && !paused.contains("undo it"), "{paused}");
}

/// The number of campaigns that run, by the books of the sandbox.
async fn running(site: &Site) -> usize {
    let books = site.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
    let books = books["campaigns"].as_array().expect("campaigns");
    books.iter().filter(|one| one["status"] != "PAUSED").count()
}

/// The value of the first field with a name.
fn field<'a>(page: &'a str, name: &str) -> &'a str {
    let rest = page.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap_or_else(|| panic!("no {name}: {page}"));
    rest.split('"').next().expect("a value")
}

#[tokio::test(start_paused = true)]
async fn one_campaign_of_a_bulk_change_is_undone_in_its_row() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, ids) = active(&mut ada, &["A", "B"]).await;
    let page = ada.paused(&ids).await;
    let both = "<td data-label=\"Before\">Active</td><td data-label=\"After\">Paused</td>";
    assert!(page.matches(both).count() == 2 && page.matches("name=\"change\"").count() == 2, "{page}");
    let form = format!("of={}&change={}&list=sort%3Dname", field(&page, "of"), field(&page, "change"));
    let back = ada.post(UNDO, &form).await.to().to_owned();
    assert!(back.starts_with(STATUS) && back.ends_with("&list=sort%3Dname"), "the same page: {back}");
    let page = ada.text(&back).await;
    assert!(page.contains("Undone. Activated “") && page.contains(">Undone by you "), "{page}");
    assert!(page.contains("Paused 1, 1 undone.") && page.contains("Undo: activate 1 campaign again"), "{page}");
    assert!(page.contains(">+50.00 USD a day<"), "{page}");
    assert_eq!(page.matches("name=\"change\"").count(), 1, "the other one: {page}");
    assert_eq!(running(&site).await, 1, "by the books");
    let mut bob = site.signed_in("bob@example.com").await;
    bob.post(UNDO, &form).await;
    assert_eq!(running(&site).await, 1, "of another customer");
}

#[tokio::test(start_paused = true)]
async fn a_bulk_undo_names_campaigns_changed_since() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, ids) = active(&mut ada, &["A", "B", "C"]).await;
    let page = ada.paused(&ids).await;
    let undo = filled_in(&page, STATUS, "Undo: activate 3 campaigns again", "");
    ada.send_form(CHANGE, &format!("id={}&back=one&status=ACTIVE", ids[1])).await;
    ada.send_form("/dashboard/campaigns/delete", &format!("id={}", ids[2])).await;
    let page = ada.send_form(STATUS, &undo).await;
    // Somebody has activated B again already.
    assert!(page.contains("2 campaigns are activated again. Not undone: 1 campaign:"), "{page}");
    assert!(page.contains("<strong>C</strong> "), "it is deleted: {page}");
    assert!(page.contains("Activated 2, 1 was not activated."), "{page}");
    let mut bob = site.signed_in("bob@example.com").await;
    let others = bob.post(STATUS, &undo).await.to().to_owned();
    assert_eq!(bob.get(&others).await.status, http::StatusCode::NOT_FOUND, "of another customer");
}

#[tokio::test(start_paused = true)]
async fn bulk_budgets_are_undone_exactly_and_only_if_unchanged() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, ids) = active(&mut ada, &["A", "B"]).await;
    let all: String = ids.iter().map(|id| format!("ids={id}&")).collect();
    let page = ada.text(&format!("{MANY}?{all}do=budget&percent=-12.5")).await;
    let form = filled_in(&page, MANY, "Change the budgets of 2 campaigns", "");
    let page = ada.send_form(MANY, &form).await;
    assert!(page.contains("Saved: the budgets of 2 campaigns.") && page.contains("43.75<small> a day"), "{page}");
    let undo = filled_in(&page, UNDO, "Undo", "");
    let again = ada.send_form(MANY, &form).await;
    assert_eq!(filled_in(&again, UNDO, "Undo", ""), undo, "a form that is sent twice has the same undo");
    // Records of one moment have no order.
    advance(Duration::from_secs(1)).await;
    ada.send_form(CHANGE, &format!("id={}&back=one&budget_amount=70&was_budget_amount=43.75", ids[1])).await;
    let page = ada.send_form(UNDO, &undo).await;
    assert!(page.contains("1 of 2 campaigns undone. Not undone:") && page.contains("role=\"alert\""), "{page}");
    assert!(page.contains("<strong>B</strong> was changed since."), "{page}");
    assert!(page.contains("50.00<small> a day") && page.contains("70.00<small> a day"), "{page}");
    assert!(ada.text(&page_of(&ids[0])).await.contains("50.00 USD a day"));
    let mut bob = site.signed_in("bob@example.com").await;
    let others = bob.send_form(UNDO, &undo).await;
    assert!(others.contains("role=\"alert\""), "changes of another customer: {others}");
}

#[tokio::test(start_paused = true)]
async fn after_a_bulk_change_the_list_is_read_once() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, ids) = active(&mut ada, &["A", "B"]).await;
    assert!(ada.text(LIST).await.contains("2 active, 0 paused"));
    let page = ada.paused(&ids).await;
    assert!(page.contains("The platforms have confirmed everything."), "{page}");
    site.create(&key, "C").await;
    let page = ada.text(LIST).await;
    assert!(page.contains("0 active, 3 paused") && !page.contains("Still waiting"), "read after the end: {page}");
    site.create(&key, "D").await;
    assert!(ada.text(LIST).await.contains("0 active, 3 paused"), "the reading is as fresh as any other");
}

#[tokio::test(start_paused = true)]
async fn new_values_are_in_the_list_although_the_platform_is_silent() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, ids) = active(&mut ada, &["A", "B"]).await;
    assert!(ada.text(LIST).await.contains("2 active, 0 paused"));
    let all: String = ids.iter().map(|id| format!("ids={id}&")).collect();
    let page = ada.text(&format!("{MANY}?{all}do=budgets&percent=&amount=60")).await;
    let form = filled_in(&page, MANY, "Set the budgets of 2 campaigns to 60.00 USD a day", "");
    let saved = ada.post(MANY, &form).await.to().to_owned();
    let fault = json!({ "platform": "alpha_ads", "operation": "list", "fault": "error", "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.text(&saved).await;
    assert_eq!(page.matches("60.00<small> a day").count(), 2, "{page}");
    assert!(!page.contains("on its way") && page.contains("Before and after of each"), "{page}");
}
