//! The control addresses.

use crate::client::{TestServer, USD, authorize};
use serde_json::json;

#[tokio::test]
async fn the_request_log_has_every_request_in_order_and_unchanged() {
    let server = TestServer::new().await;
    let (access, _) = server.connect().await;
    server.search(&access, "SELECT customer.id FROM customer").await.unwrap();
    let body = server.get("/_sandbox/requests?platform=alpha_ads").await.json();
    let requests = body["requests"].as_array().unwrap();
    let paths: Vec<_> = requests.iter().map(|one| one["path"].as_str().unwrap()).collect();
    let search = format!("/v26/customers/{USD}/googleAds:search");
    assert_eq!(paths, ["/o/oauth2/v2/auth", "/token", search.as_str()]);
    assert!(requests[0]["query"].as_str().unwrap().contains("code_challenge="));
    assert_eq!(requests[0]["body"], "decision=approve");
    assert!(requests[1]["body"].as_str().unwrap().contains("client_secret=sandbox-secret-alpha"));
    assert_eq!(requests[2]["method"], "POST");
    assert_eq!(requests[2]["headers"]["authorization"], format!("Bearer {access}"));
    assert_eq!(requests[2]["body"], "{\"query\":\"SELECT customer.id FROM customer\"}");
    assert_eq!(server.get("/_sandbox/requests").await.json(), body);
}

#[tokio::test]
async fn secrets_list_revoked_and_unused_ones_after_a_reset() {
    let server = TestServer::new().await;
    let code = server.approve(&[], &[]).await;
    let first = server.exchange(&code, &[]).await.json();
    let (access, refresh) = (first["access_token"].clone(), first["refresh_token"].clone());
    let second = server.refresh(refresh.as_str().unwrap()).await.json()["access_token"].clone();
    server.control("reset", json!({})).await;
    let unused = server.approve(&[], &[]).await;
    let response = server.get("/_sandbox/secrets?platform=alpha_ads").await.json();
    let secret =
        |kind: &str, value: serde_json::Value| json!({ "platform": "alpha_ads", "kind": kind, "value": value });
    let expected = json!([
        secret("client_secret", json!("sandbox-secret-alpha")),
        secret("authorization_code", json!(code)),
        secret("refresh_token", refresh),
        secret("access_token", access),
        secret("access_token", second),
        secret("authorization_code", json!(unused)),
    ]);
    assert_eq!(response, json!({ "secrets": expected }));
    let all = server.get("/_sandbox/secrets").await.json();
    assert_eq!(all["secrets"].as_array().unwrap().len(), 6 + sandbox::PLATFORMS.len() - 1);
    assert_eq!(server.control("secrets", json!({})).await.status, 405);
}

#[tokio::test]
async fn clients_list_the_oauth_client_of_each_platform() {
    let server = TestServer::new().await;
    let client = |name: &str| {
        let client = sandbox::client(name).unwrap();
        json!({ "platform": name, "client_id": client.id, "client_secret": client.secret })
    };
    let all: Vec<_> = sandbox::PLATFORMS.iter().map(|name| client(name)).collect();
    assert_eq!(server.get("/_sandbox/clients").await.json(), json!({ "clients": all }));
    let one = server.get("/_sandbox/clients?platform=beta_ads").await.json();
    assert_eq!(one, json!({ "clients": [client("beta_ads")] }));
}

#[tokio::test]
async fn an_invalid_control_request_names_its_field() {
    let server = TestServer::new().await;
    for (name, body, field) in [
        ("accounts", json!({ "platform": "alpha_ads" }), "currency"),
        ("accounts", json!({ "platform": "alpha_ads", "currency": "XXX" }), "currency"),
        ("accounts", json!({ "platform": "omega_ads", "currency": "USD" }), "platform"),
        ("accounts", json!({ "platform": "alpha_ads", "currency": 5 }), "currency"),
        ("access", json!({ "platform": "alpha_ads", "account": USD, "access": "x" }), "access"),
        ("faults", json!({ "platform": "alpha_ads", "operation": "x", "fault": "drop", "times": 1 }), "operation"),
        ("faults", json!({ "platform": "alpha_ads", "operation": "get", "fault": "x", "times": 1 }), "fault"),
        ("faults", json!({ "platform": "alpha_ads", "operation": "get", "fault": "drop" }), "times"),
        ("faults", json!({ "platform": "alpha_ads", "operation": "get", "times": 1 }), "fault"),
        ("faults", json!({ "platform": "alpha_ads", "operation": "get", "fault": "slow", "times": 1, "ms": -1 }), "ms"),
        (
            "faults",
            json!({ "platform": "alpha_ads", "operation": "get", "fault": "front", "times": 1, "status": 200 }),
            "status",
        ),
        ("settings", json!({ "platform": "alpha_ads", "page_size": 0 }), "page_size"),
        ("settings", json!({ "platform": "alpha_ads", "latency": 5 }), "latency"),
    ] {
        let response = server.control(name, body.clone()).await;
        assert_eq!(response.status, 400, "{body}");
        let error = response.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(field), "{body}: {error}");
    }
    assert_eq!(server.get("/_sandbox/requests?platform=omega_ads").await.status, 400);
    assert_eq!(server.get("/_sandbox/unknown").await.status, 404);
    let wrong = server.get("/_sandbox/faults").await;
    assert_eq!((wrong.status, wrong.headers["allow"].as_str()), (405, "POST"));
}

