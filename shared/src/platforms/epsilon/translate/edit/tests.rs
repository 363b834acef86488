use super::super::tests::{DAILY, LIFETIME, WITHOUT_BUDGET, account, amount, at, read};
use super::*;
use serde_json::{Value, json};

/// The daily campaign with an end.
fn ending() -> String {
    DAILY.replace("\"end_time\":null", "\"end_time\":1798761599")
}

fn sent(raw: &str, changes: &CampaignChanges) -> Value {
    serde_json::to_value(update(&account(), &read(raw), changes, at("2026-11-20T00:00:00Z")).unwrap()).unwrap()
}

fn refused(raw: &str, changes: &CampaignChanges) -> Error {
    let (account, current) = (account(), read(raw));
    let error = update(&account, &current, changes, at("2026-11-20T00:00:00Z")).unwrap_err();
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
        assert!(error.details[0].rule.to_string().contains("has no end"), "{}", error.details[0].rule);
    }
    let endless = LIFETIME.replace("\"end_time\":1785542399", "\"end_time\":null");
    assert_eq!(sent(&endless, &period_of(BudgetPeriod::Total))["lifetime_spend_cap"], 500_000_000, "no switch");
    assert_eq!(sent(&endless, &period_of(BudgetPeriod::Daily))["daily_spend_cap"], 500_000_000);
}

fn ends(at: Option<&str>) -> CampaignChanges {
    CampaignChanges { end_at: Some(change_to(at)), ..CampaignChanges::default() }
}

fn starts(at: Option<&str>) -> CampaignChanges {
    CampaignChanges { start_at: Some(change_to(at)), ..CampaignChanges::default() }
}

fn change_to(date: Option<&str>) -> DateChange {
    date.map_or(DateChange::Clear, |date| DateChange::Set(at(date)))
}

#[test]
fn only_the_changed_dates_are_sent_in_seconds() {
    let ids = |mut sent: Value| {
        sent.as_object_mut().unwrap().retain(|name, _| name != "id" && name != "ad_account_id");
        sent
    };
    let end = ends(Some("2027-01-31T22:59:59Z"));
    assert_eq!(ids(sent(DAILY, &end)), json!({"end_time": 1_801_436_399}));
    assert_eq!(ids(sent(LIFETIME, &end)), json!({"end_time": 1_801_436_399}));
    let start = CampaignChanges { budget_amount: Some(amount("20")), ..starts(Some("2026-12-24T00:00:00Z")) };
    assert_eq!(ids(sent(&ending(), &start)), json!({"start_time": 1_798_070_400, "daily_spend_cap": 20_000_000}));
}

#[test]
fn no_end_is_written_as_minus_one_and_needs_a_daily_budget() {
    assert_eq!(sent(&ending(), &ends(None))["end_time"], -1);
    for (raw, changes) in [
        (LIFETIME.to_owned(), ends(None)),
        (ending(), CampaignChanges { end_at: Some(DateChange::Clear), ..period_of(BudgetPeriod::Total) }),
    ] {
        let error = refused(&raw, &changes);
        assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "end_at"));
        assert!(error.details[0].rule.to_string().contains("is required with a"), "{}", error.details[0].rule);
    }
    let to_daily = CampaignChanges { end_at: Some(DateChange::Clear), ..period_of(BudgetPeriod::Daily) };
    assert_eq!(sent(LIFETIME, &to_daily)["end_time"], -1, "together with the change to a daily budget");
}

#[test]
fn a_change_to_a_whole_run_takes_the_end_of_the_same_request() {
    let end = Some(change_to(Some("2027-01-31T22:59:59Z")));
    let changes = CampaignChanges { end_at: end, ..period_of(BudgetPeriod::Lifetime) };
    assert_eq!(sent(DAILY, &changes)["end_time"], 1_801_436_399, "the campaign had none");
    assert_eq!(sent(&ending(), &changes)["end_time"], 1_801_436_399, "not the one that it had");
}

#[test]
fn dates_that_no_campaign_can_have_are_refused_by_name() {
    let both =
        CampaignChanges { end_at: ends(Some("2027-01-01T00:00:00Z")).end_at, ..starts(Some("2027-01-01T00:00:00Z")) };
    for (raw, changes, field) in [
        (ending(), starts(None), "start_at"),
        (ending(), starts(Some("2030-01-01T00:00:00Z")), "start_at"),
        (ending(), starts(Some("1969-01-01T00:00:00Z")), "start_at"),
        (ending(), ends(Some("2001-01-01T00:00:00Z")), "end_at"),
        (DAILY.to_owned(), ends(Some("1970-01-01T00:00:00Z")), "end_at"),
        (DAILY.to_owned(), both, "end_at"),
    ] {
        let error = refused(&raw, &changes);
        let fields: Vec<&str> = error.details.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!((error.kind, fields.as_slice()), (Kind::Validation, [field].as_slice()), "{changes:?}");
    }
}

#[test]
fn a_campaign_whose_end_moves_ahead_is_on_again() {
    let ended = ending().replace("PAUSED", "ACTIVE").replace("1798761599", "1790000000");
    let current = read(&ended);
    let now = at("2026-11-20T00:00:00Z");
    let later = RawValue::from_string(ended.trim().replace("1790000000", "1801436399")).unwrap();
    let changed = answered(&account(), &current, &later, now).unwrap();
    assert_eq!((changed.status, changed.end_at), (CampaignStatus::Active, Some(at("2027-01-31T22:59:59Z"))));
    let endless = RawValue::from_string(ended.trim().replace("1790000000", "-1")).unwrap();
    let changed = answered(&account(), &current, &endless, now).unwrap();
    assert_eq!((changed.status, changed.end_at), (CampaignStatus::Active, None));
    let still = RawValue::from_string(ended.trim().to_owned()).unwrap();
    assert_eq!(answered(&account(), &current, &still, now).unwrap().status, CampaignStatus::Ended);
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
fn an_amount_that_is_too_large_in_micros_is_refused() {
    let error = refused(DAILY, &amount_of("9300000000000"));
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "budget_amount"));
}

#[test]
fn a_changed_campaign_is_what_came_back_and_keeps_what_it_has_spent() {
    let current = PlatformCampaign { total_spend_amount: Some(amount("3")), ..read(DAILY) };
    let data = RawValue::from_string(DAILY.trim().replace("Spring", "Autumn")).unwrap();
    let now = at("2026-11-20T00:00:00Z");
    let changed = answered(&account(), &current, &data, now).unwrap();
    assert!(changed.name.starts_with("Autumn"));
    assert_eq!(changed.total_spend_amount, Some(amount("3")));
    let other = RawValue::from_string(LIFETIME.trim().to_owned()).unwrap();
    assert_eq!(answered(&account(), &current, &other, now).unwrap_err().kind, Kind::PlatformFailed);
}
