//! `gateway listen`: forwards the events of a customer to a program under development on this machine.
//!
//! It polls `GET /v1/events`, so it works with every deployment, and no port of this machine is open to the service. It
//! signs and sends each event as the service does, once.

mod api;
mod arguments;
mod feed;
mod forward;
mod listed_event;
mod seen_events;
mod source;

pub(crate) use arguments::Arguments;

use api::{Api, ReadError};
use feed::Feed;
use forward::Forwarder;
use source::Source;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::sleep;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Longest pause while the API is away.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Forwards the events that happen from now on. It ends only with an error.
pub(crate) async fn run(arguments: Arguments, folder: Option<PathBuf>) -> Result<(), Failure> {
    let Arguments { url, api, types } = arguments;
    let source = Source::choose(api, folder).await?;
    let forwarder = Forwarder::new(url, types)?;
    let feed = Feed::start(Api::new(&source)?).await?;
    forwarder.announce(&source.url)?;
    follow(feed, &forwarder, source.interval).await
}

/// Polls and forwards. While the API is away it says so once, and polls less often.
async fn follow(mut feed: Feed, forwarder: &Forwarder, interval: Duration) -> Result<(), Failure> {
    let mut failures = 0;
    loop {
        let pause = match feed.unseen().await {
            Ok(events) => {
                if failures > 0 {
                    tracing::info!("the API answers again");
                }
                failures = 0;
                for event in events {
                    forwarder.forward(event).await?;
                }
                interval
            }
            Err(ReadError::Final(reason)) => return Err(reason.into()),
            Err(ReadError::Temporary { reason, retry_after }) => {
                if failures == 0 {
                    tracing::warn!("{reason}; trying again");
                }
                failures += 1;
                pause_after(failures).max(retry_after.unwrap_or_default())
            }
        };
        sleep(pause).await;
    }
}

/// The pause after a number of failures in a row.
fn pause_after(failures: u32) -> Duration {
    Duration::from_secs(1 << failures.saturating_sub(1).min(5)).min(MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pauses_double_up_to_half_a_minute() {
        assert_eq!([1, 2, 3, 6, 99].map(|failures| pause_after(failures).as_secs()), [1, 2, 4, 30, 30]);
    }
}
