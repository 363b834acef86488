//! The list of campaigns by what needs a change: what spends too fast, a budget changed in its row, budgets set to an
//! amount, and campaigns paused at once. Every way back keeps the filter.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use super::scheduled_changes::{Time, page_of};
use crate::world::campaign;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::advance;

const ADA: &str = "ada@example.com";
const LIST: &str = "/dashboard/campaigns";
const CHANGE: &str = "/dashboard/campaigns/change";
const MANY: &str = "/dashboard/campaigns/many";
const UNDO: &str = "/dashboard/campaigns/undo";

/// The budgets at Google Ads, as the sandbox has them.
async fn budgets(site: &Site) -> Vec<String> {
    let known = site.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
    let campaigns = known["campaigns"].as_array().expect("campaigns");
    let mut budgets: Vec<_> =
        campaigns.iter().map(|one| one["budget"].as_str().unwrap_or_default().to_owned()).collect();
    budgets.sort_unstable();
    budgets
}

/// An active campaign with a budget of 50 a day that has spent so much today.
async fn spent_today(ada: &mut Browser<'_>, name: &str, spend: &str) -> String {
    let site = ada.site;
    let id = site.create(&ada.key().await, name).await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    let remote = id.rsplit('_').next().expect("an id");
    let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
    let order = json!({ "platform": "alpha_ads", "campaign_id": remote, "date": today, "spend": spend,
        "impressions": 10, "clicks": 1 });
    site.world.control("POST", "delivery", &order).await;
    id
}

#[tokio::test(start_paused = true)]
async fn what_spends_too_fast_is_a_filter_and_says_by_how_much() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let fast = spent_today(&mut ada, "Fast", "91").await;
    spent_today(&mut ada, "Slow", "20").await;
    // The page after the consent has read the ad account, and a person's wish serves for ten seconds.
    advance(Duration::from_secs(11)).await;
    let page = ada.text(&format!("{LIST}?status=TOO_FAST&read=now")).await;
    assert!(page.contains("<bdi>Fast</bdi>") && !page.contains("<bdi>Slow</bdi>"), "{page}");
    assert!(page.contains("<span class=\"fast\">182%<progress") && page.contains("1–1 of 1"), "{page}");
    let file = ada.text(&format!("{LIST}/csv?status=TOO_FAST")).await;
    assert!(file.lines().count() == 2 && file.contains("Fast"), "{file}");
    let page = ada.text(&page_of(&fast)).await;
    assert!(page.contains("182% of the daily budget") && page.contains("up to 2 times the daily budget"), "{page}");
    let all = ada.text(&format!("{LIST}?sort=-pace")).await;
    assert!(all.find("<bdi>Fast</bdi>") < all.find("<bdi>Slow</bdi>"), "{all}");
}

#[tokio::test(start_paused = true)]
async fn a_budget_is_changed_in_its_row_and_the_filter_stays() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let page = ada.text(&format!("{LIST}?status=PAUSED&edit={id}")).await;
    let form = filled_in(&page, CHANGE, "USD a day", "budget_amount=62.50").replace("status=PAUSED", "status%3DPAUSED");
    let back = format!("{LIST}?status=PAUSED#c-{id}");
    assert_eq!(ada.post(CHANGE, &form).await.to(), back);
    assert_eq!(budgets(&site).await, ["62.50"]);
    let page = ada.text(&format!("{LIST}?status=PAUSED")).await;
    assert!(page.contains("budget 50.00 to 62.50 USD.") && page.contains("62.50<small> a day"), "{page}");
    let undo = filled_in(&page, UNDO, "Undo", "").replace("status=PAUSED", "status%3DPAUSED");
    assert_eq!(ada.post(UNDO, &undo).await.to(), back);
    assert_eq!(budgets(&site).await, ["50.00"]);
    let wrong = format!("id={id}&back=list&list=status%3DPAUSED&was_budget_amount=50.00&budget_amount=1%2C500");
    let page = ada.send_form(CHANGE, &wrong).await;
    assert!(page.contains("id=\"budget_amount-error\"") && page.contains("value=\"1,500\""), "{page}");
    assert!(page.contains(&format!("<tr id=\"c-{id}\" class=\"wrong\">")), "{page}");
    assert_eq!(
        ada.post(CHANGE, &wrong).await.to(),
        format!("{LIST}?status=PAUSED#budget_amount"),
        "the field has the focus"
    );
    assert_eq!(budgets(&site).await, ["50.00"]);
    let found = ada.text(&format!("{LIST}?q=GOOGLE")).await;
    assert!(found.contains("<bdi>A</bdi>") && found.contains("“GOOGLE”"), "the search looks in ad accounts: {found}");
}

