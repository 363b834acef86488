use super::*;
use crate::platforms::fixtures;

pub(super) const DAILY: &str = include_str!("../fixtures/campaign-daily.json");
pub(super) const LIFETIME: &str = include_str!("../fixtures/campaign-lifetime.json");
pub(super) const OF_AD_SETS: &str = include_str!("../fixtures/campaign-budget-of-ad-sets.json");

pub(super) fn account(currency: &str) -> AdAccount {
    fixtures::account(Platform::Beta, currency, "America/Los_Angeles")
}

pub(super) fn read(node: &str, currency: &str) -> PlatformCampaign {
    campaign(&account(currency), node, "2026-11-20T00:00:00Z".parse().unwrap()).unwrap()
}

fn with(field: &str, value: &str) -> String {
    let mut node: serde_json::Value = serde_json::from_str(DAILY).unwrap();
    node[field] = serde_json::from_str(value).unwrap();
    node.to_string()
}

#[test]
fn a_campaign_is_read_with_all_of_its_fields() {
    let campaign = read(DAILY, "USD");
    assert_eq!(campaign.id.to_string(), "beta_111222333_120330000000012345");
    assert_eq!((campaign.name.as_str(), campaign.status), ("Winter", CampaignStatus::Paused));
    assert_eq!(campaign.goal, Some(Goal::Sales));
    assert_eq!(campaign.budget_amount.unwrap().to_string(), "10.5");
    assert_eq!(campaign.budget_period, Some(BudgetPeriod::Daily));
    assert_eq!(campaign.start_at.unwrap().to_string(), "2026-12-01T08:00:00Z");
    assert_eq!(campaign.end_at, None);
    assert_eq!(campaign.created_at.unwrap().to_string(), "2026-11-20T16:00:00Z");
    assert_eq!(campaign.updated_at.unwrap().to_string(), "2026-11-20T16:00:01Z");
    assert_eq!(campaign.raw, DAILY);
    let campaign = read(LIFETIME, "USD");
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Active, Some(Goal::Leads)), "whatever its delivery");
    assert_eq!(campaign.budget_amount, Some(Decimal::from(5_000)));
    assert_eq!(campaign.budget_period, Some(BudgetPeriod::Lifetime));
    assert_eq!(campaign.end_at.unwrap().to_string(), "2027-01-01T07:59:59Z");
}

#[test]
fn a_budget_that_is_absent_or_zero_is_none() {
    for node in [OF_AD_SETS.to_owned(), with("daily_budget", "\"0\""), with("daily_budget", "null")] {
        let campaign = read(&node, "USD");
        assert_eq!((campaign.budget_amount, campaign.budget_period), (None, None), "{node}");
    }
    assert_eq!(read(OF_AD_SETS, "USD").goal, None);
}

#[test]
fn a_budget_read_as_100_in_cop_is_100_and_in_kwd_is_1() {
    let hundred = with("daily_budget", "\"100\"");
    assert_eq!(read(&hundred, "COP").budget_amount, Some(Decimal::ONE_HUNDRED));
    assert_eq!(read(&hundred, "JPY").budget_amount, Some(Decimal::ONE_HUNDRED));
    assert_eq!(read(&hundred, "KWD").budget_amount, Some(Decimal::ONE));
    assert_eq!(read(&with("daily_budget", "100"), "USD").budget_amount, Some(Decimal::ONE), "a number is read too");
}

#[test]
fn the_status_is_the_advertisers_switch_until_the_end() {
    let ended = LIFETIME.replace("2026-12-31T23:59:59-0800", "2026-11-19T15:59:59-0800");
    assert_eq!(read(&ended, "USD").status, CampaignStatus::Ended);
    let paused = ended.replace("\"status\": \"ACTIVE\"", "\"status\": \"PAUSED\"");
    assert_eq!(read(&paused, "USD").status, CampaignStatus::Paused);
    for (word, status) in [
        ("\"ARCHIVED\"", CampaignStatus::Archived),
        ("\"DELETED\"", CampaignStatus::Archived),
        ("\"SOMETHING\"", CampaignStatus::Unspecified),
    ] {
        assert_eq!(read(&with("status", word), "USD").status, status, "{word}");
    }
}

#[test]
fn a_missing_state_is_the_configured_one() {
    let silent = with("status", "null");
    assert!(silent.contains(r#""configured_status":"PAUSED""#), "{silent}");
    assert_eq!(read(&silent, "USD").status, CampaignStatus::Paused);
    let deleted = silent.replace(r#""configured_status":"PAUSED""#, r#""configured_status":"DELETED""#);
    assert_eq!(read(&deleted, "USD").status, CampaignStatus::Archived);
    let neither = silent.replace("configured_status", "other");
    assert_eq!(read(&neither, "USD").status, CampaignStatus::Unspecified, "delivery says nothing of the switch");
}

#[test]
fn a_campaign_of_no_account_or_of_another_one_is_an_error() {
    let now = Timestamp::UNIX_EPOCH;
    let kind = |node: &str| campaign(&account("USD"), node, now).unwrap_err().kind;
    assert_eq!(kind(&with("account_id", "\"9\"")), crate::error::Kind::NotFound);
    assert_eq!(kind(&with("account_id", "null")), crate::error::Kind::PlatformFailed);
}

#[test]
fn a_time_before_1970_is_none() {
    let node = with("start_time", "\"1969-12-31T16:00:00-0800\"");
    assert_eq!(read(&node, "USD").start_at, None);
}
