//! Tests of single calls: create, read, change.

use crate::domain::{BudgetPeriod, CampaignChanges, CampaignDraft, CampaignStatus, Goal, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::engine::AdPlatform;
use crate::platforms::epsilon::Epsilon;
use crate::platforms::epsilon::tests::support::{campaign, session};
use crate::platforms::epsilon::translate::found;
use crate::platforms::fake::{Fake, create, marker, ok};
use crate::platforms::fixtures;
use rust_decimal::Decimal;
use serde_json::{Value, json};

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::Sales, "10")
}

async fn create_answered(status: u16, body: &str) -> Error {
    let fake = Fake::answering(vec![(status, body.to_owned())]);
    let error = create(&Epsilon, &session(&fake), &draft(), &marker()).await.unwrap_err();
    assert_eq!(fake.requests().len(), 1, "a create is sent once");
    error
}

#[tokio::test]
async fn a_create_is_one_call_with_one_item_and_the_status_paused() {
    let fake = Fake::answering(vec![(200, include_str!("../fixtures/created.json").to_owned())]);
    let campaign = create(&Epsilon, &session(&fake), &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("626744528401", CampaignStatus::Paused));
    let requests = fake.requests();
    assert_eq!(requests[0].line, "POST /v5/ad_accounts/549755885175/campaigns HTTP/1.1");
    assert!(requests[0].headers.contains("authorization: bearer access-secret"), "{}", requests[0].headers);
    assert_eq!(requests[0].body.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&requests[0].body[0]["status"], &requests[0].body[0]["daily_spend_cap"]),
        (&json!("PAUSED"), &json!(10_000_000))
    );
}

#[tokio::test]
async fn a_refusal_inside_200_is_a_refusal_and_no_success() {
    let refused = create_answered(200, include_str!("../fixtures/refused.json")).await;
    assert_eq!((refused.kind, refused.retryable), (Kind::PlatformRefused, false));
    let reported = refused.platform_error.unwrap();
    assert_eq!((reported.code.as_deref(), reported.field.as_deref()), (Some("2001"), Some("budget_amount")));
    let echoed = json!({"items": [{"data": {"name": "Winter"}, "exceptions": [{"code": 2, "message": "No."}]}]});
    assert_eq!(create_answered(200, &echoed.to_string()).await.kind, Kind::PlatformRefused);
    let unsure = [
        (json!({"id": "7"}), json!([{"code": 2, "message": "No."}])),
        (json!({"id": 7}), json!([{"code": 2, "message": "No."}])),
        (json!("7"), json!([{"code": 2, "message": "No."}])),
        (Value::Null, json!([{}])),
        (Value::Null, json!([{"code": null, "message": ""}])),
    ];
    for (data, exceptions) in unsure {
        let body = json!({"items": [{"data": data, "exceptions": exceptions}]}).to_string();
        let error = create_answered(200, &body).await;
        assert!(error.unknown_outcome && !error.retryable, "a campaign may be there after all: {body}");
    }
}

#[tokio::test]
async fn secrets_inside_200_are_removed() {
    let exception = |message: &str| json!({"code": 1, "message": message});
    let inside = json!({"items": [{"data": null, "exceptions": [exception("access-secret")]}]});
    let shown = format!("{:?}", create_answered(200, &inside.to_string()).await);
    assert!(!shown.contains("access-secret"), "{shown}");
}

/// Answers a read of campaign 5, and the report with this.
fn with_report(status: u16, report: Value) -> Fake {
    Fake::new(move |request| {
        if request.line.contains("/analytics?") { (status, report.to_string()) } else { ok(campaign(5, "ARCHIVED")) }
    })
}

async fn get(fake: &Fake, id: &str) -> Result<PlatformCampaign, Error> {
    Epsilon.get_campaign(&session(fake), id).await
}

