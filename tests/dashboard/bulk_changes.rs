//! Bulk changes: campaigns selected in the list, shown before and after, and changed once.

use super::browser::Site;
use super::double_clicks::{another_process, at, filled_in};
use super::scheduled_changes::page_of;
use crate::world::campaign;
use serde_json::json;

const ADA: &str = "ada@example.com";
const MANY: &str = "/dashboard/campaigns/many";
const CHANGE: &str = "/dashboard/campaigns/change";

#[tokio::test(start_paused = true)]
async fn bulk_budgets_change_by_percent_once_and_exactly() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let first = site.create(&key, "A").await;
    let mut odd = campaign("alpha_ads", "Odd");
    odd["budget_amount"] = json!(50.05);
    let odd = site.create_as(&key, &odd).await;
    let list = ada.text("/dashboard/campaigns").await;
    assert!(list.contains(&format!("<input type=\"checkbox\" form=\"bulk\" name=\"ids\" value=\"{first}\"")), "{list}");

    let page = ada.text(&format!("{MANY}?ids={first}&ids={odd}&do=budget&percent=%2B10")).await;
    assert!(
        page.contains("role=\"alert\"") && page.contains("It would be 55.055 USD, and USD has 2 decimals."),
        "{page}"
    );
    assert!(page.contains("<strong><bdi>Odd</bdi></strong>") && !page.contains("name=\"budget\""), "{page}");
    let without = page.split("<a href=\"").find(|link| link.contains("Continue without it")).expect("a link");
    let without = without.split('"').next().expect("an address").replace("&#38;", "&");
    let page = ada.text(&without).await;
    assert!(page.contains("<strong>50.00 to 55.00 USD a day</strong>"), "{page}");
    assert!(page.contains(">Change the budgets of 1 campaign by +10%</button>"), "{page}");

    let form = filled_in(&page, MANY, "by +10%", "").replace("+10", "%2B10");
    let (mut left, mut right) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(left.post(MANY, &form), right.post(MANY, &form));
    assert_eq!((a.to(), b.to()), ("/dashboard/campaigns", "/dashboard/campaigns"));
    for mut tab in [left, right] {
        let page = tab.text("/dashboard/campaigns").await;
        assert!(page.contains("Saved: the budgets of 1 campaign."), "{page}");
    }
    let again = ada.send_form(MANY, &form).await;
    assert!(again.contains("Saved: the budgets of 1 campaign.") && again.contains("55.00<small> a day"), "{again}");
    let rows = ada.rows(&page_of(&first)).await;
    assert_eq!(rows.iter().filter(|row| row.contains("Budget 50.00 → 55.00")).count(), 1, "{rows:?}");
    assert!(ada.text(&page_of(&odd)).await.contains("50.05 USD a day"));
}

#[tokio::test(start_paused = true)]
async fn a_budget_changed_since_is_kept() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let (first, second) = (site.create(&key, "A").await, site.create(&key, "B").await);
    let page = ada.text(&format!("{MANY}?ids={first}&ids={second}&do=budget&percent=-20")).await;
    let form = filled_in(&page, MANY, "Change the budgets of 2 campaigns", "");
    ada.send_form(CHANGE, &format!("id={first}&back=one&budget_amount=70&was_budget_amount=50")).await;
    let page = ada.send_form(MANY, &form).await;
    assert!(page.contains("role=\"alert\"") && page.contains("1 of 2 campaigns saved. Not saved:"), "{page}");
    assert!(page.contains("<strong>A</strong> was changed since: its budget is no longer 50.00 USD."), "{page}");
    assert!(page.contains("70.00<small> a day") && page.contains("40.00<small> a day"), "{page}");
    let incomplete = ada.send_form(MANY, "do=budget&idempotency_key=k&budget=x").await;
    assert!(incomplete.contains("The form is incomplete"), "{incomplete}");
    let none = ada.post(MANY, "do=pause&idempotency_key=k").await.to().to_owned();
    assert!(ada.text(&none).await.contains("Tick the campaigns first"), "{none}");
}

#[tokio::test(start_paused = true)]
async fn selected_campaigns_are_paused_once_and_the_outcome_names_them() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let mut ids = String::new();
    for name in ["A", "B", "C"] {
        let id = site.create(&key, name).await;
        if name != "C" {
            ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
        }
        ids = format!("{ids}ids={id}&");
    }
    let page = ada.text(&format!("{MANY}?{ids}do=pause")).await;
    assert!(page.contains("Total budgets: <strong>100.00 USD a day</strong>"), "{page}");
    assert!(page.contains("<bdi>C</bdi>: Its status is Paused."), "{page}");
    let form = filled_in(&page, MANY, "Pause 2 campaigns", "");
    let first = ada.post(MANY, &form).await.to().to_owned();
    assert_eq!(ada.post(MANY, &form).await.to(), first, "a second click pauses nothing more");
    let page = ada.text(&first).await;
    assert!(page.contains("Paused 2.") && page.contains("The platforms have confirmed everything."), "{page}");
    assert!(page.contains("<bdi>A</bdi>") && page.contains("<bdi>B</bdi>"), "{page}");
    let wrong = ada.text(&format!("{MANY}?{ids}do=budget&percent=1%2C5")).await;
    assert!(wrong.contains("Write a percentage with a dot") && wrong.contains("value=\"1,5\""), "{wrong}");
    let mut bob = site.signed_in("bob@example.com").await;
    let others = bob.text(&format!("{MANY}?{ids}do=pause")).await;
    assert!(others.contains("role=\"alert\"") && !others.contains("<bdi>A</bdi>"), "{others}");
    let first = ids.split('&').next().expect("an id").trim_start_matches("ids=");
    assert!(!others.contains(&format!("<bdi>{first}</bdi>")), "no raw id: {others}");
}