#[tokio::test]
async fn reset_clears_faults_settings_and_the_log_but_no_grant() {
    let server = TestServer::new().await;
    let (access, _) = server.connect().await;
    server.create(&access, "Sale").await.unwrap();
    let fault = json!({ "platform": "alpha_ads", "operation": "any", "fault": "error", "times": 9 });
    server.control("faults", fault).await;
    server.control("settings", json!({ "platform": "alpha_ads", "latency_ms": 60_000 })).await;
    assert_eq!(server.control("reset", json!({})).await.status, 200);
    assert_eq!(server.get("/_sandbox/requests").await.json(), json!({ "requests": [] }));
    let response = server.search(&access, "SELECT campaign.name FROM campaign").await.unwrap();
    assert_eq!(response.json()["results"][0]["campaign"]["name"], "Sale");
}

#[tokio::test]
async fn control_refuses_web_pages_and_consent_pages_work_in_a_browser() {
    let server = TestServer::new().await;
    let host = server.running().address.to_string();
    let own = format!("http://{host}");
    let send = async |method: &str, headers: &[(&str, &str)]| {
        let (name, body) = if method == "POST" { ("reset", "{}") } else { ("secrets", "") };
        server.send(method, &format!("/_sandbox/{name}"), headers, body).await.unwrap().status
    };
    let json = ("content-type", "application/json");
    for (headers, status) in [
        (vec![json], 200),
        (vec![("content-type", "application/json; charset=utf-8"), ("origin", own.as_str())], 200),
        (vec![json, ("host", "localhost:8081")], 200),
        (vec![json, ("host", "host.localhost:8081")], 200),
        (vec![json, ("origin", "https://evil.example")], 403),
        (vec![json, ("origin", "null")], 403),
        (vec![json, ("host", "evil.example:8081")], 403),
        (vec![json, ("host", "evil.example"), ("origin", "http://evil.example")], 403),
        (vec![("content-type", "text/plain")], 415),
        (vec![("content-type", "application/x-www-form-urlencoded")], 415),
        (vec![], 415),
    ] {
        assert_eq!(send("POST", &headers).await, status, "{headers:?}");
    }
    for (headers, status) in
        [(vec![], 200), (vec![("host", "evil.example")], 403), (vec![("origin", "https://evil.example")], 403)]
    {
        assert_eq!(send("GET", &headers).await, status, "{headers:?}");
    }
    let form = ("content-type", "application/x-www-form-urlencoded");
    let browser = [form, ("origin", own.as_str()), ("sec-fetch-site", "same-origin")];
    let consent = server.send("POST", &authorize(&[]), &browser, "decision=approve").await.unwrap();
    assert!(consent.redirect().contains_key("code"));
}

#[tokio::test]
async fn ads_and_holds_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let (access, _) = server.connect().await;
    server.create(&access, "Sale").await.unwrap();
    let id = server.get("/_sandbox/campaigns?platform=alpha_ads").await.json()["campaigns"][0]["id"].clone();
    for (name, body) in [
        ("ads", json!({ "platform": "alpha_ads", "campaign_id": id, "ads": ["approved", "rejected"] })),
        ("hold", json!({ "platform": "alpha_ads", "campaign_id": id, "hold": "audience" })),
        ("hold", json!({ "platform": "alpha_ads", "account": USD, "hold": "suspended" })),
    ] {
        assert_eq!(server.control(name, body).await.status, 200);
    }
    let again = TestServer::start(Some(folder.path())).await;
    let books = again.get("/_sandbox/campaigns?platform=alpha_ads").await.json()["campaigns"][0].clone();
    assert_eq!((&books["ads"], &books["hold"]), (&json!(["approved", "rejected"]), &json!("audience")));
    let found = again.search(&access, "SELECT customer.status, ad_group_ad.status FROM ad_group_ad").await.unwrap();
    let rows = found.json()["results"].as_array().unwrap().clone();
    assert_eq!((rows.len(), &rows[0]["customer"]["status"]), (2, &json!("SUSPENDED")));
}
