use super::*;
use crate::platforms::fixtures;

/// A euro account in Berlin.
pub(super) fn account() -> AdAccount {
    fixtures::account(Platform::Alpha, "EUR", "Europe/Berlin")
}

/// The amount that a text writes.
pub(super) fn amount(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

const DAILY: &str = include_str!("../fixtures/row-daily.json");
const TOTAL: &str = include_str!("../fixtures/row-total.json");

fn with(campaign: &str) -> Result<PlatformCampaign, Error> {
    super::campaign(&account(), &format!(r#"{{"campaign":{campaign}}}"#))
}

#[test]
fn a_row_with_a_daily_budget_is_read_whole() {
    let campaign = super::campaign(&account(), DAILY).unwrap();
    assert_eq!(campaign.id.to_string(), "alpha_1234567890_21234567890");
    assert_eq!((campaign.account_id.as_str(), campaign.remote_id.as_str()), ("1234567890", "21234567890"));
    assert_eq!(campaign.name, "Spring sale \u{2014} Zürich");
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Active, Some(Goal::WebsiteTraffic)));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("12.5")), Some(BudgetPeriod::Daily)));
    assert_eq!(campaign.total_spend_amount, Some(amount("1234.56789")));
    assert_eq!(campaign.start_at, Some("2026-11-30T23:00:00Z".parse().unwrap()));
    assert_eq!(campaign.end_at, None, "the last day of the platform's calendar means no end");
    assert_eq!((campaign.created_at, campaign.updated_at), (None, None));
    assert_eq!(campaign.raw, DAILY, "the row is handed on as received");
}

#[test]
fn a_row_with_a_total_budget_is_a_lifetime_campaign() {
    let campaign = super::campaign(&account(), TOTAL).unwrap();
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("500")), Some(BudgetPeriod::Lifetime)));
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Ended, Some(Goal::Sales)));
    assert_eq!(campaign.end_at, Some("2026-07-31T21:59:59Z".parse().unwrap()), "summer time in Berlin");
}

#[test]
fn the_status_is_the_advertisers_own_switch() {
    let cases = [
        (r#"{"id":"1","status":"ENABLED","primaryStatus":"LIMITED"}"#, CampaignStatus::Active),
        (r#"{"id":"1","status":"ENABLED"}"#, CampaignStatus::Active),
        (r#"{"id":"1","status":"ENABLED","primaryStatus":"ENDED"}"#, CampaignStatus::Ended),
        (r#"{"id":"1","status":"PAUSED","primaryStatus":"ENDED"}"#, CampaignStatus::Paused),
        (r#"{"id":"1","status":"REMOVED","primaryStatus":"ENDED"}"#, CampaignStatus::Archived),
        (r#"{"id":"1","status":"PAUSED","experimentType":"DRAFT"}"#, CampaignStatus::Draft),
        (r#"{"id":"1","status":"REMOVED","experimentType":"DRAFT"}"#, CampaignStatus::Archived),
        (r#"{"id":"1","status":"SOMETHING_NEW"}"#, CampaignStatus::Unspecified),
        (r#"{"id":"1"}"#, CampaignStatus::Unspecified),
    ];
    for (row, expected) in cases {
        assert_eq!(with(row).unwrap().status, expected, "{row}");
    }
}

#[test]
fn a_campaign_of_another_kind_has_no_goal_and_no_budget_of_ours() {
    let campaign = with(r#"{"id":7,"advertisingChannelType":"VIDEO","biddingStrategyType":"TARGET_CPV"}"#).unwrap();
    assert_eq!((campaign.goal, campaign.budget_amount, campaign.budget_period), (None, None, None));
    assert_eq!((campaign.total_spend_amount, campaign.start_at, campaign.end_at), (None, None, None));
    assert_eq!(campaign.currency.code(), "EUR");
}

#[test]
fn an_account_with_an_unknown_time_zone_is_not_guessed_at() {
    let account = AdAccount { time_zone: "Mars/Olympus".into(), ..account() };
    assert_eq!(super::campaign(&account, DAILY).unwrap_err().kind, Kind::PlatformFailed);
}
