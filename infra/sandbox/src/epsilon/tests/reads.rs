//! Authentication, ad accounts and lists.

use super::{ANALYST, EUR, JPY, Session, USD, item, request};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

#[test]
fn a_list_hides_archived_campaigns_and_drafts_by_default() {
    let mut session = Session::new();
    let mut id = |status: &str| session.create(json!({ "status": status }))["id"].as_str().unwrap().to_owned();
    let (active, paused, draft, archived) = (id("ACTIVE"), id("PAUSED"), id("DRAFT"), id("PAUSED"));
    session.update(&json!(archived), json!({ "status": "ARCHIVED" }));
    assert_eq!(session.ids("").0, [active.clone(), paused.clone()]);
    assert_eq!(session.ids("entity_statuses=ARCHIVED&entity_statuses=DRAFT").0, [draft, archived.clone()]);
    assert_eq!(session.ids(&format!("campaign_ids={archived}")).0, [""; 0]);
    let both = format!("campaign_ids={archived}&campaign_ids={paused}&entity_statuses=PAUSED&entity_statuses=ARCHIVED");
    assert_eq!(session.ids(&both).0, [paused, archived]);
}

#[test]
fn entity_statuses_are_repeated_and_not_joined_by_commas() {
    let mut session = Session::new();
    for query in ["entity_statuses=ACTIVE,PAUSED", "entity_statuses=active", "entity_statuses=", "statuses=ACTIVE"] {
        let (status, response) = session.get(&format!("/v5/ad_accounts/{USD}/campaigns?{query}"));
        assert_eq!((status, &response["code"]), (400, &json!(1)), "{query}");
    }
}

#[test]
fn a_bookmark_is_valid_for_its_order() {
    let mut session = Session::new();
    let made: Vec<String> = (0..5).map(|_| session.create(json!({}))["id"].as_str().unwrap().to_owned()).collect();
    let (page, next) = session.ids("page_size=2&order=DESCENDING");
    assert_eq!(page, [made[4].clone(), made[3].clone()]);
    let bookmark = next.as_str().unwrap();
    assert_eq!(session.ids(&format!("page_size=2&order=DESCENDING&bookmark={bookmark}")).0[0], made[2]);
    let other = format!("/v5/ad_accounts/{USD}/campaigns?page_size=2&order=ASCENDING&bookmark={bookmark}");
    assert_eq!(session.get(&other).0, 400);
}

#[test]
fn archiving_between_pages_neither_hides_nor_repeats_campaigns() {
    let mut session = Session::new();
    let made: Vec<Value> = (0..4).map(|_| session.create(json!({}))["id"].clone()).collect();
    let (page, next) = session.ids("page_size=2");
    assert_eq!(json!(page), json!([made[0], made[1]]));
    session.update(&made[1], json!({ "status": "ARCHIVED" }));
    let (page, next) = session.ids(&format!("page_size=2&bookmark={}", next.as_str().unwrap()));
    assert_eq!((json!(page), next), (json!([made[2], made[3]]), Value::Null));
}

#[test]
fn a_page_has_25_rows_by_default_and_250_at_most() {
    let mut session = Session::new();
    let thirty: Value = (0..30).map(|_| item(json!({}))).collect();
    session.write("POST", USD, &thirty);
    assert_eq!(session.ids("").0.len(), 25);
    assert_eq!(session.ids("page_size=250").0.len(), 30);
    for query in ["page_size=251", "page_size=0", "page_size=x", "order=NEWEST", "bookmark=x", "campaign_ids=x"] {
        let (status, response) = session.get(&format!("/v5/ad_accounts/{USD}/campaigns?{query}"));
        assert_eq!((status, &response["code"]), (400, &json!(1)), "{query}");
    }
    session.settings.page_size = Some(4);
    assert_eq!(session.ids("page_size=250").0.len(), 4);
}

