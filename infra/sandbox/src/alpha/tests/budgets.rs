//! Creates, updates and removals of budgets.

use super::*;
use serde_json::json;

fn at(field: &str) -> String {
    format!("mutate_operations[0].campaign_budget_operation.create.{field}")
}

fn create_errors(customer: &str, changes: Value) -> Vec<(String, String)> {
    Session::new().mutate_errors(customer, json!([budget(customer, changes)]))
}

fn budget_error(value: &str, field: &str) -> Vec<(String, String)> {
    error(&format!("campaignBudgetError.{value}"), &at(field))
}

#[test]
fn a_budget_is_shared_by_default_and_then_needs_a_unique_name() {
    let shared = json!({ "explicitlyShared": null });
    assert_eq!(create_errors(USD, shared), error("fieldError.REQUIRED", &at("name")));
    let mut session = Session::new();
    session.mutate_ok(USD, json!([budget(USD, json!({ "explicitlyShared": null, "name": "Pot" }))]));
    let query = "SELECT campaign_budget.explicitly_shared, campaign_budget.period, \
                 campaign_budget.delivery_method, campaign_budget.reference_count FROM campaign_budget";
    let (_, body) = session.search(USD, query);
    let budget = &body["results"][0]["campaignBudget"];
    assert_eq!(budget["explicitlyShared"], true);
    assert_eq!(budget["period"], "DAILY");
    assert_eq!(budget["deliveryMethod"], "STANDARD");
    assert_eq!(budget["referenceCount"], "0");
    let again = json!({ "explicitlyShared": true, "name": " Pot " });
    assert_eq!(session.mutate_errors(USD, json!([super::budget(USD, again)])), budget_error("DUPLICATE_NAME", "name"));
}

#[test]
fn amounts_are_multiples_of_the_billable_unit_within_limits() {
    let amount = |customer, micros: &str| create_errors(customer, json!({ "amountMicros": micros }));
    let field = "amount_micros";
    assert_eq!(amount(USD, "-10000"), budget_error("NEGATIVE_MONEY_AMOUNT", field));
    assert_eq!(amount(USD, "0"), budget_error("MONEY_AMOUNT_LESS_THAN_CURRENCY_MINIMUM_CPC", field));
    assert_eq!(amount(USD, "1005000"), budget_error("NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", field));
    assert_eq!(amount(JPY, "100500000"), budget_error("NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", field));
    assert_eq!(amount(KWD, "1000500"), budget_error("NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", field));
    assert_eq!(amount(JPY, "49000000"), budget_error("BUDGET_BELOW_PER_DAY_MINIMUM", field));
    assert_eq!(amount(USD, "9000000000000000000"), budget_error("MONEY_AMOUNT_TOO_LARGE", field));
    Session::new().mutate_ok(KWD, json!([budget(KWD, json!({ "amountMicros": 1_001_000 }))]));
}

#[test]
fn error_details_have_the_minimum_of_the_account() {
    let (_, body) = Session::new().mutate(USD, json!([budget(USD, json!({ "amountMicros": "490000" }))]));
    let details = &body["error"]["details"][0]["errors"][0]["details"]["budgetPerDayMinimumErrorDetails"];
    assert_eq!(
        details,
        &json!({
            "currencyCode": "USD",
            "budgetPerDayMinimumMicros": "500000",
            "minimumBudgetAmountMicros": "500000",
            "failedBudgetAmountMicros": "490000",
        })
    );
}

#[test]
fn the_period_determines_the_amount_field() {
    let both_amounts = json!({ "totalAmountMicros": "50000000" });
    let value = "TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY";
    assert_eq!(create_errors(USD, both_amounts), budget_error(value, "total_amount_micros"));
    let custom = json!({ "period": "CUSTOM_PERIOD" });
    let value = "BUDGET_AMOUNT_MUST_BE_UNSET_FOR_CUSTOM_BUDGET_PERIOD";
    assert_eq!(create_errors(USD, custom), budget_error(value, "amount_micros"));
    let none = json!({ "amountMicros": null });
    assert_eq!(create_errors(USD, none), error("fieldError.REQUIRED", &at("amount_micros")));
    let shared = with(total("50000000"), json!({ "explicitlyShared": true, "name": "Pot" }));
    let value = "CAMPAIGN_BUDGET_CANNOT_BE_SHARED";
    assert_eq!(create_errors(USD, shared), budget_error(value, "explicitly_shared"));
}

#[test]
fn accelerated_delivery_is_rejected() {
    let value = "CANNOT_USE_ACCELERATED_DELIVERY_MODE";
    let found = create_errors(USD, json!({ "deliveryMethod": "ACCELERATED" }));
    assert_eq!(found, budget_error(value, "delivery_method"));
}

