use super::*;
use crate::domain::{DeliveryReason, Effect};
use crate::platforms::fixtures;

/// A dollar account.
pub(in crate::platforms::delta) fn account() -> AdAccount {
    fixtures::account(Platform::Delta, "USD", "UTC")
}

/// An amount.
pub(in crate::platforms::delta) fn decimal(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

pub(in crate::platforms::delta) const DAILY: &str = include_str!("../fixtures/campaign-daily.json");
pub(in crate::platforms::delta) const LIFETIME: &str = include_str!("../fixtures/campaign-lifetime.json");

fn read(raw: &str) -> PlatformCampaign {
    campaign(&account(), raw).unwrap().unwrap()
}

#[test]
fn a_campaign_with_a_daily_budget_is_read_whole() {
    let campaign = read(DAILY);
    assert_eq!(campaign.id.to_string(), "delta_512345678_141234567");
    assert_eq!((campaign.account_id.as_str(), campaign.remote_id.as_str()), ("512345678", "141234567"));
    assert_eq!(campaign.name, "Spring sale \u{2014} Zürich");
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Paused, Some(Goal::WebsiteTraffic)));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(decimal("12.5")), Some(BudgetPeriod::Daily)));
    assert_eq!(campaign.start_at, Some("2025-12-02T00:00:00Z".parse().unwrap()));
    assert_eq!(campaign.end_at, None);
    assert_eq!(campaign.created_at, Some("2025-12-01T12:00:00.123Z".parse().unwrap()), "to the millisecond");
    assert_eq!(campaign.updated_at, Some("2025-12-01T13:00:00Z".parse().unwrap()));
    assert_eq!(campaign.total_spend_amount, None, "the report says it");
    assert_eq!(campaign.raw, DAILY, "the object is handed on as received");
}

#[test]
fn a_total_budget_alone_is_a_lifetime_budget_and_both_are_a_daily_one() {
    let campaign = read(LIFETIME);
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(decimal("500")), Some(BudgetPeriod::Lifetime)));
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Active, Some(Goal::BrandAwareness)));
    assert_eq!(campaign.end_at, Some("2025-12-31T23:59:59Z".parse().unwrap()));
    let both = read(
        r#"{"id":1,"dailyBudget":{"amount":"10","currencyCode":"EUR"},"totalBudget":{"amount":"99","currencyCode":"EUR"}}"#,
    );
    assert_eq!((both.budget_amount, both.budget_period), (Some(decimal("10")), Some(BudgetPeriod::Daily)));
    assert_eq!(both.currency.code(), "EUR");
}

