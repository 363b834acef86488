//! Tests of changes.

mod dates;

use super::super::tests::{account, amount};
use super::*;
use serde_json::{Value, json};

const DAILY: &str = include_str!("../../../fixtures/row-daily.json");
const TOTAL: &str = include_str!("../../../fixtures/row-total.json");
const SHARED: &str = include_str!("../../../fixtures/row-shared-budget.json");

/// The time of these changes.
const NOW: &str = "2026-11-20T12:00:00Z";

fn edit(account: &AdAccount, current: &PlatformCampaign, changes: &CampaignChanges) -> Result<Edit, Error> {
    super::edit(account, current, changes, NOW.parse().unwrap())
}

fn current(row: &str) -> PlatformCampaign {
    crate::platforms::alpha::translate::campaign(&account(), row).unwrap()
}

fn sent(edit: &Edit) -> (Value, Value) {
    (serde_json::to_value(&edit.campaign).unwrap(), serde_json::to_value(&edit.budget).unwrap())
}

fn refused(row: &str, changes: &CampaignChanges) -> Error {
    edit(&account(), &current(row), changes).unwrap_err()
}

#[test]
fn a_new_name_and_state_are_one_operation_on_the_campaign() {
    let changes = CampaignChanges {
        name: Some("New".into()),
        status: Some(CampaignStatus::Paused),
        ..CampaignChanges::default()
    };
    let (campaign, budget) = sent(&edit(&account(), &current(DAILY), &changes).unwrap());
    let name = "customers/1234567890/campaigns/21234567890";
    let update = json!({"resourceName": name, "name": "New", "status": "PAUSED"});
    assert_eq!(campaign, json!({"update": update, "updateMask": "name,status"}));
    assert_eq!(budget, Value::Null);
}

#[test]
fn a_new_amount_goes_to_the_budget_in_the_field_of_its_period() {
    let changes = CampaignChanges { budget_amount: Some(amount("20.25")), ..CampaignChanges::default() };
    let (campaign, budget) = sent(&edit(&account(), &current(DAILY), &changes).unwrap());
    let update = json!({"resourceName": "customers/1234567890/campaignBudgets/13579", "amountMicros": "20250000"});
    assert_eq!((campaign, budget), (Value::Null, json!({"update": update, "updateMask": "amount_micros"})));
    let (_, budget) = sent(&edit(&account(), &current(TOTAL), &changes).unwrap());
    let update = json!({"resourceName": "customers/1234567890/campaignBudgets/13580", "totalAmountMicros": "20250000"});
    assert_eq!(budget, json!({"update": update, "updateMask": "total_amount_micros"}));
}

#[test]
fn a_name_and_an_amount_are_changed_together() {
    let changes =
        CampaignChanges { name: Some("New".into()), budget_amount: Some(amount("2")), ..CampaignChanges::default() };
    let edit = edit(&account(), &current(DAILY), &changes).unwrap();
    assert!(edit.campaign.is_some() && edit.budget.is_some());
    let (campaign, budget) = sent(&edit);
    assert_eq!((&campaign["updateMask"], &budget["updateMask"]), (&json!("name"), &json!("amount_micros")));
}

#[test]
fn a_budget_that_is_shared_is_not_changed_through_one_campaign() {
    let changes = CampaignChanges { budget_amount: Some(amount("20")), ..CampaignChanges::default() };
    let error = refused(SHARED, &changes);
    assert_eq!(error.kind, Kind::Conflict);
    assert!(error.message.contains("shared by 3 campaigns"), "{}", error.message);
    let renamed = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    assert!(edit(&account(), &current(SHARED), &renamed).is_ok(), "its name is its own");
}

#[test]
fn a_budget_that_cannot_be_told_is_not_changed() {
    let changes = CampaignChanges { budget_amount: Some(amount("20")), ..CampaignChanges::default() };
    let other_period = DAILY.replace("DAILY", "FIXED_DAILY");
    let other_account = DAILY.replace("customers/1234567890/campaignBudgets", "customers/99/campaignBudgets");
    let unclear = DAILY.replace("\"explicitlyShared\": false", "\"explicitlyShared\": \"maybe\"");
    for row in [r#"{"campaign":{"id":"1"}}"#, &other_period, &other_account, &unclear] {
        assert_eq!(refused(row, &changes).kind, Kind::PlatformFailed, "{row}");
    }
}

