use super::super::tests::{DAILY, LIFETIME, account, decimal};
use super::*;
use crate::domain::BudgetPeriod;
use serde_json::{Value, json};

fn current(raw: &str) -> PlatformCampaign {
    super::super::campaign(&account(), raw).unwrap().unwrap()
}

fn sent(raw: &str, changes: &CampaignChanges) -> Value {
    let fields = fields(&current(raw), changes).unwrap();
    serde_json::to_value(wire::PartialUpdate { patch: wire::Patch { set: &fields } }).unwrap()
}

fn amount(text: &str) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(decimal(text)), ..CampaignChanges::default() }
}

fn status(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges { status: Some(status), ..CampaignChanges::default() }
}

#[test]
fn all_changes_go_into_one_set() {
    let changes = CampaignChanges { name: Some("New".into()), status: Some(CampaignStatus::Active), ..amount("20") };
    let expected = json!({"patch": {"$set": {
        "name": "New", "status": "ACTIVE", "dailyBudget": {"amount": "20.00", "currencyCode": "USD"},
    }}});
    assert_eq!(sent(DAILY, &changes), expected);
    let total = json!({"patch": {"$set": {"totalBudget": {"amount": "150.25", "currencyCode": "USD"}}}});
    assert_eq!(sent(LIFETIME, &amount("150.25")), total);
}

#[test]
fn every_writable_status_has_a_name_and_the_others_are_unsupported() {
    let names = ["ACTIVE", "PAUSED", "ARCHIVED", "PENDING_DELETION"];
    for (target, name) in crate::platforms::delta::CAPABILITIES.writable_statuses.iter().zip(names) {
        assert_eq!(sent(DAILY, &status(*target)), json!({"patch": {"$set": {"status": name}}}));
    }
    for target in [CampaignStatus::Ended, CampaignStatus::Draft, CampaignStatus::Unspecified] {
        assert_eq!(fields(&current(DAILY), &status(target)).unwrap_err().kind, Kind::NotSupported, "{target:?}");
    }
}

#[test]
fn a_change_of_the_period_is_not_supported() {
    let changes = CampaignChanges { budget_period: Some(BudgetPeriod::Total), ..amount("200") };
    let error = fields(&current(DAILY), &changes).unwrap_err();
    assert_eq!((error.kind, error.platform), (Kind::NotSupported, Some(Platform::Delta)));
}

#[test]
fn an_amount_is_held_to_the_minimum_of_the_period_that_the_campaign_has() {
    for (raw, low) in [(DAILY, "9.99"), (LIFETIME, "99.99"), (DAILY, "10.001"), (DAILY, "0")] {
        let error = fields(&current(raw), &amount(low)).unwrap_err();
        assert_eq!(error.details[0].field, "budget_amount", "{low}");
    }
    let error = fields(&current(r#"{"id":1}"#), &amount("20")).unwrap_err();
    assert_eq!(error.kind, Kind::Conflict, "the group has the budget");
}

#[test]
fn a_changed_campaign_shows_what_was_sent_and_nothing_stale() {
    let current = PlatformCampaign { total_spend_amount: Some(decimal("3.21")), ..current(DAILY) };
    let changes = CampaignChanges { status: Some(CampaignStatus::Active), ..amount("20") };
    let fields = fields(&current, &changes).unwrap();
    let changed = applied(&current, &changes, &fields).unwrap();
    assert_eq!((changed.status, changed.budget_amount), (CampaignStatus::Active, Some(decimal("20"))));
    assert_eq!((&changed.name, changed.total_spend_amount), (&current.name, Some(decimal("3.21"))));
    let raw: Value = serde_json::from_str(&changed.raw).unwrap();
    assert_eq!((&raw["status"], &raw["dailyBudget"]["amount"]), (&json!("ACTIVE"), &json!("20.00")));
    assert_eq!((raw.get("servingStatuses"), raw.get("version")), (None, None));
    assert_eq!(raw["objectiveType"], "WEBSITE_VISIT");
    let read = super::super::campaign(&account(), &changed.raw).unwrap().unwrap();
    assert_eq!((read.status, read.budget_amount), (changed.status, changed.budget_amount));
}
