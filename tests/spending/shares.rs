//! A key with a limit, and a user, may use only a share of the scheduled changes and of those awaiting approval of the
//! customer.

use super::{Answer, Stage, send_now, with_approval, with_key};
use crate::in_process::World;
use serde_json::{Value, json};
use shared::domain::{Change, ChangeId, ChangeState, Platform};
use tokio::time::{Duration, sleep};
use uuid::Uuid;

/// The share of a key of what may wait for its time, and for a person.
const SHARE: usize = 200;
const SHARE_OF_APPROVALS: usize = 40;

impl Stage {
    /// Another key with a limit.
    async fn another(&self) -> World {
        let body =
            json!({"name": "Second", "scopes": ["campaigns"], "spending_limit": with_approval(&self.connections)});
        let made = self.owner("POST", "/v1/api-keys", &body).await;
        with_key(&self.owner, made["api_key"].as_str().expect("a key"))
    }

    fn later(&self, campaign: &str, minutes: i64) -> String {
        let at = self.app.clock.now() + jiff::SignedDuration::from_mins(minutes);
        format!("/v1/campaigns/{campaign}?apply_at={at:.0}")
    }

    async fn by(&self, world: &World, path: &str, body: &Value) -> Answer {
        sleep(Duration::from_millis(200)).await;
        send_now(&self.app, world, "PATCH", path, body).await
    }

    /// Stores as many changes that wait like this one.
    async fn repeat(&self, id: &str, times: usize) {
        let (store, customer) = (&self.app.store, self.owner.customer);
        let change = store.change(customer, super::change_id(id)).await.expect("a read").expect("a change");
        for number in 0..times {
            let id = ChangeId::new(self.app.clock.now(), Uuid::from_u128(7), number);
            store.schedule_change(&Change { id, ..change.clone() }, None, self.app.clock.now()).await.expect("a write");
        }
    }
}

fn id_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{answer:?}");
    answer.body["id"].as_str().expect("an id").to_owned()
}

