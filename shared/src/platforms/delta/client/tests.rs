use super::*;
use crate::domain::{BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal};
use crate::platforms::fake::{Asked, Fake, create, marker, prepare};
use crate::platforms::{AdPlatform, delta};
use delta::Delta;
use delta::translate::tests::{DAILY, LIFETIME, account, decimal};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::sync::Arc;

mod delivery;

/// Status, header lines, body.
type Full = (u16, String, String);

fn draft() -> CampaignDraft {
    CampaignDraft {
        name: "Winter".into(),
        goal: Goal::Sales,
        budget_amount: decimal("50"),
        budget_period: BudgetPeriod::Daily,
        start_at: None,
        end_at: None,
    }
}

fn session(fake: &Fake) -> Session {
    fake.session_of(Platform::Delta, account())
}

/// A session whose operator named the group, so that a create is the first call.
fn with_group(fake: &Fake) -> Session {
    let mut session = session(fake);
    let config = Arc::get_mut(&mut session.call.config).unwrap();
    config.settings.delta_ads.campaign_group_id = Some("601234567".into());
    session
}

fn bare(status: u16, body: &str) -> Full {
    (status, String::new(), body.to_owned())
}

fn made(id: &str) -> Full {
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

/// Gives these answers in order, and silence after them. The read of the ad account is answered apart.
fn answering(answers: Vec<Full>) -> Fake {
    let mut answers = answers.into_iter();
    Fake::with_headers(move |asked: &Asked| match asked.line.as_str() {
        ACCOUNT_READ => bare(200, ACCOUNT),
        _ => answers.next().unwrap_or_else(|| bare(0, "")),
    })
}

/// All requests but the read of the ad account.
fn sent(fake: &Fake) -> Vec<Asked> {
    fake.asked().into_iter().filter(|asked| asked.line != ACCOUNT_READ).collect()
}

fn lines(fake: &Fake) -> Vec<String> {
    sent(fake).iter().map(|asked| asked.line.trim_end_matches(" HTTP/1.1").to_owned()).collect()
}

async fn create_answered(answer: Full) -> Error {
    let fake = answering(vec![answer]);
    let error = create(&Delta, &with_group(&fake), &draft(), &marker()).await.unwrap_err();
    assert_eq!(sent(&fake).len(), 1, "a create is sent once");
    error
}

#[tokio::test]
async fn the_id_of_a_created_campaign_is_in_a_header_and_it_is_read_back_once() {
    let fake = answering(vec![made("141234567"), bare(200, DAILY)]);
    let campaign = create(&Delta, &with_group(&fake), &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("141234567", CampaignStatus::Paused));
    assert_eq!((campaign.budget_amount, campaign.goal), (Some(decimal("50")), Some(Goal::Sales)));
    assert_eq!((campaign.raw.as_str(), campaign.created_at.is_some()), (DAILY, true));
    let path = "/rest/adAccounts/512345678/adCampaigns";
    assert_eq!(lines(&fake), [format!("POST {path}"), format!("GET {path}/141234567")]);
    assert_eq!(sent(&fake)[0].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:601234567");
}

#[tokio::test]
async fn every_call_says_which_version_and_protocol_it_speaks() {
    let fake = answering(vec![made("141234567"), bare(200, DAILY), bare(204, ""), bare(204, "")]);
    let session = with_group(&fake);
    let campaign = create(&Delta, &session, &draft(), &marker()).await.unwrap();
    let drafted = Campaign { status: CampaignStatus::Draft, ..campaign.clone() };
    Delta.delete_campaign(&session, &campaign).await.unwrap();
    Delta.delete_campaign(&session, &drafted).await.unwrap();
    for asked in sent(&fake) {
        let expected =
            ["authorization: bearer access-secret", "linkedin-version: 202607", "x-restli-protocol-version: 2.0.0"];
        for header in expected {
            assert!(asked.headers.contains(header), "{header} in {}", asked.headers);
        }
        assert_eq!(asked.headers.contains("content-type: application/json"), asked.line.starts_with("POST"));
    }
}

#[tokio::test]
async fn a_campaign_that_cannot_be_read_back_exists_all_the_same() {
    for read_back in
        [bare(500, ""), bare(401, ""), bare(404, "{}"), bare(200, "<html>"), bare(200, LIFETIME), bare(0, "")]
    {
        let status = read_back.0;
        let fake = answering(vec![made("141234567"), read_back]);
        let campaign = create(&Delta, &with_group(&fake), &draft(), &marker()).await.unwrap();
        assert_eq!((campaign.remote_id.as_str(), campaign.raw.as_str()), ("141234567", r#"{"id":141234567}"#));
        assert_eq!((campaign.name.as_str(), campaign.status), ("Winter", CampaignStatus::Paused), "{status}");
        assert_eq!(campaign.total_spend_amount, Some(decimal("0")));
    }
}

#[tokio::test]
async fn a_create_without_a_clear_answer_has_an_unknown_outcome_and_never_retryable() {
    let cases = [
        bare(500, ""),
        bare(503, r#"{"status":503,"message":"Service Unavailable"}"#),
        bare(408, r#"{"status":408,"message":"Timeout"}"#),
        bare(302, ""),
        bare(400, "<html>"),
        bare(404, ""),
        bare(200, DAILY),
        bare(201, ""),
        made(""),
        made("x"),
        made("0"),
        made("12/34"),
    ];
    for answer in cases {
        let shown = format!("{answer:?}");
        let error = create_answered(answer).await;
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{shown}");
        assert!(error.unknown_outcome, "{shown}");
        assert!(error.message.contains("not known whether") && error.message.contains("\"Winter\""), "{error}");
    }
    let error = create_answered(bare(0, "")).await;
    assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformTimeout, false, true));
}

#[tokio::test]
async fn a_create_that_was_refused_or_never_sent_is_certain() {
    let cases = [
        (400, include_str!("../fixtures/errors/daily-too-low.json"), Kind::PlatformRefused, false),
        (404, include_str!("../fixtures/errors/not-found.json"), Kind::PlatformRefused, false),
        (403, include_str!("../fixtures/errors/access-denied.json"), Kind::Forbidden, false),
        (429, include_str!("../fixtures/errors/throttled.json"), Kind::RateLimited, true),
        (401, include_str!("../fixtures/errors/token-expired.json"), Kind::TokenExpired, false),
        (400, include_str!("../fixtures/errors/version-missing.json"), Kind::PlatformFailed, false),
        (426, include_str!("../fixtures/errors/version-gone.json"), Kind::PlatformFailed, false),
    ];
    for (status, body, kind, retryable) in cases {
        let error = create_answered(bare(status, body)).await;
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {body}");
        assert!(!error.unknown_outcome && !error.message.contains("not known"), "{error}");
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut session = with_group(&answering(vec![]));
    let settings = session.call.config.settings.clone();
    let client = crate::platforms::config::Client {
        client_id: "id".into(),
        client_secret: "secret".into(),
        developer_token: None,
    };
    let base = format!("http://{closed}");
    session.call.config =
        Arc::new(crate::platforms::config::PlatformConfig::new(Platform::Delta, client, settings, Some(&base)));
    let error = create(&Delta, &session, &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformFailed, true, false));
}

#[tokio::test]
async fn a_campaign_goes_into_the_group_with_our_name() {
    let groups = json!([
        {"id": 1, "name": "Unified Ads", "status": "ARCHIVED"},
        {"id": 2, "name": "Unified Ads", "status": "PAUSED"},
        {"id": 3, "name": "Unified Ads II", "status": "ACTIVE"},
        {"id": 4, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1, "end": 2}},
        {"id": 6, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1}},
        {"id": 5, "name": "Unified Ads", "status": "ACTIVE"},
    ]);
    let fake = answering(vec![found(groups), made("141234567"), bare(200, DAILY)]);
    create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
    let search = "GET /rest/adAccounts/512345678/adCampaignGroups\
        ?q=search&search=(name:(values:List(Unified%20Ads)))&pageSize=100";
    assert_eq!(lines(&fake)[0], search, "a space is %20");
    assert_eq!(sent(&fake)[1].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:5");
}

#[tokio::test]
async fn a_group_is_made_where_there_is_none() {
    let fake = answering(vec![found(json!([])), made("77"), made("141234567"), bare(200, DAILY)]);
    create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
    let asked = sent(&fake);
    assert_eq!(lines(&fake)[1], "POST /rest/adAccounts/512345678/adCampaignGroups");
    let start = asked[1].body["runSchedule"]["start"].as_i64().unwrap();
    let expected = json!({
        "account": "urn:li:sponsoredAccount:512345678",
        "name": "Unified Ads",
        "status": "ACTIVE",
        "runSchedule": {"start": start},
    });
    assert_eq!(asked[1].body, expected);
    assert_eq!(asked[2].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:77");
    assert!(asked[2].body["runSchedule"]["start"].as_i64().unwrap() >= start, "the campaign starts within its group");
}

#[tokio::test]
async fn a_failure_on_the_way_to_the_group_is_certain_to_have_made_no_campaign() {
    let before = || found(json!([]));
    let cases = [
        (vec![bare(500, "")], Kind::PlatformFailed, true),
        (vec![bare(0, "")], Kind::PlatformTimeout, true),
        (vec![before(), bare(503, "")], Kind::PlatformFailed, true),
        (vec![before(), bare(201, "")], Kind::PlatformFailed, true),
        (vec![before(), bare(0, "")], Kind::PlatformTimeout, true),
        (vec![bare(404, include_str!("../fixtures/errors/not-found.json"))], Kind::PlatformRefused, false),
        (vec![before(), bare(403, include_str!("../fixtures/errors/access-denied.json"))], Kind::Forbidden, false),
    ];
    for (answers, kind, retryable) in cases {
        let (shown, count) = (format!("{answers:?}"), answers.len());
        let fake = answering(answers);
        let error = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{shown}");
        assert!(!error.unknown_outcome, "{shown}");
        assert_eq!(sent(&fake).len(), count, "no campaign was sent");
    }
}

#[tokio::test]
async fn a_group_that_was_made_without_a_clear_answer_is_found_by_the_next_create_and_made_once() {
    for lost in [bare(502, ""), bare(201, ""), made("x"), bare(302, "")] {
        let shown = format!("{lost:?}");
        let group = json!([{"id": 77, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1}}]);
        let fake = answering(vec![found(json!([])), lost, found(group), made("141234567"), bare(200, DAILY)]);
        let session = session(&fake);
        let error = create(&Delta, &session, &draft(), &marker()).await.unwrap_err();
        assert!(!error.unknown_outcome, "no campaign can have been made: {shown}");
        create(&Delta, &session, &draft(), &marker()).await.unwrap();
        let groups = lines(&fake).into_iter().filter(|line| line.starts_with("POST") && line.ends_with("Groups"));
        assert_eq!(groups.count(), 1, "{shown}");
        assert_eq!(sent(&fake)[3].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:77");
    }
}

#[tokio::test]
async fn a_search_for_the_group_that_breaks_off_makes_none() {
    let first = bare(200, &json!({"elements": [], "metadata": {"nextPageToken": "t"}}).to_string());
    for second in [bare(500, ""), bare(200, r#"{"elements":[]}"#), bare(200, "<html>")] {
        let fake = answering(vec![first.clone(), second]);
        let error = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformFailed, true, false));
        assert!(lines(&fake).iter().all(|line| line.starts_with("GET")));
    }
}

#[tokio::test]
async fn a_wrong_draft_is_refused_without_a_call() {
    let fake = answering(vec![]);
    let wrong = CampaignDraft { budget_amount: decimal("9"), ..draft() };
    assert_eq!(create(&Delta, &session(&fake), &wrong, &marker()).await.unwrap_err().kind, Kind::Validation);
    assert_eq!(prepare(&Delta, &account(), &wrong).unwrap_err().details[0].field, "budget_amount");
    assert!(prepare(&Delta, &account(), &draft()).is_ok());
    assert!(fake.asked().is_empty());
}

#[tokio::test]
async fn a_token_that_the_platform_repeats_is_removed() {
    let said = json!({"status": 400, "code": "X", "message": "Bearer access-secret is wrong"});
    let shown = format!("{:?}", create_answered(bare(400, &said.to_string())).await);
    assert!(!shown.contains("access-secret") && shown.contains("[removed]"), "{shown}");
}

#[tokio::test]
async fn a_campaign_that_is_not_there_is_not_found() {
    let removed = r#"{"id":5,"status":"REMOVED"}"#;
    let elsewhere = r#"{"id":5,"status":"ACTIVE","account":"urn:li:sponsoredAccount:1"}"#;
    let missing = include_str!("../fixtures/errors/not-found.json");
    let fake = answering(vec![bare(200, removed), bare(200, elsewhere), bare(404, missing)]);
    let session = session(&fake);
    for id in ["5", "5", "5", "camp_5", "5/../6", "5?x=1", ""] {
        assert_eq!(Delta.get_campaign(&session, id).await.unwrap_err().kind, Kind::NotFound, "{id}");
    }
    assert_eq!(sent(&fake).len(), 3, "what is no id is not asked for");
    let report =
        r#"{"elements":[{"costInLocalCurrency":"1.25","pivotValues":["urn:li:sponsoredCampaign:141234567"]}]}"#;
    let fake = answering(vec![bare(200, DAILY), bare(200, report)]);
    let campaign = Delta.get_campaign(&self::session(&fake), "141234567").await.unwrap();
    assert_eq!(campaign.total_spend_amount, Some(decimal("1.25")));
}

#[tokio::test]
async fn an_update_is_a_post_with_the_method_partial_update_and_may_be_sent_again() {
    let fake = answering(vec![bare(204, ""), bare(503, ""), bare(0, "")]);
    let session = session(&fake);
    let current = delta::translate::campaign(&account(), DAILY).unwrap().unwrap();
    let changes = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    assert_eq!(Delta.update_campaign(&session, &current, &changes).await.unwrap().name, "New");
    for kind in [Kind::PlatformFailed, Kind::PlatformTimeout] {
        let error = Delta.update_campaign(&session, &current, &changes).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, true));
    }
    let asked = sent(&fake);
    assert_eq!(lines(&fake)[0], "POST /rest/adAccounts/512345678/adCampaigns/141234567");
    assert!(asked[0].headers.contains("x-restli-method: partial_update"), "{}", asked[0].headers);
    assert_eq!(asked[0].body, json!({"patch": {"$set": {"name": "New"}}}));
}

#[tokio::test]
async fn only_a_draft_is_deleted_and_everything_else_is_archived() {
    let fake = answering(vec![bare(204, ""), bare(204, "")]);
    let session = session(&fake);
    let paused = delta::translate::campaign(&account(), DAILY).unwrap().unwrap();
    let draft = Campaign { status: CampaignStatus::Draft, ..paused.clone() };
    Delta.delete_campaign(&session, &draft).await.unwrap();
    Delta.delete_campaign(&session, &paused).await.unwrap();
    let path = "/rest/adAccounts/512345678/adCampaigns/141234567";
    assert_eq!(lines(&fake), [format!("DELETE {path}"), format!("POST {path}")]);
    assert_eq!(sent(&fake)[1].body, json!({"patch": {"$set": {"status": "ARCHIVED"}}}));
}

#[tokio::test]
async fn only_a_refused_write_is_a_fault_of_the_caller() {
    let refusal = || bare(400, include_str!("../fixtures/recorded/param-invalid.json"));
    let fake = Fake::with_headers(move |_| refusal());
    let session = with_group(&fake);
    let current = delta::translate::campaign(&account(), DAILY).unwrap().unwrap();
    let changes = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    let read = Delta.get_campaign(&session, "5").await.unwrap_err();
    let found = Delta.find_created(&session, &draft(), &marker()).await.unwrap_err();
    for error in [read, found] {
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{error}");
        assert!(error.message.contains("operator"), "{error}");
    }
    let error = Delta.update_campaign(&session, &current, &changes).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformRefused);
    let error = create_answered(bare(400, include_str!("../fixtures/recorded/param-invalid.json"))).await;
    assert_eq!((error.kind, error.unknown_outcome), (Kind::PlatformRefused, false));
}

#[tokio::test]
async fn only_a_call_about_a_campaign_says_that_there_is_none() {
    let missing = include_str!("../fixtures/recorded/not-found.json");
    let error = create_answered(bare(404, missing)).await;
    assert_eq!((error.kind, error.message.contains("campaign")), (Kind::PlatformRefused, false), "{error}");
    let fake = Fake::with_headers(move |_| bare(404, missing));
    let current = delta::translate::campaign(&account(), DAILY).unwrap().unwrap();
    let draft = Campaign { status: CampaignStatus::Draft, ..current.clone() };
    for campaign in [current, draft] {
        let error = Delta.delete_campaign(&session(&fake), &campaign).await.unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (Kind::NotFound, "There is no such campaign."));
    }
}
