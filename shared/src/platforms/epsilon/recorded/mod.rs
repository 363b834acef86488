//! Each response in `fixtures/recorded` goes through the adapter. The README beside the responses names their sources.

mod ads;
mod find;
mod refusals;

use super::Epsilon;
use crate::domain::{
    AdAccount, BudgetPeriod, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Platform, PlatformCampaign,
    StatusSet,
};
use crate::platforms::fake::{Fake, ScriptedResponse, create, marker, ok};
use crate::platforms::fixtures;
use crate::platforms::recorded;
use crate::platforms::{AccountSession, AdPlatform, CampaignPage, ListRequest};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::json;

/// The replayed answers, with the status of each. Where the README says "not recorded", it is the documented status.
const BODIES: [(&str, u16); 19] = [
    ("campaigns-page.json", 200),
    ("campaigns-page-later.json", 200),
    ("campaign.json", 200),
    ("campaign-created.json", 200),
    ("campaign-updated.json", 200),
    ("ad-accounts.json", 200),
    ("spend-empty.json", 200),
    // The row has dollars instead of micros: an unknown spend. It is by day, and read as insights too.
    ("spend-row-without-micros.json", 200),
    // Refuses an ad, and the adapter makes none. It is read as the response to a create, which has the same form.
    ("refusal-as-one-object.json", 200),
    ("update-with-data-and-exception.json", 200),
    ("analytics-parameters-invalid.json", 400),
    ("token-grant-invalid.json", 401),
    // From the old v3, which the adapter never asks. It is read as one of v5: `data` names the error.
    ("token-application-invalid-v3.json", 401),
    ("authentication-failed.json", 401),
    ("scope-missing.json", 401),
    ("server-fault.json", 500),
    ("ad-groups-page.json", 200),
    ("ads-empty.json", 200),
    // Its `bookmark` is an example too: the next page is the empty one.
    ("ads-page-example.json", 200),
];

/// The account of the live recordings.
const SEED: &str = "549770573673";
/// The account of the published examples.
const EXAMPLE: &str = "549755885175";

fn recorded(name: &str) -> ScriptedResponse {
    let (_, status) = BODIES.iter().find(|(known, _)| *known == name).unwrap();
    (*status, recorded::body(Platform::Epsilon, name))
}

fn session(fake: &Fake, account: &str) -> AccountSession {
    let account = AdAccount { id: account.into(), ..fixtures::account(Platform::Epsilon, "USD", "UTC") };
    fake.session_of(Platform::Epsilon, account)
}

/// Answers a report with one recorded body, and all else with a response.
fn with_report(report: &str, other: ScriptedResponse) -> Fake {
    let report = recorded(report);
    Fake::new(move |request| if request.line.contains("/analytics?") { report.clone() } else { other.clone() })
}

fn at(second: i64) -> Option<Timestamp> {
    Some(Timestamp::from_second(second).unwrap())
}

fn draft() -> CampaignDraft {
    CampaignDraft { name: "Nango Create Campaign Dryrun".into(), ..fixtures::draft(Goal::BrandAwareness, "100") }
}

async fn listed(name: &str) -> CampaignPage {
    let fake = with_report("spend-empty.json", recorded(name));
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    Epsilon.list_campaigns(&session(&fake, SEED), &request).await.unwrap()
}

async fn read_one(report: &str) -> PlatformCampaign {
    let fake = with_report(report, recorded("campaign.json"));
    Epsilon.get_campaign(&session(&fake, SEED), "626759223935").await.unwrap()
}

fn check_seed(campaign: &PlatformCampaign) {
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Paused, Some(Goal::BrandAwareness)));
    let budget = (campaign.budget_amount, campaign.budget_period);
    assert_eq!(budget, (Some(Decimal::from(100)), Some(BudgetPeriod::Daily)), "a lifetime cap of 0 is none");
    assert_eq!((campaign.start_at, campaign.end_at), (campaign.created_at, None));
    assert_eq!(campaign.currency.code(), "USD");
}

