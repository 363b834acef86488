use super::*;
use crate::domain::ChangeId;
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::zeta::Zeta;
use crate::platforms::zeta::tests::{draft, session};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The start of the create in these tests.
const SINCE: &str = "2026-11-20T12:00:00Z";
/// The campaign has a budget of its own.
const OWN_BUDGET: &str = "is_campaign_budget_optimization";

fn since() -> Timestamp {
    SINCE.parse().unwrap()
}

fn marker_of(target: usize) -> Marker {
    ChangeId::new(since(), uuid::Uuid::from_u128(1), target).marker()
}

/// The campaign that a create of the draft makes, made so many seconds after the create began; no label is shown.
fn made(id: u64, after: i64) -> Value {
    let created = Timestamp::from_second(since().as_second() + after).unwrap();
    json!({"id": id.to_string(), "ad_account_id": "a2_example", "name": "Winter", "configured_status": "PAUSED",
        "goal_type": "DAILY_SPEND", "goal_value": 50_000_000, "created_at": created.to_string()})
}

fn with(mut row: Value, field: &str, value: Value) -> Value {
    row[field] = value;
    row
}

fn labelled(row: Value, label: &str) -> Value {
    with(row, "invoice_label", json!(label))
}

fn page(rows: Vec<Value>, next: Option<&str>) -> ScriptedResponse {
    let next = next.map(|token| format!("/api/v3/ad_accounts/a2_example/campaigns?page.token={token}"));
    ok(json!({"data": rows, "pagination": {"next_url": next, "previous_url": null}}))
}

async fn found_at(fake: &Fake) -> Result<Vec<PlatformCampaign>, Error> {
    Zeta.find_created(&session(fake), &draft(), &marker_of(0)).await
}

async fn found(responses: Vec<ScriptedResponse>) -> Result<Vec<String>, Error> {
    let found = found_at(&Fake::answering(responses)).await?;
    Ok(found.into_iter().map(|campaign| campaign.remote_id).collect())
}

#[tokio::test]
async fn a_campaign_with_our_label_is_ours_on_any_page() {
    let changed = with(with(made(7, 1), "name", json!("Summer")), "goal_value", json!(1));
    let changed = with(changed, "configured_status", json!("ACTIVE"));
    let second = vec![labelled(changed, &marker_of(0).label()), made(6, 2)];
    let fake = Fake::answering(vec![page(vec![made(9, 5)], Some("t%26")), page(second, None)]);
    let found = found_at(&fake).await.unwrap();
    assert_eq!(found.len(), 1, "what merely fits counts no longer");
    assert_eq!((found[0].remote_id.as_str(), found[0].name.as_str()), ("7", "Summer"));
    assert_eq!(found[0].total_spend_amount, None, "it may have spent something");
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    let path = "GET /api/v3/ad_accounts/a2_example/campaigns?page.size=100";
    assert_eq!(lines, [format!("{path} HTTP/1.1"), format!("{path}&page.token=t%26 HTTP/1.1")]);
}

#[tokio::test]
async fn a_campaign_with_the_label_of_another_create_is_never_ours() {
    let rows = vec![labelled(made(9, 5), &marker_of(1).label()), labelled(made(8, 5), "ua-0000000000000000")];
    assert!(found(vec![page(rows, None)]).await.unwrap().is_empty());
}

#[tokio::test]
async fn without_a_label_the_name_the_budget_and_the_age_decide() {
    let rows = vec![
        made(10, 2),
        made(9, 2),
        made(20, -119),
        made(8, -121),
        made(7, -86_400),
        with(made(6, 2), "name", json!("winter")),
        with(made(5, 2), "goal_value", json!(50_000_001)),
        with(made(4, 2), "goal_type", json!("LIFETIME_SPEND")),
        with(with(made(3, 2), "goal_type", Value::Null), OWN_BUDGET, json!(false)),
        with(made(2, 3), "invoice_label", Value::Null),
        labelled(made(11, 4), ""),
        labelled(made(12, 5), "Cost centre 7"),
        labelled(made(13, 6), "ua-2026"),
        made(10, 2),
    ];
    let fake = Fake::answering(vec![page(rows, None)]);
    let found = found_at(&fake).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    assert_eq!(ids, ["20", "9", "10", "2", "11", "12", "13"]);
    assert_eq!(found[0].total_spend_amount, Some(Decimal::ZERO));
    assert_eq!(fake.requests().len(), 1, "and no report of what they spent");
}

