use super::super::Epsilon;
use super::super::tests::support::{campaign, session};
use crate::domain::{CampaignDraft, ChangeId, Goal, Marker, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::engine::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::fixtures;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The start of the create in these tests.
const SINCE: &str = "2026-11-20T12:00:00Z";

fn since() -> Timestamp {
    SINCE.parse().unwrap()
}

fn marker() -> Marker {
    ChangeId::new(since(), uuid::Uuid::from_u128(1), 0).marker()
}

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::Sales, "10")
}

/// The campaign that a create of the draft makes, made so many seconds after the create began.
fn made(id: u64, after: i64) -> Value {
    let mut row = campaign(id, "PAUSED");
    row["name"] = json!("Winter");
    row["daily_spend_cap"] = json!(10_000_000);
    row["created_time"] = json!(since().as_second() + after);
    row
}

fn with(mut row: Value, field: &str, value: Value) -> Value {
    row[field] = value;
    row
}

fn page(rows: Vec<Value>, bookmark: Option<&str>) -> ScriptedResponse {
    ok(json!({"items": rows, "bookmark": bookmark}))
}

async fn found_at(fake: &Fake) -> Result<Vec<PlatformCampaign>, Error> {
    Epsilon.find_created(&session(fake), &draft(), &marker()).await
}

async fn found(responses: Vec<ScriptedResponse>) -> Result<Vec<String>, Error> {
    let found = found_at(&Fake::answering(responses)).await?;
    Ok(found.into_iter().map(|campaign| campaign.remote_id).collect())
}

#[tokio::test]
async fn campaigns_in_every_state_are_asked_for_newest_first_page_by_page() {
    let fake = Fake::answering(vec![page(vec![made(9, 5)], Some("b&c=")), page(vec![made(8, 1)], None)]);
    let found = found_at(&fake).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    assert_eq!(ids, ["8", "9"], "the oldest first");
    assert_eq!((found[0].budget_amount, found[0].total_spend_amount), (Some(Decimal::TEN), Some(Decimal::ZERO)));
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    let path = "GET /v5/ad_accounts/549755885175/campaigns?entity_statuses=ACTIVE&entity_statuses=PAUSED\
        &entity_statuses=DRAFT&entity_statuses=ARCHIVED&page_size=250&order=DESCENDING";
    assert_eq!(lines, [format!("{path} HTTP/1.1"), format!("{path}&bookmark=b%26c%3D HTTP/1.1")]);
}

#[tokio::test]
async fn only_new_campaigns_with_the_name_and_the_budget_are_found() {
    let rows = vec![
        made(20, 2),
        made(19, -119),
        made(18, -121),
        made(17, -86_400),
        with(made(16, 2), "name", json!("winter")),
        with(made(15, 2), "name", json!("Winter II")),
        with(made(14, 2), "daily_spend_cap", json!(10_000_001)),
        with(with(made(13, 2), "daily_spend_cap", Value::Null), "lifetime_spend_cap", json!(10_000_000)),
        with(made(12, 2), "is_campaign_budget_optimization", json!(false)),
        with(made(11, 2), "ad_account_id", json!("1")),
        with(made(10, 2), "status", json!("DELETED_DRAFT")),
        with(made(9, 3), "status", json!("ARCHIVED")),
        with(made(8, 4), "status", json!("ACTIVE")),
        with(made(7, 2), "created_time", Value::Null),
    ];
    assert_eq!(found(vec![page(rows, None)]).await.unwrap(), ["7", "19", "20", "9", "8"]);
    let active = Fake::answering(vec![page(vec![with(made(8, 4), "status", json!("ACTIVE"))], None)]);
    assert_eq!(found_at(&active).await.unwrap()[0].total_spend_amount, None, "it may have spent something");
}

#[tokio::test]
async fn reading_ends_at_a_page_of_campaigns_that_are_all_older() {
    let newer = || page(vec![made(9, 5), made(8, -500)], Some("b"));
    let older = || page(vec![made(7, -501), made(6, -700)], Some("c"));
    assert_eq!(found(vec![newer(), older()]).await.unwrap(), ["9"], "there is no third page to be asked for");
    let going_on = [
        page(vec![], Some("c")),
        page(vec![made(7, -501), made(6, 1)], Some("c")),
        page(vec![made(7, -501), with(made(6, -700), "created_time", Value::Null)], Some("c")),
        page(vec![made(6, -700), made(7, -501)], Some("c")),
    ];
    for second in going_on {
        let shown = format!("{second:?}");
        let found = found(vec![newer(), second, page(vec![made(5, 2)], None)]).await.unwrap();
        assert!(found.contains(&"5".to_owned()), "{shown}");
    }
}

