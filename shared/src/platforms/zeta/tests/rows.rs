//! Lists with rows that cannot be read.

use super::*;
use crate::error::Kind;
use crate::platforms::fake::{Fake, ok};
use crate::platforms::fixtures;
use serde_json::{Value, json};

async fn listed(rows: Value) -> Result<Vec<String>, Error> {
    let fake = Fake::new(move |request| {
        let is_report = request.line.contains("/reports?");
        ok(if is_report { json!({"data": {"metrics": []}}) } else { json!({"data": rows}) })
    });
    let account = fixtures::account(Platform::Zeta, "USD", "UTC");
    let session = fake.session_of(Platform::Zeta, account);
    let request = ListRequest { statuses: StatusSet::of(&CampaignStatus::ALL), limit: 20, after: None };
    let page = Zeta.list_campaigns(&session, &request).await?;
    Ok(page.rows.into_iter().map(|campaign| campaign.remote_id).collect())
}

#[tokio::test]
async fn a_malformed_row_does_not_lose_the_page() {
    let row = |id: &str, field: &str, value: Value| {
        let mut row = json!({"id": id, "configured_status": "PAUSED", "created_at": "2026-11-01T00:00:00Z"});
        row[field] = value;
        row
    };
    let rows = json!([
        row("1", "name", json!("Winter")),
        row("2", "start_time", json!("soon")),
        row("3", "end_time", json!(7)),
        row("4", "created_at", json!("yesterday")),
        row("5", "modified_at", json!({})),
        row("6", "configured_status", json!("SOMETHING_NEW")),
        row("7", "objective", json!("SOMETHING_NEW")),
        row("8", "ad_account_id", json!("a2_other")),
        row("9", "ad_account_id", json!(9)),
        row("10", "id", json!(10)),
        row("11", "id", json!("1/1")),
        null,
        [],
        row("12", "ad_account_id", json!("a2_example")),
    ]);
    assert_eq!(listed(rows).await.unwrap(), ["1", "2", "3", "4", "5", "6", "7", "12"]);
}

#[tokio::test]
async fn a_page_without_any_readable_row_is_no_empty_list() {
    assert!(listed(json!([])).await.unwrap().is_empty());
    for rows in
        [json!([null]), json!([{"id": 7}, {"name": "no id"}]), json!([{"id": "1", "ad_account_id": "a2_other"}])]
    {
        let error = listed(rows).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    }
}
