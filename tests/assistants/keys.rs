//! The key of an assistant: it has no secret, and only its person says what it may do.

use super::Stage;
use serde_json::{Value, json};

#[tokio::test(start_paused = true)]
async fn no_program_gives_the_key_of_an_assistant_more_than_its_person_did() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let path = format!("/v1/api-keys/{key}");
    for change in [
        json!({"spending_limit": null}),
        json!({"scopes": ["read", "write"]}),
        json!({"scopes": ["campaigns"]}),
        json!({"scopes": ["read"]}),
    ] {
        let (status, answer) = stage.owner("PATCH", &path, &change).await;
        assert_eq!((status, &answer["code"]), (409, &json!("CONFLICT")), "{change}: {answer}");
    }
    assert_eq!(stage.owner("PATCH", &path, &json!({"name": "Other"})).await.0, 200);
    let listed = stage.owner("GET", "/v1/api-keys", &Value::Null).await.1;
    let listed = listed["api_keys"].as_array().expect("a list").iter().find(|one| one["id"] == json!(key.0));
    let listed = listed.expect("the key");
    assert_eq!((&listed["name"], &listed["scopes"]), (&json!("Other"), &json!(["campaigns"])), "{listed}");
    assert_eq!(stage.mcp(&tokens.access).await, 200, "a name ends nothing");
}

#[tokio::test(start_paused = true)]
async fn no_text_is_the_api_key_of_an_assistant() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let account = stage.app.store.account(stage.customer(), stage.app.clock.now()).await;
    let keys = account.expect("a store").expect("an account").keys;
    let mark = &keys.all().iter().find(|known| known.id == key).expect("the key").hash;
    for text in [mark.as_str(), &tokens.access, &tokens.refresh, &key.0] {
        let request = http::Request::get("/v1/connections").header("x-api-key", text);
        let request = request.body(lambda_http::Body::Empty).expect("a request");
        assert_eq!(crate::in_process::respond(&stage.app, request).await.status(), 401);
    }
}
