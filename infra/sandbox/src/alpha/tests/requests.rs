//! Who may call, which addresses there are, and how requests as a whole are refused.

use serde_json::json;

use super::*;

fn search_path(customer: &str) -> String {
    format!("/v26/customers/{customer}/googleAds:search")
}

fn query() -> Value {
    json!({ "query": "SELECT customer.id FROM customer" })
}

#[test]
fn accessible_customers_are_those_that_were_chosen() {
    let mut scene = Scene::open_to(&[JPY, MANAGER], &[api::SCOPE]);
    let reply = scene.send(&request("GET", "/v26/customers:listAccessibleCustomers", ""));
    let names = json!({ "resourceNames": ["customers/1002003002", "customers/1002003999"] });
    assert_eq!(serde_json::from_str::<Value>(&reply.body).unwrap(), names);
    assert!(reply.headers.iter().any(|(name, id)| *name == "request-id" && id.len() == 22));
}

#[test]
fn a_customer_that_was_not_chosen_is_denied() {
    let mut scene = Scene::open_to(&[USD], &[api::SCOPE]);
    for customer in [JPY, "1234567890"] {
        let (status, body) = scene.post(&search_path(customer), &query());
        assert_eq!((status, body["error"]["status"].as_str()), (403, Some("PERMISSION_DENIED")));
        assert_eq!(errors(&body), error("authorizationError.USER_PERMISSION_DENIED", ""));
    }
    let (status, body) = scene.post(&search_path("100-200-3001"), &query());
    assert_eq!((status, errors(&body)), (400, error("requestError.INVALID_CUSTOMER_ID", "")));
}

#[test]
fn a_manager_opens_the_accounts_below_it_by_its_header() {
    let mut scene = Scene::open_to(&[MANAGER], &[api::SCOPE]);
    let mut ask = request("POST", &search_path(JPY), &query().to_string());
    assert_eq!(scene.send(&ask).status, 403);
    ask.headers.insert("login-customer-id".to_owned(), MANAGER.to_owned());
    assert_eq!(scene.send(&ask).status, 200);
    ask.headers.insert("login-customer-id".to_owned(), "100-200-3999".to_owned());
    assert_eq!(scene.send(&ask).status, 400);
    let mut two = Scene::open_to(&[USD, JPY], &[api::SCOPE]);
    ask.headers.insert("login-customer-id".to_owned(), USD.to_owned());
    let body: Value = serde_json::from_str(&two.send(&ask).body).unwrap();
    let code = "authorizationError.INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION";
    assert_eq!(errors(&body), error(code, ""));
}

#[test]
fn a_manager_holds_no_campaigns() {
    let mut scene = Scene::new();
    let found = scene.fails(MANAGER, both(MANAGER, json!({}), json!({})));
    assert_eq!(found, error("requestError.CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT", ""));
}

#[test]
fn tokens_that_are_missing_wrong_expired_or_too_narrow_are_refused() {
    let mut scene = Scene::new();
    let mut ask = request("POST", &search_path(USD), &query().to_string());
    scene.now = "2026-03-02T12:59:59Z".parse().unwrap();
    let body: Value = serde_json::from_str(&scene.send(&ask).body).unwrap();
    assert_eq!(errors(&body), error("authenticationError.OAUTH_TOKEN_EXPIRED", ""));
    ask.headers.insert("authorization".to_owned(), "Bearer other".to_owned());
    let reply = scene.send(&ask);
    let body: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!((reply.status, errors(&body)), (401, error("authenticationError.OAUTH_TOKEN_INVALID", "")));
    ask.headers.remove("authorization");
    let body: Value = serde_json::from_str(&scene.send(&ask).body).unwrap();
    assert_eq!(body["error"]["details"][0]["reason"], "CREDENTIALS_MISSING");
    let (status, body) = Scene::open_to(&[USD], &["openid"]).post(&search_path(USD), &query());
    assert_eq!((status, &body["error"]["details"][0]["reason"]), (403, &json!("ACCESS_TOKEN_SCOPE_INSUFFICIENT")));
}

#[test]
fn versions_from_23_to_26_are_served() {
    let mut scene = Scene::new();
    let mut status = |version: &str| {
        let path = format!("/{version}/customers/{USD}/googleAds:search");
        scene.send(&request("POST", &path, &query().to_string())).status
    };
    assert_eq!(["v23", "v24", "v25", "v26"].map(&mut status), [200; 4]);
    assert_eq!(["v27", "v0", "vx"].map(&mut status), [404; 3]);
    let (status, body) = scene.post(&format!("/v22/customers/{USD}/googleAds:search"), &query());
    assert_eq!((status, errors(&body)), (400, error("requestError.UNSUPPORTED_VERSION", "")));
}

