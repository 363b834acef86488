//! `/v1/usage-logs`: its entries, filters and pages, and the data that it never contains.

use crate::world::{TestResponse, World, campaign, id_of};
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{CustomerId, UsageEntry, UsageFilters};
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

const PATH: &str = "/v1/usage-logs";

impl World {
    /// The entries of a page, and its cursor.
    async fn page(&self, query: &str) -> (Vec<Value>, Option<String>) {
        let page = self.ask("GET", &format!("{PATH}?{query}")).expect(200).await.json();
        let pagination = &page["pagination"];
        assert_eq!(pagination["has_more"], pagination["next_cursor"].is_string(), "{page}");
        let cursor = pagination["next_cursor"].as_str().map(str::to_owned);
        (page["usage_logs"].as_array().expect("a list").clone(), cursor)
    }

    /// The requests in a page.
    async fn requests(&self, query: &str) -> Vec<String> {
        self.page(query).await.0.iter().map(request_of).collect()
    }

    /// Sends a request, waits for its entry, and returns the request's id.
    async fn asked(&self, method: &str, path: &str, status: u16) -> String {
        let entry = self.logged(&self.ask(method, path).expect(status).await).await;
        request_of(&entry)
    }
}

fn request_of(entry: &Value) -> String {
    entry["request_id"].as_str().expect("an id").to_owned()
}

/// Method, path, status and platform of an entry.
fn summary(entry: &Value) -> (&str, &str, u64, Option<&str>) {
    let text = |name: &str| entry[name].as_str();
    let status = entry["status_code"].as_u64().expect("a status");
    (text("method").expect("a method"), text("path").expect("a path"), status, text("platform"))
}

#[tokio::test]
async fn an_entry_has_the_request_and_its_status() {
    let world = World::connected("alpha_ads").await;
    let before = Clock::system().now();
    let created = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "Logged")).expect(201).await;
    let entry = world.logged(&created).await;
    let names: BTreeSet<&str> = entry.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = ["id", "method", "path", "status_code", "timestamp", "response_time_ms", "request_id", "platform"];
    assert_eq!(
        names,
        expected.into_iter().chain(["platform_time_ms", "tool", "api_key_id", "connection_id"]).collect()
    );
    assert_eq!(summary(&entry), ("POST", "/v1/campaigns", 201, Some("alpha_ads")));
    assert_eq!(entry["request_id"], created.header("x-request-id"));
    let timestamp = entry["timestamp"].as_str().expect("a time");
    assert_eq!(timestamp.len(), "2026-12-01T09:00:00.000Z".len(), "{timestamp}");
    let at: Timestamp = timestamp.parse().expect("a time");
    assert!(at >= before - SignedDuration::from_millis(1) && at <= Clock::system().now());
    let (whole, part) = (entry["response_time_ms"].as_u64(), entry["platform_time_ms"].as_u64());
    assert!(part.is_some() && part <= whole, "{entry}");
}

#[tokio::test]
async fn every_request_with_a_valid_key_is_logged_once() {
    let world = World::connected("alpha_ads").await;
    let campaign_path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "n").await));
    let connection_path = format!("/v1/connections/{}", id_of(&world.connections().await[0]));
    let alpha = Some("alpha_ads");
    let large = " ".repeat(300 * 1024);
    world.fault("alpha_ads", "list", "error", 9).await;
    let requests = [
        (world.ask("GET", "/v1/campaigns?limit=5"), ("GET", "/v1/campaigns", 502, alpha)),
        (world.ask("GET", &campaign_path), ("GET", campaign_path.as_str(), 200, alpha)),
        (world.ask("POST", "/v1/campaigns").json(&json!({})), ("POST", "/v1/campaigns", 400, None)),
        (world.ask("POST", "/v1/campaigns").text("text/plain", "x"), ("POST", "/v1/campaigns", 415, None)),
        (world.ask("POST", "/v1/campaigns").json(&json!(large)), ("POST", "/v1/campaigns", 413, None)),
        (world.ask("GET", "/v1/campaigns").header("x-api-shape", "round"), ("GET", "/v1/campaigns", 400, None)),
        (world.ask("GET", "/v1/nothing?x=1"), ("GET", "/v1/nothing", 404, None)),
        (world.ask("QUERY", "/v1/campaigns"), ("QUERY", "/v1/campaigns", 405, None)),
        (world.ask("DELETE", &campaign_path), ("DELETE", campaign_path.as_str(), 204, alpha)),
        (world.ask("DELETE", &campaign_path), ("DELETE", campaign_path.as_str(), 404, alpha)),
        (world.ask("DELETE", &connection_path), ("DELETE", connection_path.as_str(), 204, alpha)),
        (world.ask("GET", PATH), ("GET", PATH, 200, None)),
    ];
    for (ask, expected) in requests {
        let response = ask.expect(u16::try_from(expected.2).expect("a status")).await;
        assert!(
            !response.text.contains(response.header("x-request-id")) || expected.1 != PATH,
            "a list is not in itself"
        );
        let entry = world.logged(&response).await;
        assert_eq!(summary(&entry), expected);
        let is_local = expected.3.is_none();
        assert!(!is_local || entry["platform_time_ms"].is_null(), "no platform was waited for: {entry}");
    }
}

