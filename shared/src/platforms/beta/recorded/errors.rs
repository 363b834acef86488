//! Refusals and failures of the Graph API.

use super::{body, good, session};
use crate::domain::{BudgetPeriod, CampaignDraft, Goal, Platform, StatusSet};
use crate::error::{Error, Kind};
use crate::outbound::OutboundResponse;
use crate::platforms::beta::Beta;
use crate::platforms::beta::error::error_of;
use crate::platforms::fake::{create, marker, ok};
use crate::platforms::{AdPlatform, CampaignPage, ListRequest};
use Kind::{Forbidden, PlatformFailed, PlatformRefused, RateLimited, TokenExpired};
use http::{HeaderMap, StatusCode};
use rust_decimal::Decimal;
use serde_json::json;

pub(super) const REPLAYED: &[&str] = &[
    "error-app-not-authorized.json",
    "error-page-permission-190.json",
    "error-permission-without-type.json",
    "error-missing-permissions.json",
    "error-gate-keeper.json",
    "error-profile-not-linked.json",
    "error-bad-status-filter.json",
    "error-blame-field.json",
    "error-blamed-in-text-chinese.json",
    CURSOR,
    "error-ad-account-limit.json",
    "error-wrong-proof.json",
    "error-unavailable.json",
    "error-reduce-data.json",
    "error-unknown-99.json",
];

const CURSOR: &str = "error-invalid-cursor.json";

/// Status, kind, retryable, code, field, and part of the message; in the order of [`REPLAYED`].
type Meaning = (u16, Kind, bool, &'static str, Option<&'static str>, &'static str);

const MEANINGS: [Meaning; 15] = [
    (400, TokenExpired, false, "190/458", None, "authorize the account again"),
    (400, Forbidden, false, "190", None, "permission(s) must be granted before impersonating"),
    (403, Forbidden, false, "200", None, "(#200) Requires business_management permission"),
    (400, Forbidden, false, "100", None, "(#100) Missing permissions"),
    (400, Forbidden, false, "3", None, "a new authorization does not change that: (#3) AdAccount must pass GK"),
    (400, PlatformRefused, false, "1/2853001", None, "profile should always be linked to delegate page"),
    (400, PlatformRefused, false, "100/1487561", None, "Run Status not valid: Only certain values"),
    (400, PlatformRefused, false, "100/1487126", Some("targeting"), "Invalid Placement"),
    (400, PlatformRefused, false, "100/2490408", Some("optimization_goal"), "成效目标不可用: 广告目标"),
    (400, PlatformRefused, false, "2642", None, "(#2642) Invalid cursors values"),
    (400, RateLimited, true, "80004/2446079", None, "Meta is throttling"),
    (400, PlatformFailed, false, "100", None, "its operator has to look into it"),
    (400, PlatformFailed, true, "2", None, "Meta failed to answer properly"),
    (500, PlatformFailed, true, "1", None, "Meta failed to answer properly"),
    (500, PlatformFailed, true, "1/99", None, "Meta failed to answer properly"),
];

fn replays() -> impl Iterator<Item = (&'static str, Meaning)> {
    REPLAYED.iter().copied().zip(MEANINGS)
}

#[test]
fn every_recorded_error_has_its_meaning() {
    assert_eq!(REPLAYED.len(), MEANINGS.len());
    for (name, (status, kind, retryable, code, field, part)) in replays() {
        let status = StatusCode::from_u16(status).unwrap();
        let response = OutboundResponse { status, headers: HeaderMap::new(), body: body(name).into() };
        let error = error_of(&response, "2026-11-20T00:00:00Z".parse().unwrap());
        assert_eq!((error.kind, error.retryable, error.platform), (kind, retryable, Some(Platform::Beta)), "{name}");
        assert!(error.message.contains(part), "{name}: {}", error.message);
        assert!(!error.message.contains("\n"), "{name}: {}", error.message);
        assert_eq!(error.retry_after.map(|wait| wait.as_secs()), (kind == RateLimited).then_some(300), "{name}");
        let reported = error.platform_error.unwrap();
        assert_eq!((reported.code.as_deref(), reported.field.as_deref()), (Some(code), field), "{name}");
        assert!(!reported.message.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn a_create_is_unknown_only_where_the_recorded_platform_failed() {
    let draft = CampaignDraft::new("Winter".into(), Goal::Sales, Decimal::TEN, BudgetPeriod::Daily);
    for (name, (status, kind, retryable, ..)) in replays() {
        let session = session("1", "USD", (status, body(name)), ok(json!({})));
        let error = create(&Beta, &session, &draft, &marker()).await.unwrap_err();
        let is_unknown = kind == PlatformFailed && retryable;
        assert_eq!((error.kind, error.unknown_outcome), (kind, is_unknown), "{name}");
        assert_eq!(error.retryable, kind == RateLimited, "{name}");
    }
}

async fn list(name: &str, status: u16, after: Option<&str>) -> Result<CampaignPage, Error> {
    let session = session("1", "USD", (status, body(name)), ok(json!({"data": []})));
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 5, after: after.map(str::to_owned) };
    Beta.list_campaigns(&session, &request).await
}

#[tokio::test]
async fn only_a_recorded_error_about_a_cursor_names_the_cursor() {
    for (name, (status, kind, ..)) in replays() {
        let kind = if kind == PlatformRefused { PlatformFailed } else { kind };
        let error = list(name, status, Some("3.7.gone")).await.unwrap_err();
        let field = error.details.first().map(|reported| reported.field.as_str());
        let expected = if name == CURSOR { (Kind::Validation, Some("cursor")) } else { (kind, None) };
        assert_eq!((error.kind, field), expected, "{name}");
        let error = list(name, status, None).await.unwrap_err();
        assert_eq!((error.kind, error.details.len()), (kind, 0), "{name}, without a cursor");
    }
}

#[tokio::test]
async fn a_recorded_error_of_a_report_leaves_the_spend_unknown_and_never_0() {
    for (name, (status, kind, ..)) in replays() {
        let report = (status, body(name));
        let node = ok(json!({"id": "7", "account_id": "1", "status": "PAUSED"}));
        let one = Beta.get_campaign(&session("1", "USD", node, report.clone()), "7").await;
        let rows = ok(json!({"data": [{"id": "7", "status": "PAUSED"}]}));
        let request = ListRequest { statuses: StatusSet::not_final(), limit: 5, after: None };
        let all = Beta.list_campaigns(&session("1", "USD", rows, report), &request).await;
        if kind == TokenExpired {
            assert_eq!((one.unwrap_err().kind, all.unwrap_err().kind), (kind, kind), "{name}");
            continue;
        }
        assert_eq!(one.unwrap().total_spend_amount, None, "{name}");
        assert_eq!(all.unwrap().rows[0].total_spend_amount, None, "{name}");
    }
}

#[tokio::test]
async fn a_recorded_error_with_status_200_is_still_an_error() {
    for name in REPLAYED {
        let error = Beta.get_campaign(&session("1", "USD", good(name), ok(json!({"data": []}))), "7").await;
        assert!(error.is_err(), "{name}");
    }
}
