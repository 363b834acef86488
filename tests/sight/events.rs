//! Events about a user: its list has all of them and no others, and each webhook says whose it is. No endpoint of webhooks
//! filters by user: the customer receives what is told of all of them.

use super::busy::ENDPOINTS;
use super::{Stage, User, ask};
use serde_json::Value;
use shared::domain::EventKind;
use std::collections::BTreeSet;

/// Whether events of a type are about a user. A new type does not compile without its row here.
fn is_of_user(kind: EventKind) -> bool {
    match kind {
        EventKind::ConnectionActivated
        | EventKind::ConnectionRevoked
        | EventKind::ConnectionError
        | EventKind::ConnectionRecovered
        | EventKind::ConnectionUpdated
        | EventKind::ConnectionRemoved
        | EventKind::ChangeScheduled
        | EventKind::ChangeAwaitingApproval
        | EventKind::ChangeApproved
        | EventKind::ChangeRejected
        | EventKind::ChangeCanceled
        | EventKind::ChangeExpired
        | EventKind::ChangeLate
        | EventKind::ChangeInDoubt
        | EventKind::ChangeApplied
        | EventKind::ChangePartlyApplied
        | EventKind::ChangeFailed
        | EventKind::LimitRefused
        | EventKind::UserUpdated
        | EventKind::UserPaused
        | EventKind::UserResumed => true,
        EventKind::ApiKeyCreated
        | EventKind::ApiKeyRotated
        | EventKind::ApiKeyRevoked
        | EventKind::ApiKeyStopped
        | EventKind::Quota80Percent
        | EventKind::Quota100Percent
        | EventKind::BillingPlanChanged
        | EventKind::BillingPastDue
        | EventKind::WebhookEndpointDisabled => false,
    }
}

fn kind_of(event: &Value) -> EventKind {
    let kind = event["type"].as_str().and_then(EventKind::parse);
    kind.unwrap_or_else(|| panic!("no type: {event}"))
}

/// The types that each user must have been told, by the name of the user.
fn expected(users: &[User]) -> BTreeSet<(&str, EventKind)> {
    let kinds = EventKind::ALL.into_iter().filter(|kind| is_of_user(*kind));
    kinds.flat_map(|kind| users.iter().map(move |user| (user.name, kind))).collect()
}

/// The user whose names an event has, if it has any. Those of two are never in one.
fn named<'a>(users: &'a [User], event: &Value) -> Option<&'a User> {
    let text = event.to_string();
    let mut named = users.iter().filter(|user| user.names().iter().any(|name| text.contains(name)));
    let first = named.next();
    assert!(named.next().is_none(), "two users in {event}");
    first
}

/// The user that an event says it is about.
fn said(event: &Value) -> Option<&str> {
    let subjects = ["change", "connection", "user"].map(|subject| &event["data"][subject]["external_ref"]);
    subjects.into_iter().find_map(Value::as_str)
}

/// All events that a request for a user lists, or for none.
async fn listed(stage: &Stage, user: Option<&str>) -> Vec<Value> {
    let (mut events, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/events?limit=100{cursor}");
        let page = ask(&stage.app, &stage.world, user, "GET", &path, &Value::Null).await;
        assert_eq!(page.status, 200, "{path}: {page:?}");
        events.extend(page.body["events"].as_array().expect("a list").iter().cloned());
        match page.body["pagination"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return events,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_list_of_a_user_has_every_event_of_it_and_no_other() {
    let stage = Stage::busy().await;
    let all = listed(&stage, None).await;
    let mut told = BTreeSet::new();
    for event in &all {
        let (kind, user) = (kind_of(event), named(&stage.users, event));
        assert_eq!(user.is_some(), is_of_user(kind), "{event}");
        told.extend(user.map(|user| (user.name, kind)));
    }
    let missing: Vec<_> = expected(&stage.users).difference(&told).copied().collect();
    assert!(missing.is_empty(), "it has not happened: {missing:?}");
    for user in &stage.users {
        let is_own = |event: &&Value| named(&stage.users, event).is_some_and(|named| named.name == user.name);
        let own: Vec<Value> = all.iter().filter(is_own).cloned().collect();
        assert_eq!(listed(&stage, Some(user.name)).await, own, "{}", user.name);
    }
}

#[tokio::test(start_paused = true)]
async fn each_webhook_about_a_user_names_it_and_no_other() {
    let stage = Stage::busy().await;
    for (url, shape) in ENDPOINTS {
        let mut told = BTreeSet::new();
        for received in stage.world.receivers.received(url) {
            let event = received.event();
            let kind = kind_of(&event);
            let user = named(&stage.users, &event).map(|user| user.name);
            assert_eq!((said(&event), user.is_some()), (user, is_of_user(kind)), "{shape}: {event}");
            told.extend(user.map(|user| (user, kind)));
        }
        let missing: Vec<_> = expected(&stage.users).difference(&told).copied().collect();
        assert!(missing.is_empty(), "{shape} has not received {missing:?}");
    }
}
