//! Page loops and positions.

use super::*;
use crate::domain::StatusSet;
use crate::platforms::engine::list::index_after;
use crate::platforms::fake::{ScriptedResponse, ok};

/// Seven campaigns on three pages, of which 5 is not in the requested state. The second page is shorter than the rest.
fn three_pages(request: &ReceivedRequest) -> ScriptedResponse {
    let (rows, next) = match request.line.split("&at=").nth(1).map(|rest| &rest[..1]) {
        None => (vec![row(8), row(7), row(6)], Some("a")),
        Some("a") => (vec![with(row(5), "status", json!("ACTIVE")), row(4)], Some("b")),
        Some(_) => (vec![row(3), row(2)], None),
    };
    ok(json!({"rows": rows, "next": next}))
}

async fn list(fake: &Fake, limit: usize, after: Option<&str>) -> Result<CampaignPage, Error> {
    let statuses = StatusSet::of(&[CampaignStatus::Paused]);
    Eta.list_campaigns(&session(fake), &ListRequest { statuses, limit, after: after.map(str::to_owned) }).await
}

#[tokio::test]
async fn a_position_continues_exactly_after_its_campaign() {
    let all = ["8", "7", "6", "4", "3", "2"];
    let whole = list(&Fake::new(three_pages), 10, None).await.unwrap();
    assert_eq!((ids(&whole.rows), whole.has_more), (all.to_vec(), false));
    assert_eq!(whole.positions, ["1:", "2:", "3:", "2:a", "1:b", "2:b"]);
    for (index, position) in whole.positions.iter().enumerate() {
        for limit in 1..=all.len() {
            let rest = list(&Fake::new(three_pages), limit, Some(position)).await.unwrap();
            let expected: Vec<&str> = all.into_iter().skip(index + 1).take(limit).collect();
            assert_eq!(ids(&rest.rows), expected, "{limit} after {position}");
            assert_eq!(rest.has_more, index + 1 + limit < all.len(), "{limit} after {position}");
            assert_eq!(rest.positions.len(), rest.rows.len());
        }
    }
}

#[tokio::test]
async fn a_list_reads_only_as_many_pages_as_it_needs() {
    for (limit, calls) in [(1, 1), (2, 1), (3, 2), (4, 3), (6, 3)] {
        let fake = Fake::new(three_pages);
        list(&fake, limit, None).await.unwrap();
        assert_eq!(fake.requests().len(), calls, "{limit}");
    }
}

#[tokio::test]
async fn a_broken_position_is_refused_without_a_call() {
    let long = format!("1:{}", "x".repeat(1_001));
    for after in ["", "x", "4:", "-1:", ":a", "1:\n", long.as_str()] {
        let error = list(&Fake::answering(vec![]), 5, Some(after)).await.unwrap_err();
        assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "cursor"), "{after:?}");
    }
    assert!(list(&Fake::new(three_pages), 5, Some("3:")).await.is_ok(), "a whole page was seen");
}

#[tokio::test]
async fn a_listing_without_an_end_is_a_failure() {
    let endless = || Fake::new(|_| ok(json!({"rows": [], "next": "a"})));
    let fake = endless();
    let error = list(&fake, 1, None).await.unwrap_err();
    assert_eq!((error.kind, error.retryable, fake.requests().len()), (Kind::PlatformFailed, true, 2));
    let error = Eta.find_created(&session(&endless()), &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed);
}

/// A list whose pages are empty and each have another one.
fn empty_pages() -> Fake {
    let mut page = 0;
    Fake::new(move |_| {
        page += 1;
        ok(json!({"rows": [], "next": page.to_string()}))
    })
}

#[tokio::test]
async fn a_second_empty_page_in_a_row_ends_a_list_and_proves_no_absence() {
    let fake = empty_pages();
    let error = list(&fake, 1, None).await.unwrap_err();
    assert_eq!((error.kind, error.retryable, fake.requests().len()), (Kind::PlatformFailed, true, 2));
    assert!(error.message.contains("is not known"), "{error}");
    let error = Eta.find_created(&session(&empty_pages()), &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn a_refused_page_is_the_cursors_fault_only_at_the_callers_cursor() {
    let refused = || Fake::new(|_| (400, json!({"error": "no"}).to_string()));
    let error = list(&refused(), 5, Some("1:a")).await.unwrap_err();
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "cursor"));
    let error = list(&refused(), 5, None).await.unwrap_err();
    assert!(error.kind == Kind::PlatformFailed && error.is_for_operator, "{error}");
    let second =
        Fake::answering(vec![ok(json!({"rows": [row(1)], "next": "a"})), (400, json!({"error": "no"}).to_string())]);
    let error = list(&second, 5, None).await.unwrap_err();
    assert!(error.is_for_operator, "the platform's own token: {error}");
}

#[tokio::test]
async fn what_a_list_does_not_find_is_the_ad_account() {
    let gone = Fake::new(|_| (404, json!({"error": "gone"}).to_string()));
    assert_eq!(list(&gone, 5, None).await.unwrap_err().kind, Kind::Forbidden);
    assert_eq!(Eta.find_created(&session(&gone), &draft(), &marker()).await.unwrap_err().kind, Kind::Forbidden);
    assert_eq!(Eta.get_campaign(&session(&gone), "7").await.unwrap_err().kind, Kind::NotFound);
}

#[test]
fn the_place_in_a_list_is_that_of_an_id() {
    let after = |ids: &[&str], last: &str| index_after(ids.iter().copied().enumerate(), last);
    assert_eq!(after(&["12", "10", "9"], "10"), Some(2));
    assert_eq!(after(&["12", "9", "8"], "10"), Some(1), "10 was removed");
    assert_eq!(after(&["13", "12", "11"], "10"), None, "the page ends before it");
    assert_eq!(after(&["12", "10"], "10"), Some(2), "the next page follows");
    assert_eq!(after(&[], "10"), None);
}