#[test]
fn the_status_is_the_advertisers_switch_and_removed_is_not_found() {
    let cases = [
        ("ACTIVE", CampaignStatus::Active),
        ("PAUSED", CampaignStatus::Paused),
        ("DRAFT", CampaignStatus::Draft),
        ("ARCHIVED", CampaignStatus::Archived),
        ("COMPLETED", CampaignStatus::Ended),
        ("CANCELED", CampaignStatus::Archived),
        ("PENDING_DELETION", CampaignStatus::ScheduledForDeletion),
        ("SOMETHING_NEW", CampaignStatus::Unspecified),
    ];
    for (name, expected) in cases {
        let raw = format!(r#"{{"id":1,"status":"{name}","servingStatuses":["STOPPED"]}}"#);
        assert_eq!(read(&raw).status, expected, "{name}");
    }
    assert_eq!(campaign(&account(), r#"{"id":1,"status":"REMOVED"}"#).unwrap(), None);
    assert_eq!(campaign(&account(), r#"{"id":1,"account":"urn:li:sponsoredAccount:9"}"#).unwrap(), None);
}

#[test]
fn what_holds_back_a_campaign_is_a_signal() {
    let holds = |raw: &str| read(raw).signals.holds;
    let both = holds(r#"{"id":1,"status":"ACTIVE","servingStatuses":["CAMPAIGN_AUDIENCE_COUNT_HOLD","STOPPED"]}"#);
    let seen: Vec<_> = both.iter().map(|hold| (hold.effect, hold.reason)).collect();
    assert_eq!(seen, [(Effect::Blocks, DeliveryReason::Targeting), (Effect::Blocks, DeliveryReason::Other)]);
    let paused = holds(r#"{"id":1,"status":"PAUSED","servingStatuses":["STOPPED"]}"#);
    assert_eq!((paused[0].effect, paused[0].reason), (Effect::SwitchesOff, DeliveryReason::CampaignStatus));
    for silent in [r#"["RUNNABLE"]"#, "[]", "null", r#""RUNNABLE""#, "[1]"] {
        assert!(holds(&format!(r#"{{"id":1,"status":"ACTIVE","servingStatuses":{silent}}}"#)).is_empty(), "{silent}");
    }
}

#[test]
fn a_set_of_states_has_the_platforms_names() {
    let names = |statuses: &[CampaignStatus]| platform_statuses(StatusSet::of(statuses));
    assert_eq!(names(&[CampaignStatus::Archived]), ["ARCHIVED", "CANCELED"]);
    assert_eq!(names(&[CampaignStatus::ScheduledForDeletion]), ["PENDING_DELETION"]);
    assert_eq!(platform_statuses(StatusSet::not_final()), ["ACTIVE", "PAUSED", "DRAFT", "COMPLETED"]);
    assert_eq!(names(&[CampaignStatus::Ended]), ["COMPLETED"]);
    assert!(names(&[CampaignStatus::Unspecified]).is_empty(), "no campaign has such a state");
}

#[test]
fn every_objective_that_has_a_goal_reads_as_it() {
    let cases = [
        ("BRAND_AWARENESS", Some(Goal::BrandAwareness)),
        ("WEBSITE_VISIT", Some(Goal::WebsiteTraffic)),
        ("LEAD_GENERATION", Some(Goal::Leads)),
        ("WEBSITE_CONVERSION", Some(Goal::Sales)),
        ("ENGAGEMENT", None),
        ("VIDEO_VIEW", None),
        ("JOB_APPLICANT", None),
        ("TALENT_LEAD", None),
    ];
    for (objective, expected) in cases {
        assert_eq!(read(&format!(r#"{{"id":1,"objectiveType":"{objective}"}}"#)).goal, expected, "{objective}");
    }
    let bare = read(r#"{"id":1}"#);
    assert_eq!((bare.goal, bare.budget_amount, bare.budget_period, bare.start_at), (None, None, None, None));
}

#[test]
fn a_wrong_amount_reads_as_no_budget_and_never_as_another() {
    let budget = |money: &str| {
        let campaign = read(&format!(r#"{{"id":1,"dailyBudget":{money}}}"#));
        (campaign.budget_amount.map(|amount| amount.to_string()), campaign.budget_period)
    };
    let daily = Some(BudgetPeriod::Daily);
    for money in [
        r#"{"amount":"5","currencyCode":"XAU"}"#,
        r#"{"amount":"5","currencyCode":"dollars"}"#,
        r#"{"currencyCode":"USD"}"#,
        r#""5""#,
        "5",
    ] {
        assert_eq!(budget(money), (None, daily), "{money}");
    }
    assert_eq!(budget(r#"{"amount":10.5,"currencyCode":"USD"}"#), (Some("10.5".into()), daily), "a number is exact");
    assert_eq!(budget(r#"{"amount":"10.50"}"#), (Some("10.5".into()), daily), "in the account's currency");
    assert_eq!(budget("null"), (None, None));
}

#[test]
fn a_campaign_is_read_without_the_optional_fields_that_are_malformed() {
    for raw in [
        r#"{"id":"1","name":null,"status":null,"objectiveType":null,"account":null}"#,
        r#"{"id":1,"runSchedule":null,"changeAuditStamps":null,"totalBudget":null}"#,
        r#"{"id":1,"runSchedule":{"start":1764633600000.5}}"#,
        r#"{"id":1,"runSchedule":{"start":9223372036854775807,"end":null}}"#,
        r#"{"id":1,"runSchedule":"soon","changeAuditStamps":[]}"#,
        r#"{"id":1,"changeAuditStamps":{"created":{},"lastModified":{"time":"soon"}}}"#,
    ] {
        let campaign = read(raw);
        assert_eq!(campaign.remote_id, "1", "{raw}");
        assert_eq!((campaign.start_at, campaign.end_at), (None, None), "{raw}");
        assert_eq!((campaign.created_at, campaign.updated_at), (None, None), "{raw}");
    }
    let text = read(r#"{"id":"1","runSchedule":{"start":"1764633600000"}}"#);
    assert_eq!(text.start_at, Some("2025-12-02T00:00:00Z".parse().unwrap()));
}

#[test]
fn an_amount_is_a_decimal_string_with_all_decimals_of_its_currency() {
    let written = |amount: &str, code: &str| {
        let money = money(decimal(amount), None, Currency::from_code(code).unwrap());
        money.map(|money| (money.amount, money.currency_code)).map_err(|error| error.field)
    };
    let cases = [("100", "USD", "100.00"), ("12.5", "USD", "12.50"), ("50.0", "JPY", "50"), ("1.234", "KWD", "1.234")];
    for (amount, code, expected) in cases {
        assert_eq!(written(amount, code), Ok((expected.to_owned(), code.to_owned())), "{amount} {code}");
    }
    let refused =
        [("1.005", "USD"), ("0.5", "JPY"), ("0", "USD"), ("-1", "USD"), ("9999999999999999999999999999", "USD")];
    for (amount, code) in refused {
        assert_eq!(written(amount, code), Err("budget_amount".to_owned()), "{amount} {code}");
    }
}
