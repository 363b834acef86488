//! The events of quotas: each share once in a period, by the request that sees it first.

use super::{events, kinds};
use crate::in_process::{self, clock, respond};
use crate::spending::send_now;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value;
use shared::app::App;
use shared::domain::{Event, Occurrence, Plan, Subject, Usage};
use shared::store::{Account, table_keys};
use std::sync::Arc;

const READ: &str = "/v1/redirect-uris";

/// A customer of the smallest plan, whose quota is 10,000 requests.
struct Stage {
    world: in_process::World,
    app: Arc<App>,
}

impl Stage {
    async fn start() -> Stage {
        let world = in_process::World::new(clock(1), Plan::Starter).await;
        let app = Arc::new(world.straight());
        Stage { world, app }
    }

    /// A request with what follows it.
    async fn ask(&self) -> u16 {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        send_now(&self.app, &self.world, "GET", READ, &Value::Null).await.status
    }

    /// A request of a process that dies with its response.
    async fn ask_and_die(&self) {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let response = respond(&self.app, self.world.request("GET", READ, &[], "")).await;
        assert_eq!(response.status(), 200);
    }

    async fn use_up(&self, used: u64) {
        let client = in_process::engine::client_over(in_process::engine::Straight(self.world.database.clone()));
        let update = client.update_item().table_name(in_process::engine::TABLE);
        let update = update.set_key(Some(table_keys::account(self.world.customer).attributes()));
        let update = update.update_expression("SET used = :used");
        let update = update.expression_attribute_values(":used", AttributeValue::N(used.to_string()));
        update.send().await.expect("a write");
    }

    async fn account(&self) -> Account {
        let account = self.app.store.account(self.world.customer, self.world.clock.now()).await;
        account.expect("the table").expect("an account")
    }

    async fn events(&self) -> Vec<Event> {
        let mut events = events(&self.app.store, self.world.customer, self.world.clock.now()).await;
        events.retain(|event| matches!(event.subject, Subject::Quota { .. }));
        events
    }
}

#[tokio::test(start_paused = true)]
async fn crossing_each_share_of_the_quota_has_one_event() {
    let stage = Stage::start().await;
    stage.use_up(7_998).await;
    assert_eq!(stage.ask().await, 200);
    assert_eq!(kinds(&stage.events().await), [""; 0]);
    assert_eq!(stage.ask().await, 200);
    let events = stage.events().await;
    assert_eq!(kinds(&events), ["quota.80_percent"]);
    let usage = Usage { requests_used: 8_000, ..stage.account().await.usage };
    assert_eq!(events[0].subject, Subject::Quota { plan: Plan::Starter, usage });
    assert!(events[0].request.is_some());
    for _ in 0..3 {
        assert_eq!(stage.ask().await, 200);
    }
    stage.use_up(9_999).await;
    assert_eq!(stage.ask().await, 200);
    for _ in 0..3 {
        assert_eq!(stage.ask().await, 429);
    }
    assert_eq!(kinds(&stage.events().await), ["quota.80_percent", "quota.100_percent"]);
    stage.use_up(7_000).await;
    assert_eq!(stage.ask().await, 200);
    stage.use_up(9_000).await;
    assert_eq!(stage.ask().await, 200);
    assert_eq!(stage.events().await.len(), 2, "a second crossing in the same period");
}

#[tokio::test(start_paused = true)]
async fn the_next_request_emits_the_event_of_a_crashed_one() {
    let stage = Stage::start().await;
    stage.use_up(9_999).await;
    stage.ask_and_die().await;
    assert_eq!(kinds(&stage.events().await), [""; 0]);
    assert_eq!(stage.ask().await, 429);
    assert_eq!(kinds(&stage.events().await), ["quota.80_percent", "quota.100_percent"], "both were crossed");
}

#[tokio::test(start_paused = true)]
async fn a_smaller_plan_crosses_a_share_and_a_refund_reverts_it() {
    let stage = Stage::start().await;
    let (store, now) = (&stage.app.store, stage.world.clock.now());
    assert!(store.set_plan(stage.world.customer, Plan::Pro, now).await.expect("the table"));
    stage.use_up(9_000).await;
    assert_eq!(stage.ask().await, 200);
    assert_eq!(kinds(&stage.events().await), [""; 0]);
    assert!(store.set_plan(stage.world.customer, Plan::Starter, now).await.expect("the table"));
    let seen = stage.account().await;
    stage.use_up(7_999).await;
    let occurrence = Occurrence { customer: stage.world.customer, request: None, at: now };
    assert!(!store.report_quota(&seen, occurrence).await.expect("the table"), "what was counted is refunded");
    stage.use_up(9_000).await;
    assert_eq!(stage.ask().await, 200);
    assert_eq!(kinds(&stage.events().await), ["quota.80_percent"]);
    assert!(!store.report_quota(&seen, occurrence).await.expect("the table"), "another request has emitted it");
}

#[tokio::test(start_paused = true)]
async fn a_new_period_emits_quota_events_again() {
    let stage = Stage::start().await;
    stage.use_up(8_500).await;
    assert_eq!(stage.ask().await, 200);
    tokio::time::sleep(std::time::Duration::from_hours(24 * 32)).await;
    assert_eq!(stage.ask().await, 200);
    stage.use_up(8_500).await;
    assert_eq!(stage.ask().await, 200);
    let events = stage.events().await;
    assert_eq!(events.last().map(|event| event.kind.as_str()), Some("quota.80_percent"));
    let start = stage.account().await.usage.period_start;
    let of_period =
        |event: &&Event| matches!(event.subject, Subject::Quota { usage, .. } if usage.period_start == start);
    assert_eq!(events.iter().filter(of_period).count(), 1);
}
