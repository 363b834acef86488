//! Each response in `fixtures/recorded` goes through the adapter. The README beside the responses names their sources.

mod ads;
mod refusals;
mod tokens;

use super::Zeta;
use crate::domain::{CampaignStatus, Platform, PlatformCampaign, StatusSet};
use crate::error::Error;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, marker, ok};
use crate::platforms::recorded;
use crate::platforms::zeta::tests::{draft, session};
use crate::platforms::{AdPlatform, ListRequest};
use rust_decimal::Decimal;
use serde_json::json;

/// The replayed answers, with the status of each.
const BODIES: [(&str, u16); 16] = [
    ("token-issued.json", 200),
    ("token-refreshed.json", 200),
    // Client credentials, which the adapter never sends. A refresh without a new refresh token has the same form.
    ("token-without-refresh.json", 200),
    ("token-code-invalid.json", 200),
    ("token-refresh-invalid.json", 400),
    ("token-client-refused.json", 401),
    // From another host than that of the Ads API, and no JSON: status and header decide.
    ("too-many-requests.html", 429),
    ("scope-missing.json", 403),
    // From another host than that of the Ads API, and not in its form.
    ("scope-insufficient.json", 403),
    ("ad-account-unknown.json", 400),
    ("ad-account-id-invalid.json", 400),
    ("not-found.json", 404),
    ("report-start-invalid.json", 400),
    // Refuses a field that the adapter never asks for. Each refused report is an unknown spend.
    ("report-field-unknown.json", 400),
    // The row names no campaign: it counts for none, and as insights it is an error.
    ("report.json", 200),
    ("ad.json", 200),
];

fn recorded(name: &str) -> ScriptedResponse {
    let (_, status) = BODIES.iter().find(|(known, _)| *known == name).unwrap();
    (*status, recorded::body(Platform::Zeta, name))
}

fn is_report(request: &ReceivedRequest) -> bool {
    request.line.contains("/reports?")
}

/// Lists the one campaign of an account with this report.
async fn listed(report: ScriptedResponse) -> (PlatformCampaign, Vec<ReceivedRequest>) {
    let shown = json!({"data": [{"id": "7", "configured_status": "PAUSED", "created_at": "2026-06-30T10:20:30Z"}]});
    let fake = Fake::new(move |request| if is_report(request) { report.clone() } else { ok(shown.clone()) });
    let page = list(&fake).await.unwrap();
    let requests = fake.requests().into_iter().filter(is_report).collect();
    (page.into_iter().next().unwrap(), requests)
}

async fn list(fake: &Fake) -> Result<Vec<PlatformCampaign>, Error> {
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    Zeta.list_campaigns(&session(fake), &request).await.map(|page| page.rows)
}

#[tokio::test]
async fn a_report_row_of_no_campaign_is_the_spend_of_none() {
    let (campaign, requests) = listed(recorded("report.json")).await;
    assert_eq!((campaign.status, campaign.total_spend_amount), (CampaignStatus::Paused, None));
    assert_eq!(requests.len(), 1, "empty pagination has no next page");
    assert_eq!(
        requests[0].body["data"]["breakdowns"],
        json!(["CAMPAIGN_ID"]),
        "a row of the adapter's report has an id"
    );
}

#[tokio::test]
async fn the_spend_of_a_report_row_is_read_to_the_micro() {
    let (status, body) = recorded("report.json");
    let body = body.replace("\"date\"", "\"campaign_id\": \"7\", \"date\"");
    let (campaign, _) = listed((status, body)).await;
    assert_eq!(campaign.total_spend_amount, Some(Decimal::from_str_exact("51.036973").unwrap()));
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    recorded::assert_all_replayed(Platform::Zeta, BODIES.map(|(name, _)| name));
    let tests =
        concat!(include_str!("mod.rs"), include_str!("ads.rs"), include_str!("refusals.rs"), include_str!("tokens.rs"));
    for (name, _) in BODIES {
        assert!(tests.matches(&format!("\"{name}\"")).count() > 1, "no test replays {name}");
    }
}
