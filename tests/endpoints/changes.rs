//! The history of changes: an entry for each change, its requester, and its filters and pages.

use super::shapes::redacted;
use crate::in_process::respond;
use crate::world::{TestResponse, World, campaign, id_of};
use jiff::SignedDuration;
use lambda_http::Body;
use serde_json::{Value, json};
use shared::auth::{Mode, SessionCaller};
use shared::clock::Clock;
use shared::domain::{CustomerId, KeyId, PersonId, Role};
use std::collections::BTreeSet;

const PATH: &str = "/v1/changes";

impl World {
    /// The changes of a page, and its cursor.
    async fn changes(&self, query: &str) -> (Vec<Value>, Option<String>) {
        let page = self.ask("GET", &format!("{PATH}?{query}")).expect(200).await.json();
        let pagination = &page["pagination"];
        assert_eq!(pagination["has_more"], pagination["next_cursor"].is_string(), "{page}");
        let cursor = pagination["next_cursor"].as_str().map(str::to_owned);
        (page["changes"].as_array().expect("a list").clone(), cursor)
    }

    async fn change_ids(&self, query: &str) -> Vec<String> {
        self.changes(query).await.0.iter().map(id_of).collect()
    }

    /// The change that a response names.
    async fn change_of(&self, response: &TestResponse) -> Value {
        let path = format!("{PATH}/{}", response.header("change-id"));
        self.ask("GET", &path).expect(200).await.json()
    }
}

fn path_of(campaign: &Value) -> String {
    format!("/v1/campaigns/{}", id_of(campaign))
}

/// A create, an update, a refused update and a removal.
async fn one_of_each(world: &World) -> Vec<TestResponse> {
    world.create("alpha_ads", "Taken").await;
    let created = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "Spring")).expect(201).await;
    let path = path_of(&created.json());
    let patch = json!({"status": "ACTIVE", "budget_amount": 60.25});
    let updated = world.ask("PATCH", &path).json(&patch).expect(200).await;
    let refused = world.ask("PATCH", &path).json(&json!({"name": "Taken"})).expect(422).await;
    let removed = world.ask("DELETE", &path).expect(204).await;
    vec![created, updated, refused, removed]
}

#[tokio::test]
async fn each_kind_of_change_in_both_shapes() {
    let world = World::connected("alpha_ads").await;
    let made = one_of_each(&world).await;
    let ids: Vec<&str> = made.iter().rev().map(|response| response.header("change-id")).collect();
    let campaign = made[0].json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(world.change_ids(&format!("campaign_id={campaign}")).await, ids, "the newest first");
    let mut lists = Vec::new();
    for shape in ["flat", "enveloped"] {
        let list = world.ask("GET", &format!("{PATH}?limit=4")).header("x-api-shape", shape).expect(200).await;
        assert_eq!(list.header("x-api-shape"), shape);
        let one = world.ask("GET", &format!("{PATH}/{}", ids[0])).header("x-api-shape", shape).expect(200).await;
        let change = one.json();
        let change = change.get("data").unwrap_or(&change);
        assert_eq!(*change, list.json()["changes"][0], "{shape}");
        assert_eq!(one.json().get("data").is_some(), shape == "enveloped");
        lists.push(redacted(&list));
    }
    insta::assert_json_snapshot!("changes_flat", lists[0]);
    let platform = r#""platform": "alpha_ads" -> "platform": "ALPHA""#;
    let expected = [
        r#""goal": "TRAFFIC" -> "goal": "WEBSITE_TRAFFIC""#,
        platform,
        platform,
        platform,
        platform,
        r#""status": "REMOVED" -> "status": "ARCHIVED""#,
    ];
    assert_eq!(differing_lines(&lists[0], &lists[1]), expected, "the words of the enveloped shape");
}

/// The lines in which two bodies of the same form differ, sorted.
fn differing_lines(one: &Value, other: &Value) -> Vec<String> {
    let (one, other) = (format!("{one:#}"), format!("{other:#}"));
    assert_eq!(one.lines().count(), other.lines().count(), "{one} {other}");
    let pairs = one.lines().zip(other.lines()).filter(|(one, other)| one != other);
    let is_around = |c: char| c == ' ' || c == ',';
    let mut lines: Vec<String> = pairs
        .map(|(one, other)| format!("{} -> {}", one.trim_matches(is_around), other.trim_matches(is_around)))
        .collect();
    lines.sort_unstable();
    lines
}

