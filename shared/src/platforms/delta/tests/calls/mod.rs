//! Single calls: create, read, change.

use super::*;
use crate::platforms::fake::{ReceivedRequest, create, marker};
use crate::platforms::fixtures;
use translate::tests::{DAILY, LIFETIME, account, decimal};

mod creates;
mod delivery;
mod groups;

/// Status, header lines, body.
type Full = (u16, String, String);

fn draft() -> CampaignDraft {
    fixtures::aimed_draft(Goal::Sales, "50")
}

fn bare(status: u16, body: &str) -> Full {
    (status, String::new(), body.to_owned())
}

fn new_id(id: &str) -> Full {
    (201, format!("x-restli-id: {id}\r\n"), String::new())
}

fn found(groups: Value) -> Full {
    bare(200, &json!({"elements": groups, "metadata": {}}).to_string())
}

/// The read of the ad account, which runs beside the search for the group: either may arrive first.
const ACCOUNT_READ: &str = "GET /rest/adAccounts/512345678 HTTP/1.1";
/// The ad account, with the page that its ads are shown for.
const ACCOUNT: &str =
    r#"{"id":512345678,"name":"Demo","currency":"USD","status":"ACTIVE","reference":"urn:li:organization:2414183"}"#;

/// The search for the campaign group, which each create begins with.
const GROUP_SEARCH: &str = "GET /rest/adAccounts/512345678/adCampaignGroups?";

/// The ad account has a group with the configured name.
fn group() -> Full {
    found(json!([{"id": 601_234_567, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1}}]))
}

/// Gives these answers in order, and panics after the last. What a create reads first is answered apart.
fn answering(responses: Vec<Full>) -> Fake {
    in_order(Some(group()), responses)
}

/// The same with the answer to each search for the group; without one the search is answered in its turn.
fn in_order(group: Option<Full>, responses: Vec<Full>) -> Fake {
    let mut responses = responses.into_iter();
    Fake::with_headers(move |request: &ReceivedRequest| match (request.line.as_str(), &group) {
        (ACCOUNT_READ, _) => bare(200, ACCOUNT),
        (line, Some(group)) if line.starts_with(GROUP_SEARCH) => group.clone(),
        _ => responses.next().unwrap_or_else(|| panic!("no response for {request:?}")),
    })
}

/// All requests but those reads.
fn sent(fake: &Fake) -> Vec<ReceivedRequest> {
    let is_read = |line: &str| line == ACCOUNT_READ || line.starts_with(GROUP_SEARCH);
    fake.requests().into_iter().filter(|request| !is_read(&request.line)).collect()
}

fn lines(requests: &[ReceivedRequest]) -> Vec<String> {
    requests.iter().map(|request| request.line.trim_end_matches(" HTTP/1.1").to_owned()).collect()
}

async fn create_answered(response: Full) -> Error {
    let fake = answering(vec![response]);
    let error = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap_err();
    assert_eq!(sent(&fake).len(), 1, "a create is sent once");
    error
}

#[tokio::test]
async fn every_call_has_the_version_and_the_protocol() {
    let fake = answering(vec![new_id("141234567"), bare(200, DAILY), bare(204, ""), bare(204, "")]);
    let session = session(&fake);
    let campaign = create(&Delta, &session, &draft(), &marker()).await.unwrap();
    let drafted = PlatformCampaign { status: CampaignStatus::Draft, ..campaign.clone() };
    Delta.delete_campaign(&session, &campaign).await.unwrap();
    Delta.delete_campaign(&session, &drafted).await.unwrap();
    for request in sent(&fake) {
        let expected =
            ["authorization: bearer access-secret", "linkedin-version: 202607", "x-restli-protocol-version: 2.0.0"];
        for header in expected {
            assert!(request.headers.contains(header), "{header} in {}", request.headers);
        }
        assert_eq!(request.headers.contains("content-type: application/json"), request.line.starts_with("POST"));
    }
}

