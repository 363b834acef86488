use super::*;
use crate::domain::StatusSet;
use crate::error::Kind;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, create, marker, ok};
use crate::platforms::fixtures;
use crate::platforms::revocation::tests::assert_revokes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_decimal::Decimal;
use serde_json::json;

fn account() -> AdAccount {
    fixtures::account(Platform::Zeta, "USD", "UTC")
}

pub(in crate::platforms::zeta) fn session(fake: &Fake) -> AccountSession {
    fake.session_of(Platform::Zeta, account())
}

pub(in crate::platforms::zeta) fn draft() -> CampaignDraft {
    fixtures::draft(Goal::WebsiteTraffic, "50")
}

fn pixels() -> ScriptedResponse {
    ok(json!({"data": [{"id": "px_1"}], "pagination": {"next_url": null}}))
}

fn row(id: u32, status: &str) -> serde_json::Value {
    json!({"id": id.to_string(), "configured_status": status, "goal_type": "DAILY_SPEND", "goal_value": 5_000_000,
        "created_at": "2026-11-01T00:00:00Z"})
}

#[tokio::test]
async fn a_create_asks_for_the_pixel_and_wraps_what_it_sends_in_data() {
    let made = json!({"data": {"id": "77", "name": "Winter", "configured_status": "PAUSED", "objective": "CLICKS",
        "goal_type": "DAILY_SPEND", "goal_value": 50_000_000}});
    let fake = Fake::answering(vec![pixels(), (201, made.to_string())]);
    let campaign = create(&Zeta, &session(&fake), &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("77", CampaignStatus::Paused));
    let requests = fake.requests();
    assert!(
        requests[0].line.starts_with("GET /api/v3/ad_accounts/a2_example/pixels?page.size=1 "),
        "{}",
        requests[0].line
    );
    assert!(requests[1].line.starts_with("POST /api/v3/ad_accounts/a2_example/campaigns "), "{}", requests[1].line);
    assert_eq!(requests[1].body["data"]["conversion_pixel_id"], "px_1");
    assert_eq!(requests[1].body["data"]["goal_value"], 50_000_000);
    assert_eq!(requests[1].body["data"]["invoice_label"], json!(marker().label()));
    assert!(requests[1].headers.contains("user-agent: unified-ads/"), "{}", requests[1].headers);
    assert!(requests[1].headers.contains("authorization: bearer access-secret"));
}

#[tokio::test]
async fn an_account_without_a_pixel_is_refused_before_anything_is_created() {
    let fake = Fake::answering(vec![ok(json!({"data": [], "pagination": {}}))]);
    let error = create(&Zeta, &session(&fake), &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformRefused);
    assert_eq!(error.platform_error.unwrap().field.as_deref(), Some("conversion_pixel_id"));
}

#[tokio::test(start_paused = true)]
async fn a_failed_pixel_lookup_creates_nothing() {
    let missing = r#"{"error":{"code":404,"message":"Not Found"}}"#;
    let cases: [(ScriptedResponse, Kind, bool); 5] = [
        ((500, String::new()), Kind::PlatformFailed, true),
        ((200, "<html>".into()), Kind::PlatformFailed, true),
        (ok(json!({"data": [{"id": 7}]})), Kind::PlatformFailed, true),
        ((404, missing.into()), Kind::PlatformRefused, false),
        ((0, String::new()), Kind::PlatformTimeout, true),
    ];
    for (response, kind, retryable) in cases {
        let fake = Fake::answering(vec![response.clone()]);
        let error = create(&Zeta, &session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable, error.unknown_outcome), (kind, retryable, false), "{response:?}");
        assert_eq!(fake.requests().len(), 1, "no campaign was sent");
    }
}