#[test]
fn an_unshared_budget_has_one_campaign_and_is_removed_with_it() {
    let mut session = Session::new();
    let (first, budget) = session.campaign(USD, json!({}));
    let second = campaign(USD, json!({ "name": "Second", "campaignBudget": budget }));
    let code = "campaignBudgetError.CANNOT_USE_IMPLICITLY_SHARED_CAMPAIGN_BUDGET_WITH_MULTIPLE_CAMPAIGNS";
    let place = "mutate_operations[0].campaign_operation.create.campaign_budget";
    assert_eq!(session.mutate_errors(USD, json!([second])), error(code, place));
    session.mutate_ok(USD, json!([{ "campaignOperation": { "remove": first } }]));
    assert_eq!(session.field(&first, "campaign_budget.status"), "REMOVED");
    let code = "contextError.OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE";
    let found = session.mutate_errors(USD, json!([{ "campaignBudgetOperation": { "remove": budget } }]));
    assert_eq!(found, error(code, "mutate_operations[0].campaign_budget_operation.remove"));
}

#[test]
fn a_shared_budget_can_be_removed_once_no_campaign_uses_it() {
    let mut session = Session::new();
    let shared = json!({ "explicitlyShared": true, "name": "Pot" });
    let created = session.mutate_ok(USD, both(USD, shared, json!({})));
    let responses = &created["mutateOperationResponses"];
    let budget = responses[0]["campaignBudgetResult"]["resourceName"].clone();
    let campaign = responses[1]["campaignResult"]["resourceName"].clone();
    let remove = json!([{ "campaignBudgetOperation": { "remove": budget } }]);
    let place = "mutate_operations[0].campaign_budget_operation.remove";
    let found = session.mutate_errors(USD, remove.clone());
    assert_eq!(found, error("campaignBudgetError.CAMPAIGN_BUDGET_IN_USE", place));
    session.mutate_ok(USD, json!([{ "campaignOperation": { "remove": campaign } }]));
    let campaign = campaign.as_str().unwrap();
    assert_eq!(session.field(campaign, "campaign_budget.status"), "ENABLED");
    session.mutate_ok(USD, remove);
    assert_eq!(session.field(campaign, "campaign_budget.status"), "REMOVED");
}

#[test]
fn an_update_changes_the_amount_but_not_the_period() {
    let mut session = Session::new();
    let (campaign, budget) = session.campaign(USD, json!({}));
    let path = format!("/v26/customers/{USD}/campaignBudgets:mutate");
    let mut update = |changes: Value, mask: &str| {
        let update = with(json!({ "resourceName": budget }), changes);
        session.post(&path, &json!({ "operations": [{ "update": update, "updateMask": mask }] }))
    };
    let (status, body) = update(json!({ "amountMicros": "70000000" }), "amount_micros");
    assert_eq!((status, &body["results"][0]["resourceName"]), (200, &json!(budget)));
    let (_, body) = update(json!({ "period": "CUSTOM_PERIOD" }), "period");
    assert_eq!(errors(&body), error("fieldError.IMMUTABLE_FIELD", "operations[0].update.period"));
    let (_, body) = update(json!({ "totalAmountMicros": "70000000" }), "totalAmountMicros");
    let code = "campaignBudgetError.TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY";
    assert_eq!(errors(&body), error(code, "operations[0].update.total_amount_micros"));
    let (_, body) = update(json!({ "name": "Own name" }), "name");
    let code = "campaignBudgetError.CANNOT_MODIFY_FIELD_OF_IMPLICITLY_SHARED_CAMPAIGN_BUDGET";
    assert_eq!(errors(&body), error(code, "operations[0].update.name"));
    assert_eq!(session.field(&campaign, "campaign_budget.amount_micros"), "70000000");
}

#[test]
fn a_budget_can_become_shared_with_a_name_but_not_unshared() {
    let mut session = Session::new();
    let (_, budget) = session.campaign(USD, json!({}));
    let update = |changes: Value, mask: &str| {
        let update = with(json!({ "resourceName": budget }), changes);
        json!([{ "campaignBudgetOperation": { "update": update, "updateMask": mask } }])
    };
    let place = "mutate_operations[0].campaign_budget_operation.update.explicitly_shared";
    let found = session.mutate_errors(USD, update(json!({ "explicitlyShared": true }), "explicitlyShared"));
    let code = "campaignBudgetError.CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_EXPLICITLY_SHARED_WITHOUT_NAME";
    assert_eq!(found, error(code, place));
    let named = json!({ "explicitlyShared": true, "name": "Pot" });
    session.mutate_ok(USD, update(named, "explicitlyShared,name"));
    let found = session.mutate_errors(USD, update(json!({ "explicitlyShared": false }), "explicitlyShared"));
    let code = "campaignBudgetError.CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_IMPLICITLY_SHARED";
    assert_eq!(found, error(code, place));
}
