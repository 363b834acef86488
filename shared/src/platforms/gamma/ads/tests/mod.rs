use super::*;
use crate::domain::{AdReview, AdState, DeliveryReason, Effect, Level};
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::fixtures;
use crate::platforms::gamma::Gamma;
use crate::platforms::gamma::translate::campaign;
use serde_json::{Value, json};
use url::Url;

mod listing;
mod rejections;
mod word_rows;

fn account() -> AdAccount {
    fixtures::account(Platform::Gamma, "USD", "UTC")
}

/// A campaign with a total budget, of a kind.
fn of_kind(id: u64, kind: &str) -> PlatformCampaign {
    let row = json!({"campaign_id": id.to_string(), "operation_status": "ENABLE", "campaign_automation_type": kind,
        "budget_mode": "BUDGET_MODE_TOTAL", "budget": 100});
    campaign(&account(), &row.to_string(), false).unwrap()
}

fn manual(id: u64) -> PlatformCampaign {
    of_kind(id, "MANUAL")
}

fn smart_plus(id: u64) -> PlatformCampaign {
    of_kind(id, "UPGRADED_SMART_PLUS")
}

/// A manual ad with a state.
fn row(id: u64, campaign: u64, word: &str) -> Value {
    json!({"ad_id": id.to_string(), "ad_name": "Ad", "campaign_id": campaign.to_string(), "adgroup_id": "77",
        "adgroup_name": "Group", "secondary_status": word})
}

/// A page of ads.
fn page(rows: &[Value], number: usize, pages: usize) -> ScriptedResponse {
    let info = json!({"page": number, "page_size": 1000, "total_number": 9, "total_page": pages});
    ok(json!({"code": 0, "message": "OK", "request_id": "r", "data": {"list": rows, "page_info": info}}))
}

async fn read_of(fake: &Fake, campaigns: &[PlatformCampaign], with_rejections: bool) -> Result<AdsReport, Error> {
    let session = fake.session_of(Platform::Gamma, account());
    Gamma.read_ads(&session, AdsRequest { campaigns, with_rejections }).await
}

/// Path and parameters.
fn asked(request: &ReceivedRequest) -> (String, Vec<(String, String)>) {
    let url = Url::parse("http://x").unwrap().join(request.line.split(' ').nth(1).unwrap()).unwrap();
    (url.path().to_owned(), url.query_pairs().into_owned().collect())
}

/// The only ad of a campaign.
fn only(report: &AdsReport, campaign: &str) -> PlatformAd {
    let [ad] = report.of(campaign).unwrap() else { panic!("{report:?}") };
    ad.clone()
}