#[tokio::test]
async fn nothing_is_found_only_where_everything_was_read() {
    assert!(found(vec![page(vec![], None)]).await.unwrap().is_empty());
    assert!(found(vec![page(vec![made(1, -86_400)], None)]).await.unwrap().is_empty());
    let first = || page(vec![made(9, 5)], Some("b"));
    let cases: Vec<(ScriptedResponse, Kind)> = vec![
        ((500, String::new()), Kind::PlatformFailed),
        ((400, r#"{"code":1,"message":"Invalid bookmark."}"#.into()), Kind::PlatformFailed),
        ((401, r#"{"code":2,"message":"Authentication failed."}"#.into()), Kind::TokenExpired),
        ((404, r#"{"code":2,"message":"AdAccount not found."}"#.into()), Kind::Forbidden),
        ((429, String::new()), Kind::RateLimited),
        ((200, "<html>".into()), Kind::PlatformFailed),
        (ok(json!({"bookmark": null})), Kind::PlatformFailed),
        (page(vec![json!({"name": "Winter"})], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "id", json!("1/2"))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "created_time", json!(i64::MAX))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "daily_spend_cap", json!(1.5))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "is_campaign_budget_optimization", json!("yes"))], None), Kind::PlatformFailed),
    ];
    for (response, kind) in cases {
        let shown = format!("{response:?}");
        assert_eq!(found(vec![response.clone()]).await.unwrap_err().kind, kind, "{shown}");
        assert_eq!(found(vec![first(), response]).await.unwrap_err().kind, kind, "on the second page: {shown}");
    }
    let endless = Fake::new(|_: &ReceivedRequest| page(vec![], Some("again")));
    assert_eq!(found_at(&endless).await.unwrap_err().kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn a_name_that_is_written_as_a_number_is_a_name() {
    let fake = Fake::answering(vec![page(vec![with(made(7, 1), "name", json!(2026))], None)]);
    let draft = CampaignDraft { name: "2026".into(), ..draft() };
    let found = Epsilon.find_created(&session(&fake), &draft, &marker()).await.unwrap();
    assert_eq!((found.len(), found[0].name.as_str()), (1, "2026"));
}

#[tokio::test]
async fn a_new_campaign_without_a_readable_name_is_no_proof() {
    for name in [Value::Null, json!({"text": "Winter"}), json!(["Winter"]), json!(" ")] {
        let unnamed = with(made(7, 1), "name", name.clone());
        let undated = with(unnamed.clone(), "created_time", Value::Null);
        let older = with(unnamed.clone(), "created_time", json!(since().as_second() - 86_400));
        for row in [unnamed, undated] {
            let error = found(vec![page(vec![made(9, 1), row], None)]).await.unwrap_err();
            assert_eq!(error.kind, Kind::PlatformFailed, "it may be the one: {name}");
        }
        assert!(found(vec![page(vec![older], None)]).await.unwrap().is_empty(), "{name}");
    }
}

#[tokio::test]
async fn a_new_namesake_without_a_readable_budget_is_no_proof() {
    let (flag, daily) = ("is_campaign_budget_optimization", "daily_spend_cap");
    let mut silent = made(7, 1);
    silent.as_object_mut().unwrap().retain(|field, _| field != flag && field != daily);
    let twofold = with(made(7, 1), "lifetime_spend_cap", json!(10_000_000));
    for row in [with(made(7, 1), flag, Value::Null), with(made(7, 1), daily, Value::Null), silent, twofold] {
        let shown = row.to_string();
        assert_eq!(found(vec![page(vec![row.clone()], None)]).await.unwrap_err().kind, Kind::PlatformFailed, "{shown}");
        let others = vec![
            with(row.clone(), "name", json!("Summer")),
            with(row.clone(), "created_time", json!(since().as_second() - 86_400)),
            with(row, flag, json!(false)),
        ];
        assert!(found(vec![page(others, None)]).await.unwrap().is_empty(), "{shown}");
    }
}
