//! The erasure of a user (D169): what runs is paused first, then nothing that names the user is left in the table, and another
//! user keeps everything. The sandbox's books say what runs.

use super::{Answer, HEADER, Stage, User, send};
use crate::in_process::engine::items;
use crate::spending::running_of;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::{ExternalRef, KeyId};
use std::collections::BTreeSet;
use std::convert::Infallible;
use tokio::time::{Duration, sleep};

const USER: &str = "/v1/users/shop_a";
pub(super) const ERASE: &str = "/v1/users/shop_a?erase=true";
const REFERENCE: &str = "order-of-shop-a-77";

impl Stage {
    /// Runs maintenance every minute for this time.
    pub(super) async fn minutes(&self, minutes: u64) {
        for _ in 0..minutes {
            sleep(Duration::from_mins(1)).await;
            maintenance::run(&self.app).await.expect("maintenance runs to its end");
        }
    }

    fn table(&self) -> Vec<Value> {
        items(&self.world.database)
    }

    /// The records that name the user, its ad accounts, connections, campaigns or references.
    pub(super) fn left_of(&self, user: &User) -> Vec<String> {
        let User { name, connections, accounts, campaign, campaign_name, .. } = user;
        let names: Vec<&str> = [*name, campaign, campaign_name, REFERENCE]
            .into_iter()
            .chain(connections.iter().map(String::as_str))
            .chain(accounts.iter().map(String::as_str))
            .collect();
        let items = self.table().into_iter().map(|item| item.to_string());
        items.filter(|text| names.iter().any(|name| text.contains(name))).collect()
    }

    /// The keys of the records that name the other user, without its requests and what becomes of a change in time.
    fn keys_of_other(&self) -> BTreeSet<String> {
        let other = &self.users[1];
        let is_kept = |item: &Value| {
            let (text, sk) = (item.to_string(), item["sk"]["S"].as_str().unwrap_or_default());
            other.names().iter().any(|name| text.contains(name)) && !sk.starts_with("DELIVERY#")
        };
        let key = |item: Value| format!("{} {}", item["pk"]["S"], item["sk"]["S"]);
        self.table().into_iter().filter(is_kept).map(key).collect()
    }

    /// The budgets of a user's campaigns that run, by the sandbox's books.
    async fn running(&self, user: &User) -> Decimal {
        let listed = self.world.control("GET", "campaigns", &Value::Null).await;
        let all = listed["campaigns"].as_array().expect("a list").iter();
        running_of(all.filter(|one| one["name"] == user.campaign_name.as_str()))
    }

    /// The state of the erasure; `None` once the user is not found.
    pub(super) async fn state(&self) -> Option<Value> {
        let read = self.ask_for_all("GET", USER, &Value::Null).await;
        match read.status {
            404 => None,
            200 => Some(read.body["erasure"].clone()),
            _ => panic!("{read:?}"),
        }
    }

