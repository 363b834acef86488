use super::*;
use crate::domain::StatusSet;
use crate::error::Kind;
use crate::platforms::config::{self, PlatformConfig};
use crate::platforms::fake::{Fake, create, marker, ok};
use crate::platforms::fixtures;
use crate::platforms::oauth::AuthorizeRequest;
use crate::platforms::revocation::tests::assert_revokes;
use http::StatusCode;
use rust_decimal::Decimal;
use serde_json::{Value, json};

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::Sales, "10")
}

fn row(id: u32, status: &str) -> Value {
    json!({"campaign": {"id": id.to_string(), "name": format!("c{id}"), "status": status}})
}

#[tokio::test]
async fn a_create_is_one_call_with_all_headers() {
    let fake = Fake::answering(vec![(200, include_str!("../fixtures/created.json").to_owned())]);
    let campaign = create(&Alpha, &fake.session(), &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("21234567892", CampaignStatus::Paused));
    let requests = fake.requests();
    assert_eq!(requests[0].line, "POST /v26/customers/1234567890/googleAds:mutate HTTP/1.1");
    for header in [
        "authorization: bearer access-secret",
        "content-type: application/json",
        "login-customer-id: 5556667777",
        "developer-token: developer-secret",
    ] {
        assert!(requests[0].headers.contains(header), "{header} in {}", requests[0].headers);
    }
}

