//! `reference`: a customer's own name for a request, in everything that follows from it, and what finds it again (D162).

use crate::world::{World, campaign, id_of};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::clock::Clock;

const CHANGES: &str = "/v1/changes";

impl World {
    /// An ad account of Google Ads that belongs to a user of the customer.
    async fn connected_to_user(user: &str) -> World {
        let world = World::start().await;
        let path = format!("/v1/connections/alpha_ads/authorize?external_ref={user}");
        let begun = world.ask("GET", &path).expect(200).await.json();
        let account = world.sandbox_accounts("alpha_ads").await.remove(0);
        let back = world.consent(begun["authorize_url"].as_str().expect("an address"), "approve", &[&account]).await;
        world.request("GET", &back).expect(200).await;
        world
    }

    async fn rows(&self, path: &str, list: &str) -> Vec<Value> {
        let page = self.ask("GET", path).expect(200).await.json();
        page[list].as_array().expect("a list").clone()
    }

    async fn changes_with(&self, filter: &str) -> Vec<Value> {
        self.rows(&format!("{CHANGES}?{filter}"), "changes").await
    }

    async fn count_of(&self, filter: &str) -> [usize; 3] {
        [
            self.changes_with(filter).await.len(),
            self.rows(&format!("/v1/events?{filter}"), "events").await.len(),
            self.rows(&format!("/v1/usage-logs?{filter}"), "usage_logs").await.len(),
        ]
    }
}

fn with_reference(platform: &str, name: &str, reference: &str) -> Value {
    let mut body = campaign(platform, name);
    body["reference"] = json!(reference);
    body
}

/// A time so many hours ahead.
fn ahead(hours: i64) -> String {
    let at = Clock::system().now() + SignedDuration::from_hours(hours);
    Timestamp::from_second(at.as_second()).expect("a time").to_string()
}

fn path_of(campaign: &Value) -> String {
    format!("/v1/campaigns/{}", id_of(campaign))
}

#[tokio::test]
async fn a_reference_is_told_by_all_that_follows_from_its_request() {
    let world = World::connected_to_user("user42").await;
    let body = with_reference("alpha_ads", "Spring", "order-42");
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
    assert_eq!(created.json()["reference"], "order-42");
    let told = (&json!("order-42"), &json!("user42"));
    for shape in ["flat", "enveloped"] {
        let path = format!("{CHANGES}/{}", created.header("change-id"));
        let change = world.ask("GET", &path).header("x-api-shape", shape).expect(200).await.json();
        let change = change.get("data").unwrap_or(&change);
        assert_eq!((&change["reference"], &change["external_ref"]), told, "{shape}");
        let path = format!("/v1/campaigns/intents/{}", created.header("x-request-id"));
        let intents = world.ask("GET", &path).header("x-api-shape", shape).expect(200).await.json();
        let intents = intents.get("data").unwrap_or(&intents);
        let target = &intents["targets"][0];
        assert_eq!((&target["reference"], &target["external_ref"]), told, "{shape}");
    }
    let event = world.rows("/v1/events?type=change.applied", "events").await.remove(0);
    let change = &event["data"]["change"];
    assert_eq!((&change["reference"], &change["external_ref"]), told);
    let entry = world.logged(&created).await;
    assert_eq!((&entry["reference"], &entry["external_ref"]), told);
    assert!(entry["connection_id"].is_string(), "{entry}");
    let read = world.ask("GET", &path_of(&created.json())).expect(200).await.json();
    assert_eq!(read.get("reference"), None, "a campaign has none of its own");
}

