//! Tests of lists with odd rows: one row never costs the others.

use super::*;

fn odd_rows() -> Vec<Value> {
    let mut rows = vec![json!(null), json!(7), json!({})];
    for (field, value) in [("id", json!(null)), ("id", json!(8.5)), ("account", json!(7)), ("account", json!({}))] {
        let mut odd = row(8, "PAUSED");
        odd[field] = value;
        rows.push(odd);
    }
    rows
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_left_out_and_positions_hold() {
    for odd in odd_rows() {
        let pages = || vec![vec![row(9, "ACTIVE"), odd.clone()], vec![row(7, "PAUSED"), odd.clone(), row(6, "ACTIVE")]];
        let (fake, mut after, mut seen) = (paged(pages()), None, Vec::new());
        for has_more in [true, true, false] {
            let page = page(&fake, StatusSet::not_final(), 1, after.as_deref()).await.unwrap();
            seen.extend(ids(&page).into_iter().map(str::to_owned));
            assert_eq!(page.has_more, has_more, "{odd}");
            after = page.positions.last().cloned();
        }
        assert_eq!(seen, ["9", "7", "6"], "{odd}");
        let behind_the_odd_one = page(&fake, StatusSet::not_final(), 5, Some("8.")).await.unwrap();
        assert_eq!(ids(&behind_the_odd_one), ["7", "6"], "{odd}");
    }
}

#[tokio::test]
async fn a_list_without_a_readable_row_is_a_failure_and_not_empty() {
    let fake = paged(vec![odd_rows()]);
    let error = page(&fake, StatusSet::not_final(), 5, None).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
}
