use super::*;
use crate::domain::{DeliveryReason, Effect};
use crate::platforms::fixtures;

fn account() -> AdAccount {
    fixtures::account(Platform::Gamma, "USD", "America/New_York")
}

#[test]
fn a_campaign_is_read_as_the_platform_has_it() {
    let row = include_str!("../fixtures/campaign-manual.json");
    let campaign = campaign(&account(), row, false).unwrap();
    assert_eq!(campaign.id.to_string(), "gamma_7000000000000000001_1801234567890123");
    assert_eq!((campaign.name.as_str(), campaign.status), ("Winter", CampaignStatus::Active));
    assert_eq!(campaign.goal, Some(Goal::WebsiteTraffic));
    assert_eq!(campaign.budget_amount.map(|amount| amount.to_string()).as_deref(), Some("75.1"));
    assert_eq!(campaign.budget_period, Some(BudgetPeriod::Daily));
    assert_eq!(campaign.created_at, Some("2026-01-15T08:30:00Z".parse().unwrap()), "the platform's times are UTC");
    assert_eq!(campaign.updated_at, Some("2026-02-01T10:00:05Z".parse().unwrap()));
    assert_eq!((campaign.start_at, campaign.end_at, campaign.total_spend_amount), (None, None, None));
    assert_eq!(campaign.raw, row);
    assert_eq!(campaign.signals, Signals::default(), "nothing is held against it");
}

#[test]
fn the_secondary_status_is_a_signal_and_a_spent_day_passes() {
    let spent = r#""secondary_status":"CAMPAIGN_STATUS_BUDGET_EXCEED""#;
    for (mode, effect) in [
        ("BUDGET_MODE_DAY", Effect::Waits),
        ("BUDGET_MODE_DYNAMIC_DAILY_BUDGET", Effect::Waits),
        ("BUDGET_MODE_TOTAL", Effect::Blocks),
        ("BUDGET_MODE_INFINITE", Effect::Blocks),
    ] {
        let holds = read(&format!(r#""budget_mode":"{mode}","budget":50,{spent}"#)).signals.holds;
        assert_eq!((holds[0].effect, holds[0].reason), (effect, DeliveryReason::BudgetSpent), "{mode}");
    }
    assert_eq!(read(r#""secondary_status":null"#).signals, Signals::default());
}

fn read(fields: &str) -> PlatformCampaign {
    campaign(&account(), &format!(r#"{{"campaign_id":"5",{fields}}}"#), false).unwrap()
}

#[test]
fn the_operation_status_is_the_status_unless_the_campaign_is_deleted() {
    for (fields, expected) in [
        (r#""operation_status":"ENABLE","secondary_status":"CAMPAIGN_STATUS_BUDGET_EXCEED""#, CampaignStatus::Active),
        (r#""operation_status":"ENABLE","secondary_status":"ADVERTISER_ACCOUNT_PUNISH""#, CampaignStatus::Active),
        (r#""operation_status":"DISABLE""#, CampaignStatus::Paused),
        (r#""operation_status":"DISABLE","secondary_status":"CAMPAIGN_STATUS_DELETE""#, CampaignStatus::Archived),
        (r#""operation_status":"DELETE""#, CampaignStatus::Archived),
        (r#""operation_status":"FROZEN""#, CampaignStatus::Unspecified),
        (r#""operation_status":null"#, CampaignStatus::Unspecified),
    ] {
        assert_eq!(read(fields).status, expected, "{fields}");
    }
    let row = r#"{"campaign_id":"5","operation_status":"ENABLE"}"#;
    assert_eq!(
        campaign(&account(), row, true).unwrap().status,
        CampaignStatus::Archived,
        "from the list of deleted campaigns"
    );
}

#[test]
fn a_budget_is_read_to_the_last_digit_and_no_limit_is_no_budget() {
    let budget = |fields: &str| {
        let campaign = read(fields);
        (campaign.budget_amount.map(|amount| amount.to_string()), campaign.budget_period)
    };
    let daily = Some(BudgetPeriod::Daily);
    assert_eq!(budget(r#""budget_mode":"BUDGET_MODE_DAY","budget":50.0"#), (Some("50".into()), daily));
    assert_eq!(
        budget(r#""budget_mode":"BUDGET_MODE_DYNAMIC_DAILY_BUDGET","budget":1234567890123.45"#),
        (Some("1234567890123.45".into()), daily)
    );
    assert_eq!(
        budget(r#""budget_mode":"BUDGET_MODE_TOTAL","budget":1e3"#),
        (Some("1000".into()), Some(BudgetPeriod::Lifetime))
    );
    assert_eq!(budget(r#""budget_mode":"BUDGET_MODE_INFINITE","budget":0.0"#), (None, None));
    assert_eq!(budget(r#""budget_mode":null"#), (None, None));
}

#[test]
fn a_wrong_amount_keeps_its_period_and_an_unknown_mode_is_no_budget() {
    for amount in ["1e400", "0.12345678901234567890123456789012", "null"] {
        let campaign = read(&format!(r#""budget_mode":"BUDGET_MODE_DAY","budget":{amount}"#));
        assert_eq!((campaign.budget_amount, campaign.budget_period), (None, Some(BudgetPeriod::Daily)), "{amount}");
    }
    assert_eq!(read(r#""budget_mode":"BUDGET_MODE_NEW","budget":5"#).budget_amount, None);
}

#[test]
fn objectives_without_a_goal_are_none() {
    for (objective, expected) in [
        ("RF_REACH", Some(Goal::Reach)),
        ("VIDEO_VIEWS", Some(Goal::BrandAwareness)),
        ("WEB_CONVERSIONS", Some(Goal::Conversions)),
        ("PRODUCT_SALES", Some(Goal::Sales)),
        ("LEAD_GENERATION", Some(Goal::Leads)),
        ("APP_PROMOTION", Some(Goal::AppPromotion)),
        ("APP_INSTALL", Some(Goal::AppPromotion)),
        ("CONVERSIONS", Some(Goal::Sales)),
        ("CATALOG_SALES", Some(Goal::Sales)),
        ("ENGAGEMENT", None),
        ("SOMETHING_NEW", None),
    ] {
        assert_eq!(read(&format!(r#""objective_type":"{objective}""#)).goal, expected, "{objective}");
    }
}
