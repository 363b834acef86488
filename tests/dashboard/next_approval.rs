//! One approval after the other: the notice leads to the next, and a viewer reads who decides.

use super::browser::Site;
use super::double_clicks::filled_in;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const APPROVALS: &str = "/dashboard/approvals";
const APPROVE: &str = "/dashboard/approvals/approve";
const REJECT: &str = "/dashboard/approvals/reject";
const ONE: &str = "/dashboard/approvals/one?id=";

/// The id of the first change to whose page a page leads.
fn first_change(page: &str) -> String {
    let id = page.split(ONE).nth(1).and_then(|rest| rest.split('"').next());
    id.unwrap_or_else(|| panic!("no way to a change: {page}")).to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_decision_leads_to_the_next_change_that_waits() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    site.asked(&own, &agent, &["Autumn", "Spring"]).await;
    let list = ada.text(&format!("{APPROVALS}?read=all")).await;
    assert!(list.contains("<summary>Menu <span class=\"badge warn\">2<"), "{list}");
    assert!(list.contains("USD today<br>") && list.contains("Updated just now."), "{list}");
    let first = first_change(&list);
    let page = ada.text(&format!("{ONE}{first}")).await;
    assert!(page.contains("<dt>Spent today</dt>") && page.contains("Updated just now."), "{page}");
    let done = ada.decide("/dashboard/approvals/approve", &page, &first).await;
    assert!(done.contains("Approved and applied. Activated “"), "{done}");
    assert!(done.contains("Undo pauses it again. 1 more waits for approval."), "{done}");
    assert!(done.contains("Review the last one that waits</a>"), "{done}");
    let next = first_change(&done);
    assert_ne!(next, first);
    let page = ada.text(&format!("{ONE}{next}")).await;
    let rejected = ada.decide("/dashboard/approvals/reject", &page, &next).await;
    assert!(rejected.contains("Nothing is sent to the platform. Nothing else waits for approval."), "{rejected}");
    assert_eq!(site.spending().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_row_is_rejected_at_once_and_the_notice_leads_to_the_next() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    site.asked(&own, &agent, &["Autumn", "Spring", "Winter"]).await;
    for (page, back) in [("/dashboard", "/dashboard"), (APPROVALS, APPROVALS)] {
        let shown = ada.text(page).await;
        let form = filled_in(&shown, REJECT, "Reject<span", "");
        let id = field(shown.split(REJECT).nth(1).expect("a form"), "id").to_owned();
        assert!(form.contains(&id), "{form}");
        let sent = ada.post(REJECT, &form).await;
        assert_eq!(sent.to(), back);
        let told = ada.text(back).await;
        assert!(told.contains("Rejected: Activate, for “"), "it names the change: {told}");
        assert!(told.contains("that waits</a>") || told.contains("that wait</a>"), "{told}");
    }
    assert_eq!(site.spending().await.len(), 0);
    let list = ada.text(APPROVALS).await;
    let last = ada.text(&format!("{ONE}{}", first_change(&list))).await;
    assert!(last.contains("<h1>Activate “") && last.contains("”?</h1>"), "its heading is the question: {last}");
}

/// The value of the first field of a name on a page.
fn field<'a>(page: &'a str, name: &str) -> &'a str {
    let field = page.split(&format!("name=\"{name}\" value=\"")).nth(1).and_then(|rest| rest.split('"').next());
    field.unwrap_or_else(|| panic!("no {name}: {page}"))
}

