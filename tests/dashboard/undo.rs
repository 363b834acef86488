//! The page of a campaign and the actions in a row of the list: their notices, and the undo button in them.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use super::scheduled_changes::{Time, page_of};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const CAMPAIGNS: &str = "/dashboard/campaigns";
const CHANGE: &str = "/dashboard/campaigns/change";
const DELETE: &str = "/dashboard/campaigns/delete";
const UNDO: &str = "/dashboard/campaigns/undo";

impl Browser<'_> {
    /// Changes a campaign on its page; returns the form of the notice that undoes it.
    async fn saved(&mut self, id: &str, form: &str, said: &str) -> String {
        let page = self.send_form(CHANGE, &format!("id={id}&back=one&{form}")).await;
        assert!(page.contains(said), "{said}: {page}");
        filled_in(&page, UNDO, "Undo", "")
    }
}

#[tokio::test(start_paused = true)]
async fn a_notice_names_the_saved_change_and_undoes_it() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let both = "name=B&was_name=A&budget_amount=62.50&was_budget_amount=50";
    let undo = ada.saved(&id, both, "Saved: name, budget 50.00 to 62.50 USD.").await;
    assert!(!ada.text(&page_of(&id)).await.contains(UNDO), "the notice is shown once");
    // A change of another field does not stand in the way.
    let activated = ada.saved(&id, "status=ACTIVE", "Activated: its platform may spend 62.50 USD a day.").await;
    let page = ada.send_form(UNDO, &undo).await;
    assert!(page.contains("Undone. Saved: name, budget 62.50 to 50.00 USD."), "{page}");
    assert!(page.contains("<h1><bdi>A</bdi></h1>") && page.contains("50.00 USD a day"), "{page}");
    assert!(ada.send_form(UNDO, &undo).await.contains("It is undone already."), "a second click");
    let page = ada.send_form(UNDO, &activated).await;
    assert!(page.contains("Undone. Paused: nothing is spent until you activate it."), "{page}");
    let mut bob = site.signed_in("bob@example.com").await;
    let others = bob.post(UNDO, &undo.replace("back=one", "back=list")).await.to().to_owned();
    assert!(bob.text(&others).await.contains("role=\"alert\""), "of another customer");
    assert_eq!(ada.rows(&page_of(&id)).await.len(), 5, "created, two changes, and two undone");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_changed_since_is_not_undone() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let undo = ada.saved(&id, "name=B&was_name=A", "Saved: name.").await;
    ada.saved(&id, "name=C&was_name=B", "Saved: name.").await;
    let page = ada.send_form(UNDO, &undo).await;
    assert!(page.contains("role=\"alert\"") && page.contains("Not undone: the campaign was changed since."), "{page}");
    assert!(page.contains("<h1><bdi>C</bdi></h1>"), "{page}");
    let unknown = ada.send_form(UNDO, &format!("change=chg_7&id={id}&back=one")).await;
    assert!(unknown.contains("role=\"alert\""), "{unknown}");
}

#[tokio::test(start_paused = true)]
async fn undoing_a_scheduled_change_cancels_it() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let Time { typed, .. } = site.ahead(60);
    let undo =
        ada.saved(&id, &format!("status=ACTIVE&later=yes&apply_at={typed}"), "The change is scheduled for").await;
    let page = ada.send_form(UNDO, &undo).await;
    assert!(page.contains("Undone: the change is canceled"), "{page}");
    for path in [CHANGE, DELETE] {
        let page = ada.send_form(path, &format!("id={id}&back=one&later=yes&status=ACTIVE&apply_at=")).await;
        assert!(page.contains("Nothing has changed. Choose a time first."), "{path}: {page}");
    }
    site.minutes(63).await;
    assert!(ada.text(&page_of(&id)).await.contains("Paused"), "nothing is made");
}

