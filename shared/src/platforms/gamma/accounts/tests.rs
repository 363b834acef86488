use super::*;
use crate::error::Kind;
use crate::platforms::fake::{Fake, ReceivedRequest, ok};
use serde_json::{Value, json};
use url::Url;

fn parameter(request: &ReceivedRequest, name: &str) -> String {
    let url = Url::parse("http://x").unwrap().join(request.line.split(' ').nth(1).unwrap()).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn details_of(request: &ReceivedRequest) -> Value {
    let ids: Vec<String> = serde_json::from_str(&parameter(request, "advertiser_ids")).unwrap();
    let info = |id: &String| {
        let (currency, zone) = match id.as_str() {
            "2" => ("JPY", json!("Asia/Tokyo")),
            "3" => ("XAU", json!("Europe/London")),
            _ => ("USD", Value::Null),
        };
        json!({"advertiser_id": id, "name": format!("a{id}"), "currency": currency, "timezone": "Etc/GMT+8",
            "display_timezone": zone, "status": "STATUS_ENABLE"})
    };
    json!({"list": ids.iter().map(info).collect::<Vec<_>>()})
}

fn world(count: u64) -> Fake {
    Fake::new(move |request| {
        let data = if request.line.starts_with("GET /open_api/v1.3/oauth2/advertiser/get/?") {
            let ids = (1..=count).rev().map(|id| json!({"advertiser_id": id.to_string(), "advertiser_name": "x"}));
            json!({"list": ids.collect::<Vec<_>>()})
        } else {
            assert!(request.line.starts_with("GET /open_api/v1.3/advertiser/info/?"), "{}", request.line);
            details_of(request)
        };
        ok(json!({"code": 0, "message": "OK", "data": data}))
    })
}

#[tokio::test]
async fn accounts_are_reached_by_the_token_and_described_by_a_second_call() {
    let fake = world(3);
    let session = fake.session();
    let found = accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.currency.code(), one.time_zone.as_str())).collect();
    assert_eq!(seen, [("1", "USD", "Etc/GMT+8"), ("2", "JPY", "Asia/Tokyo")], "gold has no minor unit");
    assert_eq!(found[0].name, "a1");
    let request = &fake.requests()[0];
    assert_eq!((parameter(request, "app_id").as_str(), parameter(request, "secret").as_str()), ("id", "secret"));
    assert!(request.headers.contains("access-token: access-secret"));
}

#[tokio::test]
async fn many_accounts_are_described_in_few_calls_and_none_is_forgotten() {
    let fake = world(250);
    let session = fake.session();
    let found = accounts(&session.call, &session.token).await.unwrap();
    assert_eq!((found.len(), fake.requests().len()), (249, 4));
    assert!(found.is_sorted_by(|one, next| one.id < next.id));
}

#[tokio::test]
async fn a_failure_fails_the_call_so_that_none_is_forgotten() {
    let failing = |code: i64| Fake::answering(vec![ok(json!({"code": code, "message": "no", "data": {}}))]);
    for (code, kind) in [(40_105, Kind::TokenExpired), (40_101, Kind::Forbidden), (50_000, Kind::PlatformFailed)] {
        let session = failing(code).session();
        assert_eq!(accounts(&session.call, &session.token).await.unwrap_err().kind, kind);
    }
    let empty = Fake::answering(vec![ok(json!({"code": 0, "data": {"list": []}}))]).session();
    assert_eq!(accounts(&empty.call, &empty.token).await.unwrap(), []);
}

/// A token whose list still has deleted accounts. One of them refuses the call, by its id or without a name.
fn with_deleted(count: u64, deleted: &'static [u64], is_named: bool) -> Fake {
    Fake::new(move |request| {
        if request.line.contains("/oauth2/advertiser/get/") {
            let ids = (1..=count).map(|id| json!({"advertiser_id": id.to_string()}));
            return ok(json!({"code": 0, "data": {"list": ids.collect::<Vec<_>>()}}));
        }
        let ids: Vec<String> = serde_json::from_str(&parameter(request, "advertiser_ids")).unwrap();
        assert!(!ids.is_empty());
        let Some(deleted_id) = deleted.iter().map(u64::to_string).find(|deleted_id| ids.contains(deleted_id)) else {
            return ok(json!({"code": 0, "data": details_of(request)}));
        };
        let named = if is_named { format!("advertiser {deleted_id}") } else { "advertiser".to_owned() };
        let message = format!("{named} doesn't exist or has been deleted.");
        ok(json!({"code": 40_001, "message": message, "data": {}}))
    })
}

#[tokio::test]
async fn a_deleted_account_costs_only_itself() {
    const MANY: [u64; 9] = [1, 9, 10, 11, 57, 99, 100, 101, 130];
    const ALL: [u64; 4] = [1, 4, 5, 6];
    for is_named in [true, false] {
        for (count, deleted) in [(1, &[1][..]), (9, &[5]), (130, &[57]), (130, &MANY), (6, &ALL)] {
            let fake = with_deleted(count, deleted, is_named);
            let session = fake.session();
            let mut found: Vec<u64> = accounts(&session.call, &session.token)
                .await
                .unwrap()
                .iter()
                .map(|one| one.id.parse().unwrap())
                .collect();
            found.sort_unstable();
            let expected: Vec<u64> = (1..=count).filter(|id| *id != 3 && !deleted.contains(id)).collect();
            assert_eq!(found, expected, "{count} {deleted:?} {is_named}");
        }
    }
}

