//! Endpoints that hang delay no other deliveries.

use super::Stage;
use crate::in_process::receivers::Behaviour;
use tokio::time::{Duration, Instant, sleep};

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
        assert!(stage.received(hanging).len() <= 8, "it is left alone after three silences");
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

#[tokio::test(start_paused = true)]
async fn events_reach_other_endpoints_at_once_while_one_hangs() {
    let stage = Stage::new().await;
    let (hanging, healthy) = (stage.endpoint("one", &["*"]).await, stage.endpoint("two", &["*"]).await);
    stage.world.receivers.set(&hanging.url, Behaviour::Hangs);
    stage.change(60).await;
    let run = async { stage.run().await };
    let later = async {
        sleep(Duration::from_secs(3)).await;
        stage.change(70).await;
        let happened = Instant::now();
        sleep(Duration::from_secs(4)).await;
        assert_eq!(stage.budgets(&healthy), [60, 70]);
        let heard = stage.received(&healthy)[1].at.duration_since(happened);
        assert!(heard <= Duration::from_secs(2), "{heard:?}");
        assert_eq!(stage.received(&hanging).len(), 1, "it is left alone");
    };
    tokio::join!(run, later);
}

#[tokio::test(start_paused = true)]
async fn a_retry_is_on_time_while_another_endpoint_hangs() {
    let stage = Stage::new().await;
    let (hanging, failing) = (stage.endpoint("one", &["*"]).await, stage.endpoint("two", &["*"]).await);
    stage.world.receivers.set(&hanging.url, Behaviour::Hangs);
    stage.world.receivers.set(&failing.url, Behaviour::Answers(500, None));
    stage.change(60).await;
    let recovers = async {
        sleep(Duration::from_secs(1)).await;
        stage.world.receivers.set(&failing.url, Behaviour::Answers(204, None));
        sleep(Duration::from_secs(8)).await;
        assert_eq!(stage.received(&failing).len(), 2, "the pause is 5 s to 6 s, and a run looks every 2 s");
    };
    tokio::join!(async { stage.run().await }, recovers);
}
