//! Authorization, routes, and errors of whole requests.

use super::*;
use serde_json::json;

fn search_path(customer: &str) -> String {
    format!("/v26/customers/{customer}/googleAds:search")
}

fn query() -> Value {
    json!({ "query": "SELECT customer.id FROM customer" })
}

#[test]
fn the_accessible_customers_are_the_chosen_ones() {
    let mut session = Session::with_access(&[JPY, MANAGER], &[auth::SCOPE]);
    let response = session.send(&request("GET", "/v26/customers:listAccessibleCustomers", ""));
    let names = json!({ "resourceNames": ["customers/1002003002", "customers/1002003999"] });
    assert_eq!(serde_json::from_str::<Value>(&response.body).unwrap(), names);
    assert!(response.headers.iter().any(|(name, id)| *name == "request-id" && id.len() == 22));
}

#[test]
fn a_customer_outside_the_consent_is_denied() {
    let mut session = Session::with_access(&[USD], &[auth::SCOPE]);
    for customer in [JPY, "1234567890"] {
        let (status, body) = session.post(&search_path(customer), &query());
        assert_eq!((status, body["error"]["status"].as_str()), (403, Some("PERMISSION_DENIED")));
        assert_eq!(errors(&body), error("authorizationError.USER_PERMISSION_DENIED", ""));
    }
    let (status, body) = session.post(&search_path("100-200-3001"), &query());
    assert_eq!((status, errors(&body)), (400, error("requestError.INVALID_CUSTOMER_ID", "")));
}

#[test]
fn the_login_customer_header_grants_access_through_a_manager() {
    let mut session = Session::with_access(&[MANAGER], &[auth::SCOPE]);
    let mut search = request("POST", &search_path(JPY), &query().to_string());
    assert_eq!(session.send(&search).status, 403);
    search.headers.insert("login-customer-id".to_owned(), MANAGER.to_owned());
    assert_eq!(session.send(&search).status, 200);
    search.headers.insert("login-customer-id".to_owned(), "100-200-3999".to_owned());
    assert_eq!(session.send(&search).status, 400);
    let mut two = Session::with_access(&[USD, JPY], &[auth::SCOPE]);
    search.headers.insert("login-customer-id".to_owned(), USD.to_owned());
    let body: Value = serde_json::from_str(&two.send(&search).body).unwrap();
    let code = "authorizationError.INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION";
    assert_eq!(errors(&body), error(code, ""));
}

#[test]
fn a_manager_cannot_have_campaigns() {
    let mut session = Session::new();
    let found = session.mutate_errors(MANAGER, both(MANAGER, json!({}), json!({})));
    assert_eq!(found, error("requestError.CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT", ""));
}

#[test]
fn a_missing_token_and_an_insufficient_scope_have_the_gateways_reasons() {
    let mut session = Session::new();
    let mut search = request("POST", &search_path(USD), &query().to_string());
    search.headers.remove("authorization");
    let body: Value = serde_json::from_str(&session.send(&search).body).unwrap();
    assert_eq!(body["error"]["details"][0]["reason"], "CREDENTIALS_MISSING");
    let (status, body) = Session::with_access(&[USD], &["openid"]).post(&search_path(USD), &query());
    assert_eq!((status, &body["error"]["details"][0]["reason"]), (403, &json!("ACCESS_TOKEN_SCOPE_INSUFFICIENT")));
}

#[test]
fn versions_23_to_26_are_supported() {
    let mut session = Session::new();
    let mut status = |version: &str| {
        let path = format!("/{version}/customers/{USD}/googleAds:search");
        session.send(&request("POST", &path, &query().to_string())).status
    };
    assert_eq!(["v23", "v24", "v25", "v26"].map(&mut status), [200; 4]);
    assert_eq!(["v27", "v0", "vx"].map(&mut status), [404; 3]);
    let (status, body) = session.post(&format!("/v22/customers/{USD}/googleAds:search"), &query());
    assert_eq!((status, errors(&body)), (400, error("requestError.UNSUPPORTED_VERSION", "")));
}

#[test]
fn error_details_name_the_requested_version() {
    let (_, body) = Session::new().post("/v24/customers/1/googleAds:search", &query());
    let kind = "type.googleapis.com/google.ads.googleads.v24.errors.GoogleAdsFailure";
    assert_eq!(body["error"]["details"][0]["@type"], kind);
}

#[test]
fn an_unknown_path_method_or_parameter_is_rejected() {
    let mut session = Session::new();
    for (method, path) in [
        ("GET", search_path(USD)),
        ("POST", "/v26/customers:listAccessibleCustomers".to_owned()),
        ("POST", format!("/v26/customers/{USD}/adGroups:mutate")),
        ("POST", "/".to_owned()),
    ] {
        let response = session.send(&request(method, &path, "{}"));
        assert_eq!(response.status, 404, "{method} {path}");
        assert!(response.body.starts_with("<!DOCTYPE html>"));
    }
    let path = format!("{}?pageSize=5", search_path(USD));
    let response = session.send(&request("POST", &path, &query().to_string()));
    assert_eq!(response.status, 400);
    assert!(response.body.contains("Cannot bind query parameter"));
}

#[test]
fn validate_only_checks_everything_and_writes_nothing() {
    let mut session = Session::new();
    let path = format!("/v26/customers/{USD}/googleAds:mutate");
    let operations = both(USD, json!({}), json!({}));
    let body = json!({ "mutateOperations": operations, "validateOnly": true });
    assert_eq!(session.post(&path, &body), (200, json!({})));
    let (_, found) = session.search(USD, "SELECT campaign.id FROM campaign");
    assert_eq!(found, json!({ "fieldMask": "campaign.id" }));
    let wrong = json!({ "mutateOperations": [campaign(USD, json!({}))], "validateOnly": true });
    assert_eq!(session.post(&path, &wrong).0, 400);
}