#[tokio::test]
async fn one_deleted_account_that_is_named_costs_one_call_more() {
    let fake = with_deleted(9, &[5], true);
    let session = fake.session();
    accounts(&session.call, &session.token).await.unwrap();
    assert_eq!(fake.requests().len(), 3, "the list, the refusal, the rest");
}

#[tokio::test]
async fn an_endless_refusal_ends_and_says_nothing_about_the_connection() {
    let message = "advertiser 12345 doesn't exist or has been deleted.";
    let fake = Fake::new(move |request| match request.line.contains("/oauth2/advertiser/get/") {
        true => {
            let ids: Vec<_> = (1..=400).map(|id| json!({"advertiser_id": id.to_string()})).collect();
            ok(json!({"code": 0, "data": {"list": ids}}))
        }
        false => ok(json!({"code": 40_001, "message": message, "data": {}})),
    });
    let session = fake.session();
    let error = accounts(&session.call, &session.token).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    assert!(fake.requests().len() <= 201);
}

#[tokio::test]
async fn any_other_refusal_still_fails_the_call() {
    for (code, message, kind) in [
        (40_001, "No permission to operate advertiser 5.", Kind::Forbidden),
        (40_105, "Access token is incorrect or has been revoked.", Kind::TokenExpired),
        (50_000, "advertiser 5 doesn't exist or has been deleted.", Kind::PlatformFailed),
    ] {
        let fake = Fake::new(move |request| match request.line.contains("/oauth2/advertiser/get/") {
            true => ok(json!({"code": 0, "data": {"list": [{"advertiser_id": "5"}, {"advertiser_id": "6"}]}})),
            false => ok(json!({"code": code, "message": message, "data": {}})),
        });
        let session = fake.session();
        assert_eq!(accounts(&session.call, &session.token).await.unwrap_err().kind, kind, "{code}");
    }
}

#[tokio::test]
async fn a_malformed_field_of_an_account_loses_no_account() {
    let rows = json!([
        {"advertiser_id": "5", "name": 5, "currency": "USD", "timezone": null, "display_timezone": ["x"]},
        {"advertiser_id": 6, "name": {"a": 1}, "currency": "EUR", "timezone": "Etc/GMT+8"},
        {"advertiser_id": "7", "name": "seven", "currency": 7},
    ]);
    let response = ok(json!({"code": 0, "data": {"list": rows, "page_info": "none"}}));
    let reached = ok(json!({"code": 0, "data": {"list": [{"advertiser_id": "5"}, {"advertiser_id": 6}]}}));
    let session = Fake::answering(vec![reached, response]).session();
    let found = accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.name.as_str(), one.time_zone.as_str())).collect();
    assert_eq!(seen, [("5", "5", "UTC"), ("6", "", "Etc/GMT+8")]);
}

#[tokio::test]
async fn an_answer_without_its_list_is_an_error_and_not_an_empty_one() {
    let reached = || ok(json!({"code": 0, "data": {"list": [{"advertiser_id": "5"}]}}));
    for malformed in [json!({}), json!({"list": null})] {
        let malformed = || ok(json!({"code": 0, "data": malformed}));
        for responses in [vec![malformed()], vec![reached(), malformed()]] {
            let session = Fake::answering(responses).session();
            let error = accounts(&session.call, &session.token).await.unwrap_err();
            assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
        }
    }
}

#[tokio::test]
async fn an_account_that_cannot_be_read_costs_only_itself() {
    let malformed = [json!(null), json!(7), json!({"name": "x"}), json!({"advertiser_id": null})];
    for malformed in malformed {
        let answered = |rows: Value| ok(json!({"code": 0, "data": {"list": rows}}));
        let reached = answered(json!([{"advertiser_id": "5"}, malformed, {"advertiser_id": "6"}]));
        let info = |id: &str| json!({"advertiser_id": id, "name": id, "currency": "USD"});
        let fake = Fake::answering(vec![reached, answered(json!([info("5"), malformed, info("6")]))]);
        let session = fake.session();
        let found = accounts(&session.call, &session.token).await.unwrap();
        let ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["5", "6"], "{malformed}");
        assert_eq!(parameter(&fake.requests()[1], "advertiser_ids"), r#"["5","6"]"#);
    }
}

#[tokio::test]
async fn accounts_of_which_none_can_be_read_are_a_failure() {
    let answered = |rows: Value| ok(json!({"code": 0, "data": {"list": rows}}));
    let reached = || answered(json!([{"advertiser_id": "5"}]));
    for responses in [vec![answered(json!([{}]))], vec![reached(), answered(json!([{"name": "x"}]))]] {
        let session = Fake::answering(responses).session();
        let error = accounts(&session.call, &session.token).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    }
}

#[tokio::test]
async fn an_unreadable_row_alone_in_its_call_costs_no_other_account() {
    let fake = Fake::new(|request| {
        if request.line.contains("/oauth2/advertiser/get/") {
            let ids = (1..=101).map(|id| json!({"advertiser_id": id.to_string()}));
            return ok(json!({"code": 0, "data": {"list": ids.collect::<Vec<_>>()}}));
        }
        let is_alone = parameter(request, "advertiser_ids") == r#"["101"]"#;
        ok(json!({"code": 0, "data": if is_alone { json!({"list": [{}]}) } else { details_of(request) }}))
    });
    let session = fake.session();
    assert_eq!(accounts(&session.call, &session.token).await.unwrap().len(), 99, "all but 101, and 3 in gold");
}