#[tokio::test]
async fn a_campaign_that_is_not_there_is_not_found() {
    let removed = r#"{"id":5,"status":"REMOVED"}"#;
    let elsewhere = r#"{"id":5,"status":"ACTIVE","account":"urn:li:sponsoredAccount:1"}"#;
    let missing = include_str!("../../fixtures/errors/not-found.json");
    let fake = answering(vec![bare(200, removed), bare(200, elsewhere), bare(404, missing)]);
    let session = session(&fake);
    for _ in 0..3 {
        assert_eq!(Delta.get_campaign(&session, "5").await.unwrap_err().kind, Kind::NotFound);
    }
    let report =
        r#"{"elements":[{"costInLocalCurrency":"1.25","pivotValues":["urn:li:sponsoredCampaign:141234567"]}]}"#;
    let fake = answering(vec![bare(200, DAILY), bare(200, report)]);
    let campaign = Delta.get_campaign(&self::session(&fake), "141234567").await.unwrap();
    assert_eq!(campaign.total_spend_amount, Some(decimal("1.25")));
}

#[tokio::test]
async fn an_update_is_a_partial_update() {
    let fake = answering(vec![bare(204, "")]);
    let session = session(&fake);
    let current = translate::campaign(&account(), DAILY).unwrap().unwrap();
    let changes = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    assert_eq!(Delta.update_campaign(&session, &current, &changes).await.unwrap(), None, "a 204 shows nothing");
    let requests = sent(&fake);
    assert_eq!(lines(&sent(&fake))[0], "POST /rest/adAccounts/512345678/adCampaigns/141234567");
    assert!(requests[0].headers.contains("x-restli-method: partial_update"), "{}", requests[0].headers);
    assert_eq!(requests[0].body, json!({"patch": {"$set": {"name": "New"}}}));
}

#[tokio::test]
async fn only_a_draft_is_deleted_and_everything_else_is_archived() {
    let fake = answering(vec![bare(204, ""), bare(204, "")]);
    let session = session(&fake);
    let paused = translate::campaign(&account(), DAILY).unwrap().unwrap();
    let draft = PlatformCampaign { status: CampaignStatus::Draft, ..paused.clone() };
    Delta.delete_campaign(&session, &draft).await.unwrap();
    Delta.delete_campaign(&session, &paused).await.unwrap();
    let path = "/rest/adAccounts/512345678/adCampaigns/141234567";
    assert_eq!(lines(&sent(&fake)), [format!("DELETE {path}"), format!("POST {path}")]);
    assert_eq!(sent(&fake)[1].body, json!({"patch": {"$set": {"status": "ARCHIVED"}}}));
}

#[tokio::test]
async fn only_a_refused_write_is_a_fault_of_the_caller() {
    let refusal = || bare(400, include_str!("../../fixtures/recorded/param-invalid.json"));
    let fake = Fake::with_headers(move |_| refusal());
    let session = session(&fake);
    let current = translate::campaign(&account(), DAILY).unwrap().unwrap();
    let changes = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    let read = Delta.get_campaign(&session, "5").await.unwrap_err();
    let found = Delta.find_created(&session, &draft(), &marker()).await.unwrap_err();
    for error in [read, found] {
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{error}");
        assert!(error.message.contains("operator"), "{error}");
    }
    let error = Delta.update_campaign(&session, &current, &changes).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformRefused);
    let error = create_answered(bare(400, include_str!("../../fixtures/recorded/param-invalid.json"))).await;
    assert_eq!((error.kind, error.unknown_outcome), (Kind::PlatformRefused, false));
}

#[tokio::test]
async fn only_a_call_that_names_a_campaign_says_that_it_is_not_found() {
    let missing = include_str!("../../fixtures/recorded/not-found.json");
    let error = create_answered(bare(404, missing)).await;
    assert_eq!((error.kind, error.message.contains("campaign")), (Kind::PlatformRefused, false), "{error}");
    let fake = Fake::with_headers(move |_| bare(404, missing));
    let current = translate::campaign(&account(), DAILY).unwrap().unwrap();
    let draft = PlatformCampaign { status: CampaignStatus::Draft, ..current.clone() };
    for campaign in [current, draft] {
        let error = Delta.delete_campaign(&session(&fake), &campaign).await.unwrap_err();
        assert_eq!(
            (error.kind, error.message.to_string().as_str()),
            (Kind::NotFound, "There is no such campaign. GET /v1/campaigns lists those of your connected ad accounts.")
        );
    }
}
