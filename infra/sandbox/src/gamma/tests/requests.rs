//! Routes, the response envelope and authorization.

use super::*;

fn bare(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Request { headers, ..request(method, path, "", "") }
}

#[test]
fn an_error_has_status_200_and_its_code_in_the_body() {
    let mut session = Session::new();
    let response = session.post(CREATE, &json!({}));
    assert_error(&response, 40002, "advertiser_id: Missing data for required field.");
    let keys: Vec<_> = response.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["code", "data", "message", "request_id"]);
    assert!(!response["request_id"].as_str().unwrap().is_empty());
}

#[test]
fn a_path_without_its_trailing_slash_is_a_404_page() {
    let mut session = Session::new();
    for (method, path) in [
        ("POST", "/campaign/create"),
        ("GET", "/campaign/get"),
        ("POST", "/oauth2/access_token"),
        ("GET", "/campaign/get//"),
        ("GET", "/campaign/create/"),
        ("GET", "/adgroup/get/"),
    ] {
        let response = session.send(&request(method, path, "", "{}"));
        assert_eq!(response.status, 404, "{method} {path}");
        assert!(response.body.contains("<html>"), "{}", response.body);
    }
    let older = Request { path: "/open_api/v1.2/campaign/get/".to_owned(), ..request("GET", "", "", "") };
    assert_eq!(session.send(&older).status, 404);
}

#[test]
fn a_missing_token_is_40104_and_the_scheme_is_part_of_a_wrong_one() {
    let mut session = Session::new();
    let path = "/campaign/get/";
    let null = "Access token is null, you should set it in http header with key Access-Token.";
    for headers in [&[][..], &[("authorization", "Bearer token")], &[("access-token", "")]] {
        assert_eq!(code_and_message(&session.send_json(&bare("GET", path, headers))), (40104, null));
    }
    let bearer = session.send_json(&bare("GET", path, &[("access-token", "Bearer token")]));
    assert_eq!(code_and_message(&bearer), (40105, "Access token is incorrect or has been revoked."));
}

#[test]
fn a_token_grants_access_to_the_chosen_advertisers_only() {
    let mut session = Session::new();
    for (advertiser, code) in [(EUR, 40001), ("7301002003004005999", 40300)] {
        assert_error(&session.get("/campaign/get/", &[("advertiser_id", advertiser)]), code, advertiser);
        assert_error(&session.post(CREATE, &manual(json!({ "advertiser_id": advertiser }))), code, advertiser);
    }
    let query = [("app_id", CLIENT.id), ("secret", CLIENT.secret)];
    let response = session.get("/oauth2/advertiser/get/", &query);
    let list = response["data"]["list"].as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(list[1], json!({ "advertiser_id": JPY, "advertiser_name": "Harbour Coffee Japan" }));
    let query = [("app_id", CLIENT.id), ("secret", "wrong")];
    assert_error(&session.get("/oauth2/advertiser/get/", &query), 40101, "secret");
}

#[test]
fn advertiser_info_takes_json_lists_and_returns_the_selected_fields() {
    let mut session = Session::new();
    let path = "/advertiser/info/";
    let one = format!("[\"{KWD}\"]");
    let response = session.get(path, &[("advertiser_ids", &one), ("fields", r#"["currency","display_timezone"]"#)]);
    assert_eq!(response["data"]["list"], json!([{ "currency": "KWD", "display_timezone": "Asia/Kuwait" }]));
    let response = session.get(path, &[("advertiser_ids", &one)]);
    assert_eq!(response["data"]["list"][0]["status"], "STATUS_ENABLE");
    assert_eq!(response["data"]["list"][0]["timezone"], "Etc/GMT-3");
    assert_error(&session.get(path, &[("advertiser_ids", KWD)]), 40002, "advertiser_ids");
    assert_error(&session.get(path, &[("advertiser_ids", "[]")]), 40002, "advertiser_ids");
    assert_error(&session.get(path, &[("advertiser_ids", &one), ("fields", "currency")]), 40002, "fields");
    assert_error(&session.get(path, &[("advertiser_ids", &one), ("fields", "[\"money\"]")]), 40002, "fields");
    assert_error(&session.get(path, &[("advertiser_ids", &format!("[\"{EUR}\"]"))]), 40001, EUR);
}

#[test]
fn one_deleted_advertiser_fails_the_whole_advertiser_info_call() {
    let mut session = Session::new();
    let gone = "7301002003004005999";
    for ids in [vec![gone], vec![USD, gone, JPY], vec![EUR, gone]] {
        let ids = json!(ids).to_string();
        let why = format!("Advertiser {gone} doesn't exist or has been deleted");
        assert_error(&session.get("/advertiser/info/", &[("advertiser_ids", &ids)]), 40001, &why);
    }
    let response = session.get("/advertiser/info/", &[("advertiser_ids", &json!([USD, JPY]).to_string())]);
    assert_eq!(response["data"]["list"].as_array().unwrap().len(), 2);
}

#[test]
fn a_body_that_is_no_json_object_is_rejected() {
    let mut session = Session::new();
    for body in ["", "[]", "{\"advertiser_id\":", "advertiser_id=1"] {
        let path = CREATE;
        assert_error(&session.send_json(&request("POST", path, "", body)), 40002, "JSON");
    }
    let form = [("access-token", "token"), ("content-type", "application/x-www-form-urlencoded")];
    assert_error(&session.send_json(&bare("POST", CREATE, &form)), 40002, "Content-Type");
}

#[test]
fn an_auth_code_expires_after_an_hour() {
    for (then, expected) in [("2026-03-02T12:59:59Z", 0), ("2026-03-02T13:00:00Z", 40110)] {
        let mut session = Session::new();
        let query = [("app_id", CLIENT.id), ("redirect_uri", "https://app.example/cb")];
        let consent = Request {
            method: "POST".to_owned(),
            path: "/portal/auth".to_owned(),
            query: form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish(),
            body: "decision=approve".to_owned(),
            ..Request::default()
        };
        let response = session.send(&consent);
        let to = response.headers.iter().find(|(name, _)| *name == "location").map(|(_, to)| to.clone()).unwrap();
        let code = to.strip_prefix("https://app.example/cb?auth_code=").unwrap();
        session.now = then.parse().unwrap();
        let body = json!({ "app_id": CLIENT.id, "secret": CLIENT.secret, "auth_code": code });
        let response = session.post("/oauth2/access_token/", &body);
        assert_eq!(response["code"], expected, "{response}");
    }
}