#[tokio::test]
async fn a_partly_applied_change_names_applied_and_unapplied_fields() {
    let world = World::connected("gamma_ads").await;
    let made = world.create("gamma_ads", "Before").await;
    let path = path_of(&made);
    world.ask("PATCH", &path).json(&json!({"status": "ACTIVE"})).expect(200).await;
    let spend = json!({"platform": "gamma_ads", "campaign_id": made["remote_id"], "amount": "100.00"});
    world.control("POST", "spend").json(&spend).send().await.expect("a response");
    // The campaign is paused first, and a budget below its spend is refused then.
    let body = json!({"status": "PAUSED", "budget_amount": 60, "name": "After"});
    let refused = world.ask("PATCH", &path).json(&body).expect(422).await;
    let change = world.change_of(&refused).await;
    assert_eq!(change["state"], "partly_applied", "{change}");
    assert_eq!(change["applied_fields"], json!(["status"]), "{change}");
    assert_eq!(change["not_applied_fields"], json!(["name", "budget_amount"]), "{change}");
    assert_eq!((&change["before"]["status"], &change["after"]["status"]), (&json!("ACTIVE"), &json!("PAUSED")));
    assert_eq!(change["error"]["platform_error"]["field"], "budget_amount", "{change}");
    let again = world.ask("PATCH", &path).json(&body).expect(422).await;
    assert_eq!(world.change_of(&again).await["state"], "failed", "nothing more was applied");
}

#[tokio::test]
async fn an_unknown_change_is_settled_by_reading_the_campaign() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world.create("alpha_ads", "Before").await);
    for (fault, budget, state) in [("drop_after", 80, "applied"), ("drop", 90, "failed")] {
        // The read before the change is answered, the one after it is not.
        world.slow_fault("alpha_ads", "get", "slow", 1, 1).await;
        world.fault("alpha_ads", "get", "error", 9).await;
        world.fault("alpha_ads", "update", fault, 1).await;
        let body = json!({"name": format!("After {fault}"), "budget_amount": budget});
        let unclear = world.ask("PATCH", &path).json(&body).expect(502).await;
        let change = world.change_of(&unclear).await;
        assert_eq!((&change["state"], &change["settled_at"]), (&json!("unknown"), &Value::Null), "{change}");
        assert_eq!(change["unknown_fields"], json!(["name", "budget_amount"]), "{change}");
        assert_eq!(world.change_ids("state=unknown").await, [id_of(&change)]);
        world.control("POST", "reset").send().await.expect("a response");
        let report = maintenance::run(&world.later(60).await).await.expect("maintenance runs to its end");
        assert_eq!((report.changes, report.failed), (1, 0));
        let change = world.change_of(&unclear).await;
        assert_eq!(change["state"], state, "{change}");
        assert!(change["settled_at"].is_string() && change["unknown_fields"] == json!([]), "{change}");
    }
}

#[tokio::test]
async fn a_request_without_an_effect_creates_no_change() {
    let world = World::connected("alpha_ads").await;
    let body = campaign("alpha_ads", "Spring");
    let made = world.create("alpha_ads", "Spring").await;
    let (path, other) = (path_of(&made), world.another_customer().await);
    let recorded = world.change_ids("").await;
    assert_eq!(recorded.len(), 1);
    let patch = |body: Value| world.ask("PATCH", &path).json(&body);
    world.fault("alpha_ads", "get", "error", 9).await;
    let unread = patch(json!({"name": "Never read"})).expect(502).await;
    assert!(!unread.headers.contains_key("change-id"), "{unread:?}");
    world.no_fault("alpha_ads", "get", "error").await;
    for (ask, status) in [
        (patch(json!({"status": "PAUSED", "budget_amount": 50})), 200),
        (patch(json!({"status": "ENDED"})), 400),
        (patch(json!({"budget_amount": 0.001})), 400),
        (patch(json!({"name": "Other"})).header("x-api-key", &other), 404),
        (world.ask("PATCH", &format!("{path}?dry_run=true")).json(&json!({"status": "ACTIVE"})), 200),
        (world.ask("POST", "/v1/campaigns?dry_run=true").json(&body), 200),
        (world.ask("POST", "/v1/campaigns").json(&json!({"name": "No platform"})), 400),
        (world.ask("DELETE", "/v1/campaigns/alpha_1_2"), 404),
    ] {
        let response = ask.expect(status).await;
        assert!(!response.headers.contains_key("change-id"), "{response:?}");
    }
    let removed = world.ask("DELETE", &path).expect(204).await;
    world.ask("DELETE", &path).expect(404).await;
    let expected = [removed.header("change-id").to_owned(), recorded[0].clone()];
    assert_eq!(world.change_ids("").await, expected);
}

