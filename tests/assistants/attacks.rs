//! What is sent to the token endpoints that is no proper request, and tokens in places where they do not belong.

use super::{CLIENT, REVOKE, Stage, TOKEN, exchange_form, refresh_form};
use crate::in_process::engine::items;
use crate::in_process::{json_of, respond};
use lambda_http::Body;
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn no_token_stands_for_another_one() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let (_, tokens) = stage.connected().await;
    for code in [&tokens.access, &tokens.refresh] {
        assert_eq!(stage.refused(TOKEN, &exchange_form(code, &[])).await, "invalid_grant");
    }
    for refresh in [&tokens.access, &consent.code] {
        assert_eq!(stage.refused(TOKEN, &refresh_form(refresh, &[])).await, "invalid_grant");
    }
    for bearer in [&tokens.refresh, &consent.code] {
        assert_eq!(stage.mcp(bearer).await, 401);
        assert_eq!(stage.mcp(&bearer.replace("uar_", "uat_").replace("uao_", "uat_")).await, 401);
    }
    let renamed = tokens.access.replace("uat_", "uar_");
    assert_eq!(stage.refused(TOKEN, &refresh_form(&renamed, &[])).await, "invalid_grant");
    assert_eq!(stage.mcp(&tokens.access).await, 200);
    stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await;
}

#[tokio::test(start_paused = true)]
async fn an_access_token_works_at_the_endpoint_of_agents_only() {
    let stage = Stage::new().await;
    let (_, tokens) = stage.connected().await;
    for path in ["/v1/campaigns", "/v1/connections", "/v1/limits", "/v1/customer/me"] {
        assert_eq!(stage.bearer("GET", path, &tokens.access).await, 401, "{path}");
        let in_query = format!("{path}?access_token={}", tokens.access);
        let request = http::Request::get(in_query).body(Body::Empty).expect("a request");
        assert_eq!(respond(&stage.app, request).await.status(), 401, "{path}");
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
    for (name, path) in [("x-api-key", "/v1/mcp".to_owned()), ("x-other", format!("/v1/mcp?token={}", tokens.access))] {
        let request = http::Request::post(path).header("content-type", "application/json").header(name, &tokens.access);
        let answered = respond(&stage.app, request.body(Body::from(message.clone())).expect("a request")).await;
        assert_eq!(answered.status(), 401, "{name}");
    }
    assert_eq!(stage.mcp(&tokens.access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn tokens_are_for_one_resource() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    for other in [
        "https://service.example/v1/mcp/",
        "https://service.example",
        "https://SERVICE.example/v1/mcp",
        "http://service.example/v1/mcp",
        "https://other.example/v1/mcp",
    ] {
        let form = exchange_form(&consent.code, &[("resource", other)]);
        assert_eq!(stage.refused(TOKEN, &form).await, "invalid_target", "{other}");
    }
    let own = "resource=https://service.example/v1/mcp";
    let twice = format!("{}&{own}&{own}", exchange_form(&consent.code, &[]));
    assert_eq!(stage.refused(TOKEN, &twice).await, "invalid_target");
    let refresh = super::tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await).refresh;
    let form = refresh_form(&refresh, &[("resource", "https://other.example/v1/mcp")]);
    assert_eq!(stage.refused(TOKEN, &form).await, "invalid_target");
    stage.refresh(&refresh).await;
}

#[tokio::test(start_paused = true)]
async fn a_form_that_could_mean_two_things_is_refused() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let good = exchange_form(&consent.code, &[]);
    for name in ["grant_type", "client_id", "code", "redirect_uri", "code_verifier"] {
        let without = exchange_form(&consent.code, &[(name, "")]);
        assert_eq!(stage.refused(TOKEN, &without).await, "invalid_request", "{name}");
        assert_eq!(stage.refused(TOKEN, &format!("{good}&{name}=x")).await, "invalid_request", "{name}");
    }
    for (wrong, error) in [
        (exchange_form(&consent.code, &[("grant_type", "client_credentials")]), "unsupported_grant_type"),
        (exchange_form(&consent.code, &[("grant_type", "password")]), "unsupported_grant_type"),
        (format!("{good}&padding={}", "x".repeat(16 * 1024)), "invalid_request"),
        (String::new(), "invalid_request"),
        ("\u{0}&&==%zz%ff".to_owned(), "invalid_request"),
    ] {
        assert_eq!(stage.refused(TOKEN, &wrong).await, error, "{wrong:.60}");
    }
    assert_eq!(stage.refused(&format!("{TOKEN}?code={}", consent.code), &good).await, "invalid_request");
    for kind in [None, Some("application/json"), Some("multipart/form-data; boundary=x"), Some("text/plain")] {
        let request = http::Request::post(TOKEN);
        let request = if let Some(kind) = kind { request.header("content-type", kind) } else { request };
        let answered = respond(&stage.app, request.body(Body::from(good.clone())).expect("a request")).await;
        assert_eq!((answered.status().as_u16(), &json_of(answered.body())["error"]), (400, &json!("invalid_request")));
    }
    stage.ok(TOKEN, &format!("{good}&unknown=x&client_secret=y")).await;
}

#[tokio::test(start_paused = true)]
async fn altered_and_moved_tokens_are_none() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let (key, tokens) = stage.connected().await;
    let own = stage.customer().0.simple().to_string();
    let other = uuid::Uuid::from_u128(8).simple().to_string();
    for at in (0..tokens.refresh.len()).step_by(7) {
        let replaced = if tokens.refresh.as_bytes()[at] == b'A' { "B" } else { "A" };
        let mut altered = tokens.refresh.clone();
        altered.replace_range(at..=at, replaced);
        assert_eq!(stage.refused(TOKEN, &refresh_form(&altered, &[])).await, "invalid_grant", "{at}");
    }
    for moved in
        [tokens.refresh.replace(&own, &other), tokens.refresh.replace("_test_", "_live_"), "uar_test_".to_owned()]
    {
        assert_eq!(stage.refused(TOKEN, &refresh_form(&moved, &[])).await, "invalid_grant");
    }
    assert_eq!(stage.refused(TOKEN, &exchange_form(&consent.code.replace(&own, &other), &[])).await, "invalid_grant");
    assert_eq!(stage.mcp(&tokens.access.replace(&own, &other)).await, 401);
    assert_eq!(stage.signed_out(&key).await, None);
}

