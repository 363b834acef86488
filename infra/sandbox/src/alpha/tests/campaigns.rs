//! Creates of campaigns.

use super::*;
use serde_json::json;

const CREATE: &str = "mutate_operations[1].campaign_operation.create";

fn create_errors(changes: Value) -> Vec<(String, String)> {
    Session::new().mutate_errors(USD, both(USD, json!({}), changes))
}

fn at(field: &str) -> String {
    format!("{CREATE}.{field}")
}

#[test]
fn one_call_creates_budget_and_campaign_and_responds_in_its_order() {
    let mut session = Session::new();
    let (campaign, budget) = session.campaign(USD, json!({}));
    assert_eq!(campaign, "customers/1002003001/campaigns/21000000001");
    assert_eq!(budget, "customers/1002003001/campaignBudgets/15000000001");
    assert_eq!(session.field(&campaign, "campaign.campaign_budget"), json!(budget));
    assert_eq!(session.field(&campaign, "campaign.status"), "PAUSED");
    assert_eq!(session.field(&campaign, "campaign.start_date_time"), "2026-03-02 00:00:00");
    assert_eq!(session.field(&campaign, "campaign.bidding_strategy_type"), "TARGET_SPEND");
    assert_eq!(session.field(&campaign, "campaign_budget.name"), "Winter sale");
}

#[test]
fn a_campaign_without_a_status_is_enabled() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({ "status": null }));
    assert_eq!(session.field(&campaign, "campaign.status"), "ENABLED");
    assert_eq!(session.field(&campaign, "campaign.primary_status"), "NOT_ELIGIBLE", "it has no ad");
}

#[test]
fn a_duplicate_name_is_rejected_with_location_and_trigger() {
    let mut session = Session::new();
    session.campaign(USD, json!({}));
    let (_, body) = session.mutate(USD, both(USD, json!({}), json!({})));
    assert_eq!(errors(&body), error("campaignError.DUPLICATE_CAMPAIGN_NAME", &at("name")));
    let trigger = &body["error"]["details"][0]["errors"][0]["trigger"];
    assert_eq!(trigger, &json!({ "stringValue": "Winter sale" }));
}

#[test]
fn the_name_of_a_removed_campaign_can_be_reused() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    session.mutate_ok(USD, json!([{ "campaignOperation": { "remove": campaign } }]));
    session.campaign(USD, json!({}));
}

#[test]
fn a_failed_campaign_create_rolls_its_budget_back() {
    let mut session = Session::new();
    session.mutate_errors(USD, both(USD, json!({}), json!({ "name": null })));
    let (_, body) = session.search(USD, "SELECT campaign_budget.id FROM campaign_budget");
    assert_eq!(body, json!({ "fieldMask": "campaignBudget.id" }));
}

#[test]
fn one_response_names_every_missing_field() {
    let missing = json!({
        "name": null,
        "advertisingChannelType": null,
        "containsEuPoliticalAdvertising": null,
        "targetSpend": null,
        "campaignBudget": null,
    });
    let mut places: Vec<_> = create_errors(missing)
        .into_iter()
        .map(|(code, place)| {
            assert_eq!(code, "fieldError.REQUIRED");
            place
        })
        .collect();
    places.sort();
    let fields = [
        "advertising_channel_type",
        "campaign_bidding_strategy",
        "campaign_budget",
        "contains_eu_political_advertising",
        "name",
    ];
    assert_eq!(places, fields.map(at));
}

#[test]
fn a_name_is_one_line_and_fits_its_unshared_budget() {
    let name = |name: &str| create_errors(json!({ "name": name }));
    assert_eq!(name("a\nb"), error("campaignError.INVALID_CAMPAIGN_NAME", &at("name")));
    assert_eq!(name("a\0b"), error("campaignError.INVALID_CAMPAIGN_NAME", &at("name")));
    assert_eq!(name("  "), error("stringLengthError.EMPTY", &at("name")));
    // 128 characters of two bytes.
    let long = "ü".repeat(128);
    assert_eq!(name(&long), error("stringLengthError.TOO_LONG", &at("name")));
    Session::new().campaign(USD, json!({ "name": "ü".repeat(127) }));
    let shared = json!({ "explicitlyShared": true, "name": "Pot" });
    Session::new().mutate_ok(USD, both(USD, shared, json!({ "name": long })));
}

#[test]
fn a_create_rejects_the_status_removed_and_output_only_fields() {
    let code = "operationAccessDeniedError.CREATE_AS_REMOVED_NOT_PERMITTED";
    assert_eq!(create_errors(json!({ "status": "REMOVED" })), error(code, &at("status")));
    let code = "newResourceCreationError.CANNOT_SET_ID_FOR_CREATE";
    assert_eq!(create_errors(json!({ "id": "5" })), error(code, &at("id")));
    let code = "fieldError.VALUE_MUST_BE_UNSET";
    let found = create_errors(json!({ "servingStatus": "SERVING" }));
    assert_eq!(found, error(code, &at("serving_status")));
    let code = "requestError.INVALID_ENUM_VALUE";
    assert_eq!(create_errors(json!({ "status": "UNKNOWN" })), error(code, &at("status")));
}

