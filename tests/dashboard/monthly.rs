//! Monthly budgets on the pages: created, shown with their month, changed, undone, and given to a campaign.

use super::browser::Site;
use super::double_clicks::filled_in;
use super::scheduled_changes::page_of;

const ADA: &str = "ada@example.com";
const CAMPAIGNS: &str = "/dashboard/campaigns";
const CHANGE: &str = "/dashboard/campaigns/change";
const MANY: &str = "/dashboard/campaigns/many";
const NEW: &str = "/dashboard/campaigns/new";
const UNDO: &str = "/dashboard/campaigns/undo";

/// The id of the only campaign of a list.
fn only_id(list: &str) -> String {
    let rest = list.split("/dashboard/campaigns/one?id=").nth(1).expect("a campaign");
    rest.split(['"', '&']).next().expect("an id").to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_monthly_budget_is_created_and_changed_by_its_amount() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let form = |page: &str, amount: &str| {
        let target = page.split("name=\"targets\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let target = target.expect("an account");
        let own = format!("name=Always&goal=WEBSITE_TRAFFIC&targets={target}");
        let values = format!("budget_amount.{target}={amount}&budget_period.{target}=MONTHLY");
        filled_in(page, CAMPAIGNS, "Create campaign", &format!("{own}&{values}"))
    };
    let page = ada.text(NEW).await;
    assert!(page.contains("At least 1.00 USD a day, 31.00 USD a month."), "{page}");
    let refused = ada.send_form(CAMPAIGNS, &form(&page, "30")).await;
    assert!(refused.contains("Google Ads needs at least 31.00 USD a month."), "{refused}");
    let list = ada.send_form(CAMPAIGNS, &form(&page, "3000")).await;
    assert!(list.contains("3,000.00<small> a month</small></button><progress max=\"100\" value=\"0\""), "{list}");
    assert!(list.contains("aria-label=\"0% of the monthly budget\""), "{list}");

    let id = only_id(&list);
    let page = ada.text(&page_of(&id)).await;
    assert!(
        page.contains("0.00 USD of 3,000.00 USD, 3,000.00 USD left") && page.contains("Daily budget now"),
        "{page}"
    );
    let raised = format!("id={id}&back=one&was_budget_amount=3000.00&was_budget_period=MONTHLY&budget_period=MONTHLY");
    let page = ada.send_form(CHANGE, &format!("{raised}&budget_amount=3500")).await;
    assert!(
        page.contains("Saved: budget 3,000.00 to 3,500.00 USD a month.") && page.contains("3,500.00 USD a month"),
        "{page}"
    );
    assert!(ada.text(CAMPAIGNS).await.contains("3,500.00<small> a month</small>"), "the list knows at once");
    let undo = filled_in(&page, UNDO, "Undo", "");
    let page = ada.send_form(UNDO, &undo).await;
    assert!(page.contains("Undone. Saved: budget 3,500.00 to 3,000.00 USD a month."), "{page}");

    let page = ada.send_form(CHANGE, &format!("{raised}&budget_amount=30")).await;
    assert!(page.contains("id=\"budget_amount-error\""), "{page}");
    assert!(page.contains("Google Ads needs at least 31.00 USD a month.") && page.contains("value=\"30\""), "{page}");
    // A change that names no budget leaves the month in the list.
    ada.send_form(CHANGE, &format!("id={id}&back=one&was_name=Always&name=Ever")).await;
    let list = ada.text(CAMPAIGNS).await;
    assert!(
        list.contains("<bdi>Ever</bdi>") && list.contains("3,000.00<small> a month</small></button><progress"),
        "{list}"
    );
}

#[tokio::test(start_paused = true)]
async fn monthly_budgets_change_by_percent() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let shown = format!("id={id}&back=one&was_budget_amount=50.00&was_budget_period=DAILY");
    ada.send_form(CHANGE, &format!("{shown}&budget_period=MONTHLY&budget_amount=3000")).await;
    let page = ada.text(&format!("{MANY}?ids={id}&do=budget&percent=%2B10")).await;
    assert!(page.contains("<strong>3,000.00 to 3,300.00 USD a month</strong>"), "{page}");
    let form = filled_in(&page, MANY, "by +10%", "").replace("+10", "%2B10");
    let list = ada.send_form(MANY, &form).await;
    assert!(list.contains("Saved: the budgets of 1 campaign.") && list.contains("3,300.00<small> a month"), "{list}");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_gets_a_monthly_budget_only_with_its_amount() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let shown = format!("id={id}&back=one&was_budget_amount=50.00&was_budget_period=DAILY&budget_period=MONTHLY");
    let page = ada.send_form(CHANGE, &format!("{shown}&budget_amount=50.00")).await;
    assert!(page.contains("Write the monthly budget.") && page.contains("50.00 USD a day"), "{page}");
    assert!(page.contains("<option value=\"MONTHLY\" selected>"), "the form is as filled in: {page}");
    let preview = ada.send_form("/dashboard/campaigns/change/preview", &format!("{shown}&budget_amount=3000")).await;
    assert!(preview.contains("Would be changed"), "{preview}");
    let page = ada.send_form(CHANGE, &format!("{shown}&budget_amount=3000")).await;
    assert!(page.contains("Saved: budget 50.00 USD a day to 3,000.00 USD a month."), "{page}");
    assert!(page.contains("3,000.00 USD a month") && !page.contains(">Undo</button>"), "{page}");
    let back = format!("id={id}&back=one&was_budget_amount=3000.00&was_budget_period=MONTHLY&budget_period=DAILY");
    let page = ada.send_form(CHANGE, &format!("{back}&budget_amount=3000.00")).await;
    assert!(page.contains("Write the daily budget.") && page.contains("3,000.00 USD a month"), "{page}");
    let page = ada.send_form(CHANGE, &format!("{back}&budget_amount=60")).await;
    assert!(page.contains("60.00 USD a day") && !page.contains("Daily budget now"), "{page}");
    assert!(page.contains("Saved. The monthly budget has ended") && !page.contains(">Undo</button>"), "{page}");
}
