//! Quirks, and the calls that still work with all of them on.

use super::*;

const ARCHIVE: &str = "7301002003004004001";
const TROUBLED: &str = "7301002003004004002";
const DELETED: &str = "7301002003004004999";

/// A session whose token grants access to one more advertiser.
fn session_with(advertiser: &str) -> Session {
    let mut session = Session::new();
    let accounts = vec![USD.to_owned(), advertiser.to_owned()];
    session.platform.grants.open(CLIENT.id, accounts, &[], session.now.as_second(), 3600);
    session
}

/// The response to an unknown auth code.
fn exchange_unknown_code(session: &mut Session) -> Value {
    let body = json!({ "app_id": CLIENT.id, "secret": CLIENT.secret, "auth_code": "never" });
    session.post("/oauth2/access_token/", &body)
}

#[test]
fn a_deleted_advertiser_stays_in_its_grants() {
    let mut session = Session::new();
    session.quirk("deleted_advertiser");
    let query = [("app_id", CLIENT.id), ("secret", CLIENT.secret)];
    let listed = session.get("/oauth2/advertiser/get/", &query)["data"]["list"].clone();
    let ids: Vec<Value> = listed.as_array().unwrap().iter().map(|one| one["advertiser_id"].clone()).collect();
    assert_eq!(ids, [USD, JPY, KWD, DELETED]);
    let all = json!(ids).to_string();
    assert_error(&session.get("/advertiser/info/", &[("advertiser_ids", &all)]), 40001, DELETED);
    let others = json!([USD, JPY, KWD]).to_string();
    assert_eq!(session.get("/advertiser/info/", &[("advertiser_ids", &others)])["code"], 0);
    assert_eq!(session.platform.accounts().len(), 4);
}

#[test]
fn the_token_response_includes_the_deleted_advertiser() {
    let mut session = Session::new();
    session.quirk("deleted_advertiser");
    let consent = crate::oauth::Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: String::new(),
        scopes: Vec::new(),
        declined: Vec::new(),
        accounts: vec![USD.to_owned()],
        challenge: None,
        refreshable: false,
    };
    session.platform.grants.add_code("fresh", consent, i64::MAX);
    let body = json!({ "app_id": CLIENT.id, "secret": CLIENT.secret, "auth_code": "fresh" });
    let response = session.post("/oauth2/access_token/", &body);
    assert_eq!(response["data"]["advertiser_ids"], json!([USD, DELETED]));
}

#[test]
fn every_tenth_read_fails_and_the_next_succeeds() {
    let mut session = Session::new();
    session.quirk("passing_troubles");
    let codes: Vec<Value> = (0..30).map(|_| session.list(&[])["code"].clone()).collect();
    let failures: Vec<(usize, &Value)> = codes.iter().enumerate().filter(|(_, code)| **code != 0).collect();
    assert_eq!(failures, [(9, &json!(40700)), (19, &json!(40200)), (29, &json!(40201))]);
    for _ in 0..12 {
        session.campaign();
    }
}

#[test]
fn creates_of_the_troubled_advertiser_fail_before_or_after_the_write() {
    let mut session = session_with(TROUBLED);
    session.quirk("troubled_creates");
    let mut held = Vec::new();
    for (name, code, count) in [("a", 40700, 1), ("b", 40200, 1), ("c", 40201, 2), ("d", 0, 3), ("e", 40700, 4)] {
        let body = manual(json!({ "advertiser_id": TROUBLED, "campaign_name": name }));
        assert_eq!(session.post(CREATE, &body)["code"], code, "{name}");
        let listed = session.list(&[("advertiser_id", TROUBLED)]);
        assert_eq!(listed["code"], 40002, "given twice");
        let listed = session.get("/campaign/get/", &[("advertiser_id", TROUBLED)]);
        held = listed["data"]["list"].as_array().unwrap().clone();
        assert_eq!(held.len(), count, "{name}");
    }
    let names: Vec<&str> = held.iter().map(|row| row["campaign_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["e", "d", "c", "a"]);
    session.campaign();
}

#[test]
fn an_invalid_auth_code_is_40110_or_40101() {
    let mut session = Session::new();
    assert_error(&exchange_unknown_code(&mut session), 40110, "Auth code");
    session.quirk("auth_code_40101");
    assert_error(&exchange_unknown_code(&mut session), 40101, "Auth code");
}

#[test]
fn skewed_ids_do_not_increase_with_time_and_order_the_list() {
    let mut session = Session::new();
    session.quirk("id_skew");
    let mut made = Vec::new();
    for _ in 0..4 {
        made.push(session.campaign());
        session.now += jiff::SignedDuration::from_secs(5);
    }
    let distinct: std::collections::BTreeSet<&String> = made.iter().collect();
    assert_eq!(distinct.len(), 4);
    assert!(made[0] > made[1], "{made:?}");
    let listed = session.list(&[]);
    assert_eq!(ids(&listed), distinct.into_iter().rev().collect::<Vec<_>>());
    let first = &listed["data"]["list"].as_array().unwrap()[0];
    assert_ne!(first["create_time"], "2026-03-02 12:00:15", "the newest is not first");
    // An hour exceeds every skew.
    session.now = "2026-03-02T12:59:59Z".parse().unwrap();
    let accounts = vec![USD.to_owned()];
    session.platform.grants.open(CLIENT.id, accounts, &[], session.now.as_second(), 60);
    let last = session.campaign();
    assert!(made.iter().all(|id| *id < last));
}

#[test]
fn campaigns_with_legacy_and_unknown_objectives_are_listed() {
    let mut session = session_with(ARCHIVE);
    assert_error(&session.get("/campaign/get/", &[("advertiser_id", ARCHIVE)]), 40300, ARCHIVE);
    session.quirk("legacy_objectives");
    let response = session.get("/campaign/get/", &[("advertiser_id", ARCHIVE)]);
    let rows = response["data"]["list"].as_array().unwrap();
    let objectives: Vec<&Value> = rows.iter().map(|row| &row["objective_type"]).collect();
    assert_eq!(objectives, ["UNHEARD_OF", "CATALOG_SALES", "CONVERSIONS", "APP_INSTALL"]);
    assert_eq!(session.platform.accounts().len(), 5, "it opens once");
    let card = session.platform.accounts().pop().unwrap();
    assert_eq!((card.id.as_str(), card.marks.as_slice()), (ARCHIVE, &["quirk"][..]));
    assert_eq!(session.platform.open_account("USD").unwrap().id, "7301002003004005006");
}

#[test]
fn manual_campaigns_for_conversions_can_end_earlier() {
    let mut session = Session::new();
    session.quirk("smart_plus_only");
    assert_error(
        &session.post(CREATE, &manual(json!({ "objective_type": "LEAD_GENERATION" }))),
        40002,
        "objective_type",
    );
    session.create(SMART, &smart(json!({})));
    session.create(CREATE, &manual(json!({ "campaign_name": "Traffic" })));
}
