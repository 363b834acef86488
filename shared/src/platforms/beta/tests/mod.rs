mod creates;

use super::*;
use crate::platforms::config::{self, PlatformConfig};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::fixtures;
use crate::platforms::oauth::AuthorizeRequest;
use crate::platforms::settings::Settings;
use http::StatusCode;
use serde_json::{Value, json};

const NODE: &str = include_str!("../fixtures/campaign-daily.json");
const ID: &str = "120330000000012345";

pub(super) fn account() -> AdAccount {
    fixtures::account(Platform::Beta, "USD", "America/Los_Angeles")
}

/// The value of a parameter in the address that was called.
pub(super) fn parameter(request: &ReceivedRequest, name: &str) -> Option<String> {
    let path = request.line.split(' ').nth(1).unwrap();
    let url = url::Url::parse(&format!("http://x{path}")).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn session(fake: &Fake) -> AccountSession {
    fake.session_of(Platform::Beta, account())
}

pub(super) fn error(name: &str) -> String {
    std::fs::read_to_string(format!("{}/src/platforms/beta/fixtures/errors/{name}.json", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
}

/// A node, and its report.
fn node_and_report(node: ScriptedResponse, report: ScriptedResponse) -> Fake {
    Fake::new(move |request| if request.line.contains("/insights?") { report.clone() } else { node.clone() })
}

async fn get(node: ScriptedResponse, report: ScriptedResponse) -> Result<PlatformCampaign, Error> {
    Beta.get_campaign(&session(&node_and_report(node, report)), ID).await
}

#[tokio::test]
async fn a_campaign_is_read_without_its_spend_where_the_report_fails() {
    let node = || (200, NODE.to_owned());
    let row = json!({"data": [{"spend": "12.34", "account_currency": "USD"}], "paging": {}});
    let spent = get(node(), ok(row)).await.unwrap().total_spend_amount;
    assert_eq!(spent.unwrap().to_string(), "12.34");
    assert_eq!(get(node(), ok(json!({"data": []}))).await.unwrap().total_spend_amount, Some(Decimal::ZERO));
    for report in [(500, String::new()), (400, error("insights-limit")), ok(json!({"data": [{"spend": "x"}]}))] {
        assert_eq!(get(node(), report).await.unwrap().total_spend_amount, None);
    }
    let expired = get(node(), (400, error("token-expired"))).await.unwrap_err();
    assert_eq!(expired.kind, Kind::TokenExpired);
}

#[tokio::test]
async fn a_missing_or_foreign_campaign_is_not_found() {
    let report = || ok(json!({"data": []}));
    let of_another = NODE.replace("111222333", "999");
    let another = NODE.replace(ID, "7");
    for node in [(400, error("not-found")), (404, error("alias-not-found")), (200, of_another), (200, another)] {
        assert_eq!(get(node, report()).await.unwrap_err().kind, Kind::NotFound);
    }
    let deleted = (200, NODE.replace("\"PAUSED\"", "\"DELETED\""));
    assert_eq!(get(deleted, report()).await.unwrap().status, CampaignStatus::Archived);
}

fn current(session: &AccountSession) -> PlatformCampaign {
    translate::campaign(&session.account, NODE, session.call.now).unwrap()
}

#[tokio::test]
async fn a_change_is_one_call_that_may_be_sent_again() {
    let success = || ok(json!({"success": true}));
    let fake = Fake::answering(vec![
        success(),
        success(),
        success(),
        ok(json!({"success": false})),
        (400, error("not-found")),
    ]);
    let session = session(&fake);
    let current = current(&session);
    let both =
        CampaignChanges { name: Some("New".into()), budget_amount: Some(Decimal::TWO), ..CampaignChanges::default() };
    assert_eq!(Beta.update_campaign(&session, &current, &both).await.unwrap(), None, "a success shows nothing");
    let archive = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
    Beta.update_campaign(&session, &current, &archive).await.unwrap();
    Beta.delete_campaign(&session, &current).await.unwrap();
    let error = Beta.delete_campaign(&session, &current).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "a change without success");
    assert_eq!(Beta.delete_campaign(&session, &current).await.unwrap_err().kind, Kind::NotFound);
    let requests = fake.requests();
    assert!(requests[0].line.starts_with(&format!("POST /v26.0/{ID}?appsecret_proof=")), "{}", requests[0].line);
    assert_eq!(requests[0].body, json!({"name": "New", "daily_budget": 200}));
    assert_eq!(requests[1].body, json!({"status": "ARCHIVED"}));
    assert!(requests[2].line.starts_with(&format!("DELETE /v26.0/{ID}?appsecret_proof=")), "{}", requests[2].line);
    assert_eq!(requests[2].body, Value::Null);
}

#[test]
fn the_consent_page_gets_scopes_with_a_comma_and_no_challenge() {
    let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
    let config = PlatformConfig::new(Platform::Beta, client, Settings::default(), None);
    let (state, verifier) = ("state".into(), "v".repeat(43).into());
    let request = AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
    let url = url::Url::parse(&Beta.authorize_url(&config, &request).unwrap()).unwrap();
    assert_eq!((url.host_str(), url.path()), (Some("www.facebook.com"), "/v26.0/dialog/oauth"));
    let parameter = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    assert_eq!(parameter("scope").as_deref(), Some("ads_management,ads_read"));
    assert_eq!(parameter("state").as_deref(), Some("state"));
    assert_eq!(parameter("response_type").as_deref(), Some("code"));
    assert_eq!(parameter("code_challenge"), None);
}

#[test]
fn an_answer_with_an_id_is_no_check() {
    let read = |body: &'static str| {
        let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: body.into() };
        Beta.read_validated(&response).map_err(|error| (error.kind, error.unknown_outcome))
    };
    assert_eq!(read(r#"{"success":true}"#), Ok(()));
    for (body, is_unknown) in [
        (r#"{"id":"120"}"#, true),
        (r#"{"id":"120","success":true}"#, true),
        (r#"{"success":false}"#, false),
        ("{}", false),
        ("<html>", false),
    ] {
        assert_eq!(read(body), Err((Kind::PlatformFailed, is_unknown)), "{body}");
    }
}

#[test]
fn a_write_is_checked_with_an_option_among_its_parameters() {
    let body = r#"{"daily_budget":9007199254740993,"name":"\u0057inter"}"#;
    let url = "https://graph.facebook.com/v26.0/act_1/campaigns".to_owned();
    let request =
        OutboundRequest { method: Method::POST, url: url.clone(), headers: HeaderMap::new(), body: body.into() };
    let checked = Beta.validation(&request).unwrap().unwrap();
    let expected = r#"{"daily_budget":9007199254740993,"execution_options":["validate_only"],"name":"\u0057inter"}"#;
    assert_eq!((checked.url, std::str::from_utf8(&checked.body).unwrap()), (url, expected));
    let deletion = OutboundRequest { method: Method::DELETE, body: Default::default(), ..request.clone() };
    assert!(Beta.validation(&deletion).unwrap().is_none(), "a deletion has no such option");
    assert!(Beta.validation(&OutboundRequest { body: "[]".into(), ..request }).is_err());
}