#[tokio::test]
async fn every_request_that_changes_campaigns_takes_a_reference() {
    let world = World::connected("alpha_ads").await;
    let body = with_reference("alpha_ads", "Spring", "create");
    let made = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    let path = path_of(&made);
    let at = ahead(2);
    let patched = json!({"budget_amount": 60, "reference": "patch"});
    assert_eq!(world.ask("PATCH", &path).json(&patched).expect(200).await.json()["reference"], "patch");
    let same = world.ask("PATCH", &path).json(&patched).expect(200).await;
    assert_eq!(same.json()["reference"], "patch", "of what changes nothing");
    let later = json!({"name": "Later", "reference": "later"});
    let waiting = world.ask("PATCH", &format!("{path}?apply_at={at}")).json(&later).expect(202).await.json();
    assert_eq!(waiting["reference"], "later");
    let status = json!({"status": "ACTIVE", "all": true, "reference": "bulk"});
    let bulk = world.ask("POST", "/v1/campaigns/status").json(&status).expect(202).await.json();
    assert_eq!(bulk["reference"], "bulk");
    let told = format!("/v1/campaigns/status/{}", bulk["bulk_id"].as_str().expect("an id"));
    assert_eq!(world.ask("GET", &told).expect(200).await.json()["reference"], "bulk");
    let amounts = json!({"budgets": [{"id": made["id"], "budget_amount": 70}], "reference": "budgets"});
    let budgets = world.ask("POST", "/v1/campaigns/budgets").json(&amounts).expect(202).await.json();
    assert_eq!(budgets["reference"], "budgets");
    let undo = format!("{CHANGES}/{}/undo", budgets["bulk_id"].as_str().expect("an id"));
    let undone = world.ask("POST", &undo).json(&json!({"reference": "undo"})).expect(202).await.json();
    assert_eq!(undone["reference"], "undo");
    world.ask("DELETE", &format!("{path}?apply_at={at}&reference=later-removal")).expect(202).await;
    world.ask("DELETE", &format!("{path}?reference=removal")).expect(204).await;
    for (reference, kind) in [
        ("create", "create"),
        ("patch", "update"),
        ("later", "update"),
        ("bulk", "update"),
        ("budgets", "update"),
        ("undo", "update"),
        ("later-removal", "delete"),
        ("removal", "delete"),
    ] {
        let found = world.changes_with(&format!("reference={reference}")).await;
        let kinds: Vec<&Value> = found.iter().map(|change| &change["kind"]).collect();
        assert_eq!(kinds, [kind], "{reference}");
        assert_eq!(found[0]["reference"], reference);
    }
}

#[tokio::test]
async fn a_target_may_have_a_reference_of_its_own() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let (first, second) = (&accounts[0], &accounts[3]);
    world.connect("alpha_ads", &[first, second]).await;
    let target = |account: &str| json!({"platform": "ALPHA", "organization_id": account, "budget_amount": 50});
    let mut own = target(second);
    own["reference"] = json!("line-2");
    let body = json!({"name": "Both", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "reference": "order-42", "targets": [target(first), own]});
    let made = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    for (place, reference) in [(0, "order-42"), (1, "line-2")] {
        let result = &made["data"][place];
        assert_eq!((&result["reference"], &result["campaign"]["reference"]), (&json!(reference), &json!(reference)));
        let found = world.changes_with(&format!("reference={reference}")).await;
        assert_eq!(found.len(), 1, "{reference}");
        assert_eq!(found[0]["organization_id"], result["target"]["organization_id"]);
    }
}

#[tokio::test]
async fn what_the_service_does_later_has_the_reference_of_its_request() {
    let world = World::connected("beta_ads").await;
    let mut body = with_reference("beta_ads", "Ending", "order-42");
    body["end_at"] = json!(ahead(48));
    world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
    let found = world.changes_with("reference=order-42").await;
    let mut kinds: Vec<&str> = found.iter().map(|change| change["kind"].as_str().expect("a kind")).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["create", "update"], "the pause at the end, too");
}

