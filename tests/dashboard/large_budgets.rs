//! Budgets that are many times those of the team's other campaigns: they are asked about once (D200).

use super::browser::Site;
use super::create::count;
use super::double_clicks::filled_in;
use crate::world::campaign;
use serde_json::{Value, json};

const ADA: &str = "ada@example.com";
const LIST: &str = "/dashboard/campaigns";
const CHANGE: &str = "/dashboard/campaigns/change";

/// The number of campaigns that run, by the books of the sandbox.
async fn running(site: &Site) -> usize {
    let books = site.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
    let books = books["campaigns"].as_array().expect("campaigns");
    books.iter().filter(|one| one["status"] != "PAUSED").count()
}

#[tokio::test(start_paused = true)]
async fn a_very_large_budget_is_asked_about_before_it_is_activated() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "A").await;
    let mut large = campaign("alpha_ads", "B");
    large["budget_amount"] = json!(1_000_000_000);
    let id = site.create_as(&key, &large).await;
    ada.text(&format!("{LIST}?read=all")).await;
    let asked = ada.send_form(CHANGE, &format!("activate={id}")).await;
    assert!(asked.contains("is not activated yet:") && asked.contains("<h1><bdi>B</bdi></h1>"), "{asked}");
    assert!(
        asked.contains("20,000,000 times the largest daily budget of your other campaigns in USD, 50.00."),
        "{asked}"
    );
    assert!(asked.contains("30,400,000,000.00 USD a month"), "{asked}");
    assert_eq!(running(&site).await, 0, "nothing is sent before the answer");
    let answer = filled_in(&asked, CHANGE, ">Activate</button>", "status=ACTIVE");
    let done = ada.send_form(CHANGE, &answer).await;
    assert!(done.contains("class=\"badge good\">Active") && !done.contains("is not activated yet"), "{done}");
    assert_eq!(running(&site).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_very_large_budget_is_asked_about_before_it_is_created() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    site.create(&key, "A").await;
    ada.text(&format!("{LIST}?read=all")).await;
    let page = ada.text(&format!("{LIST}/new")).await;
    let target =
        page.split("name=\"targets\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a target");
    let own = format!(
        "name=B&goal=WEBSITE_TRAFFIC&targets={target}&budget_amount.{target}=1000000000&budget_period.{target}=DAILY"
    );
    let asked = ada.send_form(LIST, &filled_in(&page, LIST, "Create campaign", &own)).await;
    assert!(asked.contains("Nothing is created yet. Send the form again if you mean this:"), "{asked}");
    assert_eq!(count(&ada.text(&format!("{LIST}?read=all")).await), 1);
    let created = ada.send_form(LIST, &filled_in(&asked, LIST, "Create campaign", &own)).await;
    assert!(created.contains("“B” is created.") && created.contains(">Activate</button></form>"), "{created}");
    assert_eq!(count(&created), 2, "{created}");
}
