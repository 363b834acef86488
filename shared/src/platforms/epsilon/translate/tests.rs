use super::*;
use crate::platforms::fixtures;

/// A euro account.
pub(super) fn account() -> AdAccount {
    fixtures::account(Platform::Epsilon, "EUR", "UTC")
}

/// The amount that a text writes.
pub(super) fn amount(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

/// An instant that a text writes.
pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(super) const DAILY: &str = include_str!("../fixtures/campaign-daily.json");
pub(super) const LIFETIME: &str = include_str!("../fixtures/campaign-lifetime.json");
pub(super) const WITHOUT_BUDGET: &str = include_str!("../fixtures/campaign-without-budget.json");

/// The campaign of a fixture, read in November 2026.
pub(super) fn read(raw: &str) -> PlatformCampaign {
    found(&account(), raw, at("2026-11-20T00:00:00Z")).unwrap().unwrap()
}

#[test]
fn a_campaign_with_a_daily_budget_is_read_whole() {
    let campaign = read(DAILY);
    assert_eq!(campaign.id.to_string(), "epsilon_549755885175_626744528398");
    assert_eq!((campaign.account_id.as_str(), campaign.remote_id.as_str()), ("549755885175", "626744528398"));
    assert_eq!(campaign.name, "Spring sale \u{2014} Zürich");
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Active, Some(Goal::WebsiteTraffic)));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("12.5")), Some(BudgetPeriod::Daily)));
    assert_eq!((campaign.start_at, campaign.end_at), (Some(at("2025-12-01T00:00:00Z")), None));
    assert_eq!(campaign.created_at, Some(at("2025-11-20T00:53:20Z")), "seconds, in UTC");
    assert_eq!(campaign.updated_at, Some(at("2025-11-20T00:55:00Z")));
    assert_eq!((campaign.currency.code(), campaign.total_spend_amount), ("EUR", None));
    assert_eq!(campaign.raw, DAILY, "handed on as received");
}

#[test]
fn a_lifetime_cap_is_a_lifetime_budget_and_a_past_end_is_ended() {
    let campaign = read(LIFETIME);
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("500")), Some(BudgetPeriod::Lifetime)));
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Ended, Some(Goal::Sales)));
    let earlier = found(&account(), LIFETIME, at("2026-07-31T23:59:59Z")).unwrap().unwrap();
    assert_eq!(earlier.status, CampaignStatus::Active, "its last second is its own");
}

#[test]
fn a_campaign_without_budget_optimization_has_no_budget_of_its_own() {
    let campaign = read(WITHOUT_BUDGET);
    assert_eq!((campaign.budget_amount, campaign.budget_period, campaign.goal), (None, None, None));
    let both = DAILY.replace("\"lifetime_spend_cap\":null", "\"lifetime_spend_cap\":1000000");
    assert_eq!(read(&both).budget_amount, None, "with both caps it cannot be told which is meant");
    let zero = DAILY.replace("\"lifetime_spend_cap\":null", "\"lifetime_spend_cap\":0");
    assert_eq!(read(&zero).budget_amount, Some(amount("12.5")), "nothing is no cap");
}

#[test]
fn every_status_and_objective_has_its_meaning() {
    let with = |status: &str| read(&DAILY.replace("\"ACTIVE\"", &format!("\"{status}\""))).status;
    assert_eq!(with("PAUSED"), CampaignStatus::Paused);
    assert_eq!(with("ARCHIVED"), CampaignStatus::Archived);
    assert_eq!(with("DRAFT"), CampaignStatus::Draft);
    assert_eq!(with("SOMETHING_NEW"), CampaignStatus::Unspecified);
    for (objective, expected) in [
        ("AWARENESS", Some(Goal::BrandAwareness)),
        ("SALES", Some(Goal::Sales)),
        ("WEB_CONVERSION", Some(Goal::Sales)),
        ("CATALOG_SALES", Some(Goal::Sales)),
        ("LEADS", Some(Goal::Leads)),
        ("APP_INSTALL", Some(Goal::AppPromotion)),
        ("CTV_CONSIDERATION", None),
        ("VIDEO_COMPLETION", None),
        ("VIDEO_VIEW", None),
        ("SOMETHING_NEW", None),
    ] {
        assert_eq!(read(&DAILY.replace("CONSIDERATION", objective)).goal, expected, "{objective}");
    }
}

#[test]
fn a_deleted_draft_and_a_campaign_of_another_account_are_not_found() {
    let now = at("2026-11-20T00:00:00Z");
    for raw in [DAILY.replace("\"ACTIVE\"", "\"DELETED_DRAFT\""), DAILY.replace("549755885175", "549755885176")] {
        assert_eq!(found(&account(), &raw, now).unwrap(), None);
    }
}

#[test]
fn a_malformed_optional_field_does_not_lose_the_campaign() {
    let malformed =
        read(r#"{"id":"1","name":7,"status":null,"objective_type":["X"],"end_time":"1785542399","new":{"a":1}}"#);
    assert_eq!((malformed.name.as_str(), malformed.status, malformed.goal), ("7", CampaignStatus::Unspecified, None));
    assert_eq!((malformed.start_at, malformed.end_at), (None, Some(at("2026-07-31T23:59:59Z"))));
    assert_eq!((malformed.budget_amount, malformed.budget_period), (None, None));
    let timeless =
        read(r#"{"id":"1","start_time":"soon","end_time":99999999999999,"created_time":[],"updated_time":1.5}"#);
    assert_eq!((timeless.start_at, timeless.end_at), (None, None), "a wrong time is none, never another one");
    assert_eq!((timeless.created_at, timeless.updated_at), (None, None));
    let bare = read(r#"{"id":"1"}"#);
    assert_eq!((bare.goal, bare.budget_amount, bare.created_at), (None, None, None));
}

#[test]
fn a_wrong_cap_beside_another_one_is_no_budget() {
    let half = DAILY.replace("\"daily_spend_cap\":12500000,", "\"daily_spend_cap\":\"x\",");
    let half = half.replace("\"lifetime_spend_cap\":null", "\"lifetime_spend_cap\":1000000");
    assert_eq!(read(&half).budget_amount, None, "the cap that can be read is not taken for the whole");
}