#[tokio::test]
async fn one_campaign_is_read_with_what_it_spent_in_the_last_90_days() {
    let fake = with_report(200, json!([{"CAMPAIGN_ID": 5, "SPEND_IN_MICRO_DOLLAR": 1_234_560}]));
    let found = get(&fake, "5").await.unwrap();
    assert_eq!((found.status, found.total_spend_amount), (CampaignStatus::Archived, Some(Decimal::new(123_456, 5))));
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    assert!(lines.contains(&"GET /v5/ad_accounts/549755885175/campaigns/5 HTTP/1.1".to_owned()), "{lines:?}");
    let report = "GET /v5/ad_accounts/549755885175/campaigns/analytics?start_date=2026-08-23&end_date=2026-11-20\
        &campaign_ids=5&columns=SPEND_IN_MICRO_DOLLAR&granularity=TOTAL HTTP/1.1";
    assert!(lines.contains(&report.to_owned()), "{lines:?}");
}

#[tokio::test]
async fn a_report_that_fails_leaves_the_spend_open_unless_the_token_was_refused() {
    let failing = [(500, json!({})), (400, json!({"code": 1, "message": "x"})), (200, json!({})), (200, json!([{}]))];
    for (status, body) in failing {
        assert_eq!(get(&with_report(status, body), "5").await.unwrap().total_spend_amount, None, "{status}");
    }
    let none = get(&with_report(200, json!([])), "5").await.unwrap();
    assert_eq!(none.total_spend_amount, Some(Decimal::ZERO), "no row, nothing spent");
    let refused = with_report(401, json!({"code": 2, "message": "Authentication failed."}));
    assert_eq!(get(&refused, "5").await.unwrap_err().kind, Kind::TokenExpired);
}

#[tokio::test]
async fn a_campaign_that_is_not_there_is_not_found() {
    let missing = Fake::new(|_| (404, r#"{"code":30,"message":"Campaign not found."}"#.into()));
    assert_eq!(get(&missing, "5").await.unwrap_err().kind, Kind::NotFound);
    let mut elsewhere = campaign(5, "PAUSED");
    elsewhere["ad_account_id"] = json!("1");
    let responses = [elsewhere, campaign(5, "DELETED_DRAFT"), campaign(6, "PAUSED")];
    for response in responses {
        let fake = Fake::new(move |_| ok(response.clone()));
        assert_eq!(get(&fake, "5").await.unwrap_err().kind, Kind::NotFound);
    }
}

#[tokio::test]
async fn a_change_to_a_whole_run_without_an_end_sends_nothing() {
    let nothing = Fake::answering(vec![]);
    let session = session(&nothing);
    let raw = campaign(5, "PAUSED").to_string();
    let current = found(&session.account, &raw, session.call.now).unwrap().unwrap();
    let changes = CampaignChanges { budget_period: Some(BudgetPeriod::Lifetime), ..CampaignChanges::default() };
    let error = Epsilon.update_campaign(&session, &current, &changes).await.unwrap_err();
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "budget_period"));
    assert_eq!(nothing.requests().len(), 0);
}

#[tokio::test]
async fn changes_and_archival_are_one_patch_and_may_be_sent_again() {
    let done = |status| ok(json!({"items": [{"data": campaign(5, status), "exceptions": []}]}));
    let refused = (200, include_str!("../fixtures/refused.json").to_owned());
    let fake = Fake::answering(vec![done("PAUSED"), done("ARCHIVED"), refused, ok(json!({}))]);
    let session = session(&fake);
    let raw = campaign(5, "ACTIVE").to_string();
    let current = found(&session.account, &raw, session.call.now).unwrap().unwrap();
    let changes = CampaignChanges { status: Some(CampaignStatus::Paused), ..CampaignChanges::default() };
    let changed = Epsilon.update_campaign(&session, &current, &changes).await.unwrap().unwrap();
    assert_eq!(changed.status, CampaignStatus::Paused);
    Epsilon.delete_campaign(&session, &current).await.unwrap();
    let error = Epsilon.update_campaign(&session, &current, &changes).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformRefused, false), "inside 200 here too");
    let error = Epsilon.delete_campaign(&session, &current).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "a write without a result");
    let requests = fake.requests();
    assert_eq!(requests[1].line, "PATCH /v5/ad_accounts/549755885175/campaigns HTTP/1.1");
    assert_eq!(requests[1].body, json!([{"id": "5", "ad_account_id": "549755885175", "status": "ARCHIVED"}]));
}