#[tokio::test]
async fn a_create_that_an_empty_error_refuses_has_created_nothing() {
    let fake = Fake::answering(vec![pixels(), (404, r#"{"error":{}}"#.to_owned())]);
    let error = create(&Zeta, &session(&fake), &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.unknown_outcome), (Kind::PlatformFailed, false));
}

async fn list(fake: &Fake, limit: usize, after: Option<&str>) -> Result<(Vec<String>, Vec<String>, bool), Error> {
    let statuses = StatusSet::not_final();
    let request = ListRequest { statuses, limit, after: after.map(str::to_owned) };
    let page = Zeta.list_campaigns(&session(fake), &request).await?;
    let ids = page.rows.into_iter().map(|campaign| campaign.remote_id).collect();
    Ok((ids, page.positions, page.has_more))
}

/// A listing of two pages, and a report.
fn two_pages(request: &ReceivedRequest) -> ScriptedResponse {
    if request.line.contains("/reports?") {
        return ok(
            json!({"data": {"metrics": [{"campaign_id": "4", "spend": 1_230_000}, {"campaign_id": "4", "spend": 1}]}}),
        );
    }
    if request.line.contains("page.token=t%26") {
        return ok(json!({"data": [row(2, "ACTIVE"), row(1, "PAUSED")], "pagination": {"next_url": null}}));
    }
    let rows = [row(4, "PAUSED"), row(9, "ARCHIVED"), row(3, "PAUSED")];
    ok(json!({"data": rows, "pagination": {"next_url": "/api/v3/ad_accounts/a2_example/campaigns?page.token=t%26"}}))
}

#[tokio::test]
async fn a_list_goes_on_exactly_behind_each_campaign() {
    let all = ["4", "3", "2", "1"];
    for limit in 1..=4 {
        let (mut seen, mut after): (Vec<String>, Option<String>) = (Vec::new(), None);
        loop {
            let fake = Fake::new(two_pages);
            let (ids, positions, has_more) = list(&fake, limit, after.as_deref()).await.unwrap();
            seen.extend(ids);
            assert_eq!(has_more, seen.len() < all.len());
            if !has_more {
                break;
            }
            after = positions.last().cloned();
        }
        assert_eq!(seen, all, "limit {limit}");
    }
}

#[tokio::test]
async fn spend_comes_from_one_report_for_the_page() {
    let fake = Fake::new(two_pages);
    let statuses = StatusSet::not_final();
    let page = Zeta.list_campaigns(&session(&fake), &ListRequest { statuses, limit: 10, after: None }).await.unwrap();
    assert_eq!(page.rows[0].total_spend_amount, Some(Decimal::from_str_exact("1.230001").unwrap()));
    assert_eq!(page.rows[1].total_spend_amount, None, "the report does not name it");
    assert_eq!(fake.requests().iter().filter(|request| request.line.contains("/reports?")).count(), 1);
}

#[tokio::test]
async fn a_404_of_a_gateway_does_not_say_that_a_campaign_is_gone() {
    for body in ["<html>404</html>", "", r#"{"message":"Not Found","error":404}"#] {
        let fake = Fake::answering(vec![(404, body.to_owned())]);
        let error = Zeta.get_campaign(&session(&fake), "1").await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{body}");
    }
    let missing = r#"{"error":{"code":404,"message":"The specified resource was not found"}}"#;
    let fake = Fake::answering(vec![(404, missing.to_owned())]);
    assert_eq!(Zeta.get_campaign(&session(&fake), "1").await.unwrap_err().kind, Kind::NotFound);
}

#[tokio::test]
async fn accounts_of_all_businesses_are_found_once_each() {
    let fake = Fake::new(|request| {
        if request.line.contains("/me/businesses") {
            return ok(json!({"data": [{"id": "2f1c-b1", "name": "One"}, {"id": "b2", "name": "Two"}]}));
        }
        let shared = json!({"id": "a2_b", "name": "B", "currency": "JPY", "time_zone_id": null});
        let own = json!({"id": "a2_a", "name": "A", "currency": "USD", "time_zone_id": "America/New_York"});
        let malformed = json!({"id": "a2_c", "name": "C", "currency": "ZZZ"});
        let other = if request.line.contains("/2f1c-b1/") { malformed } else { own };
        ok(json!({"data": [shared, other]}))
    });
    let session = session(&fake);
    let accounts = Zeta.accounts(&session.call, &session.token).await.unwrap();
    let found: Vec<(&str, &str)> =
        accounts.iter().map(|account| (account.id.as_str(), account.time_zone.as_str())).collect();
    assert_eq!(found, [("a2_a", "America/New_York"), ("a2_b", "UTC")]);
}

#[tokio::test]
async fn a_grant_is_revoked_with_basic_authentication_and_a_hint() {
    // The fake platform puts headers in lower case, and base64 has two cases.
    let basic = format!("authorization: basic {}", STANDARD.encode("id:secret").to_ascii_lowercase());
    let forms = ["token=r%2Ft&token_type_hint=refresh_token", "token=a%26t&token_type_hint=access_token"];
    assert_revokes(Platform::Zeta, "/api/v1/revoke_token", forms, Some(&basic)).await;
}