#[test]
fn a_removal_goes_alone() {
    let removal = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
    let operation = json!({"remove": "customers/1234567890/campaigns/21234567890"});
    assert_eq!(sent(&edit(&account(), &current(DAILY), &removal).unwrap()).0, operation);
    let both = CampaignChanges { name: Some("New".into()), ..removal };
    assert_eq!(refused(DAILY, &both).details[0].field, "status");
}

fn after(row: &str, changes: &CampaignChanges, results: &str, now: &str) -> Option<PlatformCampaign> {
    let current = current(row);
    let edit = edit(&account(), &current, changes).unwrap();
    let results: Vec<wire::MutateResult> = serde_json::from_str(results).unwrap();
    answered(&account(), &current, changes, &edit, &results, now.parse().unwrap()).unwrap()
}

const NAMES_ALONE: &str = r#"[{"resourceName":"customers/1234567890/campaigns/21234567890"}]"#;

#[test]
fn the_raw_object_follows_what_came_back() {
    let changes = CampaignChanges {
        name: Some("New".into()),
        status: Some(CampaignStatus::Paused),
        budget_amount: Some(amount("20")),
        ..CampaignChanges::default()
    };
    let returned = r#"[
        {"resourceName":"b","campaignBudget":{"amountMicros":"20000000","deliveryMethod":"STANDARD"}},
        {"resourceName":"c","campaign":{"name":"New","status":"PAUSED","optimizationScore":0.12345678901234567890}}
    ]"#;
    let limited = DAILY.replace("\"ELIGIBLE\"", r#""LIMITED", "primaryStatusReasons": ["BUDGET_CONSTRAINED"]"#);
    let campaign = after(&limited, &changes, returned, "2026-11-20T00:00:00Z").unwrap();
    assert_eq!((campaign.name.as_str(), campaign.status), ("New", CampaignStatus::Paused));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("20")), Some(BudgetPeriod::Daily)));
    assert!(campaign.raw.contains("0.12345678901234567890"), "numbers are kept digit by digit");
    let read_again = current(&campaign.raw);
    assert_eq!(read_again, PlatformCampaign { raw: read_again.raw.clone(), ..campaign.clone() });
    let raw: Value = serde_json::from_str(&campaign.raw).unwrap();
    assert_eq!(raw["campaignBudget"]["deliveryMethod"], "STANDARD");
    for stale in ["primaryStatus", "primaryStatusReasons"] {
        assert_eq!(raw["campaign"].get(stale), None, "it may have moved with the switch");
    }
    assert_eq!(campaign.signals.holds, [], "nothing stale is held against it");
    assert_eq!(raw["metrics"]["costMicros"], "1234567890", "the rest stays");
}

#[test]
fn a_result_without_the_resource_shows_nothing() {
    let both =
        CampaignChanges { name: Some("New".into()), budget_amount: Some(amount("20")), ..CampaignChanges::default() };
    let removal = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
    let one = r#"[{"resourceName":"c","campaign":{"name":"New"}},{"resourceName":"b"}]"#;
    for (changes, results) in [(&both, NAMES_ALONE), (&both, one), (&removal, NAMES_ALONE)] {
        assert_eq!(after(DAILY, changes, results, "2026-11-20T00:00:00Z"), None, "{results}");
    }
}

#[test]
fn what_came_back_counts_and_not_what_was_sent() {
    let changes = CampaignChanges {
        status: Some(CampaignStatus::Paused),
        budget_amount: Some(amount("20")),
        ..CampaignChanges::default()
    };
    let unchanged = r#"[
        {"resourceName":"b","campaignBudget":{"amountMicros":"10000000"}},
        {"resourceName":"c","campaign":{"status":"ENABLED"}}
    ]"#;
    let campaign = after(DAILY, &changes, unchanged, "2026-11-20T00:00:00Z").unwrap();
    assert_eq!((campaign.status, campaign.budget_amount), (CampaignStatus::Active, Some(amount("10"))));
}

#[test]
fn switching_on_a_campaign_that_is_over_reads_as_ended() {
    let paused = TOTAL.replace("ENABLED", "PAUSED");
    let changes = CampaignChanges { status: Some(CampaignStatus::Active), ..CampaignChanges::default() };
    let on = r#"[{"resourceName":"c","campaign":{"status":"ENABLED","endDateTime":"2026-07-31 23:59:59"}}]"#;
    let status = |now| after(&paused, &changes, on, now).unwrap().status;
    assert_eq!(status("2026-07-31T21:59:59Z"), CampaignStatus::Active);
    assert_eq!(status("2026-08-01T00:00:00Z"), CampaignStatus::Ended);
}