    async fn keyed(&self, key: &str, method: &str, path: &str, body: &Value) -> Answer {
        let headers = [(HEADER, self.users[0].name), ("idempotency-key", key)];
        send(&self.app, &self.world, &headers, method, path, body).await
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_that_names_an_erased_user_is_left() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    stage.ask_for_all("PUT", USER, &json!({"label": "Shop A"})).await;
    let bound = stage.bound(&json!(["read", "write"])).await;
    let path = format!("/v1/campaigns/{}", own.campaign);
    let named = json!({"budget_amount": 8, "reference": REFERENCE});
    assert_eq!(stage.keyed("of-shop-a", "PATCH", &path, &named).await.status, 200);
    stage.ask("GET", "/v1/campaigns", &Value::Null).await;
    let of_other = stage.keys_of_other();
    let other_runs = stage.running(other).await;
    assert!(stage.running(own).await > Decimal::ZERO && other_runs > Decimal::ZERO, "both run");
    let begun = stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    assert_eq!((begun.status, &begun.body["erasure"]["state"]), (202, &json!("pausing")), "{begun:?}");
    assert_eq!(begun.body["is_paused"], true, "{begun:?}");
    let again = stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    assert_eq!(again.body["erasure"]["requested_at"], begun.body["erasure"]["requested_at"], "the same: {again:?}");
    stage.minutes(6).await;
    assert_eq!((stage.running(own).await, stage.running(other).await), (Decimal::ZERO, other_runs));
    let refused = stage.ask("PATCH", &path, &json!({"name": "Later"})).await;
    assert!([409, 404].contains(&refused.status), "nothing is changed any more: {refused:?}");
    stage.minutes(60).await;
    assert_eq!((stage.state().await, stage.left_of(own)), (None, Vec::new()));
    let lost: Vec<String> = of_other.difference(&stage.keys_of_other()).cloned().collect();
    assert!(lost.is_empty(), "of the other user: {lost:?}");
    assert_eq!(stage.running(other).await, other_runs);
    let refused = send(&stage.app, &bound, &[], "GET", "/v1/connections", &Value::Null).await;
    assert_eq!(refused.status, 401, "its key is deleted: {refused:?}");
    for (method, path) in [("DELETE", ERASE), ("GET", USER), ("GET", "/v1/users/shop_a/export")] {
        let gone = stage.ask_for_all(method, path, &Value::Null).await;
        assert_eq!(gone.status, 404, "{method} {path}: {gone:?}");
    }
    assert_eq!(stage.left_of(own), Vec::<String>::new(), "the requests after it name it neither");
}

#[tokio::test(start_paused = true)]
async fn a_record_without_names_stays_of_each_change() {
    let stage = Stage::new().await;
    let own = &stage.users[0];
    stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    stage.minutes(60).await;
    let table = stage.table();
    let stays = |id: &str| table.iter().find(|item| item["sk"]["S"] == format!("ERASED#{id}").as_str());
    let changed = stays(&own.change).unwrap_or_else(|| panic!("no {} in {table:?}", own.change));
    let seen = ["kind", "state", "amount", "currency"].map(|name| changed[name]["S"].as_str().unwrap_or_default());
    assert_eq!(seen, ["update", "applied", "6", "USD"], "{changed}");
    let waited = stays(&own.waiting).expect("a change that waited");
    assert_eq!(waited["state"]["S"], "canceled", "{waited}");
    let read = stage.ask_for_all("GET", &format!("/v1/changes/{}", own.change), &Value::Null).await;
    assert_eq!(read.status, 404, "{read:?}");
}

#[tokio::test(start_paused = true)]
async fn a_key_whose_response_was_erased_sends_nothing_again() {
    let stage = Stage::new().await;
    let path = format!("/v1/campaigns/{}", stage.users[0].campaign);
    let body = json!({"budget_amount": 8});
    assert_eq!(stage.keyed("one", "PATCH", &path, &body).await.status, 200);
    stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    stage.minutes(60).await;
    let retried = stage.keyed("one", "PATCH", &path, &body).await;
    assert!([404, 409].contains(&retried.status), "{retried:?}");
    let emptied = stage.table().into_iter().filter(|item| item["is_erased"]["BOOL"] == true).count();
    assert_eq!(emptied, 1, "the key stays claimed");
}

#[tokio::test(start_paused = true)]
async fn an_erasure_may_leave_what_runs() {
    let stage = Stage::new().await;
    let own = &stage.users[0];
    let before = stage.running(own).await;
    stage.ask_for_all("DELETE", &format!("{ERASE}&leave_running=true"), &Value::Null).await;
    stage.minutes(60).await;
    assert_eq!((stage.state().await, stage.running(own).await), (None, before));
    assert_eq!(stage.left_of(own), Vec::<String>::new());
}

/// The customer's own key is stopped meanwhile, so a key of the user is the only one that may write.
#[tokio::test(start_paused = true)]
async fn an_erasure_ends_although_only_a_key_of_the_user_may_write() {
    let stage = Stage::new().await;
    stage.bound(&json!(["read", "write"])).await;
    stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    let (store, customer, now) = (&stage.app.store, stage.world.customer, stage.world.clock.now());
    let keys = async || store.account(customer, stage.world.clock.now()).await.expect("a read").expect("one").keys;
    let stopped = store.change_keys(customer, keys().await, now, |keys| {
        Ok::<_, Infallible>(keys.stopped(&KeyId::default_key(), Some(now)))
    });
    let Ok(_) = stopped.await.expect("a write");
    stage.minutes(60).await;
    let user = ExternalRef::parse(stage.users[0].name).expect("a name");
    assert_eq!(store.known_user(customer, &user).await.expect("a read"), None, "the erasure is over");
    assert_eq!(stage.left_of(&stage.users[0]), Vec::<String>::new());
    let left: Vec<KeyId> = keys().await.all().iter().map(|key| key.id.clone()).collect();
    assert_eq!(left, [KeyId::default_key()]);
}

/// Only whoever says so leaves running what nobody could pause.
#[tokio::test(start_paused = true)]
async fn a_pause_that_is_refused_holds_an_erasure_back() {
    let stage = Stage::new().await;
    let revoked = json!({"platform": "alpha_ads", "operation": "any", "fault": "revoked", "times": 100_000, "ms": 0});
    stage.world.control("POST", "faults", &revoked).await;
    stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    stage.minutes(60).await;
    assert_eq!(stage.state().await.expect("a user that waits")["state"], "pausing");
    let told = stage.ask_for_all("DELETE", &format!("{ERASE}&leave_running=true"), &Value::Null).await;
    assert_eq!((told.status, &told.body["erasure"]["leave_running"]), (202, &json!(true)), "{told:?}");
    stage.minutes(60).await;
    assert_eq!((stage.state().await, stage.left_of(&stage.users[0])), (None, Vec::new()));
}

/// What a key with a limit has activated counts until the day of the ad account is over, whoever has paused it.
#[tokio::test(start_paused = true)]
async fn what_counts_against_a_key_is_erased_when_its_day_is_over() {
    let stage = Stage::new().await;
    let own = &stage.users[0];
    let limit = json!({"connections": own.connections, "amounts": [{"currency": "USD", "daily": 100}]});
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit});
    let made = stage.ask_for_all("POST", "/v1/api-keys", &body).await;
    let agent = crate::spending::with_key(&stage.world, made.body["api_key"].as_str().expect("a key"));
    let path = format!("/v1/campaigns/{}", own.campaign);
    for status in ["PAUSED", "ACTIVE"] {
        let set = send(&stage.app, &agent, &[], "PATCH", &path, &json!({"status": status})).await;
        assert_eq!(set.status, 200, "{set:?}");
    }
    stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    stage.minutes(60).await;
    assert_eq!(stage.state().await.expect("a user of whom something counts")["state"], "erasing");
    let limits = send(&stage.app, &agent, &[], "GET", "/v1/limits", &Value::Null).await;
    assert_eq!(limits.body["amounts"][0]["daily"]["reserved"], 6, "{limits:?}");
    sleep(Duration::from_hours(25)).await;
    stage.minutes(5).await;
    // The limit of the key goes on naming the connections, by ids that lead nowhere.
    let left = stage.left_of(own).into_iter().filter(|text| !text.contains("LIMIT#key_")).collect::<Vec<_>>();
    assert_eq!((stage.state().await, left), (None, Vec::new()));
    let limits = send(&stage.app, &agent, &[], "GET", "/v1/limits", &Value::Null).await;
    assert_eq!(limits.body["amounts"][0]["daily"]["reserved"], 0, "{limits:?}");
}

