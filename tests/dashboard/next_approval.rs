//! One approval after the other: the notice leads to the next, and a viewer reads who decides.

use super::browser::Site;

const ADA: &str = "ada@example.com";
const APPROVALS: &str = "/dashboard/approvals";
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
    assert!(done.contains("Approved and applied. 1 more waits for approval."), "{done}");
    assert!(done.contains("Review the last one that waits</a>"), "{done}");
    let next = first_change(&done);
    assert_ne!(next, first);
    let page = ada.text(&format!("{ONE}{next}")).await;
    let rejected = ada.decide("/dashboard/approvals/reject", &page, &next).await;
    assert!(
        rejected.contains("nothing is sent to the platform for it. Nothing else waits for approval."),
        "{rejected}"
    );
    assert_eq!(site.spending().await.len(), 1);
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
        for words in ["your approval", "Waits for you", "you approve"] {
            assert!(!shown.contains(words), "{words} on {page}: {shown}");
        }
        assert!(!ada.text(page).await.contains("by an owner or a member"), "{page}");
    }
}