#[tokio::test(start_paused = true)]
async fn a_change_is_approved_on_home_and_its_undo_pauses_it_again() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaigns = site.asked(&own, &agent, &["Spring"]).await;
    let home = ada.text("/dashboard").await;
    let row = home.split("id=\"waiting\"").nth(1).expect("what waits").to_owned();
    let (id, seen) = (field(&row, "id").to_owned(), field(&row, "seen").to_owned());
    let form = format!("id={id}&seen={seen}&back={}", field(&row, "back"));
    let sent = ada.post(APPROVE, &form).await.to().to_owned();
    assert_eq!(sent, "/dashboard", "it leads back to where it is");
    let done = ada.text(&sent).await;
    assert!(done.contains("Nothing else waits for approval.") && !done.contains(APPROVE), "{done}");
    assert_eq!(site.spending().await, ["Spring"]);
    assert_eq!((field(&done, "change"), field(&done, "back")), (id.as_str(), "one"), "{done}");
    let undo = format!("change={id}&id={}&back=one", campaigns[0]);
    let undone = ada.submit("/dashboard/campaigns/undo", &undo).await;
    assert!(undone.contains("Undone. Paused: nothing is spent"), "{undone}");
    assert!(site.spending().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_old_sign_in_is_asked_for_and_a_row_that_changed_is_reviewed() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaigns = site.asked(&own, &agent, &["Spring"]).await;
    let list = ada.text(APPROVALS).await;
    let row = list.split("<tbody>").nth(1).expect("rows").to_owned();
    let form = format!("id={}&seen={}&back=list", field(&row, "id"), field(&row, "seen"));
    let path = format!("/v1/campaigns/{}", campaigns[0]);
    site.ask(&own, "PATCH", &path, &json!({"budget_amount": 55})).await;
    let refused = ada.submit(APPROVE, &form).await;
    assert!(
        refused.contains("has changed since you looked") && refused.contains("Review it as it is now</a>"),
        "{refused}"
    );
    advance(Duration::from_mins(11)).await;
    let sign_in = ada.post(APPROVE, &form).await.to().to_owned();
    assert_eq!(sign_in, "/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fapprovals");
    let back = ada.sign_in_from(&sign_in, ADA).await.to().to_owned();
    let page = ada.text(&back).await;
    let notice = "<div class=\"notice outcome plain\" id=\"notice\" role=\"status\"";
    assert!(page.contains(notice) && page.contains("One click is left, and nothing is done until then."), "{page}");
    assert!(site.spending().await.is_empty());
    let kept = page.split("id=\"notice\"").nth(1).and_then(|rest| rest.split("</div>").next()).expect("the notice");
    assert_eq!((field(kept, "id"), field(kept, "seen")), (field(&row, "id"), field(&row, "seen")), "{kept}");
    // It is what the person saw: the campaign has another budget now.
    let stale = ada.submit(APPROVE, &form).await;
    assert!(stale.contains("has changed since you looked") && site.spending().await.is_empty(), "{stale}");
}

#[tokio::test(start_paused = true)]
async fn the_reason_of_a_rejection_is_read_by_who_asked() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    site.asked(&own, &agent, &["Spring", "Summer"]).await;
    let list = ada.text(APPROVALS).await;
    let choice = field(&list, "ids").replace(' ', "+");
    let first = first_change(&list);
    let long = ada.submit(REJECT, &format!("id={first}&reason={}", "x".repeat(201))).await;
    assert!(long.contains("Nothing is rejected yet.") && long.contains("value=\"xxx"), "what was typed stays: {long}");
    let several = ada.submit("/dashboard/approvals/decide", &format!("ids={choice}&do=reject&reason=Too+much.")).await;
    assert!(several.contains("1 change is rejected:"), "{several}");
    let other = first_change(&several);
    let one = ada.submit(REJECT, &format!("id={other}&reason=Not+in+December.")).await;
    assert!(
        one.contains("reads your reason with it.") && one.contains("has rejected the change: Not in December."),
        "{one}"
    );
    for (id, why) in [(first, "Too much."), (other, "Not in December.")] {
        let (_, read) = site.ask(&agent, "GET", &format!("/v1/changes/{id}"), &Value::Null).await;
        let told = format!("ada@example.com has rejected the change: {why}");
        assert_eq!((&read["state"], &read["error"]["message"]), (&json!("rejected"), &json!(told)), "{read}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_viewer_reads_that_an_owner_or_a_member_decides() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    site.asked(&own, &agent, &["Spring"]).await;
    let mut bob = ada.with_viewer("bob@example.com").await;
    let one = format!("{ONE}{}", first_change(&bob.text(APPROVALS).await));
    for page in ["/dashboard", APPROVALS, "/dashboard/agents", &one] {
        let shown = bob.text(page).await;
        assert!(shown.contains("approval by an owner or a member"), "{page}: {shown}");
        for words in ["your approval", "waits for you", "Waits for you", "you approve"] {
            assert!(!shown.contains(words), "{words} on {page}: {shown}");
        }
        assert!(!ada.text(page).await.contains("by an owner or a member"), "{page}");
    }
}
