//! Who may call what, and how.

use serde_json::{Value, json};

use super::{CANCELED, EUR, JPY, Scene, USD, creation, request};
use crate::faults::{Call, Operation};
use crate::platform::Platform;

const ACCOUNTS: &str = "/rest/adAccounts?q=search";

#[test]
fn no_version_is_400_and_a_retired_or_unknown_one_is_426() {
    let mut scene = Scene::new();
    let mut asked = request("GET", ACCOUNTS, "");
    for good in ["202512", "202602", "202607", "202611"] {
        asked.headers.insert("linkedin-version".to_owned(), good.to_owned());
        assert_eq!(scene.send(&asked).status, 200, "{good}");
    }
    for dead in ["202511", "202401", "202612", "202600", "202613", "2026", "latest"] {
        asked.headers.insert("linkedin-version".to_owned(), dead.to_owned());
        let reply = scene.send(&asked);
        assert_eq!(reply.status, 426, "{dead}");
        assert!(reply.body.contains("NONEXISTENT_VERSION"), "{}", reply.body);
    }
    asked.headers.remove("linkedin-version");
    let reply = scene.send(&asked);
    assert_eq!(reply.status, 400);
    assert!(reply.body.contains("VERSION_MISSING"), "{}", reply.body);
}

#[test]
fn a_version_ends_on_the_day_that_was_announced() {
    let mut scene = Scene::new();
    let mut asked = request("GET", ACCOUNTS, "");
    for (now, version, status) in [
        ("2027-01-14T23:59:59Z", "202601", 200),
        ("2027-01-15T00:00:00Z", "202601", 426),
        ("2027-01-15T00:00:00Z", "202512", 426),
        ("2027-02-14T23:59:59Z", "202602", 200),
        ("2027-02-15T00:00:00Z", "202602", 426),
        ("2027-02-15T00:00:00Z", "202607", 200),
        ("2027-02-15T00:00:00Z", "202611", 200),
    ] {
        scene.now = now.parse().unwrap();
        scene.delta.grants.open(super::CLIENT.id, vec![USD.to_string()], &["rw_ads"], scene.now.as_second(), 60);
        asked.headers.insert("linkedin-version".to_owned(), version.to_owned());
        let reply = scene.send(&asked);
        assert_eq!(reply.status, status, "{version} at {now}: {}", reply.body);
        assert!(status == 200 || reply.body.contains("NONEXISTENT_VERSION"), "{}", reply.body);
    }
}

#[test]
fn an_invalid_a_revoked_and_an_expired_token_have_their_own_numbers() {
    let mut scene = Scene::new();
    let mut asked = request("GET", ACCOUNTS, "");
    let mut code = |scene: &mut Scene, token: &str| {
        asked.headers.insert("authorization".to_owned(), token.to_owned());
        let reply = scene.send(&asked);
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        (reply.status, body["serviceErrorCode"].clone(), body["code"].clone())
    };
    let expected = |number: u32, code: &str| (401, json!(number), json!(code));
    assert_eq!(code(&mut scene, "Bearer other"), expected(65_600, "INVALID_ACCESS_TOKEN"));
    assert_eq!(code(&mut scene, "Basic token"), expected(65_600, "INVALID_ACCESS_TOKEN"));
    assert_eq!(code(&mut scene, ""), expected(401, "EMPTY_ACCESS_TOKEN"));
    scene.now = "2026-06-26T05:46:40Z".parse().unwrap();
    assert_eq!(code(&mut scene, "Bearer token"), expected(65_602, "EXPIRED_ACCESS_TOKEN"));
    scene.delta.grants.revoke("token");
    assert_eq!(code(&mut scene, "Bearer token"), expected(65_601, "REVOKED_ACCESS_TOKEN"));
}

