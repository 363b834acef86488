//! Searches and streams.

use super::*;
use serde_json::json;

#[test]
fn a_row_has_the_selected_fields_and_resource_names() {
    let mut session = Session::new();
    let (campaign, budget) = session.campaign(JPY, json!({}));
    let id = campaign.rsplit('/').next().unwrap().to_owned();
    assert!(session.platform.spend(&id, "12", session.now).is_ok());
    let (status, body) = session.search(
        JPY,
        "SELECT campaign.id, campaign_budget.amount_micros, customer.currency_code, metrics.cost_micros \
         FROM campaign WHERE campaign.status != 'REMOVED' ORDER BY campaign.id",
    );
    assert_eq!(status, 200);
    let row = json!({
        "campaign": { "resourceName": campaign, "id": id },
        "campaignBudget": { "resourceName": budget, "amountMicros": "5000000000" },
        "customer": { "resourceName": "customers/1002003002", "currencyCode": "JPY" },
        "metrics": { "costMicros": "12000000" },
    });
    let mask = "campaign.id,campaignBudget.amountMicros,customer.currencyCode,metrics.costMicros";
    assert_eq!(body, json!({ "results": [row], "fieldMask": mask }));
}

#[test]
fn removed_campaigns_are_listed_unless_filtered() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    session.mutate_ok(USD, json!([{ "campaignOperation": { "remove": campaign } }]));
    let (_, body) = session.search(USD, "SELECT campaign.id, metrics.cost_micros FROM campaign");
    assert_eq!(body["results"][0]["metrics"]["costMicros"], "0");
    let (_, body) = session.search(USD, "SELECT campaign.id FROM campaign WHERE campaign.status != 'REMOVED'");
    assert_eq!(body, json!({ "fieldMask": "campaign.id" }));
}

fn create_three(session: &mut Session) {
    for name in ["a", "b", "c"] {
        session.campaign(USD, json!({ "name": name }));
    }
}

#[test]
fn a_page_token_is_valid_for_its_query_and_customer() {
    let mut session = Session::new();
    create_three(&mut session);
    session.settings.page_size = Some(2);
    let path = format!("/v26/customers/{USD}/googleAds:search");
    let query = "SELECT campaign.name FROM campaign ORDER BY campaign.name DESC";
    let settings = json!({ "returnTotalResultsCount": true });
    let (_, first) = session.post(&path, &json!({ "query": query, "searchSettings": settings }));
    let names = |body: &Value| {
        let rows = body["results"].as_array().unwrap();
        rows.iter().map(|row| row["campaign"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&first), ["c", "b"]);
    assert_eq!(first["totalResultsCount"], "3");
    let token = &first["nextPageToken"];
    let (_, second) = session.post(&path, &json!({ "query": query, "pageToken": token }));
    assert_eq!(names(&second), ["a"]);
    assert_eq!(second.get("nextPageToken"), None);
    assert_eq!(second.get("totalResultsCount"), None);
    let other = format!("{query} LIMIT 3");
    let elsewhere = format!("/v26/customers/{EUR}/googleAds:search");
    for (path, query, token) in
        [(&path, other.as_str(), token.clone()), (&elsewhere, query, token.clone()), (&path, query, json!("Q0FFU"))]
    {
        let (status, body) = session.post(path, &json!({ "query": query, "pageToken": token }));
        assert_eq!((status, errors(&body)), (400, error("requestError.INVALID_PAGE_TOKEN", "page_token")));
    }
}

#[test]
fn a_page_size_is_rejected() {
    let path = format!("/v26/customers/{USD}/googleAds:search");
    let body = json!({ "query": "SELECT customer.id FROM customer", "pageSize": 10 });
    let (status, body) = Session::new().post(&path, &body);
    assert_eq!((status, errors(&body)), (400, error("requestError.PAGE_SIZE_NOT_SUPPORTED", "page_size")));
}

#[test]
fn conditions_order_and_limit_apply() {
    let mut session = Session::new();
    create_three(&mut session);
    let mut names = |rest: &str| {
        let (status, body) = session.search(USD, &format!("SELECT campaign.name FROM campaign {rest}"));
        assert_eq!(status, 200, "{body}");
        let rows = body["results"].as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| row["campaign"]["name"].as_str().unwrap().to_owned()).collect::<String>()
    };
    assert_eq!(names(""), "abc");
    assert_eq!(names("ORDER BY campaign.name DESC LIMIT 2"), "cb");
    assert_eq!(names("WHERE campaign.name IN ('a', \"c\")"), "ac");
    assert_eq!(names("WHERE campaign.id > 21000000001 AND campaign.name != 'c'"), "b");
    assert_eq!(names("WHERE campaign.end_date_time IS NULL AND campaign.status = PAUSED"), "abc");
    assert_eq!(names("WHERE campaign_budget.amount_micros BETWEEN 1 AND 2"), "");
}

