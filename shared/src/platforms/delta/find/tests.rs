use crate::domain::{CampaignDraft, CampaignStatus, ChangeId, Goal, Marker, Platform, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::delta::Delta;
use crate::platforms::delta::translate::tests::{account, decimal};
use crate::platforms::engine::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::fixtures;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The begin of the create of these tests.
const SINCE: &str = "2026-11-20T12:00:00Z";

fn since() -> Timestamp {
    SINCE.parse().unwrap()
}

fn marker() -> Marker {
    ChangeId::new(since(), uuid::Uuid::from_u128(1), 0).marker()
}

fn draft(name: &str) -> CampaignDraft {
    CampaignDraft { name: name.into(), ..fixtures::aimed_draft(Goal::Sales, "50") }
}

/// A campaign that was created so many seconds after the create began.
fn row(id: u32, name: &str, amount: &str, after: i64) -> Value {
    json!({
        "id": id, "name": name, "status": "PAUSED", "account": "urn:li:sponsoredAccount:512345678",
        "dailyBudget": {"amount": amount, "currencyCode": "USD"},
        "runSchedule": {"start": 1_764_633_600_000_i64},
        "changeAuditStamps": {"created": {"time": (since().as_second() + after) * 1_000}},
    })
}

fn with(mut row: Value, field: &str, value: Value) -> Value {
    row[field] = value;
    row
}

fn page(rows: Vec<Value>, next: Option<&str>) -> ScriptedResponse {
    ok(json!({"elements": rows, "metadata": next.map_or(json!({}), |token| json!({"nextPageToken": token}))}))
}

async fn found_by(fake: &Fake, name: &str) -> Result<Vec<PlatformCampaign>, Error> {
    Delta.find_created(&fake.session_of(Platform::Delta, account()), &draft(name), &marker()).await
}

async fn found(responses: Vec<ScriptedResponse>) -> Result<Vec<String>, Error> {
    let found = found_by(&Fake::answering(responses), "Winter").await?;
    Ok(found.into_iter().map(|campaign| campaign.remote_id).collect())
}

#[tokio::test]
async fn a_search_encodes_any_name_exactly_once() {
    let cases = [
        ("Winter", "Winter"),
        ("Winter sale", "Winter%20sale"),
        ("a+b", "a%2Bb"),
        ("50% (new), 'x': \"y\"", "50%25%20%28new%29%2C%20%27x%27%3A%20%22y%22"),
        ("a%20b", "a%2520b"),
        ("List(a,b)&x=1#y/..?", "List%28a%2Cb%29%26x%3D1%23y%2F..%3F"),
        ("Zürich 🎄", "Z%C3%BCrich%20%F0%9F%8E%84"),
        ("~_-.\\*", "~_-.%5C%2A"),
    ];
    for (name, encoded) in cases {
        let fake = Fake::answering(vec![page(vec![row(7, name, "50.00", 1)], None)]);
        assert_eq!(found_by(&fake, name).await.unwrap().len(), 1, "{name}");
        let expected = format!(
            "GET /rest/adAccounts/512345678/adCampaigns?q=search&search=(name:(values:List({encoded})))\
             &pageSize=101 HTTP/1.1"
        );
        assert_eq!(fake.requests()[0].line, expected);
    }
    let longest = "🎄".repeat(255);
    let fake = Fake::answering(vec![page(vec![], None)]);
    assert!(found_by(&fake, &longest).await.unwrap().is_empty());
    assert!(fake.requests()[0].line.len() < 4_096, "the longest name fits into a query");
}

#[tokio::test]
async fn new_campaigns_with_the_name_and_budget_are_found_on_every_page() {
    let total = json!({"amount": "50", "currencyCode": "USD"});
    let first = vec![
        row(12, "Winter", "50", 9),
        row(11, "Winter", "50.00", 2),
        row(10, "winter", "50", 2),
        row(9, "Winter II", "50", 2),
        row(8, "Winter", "51", 2),
        with(with(row(7, "Winter", "50", 2), "dailyBudget", Value::Null), "totalBudget", total),
    ];
    let second = vec![
        row(6, "Winter", "50", -119),
        row(5, "Winter", "50", -121),
        row(4, "Winter", "50", -86_400),
        with(row(3, "Winter", "50", 2), "status", json!("REMOVED")),
        with(row(2, "Winter", "50", 2), "account", json!("urn:li:sponsoredAccount:1")),
        row(11, "Winter", "50.00", 2),
    ];
    let pages = vec![page(first, Some("a+b")), page(vec![], Some("c")), page(second, None)];
    let fake = Fake::answering(pages);
    let found = found_by(&fake, "Winter").await.unwrap();
    let ids: Vec<&str> = found.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    assert_eq!(ids, ["6", "11", "12"]);
    assert_eq!((found[1].budget_amount, found[1].total_spend_amount), (Some(decimal("50")), Some(Decimal::ZERO)));
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    assert!(lines[1].ends_with("&pageSize=101&pageToken=a%2Bb HTTP/1.1"), "{}", lines[1]);
    assert_eq!(lines.len(), 3, "and no report of what they spent");
}

#[tokio::test]
async fn a_campaign_that_was_switched_since_its_create_is_found() {
    for (word, status) in [
        ("ACTIVE", CampaignStatus::Active),
        ("ARCHIVED", CampaignStatus::Archived),
        ("PENDING_DELETION", CampaignStatus::ScheduledForDeletion),
    ] {
        let fake = Fake::answering(vec![page(vec![with(row(7, "Winter", "50", 1), "status", json!(word))], None)]);
        let found = found_by(&fake, "Winter").await.unwrap();
        assert_eq!((found[0].status, found[0].total_spend_amount), (status, None));
    }
}

#[tokio::test]
async fn nothing_is_found_only_where_everything_was_read() {
    assert!(found(vec![page(vec![], None)]).await.unwrap().is_empty());
    let first = || page(vec![row(12, "Winter", "50", 9)], Some("t"));
    let denied = include_str!("../fixtures/errors/access-denied.json");
    let missing = include_str!("../fixtures/errors/not-found.json");
    let cases: Vec<(ScriptedResponse, Kind)> = vec![
        ((500, String::new()), Kind::PlatformFailed),
        ((400, r#"{"status":400,"code":"PARAM_INVALID","message":"search"}"#.into()), Kind::PlatformFailed),
        ((401, String::new()), Kind::TokenExpired),
        ((403, denied.into()), Kind::Forbidden),
        ((404, missing.into()), Kind::Forbidden),
        ((429, String::new()), Kind::RateLimited),
        ((200, "<html>".into()), Kind::PlatformFailed),
        (ok(json!({"elements": []})), Kind::PlatformFailed),
        (ok(json!({"elements": [], "metadata": null})), Kind::PlatformFailed),
        (ok(json!({"metadata": {}})), Kind::PlatformFailed),
        (page(vec![json!({"name": "Winter"})], None), Kind::PlatformFailed),
        (page(vec![json!([])], None), Kind::PlatformFailed),
        (page(vec![row(1, "Winter", "fifty", 1)], None), Kind::PlatformFailed),
        (page(vec![row(1, "Winter", "50", i64::MAX / 2_000)], None), Kind::PlatformFailed),
        (page(vec![with(row(1, "Winter", "50", 1), "changeAuditStamps", json!({}))], None), Kind::PlatformFailed),
    ];
    for (response, kind) in cases {
        let shown = format!("{response:?}");
        assert_eq!(found(vec![response.clone()]).await.unwrap_err().kind, kind, "{shown}");
        assert_eq!(found(vec![first(), response]).await.unwrap_err().kind, kind, "on the second page: {shown}");
    }
    let endless = Fake::new(|_: &ReceivedRequest| page(vec![], Some("again")));
    assert_eq!(found_by(&endless, "Winter").await.unwrap_err().kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn a_new_campaign_without_a_readable_name_is_no_proof() {
    for name in [Value::Null, json!({"text": "Winter"}), json!(" ")] {
        let unnamed = |after| vec![page(vec![with(row(1, "Winter", "50", after), "name", name.clone())], None)];
        assert_eq!(found(unnamed(1)).await.unwrap_err().kind, Kind::PlatformFailed, "it may be the one: {name}");
        assert_eq!(found(unnamed(-86_400)).await.unwrap(), Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn a_new_namesake_without_a_readable_budget_is_no_proof() {
    for budget in [Value::Null, json!("50"), json!({}), json!({"amount": null, "currencyCode": "USD"})] {
        let namesake = |after| with(row(1, "Winter", "50", after), "dailyBudget", budget.clone());
        let rows = vec![row(2, "Winter", "51", 1), namesake(1)];
        assert_eq!(found(vec![page(rows, None)]).await.unwrap_err().kind, Kind::PlatformFailed, "{budget}");
        let others = vec![namesake(-86_400), with(namesake(1), "name", json!("Summer"))];
        assert_eq!(found(vec![page(others, None)]).await.unwrap(), Vec::<String>::new(), "{budget}");
    }
}
