//! A subscription after its purchase: plan changes, renewals, failed payments and its end.

use super::pair;
use crate::world::World;
use serde_json::json;
use shared::clock::Clock;
use shared::domain::Plan;

#[tokio::test]
async fn the_portal_changes_and_cancels_the_plan() {
    let world = World::start().await;
    world.buy("pro").await;
    let portal = world.portal().await;
    world.click(&portal, "decision=plan&price=price_enterprise").await;
    world.delivered_events().await;
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"));
    world.click(&portal, "decision=plan&price=price_pro").await;
    world.click(&portal, "decision=cancel").await;
    world.delivered_events().await;
    assert_eq!(
        world.subscription_state().await,
        pair("pro", "active"),
        "a canceled plan lasts until the end of its period"
    );
    world.advance(1).await;
    assert_eq!(world.subscription_state().await, pair("starter", "canceled"));
    let back = world.click(&portal, "decision=back").await;
    world.request("GET", back.header("location")).expect(200).await;
}

#[tokio::test]
async fn a_failed_payment_keeps_the_plan_until_the_subscription_ends() {
    let world = World::start().await;
    world.buy("pro").await;
    let portal = world.portal().await;
    world.click(&portal, "decision=fail").await;
    world.delivered_events().await;
    assert_eq!(world.subscription_state().await, pair("pro", "past_due"));
    world.click(&portal, "decision=pay").await;
    world.delivered_events().await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
    world.click(&portal, "decision=fail").await;
    world.delivered_events().await;
    world.advance(1).await;
    assert_eq!(world.subscription_state().await, pair("starter", "canceled"));
    world.buy("enterprise").await;
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"));
}

#[tokio::test]
async fn a_renewed_period_resets_the_usage() {
    let world = World::start().await;
    world.buy("pro").await;
    world.delivered_events().await;
    let before = world.status().await;
    world.set_used_requests(200).await;
    world.advance(3).await;
    let after = world.status().await;
    assert_eq!(after["usage"]["requests_used"], 0, "the request itself does not count");
    assert!(after["current_period_start"].as_str() > before["current_period_end"].as_str(), "{before} {after}");
    world.click(&world.portal().await, "decision=plan&price=price_enterprise").await;
    world.delivered_events().await;
    world.set_used_requests(9).await;
    world.click(&world.portal().await, "decision=cancel").await;
    world.delivered_events().await;
    let used = &world.status().await["usage"]["requests_used"];
    assert_eq!(used, 9, "usage continues within a period; neither the portal nor this request counts");
}

#[tokio::test]
async fn a_plan_set_by_an_operator_lasts_until_the_subscription_changes() {
    let world = World::start().await;
    world.buy("pro").await;
    world.delivered_events().await;
    let customer = shared::domain::CustomerId(world.gateway.customer_id.parse().expect("an id"));
    world.gateway.app.store.set_plan(customer, Plan::Enterprise, Clock::system().now()).await.expect("a write");
    world.advance(1).await;
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"), "a renewal keeps the plan");
    world.click(&world.portal().await, "decision=cancel_now").await;
    world.delivered_events().await;
    assert_eq!(world.subscription_state().await, pair("starter", "canceled"));
    world.gateway.app.store.set_plan(customer, Plan::Pro, Clock::system().now()).await.expect("a write");
    for event in world.delivered_events().await {
        world.control("POST", "stripe/redeliver").json(&json!({ "event": event["event"]["id"] })).expect(200).await;
    }
    world.delivered_events().await;
    assert_eq!(world.subscription_state().await, pair("pro", "canceled"), "an old event changes nothing");
}
