use super::*;
use crate::domain::{AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal};
use crate::platforms::beta::Beta;
use crate::platforms::beta::list::tests::account;
use crate::platforms::fake::{self, Answered, Asked, Fake, marker, ok};
use crate::platforms::{AdPlatform, RevokedGrant};
use rust_decimal::Decimal;
use serde_json::{Value, json};

const NODE: &str = include_str!("../fixtures/campaign-daily.json");
const ID: &str = "120330000000012345";

fn draft() -> CampaignDraft {
    CampaignDraft {
        name: "Winter".into(),
        goal: Goal::Conversions,
        budget_amount: Decimal::new(1_050, 2),
        budget_period: BudgetPeriod::Daily,
        start_at: None,
        end_at: None,
    }
}

fn session(fake: &Fake) -> Session {
    fake.session_of(Platform::Beta, account())
}

fn error(name: &str) -> String {
    std::fs::read_to_string(format!("{}/src/platforms/beta/fixtures/errors/{name}.json", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
}

async fn create(answers: Vec<Answered>) -> (Result<Campaign, Error>, Vec<Asked>) {
    let fake = Fake::answering(answers);
    let outcome = fake::create(&Beta, &session(&fake), &draft(), &marker()).await;
    (outcome, fake.asked())
}

async fn create_answered(status: u16, body: &str) -> Error {
    let (outcome, asked) = create(vec![(status, body.to_owned())]).await;
    assert_eq!(asked.len(), 1, "a create is sent once");
    outcome.unwrap_err()
}

#[tokio::test]
async fn a_create_is_one_post_and_the_campaign_is_read_back() {
    let (campaign, asked) = create(vec![ok(json!({"id": ID})), (200, NODE.to_owned())]).await;
    let campaign = campaign.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), (ID, CampaignStatus::Paused));
    assert_eq!((campaign.goal, campaign.raw.as_str()), (Some(Goal::Conversions), NODE.trim()));
    assert!(asked[0].line.starts_with("POST /v26.0/act_111222333/campaigns?appsecret_proof="), "{}", asked[0].line);
    assert!(asked[1].line.starts_with(&format!("GET /v26.0/{ID}?fields=id%2Caccount_id%2C")), "{}", asked[1].line);
    assert_eq!(asked[0].body["special_ad_categories"], json!([]));
    assert_eq!(asked[0].body["status"], "PAUSED");
    assert_eq!(asked.len(), 2);
}

#[tokio::test]
async fn every_call_carries_the_token_in_a_header_and_the_proof_of_the_app_secret() {
    let (_, asked) = create(vec![ok(json!({"id": ID})), (200, NODE.to_owned())]).await;
    // HMAC-SHA256 of "access-secret" under the key "secret".
    let proof = "appsecret_proof=7dc0bdcd1353df1382081860204f621422cd8cc43fc18d2c7c4eec9d955faadf";
    for asked in asked {
        assert!(asked.headers.contains("authorization: bearer access-secret"), "{}", asked.headers);
        assert!(asked.line.contains(proof) && !asked.line.contains("access-secret"), "{}", asked.line);
    }
}

