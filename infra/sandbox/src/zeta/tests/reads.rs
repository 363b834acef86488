//! Businesses, accounts, pixels, lists and authentication.

use super::{EUR, JPY, PIXEL, Session, USD, WITHOUT_PIXEL, request};
use crate::service::Service as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// The values of one property of a list.
fn all(body: &Value, name: &str) -> Vec<String> {
    body["data"].as_array().unwrap().iter().map(|one| one[name].as_str().unwrap().to_owned()).collect()
}

/// The page token of a sort key.
fn token(last: &str) -> String {
    URL_SAFE_NO_PAD.encode(last)
}

#[test]
fn businesses_hold_the_chosen_accounts() {
    let mut session = Session::new();
    let (_, businesses) = session.get("/me/businesses");
    assert_eq!(all(&businesses, "name"), ["Harbour Coffee", "Northpier Tea"]);
    let id = businesses["data"][0]["id"].as_str().unwrap();
    let (_, accounts) = session.get(&format!("/businesses/{id}/ad_accounts"));
    assert_eq!(all(&accounts, "id"), [USD, JPY]);
    assert_eq!(all(&accounts, "currency"), ["USD", "JPY"]);
    let (_, page) = session.get(&format!("/businesses/{id}/ad_accounts?page.size=1"));
    assert_eq!(all(&page, "id"), [USD]);
    assert!(page["pagination"]["next_url"].is_string());
    assert_eq!(session.get("/businesses/x/ad_accounts").0, 404);
    assert_eq!(session.get(&format!("/ad_accounts/{JPY}")).1["data"]["time_zone_id"], "Asia/Tokyo");
    assert_eq!(session.get(&format!("/ad_accounts/{EUR}")).0, 403);
    assert_eq!(session.get("/ad_accounts/a2_unknown").0, 404);
}

#[test]
fn one_account_has_no_pixel_and_one_has_no_time_zone() {
    let mut session = Session::new();
    let (_, pixels) = session.get(&format!("/ad_accounts/{USD}/pixels"));
    assert_eq!(all(&pixels, "id"), [PIXEL]);
    let (status, pixels) = session.get(&format!("/ad_accounts/{WITHOUT_PIXEL}/pixels"));
    assert_eq!((status, &pixels["data"]), (200, &json!([])));
    let euros = session.platform.accounts.iter().find(|account| account.id == EUR).unwrap();
    let euros = euros.json(&session.platform.ads);
    assert_eq!((&euros["time_zone_id"], &euros["currency"]), (&Value::Null, &json!("EUR")));
}

#[test]
fn pages_have_links_in_both_directions_that_keep_the_filter() {
    let mut session = Session::new();
    let mut ids: Vec<String> = (0..5).map(|_| session.create_id(json!({}))).collect();
    ids.reverse();
    let prefix = "http://127.0.0.1:4567/zeta_ads/api/v3";
    let last = format!("/ad_accounts/{USD}/campaigns?page.size=2&page.token={}", token(&ids[3]));
    let (_, page) = session.get(&last);
    let back = page["pagination"]["previous_url"].as_str().unwrap().strip_prefix(prefix).unwrap().to_owned();
    assert_eq!(all(&session.get(&back).1, "id"), ids[2..4]);
    session.settings.page_size = Some(1);
    let (_, page) = session.get(&format!("/ad_accounts/{USD}/campaigns?id={},{},x", ids[3], ids[4]));
    assert_eq!(all(&page, "id"), [ids[3].clone()]);
    let next = page["pagination"]["next_url"].as_str().unwrap().strip_prefix(prefix).unwrap().to_owned();
    assert_eq!(all(&session.get(&next).1, "id"), [ids[4].clone()]);
    let many = vec!["1"; 201].join(",");
    for invalid in ["page.size=0", "page.size=x", "page.token=x", "page_size=2", &format!("id={many}")] {
        assert_eq!(session.get(&format!("/ad_accounts/{USD}/campaigns?{invalid}")).0, 400, "{invalid}");
    }
}

#[test]
fn another_scheme_is_401_in_the_form_of_the_platform() {
    let mut session = Session::new();
    let expected = json!({ "error": { "code": 401, "message": "Bad bearer token provided." } });
    for header in ["", "Bearer ", "Basic token", "token"] {
        let mut req = request("GET", "/me/businesses", "");
        req.headers.insert("authorization".to_owned(), header.to_owned());
        let response = session.send(&req);
        assert_eq!((response.status, response.body), (401, expected.to_string()), "{header}");
    }
}

#[test]
fn a_missing_scope_is_403() {
    let mut reader = Session::with_scopes(&["adsread"]);
    assert_eq!(reader.get("/me/businesses").0, 200);
    assert_eq!(reader.post(USD, json!({})).0, 403);
    let mut writer = Session::with_scopes(&["adsedit"]);
    assert_eq!(writer.get("/me/businesses").0, 403);
}

#[test]
fn default_user_agents_of_libraries_are_rejected_with_429() {
    let mut session = Session::new();
    for agent in [
        "",
        "curl/8.5.0",
        "python-requests/2.32",
        "Python-urllib/3.12",
        "reqwest/0.12",
        "okhttp/4.12.0",
        "Go-http-client/1.1",
        "Java/21",
        "axios/1.7",
        "Mozilla/5.0 (X11)",
    ] {
        let mut req = request("GET", "/me/businesses", "");
        req.headers.insert("user-agent".to_owned(), agent.to_owned());
        assert_eq!(session.send(&req).status, 429, "{agent}");
    }
    let mut req = request("GET", "/me/businesses", "");
    req.headers.remove("user-agent");
    assert_eq!(session.send(&req).status, 429);
    assert_eq!(session.get("/me/businesses").0, 200);
}

#[test]
fn every_api_response_has_rate_limit_headers() {
    let mut session = Session::new();
    let limit = |response: &crate::http::Response, name: &str| {
        response.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    };
    for (method, path, expected, policy) in [
        ("GET", "/me/businesses", "r=399;t=60", "q=400;w=60"),
        ("GET", "/nowhere", "r=399;t=60", "q=400;w=60"),
        ("PATCH", "/campaigns/1", "r=199;t=60", "q=200;w=60"),
    ] {
        let response = session.send(&request(method, path, ""));
        assert!(limit(&response, "ratelimit").unwrap().ends_with(expected), "{path}");
        assert!(limit(&response, "ratelimit-policy").unwrap().ends_with(policy), "{path}");
    }
    let throttled = session.platform.rate_limited(&request("GET", "/me/businesses", ""));
    let left = "\"ads-campaign-management-read\";r=0;t=30".to_owned();
    assert_eq!((throttled.status, limit(&throttled, "ratelimit")), (429, Some(left)));
}