#[tokio::test(start_paused = true)]
async fn the_table_has_no_token_and_no_code() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let first = super::tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await);
    let second = stage.refresh(&first.refresh).await;
    let events = stage.owner("GET", "/v1/events", &serde_json::Value::Null).await.1.to_string();
    let all = format!("{} {events}", serde_json::Value::from(items(&stage.world.database)));
    assert!(all.contains("ASSISTANT#"), "{all}");
    for token in [&consent.code, &first.access, &first.refresh, &second.access, &second.refresh] {
        let sealed = token.split_once('.').expect("a dot").1;
        assert!(!all.contains(sealed) && !all.contains(&token[..46]), "{token}");
    }
    assert!(!all.contains(super::VERIFIER));
}

#[tokio::test(start_paused = true)]
async fn other_methods_and_unknown_revocations_tell_nothing() {
    let stage = Stage::new().await;
    for method in ["GET", "PUT", "DELETE"] {
        let request = http::Request::builder().method(method).uri(TOKEN).body(Body::Empty).expect("a request");
        let answered = respond(&stage.app, request).await;
        assert!([404, 405].contains(&answered.status().as_u16()), "{method}: {answered:?}");
    }
    for token in ["x", "uat_test_00000000000000000000000000000000.v1.k1.AAAA", "uac_test_1"] {
        let form = super::form(&[("token", token), ("client_id", CLIENT), ("token_type_hint", "refresh_token")], &[]);
        assert_eq!(stage.ok(REVOKE, &form).await, json!({}), "{token}");
    }
    assert_eq!(stage.refused(REVOKE, "client_id=x").await, "invalid_request");
    assert_eq!(stage.refused(REVOKE, "token=a&token=b").await, "invalid_request");
}