#[test]
fn a_temporary_id_is_defined_once_and_before_its_use() {
    let mut session = Session::new();
    let [budget, campaign] = [budget(USD, json!({})), campaign(USD, json!({}))];
    let found = session.mutate_errors(USD, json!([campaign, budget]));
    let place = "mutate_operations[0].campaign_operation.create.campaign_budget";
    assert_eq!(found, error("mutateError.RESOURCE_NOT_FOUND", place));
    let found = session.mutate_errors(USD, json!([budget, budget]));
    let place = "mutate_operations[1].campaign_budget_operation.create.resource_name";
    assert_eq!(found, error("newResourceCreationError.DUPLICATE_TEMP_IDS", place));
    let same_number = json!({ "resourceName": format!("customers/{USD}/campaigns/-1") });
    let found = session.mutate_errors(USD, both(USD, json!({}), same_number));
    assert_eq!(found[0].0, "newResourceCreationError.DUPLICATE_TEMP_IDS");
}

#[test]
fn a_campaign_of_a_failed_budget_is_not_checked() {
    let operations = both(USD, json!({ "amountMicros": "-1" }), json!({ "name": null }));
    let codes: Vec<_> = Session::new().mutate_errors(USD, operations).into_iter().map(|(code, _)| code).collect();
    let expected =
        ["campaignBudgetError.NEGATIVE_MONEY_AMOUNT", "newResourceCreationError.TEMP_ID_RESOURCE_HAD_ERRORS"];
    assert_eq!(codes, expected);
}

#[test]
fn partial_failure_keeps_the_valid_operations() {
    let mut session = Session::new();
    let path = format!("/v26/customers/{USD}/campaignBudgets:mutate");
    let budget = |name: &str, amount: &str| json!({ "create": { "name": name, "amountMicros": amount } });
    let body = json!({ "operations": [budget("a", "1"), budget("b", "1000000")], "partialFailure": true });
    let (status, body) = session.post(&path, &body);
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["results"][0], json!({}));
    assert_eq!(body["results"][1]["resourceName"], "customers/1002003001/campaignBudgets/15000000001");
    assert_eq!(body["partialFailureError"]["code"], 3);
    let failure = &body["partialFailureError"]["details"][0]["errors"][0];
    assert_eq!(failure["errorCode"]["campaignBudgetError"], "NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT");
}

#[test]
fn empty_requests_empty_operations_and_too_many_are_rejected() {
    let mut session = Session::new();
    let found = session.mutate_errors(USD, json!([]));
    assert_eq!(found, error("requestError.REQUIRED_FIELD_MISSING", "mutate_operations"));
    let found = session.mutate_errors(USD, json!([{}]));
    assert_eq!(found, error("requestError.OPERATION_REQUIRED", "mutate_operations[0]"));
    let path = format!("/v26/customers/{USD}/campaigns:mutate");
    let remove = json!({ "remove": format!("customers/{USD}/campaigns/1") });
    let (status, body) = session.post(&path, &json!({ "operations": vec![remove; 10_001] }));
    assert_eq!((status, errors(&body)), (400, error("requestError.TOO_MANY_MUTATE_OPERATIONS", "operations")));
}

#[test]
fn validate_only_counts_in_the_body_of_the_request_alone() {
    let mut session = Session::new();
    let (campaign, budget) = session.campaign(USD, json!({}));
    let rename = json!({ "update": { "resourceName": campaign, "name": "Other" }, "updateMask": "name" });
    let amount =
        json!({ "update": { "resourceName": budget, "amountMicros": "70000000" }, "updateMask": "amountMicros" });
    let removal = json!({ "remove": campaign });
    for (method, operation) in
        [("campaigns:mutate", &rename), ("campaignBudgets:mutate", &amount), ("campaigns:mutate", &removal)]
    {
        let path = format!("/v26/customers/{USD}/{method}");
        let body = json!({ "operations": [operation], "validateOnly": true });
        assert_eq!(session.post(&path, &body), (200, json!({})), "{method}");
        let in_query = format!("{path}?validateOnly=true");
        assert_eq!(session.post(&in_query, &json!({ "operations": [operation] })).0, 400, "{method}");
        let wrong = json!({ "operations": [operation], "validateOnly": "yes" });
        assert_eq!(session.post(&path, &wrong).0, 400, "{method}");
    }
    assert_eq!(session.field(&campaign, "campaign.name"), "Winter sale");
    assert_eq!(session.field(&campaign, "campaign.status"), "PAUSED");
    assert_eq!(session.field(&campaign, "campaign_budget.amount_micros"), "50000000");
    let path = format!("/v26/customers/{USD}/campaigns:mutate");
    let mut with_header = request("POST", &path, &json!({ "operations": [rename] }).to_string());
    with_header.headers.insert("x-validate-only".to_owned(), "true".to_owned());
    assert_eq!(session.send(&with_header).status, 200);
    assert_eq!(session.field(&campaign, "campaign.name"), "Other", "a flag elsewhere is none");
    let failed = json!({ "update": { "resourceName": campaign, "name": "" }, "updateMask": "name" });
    assert_eq!(session.post(&path, &json!({ "operations": [failed], "validateOnly": true })).0, 400);
}
