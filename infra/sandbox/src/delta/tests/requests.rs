//! Authentication, authorization, versions and routes.

use super::{CANCELED, EUR, JPY, Session, USD, creation, request};
use serde_json::{Value, json};

const ACCOUNTS: &str = "/rest/adAccounts?q=search";

#[test]
fn a_missing_version_is_400_and_a_retired_or_unknown_one_426() {
    let mut session = Session::new();
    let mut req = request("GET", ACCOUNTS, "");
    for good in ["202512", "202602", "202607", "202611"] {
        req.headers.insert("linkedin-version".to_owned(), good.to_owned());
        assert_eq!(session.send(&req).status, 200, "{good}");
    }
    for dead in ["202511", "202401", "202612", "202600", "202613", "2026", "latest"] {
        req.headers.insert("linkedin-version".to_owned(), dead.to_owned());
        let response = session.send(&req);
        assert_eq!(response.status, 426, "{dead}");
        assert!(response.body.contains("NONEXISTENT_VERSION"), "{}", response.body);
    }
    req.headers.remove("linkedin-version");
    let response = session.send(&req);
    assert_eq!(response.status, 400);
    assert!(response.body.contains("VERSION_MISSING"), "{}", response.body);
}

#[test]
fn a_version_ends_on_its_announced_date() {
    let mut session = Session::new();
    let mut req = request("GET", ACCOUNTS, "");
    for (now, version, status) in [
        ("2027-01-14T23:59:59Z", "202601", 200),
        ("2027-01-15T00:00:00Z", "202601", 426),
        ("2027-01-15T00:00:00Z", "202512", 426),
        ("2027-02-14T23:59:59Z", "202602", 200),
        ("2027-02-15T00:00:00Z", "202602", 426),
        ("2027-02-15T00:00:00Z", "202607", 200),
        ("2027-02-15T00:00:00Z", "202611", 200),
    ] {
        session.now = now.parse().unwrap();
        session.platform.grants.open(super::CLIENT.id, vec![USD.to_string()], &["rw_ads"], session.now.as_second(), 60);
        req.headers.insert("linkedin-version".to_owned(), version.to_owned());
        let response = session.send(&req);
        assert_eq!(response.status, status, "{version} at {now}: {}", response.body);
        assert!(status == 200 || response.body.contains("NONEXISTENT_VERSION"), "{}", response.body);
    }
}

#[test]
fn a_missing_token_and_another_scheme_have_their_own_codes() {
    let mut session = Session::new();
    let mut req = request("GET", ACCOUNTS, "");
    for (token, number, code) in [("Basic token", 65_600, "INVALID_ACCESS_TOKEN"), ("", 401, "EMPTY_ACCESS_TOKEN")] {
        req.headers.insert("authorization".to_owned(), token.to_owned());
        let response = session.send(&req);
        let body: Value = serde_json::from_str(&response.body).unwrap();
        let expected = (401, &json!(number), &json!(code));
        assert_eq!((response.status, &body["serviceErrorCode"], &body["code"]), expected);
    }
}

#[test]
fn a_grant_covers_the_chosen_accounts_only() {
    let mut session = Session::new();
    let (_, body) = session.get(ACCOUNTS);
    let ids: Vec<_> = body["elements"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [USD, JPY, CANCELED]);
    assert_eq!(body["metadata"], json!({}));
    let (_, body) = session.get("/rest/adAccounts?q=search&search=(status:(values:List(ACTIVE)))");
    assert_eq!(body["elements"].as_array().unwrap().len(), 2);
    let (_, body) = session.get("/rest/adAccountUsers?q=authenticatedUser");
    let urns: Vec<_> = body["elements"].as_array().unwrap().iter().map(|one| one["account"].clone()).collect();
    assert_eq!(urns, [USD, JPY, CANCELED].map(|id| json!(format!("urn:li:sponsoredAccount:{id}"))));
    let (status, body) = session.get(&format!("/rest/adAccounts/{EUR}"));
    assert_eq!((status, &body["code"], &body["serviceErrorCode"]), (403, &json!("ACCESS_DENIED"), &json!(100)));
    assert_eq!(session.get("/rest/adAccounts/1").0, 404);
    assert_eq!(session.get(&format!("/rest/adAccounts/{JPY}")).1["currency"], "JPY");
}

#[test]
fn a_read_scope_does_not_allow_writes() {
    let mut session = Session::with_access(&[USD], &["r_ads"]);
    assert_eq!(session.get(ACCOUNTS).0, 200);
    let fields = session.campaign_fields(USD, &json!({}));
    assert_eq!(session.send(&creation(USD, &fields)).status, 403);
}

#[test]
fn missing_resources_are_404_in_the_form_of_the_platform() {
    let mut session = Session::new();
    let (status, body) = session.get(&format!("/rest/adAccounts/{USD}/adCampaigns/5"));
    assert_eq!((status, body), (404, json!({ "code": "NOT_FOUND", "message": "Not Found.", "status": 404 })));
    for path in ["/rest/creatives", "/v2/me", "/rest/adAccounts/x", "/rest/adCampaigns/5"] {
        assert_eq!(session.get(path).0, 404, "{path}");
    }
}

#[test]
fn a_body_must_be_json_and_declare_it() {
    let mut session = Session::new();
    let fields = session.campaign_fields(USD, &json!({}));
    let mut req = creation(USD, &fields);
    req.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(session.send(&req).status, 415);
    req.headers.insert("content-type".to_owned(), "application/json; charset=utf-8".to_owned());
    req.body = "[]".to_owned();
    assert_eq!(session.send(&req).status, 400);
}