#[tokio::test]
async fn a_reference_that_is_none_is_refused_by_name() {
    let world = World::connected("alpha_ads").await;
    let made = world.create("alpha_ads", "Spring").await;
    let long = "9".repeat(256);
    for reference in
        [json!(""), json!("order 42"), json!("é"), json!("a\u{202e}b"), json!(long), json!(42), json!(null)]
    {
        let mut create = campaign("alpha_ads", "Refused");
        create["reference"] = reference.clone();
        let patch = json!({"budget_amount": 60, "reference": reference});
        let bulk = json!({"status": "PAUSED", "all": true, "reference": reference});
        let path = path_of(&made);
        for (method, path, body) in [
            ("POST", "/v1/campaigns", &create),
            ("PATCH", path.as_str(), &patch),
            ("POST", "/v1/campaigns/status", &bulk),
        ] {
            for shape in ["flat", "enveloped"] {
                let refused = world.ask(method, path).header("x-api-shape", shape).json(body).expect(400).await;
                assert!(refused.text.contains("reference"), "{method} {path} {body} {shape}: {}", refused.text);
            }
        }
    }
    let removal = world.ask("DELETE", &format!("{}?reference=order%2042", path_of(&made))).expect(400).await;
    assert_eq!(removal.fields(), ["reference"]);
    let target = json!({"platform": "ALPHA", "organization_id": "1", "reference": "order 42"});
    let body = json!({"name": "Both", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": [target]});
    let refused = world.ask("POST", "/v1/campaigns").json(&body).expect(400).await;
    assert!(refused.text.contains("targets[0].reference"), "{}", refused.text);
    assert_eq!(world.changes_with("kind=create").await.len(), 1, "nothing else was done");
}

#[tokio::test]
async fn a_reference_belongs_to_the_content_of_a_key_and_is_not_unique() {
    let world = World::connected("alpha_ads").await;
    let keyed = |body: Value| world.ask("POST", "/v1/campaigns").header("idempotency-key", "k").json(&body);
    let first = keyed(with_reference("alpha_ads", "Spring", "order-42")).expect(201).await;
    let again = keyed(with_reference("alpha_ads", "Spring", "order-42")).expect(201).await;
    assert_eq!((again.header("idempotent-replayed"), again.json()), ("true", first.json()));
    keyed(with_reference("alpha_ads", "Spring", "order-43")).expect(422).await;
    let path = path_of(&first.json());
    let removal = |query: &str| world.ask("DELETE", &format!("{path}{query}")).header("idempotency-key", "d");
    removal("?reference=order-42").expect(204).await;
    removal("?reference=order-42").expect(204).await;
    removal("?reference=order-43").expect(422).await;
    removal("").expect(422).await;
    world.ask("POST", "/v1/campaigns").json(&with_reference("alpha_ads", "Summer", "order-42")).expect(201).await;
    assert_eq!(world.changes_with("reference=order-42").await.len(), 3, "two creates and a removal");
}

#[tokio::test]
async fn lists_filter_by_what_the_caller_calls_a_request() {
    let world = World::connected_to_user("user42").await;
    let others = world.sandbox_accounts("beta_ads").await.remove(0);
    world.connect("beta_ads", &[&others]).await;
    let mut body = with_reference("alpha_ads", "Spring", "order-42");
    let of_user = world.ask("POST", "/v1/campaigns").header("x-external-ref", "user42");
    let made = of_user.header("idempotency-key", "k1").json(&body).expect(201).await;
    body = with_reference("beta_ads", "Summer", "order-43");
    let second = world.ask("POST", "/v1/campaigns").header("idempotency-key", "k2").json(&body).expect(201).await;
    world.logged(&made).await;
    world.logged(&second).await;
    let connection = made.json()["connection_id"].as_str().expect("an id").to_owned();
    // Each user has keys of its own, and a request for none finds those of none.
    for (filter, of_all, of_user) in [
        ("reference=order-42", 1, 1),
        ("reference=order-43", 1, 0),
        ("idempotency_key=k1", 0, 1),
        ("idempotency_key=k2", 1, 0),
    ] {
        assert_eq!(world.count_of(filter).await, [of_all; 3], "{filter}");
        assert_eq!(world.count_of(&format!("{filter}&external_ref=user42")).await, [of_user; 3], "{filter}");
        assert_eq!(world.count_of(&format!("{filter}&external_ref=user43")).await, [0; 3], "{filter}");
    }
    let [changes, events, _] = world.count_of("external_ref=user42").await;
    assert_eq!((changes, events), (1, 2), "the connection has an event, too");
    // A read of one of two connections, without a user: the log has its connection, and so its user.
    let read = world.ask("GET", &format!("/v1/connections/{connection}")).expect(200).await;
    let entry = world.logged(&read).await;
    assert_eq!((&entry["connection_id"], &entry["external_ref"]), (&json!(connection), &json!("user42")), "{entry}");
    assert_eq!(world.count_of(&format!("connection_id={connection}")).await, [1, 2, 2], "the create, and the read");
    // What names a connection that is not there is nobody's, though one connection is left.
    let summer = id_of(&world.rows("/v1/connections?platform=beta_ads", "connections").await[0]);
    world.ask("DELETE", &format!("/v1/connections/{summer}")).expect(204).await;
    let entry = world.logged(&world.ask("GET", &format!("/v1/connections/{summer}")).expect(404).await).await;
    assert_eq!((&entry["connection_id"], &entry["external_ref"]), (&Value::Null, &Value::Null), "{entry}");
    for none in ["reference=order-44", "idempotency_key=k3", "connection_id=conn_0"] {
        assert_eq!(world.count_of(none).await, [0; 3], "{none}");
    }
    // The log has the requests that have asked for the user.
    assert_eq!(world.count_of("external_ref=user43").await[..2], [0; 2]);
    let found = world.changes_with("reference=order-42&kind=update").await;
    assert_eq!(found, [Value::Null; 0], "all filters count");
}

#[tokio::test]
async fn a_list_by_a_reference_has_pages_of_its_own() {
    let world = World::connected("alpha_ads").await;
    for number in 0..5 {
        let body = with_reference("alpha_ads", &format!("Spring {number}"), ["a", "b"][number % 2]);
        world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
    }
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("{CHANGES}?reference=a&limit=2&cursor={cursor}");
        let page = world.ask("GET", &path).expect(200).await.json();
        ids.extend(page["changes"].as_array().expect("a list").iter().map(id_of));
        let Some(next) = page["pagination"]["next_cursor"].as_str() else { break };
        cursor = next.to_owned();
    }
    assert_eq!(ids.len(), 3);
    assert!(ids.is_sorted_by(|newer, older| newer > older), "newest first: {ids:?}");
    let other = world.ask("GET", &format!("{CHANGES}?reference=b&limit=2&cursor={cursor}")).expect(400).await;
    assert_eq!(other.fields(), ["cursor"], "of other filters");
}

#[tokio::test]
async fn a_wrong_filter_is_400_and_named() {
    let world = World::start().await;
    for list in [CHANGES, "/v1/events", "/v1/usage-logs"] {
        for (name, value) in [
            ("reference", "a%20b"),
            ("reference", ""),
            ("idempotency_key", ""),
            ("idempotency_key", "%C3%A9"),
            ("external_ref", "a%20b"),
            ("connection_id", "7"),
            ("user", "user42"),
        ] {
            let refused = world.ask("GET", &format!("{list}?{name}={value}")).expect(400).await;
            assert_eq!(refused.fields(), [name], "{list}?{name}={value}");
        }
    }
}

#[tokio::test]
async fn no_customer_finds_the_references_of_another() {
    let world = World::connected_to_user("user42").await;
    let body = with_reference("alpha_ads", "Spring", "order-42");
    world.ask("POST", "/v1/campaigns").header("idempotency-key", "k").json(&body).expect(201).await;
    for filter in ["external_ref=user42", "reference=order-42", "idempotency_key=k"] {
        let other = world.another_customer().await;
        // The usage log comes first: it has the requests that have asked for a user of this name, too.
        for (list, name) in [("/v1/usage-logs", "usage_logs"), (CHANGES, "changes"), ("/v1/events", "events")] {
            let ask = world.ask("GET", &format!("{list}?{filter}")).without("x-api-key").header("x-api-key", &other);
            assert_eq!(ask.expect(200).await.json()[name], json!([]), "{list}?{filter}");
        }
    }
}
