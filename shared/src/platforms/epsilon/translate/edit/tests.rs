use super::super::tests::{DAILY, LIFETIME, WITHOUT_BUDGET, account, amount, at, read};
use super::*;
use serde_json::{Value, json};

/// The daily campaign with an end.
fn ending() -> String {
    DAILY.replace("\"end_time\":null", "\"end_time\":1798761599")
}

fn sent(raw: &str, changes: &CampaignChanges) -> Value {
    serde_json::to_value(update(&account(), &read(raw), changes).unwrap()).unwrap()
}

fn refused(raw: &str, changes: &CampaignChanges) -> Error {
    let (account, current) = (account(), read(raw));
    let error = update(&account, &current, changes).unwrap_err();
    assert_eq!(error.platform, Some(Platform::Epsilon));
    error
}

fn amount_of(text: &str) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(amount(text)), ..CampaignChanges::default() }
}

fn period_of(period: BudgetPeriod) -> CampaignChanges {
    CampaignChanges { budget_period: Some(period), ..CampaignChanges::default() }
}

#[test]
fn all_changes_are_one_object_that_names_nothing_else() {
    let changes =
        CampaignChanges { name: Some("New".into()), status: Some(CampaignStatus::Paused), ..amount_of("20.25") };
    let expected = json!({"id": "626744528398", "ad_account_id": "549755885175", "name": "New", "status": "PAUSED",
        "daily_spend_cap": 20_250_000});
    assert_eq!(sent(DAILY, &changes), expected);
    let expected = json!({"id": "626744528399", "ad_account_id": "549755885175", "lifetime_spend_cap": 20_250_000});
    assert_eq!(sent(LIFETIME, &amount_of("20.25")), expected);
}

#[test]
fn a_change_of_the_period_sets_one_cap_and_takes_the_other_away() {
    let to_lifetime =
        sent(&ending(), &CampaignChanges { budget_amount: Some(amount("300")), ..period_of(BudgetPeriod::Total) });
    assert_eq!(to_lifetime["lifetime_spend_cap"], 300_000_000);
    assert_eq!(to_lifetime["end_time"], 1_798_761_599, "the end that the campaign has");
    assert!(to_lifetime.as_object().unwrap().get("daily_spend_cap").is_some_and(Value::is_null), "null is sent");
    let to_daily = sent(LIFETIME, &period_of(BudgetPeriod::Daily));
    assert_eq!(to_daily["daily_spend_cap"], 500_000_000, "the amount stays");
    assert_eq!(to_daily.get("end_time"), None);
    assert!(to_daily.as_object().unwrap().get("lifetime_spend_cap").is_some_and(Value::is_null), "null is sent");
    assert_eq!(refused(DAILY, &period_of(BudgetPeriod::Monthly)).kind, Kind::NotSupported);
}

#[test]
fn a_campaign_without_an_end_cannot_change_to_a_whole_run() {
    for period in [BudgetPeriod::Lifetime, BudgetPeriod::Total] {
        let error = refused(DAILY, &period_of(period));
        assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "budget_period"));
        assert!(error.details[0].message.contains("has no end"), "{}", error.details[0].message);
    }
    let endless = LIFETIME.replace("\"end_time\":1785542399", "\"end_time\":null");
    assert_eq!(sent(&endless, &period_of(BudgetPeriod::Total))["lifetime_spend_cap"], 500_000_000, "no switch");
    assert_eq!(sent(&endless, &period_of(BudgetPeriod::Daily))["daily_spend_cap"], 500_000_000);
}

#[test]
fn only_the_states_of_the_switch_and_the_archive_are_written() {
    let (account, current) = (account(), read(DAILY));
    for status in CampaignStatus::ALL {
        let changes = CampaignChanges { status: Some(status), ..CampaignChanges::default() };
        let written = update(&account, &current, &changes).map(|update| update.status);
        match status {
            CampaignStatus::Active => assert_eq!(written.unwrap(), Some("ACTIVE")),
            CampaignStatus::Paused => assert_eq!(written.unwrap(), Some("PAUSED")),
            CampaignStatus::Archived => assert_eq!(written.unwrap(), Some("ARCHIVED")),
            _ => assert_eq!(written.unwrap_err().kind, Kind::NotSupported, "{status:?}"),
        }
    }
}

#[test]
fn deleting_archives_because_there_is_no_delete_operation() {
    let expected = json!({"id": "626744528398", "ad_account_id": "549755885175", "status": "ARCHIVED"});
    let archived = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
    assert_eq!(sent(DAILY, &archived), expected);
    assert_eq!(CAPABILITIES.deletion, crate::platforms::capabilities::Deletion::Archives);
}

#[test]
fn a_campaign_without_a_budget_of_its_own_is_not_given_one() {
    for changes in [amount_of("20"), period_of(BudgetPeriod::Daily)] {
        let error = refused(WITHOUT_BUDGET, &changes);
        assert_eq!(error.kind, Kind::Conflict);
        assert!(error.message.contains("ad groups"), "{error}");
    }
    let renamed = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    assert_eq!(sent(WITHOUT_BUDGET, &renamed)["name"], "New");
}

#[test]
fn an_amount_is_checked_as_for_a_new_campaign() {
    for text in ["0", "-1", "1.005", "9300000000000"] {
        let error = refused(DAILY, &amount_of(text));
        assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "budget_amount"), "{text}");
    }
}

#[test]
fn a_changed_campaign_is_what_came_back_and_keeps_what_it_has_spent() {
    let current = PlatformCampaign { total_spend_amount: Some(amount("3")), ..read(DAILY) };
    let data = RawValue::from_string(DAILY.trim().replace("Spring", "Autumn")).unwrap();
    let now = at("2026-11-20T00:00:00Z");
    let changed = applied(&account(), &current, &data, now).unwrap();
    assert!(changed.name.starts_with("Autumn"));
    assert_eq!(changed.total_spend_amount, Some(amount("3")));
    let other = RawValue::from_string(LIFETIME.trim().to_owned()).unwrap();
    assert_eq!(applied(&account(), &current, &other, now).unwrap_err().kind, Kind::PlatformFailed);
}
