//! Changes that a person has to approve.

use super::{Stage, approver, change_id, send_now};
use crate::in_process::{json_of, respond};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::{Approval, ChangeState, CustomerId, Executor, Platform};
use shared::error::Kind;
use shared::serve::PostResponseWork;
use std::collections::BTreeSet;

/// A stage whose key may run 100 a day. A person approves activations, and what adds more than 60.
async fn stage(platforms: &[Platform]) -> Stage {
    Stage::with(platforms, |connections| {
        json!({"connections": connections, "amounts": [{"currency": "USD", "daily": 100}],
            "approval": {"activation": true, "amounts": [{"currency": "USD", "amount": 60}]}})
    })
    .await
}

fn active() -> Value {
    json!({"status": "ACTIVE"})
}

impl Stage {
    /// Asks for a change, and returns the id of the one that waits.
    pub(crate) async fn ask(&self, campaign: &str, changes: &Value) -> String {
        let answer = self.agent("PATCH", &format!("/v1/campaigns/{campaign}"), changes).await;
        assert_eq!((answer.status, &answer.body["state"]), (202, &json!("awaiting_approval")), "{answer:?}");
        answer.body["id"].as_str().expect("an id").to_owned()
    }

    async fn state(&self, id: &str) -> String {
        let change = self.agent("GET", &format!("/v1/changes/{id}"), &Value::Null).await.body;
        change["state"].as_str().expect("a state").to_owned()
    }
}

#[tokio::test(start_paused = true)]
async fn an_activation_waits_until_a_person_approves_it_on_any_platform() {
    let stage = stage(&Platform::ALL).await;
    for platform in Platform::ALL {
        let campaign = stage.campaign(platform, &format!("One {platform}"), 55).await;
        let asked = stage.agent("PATCH", &format!("/v1/campaigns/{campaign}"), &active()).await;
        assert_eq!(asked.status, 202, "{platform}: {asked:?}");
        let id = asked.body["id"].as_str().expect("an id");
        let page = asked.body["approval_url"].as_str().expect("an address");
        assert!(page.ends_with(&format!("/dashboard/approvals/one?id={id}")), "{platform}: {page}");
        let waits = (&asked.body["executed_by"], &asked.body["approved_by"], &asked.body["sent_at"]);
        assert_eq!(waits, (&Value::Null, &Value::Null, &Value::Null), "{platform}");
        let before = (&asked.body["before"]["status"], &asked.body["before"]["budget_amount"]);
        assert_eq!(before, (&json!("PAUSED"), &json!(55)), "{platform}: as it was when it was asked for");
        assert_eq!(
            (stage.running().await, stage.reserved_and_left().await),
            (Decimal::ZERO, (0, 100)),
            "{platform}: nothing yet"
        );
        let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
        let mut all = connections["connections"].as_array().expect("a list").iter();
        assert!(all.all(|one| one["status"] == "ACTIVE"), "{platform}: asking says nothing about the connection");
        let seen = stage.review(id).await;
        let proposal = seen.proposal.as_ref().expect("a proposal");
        assert!(proposal.run.outcome.is_ok() && !proposal.run.requests.is_empty(), "{platform}: the exact requests");
        let approved = stage.approve(id).await.expect("an approval");
        assert_eq!((&approved.state, approved.executed_by), (&ChangeState::Applied, Executor::Approval), "{platform}");
        let told = stage.agent("GET", &format!("/v1/changes/{id}"), &Value::Null).await.body;
        let person = json!({"type": "person", "id": "person_1", "name": "ada@example.com", "person": null});
        assert_eq!(told["approved_by"], person);
        assert_eq!((&told["executed_by"], &told["approval_url"]), (&json!("approval"), &Value::Null), "{platform}");
        assert_eq!(
            (stage.running().await, stage.reserved_and_left().await),
            (Decimal::from(55), (55, 45)),
            "{platform}"
        );
        let again = stage.approve(id).await.expect_err("it is applied");
        assert_eq!(again.kind, Kind::Conflict, "{platform}");
        assert_eq!(stage.change(&campaign, &json!({"status": "PAUSED"})).await, 200, "{platform}: always free");
        stage.hours(36).await;
    }
}