#[tokio::test]
async fn the_header_names_each_change_and_a_replay_repeats_it() {
    let world = World::connected("alpha_ads").await;
    world.connect("beta_ads", &[]).await;
    let connections = world.connections().await;
    let target = |platform: &str, name: &str| {
        let found = connections.iter().find(|connection| connection["platform"] == platform).expect("a connection");
        json!({"platform": name, "organization_id": found["remote_account_id"]})
    };
    let everywhere = json!({"name": "Everywhere", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50,
        "budget_period": "DAILY", "targets": [target("alpha_ads", "ALPHA"), target("beta_ads", "BETA")]});
    let post = || world.ask("POST", "/v1/campaigns").header("idempotency-key", "k").json(&everywhere);
    let first = post().expect(201).await;
    let ids: Vec<&str> = first.header("change-id").split(", ").collect();
    for (id, platform) in ids.iter().zip(["alpha_ads", "beta_ads"]) {
        let change = world.ask("GET", &format!("{PATH}/{id}")).expect(200).await.json();
        assert_eq!(
            (&change["platform"], &change["request_id"]),
            (&json!(platform), &json!(first.header("x-request-id")))
        );
    }
    assert_eq!(ids.len(), 2);
    let replay = post().expect(201).await;
    assert_eq!((replay.header("idempotent-replayed"), replay.header("change-id")), ("true", first.header("change-id")));

    // An error names its change, too, and so does the retry under its key.
    let path = path_of(&world.create("alpha_ads", "Taken").await);
    let rename = || world.ask("PATCH", &path).header("idempotency-key", "r").json(&json!({"name": "Everywhere"}));
    let refused = rename().expect(422).await;
    let change = world.change_of(&refused).await;
    assert_eq!((&change["state"], &change["error"]["code"]), (&json!("failed"), &json!("PLATFORM_ERROR")), "{change}");
    assert_eq!(rename().expect(422).await.header("change-id"), refused.header("change-id"));
}

#[tokio::test]
async fn a_filter_selects_its_changes() {
    let world = World::connected("alpha_ads").await;
    let made = one_of_each(&world).await;
    let key = world.create_key("Agency", &["write"]).await;
    let campaign = campaign("alpha_ads", "By another key");
    let other = world.ask("POST", "/v1/campaigns").header("x-api-key", key["api_key"].as_str().expect("a key"));
    let other = other.json(&campaign).expect(201).await;
    let [created, updated, refused, removed] = &made[..] else { panic!("one of each") };
    let [created, updated, refused, removed, other_id] =
        [created, updated, refused, removed, &other].map(|response| response.header("change-id").to_owned());
    let taken = world.change_ids("").await.pop().expect("the first one");
    let of = format!("campaign_id={}", made[0].json()["id"].as_str().expect("an id"));
    let at = |id: &str| shared::domain::ChangeId::parse(id).expect("an id").created_at();
    let (from, after) = (at(&updated), at(&refused) + SignedDuration::from_millis(1));
    for (query, expected) in [
        (String::new(), vec![&other_id, &removed, &refused, &updated, &created, &taken]),
        ("kind=create".to_owned(), vec![&other_id, &created, &taken]),
        ("kind=update&state=failed".to_owned(), vec![&refused]),
        ("state=applied&kind=update".to_owned(), vec![&updated]),
        ("state=sending".to_owned(), vec![]),
        (format!("api_key_id={}", id_of(&key)), vec![&other_id]),
        ("api_key_id=key_default&kind=delete".to_owned(), vec![&removed]),
        (of.clone(), vec![&removed, &refused, &updated, &created]),
        (format!("{of}&state=applied&limit=2"), vec![&removed, &updated]),
        (format!("from={from}&to={after}"), vec![&refused, &updated]),
        (format!("{of}&from={from}&to={after}"), vec![&refused, &updated]),
        (format!("from={from}&to={from}"), vec![]),
        ("campaign_id=alpha_1_2".to_owned(), vec![]),
    ] {
        assert_eq!(world.change_ids(&query).await.iter().collect::<Vec<_>>(), expected, "{query}");
    }
}

#[tokio::test]
async fn pages_hold_every_change_once_while_new_ones_arrive() {
    let world = World::connected("alpha_ads").await;
    let made = world.create("alpha_ads", "Renamed").await;
    let rename = |name: String| world.ask("PATCH", &path_of(&made)).json(&json!({ "name": name })).expect(200);
    for number in 0..9 {
        rename(format!("Renamed {number}")).await;
    }
    let before: BTreeSet<String> = world.change_ids("").await.into_iter().collect();
    assert_eq!(before.len(), 10);
    let of_campaign = format!("campaign_id={}", id_of(&made));
    for (round, query) in [
        "limit=3".to_owned(),
        "limit=3&kind=update".to_owned(),
        format!("limit=3&{of_campaign}"),
        format!("limit=4&state=applied&{of_campaign}"),
    ]
    .into_iter()
    .enumerate()
    {
        let (mut changes, mut next) = world.changes(&query).await;
        let mut pages = 0;
        while let Some(cursor) = next {
            pages += 1;
            rename(format!("Renamed meanwhile {round} {pages}")).await;
            let (more, after) = world.changes(&format!("{query}&cursor={cursor}")).await;
            changes.extend(more);
            next = after;
        }
        let ids: Vec<String> = changes.iter().map(id_of).collect();
        assert!(ids.is_sorted_by(|newer, older| newer > older), "{query}: {ids:?}");
        let expected = before.len() - usize::from(query.contains("update"));
        assert_eq!(ids.iter().filter(|id| before.contains(*id)).count(), expected, "{query}");
    }
    let (page, _) = world.changes(&format!("limit=100&{of_campaign}")).await;
    assert!(page.len() > 10, "a page of the largest size");
}