#[tokio::test(start_paused = true)]
async fn an_erasure_is_refused_to_whoever_may_not_ask() {
    let stage = Stage::new().await;
    let bound = stage.bound(&json!(["read", "write"])).await;
    for (path, field) in [
        (USER, "erase"),
        ("/v1/users/shop_a?erase=false", "erase"),
        ("/v1/users/shop_a?erase=true&leave_running=maybe", "leave_running"),
        ("/v1/users/shop_a?erase=true&now=true", "now"),
    ] {
        let refused = stage.ask_for_all("DELETE", path, &Value::Null).await;
        assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!(field)), "{path}: {refused:?}");
    }
    let refused = send(&stage.app, &bound, &[], "DELETE", ERASE, &Value::Null).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    let foreign = stage.ask("DELETE", "/v1/users/shop_b?erase=true", &Value::Null).await;
    assert_eq!(foreign.status, 404, "{foreign:?}");
    let reader = stage.with_scopes(&json!(["read"])).await;
    assert_eq!(send(&stage.app, &reader, &[], "DELETE", ERASE, &Value::Null).await.status, 403);
    stage.ask_for_all("DELETE", ERASE, &Value::Null).await;
    for (method, path, body) in [
        ("PUT", USER, json!({"label": "Shop"})),
        ("POST", "/v1/users/shop_a/pause", Value::Null),
        ("POST", "/v1/users/shop_a/resume", Value::Null),
    ] {
        let refused = stage.ask_for_all(method, path, &body).await;
        assert_eq!((refused.status, &refused.body["reason"]), (409, &json!("USER_ERASED")), "{path}: {refused:?}");
    }
}