fn is_full(answer: &Answer, words: &[&str]) {
    let told = answer.body["error"].as_str().expect("a text");
    let says = words.iter().all(|word| told.contains(word));
    assert!(answer.status == 409 && answer.body["reason"] == "LIMIT_REACHED" && says, "{words:?}: {answer:?}");
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_may_fill_a_fifth_of_the_schedule() {
    let stage = Stage::with(&[Platform::Beta], with_approval).await;
    let second = stage.another().await;
    let one = stage.campaign(Platform::Beta, "One", 50).await;
    let two = stage.campaign(Platform::Beta, "Two", 50).await;
    let name = |number: usize| json!({"name": format!("Name {number}")});
    let first = id_of(&stage.agent("PATCH", &stage.later(&one, 600), &name(1)).await);
    stage.repeat(&first, SHARE - 4).await;
    let applied = id_of(&stage.agent("PATCH", &stage.later(&one, 5), &name(2)).await);
    let removed = id_of(&stage.agent("PATCH", &stage.later(&two, 600), &name(3)).await);
    let last = id_of(&stage.agent("PATCH", &stage.later(&one, 600), &name(4)).await);
    let key = stage.key.to_string();
    let filter = format!("state=scheduled&api_key_id={key}");
    let full = async || {
        let refused = stage.agent("PATCH", &stage.later(&one, 600), &name(5)).await;
        is_full(&refused, &["200 changes of this API key", "Cancel one of them", &filter]);
    };
    full().await;
    assert_eq!(stage.by(&second, &stage.later(&one, 600), &name(6)).await.status, 202, "another key");
    stage.owner("PATCH", &stage.later(&one, 600), &name(7)).await;
    let again = async |number: usize| {
        assert_eq!(stage.agent("PATCH", &stage.later(&one, 600), &name(number)).await.status, 202, "room again");
        full().await;
    };
    assert_eq!(stage.agent("POST", &format!("/v1/changes/{last}/cancel"), &Value::Null).await.status, 200);
    again(8).await;
    stage.minutes(6).await;
    assert_eq!(stage.owner("GET", &format!("/v1/changes/{applied}"), &Value::Null).await["state"], "applied");
    again(9).await;
    stage.owner("DELETE", &format!("/v1/campaigns/{two}"), &Value::Null).await;
    assert_eq!(stage.owner("GET", &format!("/v1/changes/{removed}"), &Value::Null).await["state"], "canceled");
    again(10).await;
}

#[tokio::test(start_paused = true)]
async fn the_last_fifth_is_reserved_for_people_and_unlimited_keys() {
    let stage = Stage::with(&[Platform::Beta], with_approval).await;
    let one = stage.campaign(Platform::Beta, "One", 50).await;
    let path = stage.later(&one, 600);
    let scheduled = stage.owner("PATCH", &path, &json!({"name": "First"})).await;
    stage.repeat(scheduled["id"].as_str().expect("an id"), 799).await;
    let refused = stage.agent("PATCH", &path, &json!({"name": "Second"})).await;
    is_full(&refused, &["800 changes wait", "people"]);
    assert!(!refused.body.to_string().contains("default"), "it hears of no other key: {refused:?}");
    stage.owner("PATCH", &path, &json!({"name": "Third"})).await;
}

#[tokio::test(start_paused = true)]
async fn a_key_may_fill_a_share_of_the_approval_queue() {
    let stage = Stage::with(&[Platform::Beta], with_approval).await;
    let second = stage.another().await;
    let one = stage.campaign(Platform::Beta, "One", 50).await;
    let two = stage.campaign(Platform::Beta, "Two", 50).await;
    let path = format!("/v1/campaigns/{one}");
    let active = |number: usize| json!({"status": "ACTIVE", "name": format!("Name {number}")});
    let approved = id_of(&stage.agent("PATCH", &format!("/v1/campaigns/{two}"), &active(0)).await);
    let scheduled = id_of(&stage.agent("PATCH", &stage.later(&one, 600), &active(0)).await);
    let mut asked = Vec::new();
    for number in 2..SHARE_OF_APPROVALS {
        asked.push(id_of(&stage.agent("PATCH", &path, &active(number)).await));
    }
    let full = async || {
        let filter = format!("state=awaiting_approval&api_key_id={}", stage.key);
        let words = ["40 changes of this API key wait for approval", &filter];
        for path in [path.clone(), stage.later(&one, 600)] {
            is_full(&stage.agent("PATCH", &path, &active(900)).await, &words);
        }
    };
    full().await;
    assert_eq!(stage.agent("PATCH", &stage.later(&one, 600), &json!({"name": "Later"})).await.status, 202, "a rename");
    assert_eq!(stage.agent("PATCH", &path, &active(2)).await.status, 202, "what waits already is not asked for again");
    assert_eq!(stage.by(&second, &path, &active(901)).await.status, 202, "another key");
    let again = async |number: usize| {
        assert_eq!(stage.agent("PATCH", &path, &active(number)).await.status, 202, "room again");
        full().await;
    };
    stage.reject(&asked[0]).await.expect("a rejection");
    again(101).await;
    assert_eq!(stage.agent("POST", &format!("/v1/changes/{}/cancel", asked[1]), &Value::Null).await.status, 200);
    again(102).await;
    assert_eq!(stage.approve(&approved).await.expect("an approval").state, ChangeState::Applied);
    again(103).await;
    stage.hours(11).await;
    stage.minutes(1).await;
    assert_eq!(stage.owner("GET", &format!("/v1/changes/{scheduled}"), &Value::Null).await["state"], "expired");
    again(104).await;
}

#[tokio::test(start_paused = true)]
async fn a_bulk_activation_requests_no_more_approvals_than_the_share() {
    let stage = Stage::with(&[Platform::Beta], with_approval).await;
    let one = stage.campaign(Platform::Beta, "One", 50).await;
    let two = stage.campaign(Platform::Beta, "Two", 50).await;
    let path = format!("/v1/campaigns/{one}");
    for number in 0..SHARE_OF_APPROVALS {
        let asked = json!({"status": "ACTIVE", "name": format!("Name {number}")});
        id_of(&stage.agent("PATCH", &path, &asked).await);
    }
    let many = stage.agent("POST", "/v1/campaigns/status", &json!({"status": "ACTIVE", "ids": [one, two]})).await;
    assert_eq!(many.status, 202, "{many:?}");
    stage.minutes(2).await;
    let waiting = stage.app.store.awaiting_approval(stage.owner.customer).await.expect("a read");
    assert_eq!(waiting.len(), SHARE_OF_APPROVALS);
    let failed = stage.owner("GET", "/v1/changes?state=failed", &Value::Null).await;
    let failed = failed["changes"].as_array().expect("a list");
    let says = |one: &Value| one["error"]["reason"] == "LIMIT_REACHED";
    assert!(failed.len() == 2 && failed.iter().all(says), "{failed:?}");
}

/// Also what a key without a limit asks for in the connections of the user.
#[tokio::test(start_paused = true)]
async fn a_user_may_fill_a_fifth_of_what_the_others_leave() {
    let stage = Stage::with(&[Platform::Alpha, Platform::Beta], with_approval).await;
    let limit = json!({"amounts": [{"currency": "USD", "daily": 500}], "approval": {"activation": true}});
    for (connection, user) in stage.connections.iter().zip(["shop1", "shop2"]) {
        stage.owner("PATCH", &format!("/v1/connections/{connection}"), &json!({"external_ref": user})).await;
        stage.owner("PUT", &format!("/v1/users/{user}"), &json!({"spending_limit": limit})).await;
    }
    let one = stage.campaign(Platform::Alpha, "One", 50).await;
    let two = stage.campaign(Platform::Beta, "Two", 50).await;
    let ask = async |campaign: &str, number: usize| {
        let body = json!({"status": "ACTIVE", "name": format!("Name {number}")});
        stage.by(&stage.owner, &format!("/v1/campaigns/{campaign}"), &body).await
    };
    let first = ask(&one, 0).await;
    let user = first.body["external_ref"].as_str().expect("a user").to_owned();
    stage.repeat(&id_of(&first), SHARE_OF_APPROVALS - 1).await;
    let asked = format!("40 changes of the user {user} wait for approval");
    is_full(&ask(&one, 1).await, &[&asked, &format!("state=awaiting_approval&external_ref={user}")]);
    assert_eq!(ask(&two, 2).await.status, 202, "another user");

    let schedule = async |campaign: &str, number: usize| {
        let body = json!({"name": format!("Later {number}")});
        stage.by(&stage.owner, &stage.later(campaign, 600), &body).await
    };
    let scheduled = id_of(&schedule(&one, 0).await);
    // One is of the other user: 999 are left, and 40 wait for a person.
    stage.repeat(&scheduled, 199 - SHARE_OF_APPROVALS - 1).await;
    let wait = format!("199 changes of the user {user} wait for their time");
    is_full(&schedule(&one, 1).await, &[&wait, &format!("state=scheduled&external_ref={user}")]);
    assert_eq!(schedule(&two, 2).await.status, 202, "another user");
    let canceled = stage.owner("POST", &format!("/v1/changes/{scheduled}/cancel"), &Value::Null).await;
    assert_eq!(canceled["state"], "canceled");
    assert_eq!(schedule(&one, 3).await.status, 202, "room again");
}