#[tokio::test]
async fn an_invalid_parameter_is_refused_by_name() {
    let world = World::connected("alpha_ads").await;
    world.create("alpha_ads", "First").await;
    world.create("alpha_ads", "Second").await;
    let (_, cursor) = world.changes("limit=1&kind=create").await;
    let cursor = cursor.expect("a second page");
    for (query, field) in [
        ("limit=101".to_owned(), "limit"),
        ("platform=alpha_ads".to_owned(), "platform"),
        ("state=done".to_owned(), "state"),
        ("kind=removal".to_owned(), "kind"),
        ("campaign_id=x".to_owned(), "campaign_id"),
        ("api_key_id=x".to_owned(), "api_key_id"),
        ("from=2026-12-01".to_owned(), "from"),
        ("from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z".to_owned(), "from"),
        ("kind=create&kind=create".to_owned(), "kind"),
        ("cursor=x".to_owned(), "cursor"),
        (format!("cursor={cursor}"), "cursor"),
        (format!("cursor={cursor}&kind=update"), "cursor"),
    ] {
        let refused = world.ask("GET", &format!("{PATH}?{query}")).expect(400).await;
        assert_eq!(refused.fields(), [field], "{query}");
    }
    let id = world.change_ids("limit=1").await.remove(0);
    let refused = world.ask("GET", &format!("{PATH}/{id}?x=1")).expect(400).await;
    assert_eq!(refused.fields(), ["x"]);
}

#[tokio::test]
async fn a_change_of_another_customer_is_not_found() {
    let world = World::connected("alpha_ads").await;
    let made = world.create("alpha_ads", "Ours").await;
    let (ids, cursor) = (world.change_ids("").await, world.changes("limit=1").await.1);
    assert_eq!((ids.len(), cursor), (1, None));
    let other = world.another_customer().await;
    let ask = |path: &str| world.ask("GET", path).header("x-api-key", &other);
    for id in [ids[0].as_str(), "chg_00000000000000000000000000000007", "chg_", "x"] {
        ask(&format!("{PATH}/{id}")).expect(404).await;
    }
    for query in ["".to_owned(), format!("campaign_id={}", id_of(&made))] {
        let page = ask(&format!("{PATH}?{query}")).expect(200).await.json();
        assert_eq!(page["changes"], json!([]), "{query}");
    }
    // A change ends with its time, whether or not the store has removed it.
    world.let_authorizations_run_out().await;
    assert!(world.table_dump().await.contains(&ids[0]));
    assert_eq!(world.change_ids("").await, [""; 0]);
    world.ask("GET", &format!("{PATH}/{}", ids[0])).expect(404).await;
}

#[tokio::test]
async fn requested_by_distinguishes_keys_and_people() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world.create("alpha_ads", "Spring").await);
    let app = &world.gateway.app;
    let id = CustomerId(world.gateway.customer_id.parse().expect("an id"));
    let account = app.store.account(id, Clock::system().now()).await.expect("a store").expect("an account");
    let person = PersonId::of("issuer", "subject");
    let expected = json!({"type": "person", "id": person.0, "name": "ada@example.com"});
    let email = Some("ada@example.com".to_owned());
    let key = Some(KeyId::default_key());
    let caller = SessionCaller { account, person, email, role: Role::Member, mode: Mode::Test, key, form: None };
    let request = http::Request::builder().method("PATCH").uri(&path).header("content-type", "application/json");
    let mut request = request.body(Body::Text(json!({"status": "ACTIVE"}).to_string())).expect("a request");
    request.extensions_mut().insert(caller);
    let response = respond(app, request).await;
    assert_eq!(response.status(), 200, "{:?}", response.body());
    let (changes, _) = world.changes("").await;
    assert_eq!(changes[0]["requested_by"], expected);
    let key = json!({"type": "api_key", "id": "key_default", "name": "default"});
    assert_eq!(changes[1]["requested_by"], key);
    assert_eq!(world.change_ids("api_key_id=key_default").await, [id_of(&changes[1])]);
}
