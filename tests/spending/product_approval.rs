//! A person decides in the customer's own product, whose key with the scope `approve` passes the decision on.

use super::approval::approve_without_making;
use super::{Answer, Stage, approver, change_id, send, send_now, with_approval, with_key};
use crate::in_process::{World, json_of, respond};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::changes;
use shared::domain::{Approver, Platform, Requester};
use shared::error::{Error, Kind};
use shared::serve::PostResponseWork;
use tokio::time::{Duration, sleep};

/// A stage, and the key of the product.
struct Product {
    stage: Stage,
    world: World,
    key: String,
}

fn active() -> Value {
    json!({"status": "ACTIVE"})
}

impl Product {
    /// The key with a limit may run 500 a day, and asks before each activation.
    async fn on(platforms: &[Platform]) -> Product {
        let stage = Stage::with(platforms, with_approval).await;
        let body = json!({"name": "Product", "scopes": ["approve"]});
        let made = stage.owner("POST", "/v1/api-keys", &body).await;
        let world = with_key(&stage.owner, made["api_key"].as_str().expect("a key"));
        Product { world, key: made["id"].as_str().expect("an id").to_owned(), stage }
    }

    /// An activation that waits, of a new campaign with this budget: its id.
    async fn asked(&self, platform: Platform, name: &str, budget: i64) -> String {
        let campaign = self.stage.campaign(platform, name, budget).await;
        self.stage.ask(&campaign, &active()).await
    }

    async fn send(&self, method: &str, id: &str, part: &str, body: &Value) -> Answer {
        send(&self.stage.app, &self.world, method, &format!("/v1/changes/{id}/{part}"), body).await
    }

