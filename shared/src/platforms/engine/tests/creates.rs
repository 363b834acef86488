//! The outcome of a create, and the search for it.

use super::*;
use crate::platforms::fake::{ScriptedResponse, create, ok};
use crate::platforms::prelude::*;
use uuid::Uuid;

async fn created(response: ScriptedResponse) -> (Result<PlatformCampaign, Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(vec![response]);
    (create(&Eta, &session(&fake), &draft(), &marker()).await, fake.requests())
}

#[tokio::test]
async fn a_create_is_sent_once_as_it_was_prepared() {
    let (campaign, requests) = created(ok(row(7))).await;
    assert_eq!(campaign.unwrap().remote_id, "7");
    assert_eq!((requests.len(), requests[0].line.as_str()), (1, "POST /v1/9/campaigns HTTP/1.1"));
    let prepared = fake::prepare(&Eta, &session(&Fake::answering(vec![])).account, &draft()).unwrap();
    assert_eq!(requests[0].body, prepared.json());
    assert!(requests[0].headers.contains("content-type: application/json"), "{}", requests[0].headers);
    assert!(requests[0].headers.contains("authorization: bearer access-secret"), "{}", requests[0].headers);
}

#[tokio::test(start_paused = true)]
async fn a_create_without_a_clear_answer_is_sent_once_and_unknown() {
    for response in [
        (500, String::new()),
        (503, r#"{"error":"busy"}"#.to_owned()),
        (302, String::new()),
        (408, "<html>".to_owned()),
        (409, "<html>".to_owned()),
        (499, String::new()),
        (500, r#"{"error":"no"}"#.to_owned()),
        (200, String::new()),
        (200, "{}".to_owned()),
        (200, r#"{"id":"7","account":"8"}"#.to_owned()),
        (0, String::new()),
    ] {
        let (outcome, requests) = created(response.clone()).await;
        let error = outcome.unwrap_err();
        assert!(error.unknown_outcome && !error.retryable, "{response:?}: {error:?}");
        assert!(error.message.contains("\"Winter\"") && error.platform == Some(eta::PLATFORM), "{error:?}");
        assert_eq!(requests.len(), 1, "{response:?}");
    }
}

#[tokio::test]
async fn a_create_that_is_refused_or_not_sent_has_created_nothing() {
    for (status, body, kind) in [
        (400, r#"{"error":"no"}"#, Kind::PlatformRefused),
        (404, r#"{"error":"no such pixel"}"#, Kind::PlatformRefused),
        (401, "", Kind::TokenExpired),
    ] {
        let (outcome, requests) = created((status, body.to_owned())).await;
        let error = outcome.unwrap_err();
        assert_eq!((error.kind, error.unknown_outcome, requests.len()), (kind, false, 1), "{status}");
    }
    let error = create(&Eta, &session(&Fake::unreachable()), &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.unknown_outcome, error.retryable), (Kind::PlatformFailed, false, true));
}

#[tokio::test]
async fn a_client_error_without_a_reason_has_created_nothing() {
    let page = || "<html>".to_owned();
    let cases = [
        (400, Kind::PlatformRefused, false),
        (401, Kind::TokenExpired, false),
        (402, Kind::PlatformRefused, false),
        (403, Kind::Forbidden, false),
        (404, Kind::PlatformFailed, true),
        (405, Kind::PlatformFailed, true),
        (410, Kind::PlatformFailed, true),
        (413, Kind::PlatformRefused, false),
        (418, Kind::PlatformRefused, false),
        (421, Kind::PlatformFailed, true),
        (422, Kind::PlatformRefused, false),
        (425, Kind::PlatformFailed, true),
        (451, Kind::PlatformRefused, false),
    ];
    for (status, kind, retryable) in cases {
        for body in [page(), String::new(), "{}".to_owned(), r#"{"error":403}"#.to_owned()] {
            let (outcome, requests) = created((status, body)).await;
            let error = outcome.unwrap_err();
            assert_eq!((error.kind, error.retryable, error.unknown_outcome), (kind, retryable, false), "{status}");
            assert_eq!((error.platform, requests.len()), (Some(eta::PLATFORM), 1), "{status}");
            let is_said = error.message.contains("Nothing was created") && error.message.contains(&status.to_string());
            assert!(status == 401 || is_said, "{status}: {error}");
        }
    }
}

#[test]
fn a_field_is_added_to_a_create_without_a_change_of_its_amounts() {
    let account = session(&Fake::answering(vec![])).account;
    let prepared = fake::prepare(&Eta, &account, &draft()).unwrap();
    let body = RawValue::from_string(r#"{"budget":12345678901234567.89,"data":{"b":1}}"#.to_owned()).unwrap();
    let prepared = PreparedCreate { body, ..prepared };
    let added = prepared.with_field(&["data", "a"], "x").unwrap().with_field(&["group"], "g").unwrap();
    assert_eq!(added.body.get(), r#"{"budget":12345678901234567.89,"data":{"a":"x","b":1},"group":"g"}"#);
}

#[tokio::test]
async fn a_draft_is_rejected_before_anything_is_sent() {
    let fake = Fake::answering(vec![]);
    let wrong = CampaignDraft { goal: Goal::Leads, name: String::new(), ..draft() };
    let error = create(&Eta, &session(&fake), &wrong, &marker()).await.unwrap_err();
    let fields: Vec<&str> = error.details.iter().map(|detail| detail.field.as_str()).collect();
    assert_eq!((error.kind, fields, fake.requests().len()), (Kind::Validation, vec!["goal", "name"], 0));
}

fn page(rows: Vec<Value>, next: Option<&str>) -> ScriptedResponse {
    ok(json!({"rows": rows, "next": next}))
}

async fn found(responses: Vec<ScriptedResponse>) -> Result<Vec<PlatformCampaign>, Error> {
    Eta.find_created(&session(&Fake::answering(responses)), &draft(), &marker()).await
}

#[tokio::test]
async fn a_search_reads_every_page_and_returns_the_oldest_first_and_each_once() {
    let younger = with(row(3), "created", json!("2026-11-20T12:00:01Z"));
    let renamed = with(row(5), "name", json!("Summer"));
    let first = page(vec![younger.clone(), row(10), renamed], Some("a"));
    let found = found(vec![first, page(vec![], Some("b")), page(vec![row(2), younger], None)]).await.unwrap();
    assert_eq!(ids(&found), ["2", "10", "3"]);
    assert_eq!(found[0].total_spend_amount, Some(Decimal::ZERO), "a paused campaign has spent nothing");
}

#[tokio::test]
async fn a_marked_campaign_outweighs_those_that_fit_and_those_that_are_unclear() {
    let marked = with(with(row(7), "tag", json!(marker().label())), "status", json!("ACTIVE"));
    let unclear = with(row(8), "daily", Value::Null);
    let found = found(vec![page(vec![row(6), unclear, marked], None)]).await.unwrap();
    assert_eq!(ids(&found), ["7"]);
    assert_eq!(found[0].total_spend_amount, None, "it runs, so it may have spent something");
    let of_another = ChangeId::new(Timestamp::UNIX_EPOCH, Uuid::from_u128(2), 0).marker();
    let other = with(row(7), "tag", json!(of_another.label()));
    assert!(self::found(vec![page(vec![other], None)]).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_unclear_campaign_or_an_unread_page_is_no_absence() {
    let unclear = with(row(8), "daily", Value::Null);
    let of_another_account = with(row(8), "account", json!("8"));
    for last in [
        page(vec![unclear], None),
        page(vec![of_another_account], None),
        page(vec![json!({"id": 7})], None),
        (503, String::new()),
        (200, "<html>".to_owned()),
    ] {
        let responses = vec![page(vec![row(6)], Some("a")), last.clone()];
        assert_eq!(found(responses).await.unwrap_err().kind, Kind::PlatformFailed, "{last:?}");
    }
    assert!(found(vec![page(vec![], None)]).await.unwrap().is_empty());
}
