use super::super::Epsilon;
use super::super::tests::support::session;
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ok};
use serde_json::{Value, json};

#[tokio::test]
async fn an_account_has_the_time_zone_that_it_names_or_utc() {
    let named = |id: &str, zone: Value| json!({"id": id, "name": 7, "currency": "EUR", "time_zone": zone});
    let mut rows = vec![named("1", json!("America/Los_Angeles")), named("2", Value::Null)];
    rows.extend([named("3", json!("Mars/Olympus")), named("4", json!(-8)), named("5", json!(""))]);
    rows.push(json!({"id": "6", "currency": "EUR"}));
    let fake = Fake::answering(vec![ok(json!({"items": rows, "bookmark": null}))]);
    let session = session(&fake);
    let found = Epsilon.accounts(&session.call, &session.token).await.unwrap();
    let zones: Vec<&str> = found.iter().map(|account| account.time_zone.as_str()).collect();
    assert_eq!(zones, ["America/Los_Angeles", "UTC", "UTC", "UTC", "UTC", "UTC"]);
}

#[tokio::test]
async fn accounts_are_paged_to_the_end_and_sorted_and_unknown_money_is_left_out() {
    let one = |id: &str, currency: &str| json!({"id": id, "name": format!("a{id}"), "currency": currency});
    let first = json!({"items": [one("9", "JPY"), one("3", "XAU")], "bookmark": "b&c="});
    let fake =
        Fake::answering(vec![ok(first), ok(json!({"items": [one("2", "EUR"), one("9", "JPY")], "bookmark": null}))]);
    let session = session(&fake);
    let found = Epsilon.accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<_> = found.iter().map(|account| (account.id.as_str(), account.currency.code())).collect();
    assert_eq!(seen, [("2", "EUR"), ("9", "JPY")]);
    assert_eq!((found[0].name.as_str(), found[0].time_zone.as_str()), ("a2", "UTC"));
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    let path = "GET /v5/ad_accounts?include_shared_accounts=true&page_size=250";
    assert_eq!(lines, [format!("{path} HTTP/1.1"), format!("{path}&bookmark=b%26c%3D HTTP/1.1")]);
    let endless = Fake::new(|_| ok(json!({"items": [], "bookmark": "again"})));
    let session = super::super::tests::support::session(&endless);
    assert_eq!(Epsilon.accounts(&session.call, &session.token).await.unwrap_err().kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn a_malformed_account_does_not_lose_the_others() {
    let found = async |rows: Value| {
        let fake = Fake::answering(vec![ok(json!({"items": rows, "bookmark": null}))]);
        let session = session(&fake);
        let found = Epsilon.accounts(&session.call, &session.token).await;
        found.map(|found| found.into_iter().map(|account| account.id).collect::<Vec<_>>())
    };
    let rows = json!([{"id": "2", "currency": "EUR"}, {"id": 3, "currency": "EUR"}, {"currency": "EUR"}, null, []]);
    assert_eq!(found(rows).await.unwrap(), ["2"]);
    assert!(found(json!([])).await.unwrap().is_empty());
    assert_eq!(found(json!([{"id": "a3", "currency": "EUR"}])).await.unwrap_err().kind, Kind::PlatformFailed);
}