#[tokio::test]
async fn a_create_that_google_refuses_without_a_status_has_created_nothing() {
    let fake = Fake::answering(vec![(403, r#"{"error":{"code":403,"message":"Forbidden"}}"#.to_owned())]);
    let error = create(&Alpha, &fake.session(), &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.unknown_outcome), (Kind::Forbidden, false));
}

async fn list(fake: &Fake, statuses: StatusSet, limit: usize, after: Option<&str>) -> (Vec<String>, bool) {
    let request = ListRequest { statuses, limit, after: after.map(str::to_owned) };
    let page = Alpha.list_campaigns(&fake.session(), &request).await.unwrap();
    let ids: Vec<String> = page.rows.iter().map(|campaign| campaign.remote_id.clone()).collect();
    assert_eq!(ids, page.positions);
    (ids, page.has_more)
}

#[tokio::test]
async fn a_list_asks_for_one_more_than_it_shows() {
    let rows = json!({"results": [row(9, "ENABLED"), row(8, "PAUSED"), row(7, "ENABLED")], "fieldMask": "x"});
    let fake = Fake::answering(vec![ok(rows), ok(json!({"fieldMask": "x"}))]);
    let all = StatusSet::not_final();
    assert_eq!(list(&fake, all, 2, Some("10")).await, (vec!["9".into(), "8".into()], true));
    assert_eq!(list(&fake, all, 2, None).await, (vec![], false));
    let query = fake.requests()[0].body["query"].as_str().unwrap().to_owned();
    assert!(query.ends_with("campaign.id < 10 ORDER BY campaign.id DESC LIMIT 3"), "{query}");
}

#[tokio::test]
async fn a_list_goes_on_until_its_page_is_full_or_nothing_is_left() {
    let cut_short = json!({"results": [row(9, "ENABLED")], "nextPageToken": "t"});
    let rest = json!({"results": [row(8, "PAUSED"), row(7, "ENABLED")], "nextPageToken": ""});
    let last = json!({"results": [row(6, "ENABLED")]});
    let fake = Fake::answering(vec![ok(cut_short), ok(rest), ok(last)]);
    let only_active = StatusSet::of(&[CampaignStatus::Active]);
    assert_eq!(list(&fake, only_active, 2, None).await, (vec!["9".into(), "7".into()], true));
    let requests = fake.requests();
    assert_eq!(requests[1].body["pageToken"], "t");
    assert_eq!(requests[1].body["query"], requests[0].body["query"]);
    assert!(
        requests[2].body["query"].as_str().unwrap().contains("campaign.id < 7"),
        "below the last row, shown or not"
    );
}

#[tokio::test]
async fn a_campaign_that_is_not_there_is_not_found() {
    let fake = Fake::answering(vec![ok(json!({"fieldMask": "x"})), ok(json!({"results": [row(5, "REMOVED")]}))]);
    let session = fake.session();
    assert_eq!(Alpha.get_campaign(&session, "5").await.unwrap_err().kind, Kind::NotFound);
    assert_eq!(Alpha.get_campaign(&session, "5").await.unwrap().status, CampaignStatus::Archived);
}

#[tokio::test]
async fn changes_go_where_they_belong_and_may_be_sent_again() {
    let results = || ok(json!({"results": [{"resourceName": "customers/1234567890/campaigns/21234567890"}]}));
    let both = (200, include_str!("../fixtures/created-names-only.json").to_owned());
    let fake = Fake::answering(vec![results(), results(), both, results(), ok(json!({}))]);
    let session = fake.session();
    let row = include_str!("../fixtures/row-daily.json");
    let current = crate::platforms::alpha::translate::campaign(&session.account, row).unwrap();
    let name = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    let amount = CampaignChanges { budget_amount: Some(Decimal::TWO), ..CampaignChanges::default() };
    let both = CampaignChanges { name: Some("New".into()), ..amount.clone() };
    for changes in [&name, &amount, &both] {
        Alpha.update_campaign(&session, &current, changes).await.unwrap();
    }
    Alpha.delete_campaign(&session, &current).await.unwrap();
    let error = Alpha.delete_campaign(&session, &current).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "a change without a result");
    let paths: Vec<String> = fake.requests().iter().map(|request| request.line.clone()).collect();
    let methods = ["campaigns:mutate", "campaignBudgets:mutate", "googleAds:mutate", "campaigns:mutate"];
    for (path, method) in paths.iter().zip(methods) {
        assert_eq!(*path, format!("POST /v26/customers/1234567890/{method} HTTP/1.1"));
    }
    let removal = json!([{"remove": "customers/1234567890/campaigns/21234567890"}]);
    assert_eq!(fake.requests()[3].body["operations"], removal);
}

#[test]
fn the_consent_page_is_asked_for_a_refresh_token_and_takes_a_challenge() {
    let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
    let config = PlatformConfig::new(Platform::Alpha, client, Settings::default(), None);
    let (state, verifier) = ("state".into(), "v".repeat(43).into());
    let request = AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
    let url = url::Url::parse(&Alpha.authorize_url(&config, &request).unwrap()).unwrap();
    assert_eq!(url.host_str(), Some("accounts.google.com"));
    let parameter = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    assert_eq!(parameter("scope").as_deref(), Some("https://www.googleapis.com/auth/adwords"));
    assert_eq!(parameter("access_type").as_deref(), Some("offline"));
    assert_eq!(parameter("prompt").as_deref(), Some("consent"));
    assert_eq!(parameter("code_challenge_method").as_deref(), Some("S256"));
}

#[test]
fn the_callback_names_its_issuer() {
    assert_eq!(Alpha.facts().issuer, Some("https://accounts.google.com"));
}

mod refusals;

#[tokio::test]
async fn a_grant_is_revoked_by_its_token_alone() {
    assert_revokes(Platform::Alpha, "/revoke", ["token=r%2Ft", "token=a%26t"], None).await;
}

#[test]
fn a_mutate_is_checked_with_the_flag_in_its_own_body() {
    let url = "https://googleads.googleapis.com/v26/customers/1/googleAds:mutate".to_owned();
    let body = r#"{"mutateOperations":[{"x":{"amountMicros":"12500000","value":1.10,"big":9007199254740993}}]}"#;
    let request =
        OutboundRequest { method: Method::POST, url: url.clone(), headers: HeaderMap::new(), body: body.into() };
    let checked = Alpha.validation(&request).unwrap().unwrap();
    let expected = format!("{},\"validateOnly\":true}}", &body[..body.len() - 1]);
    assert_eq!((checked.url, std::str::from_utf8(&checked.body).unwrap()), (url, expected.as_str()));
    let search = OutboundRequest { url: request.url.replace("mutate", "search"), ..request.clone() };
    assert!(Alpha.validation(&search).unwrap().is_none(), "a search changes nothing");
    assert!(Alpha.validation(&OutboundRequest { body: "[]".into(), ..request }).is_err());
}

#[test]
fn an_answer_with_a_result_is_no_check() {
    let read = |body: &'static str| {
        let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: body.into() };
        Alpha.read_validated(&response).map_err(|error| (error.kind, error.unknown_outcome))
    };
    assert_eq!(read("{}"), Ok(()));
    assert_eq!(read(include_str!("../fixtures/recorded/validated-only.json")), Ok(()));
    let campaign = include_str!("../fixtures/recorded/created-campaign.json");
    let both = include_str!("../fixtures/recorded/created-budget-and-campaign.json");
    for body in [campaign, both] {
        assert_eq!(read(body), Err((Kind::PlatformFailed, true)), "{body}");
    }
    assert_eq!(read("<html>"), Err((Kind::PlatformFailed, false)));
}

#[tokio::test]
async fn a_create_and_a_change_have_a_check() {
    let fake = Fake::new(|_| (500, String::new()));
    let _ = create(&Alpha, &fake.session(), &draft(), &marker()).await;
    let sent = &fake.requests()[0];
    let url = format!("https://googleads.googleapis.com{}", sent.line.split(' ').nth(1).unwrap());
    let body = sent.text.clone().into();
    let request = OutboundRequest { method: Method::POST, url, headers: HeaderMap::new(), body };
    let checked: Value = serde_json::from_slice(&Alpha.validation(&request).unwrap().unwrap().body).unwrap();
    let mut expected = sent.body.clone();
    expected["validateOnly"] = json!(true);
    assert_eq!(checked, expected);
}
