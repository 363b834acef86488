//! Many events, and endpoints that hang.

use super::Stage;
use crate::in_process::receivers::Behaviour;
use tokio::time::{Duration, Instant};

/// Events of the customer.
const EVENTS: i64 = 60;

#[tokio::test(start_paused = true)]
async fn endpoints_that_hang_do_not_delay_the_others() {
    let stage = Stage::new().await;
    let mut endpoints = Vec::new();
    for name in ["one", "two", "three", "four", "five"] {
        endpoints.push(stage.endpoint(name, &["*"]).await);
    }
    for hanging in &endpoints[..2] {
        stage.world.receivers.set(&hanging.url, Behaviour::Hangs);
    }
    for budget in 0..EVENTS {
        stage.change(100 + budget).await;
    }
    let began = Instant::now();
    stage.run().await;
    for healthy in &endpoints[2..] {
        let received = stage.received(healthy);
        assert_eq!(received.len(), usize::try_from(EVENTS).expect("a number"));
        let last = received.iter().map(|one| one.at.duration_since(began)).max();
        assert!(last < Some(Duration::from_secs(5)), "{last:?}");
    }
    for hanging in &endpoints[..2] {
        assert!(stage.received(hanging).len() <= 8, "it is left alone after its first silence");
        stage.world.receivers.set(&hanging.url, Behaviour::Answers(204, None));
    }
    stage.minutes(90).await;
    for endpoint in &endpoints {
        let mut heard = stage.budgets(endpoint);
        heard.sort_unstable();
        heard.dedup();
        assert_eq!(heard.len(), usize::try_from(EVENTS).expect("a number"), "{}", endpoint.url);
    }
}