#[tokio::test]
async fn an_unlabelled_create_is_found_beside_labelled_ones() {
    // As on an account that began to pay by credit card: older campaigns carry labels, newer ones none.
    let rows = vec![
        made(9, 5),
        labelled(made(8, 4), &marker_of(1).label()),
        with(made(7, 3), "invoice_label", Value::Null),
        labelled(with(made(6, 2), "name", json!("Summer")), &marker_of(2).label()),
    ];
    assert_eq!(found(vec![page(rows, None)]).await.unwrap(), ["7", "9"]);
}

#[tokio::test]
async fn nothing_is_found_only_where_everything_was_read() {
    assert!(found(vec![page(vec![], None)]).await.unwrap().is_empty());
    assert!(found(vec![page(vec![], Some("t")), page(vec![made(1, -86_400)], None)]).await.unwrap().is_empty());
    let first = || page(vec![labelled(made(9, 5), &marker_of(0).label())], Some("t"));
    let missing = r#"{"error":{"code":404,"message":"Not Found"}}"#;
    let cases: Vec<(ScriptedResponse, Kind)> = vec![
        ((500, String::new()), Kind::PlatformFailed),
        ((401, String::new()), Kind::TokenExpired),
        ((404, missing.into()), Kind::Forbidden),
        ((429, String::new()), Kind::RateLimited),
        ((200, "<html>".into()), Kind::PlatformFailed),
        (ok(json!({"pagination": {}})), Kind::PlatformFailed),
        (
            ok(json!({"data": [], "pagination": {"next_url": "https://evil.example/?page.token=t"}})),
            Kind::PlatformFailed,
        ),
        (ok(json!({"data": [], "pagination": {"next_url": "/api/v3/x"}})), Kind::PlatformFailed),
        (page(vec![json!({"name": "Winter"})], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "ad_account_id", json!("a2_other"))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "created_at", json!("today"))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "invoice_label", json!(7))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "goal_value", json!(50.5))], None), Kind::PlatformFailed),
        (page(vec![with(made(1, 1), "goal_type", json!(1))], None), Kind::PlatformFailed),
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
    let found = Zeta.find_created(&session(&fake), &draft, &marker_of(0)).await.unwrap();
    assert_eq!((found.len(), found[0].name.as_str()), (1, "2026"));
}

#[tokio::test]
async fn a_new_campaign_without_a_readable_name_is_no_proof() {
    for name in [Value::Null, json!({"text": "Winter"}), json!(["Winter"]), json!(" ")] {
        let unnamed = |after| with(made(7, after), "name", name.clone());
        let undated = with(unnamed(1), "created_at", Value::Null);
        for row in [unnamed(1), undated, labelled(unnamed(1), "Cost centre 7")] {
            let error = found(vec![page(vec![made(9, 1), row], None)]).await.unwrap_err();
            assert_eq!(error.kind, Kind::PlatformFailed, "it may be the one: {name}");
        }
        let others = vec![unnamed(-86_400), labelled(unnamed(1), &marker_of(1).label())];
        assert!(found(vec![page(others, None)]).await.unwrap().is_empty(), "{name}");
        let ours = labelled(with(unnamed(1), "id", json!("8")), &marker_of(0).label());
        assert_eq!(found(vec![page(vec![unnamed(1), ours], None)]).await.unwrap(), ["8"], "its label decides");
    }
}

#[tokio::test]
async fn a_new_namesake_without_a_readable_budget_is_no_proof() {
    let mut silent = made(7, 1);
    silent.as_object_mut().unwrap().retain(|field, _| !field.starts_with("goal_"));
    let unset = with(made(7, 1), "goal_value", json!(0));
    for row in [with(made(7, 1), "goal_type", Value::Null), with(made(7, 1), "goal_type", json!("NEW")), unset, silent]
    {
        let shown = row.to_string();
        assert_eq!(found(vec![page(vec![row.clone()], None)]).await.unwrap_err().kind, Kind::PlatformFailed, "{shown}");
        let others = vec![
            with(row.clone(), "name", json!("Summer")),
            with(row.clone(), "created_at", json!("2026-11-19T12:00:00Z")),
            with(row.clone(), OWN_BUDGET, json!(false)),
        ];
        assert!(found(vec![page(others, None)]).await.unwrap().is_empty(), "{shown}");
        let malformed = with(row, OWN_BUDGET, json!("no"));
        assert_eq!(found(vec![page(vec![malformed], None)]).await.unwrap_err().kind, Kind::PlatformFailed, "{shown}");
    }
}
