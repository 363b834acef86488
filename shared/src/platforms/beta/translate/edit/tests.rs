use super::super::tests::{DAILY, LIFETIME, OF_AD_SETS, account, read};
use super::*;
use serde_json::Value;
use serde_json::json;

fn name() -> CampaignChanges {
    CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() }
}

fn status(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges { status: Some(status), ..CampaignChanges::default() }
}

fn amount(amount: &str) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(Decimal::from_str_exact(amount).unwrap()), ..CampaignChanges::default() }
}

fn sent(node: &str, changes: &CampaignChanges) -> Value {
    serde_json::to_value(parameters(&account("USD"), &read(node, "USD"), changes).unwrap()).unwrap()
}

fn refused(node: &str, changes: &CampaignChanges, currency: &str) -> (Kind, Option<String>) {
    let error = parameters(&account(currency), &read(node, currency), changes).unwrap_err();
    assert!(!error.retryable || error.kind == Kind::Internal);
    (error.kind, error.details.first().map(|detail| detail.field.clone()))
}

#[test]
fn only_what_changes_is_sent() {
    assert_eq!(sent(DAILY, &name()), json!({"name": "New"}));
    assert_eq!(sent(DAILY, &amount("20")), json!({"daily_budget": 2_000}));
    assert_eq!(sent(LIFETIME, &amount("20.05")), json!({"lifetime_budget": 2_005}));
    assert_eq!(sent(DAILY, &status(CampaignStatus::Active)), json!({"status": "ACTIVE"}));
    let all = CampaignChanges { status: Some(CampaignStatus::Paused), ..name() };
    assert_eq!(sent(LIFETIME, &all), json!({"name": "New", "status": "PAUSED"}));
}

#[test]
fn archived_is_metas_own_archive_and_goes_alone() {
    assert_eq!(sent(DAILY, &status(CampaignStatus::Archived)), json!({"status": "ARCHIVED"}));
    let both = CampaignChanges { status: Some(CampaignStatus::Archived), ..name() };
    assert_eq!(refused(DAILY, &both, "USD"), (Kind::Validation, Some("status".into())));
}

#[test]
fn an_unsupported_change_is_rejected_before_a_call() {
    assert_eq!(refused(OF_AD_SETS, &amount("20"), "USD"), (Kind::Conflict, None));
    assert_eq!(refused(DAILY, &amount("10.50"), "COP"), (Kind::Validation, Some("budget_amount".into())));
    assert_eq!(refused(DAILY, &amount("1.005"), "KWD"), (Kind::Validation, Some("budget_amount".into())));
    let long = CampaignChanges { name: Some("n".repeat(256)), ..CampaignChanges::default() };
    assert_eq!(refused(DAILY, &long, "USD"), (Kind::Validation, Some("name".into())));
}