#[test]
fn a_grant_reaches_the_accounts_that_were_chosen_and_no_other() {
    let mut scene = Scene::new();
    let (_, body) = scene.get(ACCOUNTS);
    let ids: Vec<_> = body["elements"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [USD, JPY, CANCELED]);
    assert_eq!(body["metadata"], json!({}));
    let (_, body) = scene.get("/rest/adAccounts?q=search&search=(status:(values:List(ACTIVE)))");
    assert_eq!(body["elements"].as_array().unwrap().len(), 2);
    let (_, body) = scene.get("/rest/adAccountUsers?q=authenticatedUser");
    let urns: Vec<_> = body["elements"].as_array().unwrap().iter().map(|one| one["account"].clone()).collect();
    assert_eq!(urns, [USD, JPY, CANCELED].map(|id| json!(format!("urn:li:sponsoredAccount:{id}"))));
    let (status, body) = scene.get(&format!("/rest/adAccounts/{EUR}"));
    assert_eq!((status, &body["code"], &body["serviceErrorCode"]), (403, &json!("ACCESS_DENIED"), &json!(100)));
    assert_eq!(scene.get("/rest/adAccounts/1").0, 404);
    assert_eq!(scene.get(&format!("/rest/adAccounts/{JPY}")).1["currency"], "JPY");
}

#[test]
fn a_scope_that_only_reads_does_not_write() {
    let mut scene = Scene::open_to(&[USD], &["r_ads"]);
    assert_eq!(scene.get(ACCOUNTS).0, 200);
    let fields = scene.fields(USD, &json!({}));
    assert_eq!(scene.send(&creation(USD, &fields)).status, 403);
}

#[test]
fn what_is_not_there_is_404_in_the_platform_s_form() {
    let mut scene = Scene::new();
    let (status, body) = scene.get(&format!("/rest/adAccounts/{USD}/adCampaigns/5"));
    assert_eq!((status, body), (404, json!({ "code": "NOT_FOUND", "message": "Not Found.", "status": 404 })));
    for path in ["/rest/creatives", "/v2/me", "/rest/adAccounts/x", "/rest/adCampaigns/5"] {
        assert_eq!(scene.get(path).0, 404, "{path}");
    }
}

#[test]
fn a_body_is_json_and_says_so() {
    let mut scene = Scene::new();
    let fields = scene.fields(USD, &json!({}));
    let mut asked = creation(USD, &fields);
    asked.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(scene.send(&asked).status, 415);
    asked.headers.insert("content-type".to_owned(), "application/json; charset=utf-8".to_owned());
    asked.body = "[]".to_owned();
    assert_eq!(scene.send(&asked).status, 400);
}

#[test]
fn faults_know_campaign_calls_and_leave_groups_and_reports_alone() {
    let scene = Scene::new();
    let base = format!("/rest/adAccounts/{USD}");
    let call = |method: &str, path: &str| scene.delta.call(&request(method, path, ""));
    assert_eq!(call("POST", &format!("{base}/adCampaigns")), Call::Known(Operation::Create));
    assert_eq!(call("GET", &format!("{base}/adCampaigns?q=search")), Call::Known(Operation::List));
    assert_eq!(call("GET", &format!("{base}/adCampaigns/5")), Call::Known(Operation::Get));
    assert_eq!(call("POST", &format!("{base}/adCampaigns/5")), Call::Known(Operation::Update));
    assert_eq!(call("DELETE", &format!("{base}/adCampaigns/5")), Call::Known(Operation::Delete));
    assert_eq!(call("GET", ACCOUNTS), Call::Known(Operation::Accounts));
    assert_eq!(call("POST", &format!("{base}/adCampaignGroups")), Call::Other);
    assert_eq!(call("GET", "/rest/adAnalytics?q=analytics"), Call::Other);
}

#[test]
fn an_older_file_without_this_platform_s_fields_loads() {
    let delta: super::Delta = serde_json::from_str("{}").unwrap();
    assert_eq!(delta.accounts().len(), 5);
}
