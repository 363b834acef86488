//! The export of a user: everything that is stored of it, in pages of JSON lines, and nothing of another user.

use super::{Answer, Stage, send};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const EXPORT: &str = "/v1/users/shop_a/export";

/// The lines of a page.
fn lines_of(answer: &Answer) -> Vec<Value> {
    assert_eq!(
        (answer.status, answer.header("content-type").as_str()),
        (200, "text/plain; charset=utf-8"),
        "{answer:?}"
    );
    let body = answer.body.as_str().expect("text");
    assert!(body.ends_with('\n'), "{body}");
    body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test(start_paused = true)]
async fn an_export_has_all_of_a_user_and_nothing_of_another() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let (mut counts, mut text, mut cursor) = (BTreeMap::<String, usize>::new(), String::new(), String::new());
    for page in 0.. {
        assert!(page < 100, "it has no end");
        let answer = stage.ask_for_all("GET", &format!("{EXPORT}?limit=2&cursor={cursor}"), &Value::Null).await;
        let mut lines = lines_of(&answer);
        let end = lines.pop().expect("a last line");
        assert_eq!(end["type"], "page", "{answer:?}");
        for line in lines {
            *counts.entry(line["type"].as_str().expect("a type").to_owned()).or_default() += 1;
            assert!(line["data"].is_object(), "{line}");
        }
        text.push_str(answer.body.as_str().expect("text"));
        match end["data"]["next_cursor"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }
    assert_eq!((counts["user"], counts["connection"]), (1, 2), "{counts:?}");
    for kind in ["change", "event", "request"] {
        assert!(counts[kind] >= 3, "{kind}: {counts:?}");
    }
    // Of a bulk change the export has the changes.
    for name in own.names().into_iter().filter(|name| *name != own.bulk) {
        assert!(text.contains(name), "{name} is missing");
    }
    for name in other.names() {
        assert!(!text.contains(name), "{name} is of the other user");
    }
}

#[tokio::test(start_paused = true)]
async fn an_export_is_refused_to_whoever_may_not_ask() {
    let stage = Stage::new().await;
    for query in ["limit=0", "cursor=x", "since=1"] {
        let refused = stage.ask_for_all("GET", &format!("{EXPORT}?{query}"), &Value::Null).await;
        assert_eq!(refused.status, 400, "{query}: {refused:?}");
    }
    let first = stage.ask_for_all("GET", EXPORT, &Value::Null).await;
    let cursor = lines_of(&first).pop().expect("a last line")["data"]["next_cursor"].clone();
    let path = format!("/v1/users/shop_b/export?cursor={}", cursor.as_str().expect("a cursor"));
    assert_eq!(stage.ask_for_all("GET", &path, &Value::Null).await.status, 400, "the cursor of another user");
    assert_eq!(stage.ask("GET", "/v1/users/shop_b/export", &Value::Null).await.status, 404);
    assert_eq!(stage.ask_for_all("GET", "/v1/users/nobody/export", &Value::Null).await.status, 404);
    let limit = json!({"connections": stage.users[0].connections, "amounts": [{"currency": "USD", "daily": 9}]});
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit});
    let made = stage.ask_for_all("POST", "/v1/api-keys", &body).await;
    let agent = crate::spending::with_key(&stage.world, made.body["api_key"].as_str().expect("a key"));
    assert_eq!(send(&stage.app, &agent, &[], "GET", EXPORT, &Value::Null).await.status, 403);
}
