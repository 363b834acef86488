//! Addresses, the envelope, and who may ask.

use super::*;

fn bare(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Request { headers, ..request(method, path, "", "") }
}

#[test]
fn an_error_comes_with_http_200_and_its_code_in_the_body() {
    let mut scene = Scene::new();
    let answer = scene.post(CREATE, &json!({}));
    refused(&answer, 40002, "advertiser_id: Missing data for required field.");
    let keys: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["code", "data", "message", "request_id"]);
    assert!(!answer["request_id"].as_str().unwrap().is_empty());
    let broken = scene.gamma.broken(&Request::default());
    assert_eq!(broken.status, 200);
    refused(&serde_json::from_str(&broken.body).unwrap(), 50000, "System error");
    let throttled = scene.gamma.throttled(&Request::default());
    assert_eq!((throttled.status, throttled.headers.len()), (200, 1));
    refused(&serde_json::from_str(&throttled.body).unwrap(), 40100, "too frequently");
}

#[test]
fn without_its_trailing_slash_an_address_is_a_404_page() {
    let mut scene = Scene::new();
    for (method, path) in [
        ("POST", "/campaign/create"),
        ("GET", "/campaign/get"),
        ("POST", "/oauth2/access_token"),
        ("GET", "/campaign/get//"),
        ("GET", "/campaign/create/"),
        ("GET", "/adgroup/get/"),
    ] {
        let reply = scene.send(&request(method, path, "", "{}"));
        assert_eq!(reply.status, 404, "{method} {path}");
        assert!(reply.body.contains("<html>"), "{}", reply.body);
    }
    let older = Request { path: "/open_api/v1.2/campaign/get/".to_owned(), ..request("GET", "", "", "") };
    assert_eq!(scene.send(&older).status, 404);
}

#[test]
fn a_missing_token_is_40104_and_a_wrong_or_revoked_one_40105() {
    let mut scene = Scene::new();
    let path = "/campaign/get/";
    let null = "Access token is null, you should set it in http header with key Access-Token.";
    for headers in [&[][..], &[("authorization", "Bearer token")], &[("access-token", "")]] {
        assert_eq!(outcome(&scene.told(&bare("GET", path, headers))), (40104, null));
    }
    let wrong = "Access token is incorrect or has been revoked.";
    for token in ["other", "Bearer token"] {
        assert_eq!(outcome(&scene.told(&bare("GET", path, &[("access-token", token)]))), (40105, wrong));
    }
    scene.gamma.revoke_used(&request("GET", path, "", ""));
    assert_eq!(outcome(&scene.list(&[])), (40105, wrong));
}

#[test]
fn a_token_whose_time_was_set_and_is_over_is_40102() {
    let mut scene = Scene::new();
    scene.now = "2026-03-02T12:01:00Z".parse().unwrap();
    refused(&scene.list(&[]), 40102, "expired");
}

#[test]
fn a_token_reaches_the_advertisers_that_were_chosen_and_no_other() {
    let mut scene = Scene::new();
    for (advertiser, code) in [(EUR, 40001), ("7301002003004005999", 40300)] {
        refused(&scene.get("/campaign/get/", &[("advertiser_id", advertiser)]), code, advertiser);
        refused(&scene.post(CREATE, &manual(json!({ "advertiser_id": advertiser }))), code, advertiser);
    }
    let query = [("app_id", CLIENT.id), ("secret", CLIENT.secret)];
    let answer = scene.get("/oauth2/advertiser/get/", &query);
    let list = answer["data"]["list"].as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(list[1], json!({ "advertiser_id": JPY, "advertiser_name": "Harbour Coffee Japan" }));
    let query = [("app_id", CLIENT.id), ("secret", "wrong")];
    refused(&scene.get("/oauth2/advertiser/get/", &query), 40101, "secret");
}

#[test]
fn advertiser_info_takes_json_text_lists_and_answers_the_fields_asked_for() {
    let mut scene = Scene::new();
    let path = "/advertiser/info/";
    let one = format!("[\"{KWD}\"]");
    let answer = scene.get(path, &[("advertiser_ids", &one), ("fields", r#"["currency","display_timezone"]"#)]);
    assert_eq!(answer["data"]["list"], json!([{ "currency": "KWD", "display_timezone": "Asia/Kuwait" }]));
    let answer = scene.get(path, &[("advertiser_ids", &one)]);
    assert_eq!(answer["data"]["list"][0]["status"], "STATUS_ENABLE");
    assert_eq!(answer["data"]["list"][0]["timezone"], "Etc/GMT-3");
    refused(&scene.get(path, &[("advertiser_ids", KWD)]), 40002, "advertiser_ids");
    refused(&scene.get(path, &[("advertiser_ids", "[]")]), 40002, "advertiser_ids");
    refused(&scene.get(path, &[("advertiser_ids", &one), ("fields", "currency")]), 40002, "fields");
    refused(&scene.get(path, &[("advertiser_ids", &one), ("fields", "[\"money\"]")]), 40002, "fields");
    refused(&scene.get(path, &[("advertiser_ids", &format!("[\"{EUR}\"]"))]), 40001, EUR);
}

#[test]
fn one_advertiser_that_is_gone_refuses_advertiser_info_as_a_whole() {
    let mut scene = Scene::new();
    let gone = "7301002003004005999";
    for ids in [vec![gone], vec![USD, gone, JPY], vec![EUR, gone]] {
        let ids = json!(ids).to_string();
        let why = format!("Advertiser {gone} doesn't exist or has been deleted");
        refused(&scene.get("/advertiser/info/", &[("advertiser_ids", &ids)]), 40001, &why);
    }
    let answer = scene.get("/advertiser/info/", &[("advertiser_ids", &json!([USD, JPY]).to_string())]);
    assert_eq!(answer["data"]["list"].as_array().unwrap().len(), 2);
}

#[test]
fn a_body_that_is_no_json_object_is_refused() {
    let mut scene = Scene::new();
    for body in ["", "[]", "{\"advertiser_id\":", "advertiser_id=1"] {
        let path = CREATE;
        refused(&scene.told(&request("POST", path, "", body)), 40002, "JSON");
    }
    let form = [("access-token", "token"), ("content-type", "application/x-www-form-urlencoded")];
    refused(&scene.told(&bare("POST", CREATE, &form)), 40002, "Content-Type");
}

#[test]
fn a_code_lives_an_hour() {
    for (then, expected) in [("2026-03-02T12:59:59Z", 0), ("2026-03-02T13:00:00Z", 40110)] {
        let mut scene = Scene::new();
        let query = [("app_id", CLIENT.id), ("redirect_uri", "https://app.example/cb")];
        let consent = Request {
            method: "POST".to_owned(),
            path: "/portal/auth".to_owned(),
            query: form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish(),
            body: "decision=approve".to_owned(),
            ..Request::default()
        };
        let reply = scene.send(&consent);
        let to = reply.headers.iter().find(|(name, _)| *name == "location").map(|(_, to)| to.clone()).unwrap();
        let code = to.strip_prefix("https://app.example/cb?auth_code=").unwrap();
        scene.now = then.parse().unwrap();
        let body = json!({ "app_id": CLIENT.id, "secret": CLIENT.secret, "auth_code": code });
        let answer = scene.post("/oauth2/access_token/", &body);
        assert_eq!(answer["code"], expected, "{answer}");
    }
}