#[tokio::test]
async fn a_request_without_a_valid_key_is_in_no_log() {
    let world = World::start().await;
    let wrong = ApiKey::generate(demo(&world), Mode::Test).expect("a key").reveal().to_owned();
    let url = |path: &str| format!("{}{path}", world.gateway.url());
    let mut responses = Vec::new();
    for (path, status) in [("/v1/campaigns", 401), ("/v1/nothing", 404), ("/v1/usage-logs", 401)] {
        responses.push(world.request("GET", &url(path)).expect(status).await);
        responses.push(world.request("GET", &url(path)).header("x-api-key", &wrong).expect(status).await);
        responses.push(world.request("GET", &url(path)).header("x-api-key", "uac_test_no").expect(status).await);
    }
    responses.push(world.request("GET", &url("/v1/platforms")).expect(200).await);
    responses.push(world.connect("alpha_ads", &[]).await);
    responses.push(world.request("GET", &url("/v1/oauth/callback/alpha_ads?state=x")).expect(400).await);
    // Later requests are in the log, so the earlier ones would be.
    world.asked("GET", "/v1/nothing", 404).await;
    for response in responses {
        let id = response.header("x-request-id");
        assert!(!id.is_empty());
        assert!(world.requests(&format!("request_id={id}")).await.is_empty(), "{response:?}");
    }
}

fn demo(world: &World) -> CustomerId {
    CustomerId(world.gateway.customer_id.parse().expect("an id"))
}

#[tokio::test]
async fn a_filter_selects_its_entries() {
    let world = World::start().await;
    let listed = world.asked("GET", "/v1/connections", 200).await;
    let refused = world.asked("GET", "/v1/connections?x=1", 400).await;
    let unknown = world.asked("GET", "/v1/connections/a/b/c", 404).await;
    let authorize = world.asked("GET", "/v1/connections/alpha_ads/authorize", 200).await;
    let removed = world.asked("DELETE", "/v1/connections/nobody", 404).await;
    let [listed, refused, unknown, authorize, removed] = [&listed, &refused, &unknown, &authorize, &removed];
    for (query, expected) in [
        ("path=/v1/connections", vec![removed, authorize, unknown, refused, listed]),
        ("path=/v1/connections/", vec![removed, authorize, unknown]),
        ("path=/v1/connections&status_code=404", vec![removed, unknown]),
        ("path=/v1/connections&status_code=4xx", vec![removed, unknown, refused]),
        ("path=/v1/connections&status_code=2xx", vec![authorize, listed]),
        ("path=/v1/connections&method=DELETE", vec![removed]),
        ("path=/v1/connections&method=PUT", vec![]),
        ("path=/v1/connections&status_code=4xx&method=GET&limit=1", vec![unknown]),
        ("path=/v2", vec![]),
        (&format!("request_id={refused}"), vec![refused]),
        (&format!("request_id={refused}&status_code=404"), vec![]),
        ("path=/v1/connections&api_key_id=key_default&method=DELETE", vec![removed]),
        ("api_key_id=key_000000000000", vec![]),
    ] {
        assert_eq!(world.requests(query).await.iter().collect::<Vec<_>>(), expected, "{query}");
    }
}

