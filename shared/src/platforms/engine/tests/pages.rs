//! Page loops and positions.

use super::*;
use crate::domain::StatusSet;
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
    assert_eq!((error.kind, error.retryable, fake.requests().len()), (Kind::PlatformFailed, true, 20));
    let error = Eta.find_created(&session(&endless()), &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed);
}
