//! What a request for a user does: its defaults, its keys, and what it may not change.

use super::{Answer, HEADER, Stage, ask, draft, send};
use crate::in_process::json_of;
use serde_json::{Value, json};

fn fields(answer: &Answer) -> Vec<&str> {
    let details = answer.body["details"].as_array().into_iter().flatten();
    details.map(|one| one["field"].as_str().expect("a name")).collect()
}

#[tokio::test(start_paused = true)]
async fn header_and_parameter_name_one_user_or_the_request_is_refused() {
    let stage = Stage::new().await;
    let list = async |headers: &[(&str, &str)], query: &str| {
        let path = format!("/v1/connections{query}");
        send(&stage.app, &stage.world, headers, "GET", &path, &Value::Null).await
    };
    for (headers, query) in [
        (&[(HEADER, "shop_a")][..], ""),
        (&[], "?external_ref=shop_a"),
        (&[(HEADER, "shop_a")], "?external_ref=shop_a"),
    ] {
        let listed = list(headers, query).await;
        assert_eq!(listed.body["connections"].as_array().map(Vec::len), Some(2), "{headers:?} {query}: {listed:?}");
    }
    for (headers, query, field) in [
        (&[(HEADER, "")][..], "", "X-External-Ref"),
        (&[(HEADER, "shop a")], "", "X-External-Ref"),
        (&[(HEADER, "shop_a"), (HEADER, "shop_a")], "", "X-External-Ref"),
        (&[], "?external_ref=", "external_ref"),
        (&[], "?external_ref=shop_a&external_ref=shop_a", "external_ref"),
        (&[(HEADER, "shop_a")], "?external_ref=shop_b", "external_ref"),
    ] {
        let refused = list(headers, query).await;
        assert_eq!((refused.status, fields(&refused)), (400, vec![field]), "{headers:?} {query}: {refused:?}");
    }
    let headers = [(HEADER, "a b"), ("x-api-shape", "enveloped")];
    let refused = send(&stage.app, &stage.world, &headers, "GET", "/v1/campaigns", &Value::Null).await;
    let message = refused.body["error"]["message"].as_str().unwrap_or_default();
    assert!(refused.status == 400 && message.contains("X-External-Ref"), "{refused:?}");
    let unknown = ask(&stage.app, &stage.world, Some("nobody"), "GET", "/v1/connections", &Value::Null).await;
    assert_eq!((unknown.status, &unknown.body["connections"]), (200, &json!([])), "a user without connections");
}