#[tokio::test(start_paused = true)]
async fn a_lowered_budget_names_the_raise_that_is_scheduled() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let Time { typed, shown } = site.ahead(600);
    let shown_budget = format!("id={id}&back=one&was_budget_amount=50.00");
    ada.send_form(CHANGE, &format!("{shown_budget}&budget_amount=90&apply_at={typed}")).await;
    let page = ada.send_form(CHANGE, &format!("{shown_budget}&budget_amount=40")).await;
    let said = format!("budget 50.00 to 40.00 USD. But a raise to 90.00 USD is scheduled for {shown}.");
    assert!(page.contains(&said) && page.contains("#activity\">Look at the raise, or cancel it</a>"), "{page}");
    let page = ada.send_form(CHANGE, &format!("id={id}&back=one&was_budget_amount=40.00&budget_amount=45")).await;
    assert!(page.contains("budget 40.00 to 45.00 USD.") && !page.contains("But a raise"), "{page}");
    let page = ada.text(&format!("{MANY}?ids={id}&do=budgets&percent=-20")).await;
    let form = filled_in(&page, MANY, "Change the budgets of 1 campaign by -20%", "");
    let page = ada.send_form(MANY, &form).await;
    assert!(page.contains("Saved: the budgets of 1 campaign.") && page.contains("But a raise to 90.00 USD"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn one_amount_is_set_for_one_currency_and_nothing_before() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let (first, second) = (site.create(&key, "A").await, site.create(&key, "B").await);
    ada.connect_to("beta_ads", "act_1203004005006002".to_owned()).await;
    let mut yen = campaign("beta_ads", "Yen");
    yen["budget_amount"] = json!(5000);
    let yen = site.create_as(&key, &yen).await;
    let all = format!("{MANY}?ids={first}&ids={second}&ids={yen}&do=set&amount=60&list=sort%3Dname");
    let page = ada.text(&all).await;
    assert!(
        page.contains("The ticked budgets differ in currency or period") && !page.contains("name=\"budget\""),
        "{page}"
    );
    let only =
        page.split("<a href=\"").find(|link| link.contains("Only the 2 campaigns in USD a day")).expect("a link");
    let only = only.split('"').next().expect("an address").replace("&#38;", "&");
    let page = ada.text(&only).await;
    assert!(page.contains("<strong>100.00 to 120.00 USD a day</strong>"), "{page}");
    let form = filled_in(&page, MANY, "Set the budgets of 2 campaigns to 60.00 USD a day", "");
    let form = form.replace("sort=name", "sort%3Dname");
    assert_eq!(budgets(&site).await, ["50.00", "50.00"], "a preview sets nothing");
    assert_eq!(ada.post(MANY, &form).await.to(), "/dashboard/campaigns?sort=name");
    assert_eq!(budgets(&site).await, ["60.00", "60.00"]);
    let list = ada.text(LIST).await;
    assert!(list.contains("Saved: the budgets of 2 campaigns.") && list.contains("5,000<small> a day"), "{list}");
    assert_eq!(list.matches(">60.00<small> a day").count(), 2, "{list}");
}

#[tokio::test(start_paused = true)]
async fn ticked_campaigns_are_paused_without_a_preview() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    advance(Duration::from_secs(1)).await;
    let form = format!("list=status%3DACTIVE&ids={id}&do=activate&percent=&amount=&pause=yes");
    let outcome = ada.post(MANY, &form).await.to().to_owned();
    assert!(outcome.ends_with("&list=status%3DACTIVE"), "{outcome}");
    let page = ada.text(&outcome).await;
    assert!(page.contains("Paused 1.") && page.contains("href=\"/dashboard/campaigns?status=ACTIVE\""), "{page}");
    assert!(ada.text(&page_of(&id)).await.contains(">Paused</span>"));
    let none = ada.send_form(MANY, "list=&do=activate&pause=yes").await;
    assert!(none.contains("Tick the campaigns first"), "{none}");
}
