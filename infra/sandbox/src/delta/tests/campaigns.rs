//! Creates of campaigns and groups.

use super::{CANCELED, JPY, Session, USD, creation, error, header, request};
use serde_json::{Value, json};

#[test]
fn a_create_returns_201_with_an_empty_body_and_the_id_in_a_header() {
    let mut session = Session::new();
    let fields = session.campaign_fields(USD, &json!({}));
    let response = session.send(&creation(USD, &fields));
    assert_eq!((response.status, response.body.as_str()), (201, ""));
    let id: i64 = header(&response, "x-restli-id").unwrap().parse().unwrap();
    let campaign = session.get_campaign(id);
    assert_eq!((&campaign["id"], &campaign["status"]), (&json!(id), &json!("PAUSED")));
    assert_eq!(campaign["servingStatuses"], json!(["CAMPAIGN_START_DATE_HOLD", "STOPPED"]));
    assert_eq!(campaign["version"]["versionTag"], "1");
    assert_eq!(campaign["changeAuditStamps"]["created"]["time"], json!(session.now_ms()));
}

#[test]
fn protocol_1_returns_the_id_in_another_header() {
    let mut session = Session::new();
    let fields = session.campaign_fields(USD, &json!({}));
    let mut old = creation(USD, &fields);
    old.headers.remove("x-restli-protocol-version");
    let response = session.send(&old);
    assert_eq!(response.status, 201);
    assert!(header(&response, "x-restli-id").is_none());
    assert!(header(&response, "x-linkedin-id").is_some());
}

#[test]
fn missing_required_fields_are_input_errors() {
    let mut session = Session::new();
    for field in [
        "account",
        "campaignGroup",
        "costType",
        "locale",
        "name",
        "offsiteDeliveryEnabled",
        "politicalIntent",
        "runSchedule",
        "targetingCriteria",
        "type",
    ] {
        let path = format!("/{field}");
        let errors = session.create_errors(USD, &json!({ field: null }));
        assert_eq!(errors, error("MISSING_FIELD", &path));
    }
    let fields = session.campaign_fields(USD, &json!({ "type": null, "costType": null }));
    let response = session.send(&creation(USD, &fields));
    let body: Value = serde_json::from_str(&response.body).unwrap();
    assert_eq!(body["code"], "MULTIPLE_VALIDATIONS_FAILED");
    assert_eq!(body["errorDetails"]["inputErrors"].as_array().unwrap().len(), 2);
}

#[test]
fn a_campaign_without_a_status_is_active_and_spends() {
    let mut session = Session::new();
    let now = session.now_ms();
    let id = session.campaign(USD, &json!({ "status": null, "runSchedule": { "start": now } }));
    let campaign = session.get_campaign(id);
    assert_eq!((&campaign["status"], &campaign["servingStatuses"]), (&json!("ACTIVE"), &json!(["RUNNABLE"])));
    let archived = session.create_errors(USD, &json!({ "status": "ARCHIVED" }));
    assert_eq!(archived, error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
}

#[test]
fn the_campaign_group_must_belong_to_the_account() {
    let mut session = Session::new();
    let foreign = session.group(JPY);
    for id in [foreign, 1] {
        let group = json!({ "campaignGroup": format!("urn:li:sponsoredCampaignGroup:{id}") });
        assert_eq!(session.create_errors(USD, &group), error("INVALID_VALUE", "/campaignGroup"));
    }
    let account = json!({ "account": format!("urn:li:sponsoredAccount:{JPY}") });
    assert_eq!(session.create_errors(USD, &account), error("INVALID_VALUE", "/account"));
}

#[test]
fn unknown_fields_wrong_types_and_wrong_enums_fail_the_schema() {
    let mut session = Session::new();
    for (changes, word) in [
        (json!({ "budget": 5 }), "/budget :: unrecognized field"),
        (json!({ "id": 5 }), "/id :: ReadOnly field"),
        (json!({ "objectiveType": "WEBSITE_VISITS" }), "\"WEBSITE_VISITS\" is not an enum symbol"),
        (json!({ "status": "ENABLED" }), "/status"),
        (json!({ "offsiteDeliveryEnabled": "false" }), "/offsiteDeliveryEnabled"),
        (json!({ "runSchedule": { "start": "2026-03-02" } }), "/runSchedule/start"),
        (json!({ "campaignGroup": 5 }), "/campaignGroup"),
        (json!({ "dailyBudget": { "amount": "50" } }), "/dailyBudget/currencyCode"),
        (json!({ "targetingCriteria": { "include": { "or": [] } } }), "/targetingCriteria/include/or"),
    ] {
        let fields = session.campaign_fields(USD, &changes);
        let response = session.send(&creation(USD, &fields));
        assert_eq!(response.status, 422, "{changes}");
        let body: Value = serde_json::from_str(&response.body).unwrap();
        assert!(body["message"].as_str().unwrap().contains(word), "{body}");
    }
}

#[test]
fn names_have_up_to_255_characters_and_may_repeat() {
    let mut session = Session::new();
    session.campaign(USD, &json!({ "name": "é".repeat(255) }));
    session.campaign(USD, &json!({ "name": "é".repeat(255) }));
    for name in ["x".repeat(256), " ".to_owned(), String::new()] {
        assert_eq!(session.create_errors(USD, &json!({ "name": name })), error("INVALID_VALUE", "/name"));
    }
}

#[test]
fn an_audience_needs_a_location_and_a_valid_locale() {
    let mut session = Session::new();
    let nowhere = json!({ "targetingCriteria": { "include": { "and": [] } } });
    let missing = error("MISSING_FIELD", "/targetingCriteria/include/and/locations");
    assert_eq!(session.create_errors(USD, &nowhere), missing);
    for (country, language) in [("us", "en"), ("AT", "de"), ("US", "xx")] {
        let locale = json!({ "locale": { "country": country, "language": language } });
        assert_eq!(session.create_errors(USD, &locale), error("INVALID_VALUE", "/locale"), "{language}_{country}");
    }
    session.campaign(USD, &json!({ "locale": { "country": "DE", "language": "de" } }));
}

#[test]
fn a_canceled_account_is_readable_but_rejects_creates() {
    let mut session = Session::new();
    let (status, body) = session.get(&format!("/rest/adAccounts/{CANCELED}"));
    assert_eq!((status, &body["status"]), (200, &json!("CANCELED")));
    assert_eq!(body["servingStatuses"], json!(["STOPPED"]));
    let fields = session.campaign_fields(CANCELED, &json!({}));
    assert_eq!(session.send(&creation(CANCELED, &fields)).status, 403);
}

#[test]
fn a_group_is_created_found_by_name_and_read() {
    let mut session = Session::new();
    let (_, found) = session.get(&format!(
        "/rest/adAccounts/{USD}/adCampaignGroups?q=search&search=(name:(values:List(Spring)),status:(values:List(ACTIVE)))"
    ));
    let id = found["elements"][0]["id"].as_i64().unwrap();
    let (status, group) = session.get(&format!("/rest/adAccounts/{USD}/adCampaignGroups/{id}"));
    assert_eq!((status, &group["name"]), (200, &json!("Spring")));
    let path = format!("/rest/adAccounts/{USD}/adCampaignGroups");
    let account = format!("urn:li:sponsoredAccount:{USD}");
    let group = json!({ "account": account, "name": "x", "status": "ACTIVE" });
    let response = session.send(&request("POST", &path, &group.to_string()));
    assert_eq!(super::errors(&response), error("MISSING_FIELD", "/runSchedule"));
}