#[tokio::test(start_paused = true)]
async fn only_raises_above_the_amount_need_approval() {
    let stage = stage(&[Platform::Beta]).await;
    let campaign = stage.campaign(Platform::Beta, "One", 200).await;
    stage.owner("PATCH", &format!("/v1/campaigns/{campaign}"), &active()).await;
    assert_eq!(stage.change(&campaign, &json!({"budget_amount": 230})).await, 200, "30 more");
    assert_eq!(stage.change(&campaign, &json!({"budget_amount": 301})).await, 403, "above the limit is no question");
    let id = stage.ask(&campaign, &json!({"budget_amount": 291})).await;
    assert_eq!(stage.reserved_and_left().await, (30, 70), "nothing is reserved while it waits");
    assert_eq!(stage.change(&campaign, &json!({"budget_amount": 180})).await, 200, "lowering is free");
    stage.approve(&id).await.expect_err("it would add 111 now, above what is left");
    assert_eq!(stage.running().await, Decimal::from(180));
}

#[tokio::test(start_paused = true)]
async fn a_change_awaiting_approval_ends_by_rejection_cancel_or_after_a_week() {
    let stage = stage(&[Platform::Alpha]).await;
    let campaign = stage.campaign(Platform::Alpha, "One", 50).await;
    let rejected = stage.ask(&campaign, &active()).await;
    stage.reject(&rejected).await.expect("a rejection");
    assert!(matches!(stage.reject(&rejected).await.expect("again").state, ChangeState::Rejected(_)));
    let told = stage.agent("GET", &format!("/v1/changes/{rejected}"), &Value::Null).await.body;
    assert_eq!(
        (&told["state"], &told["error"]["message"]),
        (&json!("rejected"), &json!("ada@example.com has rejected the change."))
    );
    let canceled = stage.ask(&campaign, &active()).await;
    assert_eq!(stage.agent("POST", &format!("/v1/changes/{canceled}/cancel"), &Value::Null).await.status, 200);
    let expired = stage.ask(&campaign, &active()).await;
    stage.hours(7 * 24 + 1).await;
    assert_eq!(stage.state(&expired).await, "expired", "before maintenance comes to it");
    assert_eq!(stage.agent("POST", &format!("/v1/changes/{expired}/cancel"), &Value::Null).await.status, 409);
    stage.reject(&expired).await.expect_err("too late");
    stage.minutes(1).await;
    assert_eq!(stage.state(&expired).await, "expired");
    for id in [&rejected, &canceled, &expired] {
        let error = stage.approve(id).await.expect_err("it does not wait");
        assert_eq!(error.kind, Kind::Conflict, "{}", error.message);
    }
    let waiting = stage.app.store.awaiting_approval(stage.owner.customer).await.expect("a read");
    assert_eq!((waiting.len(), stage.running().await), (0, Decimal::ZERO));
    let events = stage.owner("GET", "/v1/events?limit=100", &Value::Null).await;
    for (id, end) in [(&rejected, "change.rejected"), (&canceled, "change.canceled"), (&expired, "change.expired")] {
        let of_change = events["events"].as_array().expect("a list").iter();
        let of_change = of_change.filter(|event| event["data"]["change"]["id"] == **id);
        let told: BTreeSet<&str> = of_change.map(|event| event["type"].as_str().expect("a type")).collect();
        assert_eq!(told, BTreeSet::from(["change.awaiting_approval", end]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_modified_after_review_is_not_applied() {
    let stage = stage(&[Platform::Gamma]).await;
    let campaign = stage.campaign(Platform::Gamma, "One", 50).await;
    let id = stage.ask(&campaign, &active()).await;
    let seen = stage.review(&id).await.version();
    assert_eq!(stage.change(&campaign, &json!({"budget_amount": 90})).await, 200, "a raise of a paused campaign");
    let error = stage.approve_as_seen(&id, &seen).await.expect_err("50 were seen");
    assert_eq!(error.kind, Kind::Conflict, "{}", error.message);
    assert_eq!(stage.state(&id).await, "awaiting_approval", "it waits on");
    stage.approve(&id).await.expect("90 are seen now");
    assert_eq!((stage.running().await, stage.reserved_and_left().await), (Decimal::from(90), (90, 10)));
}

#[tokio::test(start_paused = true)]
async fn an_approved_change_applied_late_adds_no_more_than_was_approved() {
    for (budget, runs) in [(90, 0), (40, 40)] {
        let stage = stage(&[Platform::Beta]).await;
        let campaign = stage.campaign(Platform::Beta, "One", 50).await;
        let id = stage.ask(&campaign, &active()).await;
        stage.fault(Platform::Beta, "get", "error", 50).await;
        let current = stage.review(&id).await.proposal.and_then(|proposal| proposal.current);
        assert!(current.is_none(), "what cannot be read is not approved");
        stage.owner.control("POST", "reset", &json!({})).await;
        approve_without_making(&stage, &id).await;
        stage.owner("PATCH", &format!("/v1/campaigns/{campaign}"), &json!({"budget_amount": budget})).await;
        stage.minutes(1).await;
        assert_eq!(stage.running().await, Decimal::from(runs), "{budget}");
        assert_eq!(stage.state(&id).await, if runs == 0 { "failed" } else { "applied" });
    }
}

/// Stores an approval as a process that dies after it.
pub(super) async fn approve_without_making(stage: &Stage, id: &str) {
    let seen = stage.review(id).await;
    let at = stage.app.clock.now();
    let approval = Approval { by: approver(), at, seen: seen.proposal.and_then(|proposal| proposal.current) };
    let approved =
        stage.app.store.transition(&seen.change, |change| change.approved(&approval)).await.expect("a write");
    assert!(approved.is_made);
}

#[tokio::test(start_paused = true)]
async fn a_lowered_limit_applies_to_changes_awaiting_approval() {
    let stage = stage(&[Platform::Delta]).await;
    let campaign = stage.campaign(Platform::Delta, "One", 55).await;
    let id = stage.ask(&campaign, &active()).await;
    let limit = json!({"spending_limit": super::daily(&stage.connections, 50)});
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
    let error = stage.approve(&id).await.expect_err("55 of 50");
    assert_eq!((error.kind, stage.running().await), (Kind::Forbidden, Decimal::ZERO), "{}", error.message);
    let limit = json!({"spending_limit": super::daily(&stage.connections, 60)});
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
    stage.approve(&id).await.expect("it was asked for, so it waits even without the rule");
    assert_eq!(stage.running().await, Decimal::from(55));
}

#[tokio::test(start_paused = true)]
async fn an_approved_create_is_sent_once() {
    let stage = stage(&Platform::ALL).await;
    for platform in Platform::ALL {
        let body = json!({"platform": platform.as_str(), "name": format!("New {platform}"), "goal": "TRAFFIC",
            "budget_amount": 90, "budget_period": "DAILY"})
        .to_string();
        let key = format!("create-{platform}");
        let request = || stage.limited.request("POST", "/v1/campaigns", &[("Idempotency-Key", &key)], &body);
        let send = async || {
            let mut response = respond(&stage.app, request()).await;
            if let Some(rest) = PostResponseWork::take_from(&mut response) {
                rest.run().await;
            }
            (response.status().as_u16(), json_of(response.body()))
        };
        let (status, asked) = send().await;
        assert_eq!((status, &asked["state"]), (202, &json!("awaiting_approval")), "{platform}: {asked}");
        let (again, repeated) = send().await;
        assert_eq!((again, &repeated["id"]), (202, &asked["id"]), "{platform}: a retry asks nothing twice");
        assert_eq!(books(&stage).await, 0, "{platform}");
        let id = asked["id"].as_str().expect("an id");
        let approved = stage.approve(id).await.expect("an approval");
        assert_eq!(approved.state, ChangeState::Applied, "{platform}");
        assert_eq!((books(&stage).await, stage.running().await), (1, Decimal::ZERO), "{platform}: one, paused");
        let (after, repeated) = send().await;
        assert_eq!((after, &repeated["id"]), (202, &asked["id"]), "{platform}: a later retry creates nothing");
        assert_eq!(books(&stage).await, 1, "{platform}");
        let created = approved.campaign.expect("a campaign");
        let path = format!("/v1/campaigns/{created}");
        assert_eq!(stage.agent("DELETE", &path, &Value::Null).await.status, 204, "{platform}");
    }
    let limits = stage.agent("GET", "/v1/limits", &Value::Null).await.body;
    assert_eq!(limits["creates"]["used"], 6, "they count once each");
}

/// The number of campaigns in the sandbox's books that are not removed.
async fn books(stage: &Stage) -> usize {
    let listed = stage.owner.control("GET", "campaigns", &Value::Null).await;
    let campaigns = listed["campaigns"].as_array().expect("a list").iter();
    campaigns.filter(|one| one["name"].as_str().is_some_and(|name| name.starts_with("New")) && !is_removed(one)).count()
}

fn is_removed(campaign: &Value) -> bool {
    let status = campaign["status"].as_str().unwrap_or_default();
    ["REMOVED", "DELETED", "DELETE", "PENDING_DELETION", "ARCHIVED"].contains(&status)
}

#[tokio::test(start_paused = true)]
async fn each_target_of_a_create_needs_its_own_approval() {
    let stage = stage(&[Platform::Alpha, Platform::Beta]).await;
    let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
    let target = |one: &Value| {
        let platform = Platform::parse(one["platform"].as_str().expect("a platform")).expect("a platform");
        json!({"platform": platform.as_upper(), "organization_id": one["remote_account_id"]})
    };
    let targets: Vec<Value> = connections["connections"].as_array().expect("a list").iter().map(target).collect();
    let body = json!({"name": "New", "goal": "WEBSITE_TRAFFIC", "budget_amount": 90, "budget_period": "DAILY",
        "targets": targets});
    let dry = stage.agent("POST", "/v1/campaigns?dry_run=true", &body).await;
    for one in dry.body["data"].as_array().expect("a list") {
        let told = (&one["verdict"], &one["error"]["reason"]);
        assert_eq!(told, (&json!("would_fail"), &json!("APPROVAL_REQUIRED")), "as the request: {dry:?}");
    }
    let headers = [("X-API-Shape", "enveloped")];
    let request = stage.limited.request("POST", "/v1/campaigns", &headers, &body.to_string());
    let response = respond(&stage.app, request).await;
    let answer = json_of(response.body());
    assert_eq!((response.status().as_u16(), books(&stage).await), (403, 0), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("without targets")), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_scheduled_change_needs_approval_before_its_time() {
    let stage = stage(&[Platform::Beta]).await;
    let at = |hours: i64| {
        let time = stage.app.clock.now() + jiff::SignedDuration::from_hours(hours);
        format!("?apply_at={time:.0}")
    };
    let ask = async |hours: i64, name: &str| {
        let campaign = stage.campaign(Platform::Beta, name, 50).await;
        let path = format!("/v1/campaigns/{campaign}{}", at(hours));
        let answer = stage.agent("PATCH", &path, &active()).await;
        assert_eq!((answer.status, &answer.body["state"]), (202, &json!("awaiting_approval")), "{answer:?}");
        answer.body["id"].as_str().expect("an id").to_owned()
    };
    let (approved, ignored) = (ask(5, "One").await, ask(6, "Two").await);
    let change = stage.approve(&approved).await.expect("an approval");
    assert_eq!((change.state, stage.running().await), (ChangeState::Scheduled, Decimal::ZERO));
    stage.hours(5).await;
    stage.minutes(1).await;
    assert_eq!((stage.state(&approved).await.as_str(), stage.running().await), ("applied", Decimal::from(50)));
    stage.hours(1).await;
    assert_eq!(stage.state(&ignored).await, "expired", "nobody approved it before its time");
    stage.minutes(1).await;
    assert_eq!(stage.running().await, Decimal::from(50));
}

#[tokio::test(start_paused = true)]
async fn each_campaign_of_a_bulk_activation_needs_its_own_approval() {
    let stage = stage(&[Platform::Beta]).await;
    let one = stage.campaign(Platform::Beta, "One", 20).await;
    let two = stage.campaign(Platform::Beta, "Two", 30).await;
    let body = json!({"status": "ACTIVE", "ids": [one, two]});
    let answer = stage.agent("POST", "/v1/campaigns/status", &body).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    stage.minutes(2).await;
    let waiting = stage.app.store.awaiting_approval(stage.owner.customer).await.expect("a read");
    assert_eq!((waiting.len(), stage.running().await), (2, Decimal::ZERO));
    for id in waiting {
        stage.approve(&id.to_string()).await.expect("an approval");
    }
    assert_eq!(stage.running().await, Decimal::from(50));
}

#[tokio::test(start_paused = true)]
async fn approvals_are_invisible_to_others_and_unlimited_keys_need_none() {
    let stage = stage(&[Platform::Alpha]).await;
    let campaign = stage.campaign(Platform::Alpha, "One", 50).await;
    let id = stage.ask(&campaign, &active()).await;
    let other = CustomerId(uuid::Uuid::from_u128(99));
    assert_eq!(stage.app.store.change(other, change_id(&id)).await.expect("a read"), None, "not theirs");
    let answer = send_now(&stage.app, &stage.owner, "PATCH", &format!("/v1/campaigns/{campaign}"), &active()).await;
    assert_eq!(answer.status, 200, "a key without a limit");
}

#[tokio::test(start_paused = true)]
async fn the_same_change_requests_one_approval() {
    let stage = stage(&[Platform::Alpha]).await;
    let campaign = stage.campaign(Platform::Alpha, "One", 50).await;
    let first = stage.ask(&campaign, &active()).await;
    assert_eq!(stage.ask(&campaign, &active()).await, first);
    let other = stage.ask(&campaign, &json!({"status": "ACTIVE", "name": "Two"})).await;
    assert_ne!(other, first);
}

#[tokio::test(start_paused = true)]
async fn removing_the_limit_ends_changes_awaiting_approval() {
    let stage = stage(&[Platform::Alpha]).await;
    let campaign = stage.campaign(Platform::Alpha, "One", 50).await;
    let id = stage.ask(&campaign, &active()).await;
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &json!({"spending_limit": null})).await;
    assert_eq!(stage.state(&id).await, "canceled");
    assert_eq!(stage.change(&campaign, &active()).await, 200, "nobody is asked any more");
}

#[tokio::test(start_paused = true)]
async fn a_key_cannot_raise_a_campaign_that_somebody_else_scheduled_to_run() {
    for platform in [Platform::Alpha, Platform::Beta] {
        let stage = Stage::with_daily(&[platform], 1_000).await;
        let campaign = stage.campaign(platform, "One", 50).await;
        let at = stage.app.clock.now() + jiff::SignedDuration::from_hours(5);
        let path = format!("/v1/campaigns/{campaign}?apply_at={at:.0}");
        stage.owner("PATCH", &path, &active()).await;
        let refused = stage.agent("PATCH", &format!("/v1/campaigns/{campaign}"), &json!({"budget_amount": 900})).await;
        assert_eq!(refused.status, 403, "{platform}: {refused:?}");
        assert_eq!(stage.change(&campaign, &json!({"name": "Other"})).await, 200, "{platform}");
        stage.hours(5).await;
        stage.minutes(1).await;
        assert_eq!(stage.running().await, Decimal::from(50), "{platform}: as it was scheduled");
    }
}

#[tokio::test(start_paused = true)]
async fn an_activation_waiting_for_its_start_keeps_its_requester() {
    let stage = stage(&[Platform::Gamma]).await;
    let start = |hours: i64| {
        let at = stage.app.clock.now() + jiff::SignedDuration::from_hours(hours);
        format!("{at:.0}")
    };
    let campaign = stage.campaign(Platform::Gamma, "One", 50).await;
    let path = format!("/v1/campaigns/{campaign}");
    stage.owner("PATCH", &path, &json!({"status": "ACTIVE", "start_at": start(5)})).await;
    assert_eq!(stage.change(&campaign, &json!({"start_at": start(6)})).await, 200, "a key moves dates");
    stage.hours(6).await;
    stage.minutes(1).await;
    assert_eq!(stage.running().await, Decimal::from(50), "the owner has asked for it");
}

#[tokio::test(start_paused = true)]
async fn an_activation_is_not_approved_after_its_start_moved() {
    let stage = stage(&[Platform::Beta]).await;
    let campaign = stage.campaign(Platform::Beta, "One", 50).await;
    let id = stage.ask(&campaign, &active()).await;
    let start = format!("{:.0}", stage.app.clock.now() + jiff::SignedDuration::from_hours(50));
    assert_eq!(stage.change(&campaign, &json!({"start_at": start})).await, 200);
    let error = stage.approve(&id).await.expect_err("it would wait for the start");
    assert!(error.message.contains("waits for its start"), "{}", error.message);
    assert_eq!(stage.change(&campaign, &json!({"start_at": null})).await, 200);
    stage.approve(&id).await.expect("without a start");
    assert_eq!(stage.running().await, Decimal::from(50));
}

#[tokio::test(start_paused = true)]
async fn a_bulk_activation_that_waited_for_its_start_requests_approval_then() {
    let stage = stage(&[Platform::Beta]).await;
    let campaign = stage.campaign(Platform::Beta, "One", 50).await;
    let start = format!("{:.0}", stage.app.clock.now() + jiff::SignedDuration::from_hours(10 * 24));
    stage.owner("PATCH", &format!("/v1/campaigns/{campaign}"), &json!({"start_at": start})).await;
    let answer = stage.agent("POST", "/v1/campaigns/status", &json!({"status": "ACTIVE", "ids": [campaign]})).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    stage.hours(10 * 24).await;
    stage.minutes(2).await;
    let waiting = stage.app.store.awaiting_approval(stage.owner.customer).await.expect("a read");
    let id = waiting.first().expect("it waits").to_string();
    assert_eq!(stage.state(&id).await, "awaiting_approval", "for seven days from now");
    stage.approve(&id).await.expect("an approval");
    assert_eq!(stage.running().await, Decimal::from(50));
}

#[tokio::test(start_paused = true)]
async fn concurrent_equal_requests_create_one_approval() {
    let stage = stage(&[Platform::Beta]).await;
    let campaign = stage.campaign(Platform::Beta, "One", 50).await;
    let (path, body) = (format!("/v1/campaigns/{campaign}"), active());
    let asks = (0..6).map(|_| send_now(&stage.app, &stage.limited, "PATCH", &path, &body));
    let answers = futures_util::future::join_all(asks).await;
    let ids: BTreeSet<String> = answers.iter().map(|answer| answer.body["id"].to_string()).collect();
    assert!(ids.len() == 1 && answers.iter().all(|answer| answer.status == 202), "{answers:?}");
    let waiting = stage.owner("GET", "/v1/changes?state=awaiting_approval", &Value::Null).await;
    assert_eq!(waiting["changes"].as_array().map(Vec::len), Some(1), "{waiting}");
}