    async fn review(&self, id: &str) -> Value {
        let answer = self.send("GET", id, "review", &Value::Null).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    /// The decision of a person on what they see now.
    async fn decision(&self, id: &str, by: &str) -> Value {
        json!({"version": self.review(id).await["version"], "approved_by": by})
    }

    async fn approve(&self, id: &str, by: &str) -> Answer {
        let decision = self.decision(id, by).await;
        self.send("POST", id, "approve", &decision).await
    }

    /// A request in the enveloped shape: its `data`.
    async fn enveloped(&self, method: &str, path: &str, body: &Value) -> Value {
        sleep(Duration::from_millis(200)).await;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = self.world.request(method, path, &[("X-API-Shape", "enveloped")], &body);
        let mut response = respond(&self.stage.app, request).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        assert_eq!(response.status(), 200, "{method} {path}: {:?}", response.body());
        json_of(response.body())["data"].clone()
    }
}

#[tokio::test(start_paused = true)]
async fn a_product_shows_a_change_and_passes_on_the_approval() {
    let product = Product::on(&Platform::ALL).await;
    for platform in Platform::ALL {
        let id = product.asked(platform, &format!("One {platform}"), 55).await;
        let review = product.review(&id).await;
        assert_eq!(review["change"]["id"], json!(id), "{platform}: {review}");
        let values = ["before", "after"].map(|part| (&review[part]["status"], &review[part]["budget_amount"]));
        assert_eq!(values, [(&json!("PAUSED"), &json!(55)), (&json!("ACTIVE"), &json!(55))], "{platform}");
        assert!(review["requests"][0]["url"].is_string() && review.get("error").is_none(), "{platform}: {review}");
        let limits = &review["limits"];
        assert_eq!((&limits["limited"], &limits["amounts"][0]["daily"]["limit"]), (&json!(true), &json!(500)));
        assert_eq!(product.stage.running().await, Decimal::ZERO, "{platform}: looking sends nothing");
        let approved = product.approve(&id, "user-4711").await;
        let by = json!({"type": "api_key", "id": product.key, "name": "Product", "person": "user-4711"});
        let told = (approved.status, &approved.body["state"], &approved.body["approved_by"]);
        assert_eq!(told, (200, &json!("applied"), &by), "{platform}: {approved:?}");
        assert_eq!(approved.body["executed_by"], "approval", "{platform}");
        assert_eq!(product.stage.running().await, Decimal::from(55), "{platform}");
        let campaign = approved.body["campaign_id"].as_str().expect("an id").to_owned();
        assert_eq!(product.stage.change(&campaign, &json!({"status": "PAUSED"})).await, 200, "{platform}");
        product.stage.hours(36).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_review_and_its_decision_have_both_shapes() {
    let product = Product::on(&[Platform::Alpha]).await;
    let id = product.asked(Platform::Alpha, "One", 55).await;
    let path = format!("/v1/changes/{id}");
    let flat = product.review(&id).await;
    let review = product.enveloped("GET", &format!("{path}/review"), &Value::Null).await;
    assert_eq!(review["version"], flat["version"], "one version for both");
    assert_eq!((&flat["change"]["platform"], &review["change"]["platform"]), (&json!("alpha_ads"), &json!("ALPHA")));
    let decision = json!({"version": review["version"], "approved_by": "user-4711"});
    let approved = product.enveloped("POST", &format!("{path}/approve"), &decision).await;
    assert_eq!((&approved["state"], &approved["approved_by"]["person"]), (&json!("applied"), &json!("user-4711")));
    let id = product.asked(Platform::Alpha, "Two", 55).await;
    let rejection = json!({"rejected_by": "user-4711", "reason": "Too much."});
    let rejected = product.enveloped("POST", &format!("/v1/changes/{id}/reject"), &rejection).await;
    let message = "\"user-4711\" (the API key \"Product\") has rejected the change: Too much.";
    assert_eq!((&rejected["state"], &rejected["error"]["message"]), (&json!("rejected"), &json!(message)));
    assert_eq!(rejected["error"]["reason"], "APPROVAL_REJECTED");
}

#[tokio::test(start_paused = true)]
async fn the_same_decision_again_is_the_same_answer_and_makes_nothing() {
    let product = Product::on(&[Platform::Beta]).await;
    let id = product.asked(Platform::Beta, "One", 55).await;
    let decision = product.decision(&id, "user-4711").await;
    let first = product.send("POST", &id, "approve", &decision).await;
    let campaign = first.body["campaign_id"].as_str().expect("an id").to_owned();
    assert_eq!(product.stage.change(&campaign, &json!({"status": "PAUSED"})).await, 200);
    let again = product.send("POST", &id, "approve", &decision).await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert_eq!(product.stage.running().await, Decimal::ZERO, "a repeated decision activates nothing again");
    let mut other = decision.clone();
    other["approved_by"] = json!("user-4712");
    let late = product.send("POST", &id, "approve", &other).await;
    assert_eq!((late.status, &late.body["reason"]), (409, &json!("NOT_WAITING")), "{late:?}");

    let id = product.asked(Platform::Beta, "Two", 55).await;
    let rejection = json!({"rejected_by": "user-4711"});
    let first = product.send("POST", &id, "reject", &rejection).await;
    let again = product.send("POST", &id, "reject", &json!({"rejected_by": "user-4712"})).await;
    assert_eq!((first.status, again.status, &again.body), (200, 200, &first.body), "the first stays");
}

#[tokio::test(start_paused = true)]
async fn a_create_is_approved_by_a_product_and_made_once() {
    let product = Product::on(&[Platform::Beta]).await;
    let mut limit = with_approval(&product.stage.connections);
    limit["approval"] = json!({"amounts": [{"currency": "USD", "amount": 60}]});
    let key = format!("/v1/api-keys/{}", product.stage.key);
    product.stage.owner("PATCH", &key, &json!({"spending_limit": limit})).await;
    let body = json!({"platform": "beta_ads", "name": "New", "goal": "TRAFFIC", "budget_amount": 90,
        "budget_period": "DAILY"});
    let asked = product.stage.agent("POST", "/v1/campaigns", &body).await;
    assert_eq!((asked.status, &asked.body["state"]), (202, &json!("awaiting_approval")), "{asked:?}");
    let id = asked.body["id"].as_str().expect("an id").to_owned();
    let review = product.review(&id).await;
    assert_eq!(review["before"], Value::Null);
    let after = (&review["after"]["name"], &review["after"]["status"], &review["after"]["budget_amount"]);
    assert_eq!(after, (&json!("New"), &json!("PAUSED"), &json!(90)));
    let decision = json!({"version": review["version"], "approved_by": "user-4711"});
    let path = format!("/v1/changes/{id}/approve");
    let both = (0..4).map(|_| send_now(&product.stage.app, &product.world, "POST", &path, &decision));
    let answers = futures_util::future::join_all(both).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let listed = product.stage.owner.control("GET", "campaigns", &Value::Null).await;
    let listed = listed["campaigns"].as_array().expect("a list").iter();
    assert_eq!(listed.filter(|one| one["name"] == "New").count(), 1, "the books have one");
    let last = product.send("POST", &id, "approve", &decision).await;
    assert_eq!((last.status, &last.body["state"]), (200, &json!("applied")), "{last:?}");
}

#[tokio::test(start_paused = true)]
async fn of_two_people_at_once_one_approves() {
    let product = Product::on(&[Platform::Beta]).await;
    let id = product.asked(Platform::Beta, "One", 55).await;
    let path = format!("/v1/changes/{id}/approve");
    let decisions = [product.decision(&id, "user-1").await, product.decision(&id, "user-2").await];
    let sent = decisions.iter().map(|body| send_now(&product.stage.app, &product.world, "POST", &path, body));
    let mut statuses: Vec<u16> =
        futures_util::future::join_all(sent).await.into_iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!((statuses, product.stage.running().await), (vec![200, 409], Decimal::from(55)));

    let id = product.asked(Platform::Beta, "Two", 40).await;
    let (approval, path) = (product.decision(&id, "user-1").await, format!("/v1/changes/{id}"));
    let rejection = json!({"rejected_by": "user-2"});
    let (approve, reject) = (format!("{path}/approve"), format!("{path}/reject"));
    let (approved, rejected) = tokio::join!(
        send_now(&product.stage.app, &product.world, "POST", &approve, &approval),
        send_now(&product.stage.app, &product.world, "POST", &reject, &rejection)
    );
    let runs = product.stage.running().await == Decimal::from(95);
    let told = [approved.status, rejected.status];
    assert_eq!(told, if runs { [200, 409] } else { [409, 200] }, "{approved:?} {rejected:?}");
}

#[tokio::test(start_paused = true)]
async fn an_invalid_decision_names_its_field() {
    let product = Product::on(&[Platform::Alpha]).await;
    let id = product.asked(Platform::Alpha, "One", 55).await;
    let long = "9".repeat(256);
    for (part, body, fields) in [
        ("approve", json!({}), vec!["version", "approved_by"]),
        ("approve", json!({"version": "v", "approved_by": ""}), vec!["approved_by"]),
        ("approve", json!({"version": "v", "approved_by": "a\u{202e}b"}), vec!["approved_by"]),
        ("approve", json!({"version": "v", "approved_by": "a\nb"}), vec!["approved_by"]),
        ("approve", json!({"version": "v", "approved_by": long}), vec!["approved_by"]),
        ("approve", json!({"version": 1, "approved_by": "a"}), vec!["version"]),
        ("approve", json!({"version": "v", "approved_by": "a", "comment": "b"}), vec!["comment"]),
        ("reject", json!({}), vec!["rejected_by"]),
        ("reject", json!({"rejected_by": "a", "reason": ""}), vec!["reason"]),
        ("reject", json!({"rejected_by": "a", "version": "v"}), vec!["version"]),
    ] {
        let refused = product.send("POST", &id, part, &body).await;
        let details = refused.body["details"].as_array().cloned().unwrap_or_default();
        let named: Vec<&str> = details.iter().filter_map(|detail| detail["field"].as_str()).collect();
        assert_eq!((refused.status, named), (400, fields), "{part} {body}: {refused:?}");
    }
    assert_eq!(product.stage.stored(&id).await.approval, None, "it waits on");
    let unknown = product.send("GET", &id, "review?shape=flat", &Value::Null).await;
    assert_eq!(unknown.status, 400, "{unknown:?}");
}

#[tokio::test(start_paused = true)]
async fn a_decision_is_refused_to_a_key_that_may_not_make_it() {
    let product = Product::on(&[Platform::Alpha]).await;
    let id = product.asked(Platform::Alpha, "One", 55).await;
    let decision = product.decision(&id, "user-4711").await;
    for (method, part) in [("GET", "review"), ("POST", "approve"), ("POST", "reject")] {
        let path = format!("/v1/changes/{id}/{part}");
        for world in [&product.stage.limited, &product.stage.owner] {
            let refused = send(&product.stage.app, world, method, &path, &decision).await;
            let told = (refused.status, &refused.body["reason"]);
            assert_eq!(told, (403, &json!("SCOPE_MISSING")), "{method} {path}: {refused:?}");
        }
        for unknown in ["chg_00000000000000000000000000000000", "chg_1"] {
            let body = if part == "reject" { json!({"rejected_by": "a"}) } else { decision.clone() };
            assert_eq!(product.send(method, unknown, part, &body).await.status, 404, "{method} {unknown} {part}");
        }
    }
    let own = Requester::ApiKey { id: product.stage.key.clone(), name: "Agent".to_owned() };
    let own = Approver { by: own, ..approver() };
    let seen = decision["version"].as_str().expect("a version");
    let change = product.stage.stored(&id).await;
    let refused: Error = changes::approve(&product.stage.app, change, own, seen).await.expect_err("its own change");
    assert_eq!(refused.kind, Kind::Forbidden, "{}", refused.message);
    assert_eq!((product.stage.stored(&id).await.approval, product.stage.running().await), (None, Decimal::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_stale_version_says_to_look_again() {
    let product = Product::on(&[Platform::Gamma]).await;
    let campaign = product.stage.campaign(Platform::Gamma, "One", 50).await;
    let id = product.stage.ask(&campaign, &active()).await;
    let decision = product.decision(&id, "user-4711").await;
    assert_eq!(product.stage.change(&campaign, &json!({"budget_amount": 90})).await, 200);
    let stale = product.send("POST", &id, "approve", &decision).await;
    assert_eq!((stale.status, &stale.body["reason"]), (409, &json!("CHANGED_MEANWHILE")), "{stale:?}");
    assert!(stale.body["error"].as_str().is_some_and(|text| text.contains("/review")), "{stale:?}");
    assert_eq!(product.review(&id).await["after"]["budget_amount"], 90, "it waits on, as it is now");
    assert_eq!(product.approve(&id, "user-4711").await.status, 200);
    assert_eq!(product.stage.running().await, Decimal::from(90));
}

#[tokio::test(start_paused = true)]
async fn what_does_not_wait_any_more_is_neither_shown_nor_decided() {
    let product = Product::on(&[Platform::Beta]).await;
    let stage = &product.stage;
    let canceled = product.asked(Platform::Beta, "One", 20).await;
    assert_eq!(stage.agent("POST", &format!("/v1/changes/{canceled}/cancel"), &Value::Null).await.status, 200);
    let rejected = product.asked(Platform::Beta, "Two", 20).await;
    stage.reject(&rejected).await.expect("a rejection by a person");
    let approved = product.asked(Platform::Beta, "Three", 20).await;
    stage.approve(&approved).await.expect("an approval by a person");
    let expired = product.asked(Platform::Beta, "Four", 20).await;
    stage.hours(7 * 24 + 1).await;
    let removed = product.asked(Platform::Beta, "Five", 20).await;
    let campaign = stage.stored(&removed).await.campaign.expect("a campaign");
    assert_eq!(stage.agent("DELETE", &format!("/v1/campaigns/{campaign}"), &Value::Null).await.status, 204);
    let decision = json!({"version": "9", "approved_by": "user-4711"});
    for (id, state) in [
        (&canceled, "canceled"),
        (&rejected, "rejected"),
        (&approved, "applied"),
        (&expired, "expired"),
        (&removed, "canceled"),
    ] {
        let shown = product.send("GET", id, "review", &Value::Null).await;
        let refused = product.send("POST", id, "approve", &decision).await;
        for answer in [shown, refused] {
            assert_eq!((answer.status, &answer.body["reason"]), (409, &json!("NOT_WAITING")), "{state}: {answer:?}");
            let words = answer.body["error"].as_str().expect("words");
            assert!(words.starts_with(&format!("The change is {state}")), "{state}: {words}");
        }
        let answer = product.send("POST", id, "reject", &json!({"rejected_by": "a"})).await;
        assert_eq!(answer.status, if state == "rejected" { 200 } else { 409 }, "{state}: {answer:?}");
    }
    assert_eq!(stage.running().await, Decimal::from(20));
}

#[tokio::test(start_paused = true)]
async fn an_approval_never_exceeds_the_limit() {
    let product = Product::on(&[Platform::Delta]).await;
    let id = product.asked(Platform::Delta, "One", 55).await;
    let decision = product.decision(&id, "user-4711").await;
    let mut limit = with_approval(&product.stage.connections);
    limit["amounts"][0]["daily"] = json!(50);
    let key = format!("/v1/api-keys/{}", product.stage.key);
    product.stage.owner("PATCH", &key, &json!({"spending_limit": limit})).await;
    let review = product.review(&id).await;
    assert_eq!(review["error"]["reason"], "SPENDING_LIMIT", "the review says why not: {review}");
    let refused = product.send("POST", &id, "approve", &decision).await;
    assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("SPENDING_LIMIT")), "{refused:?}");
    assert_eq!(refused.body["spending_limit"]["needed"], 55, "{refused:?}");
    assert_eq!(product.stage.running().await, Decimal::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_cannot_be_asked_leaves_the_change_waiting() {
    let product = Product::on(&[Platform::Beta]).await;
    let id = product.asked(Platform::Beta, "One", 55).await;
    let decision = product.decision(&id, "user-4711").await;
    product.stage.fault(Platform::Beta, "get", "error", 50).await;
    for (method, part) in [("GET", "review"), ("POST", "approve")] {
        let failed = product.send(method, &id, part, &decision).await;
        assert_eq!(failed.status, 502, "{part}: {failed:?}");
    }
    product.stage.owner.control("POST", "reset", &json!({})).await;
    product.stage.minutes(5).await;
    assert_eq!(product.send("POST", &id, "approve", &decision).await.status, 200);
    assert_eq!(product.stage.running().await, Decimal::from(55));
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_a_crash_finds_the_approval_and_maintenance_makes_it() {
    let product = Product::on(&[Platform::Beta]).await;
    let id = product.asked(Platform::Beta, "One", 55).await;
    let seen = product.stage.review(&id).await.version();
    approve_without_making(&product.stage, &id).await;
    let change = product.stage.stored(&id).await;
    let again = changes::approve(&product.stage.app, change, approver(), &seen).await.expect("the same approval");
    assert!(again.is_open() && again.approval.is_some(), "{again:?}");
    assert_eq!(product.stage.running().await, Decimal::ZERO, "the retry sends nothing by itself");
    product.stage.minutes(2).await;
    assert_eq!(product.stage.running().await, Decimal::from(55));
    let change = product.stage.stored(&id).await;
    let done = changes::approve(&product.stage.app, change, approver(), &seen).await.expect("once more");
    assert_eq!((done.id, done.attempt), (change_id(&id), 1));
}

#[tokio::test(start_paused = true)]
async fn the_event_that_asks_has_what_a_review_needs() {
    let product = Product::on(&Platform::ALL).await;
    for platform in Platform::ALL {
        let campaign = product.stage.campaign(platform, &format!("One {platform}"), 55).await;
        let id = product.stage.ask(&campaign, &json!({"status": "ACTIVE", "budget_amount": 60})).await;
        let events = product.stage.owner("GET", "/v1/events?type=change.awaiting_approval", &Value::Null).await;
        let told = &events["events"][0]["data"];
        assert_eq!(told["change"]["id"], json!(id), "{platform}: {told}");
        let review = product.review(&id).await;
        for part in ["version", "approve_until", "before", "after"] {
            assert_eq!(told["review"][part], review[part], "{platform}: {part}");
        }
        let decision = json!({"version": told["review"]["version"], "approved_by": "user-4711"});
        assert_eq!(product.send("POST", &id, "approve", &decision).await.status, 200, "{platform}");
        let events = product.stage.owner("GET", "/v1/events?type=change.approved", &Value::Null).await;
        let told = &events["events"][0]["data"];
        assert_eq!(told.get("review"), None, "{platform}: nothing is left to decide");
        assert_eq!(told["change"]["approved_by"]["person"], "user-4711", "{platform}");
        assert_eq!(product.stage.change(&campaign, &json!({"status": "PAUSED"})).await, 200, "{platform}");
        product.stage.hours(36).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_scope_is_given_by_a_key_that_writes_and_never_beside_a_limit() {
    let product = Product::on(&[Platform::Alpha]).await;
    let stage = &product.stage;
    let limit = with_approval(&stage.connections);
    for scopes in [json!(["approve"]), json!(["campaigns", "approve"])] {
        let body = json!({"name": "A", "scopes": scopes, "spending_limit": limit});
        let refused = send(&stage.app, &stage.owner, "POST", "/v1/api-keys", &body).await;
        assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!("scopes")), "{refused:?}");
    }
    let own = format!("/v1/api-keys/{}", product.key);
    let refused = send(&stage.app, &stage.owner, "PATCH", &own, &json!({"spending_limit": limit})).await;
    assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!("scopes")), "{refused:?}");
    let wider = json!({"scopes": ["campaigns", "approve"]});
    let agent = format!("/v1/api-keys/{}", stage.key);
    let refused = send(&stage.app, &stage.owner, "PATCH", &agent, &wider).await;
    assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!("scopes")), "{refused:?}");
    let keys = stage.owner("GET", "/v1/api-keys", &Value::Null).await;
    let keys = keys["api_keys"].as_array().expect("a list");
    let first = keys.iter().find(|key| key["id"] == "key_default").expect("the first key");
    assert_eq!(first["scopes"], json!(["read", "write", "billing"]), "it is in no default");
}