#[tokio::test]
async fn a_created_campaign_that_cannot_be_read_back_is_created_all_the_same() {
    let unread = [
        (500, String::new()),
        (400, error("token-expired")),
        ok(json!({"id": "8", "account_id": "9"})),
        ok(json!([])),
        (0, String::new()),
    ];
    for answer in unread {
        let (campaign, _) = create(vec![ok(json!({"id": ID})), answer]).await;
        let campaign = campaign.unwrap();
        assert_eq!((campaign.remote_id.as_str(), campaign.raw), (ID, format!(r#"{{"id":"{ID}"}}"#)));
        assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    }
}

#[tokio::test]
async fn a_create_without_a_clear_answer_has_an_unknown_outcome_and_never_retryable() {
    let cases = [
        (500, String::new()),
        (500, error("unknown")),
        (503, error("service-unavailable")),
        (500, error("name-blamed")),
        (400, error("transient-validation")),
        (302, String::new()),
        (400, "<html>".into()),
        (401, String::new()),
        (200, String::new()),
        (200, "{}".into()),
        (200, "[]".into()),
        (200, r#"{"id":7"#.into()),
        (200, r#"{"id":"../7"}"#.into()),
        (200, r#"{"error":"odd"}"#.into()),
        (400, r#"{"error":{"code":0,"message":"?"}}"#.into()),
        (200, r#"{"error":{"code":-1,"message":"?"}}"#.into()),
        (500, error("token-expired")),
        (500, error("profile-not-linked")),
        (503, error("version-retired")),
    ];
    for (status, body) in cases {
        let error = create_answered(status, &body).await;
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{status} {body}");
        assert!(error.unknown_outcome, "{status} {body}");
        assert!(error.message.contains("not known whether") && error.message.contains("\"Winter\""), "{error}");
    }
    let error = create_answered(0, "").await;
    assert_eq!((error.kind, error.retryable), (Kind::PlatformTimeout, false));
}

#[tokio::test]
async fn a_create_that_was_refused_or_never_sent_is_certain() {
    for (status, name, kind, retryable) in [
        (400, "budget-blamed-in-text", Kind::PlatformRefused, false),
        (200, "name-blamed", Kind::PlatformRefused, false),
        (400, "not-found", Kind::Forbidden, false),
        (403, "ads-management-limit", Kind::RateLimited, true),
        (400, "token-expired", Kind::TokenExpired, false),
        (400, "missing-permissions", Kind::Forbidden, false),
        (400, "permission-before-page", Kind::Forbidden, false),
        (400, "profile-not-linked", Kind::PlatformRefused, false),
        (400, "version-retired", Kind::PlatformFailed, false),
        (400, "signature-wrong", Kind::PlatformFailed, false),
        (400, "proof-wrong", Kind::PlatformFailed, false),
    ] {
        let error = create_answered(status, &error(name)).await;
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{name}");
        assert!(!error.unknown_outcome && !error.message.contains("not known"), "{error}");
    }
    let fake = Fake::answering(vec![]);
    let mut unreachable = session(&fake);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let client = crate::platforms::config::Client {
        client_id: "id".into(),
        client_secret: "secret".into(),
        developer_token: None,
    };
    let base = format!("http://{closed}");
    let config = crate::platforms::config::PlatformConfig::new(Platform::Beta, client, Default::default(), Some(&base));
    unreachable.call.config = std::sync::Arc::new(config);
    let error = fake::create(&Beta, &unreachable, &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
}

#[tokio::test]
async fn secrets_that_the_platform_repeats_are_removed() {
    let said = json!({"error": {"code": 100, "message": "access-secret and secret"}});
    let shown = format!("{:?}", create_answered(400, &said.to_string()).await);
    assert!(!shown.contains("secret"), "{shown}");
}

/// A node, and its report.
fn node_and_report(node: Answered, report: Answered) -> Fake {
    Fake::new(move |asked| if asked.line.contains("/insights?") { report.clone() } else { node.clone() })
}

async fn get(node: Answered, report: Answered) -> Result<Campaign, Error> {
    Beta.get_campaign(&session(&node_and_report(node, report)), ID).await
}

#[tokio::test]
async fn a_campaign_is_read_with_its_spend_and_without_it_where_the_report_fails() {
    let node = || (200, NODE.to_owned());
    let row = json!({"data": [{"spend": "12.34", "account_currency": "USD"}], "paging": {}});
    let spent = get(node(), ok(row)).await.unwrap().total_spend_amount;
    assert_eq!(spent.unwrap().to_string(), "12.34");
    assert_eq!(get(node(), ok(json!({"data": []}))).await.unwrap().total_spend_amount, Some(Decimal::ZERO));
    for report in [(500, String::new()), (400, error("insights-limit")), ok(json!({"data": [{"spend": "x"}]}))] {
        assert_eq!(get(node(), report).await.unwrap().total_spend_amount, None);
    }
    let dead = get(node(), (400, error("token-expired"))).await.unwrap_err();
    assert_eq!(dead.kind, Kind::TokenExpired);
}

#[tokio::test]
async fn a_campaign_that_is_not_there_or_not_of_the_account_is_not_found() {
    let report = || ok(json!({"data": []}));
    let of_another = NODE.replace("111222333", "999");
    let another = NODE.replace(ID, "7");
    for node in [(400, error("not-found")), (404, error("alias-not-found")), (200, of_another), (200, another)] {
        assert_eq!(get(node, report()).await.unwrap_err().kind, Kind::NotFound);
    }
    let fake = Fake::answering(vec![]);
    for id in ["", "me", "7/insights", "act_7", "7?x", &"7".repeat(33)] {
        let error = Beta.get_campaign(&session(&fake), id).await.unwrap_err();
        assert_eq!(error.kind, Kind::NotFound, "{id}, without a call");
    }
    let deleted = (200, NODE.replace("\"PAUSED\"", "\"DELETED\""));
    assert_eq!(get(deleted, report()).await.unwrap().status, CampaignStatus::Archived);
}

fn current(session: &Session) -> Campaign {
    crate::platforms::beta::translate::campaign(&session.account, NODE, session.call.now).unwrap()
}

#[tokio::test]
async fn an_update_is_one_post_and_a_deletion_a_delete_and_both_may_be_sent_again() {
    let success = || ok(json!({"success": true}));
    let fake = Fake::answering(vec![
        success(),
        success(),
        success(),
        (503, String::new()),
        ok(json!({"success": false})),
        (400, error("not-found")),
    ]);
    let session = session(&fake);
    let current = current(&session);
    let both =
        CampaignChanges { name: Some("New".into()), budget_amount: Some(Decimal::TWO), ..CampaignChanges::default() };
    let changed = Beta.update_campaign(&session, &current, &both).await.unwrap();
    assert_eq!((changed.name.as_str(), changed.budget_amount), ("New", Some(Decimal::TWO)));
    let archive = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
    let archived = Beta.update_campaign(&session, &current, &archive).await.unwrap();
    assert_eq!(archived.status, CampaignStatus::Archived);
    Beta.delete_campaign(&session, &current).await.unwrap();
    for _ in 0..2 {
        let error = Beta.delete_campaign(&session, &current).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    }
    assert_eq!(Beta.delete_campaign(&session, &current).await.unwrap_err().kind, Kind::NotFound);
    let asked = fake.asked();
    assert!(asked[0].line.starts_with(&format!("POST /v26.0/{ID}?appsecret_proof=")), "{}", asked[0].line);
    assert_eq!(asked[0].body, json!({"name": "New", "daily_budget": 200}));
    assert_eq!(asked[1].body, json!({"status": "ARCHIVED"}));
    assert!(asked[2].line.starts_with(&format!("DELETE /v26.0/{ID}?appsecret_proof=")), "{}", asked[2].line);
    assert_eq!(asked[2].body, Value::Null);
}

#[tokio::test]
async fn an_account_whose_id_is_no_number_gets_into_no_path() {
    let fake = Fake::answering(vec![]);
    let odd = AdAccount { id: "1/../2".into(), ..account() };
    let session = fake.session_of(Platform::Beta, odd);
    let error = fake::create(&Beta, &session, &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Internal);
}

async fn revoked(answer: Answered) -> (Result<(), Error>, Vec<Asked>) {
    let fake = Fake::answering(vec![answer]);
    let grant = RevokedGrant { access_token: "access-secret".into(), refresh_token: Some("access-secret".into()) };
    let outcome = Beta.revoke(&session(&fake).call, &grant).await;
    (outcome, fake.asked())
}

#[tokio::test]
async fn a_grant_ends_by_taking_all_permissions_back() {
    let (outcome, asked) = revoked(ok(json!({"success": true}))).await;
    outcome.unwrap();
    let proof = "7dc0bdcd1353df1382081860204f621422cd8cc43fc18d2c7c4eec9d955faadf";
    assert_eq!(asked[0].line, format!("DELETE /v26.0/me/permissions?appsecret_proof={proof} HTTP/1.1"));
    assert!(asked[0].headers.contains("authorization: bearer access-secret\r"), "{}", asked[0].headers);
    assert_eq!((asked[0].text.as_str(), asked.len()), ("", 1));
}

#[tokio::test]
async fn a_grant_that_is_dead_already_counts_as_ended_and_nothing_else_that_fails_does() {
    for (status, body) in [(400, "token-expired"), (401, "token-revoked"), (200, "token-app-removed")] {
        revoked((status, error(body))).await.0.unwrap_or_else(|error| panic!("{body}: {error:?}"));
    }
    let repeated = json!({"error": {"code": 200, "message": "access-secret and secret"}}).to_string();
    let cases = [
        (403, error("permission-denied"), Kind::Forbidden, false),
        (400, repeated, Kind::Forbidden, false),
        (400, error("user-limit"), Kind::RateLimited, true),
        (200, r#"{"success":false}"#.into(), Kind::PlatformFailed, true),
        (200, "<html>".into(), Kind::PlatformFailed, true),
        (503, String::new(), Kind::PlatformFailed, true),
        (0, String::new(), Kind::PlatformTimeout, true),
    ];
    for (status, body, kind, retryable) in cases {
        let error = revoked((status, body.clone())).await.0.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {body}");
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}