#[tokio::test(start_paused = true)]
async fn an_action_in_a_row_returns_to_the_row() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let filter = "list=status%3DPAUSED";
    let page = ada.text(&format!("{CAMPAIGNS}?status=PAUSED")).await;
    assert!(page.contains(&format!("<tr id=\"c-{id}\">")), "{page}");
    assert!(page.contains(&format!("name=\"activate\" value=\"{id}\"")), "{page}");
    assert!(ada.text(&page_of(&id)).await.contains("popovertarget=\"delete-sheet\""), "its page deletes it");
    let answered = ada.post(CHANGE, &format!("back=list&{filter}&activate={id}")).await;
    assert_eq!(answered.to(), format!("{CAMPAIGNS}?status=PAUSED#c-{id}"));
    let page = ada.text(CAMPAIGNS).await;
    assert!(page.contains("Activated “\u{2068}A\u{2069}”: its platform may spend 50.00 USD a day."), "{page}");
    let undo = filled_in(&page, UNDO, "Undo", "").replace("status=PAUSED", "status%3DPAUSED");
    advance(Duration::from_secs(1)).await;
    assert_eq!(ada.post(UNDO, &undo).await.to(), format!("{CAMPAIGNS}?status=PAUSED#c-{id}"));
    let page = ada.text(&format!("{CAMPAIGNS}?status=PAUSED")).await;
    assert!(page.contains("Undone. Paused “\u{2068}A\u{2069}”"), "{page}");
    let again = ada.send_form(CHANGE, &format!("back=list&pause={id}")).await;
    assert!(
        again.contains("It is paused: nothing is spent until you activate it.") && !again.contains(UNDO),
        "{again}"
    );
    let deleted = ada.send_form(DELETE, &format!("{filter}&id={id}&name=A")).await;
    let words = "Deleted “\u{2068}A\u{2069}”: the campaign does not run and spends nothing more.";
    assert!(deleted.contains(words) && !deleted.contains(UNDO), "{deleted}");
}

#[tokio::test(start_paused = true)]
async fn the_page_of_a_campaign_has_its_name_and_links_to_the_filtered_list() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A <b>").await;
    let page = ada.text(&format!("{}&list=status%3DPAUSED", page_of(&id))).await;
    assert!(page.contains("<title>A &#60;b&#62; · Campaigns · Unified Ads</title>"), "{page}");
    assert!(page.contains("<h1><bdi>A &#60;b&#62;</bdi></h1>"), "{page}");
    assert!(page.contains("href=\"/dashboard/campaigns?status=PAUSED\">All campaigns</a>"), "{page}");
    assert!(
        page.contains(&format!("href=\"{CAMPAIGNS}/new?like={id}&amp;list=status%3DPAUSED\">Duplicate</a>")),
        "{page}"
    );
    assert!(page.contains("No spend or clicks in this period."), "{page}");
    let form = format!("id={id}&back=one&list=status%3DPAUSED&name=B&was_name=A");
    let back = ada.post(CHANGE, &form).await.to().to_owned();
    assert_eq!(back, format!("{}&list=status%3DPAUSED", page_of(&id)));
}

#[tokio::test(start_paused = true)]
async fn the_page_of_a_campaign_begins_with_what_a_manager_asks() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let budget = format!("id={id}&back=one&budget_amount=62.50&was_budget_amount=50");
    let page = ada.send_form(CHANGE, &budget).await;
    let glance = |page: &str| {
        let rest = page.split("<h2 id=\"glance\">").nth(1).expect("the first part").to_owned();
        rest.split("</section>").next().unwrap_or_default().to_owned()
    };
    let now = glance(&page);
    assert!(now.contains("Is it running?") && now.contains(">No</strong>") && page.contains(">Paused</span>"), "{now}");
    assert!(now.contains("62.50 USD a day") && now.contains("<bdi>Budget 50.00 → 62.50 USD a day</bdi>"), "{now}");
    assert!(!now.contains("What waits"), "{now}");
    let order: Vec<Option<usize>> = ["change", "glance", "results", "activity", "values"]
        .map(|part| page.find(&format!("<h2 id=\"{part}\">")))
        .to_vec();
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{order:?}");
    let Time { typed, .. } = site.ahead(60);
    let page = ada.send_form(CHANGE, &format!("id={id}&back=one&was_name=A&name=B&apply_at={typed}")).await;
    assert!(glance(&page).contains("<a href=\"#waiting\">1 change</a>"), "{page}");
    assert_eq!(page.matches("Name “").count(), 1, "what waits is told once: {page}");
}
