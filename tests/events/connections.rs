//! The events of connections, through the API and maintenance.

use super::events;
use crate::in_process::{self, clock};
use crate::world::World;
use serde_json::{Value, json};
use shared::domain::{
    Connection, ConnectionBefore, ConnectionId, ConnectionStatus, Event, EventKind, Plan, Platform, Subject,
};
use std::collections::HashSet;
use std::sync::Arc;

/// The accounts of a consent.
async fn two_accounts(world: &World) -> Vec<String> {
    let mut accounts = world.sandbox_accounts("alpha_ads").await;
    accounts.truncate(2);
    accounts
}

async fn with_two_accounts() -> World {
    let world = World::start().await;
    let accounts = two_accounts(&world).await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    world
}

fn subject(event: &Event) -> (&Connection, Option<&ConnectionBefore>) {
    match &event.subject {
        Subject::Connection { connection, previous } => (connection, previous.as_ref()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_consent_has_an_event_for_each_new_account_only() {
    let world = with_two_accounts().await;
    let events = world.events().await;
    assert_eq!(super::kinds(&events), ["connection.activated"; 2]);
    let listed = world.connections().await;
    for event in &events {
        let (connection, previous) = subject(event);
        let same = listed.iter().find(|listed| listed["id"] == json!(connection.id.0)).expect("a connection");
        assert_eq!(same["remote_account_id"], json!(connection.account_id()));
        assert_eq!((connection.status, previous), (ConnectionStatus::Active, None));
        assert_eq!((&connection.grant_id, event.request.is_some()), (&None, true), "no reader sees the grant");
    }
    let mut seen = events.len();
    let mut accounts = world.sandbox_accounts("alpha_ads").await;
    accounts.truncate(3);
    let two: Vec<&str> = accounts[..2].iter().map(String::as_str).collect();
    world.connect("alpha_ads", &two).await;
    assert_eq!(world.new_events(&mut seen).await, [""; 0], "both were active");
    world.sync().await;
    assert_eq!(world.new_events(&mut seen).await, [""; 0], "a check that changes nothing");
    let id = listed[0]["id"].as_str().expect("an id");
    world.ask("PATCH", &format!("/v1/connections/{id}")).json(&json!({"label": "Main"})).expect(200).await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.updated"], "a label");
    let three: Vec<&str> = accounts.iter().map(String::as_str).collect();
    world.connect("alpha_ads", &three).await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.activated"], "one is new");
}

#[tokio::test]
async fn a_lost_account_has_one_event_for_its_error_and_one_for_its_recovery() {
    let world = with_two_accounts().await;
    let mut seen = world.events().await.len();
    let account = two_accounts(&world).await.remove(0);
    world.access("alpha_ads", &account, "lost").await;
    world.sync().await;
    world.sync().await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.error"]);
    let last = world.events().await.pop().expect("an event");
    let (connection, previous) = subject(&last);
    assert_eq!(connection.status, ConnectionStatus::Error);
    assert!(connection.reason.as_ref().is_some_and(|reason| reason.contains("no longer shows")), "{connection:?}");
    assert_eq!(previous.map(|before| (before.status, &before.reason)), Some((ConnectionStatus::Active, &None)));
    let reason = connection.reason.clone();
    world.access("alpha_ads", &account, "regained").await;
    world.sync().await;
    world.sync().await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.recovered"]);
    let last = world.events().await.pop().expect("an event");
    let (connection, previous) = subject(&last);
    assert_eq!((connection.status, &connection.reason), (ConnectionStatus::Active, &None));
    assert_eq!(previous.map(|before| (before.status, &before.reason)), Some((ConnectionStatus::Error, &reason)));
}

#[tokio::test]
async fn a_revoked_grant_has_an_event_for_each_connection() {
    let world = with_two_accounts().await;
    let mut seen = world.events().await.len();
    world.fault("alpha_ads", "accounts", "revoked", 1).await;
    world.sync().await;
    world.sync().await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.revoked"; 2]);
    let accounts = two_accounts(&world).await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.recovered"; 2]);
    for event in &world.events().await[seen - 2..] {
        let (connection, previous) = subject(event);
        assert_eq!((connection.status, &connection.reason), (ConnectionStatus::Active, &None));
        assert_eq!(previous.map(|previous| previous.status), Some(ConnectionStatus::Revoked));
    }
}

#[tokio::test]
async fn an_ended_grant_and_three_failed_refreshes_have_events() {
    let world = with_two_accounts().await;
    let mut seen = world.events().await.len();
    for failures in 1..=3 {
        world.let_access_tokens_run_out().await;
        world.fault("alpha_ads", "refresh", "error", 1).await;
        world.maintenance().await;
        let expected = if failures < 3 { vec![] } else { vec!["connection.error"; 2] };
        assert_eq!(world.new_events(&mut seen).await, expected, "after {failures}");
    }
    assert_eq!(world.events().await[seen - 1].request, None, "no request has led to it");
    world.let_access_tokens_run_out().await;
    world.maintenance().await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.recovered"; 2]);
    world.fault("alpha_ads", "refresh", "revoked", 1).await;
    world.let_access_tokens_run_out().await;
    world.maintenance().await;
    world.maintenance().await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.revoked"; 2]);
}

#[tokio::test]
async fn only_the_removal_of_a_finished_connection_has_an_event() {
    let world = with_two_accounts().await;
    let mut seen = world.events().await.len();
    world.authorize("beta_ads").await;
    let listed = world.connections().await;
    let pending = listed.iter().find(|connection| connection["status"] == "PENDING").expect("a connection");
    world.ask("DELETE", &format!("/v1/connections/{}", crate::world::id_of(pending))).expect(204).await;
    assert_eq!(world.new_events(&mut seen).await, [""; 0]);
    let path = format!("/v1/connections/{}", crate::world::id_of(&listed[0]));
    world.ask("DELETE", &path).expect(204).await;
    world.ask("DELETE", &path).expect(404).await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.removed"]);
    let last = world.events().await.pop().expect("an event");
    let (connection, previous) = subject(&last);
    assert_eq!((json!(connection.id.0), connection.status), (listed[0]["id"].clone(), ConnectionStatus::Revoked));
    assert_eq!(previous.map(|before| before.status), Some(ConnectionStatus::Active));
}

#[tokio::test]
async fn a_changed_label_or_user_has_an_event_with_previous_values() {
    let world = with_two_accounts().await;
    let listed = world.connections().await;
    let (id, created) = (crate::world::id_of(&listed[0]), world.events().await.len());
    let path = format!("/v1/connections/{id}");
    for body in [
        json!({"label": "Main"}),
        json!({"label": "Main"}),
        json!({"external_ref": "user42"}),
        json!({"external_ref": "user43", "label": null}),
    ] {
        world.ask("PATCH", &path).json(&body).expect(200).await;
    }
    let listed = world.ask("GET", "/v1/events?type=connection.updated").expect(200).await.json();
    let events = listed["events"].as_array().expect("a list");
    let told: Vec<(&Value, &Value)> =
        events.iter().rev().map(|event| (&event["data"]["connection"], &event["previous"]["connection"])).collect();
    let names = |of: &Value| (of["id"].clone(), of["label"].clone(), of["external_ref"].clone());
    let after: Vec<_> = told.iter().map(|(now, _)| names(now)).collect();
    assert_eq!(
        after,
        [
            (json!(id), json!("Main"), Value::Null),
            (json!(id), json!("Main"), json!("user42")),
            (json!(id), Value::Null, json!("user43")),
        ],
        "an update without an effect has no event"
    );
    let before: Vec<&Value> = told.iter().map(|(_, before)| *before).collect();
    let expected =
        [json!({"label": null}), json!({"external_ref": null}), json!({"label": "Main", "external_ref": "user42"})];
    assert_eq!(before, expected.iter().collect::<Vec<_>>());
    assert_eq!(world.events().await.len(), created + 3);
}

#[tokio::test]
async fn a_consent_that_sets_the_user_has_an_event() {
    let world = with_two_accounts().await;
    let mut seen = world.events().await.len();
    let account = two_accounts(&world).await.remove(0);
    let begun = world.ask("GET", "/v1/connections/alpha_ads/authorize?external_ref=user42").expect(200).await.json();
    let back = world.consent(begun["authorize_url"].as_str().expect("an address"), "approve", &[&account]).await;
    world.request("GET", &back).expect(200).await;
    assert_eq!(world.new_events(&mut seen).await, ["connection.updated"]);
    let last = world.events().await.pop().expect("an event");
    let (connection, previous) = subject(&last);
    assert_eq!(connection.external_ref.as_ref().map(|user| user.as_str()), Some("user42"));
    assert_eq!(previous.map(|before| (before.status, &before.external_ref)), Some((ConnectionStatus::Active, &None)));
}

/// More accounts than one transaction holds.
#[tokio::test(start_paused = true)]
async fn every_account_of_a_large_consent_has_an_event() {
    const ACCOUNTS: usize = 70;
    let world = in_process::World::new(clock(1), Plan::Enterprise).await;
    let app = Arc::new(world.straight());
    let ids = world.connect(&app, Platform::Gamma, ACCOUNTS).await;
    let events = events(&app.store, world.customer, world.clock.now()).await;
    let activated: HashSet<&str> = events
        .iter()
        .filter(|event| event.kind == EventKind::ConnectionActivated)
        .map(|event| subject(event).0.account_id())
        .collect();
    assert_eq!((events.len(), activated.len()), (ACCOUNTS, ACCOUNTS));
    assert!(ids.iter().all(|id| activated.contains(id.as_str())), "{ids:?}");
    let connected = app.store.customer_connections(world.customer, world.clock.now()).await.expect("the table");
    let known: HashSet<&ConnectionId> = connected.connections.iter().map(|connection| &connection.id).collect();
    assert!(events.iter().all(|event| known.contains(&subject(event).0.id)));
}