#[test]
fn every_query_error_has_its_code() {
    let mut session = Session::new();
    let mut code = |customer, query: &str| {
        let (status, body) = session.search(customer, query);
        assert_eq!(status, 400, "{body}");
        errors(&body).remove(0).0
    };
    for (query, expected) in [
        ("SELECT campaign.nam FROM campaign", "UNRECOGNIZED_FIELD"),
        ("SELECT campaign.start_date FROM campaign", "UNRECOGNIZED_FIELD"),
        ("SELECT campaign.id FROM campaigns", "BAD_RESOURCE_TYPE_IN_FROM_CLAUSE"),
        ("SELECT campaign.id FROM customer", "PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE"),
        ("SELECT customer.id FROM customer WHERE campaign.id = 1", "PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE"),
        ("SELECT campaign.id FROM campaign WHERE campaign.status = 'ON'", "BAD_ENUM_CONSTANT"),
        ("SELECT campaign.id FROM campaign WHERE", "UNEXPECTED_END_OF_QUERY"),
    ] {
        assert_eq!(code(USD, query), format!("queryError.{expected}"), "{query}");
    }
    let metrics = "SELECT campaign.id, metrics.cost_micros FROM campaign";
    assert_eq!(code(MANAGER, metrics), "queryError.REQUESTED_METRICS_FOR_MANAGER");
    assert_eq!(code(USD, " "), "requestError.REQUIRED_FIELD_MISSING");
}

#[test]
fn customers_and_clients_of_a_manager_are_searchable() {
    let mut session = Session::new();
    let (_, body) = session
        .search(EUR, "SELECT customer.id, customer.time_zone, customer.manager, customer.status FROM customer LIMIT 1");
    let customer = json!({
        "resourceName": "customers/1002003004",
        "id": EUR,
        "timeZone": "Europe/Berlin",
        "manager": false,
        "status": "ENABLED",
    });
    assert_eq!(body["results"], json!([{ "customer": customer }]));
    let query =
        "SELECT customer_client.id, customer_client.level FROM customer_client WHERE customer_client.level <= 1";
    let (_, body) = session.search(MANAGER, query);
    let levels: Vec<_> =
        body["results"].as_array().unwrap().iter().map(|row| &row["customerClient"]["level"]).collect();
    assert_eq!(levels, ["1", "1", "1", "1", "0"]);
}

#[test]
fn billable_units_are_searchable() {
    let query = "SELECT currency_constant.code, currency_constant.billable_unit_micros FROM currency_constant \
                 WHERE currency_constant.code IN ('JPY', 'KWD')";
    let (_, body) = Session::new().search(USD, query);
    assert_eq!(body["results"][0]["currencyConstant"]["billableUnitMicros"], "1000000");
    assert_eq!(body["results"][1]["currencyConstant"]["billableUnitMicros"], "1000");
}

#[test]
fn a_stream_has_chunks_with_the_request_id() {
    let mut session = Session::new();
    create_three(&mut session);
    let path = format!("/v26/customers/{USD}/googleAds:searchStream");
    let (status, body) = session.post(&path, &json!({ "query": "SELECT campaign.name FROM campaign" }));
    assert_eq!(status, 200);
    assert_eq!(body[0]["results"].as_array().map(Vec::len), Some(3));
    assert!(body[0]["requestId"].is_string());
    let (status, _) = session.post(&path, &json!({ "query": "SELECT campaign.name FROM campaign", "pageToken": "x" }));
    assert_eq!(status, 400);
}

/// A GAQL string literal.
fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', r"\\").replace('\'', r"\'"))
}

#[test]
fn a_name_with_any_characters_matches_exactly() {
    let mut session = Session::new();
    let names =
        ["it's", "\"50%\"", r"a\b", r"ends in \", r"\'", "100%_", "冬のセール 🎉", "Ünï", "{\"a\":[1]}", "-- x"];
    for name in names {
        session.campaign(USD, json!({ "name": name }));
    }
    let query = |name: &str| format!("SELECT campaign.name FROM campaign WHERE campaign.name = {}", quoted(name));
    for name in names {
        let (status, body) = session.search(USD, &query(name));
        assert_eq!((status, body["results"].as_array().map(Vec::len)), (200, Some(1)), "{name}: {body}");
        assert_eq!(body["results"][0]["campaign"]["name"], name);
    }
    for other in ["It's", "it's ", "100%", r"a\\b"] {
        assert_eq!(session.search(USD, &query(other)).1, json!({ "fieldMask": "campaign.name" }), "{other}");
    }
    for raw in ["'it's'", "'it''s'", r"'a\b'"] {
        let (status, _) = session.search(USD, &format!("SELECT campaign.id FROM campaign WHERE campaign.name = {raw}"));
        assert_eq!(status, 400, "{raw}");
    }
}
