use super::*;
use crate::domain::StatusSet;
use crate::error::Kind;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::zeta::Zeta;
use crate::platforms::zeta::tests::session;
use crate::platforms::{AdPlatform, ListRequest};
use serde_json::{Value, json};

fn campaign(id: &str, created_at: Value) -> Value {
    json!({"id": id, "configured_status": "PAUSED", "created_at": created_at})
}

fn recent(id: &str) -> Value {
    campaign(id, json!("2026-11-01T10:20:30Z"))
}

fn page(metrics: &Value, next: Option<&str>) -> ScriptedResponse {
    let next = next.map(|token| format!("/api/v3/ad_accounts/a2_example/reports?page.token={token}"));
    ok(json!({"data": {"metrics": metrics}, "pagination": {"next_url": next, "previous_url": null}}))
}

fn is_report(request: &ReceivedRequest) -> bool {
    request.line.starts_with("POST ")
}

/// Answers a listing of these campaigns, and the pages of a report in their order.
fn reddit(campaigns: Vec<Value>, reports: Vec<ScriptedResponse>) -> Fake {
    let mut reports = reports.into_iter();
    Fake::new(move |request| {
        if is_report(request) { reports.next().unwrap() } else { ok(json!({"data": campaigns, "pagination": {}})) }
    })
}

async fn listed(fake: &Fake) -> Result<Vec<Option<String>>, Error> {
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    let page = Zeta.list_campaigns(&session(fake), &request).await?;
    Ok(page.rows.into_iter().map(|campaign| campaign.total_spend_amount.map(|sum| sum.to_string())).collect())
}

fn reports(fake: &Fake) -> Vec<ReceivedRequest> {
    fake.requests().into_iter().filter(is_report).collect()
}

fn known(amount: &str) -> Option<String> {
    Some(amount.to_owned())
}

#[tokio::test]
async fn a_report_is_read_to_its_last_page_with_the_same_body() {
    let first = page(&json!([{"campaign_id": "1", "spend": 1_230_000}]), Some("t%26"));
    let second = page(&json!([{"campaign_id": "2", "spend": 0}, {"campaign_id": "1", "spend": 1}]), None);
    let fake = reddit(vec![recent("1"), recent("2")], vec![first, second]);
    assert_eq!(listed(&fake).await.unwrap(), [known("1.230001"), known("0")]);
    let requests = reports(&fake);
    let path = "POST /api/v3/ad_accounts/a2_example/reports?page.size=100";
    let lines: Vec<&str> = requests.iter().map(|request| request.line.as_str()).collect();
    assert_eq!(lines, [format!("{path} HTTP/1.1"), format!("{path}&page.token=t%26 HTTP/1.1")]);
    assert_eq!(requests[0].body, requests[1].body);
    assert_eq!(requests[0].body["data"]["starts_at"], "2026-11-01T10:00:00Z");
}

#[tokio::test]
async fn spend_that_the_report_does_not_say_is_not_known_and_never_0() {
    let metrics = json!([
        {"campaign_id": "2", "spend": null},
        {"campaign_id": "3"},
        {"campaign_id": "4", "spend": 1.5},
        {"campaign_id": "5", "spend": -1},
        {"campaign_id": "6", "spend": 7}, {"campaign_id": "6", "spend": null},
        {"campaign_id": "7", "spend": "2500000"},
        {"campaign_id": null, "spend": 9}, {"spend": 9},
        {"campaign_id": "8", "spend": 0, "new": {}},
    ]);
    let campaigns = ["1", "2", "3", "4", "5", "6", "7", "8"].map(recent).to_vec();
    let listed = listed(&reddit(campaigns, vec![page(&metrics, None)])).await.unwrap();
    assert_eq!(listed, [None, None, None, None, None, None, known("2.5"), known("0")]);
}

#[tokio::test]
async fn a_page_that_fails_leaves_the_whole_spend_unknown() {
    let first = || page(&json!([{"campaign_id": "1", "spend": 5}]), Some("t"));
    let elsewhere = json!({"data": {"metrics": []}, "pagination": {"next_url": "https://evil.example/?page.token=t"}});
    let empty = json!({"data": {"metrics": []}, "pagination": {"next_url": "/api/v3/x?page.token="}});
    let failing: Vec<ScriptedResponse> = vec![
        (500, String::new()),
        (429, String::new()),
        (200, "<html>".into()),
        ok(json!({"data": {"metrics": null}})),
        ok(elsewhere),
        ok(empty),
    ];
    for second in failing {
        let shown = format!("{second:?}");
        let fake = reddit(vec![recent("1"), recent("2")], vec![first(), second]);
        assert_eq!(listed(&fake).await.unwrap(), [None, None], "{shown}");
        assert_eq!(reports(&fake).len(), 2, "{shown}");
    }
    let refused = reddit(vec![recent("1")], vec![first(), (401, String::new())]);
    assert_eq!(listed(&refused).await.unwrap_err().kind, Kind::TokenExpired);
}

