//! An endpoint that does not accept an event at once.

use super::Stage;
use crate::in_process::receivers::Behaviour;
use std::collections::BTreeSet;
use tokio::time::Instant;

/// The pauses between the attempts, in whole seconds.
fn pauses(times: &[Instant]) -> Vec<u64> {
    times.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_secs()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_refused_event_is_sent_ten_times_within_days() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(500, None));
    stage.change(60).await;
    stage.run().await;
    assert_eq!(stage.received(&endpoint).len(), 2, "the second attempt is in the same run");
    stage.minutes(10).await;
    stage.hours(5 * 24).await;
    let received = stage.received(&endpoint);
    let ids: BTreeSet<&str> = received.iter().map(|one| one.header("webhook-id")).collect();
    assert_eq!((received.len(), ids.len()), (10, 1), "the id is the same each time");
    let pauses = pauses(&received.iter().map(|one| one.at).collect::<Vec<_>>());
    let expected = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (pause, least) in pauses.iter().zip(expected) {
        assert!(*pause >= least && *pause <= least * 6 / 5 + 20 * 60, "{pauses:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_was_down_for_a_day_receives_every_event() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    let healthy = stage.endpoint("two", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Down);
    let budgets: Vec<i64> = (60..84).collect();
    for budget in &budgets {
        stage.change(*budget).await;
        stage.run().await;
        stage.hours(1).await;
    }
    assert_eq!(stage.budgets(&healthy), budgets, "the other endpoint hears all at once");
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(200, None));
    stage.hours(24).await;
    let heard: BTreeSet<i64> = stage.budgets(&endpoint).into_iter().collect();
    assert_eq!(heard, budgets.into_iter().collect());
}

#[tokio::test(start_paused = true)]
async fn retry_after_of_a_failed_delivery_is_obeyed() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(500, Some("3600")));
    stage.change(60).await;
    stage.run().await;
    stage.minutes(59).await;
    assert_eq!(stage.received(&endpoint).len(), 1);
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(200, Some("3600")));
    stage.minutes(20).await;
    assert_eq!(stage.received(&endpoint).len(), 2);
    stage.change(70).await;
    stage.run().await;
    assert_eq!(stage.received(&endpoint).len(), 3, "a success asks for no wait");
}

#[tokio::test(start_paused = true)]
async fn a_redirect_is_a_failure() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(302, None));
    stage.change(60).await;
    stage.run().await;
    assert_eq!(stage.received(&endpoint).len(), 2);
}
