use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ok};
use crate::platforms::fixtures;
use crate::platforms::zeta::Zeta;
use serde_json::{Value, json};

async fn found(businesses: Value, accounts: Value) -> Result<Vec<String>, Error> {
    let fake = Fake::new(move |request| {
        let is_first = request.line.contains("/me/businesses");
        ok(json!({"data": if is_first { businesses.clone() } else { accounts.clone() }, "pagination": {}}))
    });
    let account = fixtures::account(Platform::Zeta, "USD", "UTC");
    let session = fake.session_of(Platform::Zeta, account);
    let found = Zeta.accounts(&session.call, &session.token).await?;
    Ok(found.into_iter().map(|account| account.id).collect())
}

#[tokio::test]
async fn a_malformed_row_does_not_lose_the_other_accounts() {
    let businesses = json!([{"id": "b1"}, {"id": 7}, {"name": "no id"}, {"id": "a/b"}, null]);
    let accounts = json!([
        {"id": "a2_a", "name": 7, "currency": "USD", "time_zone_id": 8},
        {"id": 7, "currency": "USD"},
        {"currency": "USD"},
        {"id": "a2_b", "currency": "ZZZ"},
        null,
    ]);
    assert_eq!(found(businesses, accounts).await.unwrap(), ["a2_a"]);
}

#[tokio::test]
async fn a_list_without_any_readable_row_is_no_empty_list() {
    let (business, account) = (json!([{"id": "b1"}]), json!([{"id": "a2_a", "currency": "USD"}]));
    assert!(found(json!([]), account.clone()).await.unwrap().is_empty());
    assert!(found(business.clone(), json!([])).await.unwrap().is_empty());
    assert_eq!(found(json!([{"id": 7}]), account).await.unwrap_err().kind, Kind::PlatformFailed);
    assert_eq!(found(business, json!([null])).await.unwrap_err().kind, Kind::PlatformFailed);
}