#[tokio::test]
async fn a_page_has_its_three_campaigns_and_no_next_page() {
    let page = listed("campaigns-page.json").await;
    let found: Vec<(&str, &str)> =
        page.rows.iter().map(|campaign| (campaign.remote_id.as_str(), campaign.name.as_str())).collect();
    let namesake = "Nango Create Campaign Dryrun";
    let expected =
        [("626759223935", "Nango Seed Campaign Keep"), ("626759225166", namesake), ("626759225167", namesake)];
    assert_eq!((found.as_slice(), page.has_more), (expected.as_slice(), false));
    for campaign in &page.rows {
        check_seed(campaign);
        assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO), "the report is empty");
    }
    assert_eq!((page.rows[2].created_at, page.rows[2].updated_at), (at(1_783_592_999), at(1_783_593_001)));
}

#[tokio::test]
async fn a_later_page_has_a_later_time_of_change_only() {
    let (earlier, later) = (listed("campaigns-page.json").await, listed("campaigns-page-later.json").await);
    let ids: Vec<&str> = later.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    assert_eq!((ids.as_slice(), later.has_more), (["626759223935", "626759224785"].as_slice(), false));
    assert_eq!(later.rows[0].created_at, earlier.rows[0].created_at);
    assert_eq!((earlier.rows[0].updated_at, later.rows[0].updated_at), (at(1_783_586_783), at(1_783_594_068)));
}

#[tokio::test]
async fn one_campaign_is_read_and_an_empty_report_is_a_spend_of_0() {
    let campaign = read_one("spend-empty.json").await;
    check_seed(&campaign);
    assert_eq!((campaign.created_at, campaign.updated_at), (at(1_783_586_782), at(1_783_586_783)));
    assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    assert_eq!(campaign.raw, recorded("campaign.json").1.trim_end());
}

#[tokio::test]
async fn a_report_row_without_micros_is_an_unknown_spend() {
    let shown = json!({"id": "547602124502", "ad_account_id": EXAMPLE, "status": "PAUSED"});
    let fake = with_report("spend-row-without-micros.json", ok(shown));
    let campaign = Epsilon.get_campaign(&session(&fake, EXAMPLE), "547602124502").await.unwrap();
    assert_eq!(campaign.total_spend_amount, None, "30 dollars were spent, so 0 would be wrong");
}

#[tokio::test]
async fn a_created_campaign_has_the_id_and_the_times_of_the_answer() {
    let fake = Fake::answering(vec![recorded("campaign-created.json")]);
    let made = create(&Epsilon, &session(&fake, SEED), &draft(), &marker()).await.unwrap();
    check_seed(&made);
    assert_eq!((made.remote_id.as_str(), made.created_at), ("626759225167", at(1_783_592_999)));
    assert_eq!(made.total_spend_amount, Some(Decimal::ZERO));
}

#[tokio::test]
async fn an_updated_campaign_has_its_new_name_and_its_known_spend() {
    let current = read_one("spend-empty.json").await;
    let name = Some("Nango Seed Campaign Keep Updated".to_owned());
    let changes = CampaignChanges { name, ..CampaignChanges::default() };
    let fake = Fake::answering(vec![recorded("campaign-updated.json")]);
    let changed = Epsilon.update_campaign(&session(&fake, SEED), &current, &changes).await.unwrap().unwrap();
    check_seed(&changed);
    assert_eq!(Some(changed.name), changes.name);
    assert_eq!((changed.updated_at, changed.total_spend_amount), (at(1_783_594_016), Some(Decimal::ZERO)));
}

#[tokio::test]
async fn accounts_have_their_currency_and_one_its_time_zone() {
    let fake = Fake::answering(vec![recorded("ad-accounts.json")]);
    let session = session(&fake, SEED);
    let found = Epsilon.accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.currency.code(), one.time_zone.as_str())).collect();
    let expected = [
        ("549770573673", "USD", "UTC"),
        ("549770573870", "USD", "America/Los_Angeles"),
        ("549770573919", "USD", "UTC"),
    ];
    assert_eq!(seen, expected);
    assert_eq!(found[0].name, "Nango Seed Ad Account");
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    recorded::assert_all_replayed(Platform::Epsilon, BODIES.map(|(name, _)| name));
    let tests =
        concat!(include_str!("mod.rs"), include_str!("ads.rs"), include_str!("find.rs"), include_str!("refusals.rs"));
    for (name, _) in BODIES {
        assert!(tests.matches(&format!("\"{name}\"")).count() > 1, "no test replays {name}");
    }
}