#[test]
fn error_details_are_of_the_version_that_was_asked() {
    let (_, body) = Scene::new().post("/v24/customers/1/googleAds:search", &query());
    let kind = "type.googleapis.com/google.ads.googleads.v24.errors.GoogleAdsFailure";
    assert_eq!(body["error"]["details"][0]["@type"], kind);
}

#[test]
fn an_unknown_address_verb_or_parameter_is_refused() {
    let mut scene = Scene::new();
    for (method, path) in [
        ("GET", search_path(USD)),
        ("POST", "/v26/customers:listAccessibleCustomers".to_owned()),
        ("POST", format!("/v26/customers/{USD}/adGroups:mutate")),
        ("POST", "/".to_owned()),
    ] {
        let reply = scene.send(&request(method, &path, "{}"));
        assert_eq!(reply.status, 404, "{method} {path}");
        assert!(reply.body.starts_with("<!DOCTYPE html>"));
    }
    let path = format!("{}?pageSize=5", search_path(USD));
    let reply = scene.send(&request("POST", &path, &query().to_string()));
    assert_eq!(reply.status, 400);
    assert!(reply.body.contains("Cannot bind query parameter"));
}

#[test]
fn validate_only_checks_everything_and_changes_nothing() {
    let mut scene = Scene::new();
    let path = format!("/v26/customers/{USD}/googleAds:mutate");
    let operations = both(USD, json!({}), json!({}));
    let body = json!({ "mutateOperations": operations, "validateOnly": true });
    assert_eq!(scene.post(&path, &body), (200, json!({})));
    let (_, found) = scene.search(USD, "SELECT campaign.id FROM campaign");
    assert_eq!(found, json!({ "fieldMask": "campaign.id" }));
    let wrong = json!({ "mutateOperations": [campaign(USD, json!({}))], "validateOnly": true });
    assert_eq!(scene.post(&path, &wrong).0, 400);
}

#[test]
fn temporary_names_are_defined_before_use_and_once() {
    let mut scene = Scene::new();
    let [budget, campaign] = [budget(USD, json!({})), campaign(USD, json!({}))];
    let found = scene.fails(USD, json!([campaign, budget]));
    let place = "mutate_operations[0].campaign_operation.create.campaign_budget";
    assert_eq!(found, error("mutateError.RESOURCE_NOT_FOUND", place));
    let found = scene.fails(USD, json!([budget, budget]));
    let place = "mutate_operations[1].campaign_budget_operation.create.resource_name";
    assert_eq!(found, error("newResourceCreationError.DUPLICATE_TEMP_IDS", place));
    let same_number = json!({ "resourceName": format!("customers/{USD}/campaigns/-1") });
    let found = scene.fails(USD, both(USD, json!({}), same_number));
    assert_eq!(found[0].0, "newResourceCreationError.DUPLICATE_TEMP_IDS");
}

#[test]
fn a_campaign_of_a_budget_that_failed_is_not_looked_at() {
    let operations = both(USD, json!({ "amountMicros": "-1" }), json!({ "name": null }));
    let codes: Vec<_> = Scene::new().fails(USD, operations).into_iter().map(|(code, _)| code).collect();
    let expected =
        ["campaignBudgetError.NEGATIVE_MONEY_AMOUNT", "newResourceCreationError.TEMP_ID_RESOURCE_HAD_ERRORS"];
    assert_eq!(codes, expected);
}

#[test]
fn with_partial_failure_the_good_operations_stay() {
    let mut scene = Scene::new();
    let path = format!("/v26/customers/{USD}/campaignBudgets:mutate");
    let budget = |name: &str, amount: &str| json!({ "create": { "name": name, "amountMicros": amount } });
    let body = json!({ "operations": [budget("a", "1"), budget("b", "1000000")], "partialFailure": true });
    let (status, body) = scene.post(&path, &body);
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["results"][0], json!({}));
    assert_eq!(body["results"][1]["resourceName"], "customers/1002003001/campaignBudgets/15000000001");
    assert_eq!(body["partialFailureError"]["code"], 3);
    let failure = &body["partialFailureError"]["details"][0]["errors"][0];
    assert_eq!(failure["errorCode"]["campaignBudgetError"], "NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT");
}

#[test]
fn an_empty_request_an_empty_operation_and_too_many_are_refused() {
    let mut scene = Scene::new();
    let found = scene.fails(USD, json!([]));
    assert_eq!(found, error("requestError.REQUIRED_FIELD_MISSING", "mutate_operations"));
    let found = scene.fails(USD, json!([{}]));
    assert_eq!(found, error("requestError.OPERATION_REQUIRED", "mutate_operations[0]"));
    let path = format!("/v26/customers/{USD}/campaigns:mutate");
    let remove = json!({ "remove": format!("customers/{USD}/campaigns/1") });
    let (status, body) = scene.post(&path, &json!({ "operations": vec![remove; 10_001] }));
    assert_eq!((status, errors(&body)), (400, error("requestError.TOO_MANY_MUTATE_OPERATIONS", "operations")));
}