#[tokio::test]
async fn a_time_range_includes_its_start_and_excludes_its_end() {
    let world = World::start().await;
    let at = |second: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_secs(4_000_000_000 + second);
    for second in 0..4 {
        world.put(&entry(at(second), "/v1/x")).await;
    }
    let span = |from: i64, to: i64| format!("from={}&to={}", at(from), at(to));
    for (from, to, expected) in [(0, 3, 3), (1, 3, 2), (1, 1, 0), (3, 9, 1), (4, 9, 0)] {
        assert_eq!(world.page(&span(from, to)).await.0.len(), expected, "{from} to {to}");
    }
    assert_eq!(world.page(&format!("from={}", at(2))).await.0.len(), 2);
    let (entries, _) = world.page(&format!("from=1960-01-01T00:00:00Z&to={}&path=/v1/x", at(1))).await;
    assert_eq!(entries[0]["timestamp"], format!("{:.3}", at(0)));
    let just_after = at(1) + SignedDuration::from_nanos(1);
    assert_eq!(world.page(&format!("from={just_after}&to={}", at(3))).await.0.len(), 1);
}

/// A forged entry.
fn entry(at: Timestamp, path: &str) -> UsageEntry {
    UsageEntry {
        key: None,
        request_id: Uuid::new_v4(),
        at,
        method: "GET".to_owned(),
        path: path.to_owned(),
        status: 200,
        response_time_ms: 1,
        platform: None,
        platform_time_ms: None,
        tool: None,
        reference: None,
        key_digest: None,
        external_ref: None,
        connection: None,
    }
}

impl World {
    async fn put(&self, entry: &UsageEntry) {
        self.gateway.app.store.put_usage(demo(self), entry).await.expect("a write");
    }
}

#[tokio::test]
async fn pages_hold_every_entry_once_while_new_ones_arrive() {
    let world = World::start().await;
    let mut made = Vec::new();
    for _ in 0..60 {
        made.push(world.ask("GET", "/v1/connections").expect(200).await);
    }
    for response in &made {
        world.logged(response).await;
    }
    let made: BTreeSet<_> = made.iter().map(|response| response.header("x-request-id").to_owned()).collect();
    for query in ["limit=7&path=/v1/connections", "limit=60&path=/v1/connections", "limit=100"] {
        let (mut entries, mut next) = world.page(query).await;
        while let Some(cursor) = next {
            world.asked("GET", "/v1/connections", 200).await;
            let (more, after) = world.page(&format!("{query}&cursor={cursor}")).await;
            entries.extend(more);
            next = after;
        }
        let times: Vec<_> = entries.iter().map(|entry| entry["timestamp"].as_str()).collect();
        assert!(times.is_sorted_by(|newer, older| newer >= older), "{times:?}");
        let seen: Vec<_> = entries.iter().map(request_of).collect();
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "{query}: an entry came twice");
        assert_eq!(seen.iter().filter(|id| made.contains(*id)).count(), 60, "{query}");
    }
    let (default, _) = world.page("").await;
    assert_eq!(default.len(), 25);
}

#[tokio::test]
async fn a_long_search_stops_and_returns_a_cursor() {
    let world = World::start().await;
    let start = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(4_000_000_000);
    let needle = entry(start, "/v1/needle");
    world.put(&needle).await;
    world.fill(start, 5_000).await;
    let query = format!("from={start}&path=/v1/needle");
    let (nothing_yet, cursor) = world.page(&query).await;
    assert!(nothing_yet.is_empty());
    let cursor = cursor.expect("a way on");
    let place: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(&cursor).expect("base64")).expect("JSON");
    let place = place["p"].as_str().expect("a place");
    assert!(place.ends_with(&format!("#{}", Uuid::max())), "it names no request that the page does not show: {place}");
    let (found, end) = world.page(&format!("{query}&cursor={cursor}")).await;
    assert_eq!((found.len(), end), (1, None));
    assert_eq!(request_of(&found[0]), needle.request_id.to_string());
}

impl World {
    /// Writes this many entries, one millisecond apart.
    async fn fill(&self, start: Timestamp, count: i64) {
        let client = self.gateway.config.aws.dynamodb_client();
        let text = |text: String| AttributeValue::S(text);
        let put = |place: i64| {
            let at = start + SignedDuration::from_millis(place + 1);
            let id = Uuid::new_v4();
            let item = HashMap::from([
                ("pk".to_owned(), text(format!("USAGE#{}", self.gateway.customer_id))),
                ("sk".to_owned(), text(format!("{:013}#{id}", at.as_millisecond()))),
                ("path".to_owned(), text("/v1/hay".to_owned())),
                ("expires_at".to_owned(), AttributeValue::N("9999999999".to_owned())),
            ]);
            let put = PutRequest::builder().set_item(Some(item)).build().expect("a put");
            WriteRequest::builder().put_request(put).build()
        };
        for batch in (0..count).collect::<Vec<_>>().chunks(25) {
            let writes = batch.iter().copied().map(put).collect();
            let write = client.batch_write_item().request_items(&self.gateway.config.table, writes);
            let response = write.send().await.expect("a write");
            assert!(response.unprocessed_items.unwrap_or_default().is_empty());
        }
    }
}

