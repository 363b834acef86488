//! The list: what a person reads beside what is asked for, and what one who only looks reads.

use super::*;
use crate::kit::changes::sample::{change, now, update, values};
use crate::kit::viewer::without_forms;
use rust_decimal::Decimal;
use shared::domain::{Action, CampaignChanges, CampaignStatus, CampaignValues, ChangeState};

/// A change that waits: an active campaign with 50 a day gets this budget.
fn raise(amount: i64) -> Change {
    let changes = CampaignChanges { budget_amount: Some(Decimal::from(amount)), ..CampaignChanges::default() };
    let asked = Some(CampaignValues { status: CampaignStatus::Active, ..values("Spring") });
    Change { state: ChangeState::AwaitingApproval, asked, ..update(changes) }
}

fn rendered(changes: &[Change], may_change: bool) -> String {
    with_sign_in(changes, may_change, true)
}

fn with_sign_in(changes: &[Change], may_change: bool, is_recent: bool) -> String {
    let spent = Spent { today: "36.49 USD".to_owned(), week: "250.00 USD".to_owned(), result: "ROAS 2.50".to_owned() };
    let campaigns = changes.iter().map(|_| Some(spent.clone())).collect();
    let spent = SpentOfChanges { campaigns, ..SpentOfChanges::default() };
    let spend_age = spent.age_and_renewal();
    let rows = waiting_rows(changes, rows(changes, now()), spent, now());
    let page = ApprovalsPage {
        layout: Layout { may_change, account: Some("Ada".to_owned()), ..Layout::signed_out("Approvals") },
        only_user: None,
        sums: sums(rows.iter().filter_map(|row| row.added)),
        rows,
        spend_age,
        more: 0,
        is_recent,
        decide: DECIDE,
        approve: APPROVE,
        reject: REJECT,
        back: TO_LIST,
        most: MAX_REASON,
    };
    let page = page.render().unwrap();
    if may_change { page } else { without_forms(&page) }
}

#[test]
fn a_row_says_what_the_campaign_has_spent_beside_what_is_asked_for() {
    let page = rendered(&[raise(60), change(Action::Delete)], true);
    let spent = "<td data-label=\"Spend\">36.49 USD today<br><span class=\"fine\">250.00 USD in the last 7 days<br>ROAS 2.50</span></td>";
    assert_eq!(page.matches(spent).count(), 2, "{page}");
    assert!(page.contains("Not updated yet. <a href"), "{page}");
    assert!(!rendered(&[], true).contains("Not updated yet"));
}

#[test]
fn ten_times_the_budget_is_amber_in_the_list() {
    let mark = "<span class=\"badge warn\">10 times the budget</span>";
    let page = rendered(&[raise(500), raise(499)], true);
    assert_eq!(page.matches(mark).count(), 1, "{page}");
}

#[test]
fn a_sign_in_that_is_too_old_is_said_before_the_click_and_takes_no_button_away() {
    let words = "<p class=\"fine\">Approving asks you to sign in once more, because it spends money";
    let of = |is_recent| with_sign_in(&[raise(60)], true, is_recent);
    assert!(of(false).contains(words) && !of(true).contains(words), "{}", of(false));
    for text in ["value=\"approve\"", "<input type=\"hidden\" name=\"name\" value=\"Spring\">"] {
        assert!(of(false).contains(text), "{text}: {}", of(false));
    }
    assert!(!with_sign_in(&[raise(60)], false, false).contains("sign in once more"));
}

#[test]
fn what_is_ticked_is_decided_by_the_keyboard_and_not_by_accident() {
    let page = rendered(&[raise(60), raise(70)], true);
    let (before, table) = page.split_once("<table").unwrap();
    assert_eq!(table.matches("<a class=\"skip\" href=\"#decide\">").count(), 2, "a way from each row: {page}");
    let form = before.split_once("<form id=\"bulk\"").expect("the form stands before the rows").1;
    assert!(form.contains("<button id=\"decide\" name=\"do\" value=\"approve\""), "{form}");
    // Enter in a box presses the first button of its form.
    let first = form.split("<button").nth(1).unwrap();
    assert!(first.starts_with(" disabled hidden>"), "{first}");
}

#[test]
fn a_viewer_reads_who_decides_and_gets_no_way_to_decide() {
    let mine = rendered(&[raise(60)], true);
    assert!(mine.contains("<h2 id=\"waiting\">Waiting for your approval</h2>"), "{mine}");
    let page = rendered(&[raise(60)], false);
    assert!(page.contains("<h2 id=\"waiting\">Waiting for approval by an owner or a member</h2>"), "{page}");
    for text in ["your approval", "for you", "#decide", "value=\"approve\"", "sign in again"] {
        assert!(!page.contains(text), "{text}: {page}");
    }
}

#[test]
fn a_row_is_approved_with_its_own_button_or_rejected_with_a_reason() {
    let change = raise(60);
    let page = rendered(std::slice::from_ref(&change), true);
    let row = page.split("<tbody>").nth(1).unwrap();
    let (id, seen) = (change.id.to_string(), shared::domain::Approval::version(change.id, change.asked.as_ref()));
    for (name, value) in [("id", id.as_str()), ("seen", seen.as_str()), ("back", "list")] {
        assert!(row.contains(&format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">")), "{name}: {row}");
    }
    assert!(
        row.contains("Approve<span class=\"hidden\">") && page.contains("name=\"reason\" maxlength=\"200\""),
        "{page}"
    );
    let looks = rendered(&[change], false);
    assert!(!looks.contains("Approve<span") && !looks.contains("name=\"reason\""), "{looks}");
}
