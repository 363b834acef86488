//! Changing and removing campaigns.

use serde_json::json;

use super::*;

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
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let changes = json!({ "status": "ENABLED", "name": "Ignored" });
    scene.does(USD, update(&campaign, changes, "status"));
    assert_eq!(scene.field(&campaign, "campaign.status"), "ENABLED");
    assert_eq!(scene.field(&campaign, "campaign.name"), "Winter sale");
}

#[test]
fn a_new_name_is_the_budget_s_name_too() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    scene.does(USD, update(&campaign, json!({ "name": "Spring" }), "name"));
    assert_eq!(scene.field(&campaign, "campaign_budget.name"), "Spring");
}

#[test]
fn the_mask_has_to_be_there_and_to_name_what_can_change() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let mask = "mutate_operations[0].campaign_operation.update_mask";
    let mut fails = |path: &str| scene.fails(USD, update(&campaign, json!({ "name": "x" }), path));
    assert_eq!(fails(""), error("fieldMaskError.FIELD_MASK_MISSING", mask));
    assert_eq!(fails("nmae"), error("fieldMaskError.FIELD_NOT_FOUND", mask));
    assert_eq!(fails("networkSettings"), error("fieldMaskError.FIELD_HAS_SUBFIELDS", mask));
    assert_eq!(fails("id"), error("fieldError.IMMUTABLE_FIELD", &at("id")));
    let channel = "advertisingChannelType";
    assert_eq!(fails(channel), error("fieldError.IMMUTABLE_FIELD", &at("advertising_channel_type")));
    let (status, _) = scene.mutate(USD, update(&campaign, json!({ "manualCpc": {} }), "manual_cpc"));
    assert_eq!(status, 501);
}

#[test]
fn removed_is_no_status_to_set() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let found = scene.fails(USD, update(&campaign, json!({ "status": "REMOVED" }), "status"));
    assert_eq!(found, error("campaignError.INVALID_STATUS_CHANGE", &at("status")));
}

#[test]
fn a_removed_campaign_stays_readable_and_cannot_change() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let remove = json!([{ "campaignOperation": { "remove": campaign } }]);
    let done = scene.does(USD, remove.clone());
    assert_eq!(done["mutateOperationResponses"][0]["campaignResult"]["resourceName"], json!(campaign));
    assert_eq!(scene.field(&campaign, "campaign.status"), "REMOVED");
    assert_eq!(scene.field(&campaign, "campaign.primary_status"), "REMOVED");
    let code = "contextError.OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE";
    let place = "mutate_operations[0].campaign_operation.remove";
    assert_eq!(scene.fails(USD, remove), error(code, place));
    let found = scene.fails(USD, update(&campaign, json!({ "status": "ENABLED" }), "status"));
    assert_eq!(found, error(code, UPDATE));
}

#[test]
fn a_campaign_of_nobody_or_of_another_customer_is_not_found() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let nobody = format!("customers/{USD}/campaigns/1");
    let found = scene.fails(USD, update(&nobody, json!({ "name": "x" }), "name"));
    assert_eq!(found, error("mutateError.RESOURCE_NOT_FOUND", UPDATE));
    let found = scene.fails(EUR, update(&campaign, json!({ "name": "x" }), "name"));
    assert_eq!(found, error("mutateError.RESOURCE_NOT_FOUND", UPDATE));
    let found = scene.fails(USD, update("21000000001", json!({ "name": "x" }), "name"));
    assert_eq!(found, error("requestError.RESOURCE_NAME_MALFORMED", UPDATE));
}

#[test]
fn the_budget_of_a_campaign_keeps_its_period() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let end = json!({ "name": "Total", "endDateTime": "2026-03-31 23:59:59" });
    let created = scene.does(USD, both(USD, total("900000000"), end));
    let budget = &created["mutateOperationResponses"][0]["campaignBudgetResult"]["resourceName"];
    let found = scene.fails(USD, update(&campaign, json!({ "campaignBudget": budget }), "campaign_budget"));
    let code = "campaignError.CANNOT_CHANGE_BUDGET_PERIOD";
    assert_eq!(found[0], (code.to_owned(), at("campaign_budget")));
}

#[test]
fn an_end_can_be_taken_away_unless_the_budget_is_a_total() {
    let mut scene = Scene::new();
    let end = json!({ "endDateTime": "2026-03-31 23:59:59" });
    let (campaign, _) = scene.campaign(USD, end.clone());
    scene.does(USD, update(&campaign, json!({}), "end_date_time"));
    assert_eq!(scene.field(&campaign, "campaign.end_date_time"), Value::Null);
    let created = scene.does(USD, both(USD, total("900000000"), with(end, json!({ "name": "Total" }))));
    let campaign = &created["mutateOperationResponses"][1]["campaignResult"]["resourceName"];
    let found = scene.fails(USD, update(campaign.as_str().unwrap(), json!({}), "end_date_time"));
    let code = "campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET";
    assert_eq!(found, error(code, &at("end_date_time")));
}

#[test]
fn a_start_that_is_over_cannot_move_and_an_end_that_is_over_ends() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({ "status": "ENABLED", "endDateTime": "2026-03-05 23:59:59" }));
    let move_start = json!({ "startDateTime": "2026-03-04 00:00:00" });
    let found = scene.fails(USD, update(&campaign, move_start, "start_date_time"));
    let code = "dateRangeError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED";
    assert_eq!(found, error(code, &at("start_date_time")));
    // New York is five hours behind: the sixth begins there at five in London.
    scene.now = "2026-03-02T12:30:00Z".parse().unwrap();
    assert_eq!(scene.field(&campaign, "campaign.primary_status"), "ELIGIBLE");
    let now = "2026-03-06T05:00:00Z".parse().unwrap();
    let state = std::mem::take(&mut scene.alpha.accounts);
    let local = crate::alpha::dates::local(now, &state[0].time_zone);
    let ended = state[0].campaigns.values().next().unwrap();
    let primary = ended.cell("primary_status", &state[0], local).unwrap();
    let serving = ended.cell("serving_status", &state[0], local).unwrap();
    assert_eq!((primary.json(), serving.json()), (json!("ENDED"), json!("ENDED")));
}

#[test]
fn the_same_campaign_twice_in_one_request_is_refused() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let once = update(&campaign, json!({ "status": "ENABLED" }), "status")[0].clone();
    let found = scene.fails(USD, json!([once, once]));
    let place = "mutate_operations[1].campaign_operation.update";
    assert_eq!(found, error("mutateError.ID_EXISTS_IN_MULTIPLE_MUTATES", place));
}

#[test]
fn campaign_and_budget_change_together_or_not_at_all() {
    let mut scene = Scene::new();
    let (campaign, budget) = scene.campaign(USD, json!({}));
    let mut operations = update(&campaign, json!({ "name": "Spring" }), "name");
    operations.as_array_mut().unwrap().push(json!({ "campaignBudgetOperation": {
        "update": { "resourceName": budget, "amountMicros": "1" }, "updateMask": "amountMicros" } }));
    let found = scene.fails(USD, operations);
    let place = "mutate_operations[1].campaign_budget_operation.update.amount_micros";
    assert_eq!(found, error("campaignBudgetError.NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", place));
    assert_eq!(scene.field(&campaign, "campaign.name"), "Winter sale");
}
