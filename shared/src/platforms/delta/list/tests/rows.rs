//! Lists with malformed rows: one row never costs the others.

use super::*;

fn malformed_rows() -> Vec<Value> {
    let mut rows = vec![json!(null), json!(7), json!({})];
    for (field, value) in [("id", json!(null)), ("id", json!(8.5)), ("account", json!(7)), ("account", json!({}))] {
        let mut malformed = row(8, "PAUSED");
        malformed[field] = value;
        rows.push(malformed);
    }
    rows
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_left_out_and_positions_hold() {
    for malformed in malformed_rows() {
        let pages = || {
            vec![vec![row(9, "ACTIVE"), malformed.clone()], vec![row(7, "PAUSED"), malformed.clone(), row(6, "ACTIVE")]]
        };
        let (fake, mut after, mut seen) = (paged(pages()), None, Vec::new());
        for has_more in [true, true, false] {
            let page = page(&fake, StatusSet::not_final(), 1, after.as_deref()).await.unwrap();
            seen.extend(ids(&page).into_iter().map(str::to_owned));
            assert_eq!(page.has_more, has_more, "{malformed}");
            after = page.positions.last().cloned();
        }
        assert_eq!(seen, ["9", "7", "6"], "{malformed}");
        let after_the_malformed_one = page(&fake, StatusSet::not_final(), 5, Some("8.")).await.unwrap();
        assert_eq!(ids(&after_the_malformed_one), ["7", "6"], "{malformed}");
    }
}