#[test]
fn the_account_list_has_currency_and_roles_of_chosen_accounts_only() {
    let mut session = Session::new();
    let (_, body) = session.get("/v5/ad_accounts?include_shared_accounts=true&page_size=250");
    let rows = |body: &Value| -> Vec<(Value, Value, Value)> {
        let items = body["items"].as_array().unwrap().clone();
        items.iter().map(|one| (one["id"].clone(), one["currency"].clone(), one["permissions"].clone())).collect()
    };
    let row = |id: &str, currency: &str, role: &str| (json!(id), json!(currency), json!([role]));
    let own = [row(USD, "USD", "OWNER"), row(JPY, "JPY", "OWNER")];
    assert_eq!(rows(&body), [own.to_vec(), vec![row(ANALYST, "GBP", "ANALYST")]].concat());
    assert_eq!(body["bookmark"], Value::Null);
    assert_eq!(rows(&session.get("/v5/ad_accounts?include_shared_accounts=false").1), own);
    let (_, first) = session.get("/v5/ad_accounts?page_size=2");
    let (_, rest) =
        session.get(&format!("/v5/ad_accounts?page_size=2&bookmark={}", first["bookmark"].as_str().unwrap()));
    assert_eq!(rows(&rest), [row(ANALYST, "GBP", "ANALYST")]);
    assert_eq!(session.get(&format!("/v5/ad_accounts/{JPY}")).1["country"], "JP");
}

#[test]
fn every_account_has_its_own_time_zone() {
    let mut session = Session::new();
    let (_, body) = session.get("/v5/ad_accounts");
    let zones: Vec<_> = body["items"].as_array().unwrap().iter().map(|one| one["time_zone"].clone()).collect();
    assert_eq!(zones, ["America/Los_Angeles", "Asia/Tokyo", "Europe/London"]);
    assert_eq!(session.platform.accounts()[2].time_zone, "Europe/Berlin");
}

#[test]
fn an_analyst_reads_but_writing_is_403_with_code_29() {
    let mut session = Session::new();
    assert_eq!(session.get(&format!("/v5/ad_accounts/{ANALYST}/campaigns")).0, 200);
    for method in ["POST", "PATCH"] {
        let (status, response) = session.write(method, ANALYST, &json!([item(json!({ "ad_account_id": ANALYST }))]));
        assert_eq!((status, &response["code"]), (403, &json!(29)));
    }
}

#[test]
fn an_account_not_chosen_is_403_code_7_and_an_unknown_one_404_code_2() {
    let mut session = Session::new();
    for path in [format!("/v5/ad_accounts/{EUR}"), format!("/v5/ad_accounts/{EUR}/campaigns")] {
        let (status, response) = session.get(&path);
        assert_eq!((status, &response["code"]), (403, &json!(7)), "{path}");
    }
    let (status, response) = session.get("/v5/ad_accounts/1/campaigns");
    assert_eq!((status, response), (404, json!({ "code": 2, "message": "AdAccount not found." })));
    let (status, response) = session.get(&format!("/v5/ad_accounts/{USD}/campaigns/5"));
    assert_eq!((status, &response["code"]), (404, &json!(30)));
    assert_eq!(session.get(&format!("/v5/ad_accounts/{USD}/campaigns/x")).0, 400);
    assert_eq!(session.write("POST", EUR, &json!([item(json!({}))])).0, 403);
}

#[test]
fn another_scheme_is_401_code_2_and_a_missing_scope_401_code_3() {
    let path = format!("/v5/ad_accounts/{USD}/campaigns");
    let mut session = Session::with_scopes(&["ads:read"]);
    let (status, response) = session.write("POST", USD, &json!([item(json!({}))]));
    assert_eq!((status, &response["code"]), (401, &json!(3)));
    assert_eq!(Session::with_scopes(&["ads:write"]).get(&path).1["code"], 3);
    for header in [None, Some("Basic token"), Some("token")] {
        let mut req = request("GET", &path, "");
        req.headers.remove("authorization");
        req.headers.extend(header.map(|value| ("authorization".to_owned(), value.to_owned())));
        assert_eq!(session.call(&req), (401, json!({ "code": 2, "message": "Authentication failed." })), "{header:?}");
    }
}

#[test]
fn paths_and_content_types_are_exact() {
    let mut session = Session::new();
    for (method, path, expected) in [
        ("GET", "/v5/ad_accounts/", 404),
        ("GET", "/v5/ad_accounts/549755813001/campaigns/", 404),
        ("GET", "/v4/ad_accounts", 404),
        ("GET", "/v5/user_account", 404),
        ("POST", "/v5/ad_accounts", 405),
        ("DELETE", "/v5/ad_accounts/549755813001/campaigns", 405),
        ("DELETE", "/v5/ad_accounts/549755813001/campaigns/5", 404),
    ] {
        let (status, response) = session.call(&request(method, path, ""));
        assert_eq!(status, expected, "{method} {path}");
        assert!(response["code"].is_u64() && response["message"].is_string());
    }
    let mut form = request("POST", &format!("/v5/ad_accounts/{USD}/campaigns"), &json!([item(json!({}))]).to_string());
    form.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(session.call(&form).0, 400);
}