#[tokio::test]
async fn an_invalid_parameter_is_refused_by_name() {
    let world = World::start().await;
    world.asked("GET", "/v1/connections", 200).await;
    world.asked("GET", "/v1/connections", 200).await;
    let (_, cursor) = world.page("limit=1&path=/v1/connections").await;
    let cursor = cursor.expect("a second page");
    for (query, field) in [
        ("limit=101".to_owned(), "limit"),
        ("platform=alpha_ads".to_owned(), "platform"),
        ("status_code=4yy".to_owned(), "status_code"),
        ("from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z".to_owned(), "from"),
        ("method=GET&method=GET".to_owned(), "method"),
        ("cursor=x".to_owned(), "cursor"),
        (format!("cursor={cursor}"), "cursor"),
        (format!("cursor={cursor}&path=/v1/conn"), "cursor"),
    ] {
        let refused = world.ask("GET", &format!("{PATH}?{query}")).expect(400).await;
        assert_eq!(refused.fields(), [field], "{query}");
    }
    let enveloped = world.ask("GET", &format!("{PATH}?limit=1&organization_id=1")).header("x-api-shape", "enveloped");
    let refused: TestResponse = enveloped.expect(400).await;
    assert_eq!(refused.json()["code"], "VALIDATION_ERROR", "the flat shape, always");
}

#[tokio::test]
async fn a_customer_sees_no_other_customers_requests() {
    let world = World::start().await;
    let other = world.another_customer().await;
    let ours = world.asked("GET", "/v1/connections", 200).await;
    let (_, cursor) = world.page("limit=1").await;
    for query in [format!("request_id={ours}"), format!("limit=1&cursor={}", cursor.expect("the poll's own entries"))] {
        let page = world.ask("GET", &format!("{PATH}?{query}")).header("x-api-key", &other).expect(200).await.json();
        let entries = page["usage_logs"].as_array().expect("a list");
        assert!(entries.iter().all(|entry| request_of(entry) != ours), "{page}");
    }
}

#[tokio::test]
async fn expired_entries_are_hidden_before_the_store_deletes_them() {
    let world = World::start().await;
    let now = Clock::system().now();
    let days = |days: i64| now - SignedDuration::from_hours(days * 24);
    let (kept, expired) = (entry(days(29), "/v1/kept"), entry(days(31), "/v1/expired"));
    world.put(&kept).await;
    world.put(&expired).await;
    let old = format!("to={}", days(1));
    assert_eq!(world.requests(&old).await, [kept.request_id.to_string()]);
    let id = world.asked("GET", "/v1/connections", 200).await;
    world.let_authorizations_run_out().await;
    assert!(world.table_dump().await.contains(&id));
    assert!(world.requests("path=/v1/connections").await.is_empty());
    assert!(world.requests(&old).await.is_empty());
}

#[tokio::test]
async fn the_usage_log_has_neither_queries_nor_keys() {
    let world = World::start().await;
    let key = world.gateway.api_key.clone();
    let long = format!("/v1/{}", "x".repeat(5_000));
    for (path, shown) in [
        (format!("/v1/nothing?key={key}"), "/v1/nothing".to_owned()),
        (format!("/v1/campaigns/{key}"), "/v1/campaigns/(key)".to_owned()),
        (format!("/v1/{key}/campaigns?{key}"), "/v1/(key)/campaigns".to_owned()),
        (long.clone(), long.chars().take(1_024).collect()),
    ] {
        let entry = world.logged(&world.ask("GET", &path).expect(404).await).await;
        assert_eq!(entry["path"], shown.as_str());
    }
    assert!(!world.table_dump().await.contains(&key));
    let filters = UsageFilters { path: Some("/v1/".to_owned()), ..UsageFilters::default() };
    let log = world.gateway.app.store.usage(demo(&world), &filters, None, 500, Clock::system().now()).await;
    assert!(log.expect("a page").entries.iter().all(|entry| !entry.path.contains('?')));
}