#[test]
fn a_campaign_has_one_bidding_strategy_that_its_channel_supports() {
    Session::new().campaign(USD, display(json!({})));
    let search = display(json!({ "advertisingChannelType": "SEARCH" }));
    let code = "biddingError.CANNOT_ATTACH_BIDDING_STRATEGY_TO_CAMPAIGN";
    assert_eq!(create_errors(search), error(code, &at("manual_cpm")));
    let (status, body) = Session::new().mutate(USD, both(USD, json!({}), json!({ "manualCpc": {} })));
    assert_eq!(status, 400);
    assert!(body["error"]["message"].as_str().unwrap().contains("oneof"), "{body}");
}

#[test]
fn a_total_budget_needs_an_end_and_a_channel_that_supports_it() {
    let mut session = Session::new();
    let end = json!({ "endDateTime": "2026-03-31 23:59:59" });
    session.mutate_ok(USD, both(USD, total("900000000"), end));
    let found = session.mutate_errors(USD, both(USD, total("900000000"), json!({ "name": "Other" })));
    let code = "campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET";
    assert_eq!(found, error(code, &at("end_date_time")));
    let display = display(json!({ "name": "Third", "endDateTime": "2026-03-31 23:59:59" }));
    let found = session.mutate_errors(USD, both(USD, total("900000000"), display));
    assert_eq!(found, error("campaignError.INCOMPATIBLE_BUDGET_TYPE", &at("campaign_budget")));
}

#[test]
fn a_total_budget_has_to_reach_the_minimum_of_each_day() {
    let end = json!({ "endDateTime": "2026-03-31 23:59:59" });
    let mut session = Session::new();
    // Thirty days at 0.50.
    let (_, body) = session.mutate(USD, both(USD, total("14990000"), end.clone()));
    let code = "campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM";
    assert_eq!(errors(&body), error(code, &at("campaign_budget")));
    let details = &body["error"]["details"][0]["errors"][0]["details"]["budgetPerDayMinimumErrorDetails"];
    assert_eq!(details["minimumBudgetTotalAmountMicros"], "15000000");
    assert_eq!(details["failedBudgetTotalAmountMicros"], "14990000");
    session.mutate_ok(USD, both(USD, total("15000000"), end));
}

#[test]
fn dates_are_in_the_time_zone_of_the_account() {
    let mut session = Session::new();
    // 01:00 on 2 March in Berlin, still 1 March in New York.
    session.now = "2026-03-02T00:00:00Z".parse().unwrap();
    let first = |name: &str| json!({ "name": name, "startDateTime": "2026-03-01 00:00:00" });
    session.mutate_ok(USD, both(USD, json!({}), first("a")));
    let found = session.mutate_errors(EUR, both(EUR, json!({}), first("a")));
    assert_eq!(found, error("dateRangeError.CANNOT_SET_DATE_TO_PAST", &at("start_date_time")));
}

#[test]
fn dates_in_the_wrong_format_or_order_are_rejected() {
    let end = |end: &str| create_errors(json!({ "startDateTime": "2026-03-10 00:00:00", "endDateTime": end }));
    let field = at("end_date_time");
    let code = "dateError.INVALID_STRING_DATE_TIME_SECONDS";
    assert_eq!(end("2026-03-31"), error(code, &field));
    let code = "dateRangeError.START_DATE_AFTER_END_DATE";
    assert_eq!(end("2026-03-09 23:59:59"), error(code, &field));
    let code = "dateError.DATE_RANGE_ERROR_END_TIME_MUST_BE_THE_END_OF_A_DAY";
    assert_eq!(end("2026-03-31 12:00:00"), error(code, &field));
}

#[test]
fn the_date_fields_of_older_versions_are_unknown() {
    let (status, body) = Session::new().mutate(USD, both(USD, json!({}), json!({ "startDate": "2026-03-10" })));
    assert_eq!(status, 400);
    assert_eq!(
        body["error"]["details"][0]["fieldViolations"][0],
        json!({
            "field": "mutate_operations[1].campaign_operation.create",
            "description": "Invalid JSON payload received. Unknown name \"startDate\" at \
                            'mutate_operations[1].campaign_operation.create': Cannot find field.",
        })
    );
}

#[test]
fn an_unsupported_setting_is_named() {
    let (status, body) = Session::new().mutate(USD, both(USD, json!({}), json!({ "shoppingSetting": {} })));
    assert_eq!((status, body["error"]["status"].as_str()), (501, Some("UNIMPLEMENTED")));
    assert!(body["error"]["message"].as_str().unwrap().contains("shopping_setting"), "{body}");
}

#[test]
fn a_mutate_can_return_the_mutable_resource() {
    let mut session = Session::new();
    let path = format!("/v26/customers/{USD}/googleAds:mutate");
    let body = json!({
        "mutateOperations": both(USD, json!({}), json!({ "targetSpend": { "cpcBidCeilingMicros": 500000 } })),
        "responseContentType": "MUTABLE_RESOURCE",
    });
    let (status, body) = session.post(&path, &body);
    assert_eq!(status, 200, "{body}");
    let campaign = &body["mutateOperationResponses"][1]["campaignResult"]["campaign"];
    assert_eq!(campaign["name"], "Winter sale");
    assert_eq!(campaign["targetSpend"], json!({ "cpcBidCeilingMicros": "500000" }));
    let budget = &body["mutateOperationResponses"][0]["campaignBudgetResult"]["campaignBudget"];
    assert_eq!(budget["amountMicros"], "50000000");
    assert_eq!(budget["explicitlyShared"], false);
}
