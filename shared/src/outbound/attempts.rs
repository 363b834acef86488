//! Calls in ad accounts: how long each may take, and which of them is sent again. The one layer that repeats anything.

use super::breaker_state::BreakerState;
use super::{Answer, Failure, Outbound, Outgoing};
use http::StatusCode;
use http::header::RETRY_AFTER;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long one attempt to read may take. Platforms publish no latencies; a report over a large account takes seconds.
const READ_ATTEMPT: Duration = Duration::from_secs(8);
/// How long a read may take in all, so that a list which has to do without one platform answers in half of its time.
/// It is longer than an attempt because of connections that died unseen: the next attempt makes a new one.
const READ: Duration = Duration::from_secs(12);
/// How long a write may take.
const WRITE: Duration = Duration::from_secs(18);
/// And no more than so many quarters of the time that is left: the last is for looking what became of a write that was
/// not answered.
const QUARTERS: u32 = 3;
/// How often a read is sent again.
const RETRIES: u32 = 2;
/// A retry waits a random time up to this. When everybody's calls fail in the same moment, no tenth of a second gets
/// more than one in twenty of the second attempts.
const SPREAD: Duration = Duration::from_secs(4);
/// With less time than this left an attempt is not worth its load.
const WORTHWHILE: Duration = Duration::from_millis(500);

/// With less time than this left a write is not begun.
const HOPELESS: Duration = Duration::from_millis(100);

/// What a call in an ad account is sent with.
#[derive(Clone, Debug)]
pub(super) struct CallPolicy {
    pub(super) breaker: Arc<BreakerState>,
    pub(super) is_broken: fn(&Answer) -> bool,
}

impl Outbound {
    /// Sends once.
    pub(super) async fn write(
        &self,
        policy: &CallPolicy,
        outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let now = Instant::now();
        let left = deadline.saturating_duration_since(now);
        // What is certainly not answered in time had better not be begun: then it is certain that it was not done.
        if left < HOPELESS {
            return Err(Failure::NotSent);
        }
        let end = now + WRITE.min(left * QUARTERS / 4);
        self.attempt(policy, outgoing, end).await.unwrap_or(Err(Failure::NotSent))
    }

    /// Sends what changes nothing, and again while that may help, there is time, and the platform can bear it.
    pub(super) async fn read(
        &self,
        policy: &CallPolicy,
        outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let end = deadline.min(Instant::now() + READ);
        let attempt = || self.attempt(policy, outgoing.clone(), end.min(Instant::now() + READ_ATTEMPT));
        let Some(mut outcome) = attempt().await else { return Err(Failure::NotSent) };
        policy.breaker.earn();
        for _ in 0..RETRIES {
            let pause = below(SPREAD, self.transport.draw());
            let has_time = Instant::now() + pause + WORTHWHILE < end;
            if !policy.may_pass(&outcome) || !has_time || !policy.breaker.may_repeat() {
                break;
            }
            sleep(pause).await;
            let Some(next) = attempt().await else { break };
            outcome = next;
        }
        outcome
    }

    /// One attempt; `None` when the platform is left alone.
    async fn attempt(&self, policy: &CallPolicy, outgoing: Outgoing, end: Instant) -> Option<Result<Answer, Failure>> {
        let attempt = policy.breaker.enter()?;
        let outcome = self.once(outgoing, end).await;
        attempt.end(&outcome, policy.is_broken);
        Some(outcome)
    }
}

impl CallPolicy {
    /// Whether the next attempt may end otherwise. A throttle will not; and who says when to come back means it.
    fn may_pass(&self, outcome: &Result<Answer, Failure>) -> bool {
        const LASTING: [StatusCode; 2] = [StatusCode::NOT_IMPLEMENTED, StatusCode::HTTP_VERSION_NOT_SUPPORTED];
        match outcome {
            Ok(answer) => {
                (self.is_broken)(answer)
                    && !LASTING.contains(&answer.status)
                    && !answer.headers.contains_key(RETRY_AFTER)
            }
            Err(_) => true,
        }
    }
}

fn below(most: Duration, drawn: u64) -> Duration {
    let micros = u64::try_from(most.as_micros()).unwrap_or(u64::MAX).max(1);
    Duration::from_micros(drawn % micros)
}

#[cfg(test)]
mod tests;
