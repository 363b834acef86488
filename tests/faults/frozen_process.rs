//! A process that Lambda freezes between two steps of a request. Its clock continues, its timers do not.

use super::stage::Stage;
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::Platform;
use std::sync::Arc;
use tokio::time::{Duration, Instant};

/// A process that is frozen for 59 seconds in each second.
fn frozen_process(stage: &Stage) -> Arc<App> {
    let (clock, began) = (stage.world.clock.clone(), Instant::now());
    let ahead = move || SignedDuration::try_from(began.elapsed() * 59).expect("a duration");
    let clock = Clock::from_fn(move || clock.now() + ahead());
    Arc::new(App { clock, ..stage.world.straight() })
}

/// Maintenance may have settled the change by then, and another request may have changed the campaign.
async fn sends_no_write_after_its_deadline(platform: Platform) {
    let name = platform.as_str();
    let stage = Stage::new(&[platform]).await;
    let id = stage.create(name, "One").await["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/campaigns/{id}");
    let books = stage.world.control("GET", "campaigns", &Value::Null).await;
    for (method, body) in [("PATCH", json!({"budget_amount": 70})), ("DELETE", Value::Null)] {
        // The campaign is read two minutes before the write, for the platform two seconds.
        stage.fault(name, "get", "slow", 1, Duration::from_secs(2)).await;
        let (status, told) = stage.ask(&frozen_process(&stage), method, &path, &body).await;
        assert_eq!(stage.world.control("GET", "campaigns", &Value::Null).await, books, "{name} {method}: {told}");
        assert_eq!((status, &told["retryable"]), (502, &json!(true)), "{name} {method}: {told}");
    }
}

/// The test of each platform.
macro_rules! frozen {
    ($platform:expr) => {
        #[tokio::test(start_paused = true)]
        async fn a_frozen_process_sends_no_write_after_its_deadline() {
            crate::faults::frozen_process::sends_no_write_after_its_deadline($platform).await;
        }
    };
}
use frozen;

crate::platforms::each_platform! { frozen }
