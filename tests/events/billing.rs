//! The events of billing: another plan, and a payment that fails.

use crate::world::World;
use serde_json::json;
use shared::clock::Clock;
use shared::domain::{BillingBefore, BillingStatus, Event, Plan, Subject};

fn subject(event: &Event) -> (&BillingStatus, &BillingBefore) {
    match &event.subject {
        Subject::Billing { billing, previous } => (billing, previous),
        other => panic!("{other:?}"),
    }
}

impl World {
    async fn last(&self) -> (BillingStatus, BillingBefore) {
        let last = self.events().await.pop().expect("an event");
        let (billing, previous) = subject(&last);
        (billing.clone(), previous.clone())
    }
}

#[tokio::test]
async fn a_purchase_a_failed_payment_and_the_end_have_one_event_each() {
    let world = World::start().await;
    let mut seen = 0;
    // The demo customer begins with plan enterprise.
    world.buy("pro").await;
    world.delivered_events().await;
    assert_eq!(world.new_events(&mut seen).await, ["billing.plan_changed"]);
    let (billing, previous) = world.last().await;
    assert_eq!((billing.plan, billing.status.as_str()), (Plan::Pro, "active"));
    assert_eq!(previous, BillingBefore { plan: Some(Plan::Enterprise), status: None });
    let portal = world.portal().await;
    world.click(&portal, "decision=fail").await;
    world.delivered_events().await;
    assert_eq!(world.new_events(&mut seen).await, ["billing.past_due"]);
    let (billing, previous) = world.last().await;
    assert_eq!((billing.plan, billing.status.as_str()), (Plan::Pro, "past_due"), "the plan stays");
    assert_eq!((previous.plan, previous.status.map(|status| status.as_str() == "active")), (None, Some(true)));
    world.click(&portal, "decision=pay").await;
    for event in world.delivered_events().await {
        world.control("POST", "stripe/redeliver").json(&json!({ "event": event["event"]["id"] })).expect(200).await;
    }
    world.delivered_events().await;
    assert_eq!(world.new_events(&mut seen).await, [""; 0], "a payment, and events again");
    world.click(&portal, "decision=cancel_now").await;
    world.delivered_events().await;
    assert_eq!(world.new_events(&mut seen).await, ["billing.plan_changed"]);
    let (billing, previous) = world.last().await;
    assert_eq!((billing.plan, billing.status.as_str()), (Plan::Starter, "canceled"));
    assert_eq!((previous.plan, previous.status.is_some()), (Some(Plan::Pro), true));
}

#[tokio::test]
async fn an_operators_plan_has_an_event_if_it_differs() {
    let world = World::start().await;
    let mut seen = 0;
    let (store, now) = (&world.gateway.app.store, Clock::system().now());
    assert!(store.set_plan(world.owner(), Plan::Enterprise, now).await.expect("the table"));
    assert_eq!(world.new_events(&mut seen).await, [""; 0]);
    assert!(store.set_plan(world.owner(), Plan::Pro, now).await.expect("the table"));
    assert_eq!(world.new_events(&mut seen).await, ["billing.plan_changed"]);
    let (billing, previous) = world.last().await;
    assert_eq!((billing.plan, previous.plan), (Plan::Pro, Some(Plan::Enterprise)));
}