#[tokio::test(start_paused = true)]
async fn the_only_connection_of_a_user_is_the_default() {
    let stage = Stage::new().await;
    for user in &stage.users {
        let made = ask(&stage.app, &stage.world, Some(user.name), "POST", "/v1/campaigns", &draft("Default")).await;
        assert_eq!((made.status, &made.body["connection_id"]), (201, &json!(user.connections[0])), "{made:?}");
    }
    let refused = stage.ask_for_all("POST", "/v1/campaigns", &draft("Default")).await;
    assert_eq!((refused.status, fields(&refused)), (400, vec!["connection_id"]), "two of the customer: {refused:?}");
    let nobody = ask(&stage.app, &stage.world, Some("nobody"), "POST", "/v1/campaigns", &draft("Default")).await;
    assert_eq!((nobody.status, &nobody.body["reason"]), (403, &json!("NOT_CONNECTED")), "{nobody:?}");
    for name in stage.users.iter().flat_map(super::User::names) {
        assert!(!nobody.text.contains(name), "{name} in {nobody:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_idempotency_key_belongs_to_its_user() {
    let stage = Stage::new().await;
    let create = async |user: Option<&str>| {
        let headers: Vec<(&str, &str)> = user.map(|user| (HEADER, user)).into_iter().collect();
        let headers = [&headers[..], &[("idempotency-key", "order-17")]].concat();
        let mut body = draft(&format!("Once for {user:?}"));
        if user.is_none() {
            body["connection_id"] = json!(stage.users[0].connections[0]);
        }
        send(&stage.app, &stage.world, &headers, "POST", "/v1/campaigns", &body).await
    };
    let mut ids = Vec::new();
    for user in [Some("shop_a"), Some("shop_b"), None] {
        let (first, again) = (create(user).await, create(user).await);
        assert_eq!((first.status, again.status), (201, 201), "{user:?}: {first:?} {again:?}");
        assert_eq!(first.body, again.body, "{user:?}");
        ids.push(first.body["id"].as_str().expect("an id").to_owned());
    }
    let made = ids.clone();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3, "each has bought its own: {made:?}");
}

#[tokio::test(start_paused = true)]
async fn a_bulk_change_of_all_is_of_the_connections_of_the_user() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let paused = stage.ask("POST", "/v1/campaigns/status", &json!({"status": "PAUSED", "all": true})).await;
    assert_eq!(paused.body["changes"].as_array().map(Vec::len), Some(1), "{paused:?}");
    for (user, status) in [(own, "PAUSED"), (other, "ACTIVE")] {
        let read = stage.ask_for_all("GET", &format!("/v1/campaigns/{}", user.campaign), &Value::Null).await;
        assert_eq!(read.body["status"], status, "{read:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_stays_with_the_user_for_whom_the_request_acts() {
    let stage = Stage::new().await;
    let own = &stage.users[0];
    let path = format!("/v1/connections/{}", own.connections[0]);
    for user in [json!("shop_b"), json!(null)] {
        let refused = stage.ask("PATCH", &path, &json!({"external_ref": user})).await;
        assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("NOT_PERMITTED")), "{refused:?}");
    }
    let kept = stage.ask("PATCH", &path, &json!({"external_ref": "shop_a", "label": "Main"})).await;
    assert_eq!((kept.status, &kept.body["external_ref"]), (200, &json!("shop_a")), "{kept:?}");

    // Moved by the customer, it is the other user's at once, with its campaigns and changes.
    let moved = stage.ask_for_all("PATCH", &path, &json!({"external_ref": "shop_b"})).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    for path in [path, format!("/v1/campaigns/{}", own.campaign), format!("/v1/changes/{}", own.waiting)] {
        assert_eq!(stage.ask("GET", &path, &Value::Null).await.status, 404, "{path}");
    }
    for (user, other) in [("shop_a", "shop_b"), ("shop_b", "shop_a")] {
        let path = "/v1/events?type=connection.updated";
        let events = ask(&stage.app, &stage.world, Some(user), "GET", path, &Value::Null).await;
        assert!(events.status == 200 && !events.text.contains(other), "the event of the move names both: {events:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn authorize_gives_the_new_connections_to_the_user_of_the_header() {
    let stage = Stage::new().await;
    let path = "/v1/connections/gamma_ads/authorize";
    let begun = ask(&stage.app, &stage.world, Some("shop_c"), "GET", path, &Value::Null).await;
    let id = begun.body["connection_id"].as_str().expect("an id");
    let pending = format!("/v1/connections/{id}");
    let read = ask(&stage.app, &stage.world, Some("shop_c"), "GET", &pending, &Value::Null).await;
    assert_eq!((&read.body["status"], &read.body["external_ref"]), (&json!("PENDING"), &json!("shop_c")), "{read:?}");
    assert_eq!(stage.ask("GET", &pending, &Value::Null).await.status, 404, "that of another user");
    let both = stage.ask("GET", &format!("{path}?external_ref=shop_c"), &Value::Null).await;
    assert_eq!((both.status, fields(&both)), (400, vec!["external_ref"]), "{both:?}");
}

#[tokio::test(start_paused = true)]
async fn a_public_endpoint_ignores_the_header() {
    let stage = Stage::new().await;
    let request = stage.world.request("GET", "/v1/platforms", &[(HEADER, "not a user")], "");
    let response = crate::in_process::respond(&stage.app, request).await;
    assert_eq!(response.status(), 200);
    assert!(json_of(response.body()).is_object());
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_several_users_names_each_its_own_connections() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let limit = json!({"connections": [own.connections[0], other.connections[0]],
        "amounts": [{"currency": "USD", "daily": 100}]});
    let body = json!({"name": "Both", "scopes": ["campaigns"], "spending_limit": limit});
    let made = stage.ask_for_all("POST", "/v1/api-keys", &body).await;
    let limited = crate::spending::with_key(&stage.world, made.body["api_key"].as_str().expect("a key"));
    for (user, seen) in [(Some(own.name), json!([own.connections[0]])), (None, limit["connections"].clone())] {
        let told = ask(&stage.app, &limited, user, "GET", "/v1/limits", &Value::Null).await;
        assert_eq!(told.body["connections"], seen, "{user:?}: {told:?}");
    }
}
