//! Updates and removals of campaigns.

use super::*;
use serde_json::json;

const UPDATE: &str = "mutate_operations[0].campaign_operation.update";

fn update(campaign: &str, changes: Value, mask: &str) -> Value {
    let update = with(json!({ "resourceName": campaign }), changes);
    json!([{ "campaignOperation": { "update": update, "updateMask": mask } }])
}

fn at(field: &str) -> String {
    format!("{UPDATE}.{field}")
}

#[test]
fn a_field_outside_the_mask_is_ignored() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let changes = json!({ "status": "ENABLED", "name": "Ignored" });
    session.mutate_ok(USD, update(&campaign, changes, "status"));
    assert_eq!(session.field(&campaign, "campaign.status"), "ENABLED");
    assert_eq!(session.field(&campaign, "campaign.name"), "Winter sale");
}

#[test]
fn a_rename_also_renames_the_unshared_budget() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    session.mutate_ok(USD, update(&campaign, json!({ "name": "Spring" }), "name"));
    assert_eq!(session.field(&campaign, "campaign_budget.name"), "Spring");
}

#[test]
fn the_mask_is_required_and_names_mutable_fields() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let mask = "mutate_operations[0].campaign_operation.update_mask";
    let mut errors = |path: &str| session.mutate_errors(USD, update(&campaign, json!({ "name": "x" }), path));
    assert_eq!(errors(""), error("fieldMaskError.FIELD_MASK_MISSING", mask));
    assert_eq!(errors("nmae"), error("fieldMaskError.FIELD_NOT_FOUND", mask));
    assert_eq!(errors("networkSettings"), error("fieldMaskError.FIELD_HAS_SUBFIELDS", mask));
    assert_eq!(errors("id"), error("fieldError.IMMUTABLE_FIELD", &at("id")));
    let channel = "advertisingChannelType";
    assert_eq!(errors(channel), error("fieldError.IMMUTABLE_FIELD", &at("advertising_channel_type")));
    let (status, _) = session.mutate(USD, update(&campaign, json!({ "manualCpc": {} }), "manual_cpc"));
    assert_eq!(status, 501);
}

#[test]
fn an_update_cannot_set_the_status_removed() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let found = session.mutate_errors(USD, update(&campaign, json!({ "status": "REMOVED" }), "status"));
    assert_eq!(found, error("campaignError.INVALID_STATUS_CHANGE", &at("status")));
}

#[test]
fn a_removed_campaign_is_readable_and_immutable() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let remove = json!([{ "campaignOperation": { "remove": campaign } }]);
    let done = session.mutate_ok(USD, remove.clone());
    assert_eq!(done["mutateOperationResponses"][0]["campaignResult"]["resourceName"], json!(campaign));
    assert_eq!(session.field(&campaign, "campaign.status"), "REMOVED");
    assert_eq!(session.field(&campaign, "campaign.primary_status"), "REMOVED");
    let code = "contextError.OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE";
    let place = "mutate_operations[0].campaign_operation.remove";
    assert_eq!(session.mutate_errors(USD, remove), error(code, place));
    let found = session.mutate_errors(USD, update(&campaign, json!({ "status": "ENABLED" }), "status"));
    assert_eq!(found, error(code, UPDATE));
}

#[test]
fn a_missing_campaign_or_one_of_another_customer_is_not_found() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let missing = format!("customers/{USD}/campaigns/1");
    let found = session.mutate_errors(USD, update(&missing, json!({ "name": "x" }), "name"));
    assert_eq!(found, error("mutateError.RESOURCE_NOT_FOUND", UPDATE));
    let found = session.mutate_errors(EUR, update(&campaign, json!({ "name": "x" }), "name"));
    assert_eq!(found, error("mutateError.RESOURCE_NOT_FOUND", UPDATE));
    let found = session.mutate_errors(USD, update("21000000001", json!({ "name": "x" }), "name"));
    assert_eq!(found, error("requestError.RESOURCE_NAME_MALFORMED", UPDATE));
}

