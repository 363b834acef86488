//! `external_ref`: the users of a customer, to whom connections belong (D78).

use super::redirect_uris::parameters;
use crate::world::{World, id_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const RETURN_TO: &str = "https://example.com/back";

/// A world in which users may return to [`RETURN_TO`], and two ad accounts on Google Ads.
async fn world_with_accounts() -> (World, Vec<String>) {
    let world = World::start().await;
    world.register(RETURN_TO, 201).await;
    let mut accounts = world.sandbox_accounts("alpha_ads").await;
    accounts.truncate(2);
    accounts.sort();
    (world, accounts)
}

impl World {
    async fn begin(&self, query: &str) -> Value {
        self.ask("GET", &format!("/v1/connections/alpha_ads/authorize{query}")).expect(200).await.json()
    }

    /// The decision of a user on the consent page, and the parameters of the redirect to the customer's page.
    async fn decide(&self, user: &str, decision: &str, accounts: &[&String]) -> BTreeMap<String, String> {
        let begun = self.begin(&format!("?external_ref={user}&redirect_uri={RETURN_TO}")).await;
        let accounts: Vec<&str> = accounts.iter().map(|account| account.as_str()).collect();
        let back = self.consent(begun["authorize_url"].as_str().expect("an address"), decision, &accounts).await;
        let back = self.sent_back(&back).await;
        assert!(back.starts_with(RETURN_TO), "{back}");
        parameters(&back)
    }

    async fn listed(&self, query: &str) -> Vec<Value> {
        let list = self.ask("GET", &format!("/v1/connections{query}")).expect(200).await.json();
        list["connections"].as_array().expect("a list").clone()
    }
}

fn expected(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Account and user of each connection.
fn users(connections: &[Value]) -> Vec<(&str, Option<&str>)> {
    assert!(connections.iter().all(|known| known.get("external_ref").is_some()), "null says that there is none");
    let mut users = Vec::new();
    for known in connections {
        users.push((known["remote_account_id"].as_str().expect("an account"), known["external_ref"].as_str()));
    }
    users
}

#[tokio::test]
async fn the_user_named_at_authorize_is_stored_in_the_connection() {
    let (world, accounts) = world_with_accounts().await;
    let begun = world.begin("?external_ref=user42").await;
    let pending = world.connections().await.remove(0);
    assert_eq!((&pending["status"], &pending["external_ref"]), (&json!("PENDING"), &json!("user42")));
    assert_eq!(begun["connection_id"], pending["id"]);

    let back = world.decide("user42", "approve", &[&accounts[0]]).await;
    let listed = world.listed("?external_ref=user42&status=ACTIVE").await;
    assert_eq!(users(&listed), [(accounts[0].as_str(), Some("user42"))]);
    let id = id_of(&listed[0]);
    let named = [("status", "connected"), ("connection_id", &id), ("connection_ids", &id), ("external_ref", "user42")];
    assert_eq!(back, expected(&named));
    assert_eq!(world.ask("GET", &format!("/v1/connections/{id}")).expect(200).await.json(), listed[0]);
    for field in ["account_name", "currency", "time_zone"] {
        assert!(listed[0][field].is_string(), "{field}: {}", listed[0]);
    }
    assert_eq!(world.listed("?external_ref=user4").await, [Value::Null; 0], "the whole name counts");

    let events = world.ask("GET", "/v1/events?type=connection.activated").expect(200).await.json();
    assert_eq!(events["events"][0]["data"]["connection"]["external_ref"], "user42", "{events}");
}

#[tokio::test]
async fn a_failure_returns_with_the_user_too() {
    let (world, accounts) = world_with_accounts().await;
    let back = world.decide("user42", "deny", &[]).await;
    assert_eq!(back, expected(&[("status", "denied"), ("error", "access_denied"), ("external_ref", "user42")]));
    world.fault("alpha_ads", "any", "error", 99).await;
    let mut back = world.decide("user42", "approve", &[&accounts[0]]).await;
    assert!(back.remove("message").is_some_and(|message| !message.is_empty()), "{back:?}");
    let failed = [("status", "failed"), ("error", "PLATFORM_ERROR"), ("reason", "PLATFORM_FAILED")];
    assert_eq!(back, expected(&[&failed[..], &[("external_ref", "user42")]].concat()));
}

#[tokio::test]
async fn a_user_with_invalid_characters_is_refused_and_nothing_is_stored() {
    let world = World::start().await;
    for name in ["", "a%20b", "a/b", "a%23b", "%C3%A9", &"a".repeat(101)] {
        let path = format!("/v1/connections/alpha_ads/authorize?external_ref={name}");
        let refused = world.ask("GET", &path).expect(400).await;
        assert_eq!(refused.fields(), ["external_ref"], "{name}");
        assert!(refused.text.contains("1 to 100 ASCII letters"), "{}", refused.text);
    }
    assert_eq!(world.connections().await.len(), 0);
}

#[tokio::test]
async fn a_consent_does_not_move_an_account_of_another_user() {
    let (world, accounts) = world_with_accounts().await;
    world.decide("user42", "approve", &[&accounts[0]]).await;
    let before = world.connections().await;
    let grants = world.items("LINK#GRANT#").await;

    let mut back = world.decide("user43", "approve", &[&accounts[0]]).await;
    assert!(back.remove("message").is_some_and(|message| message.contains("Somebody else")), "{back:?}");
    let failed = [("status", "failed"), ("error", "CONFLICT"), ("reason", "STATE_CONFLICT")];
    assert_eq!(back, expected(&[&failed[..], &[("external_ref", "user43")]].concat()));
    assert_eq!(world.connections().await, before, "no trace of the second consent");
    assert!(world.items("LINK#GRANT#").await == grants, "the tokens are those of the first");
    assert_eq!(world.revocations("alpha_ads").await.len(), 0, "the same person may have given both consents");
    world.create("alpha_ads", "still works").await;

    let begun = world.begin("?external_ref=user43").await;
    let both = [accounts[0].as_str(), accounts[1].as_str()];
    let back = world.consent(begun["authorize_url"].as_str().expect("an address"), "approve", &both).await;
    let page = world.request("GET", &back).expect(200).await;
    assert!(page.text.contains("somebody else has connected them"), "{}", page.text);
    assert_eq!(users(&world.connections().await), [(both[0], Some("user42")), (both[1], Some("user43"))]);
    let own = world.listed("?external_ref=user43").await;
    assert_eq!(own[0]["id"], begun["connection_id"], "the first new account takes over the pending connection");
}

#[tokio::test]
async fn a_consent_keeps_the_user_unless_it_names_one() {
    let (world, accounts) = world_with_accounts().await;
    world.connect("alpha_ads", &[&accounts[0]]).await;
    assert_eq!(users(&world.connections().await), [(accounts[0].as_str(), None)]);
    world.decide("user42", "approve", &[&accounts[0]]).await;
    world.connect("alpha_ads", &[&accounts[0]]).await;
    world.decide("user42", "approve", &[&accounts[0]]).await;
    world.sync().await;
    assert_eq!(users(&world.connections().await), [(accounts[0].as_str(), Some("user42"))]);
}

#[tokio::test]
async fn an_update_moves_a_connection_to_another_user() {
    let (world, accounts) = world_with_accounts().await;
    world.decide("user42", "approve", &[&accounts[0]]).await;
    let mut connection = world.connections().await.remove(0);
    let path = format!("/v1/connections/{}", id_of(&connection));
    for (body, user, label) in [
        (json!({"external_ref": "user43"}), json!("user43"), json!(null)),
        (json!({"label": "Main"}), json!("user43"), json!("Main")),
        (json!({"external_ref": null, "label": null}), json!(null), json!(null)),
        (json!({"external_ref": "a", "label": "b"}), json!("a"), json!("b")),
    ] {
        (connection["external_ref"], connection["label"]) = (user, label);
        assert_eq!(world.ask("PATCH", &path).json(&body).expect(200).await.json(), connection);
        assert_eq!(world.connections().await, [connection.clone()]);
    }
    for body in [json!({"external_ref": "a b"}), json!({"external_ref": ""}), json!({"external_ref": 7})] {
        assert_eq!(world.ask("PATCH", &path).json(&body).expect(400).await.fields(), ["external_ref"], "{body}");
    }
    let pending = world.begin("?external_ref=user42").await;
    let path = format!("/v1/connections/{}", pending["connection_id"].as_str().expect("an id"));
    world.ask("PATCH", &path).json(&json!({"external_ref": "user43"})).expect(409).await;
    assert_eq!(world.ask("GET", &path).expect(200).await.json()["external_ref"], "user42");
}

#[tokio::test]
async fn reading_another_customers_connection_is_404() {
    let world = World::connected("alpha_ads").await;
    let id = id_of(&world.connections().await[0]);
    let key = world.another_customer().await;
    for path in [format!("/v1/connections/{id}"), "/v1/connections/conn_00000000000000000000000000000000".to_owned()] {
        let refused = world.ask("GET", &path).header("x-api-key", &key).expect(404).await.json();
        assert_eq!(
            (&refused["code"], &refused["error"]),
            (&json!("NOT_FOUND"), &json!("There is no such connection. GET /v1/connections lists yours.")),
            "{path}"
        );
    }
    world.ask("GET", &format!("/v1/connections/{id}?x=1")).expect(400).await;
    let refused = world.ask("GET", "/v1/connections/sync").expect(405).await;
    assert_eq!(refused.header("allow"), "POST", "the literal path names no connection");
}

#[tokio::test]
async fn connections_come_in_pages_whose_cursor_belongs_to_the_filters() {
    let (world, accounts) = world_with_accounts().await;
    for platform in ["zeta_ads", "gamma_ads", "delta_ads"] {
        world.connect(platform, &[]).await;
    }
    world.decide("user42", "approve", &[&accounts[0], &accounts[1]]).await;
    for _ in 0..3 {
        world.begin("?external_ref=user42").await;
    }
    let all = world.ask("GET", "/v1/connections").expect(200).await.json();
    assert_eq!(all["pagination"], json!({"next_cursor": null, "has_more": false}));
    let all = all["connections"].as_array().expect("a list").clone();
    let order: Vec<&str> = all.iter().map(|known| known["platform"].as_str().expect("a platform")).collect();
    assert_eq!(order[..5], ["alpha_ads", "alpha_ads", "gamma_ads", "delta_ads", "zeta_ads"]);
    for (query, shown) in [
        ("", all.clone()),
        ("&platform=alpha_ads", [&all[..2], &all[5..]].concat()),
        ("&platform=alpha_ads&status=ACTIVE", all[..2].to_vec()),
        ("&status=PENDING", all[5..].to_vec()),
        ("&status=PENDING,ACTIVE&external_ref=user42", [&all[..2], &all[5..]].concat()),
        ("&status=REVOKED&status=ERROR", Vec::new()),
    ] {
        for limit in [1, 2, 3, 100] {
            let mut pages = Vec::new();
            let mut after = String::new();
            loop {
                let path = format!("/v1/connections?limit={limit}{query}{after}");
                let page = world.ask("GET", &path).expect(200).await.json();
                let own = page["connections"].as_array().expect("a list");
                assert!(own.len() <= limit, "{path}");
                pages.extend(own.clone());
                match page["pagination"]["next_cursor"].as_str() {
                    Some(next) => after = format!("&cursor={next}"),
                    None => break,
                }
            }
            assert_eq!(pages, shown, "{query} {limit}");
        }
    }
    let first = world.ask("GET", "/v1/connections?limit=1").expect(200).await.json();
    let cursor = first["pagination"]["next_cursor"].as_str().expect("a cursor");
    let rest = world.listed(&format!("?cursor={cursor}")).await;
    assert_eq!(rest, all[1..], "without a limit the rest is one page");
    for query in [format!("cursor={cursor}&status=ACTIVE"), "cursor=x".to_owned(), format!("cursor={}", &cursor[1..])] {
        assert_eq!(world.ask("GET", &format!("/v1/connections?{query}")).expect(400).await.fields(), ["cursor"]);
    }
}

/// The sort keys of the records under users' names.
async fn records(world: &World) -> Vec<String> {
    let items = world.items("EXTERNAL_REF#").await;
    let mut keys: Vec<String> = items.iter().map(|item| item["sk"].as_s().expect("a text").clone()).collect();
    keys.sort();
    keys
}

#[tokio::test]
async fn the_filter_by_user_reads_only_the_records_of_the_user() {
    let (world, accounts) = world_with_accounts().await;
    world.connect("beta_ads", &[]).await;
    world.connect("alpha_ads", &[&accounts[0]]).await;
    assert_eq!(records(&world).await, [""; 0]);
    world.decide("user42", "approve", &[&accounts[0], &accounts[1]]).await;
    world.decide("user42", "approve", &[&accounts[0], &accounts[1]]).await;
    world.begin("?external_ref=user42").await;
    let ids: Vec<String> = world.listed("?status=ACTIVE&platform=alpha_ads").await.iter().map(id_of).collect();
    let record = |user: &str, id: &str| format!("EXTERNAL_REF#{user}#{id}");
    let mut expected = vec![record("user42", &ids[0]), record("user42", &ids[1])];
    expected.sort();
    assert_eq!(records(&world).await, expected);

    // This process believes that the customer has many.
    world.set_account(&world.gateway.api_key, &[("connections_count", 50)]).await;
    world.connections().await;
    let listed = world.listed("?external_ref=user42").await;
    assert_eq!(
        listed.iter().map(|known| known["status"].as_str().expect("a status")).collect::<Vec<_>>(),
        ["ACTIVE", "ACTIVE", "PENDING"]
    );
    assert_eq!(world.listed("?external_ref=user42&status=PENDING").await.len(), 1);
    assert_eq!(world.listed("?external_ref=user4").await.len(), 0);

    let path = format!("/v1/connections/{}", ids[0]);
    world.ask("PATCH", &path).json(&json!({"external_ref": "user43"})).expect(200).await;
    assert_eq!(world.listed("?external_ref=user43").await.iter().map(id_of).collect::<Vec<_>>(), [ids[0].clone()]);
    assert_eq!(records(&world).await, [record("user42", &ids[1]), record("user43", &ids[0])]);
    world.ask("PATCH", &path).json(&json!({"external_ref": null})).expect(200).await;
    assert_eq!(records(&world).await, [record("user42", &ids[1])]);
    world.ask("DELETE", &format!("/v1/connections/{}", ids[1])).expect(204).await;
    assert_eq!(records(&world).await, [""; 0], "a removal takes the record with it");
}

#[tokio::test]
async fn concurrent_moves_and_a_removal_leave_no_user_record() {
    let (world, accounts) = world_with_accounts().await;
    for _ in 0..5 {
        world.decide("user0", "approve", &[&accounts[0]]).await;
        let id = id_of(&world.listed("?status=ACTIVE").await[0]);
        let path = format!("/v1/connections/{id}");
        let moves = (1..6).map(|number| {
            let body = json!({"external_ref": format!("user{number}")});
            world.ask("PATCH", &path).json(&body).send()
        });
        let removal = world.ask("DELETE", &path).send();
        let (moved, removed) = tokio::join!(futures_util::future::join_all(moves), removal);
        for response in moved {
            assert!([200, 404, 409].contains(&response.expect("a response").status.as_u16()));
        }
        if removed.expect("a response").status != 204 {
            world.ask("DELETE", &path).expect(204).await;
        }
        assert_eq!(records(&world).await, [""; 0]);
    }
}