#[tokio::test]
async fn a_report_without_an_end_is_given_up() {
    let metrics = json!([{"campaign_id": "1", "spend": 5}]);
    let ever_new = (0..MAX_PAGES).map(|number| page(&metrics, Some(&format!("t{number}")))).collect();
    let repeated = vec![page(&metrics, Some("again")); MAX_PAGES];
    for (endless, calls) in [(ever_new, MAX_PAGES), (repeated, 2)] {
        let fake = reddit(vec![recent("1"), recent("2")], endless);
        assert_eq!(listed(&fake).await.unwrap(), [None, None]);
        assert_eq!(reports(&fake).len(), calls);
    }
}

#[tokio::test]
async fn a_campaign_older_than_24_months_has_no_known_spend() {
    let campaigns = vec![
        campaign("1", json!("2024-11-20T00:00:00Z")),
        campaign("2", json!("2024-11-19T23:59:59Z")),
        campaign("3", Value::Null),
        recent("4"),
    ];
    let rows: Vec<Value> = ["1", "2", "3", "4"].map(|id| json!({"campaign_id": id, "spend": 1_000_000})).to_vec();
    let fake = reddit(campaigns, vec![page(&json!(rows), None)]);
    assert_eq!(listed(&fake).await.unwrap(), [known("1"), None, None, known("1")]);
    assert_eq!(reports(&fake)[0].body["data"]["starts_at"], "2024-11-20T00:00:00Z");
    let old = reddit(vec![campaign("2", json!("2024-11-19T23:59:59Z"))], vec![]);
    assert_eq!(listed(&old).await.unwrap(), [None]);
    assert_eq!(reports(&old).len(), 0, "no report is asked for");
}

#[tokio::test]
async fn one_campaign_is_asked_for_by_its_id_and_without_a_row_not_known() {
    let read = async |metrics: Value| {
        let fake = Fake::new(
            move |request| {
                if is_report(request) { page(&metrics, None) } else { ok(json!({"data": recent("7")})) }
            },
        );
        let found = Zeta.get_campaign(&session(&fake), "7").await.unwrap();
        assert_eq!(reports(&fake)[0].body["data"]["filter"], "campaign:id==7");
        found.total_spend_amount
    };
    assert_eq!(read(json!([{"campaign_id": "7", "spend": 3_000_000}])).await, Some(Decimal::from(3)));
    assert_eq!(read(json!([])).await, None);
}

#[test]
fn the_window_begins_at_the_first_full_hour_of_24_months() {
    let first = |now: &str| first_hour(now.parse().unwrap()).unwrap().to_string();
    assert_eq!(first("2026-11-20T10:00:00Z"), "2024-11-20T10:00:00Z");
    assert_eq!(first("2026-11-20T10:00:01Z"), "2024-11-20T11:00:00Z");
    assert_eq!(first("2028-02-29T10:00:00Z"), "2026-02-28T10:00:00Z");
}

#[tokio::test]
async fn a_malformed_row_costs_only_its_own_number() {
    let metrics = json!([
        null, [], "row", 7,
        {"campaign_id": 1, "spend": 1_500_000},
        {"campaign_id": "2", "spend": 0.5, "cpc": 510_369.73},
        {"campaign_id": {"id": "3"}, "spend": 1},
        {"campaign_id": "4", "spend": 2_000_000, "cpc": "x"},
    ]);
    let fake = reddit(["1", "2", "3", "4"].map(recent).to_vec(), vec![page(&metrics, None)]);
    assert_eq!(listed(&fake).await.unwrap(), [known("1.5"), None, None, known("2")]);
}

#[tokio::test]
async fn a_report_may_come_in_several_parts() {
    let part = |id: &str| json!({"metrics": [{"campaign_id": id, "spend": 1_000_000}], "metrics_updated_at": "x"});
    let parts = ok(json!({"data": [part("1"), part("2")], "pagination": {}}));
    let fake = reddit(["1", "2", "3"].map(recent).to_vec(), vec![parts]);
    assert_eq!(listed(&fake).await.unwrap(), [known("1"), known("1"), None]);
    let malformed = ok(json!({"data": [part("1"), {"rows": []}]}));
    let fake = reddit(vec![recent("1")], vec![malformed]);
    assert_eq!(listed(&fake).await.unwrap(), [None], "a part of the report has a part of the sums");
}