#[test]
fn the_budget_of_a_campaign_keeps_its_period() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let end = json!({ "name": "Total", "endDateTime": "2026-03-31 23:59:59" });
    let created = session.mutate_ok(USD, both(USD, total("900000000"), end));
    let budget = &created["mutateOperationResponses"][0]["campaignBudgetResult"]["resourceName"];
    let found = session.mutate_errors(USD, update(&campaign, json!({ "campaignBudget": budget }), "campaign_budget"));
    let code = "campaignError.CANNOT_CHANGE_BUDGET_PERIOD";
    assert_eq!(found[0], (code.to_owned(), at("campaign_budget")));
}

#[test]
fn an_end_can_be_removed_unless_the_budget_is_total() {
    let mut session = Session::new();
    let end = json!({ "endDateTime": "2026-03-31 23:59:59" });
    let (campaign, _) = session.campaign(USD, end.clone());
    session.mutate_ok(USD, update(&campaign, json!({}), "end_date_time"));
    assert_eq!(session.field(&campaign, "campaign.end_date_time"), Value::Null);
    let created = session.mutate_ok(USD, both(USD, total("900000000"), with(end, json!({ "name": "Total" }))));
    let campaign = &created["mutateOperationResponses"][1]["campaignResult"]["resourceName"];
    let found = session.mutate_errors(USD, update(campaign.as_str().unwrap(), json!({}), "end_date_time"));
    let code = "campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET";
    assert_eq!(found, error(code, &at("end_date_time")));
}

#[test]
fn a_past_start_is_immutable_and_a_past_end_ends_the_campaign() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({ "status": "ENABLED", "endDateTime": "2026-03-05 23:59:59" }));
    let move_start = json!({ "startDateTime": "2026-03-04 00:00:00" });
    let found = session.mutate_errors(USD, update(&campaign, move_start, "start_date_time"));
    let code = "dateRangeError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED";
    assert_eq!(found, error(code, &at("start_date_time")));
    // 00:00 on 6 March in New York.
    session.now = "2026-03-02T12:30:00Z".parse().unwrap();
    assert_eq!(session.field(&campaign, "campaign.primary_status"), "NOT_ELIGIBLE", "it has no ad");
    let now = "2026-03-06T05:00:00Z".parse().unwrap();
    let state = std::mem::take(&mut session.platform.accounts);
    let local = crate::alpha::dates::local(now, &state[0].time_zone);
    let ended = state[0].campaigns.values().next().unwrap();
    let primary = crate::alpha::primary::of_campaign(ended, &[], None, local);
    let serving = ended.field("serving_status", state[0].id, local).unwrap();
    assert_eq!((primary.status.as_str(), serving.json()), ("ENDED", json!("ENDED")));
}

#[test]
fn one_request_cannot_change_a_campaign_twice() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let once = update(&campaign, json!({ "status": "ENABLED" }), "status")[0].clone();
    let found = session.mutate_errors(USD, json!([once, once]));
    let place = "mutate_operations[1].campaign_operation.update";
    assert_eq!(found, error("mutateError.ID_EXISTS_IN_MULTIPLE_MUTATES", place));
}

#[test]
fn one_request_changes_campaign_and_budget_atomically() {
    let mut session = Session::new();
    let (campaign, budget) = session.campaign(USD, json!({}));
    let mut operations = update(&campaign, json!({ "name": "Spring" }), "name");
    operations.as_array_mut().unwrap().push(json!({ "campaignBudgetOperation": {
        "update": { "resourceName": budget, "amountMicros": "1" }, "updateMask": "amountMicros" } }));
    let found = session.mutate_errors(USD, operations);
    let place = "mutate_operations[1].campaign_budget_operation.update.amount_micros";
    assert_eq!(found, error("campaignBudgetError.NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", place));
    assert_eq!(session.field(&campaign, "campaign.name"), "Winter sale");
}
