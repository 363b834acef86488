//! The policy for calls in ad accounts: timeouts, retries of reads, and the circuit breakers. No other layer retries.

use super::breaker::CalledAccount;
use super::breakers::Breakers;
use super::{Failure, Outbound, OutboundRequest, OutboundResponse};
use http::StatusCode;
use http::header::RETRY_AFTER;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Time limit of one attempt to read. Platforms publish no latencies; a report over a large account takes seconds.
const READ_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(8);
/// Time limit of a read with its retries: a list that omits a hanging platform answers in half of its time. It leaves
/// time for a second attempt, which replaces a connection that died unnoticed.
const READ_TIMEOUT: Duration = Duration::from_secs(12);
/// Time limit of a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(18);
/// A write takes at most three quarters of the remaining time. The last quarter is for finding out what became of a
/// write without a response.
const WRITE_QUARTERS: u32 = 3;
/// Retries of a read.
const MAX_RETRIES: u32 = 2;
/// Upper bound of the random delay of a retry. Random delays spread the second attempts: when all calls fail at once,
/// at most 5 % of them fall into the same 0.1 s.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(4);
/// A retry with less remaining time is not worth its load.
const MIN_RETRY_TIME: Duration = Duration::from_millis(500);
/// A write with less remaining time is not sent: it would end with an unknown outcome.
const MIN_WRITE_TIME: Duration = Duration::from_millis(100);

/// The circuit breakers of a platform, the ad account of the calls, and the platform's definition of a failure.
#[derive(Clone, Debug)]
pub(super) struct CallPolicy {
    pub(super) breakers: Arc<Breakers>,
    pub(super) account: CalledAccount,
    pub(super) is_broken: fn(&OutboundResponse) -> bool,
}

impl Outbound {
    /// Sends a write, once.
    pub(super) async fn write(
        &self,
        policy: &CallPolicy,
        request: OutboundRequest,
        deadline: Instant,
    ) -> Result<OutboundResponse, Failure> {
        let now = Instant::now();
        let remaining = deadline.saturating_duration_since(now);
        if remaining < MIN_WRITE_TIME {
            return Err(Failure::NotSent);
        }
        let end = now + WRITE_TIMEOUT.min(remaining * WRITE_QUARTERS / 4);
        self.attempt(policy, request, end).await?
    }

    /// Sends a read, and retries it within its time limit and the platform's retry budget.
    pub(super) async fn read(
        &self,
        policy: &CallPolicy,
        request: OutboundRequest,
        deadline: Instant,
    ) -> Result<OutboundResponse, Failure> {
        let end = deadline.min(Instant::now() + READ_TIMEOUT);
        let attempt = || self.attempt(policy, request.clone(), end.min(Instant::now() + READ_ATTEMPT_TIMEOUT));
        let mut outcome = attempt().await?;
        policy.breakers.count_request();
        for _ in 0..MAX_RETRIES {
            let delay = jitter(MAX_RETRY_DELAY, self.transport.random());
            let has_time = Instant::now() + delay + MIN_RETRY_TIME < end;
            if !policy.is_retryable(&outcome) || !has_time || !policy.breakers.try_retry() {
                break;
            }
            sleep(delay).await;
            let Ok(next) = attempt().await else { break };
            outcome = next;
        }
        outcome
    }

    /// The outcome of one attempt; an error while a breaker is open.
    async fn attempt(
        &self,
        policy: &CallPolicy,
        request: OutboundRequest,
        end: Instant,
    ) -> Result<Result<OutboundResponse, Failure>, Failure> {
        let attempt = policy.breakers.try_start(&policy.account)?;
        let outcome = self.send_once(request, end).await;
        attempt.finish(&outcome, policy.is_broken);
        Ok(outcome)
    }
}

impl CallPolicy {
    /// Whether another attempt may succeed. A throttled call will not, nor one with a `Retry-After`.
    fn is_retryable(&self, outcome: &Result<OutboundResponse, Failure>) -> bool {
        const PERMANENT: [StatusCode; 2] = [StatusCode::NOT_IMPLEMENTED, StatusCode::HTTP_VERSION_NOT_SUPPORTED];
        match outcome {
            Ok(response) => {
                (self.is_broken)(response)
                    && !PERMANENT.contains(&response.status)
                    && !response.headers.contains_key(RETRY_AFTER)
            }
            Err(_) => true,
        }
    }
}

/// A duration below `max`, from a random number.
fn jitter(max: Duration, random: u64) -> Duration {
    let micros = u64::try_from(max.as_micros()).unwrap_or(u64::MAX).max(1);
    Duration::from_micros(random % micros)
}

#[cfg(test)]
mod tests;
