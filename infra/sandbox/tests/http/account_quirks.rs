//! Quirks of `alpha_ads`, `beta_ads` and `gamma_ads` over HTTP: the control API, and the accounts that they add.

use crate::client::{TestServer, USD, authorize, creation};
use serde_json::{Value, json};

const PLATFORMS: [&str; 3] = ["alpha_ads", "beta_ads", "gamma_ads"];

async fn quirks(server: &TestServer, platform: &str) -> Vec<Value> {
    let body = server.get(&format!("/_sandbox/quirks?platform={platform}")).await.json();
    body["quirks"].as_array().unwrap().clone()
}

async fn switch_on(server: &TestServer, platform: &str, quirk: &str) {
    let response = server.control("quirks", json!({ "platform": platform, "quirk": quirk, "on": true })).await;
    assert_eq!(response.status, 200, "{}", response.text);
}

#[tokio::test]
async fn each_quirk_has_a_description_and_is_off_by_default() {
    let server = TestServer::new().await;
    for platform in PLATFORMS {
        let all_are = |rows: &[Value], on: bool| !rows.is_empty() && rows.iter().all(|row| row["on"] == on);
        let rows = quirks(&server, platform).await;
        assert!(all_are(&rows, false), "{rows:?}");
        assert!(rows.iter().all(|row| row["what"].as_str().unwrap().ends_with('.')), "{rows:?}");
        switch_on(&server, platform, "all").await;
        let mut rows = quirks(&server, platform).await;
        rows.retain(|row| {
            !["service_disabled", "dialog_error", "created_otherwise"].iter().any(|one| row["quirk"] == *one)
        });
        assert!(all_are(&rows, true), "some are switched on alone: {rows:?}");
    }
    server.control("reset", json!({})).await;
    for platform in PLATFORMS {
        assert!(quirks(&server, platform).await.iter().all(|row| row["on"] == false), "{platform}");
    }
}

#[tokio::test]
async fn a_quirk_account_is_marked_and_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let path = authorize(&[]);
    assert!(!server.get(&path).await.text.contains("1002003900"));
    switch_on(&server, "alpha_ads", "undeclared_customer").await;
    let page = server.get(&path).await.text;
    assert!(page.contains("1002003900") && page.contains("quirk account"), "{page}");
    let code = server.approve(&[], &[USD, "1002003900"]).await;
    let access = server.exchange(&code, &[]).await.json()["access_token"].as_str().unwrap().to_owned();
    let again = TestServer::start(Some(folder.path())).await;
    let path = "/v26/customers/1002003900/googleAds:mutate";
    let body: Value = serde_json::from_str(&creation("Sale").to_string().replace(USD, "1002003900")).unwrap();
    let response = again.call(&access, path, &body).await.unwrap();
    assert_eq!(response.status, 400, "{}", response.text);
    let error = &response.json()["error"]["details"][0]["errors"][0];
    assert_eq!(error["errorCode"], json!({ "mutateError": "EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED" }));
    assert!(error["message"].as_str().unwrap().contains("political advertising"), "{error}");
    assert_eq!(again.create(&access, "Sale").await.unwrap().status, 200);
}
