//! The account that a quirk of `alpha_ads` adds.

use crate::alpha::creation;
use crate::client::{TestServer, USD, authorize};
use serde_json::json;

async fn switch_on(server: &TestServer, platform: &str, quirk: &str) {
    let response = server.control("quirks", json!({ "platform": platform, "quirk": quirk, "on": true })).await;
    assert_eq!(response.status, 200, "{}", response.text);
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
    let response = again.call(&access, path, &creation("1002003900", "Sale")).await.unwrap();
    assert_eq!(response.status, 400, "{}", response.text);
    let error = &response.json()["error"]["details"][0]["errors"][0];
    assert_eq!(error["errorCode"], json!({ "mutateError": "EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED" }));
    assert!(error["message"].as_str().unwrap().contains("political advertising"), "{error}");
    assert_eq!(again.create(&access, "Sale").await.unwrap().status, 200);
}
