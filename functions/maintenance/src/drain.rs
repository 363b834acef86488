//! The loop that every duty shares: a step for each due record, several at a time, until nothing is due or the run is over.

use futures_util::{Stream, StreamExt};
use jiff::SignedDuration;
use shared::domain::{CustomerId, Platform};
use shared::error::{Error, isolated};
use shared::store::DueRecord;
use std::future::ready;
use tokio::time::Instant;

/// The due records of a duty.
pub(crate) struct DueWork<S, T> {
    pub(crate) records: S,
    /// What they are, for the log.
    pub(crate) label: &'static str,
    /// Records worked on concurrently.
    pub(crate) concurrency: usize,
    /// No step begins after this time.
    pub(crate) until: Instant,
    /// Logs that the step of a record failed.
    pub(crate) log: fn(CustomerId, &T, &Failure),
}

/// The outcome of a step. The duration is how late its record was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Done, or nothing was left to do.
    Done(SignedDuration),
    /// Not done, for a reason that needs no log line. It is due again later.
    Failed(SignedDuration),
    /// Left to the next run, and not counted.
    Skipped,
}

impl Step {
    /// Done, for a duty that does not count lateness.
    pub(crate) const DONE: Step = Step::Done(SignedDuration::ZERO);
}

/// Why a step failed. Its record is due again later.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    /// The platform of the record, if the step has learned it.
    pub(crate) platform: Option<Platform>,
    /// How late the record was.
    pub(crate) lateness: SignedDuration,
}

impl From<Error> for Failure {
    /// A failure before the step knew its record.
    fn from(error: Error) -> Failure {
        Failure { error, platform: None, lateness: SignedDuration::ZERO }
    }
}

/// The sum of a duty's steps in a run.
#[derive(Debug, Default)]
pub(crate) struct StepCounts {
    pub(crate) done: usize,
    /// Work that failed and is due again later.
    pub(crate) failed: usize,
    /// Why some of the due work could not be read, or that a step panicked.
    pub(crate) unread: Option<Error>,
    /// The longest time for which work was due.
    pub(crate) oldest: SignedDuration,
}

impl StepCounts {
    fn add_step(self, outcome: Result<Step, Error>) -> StepCounts {
        match outcome {
            Ok(Step::Done(lateness)) => StepCounts { done: self.done + 1, oldest: self.oldest.max(lateness), ..self },
            Ok(Step::Failed(lateness)) => {
                StepCounts { failed: self.failed + 1, oldest: self.oldest.max(lateness), ..self }
            }
            Ok(Step::Skipped) => self,
            Err(error) => StepCounts { unread: Some(error), ..self },
        }
    }

    /// The sum of two duties.
    pub(crate) fn plus(self, other: StepCounts) -> StepCounts {
        StepCounts {
            done: self.done + other.done,
            failed: self.failed + other.failed,
            unread: self.unread.or(other.unread),
            oldest: self.oldest.max(other.oldest),
        }
    }
}

/// Makes the step of each due record. One that fails or panics, or a shard that cannot be read, does not stop the others.
pub(crate) async fn drain<T: Clone, F: Future<Output = Result<Step, Failure>>>(
    due: DueWork<impl Stream<Item = DueRecord<T>>, T>,
    step: impl Fn(CustomerId, T) -> F,
) -> StepCounts {
    let DueWork { records, label, concurrency, until, log } = due;
    let step = &step;
    let outcomes = records.take_while(|_| ready(has_time(until, label))).map(|record| async move {
        let (customer, id) = record?;
        let outcome = isolated(async { Ok(step(customer, id.clone()).await) }).await?;
        Ok(outcome.unwrap_or_else(|failure| {
            log(customer, &id, &failure);
            Step::Failed(failure.lateness)
        }))
    });
    outcomes
        .buffer_unordered(concurrency)
        .fold(StepCounts::default(), |counts, outcome| ready(counts.add_step(outcome)))
        .await
}

/// Whether the run may start more work.
fn has_time(until: Instant, label: &str) -> bool {
    let has_time = Instant::now() < until;
    if !has_time {
        tracing::warn!(left = label, "the run is over; the next one continues");
    }
    has_time
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use std::time::Duration;

    /// Drains records that are their own outcome: of each hundred, the remainder is the lateness in seconds.
    async fn drained(records: Vec<Result<i64, Error>>, until: Instant) -> StepCounts {
        let customer = CustomerId(Default::default());
        let records = stream::iter(records).map(|record| record.map(|id| (customer, id)));
        let due = DueWork { records, label: "numbers", concurrency: 2, until, log: |_, _, _| () };
        let step = |_, id: i64| async move {
            let lateness = SignedDuration::from_secs(id % 100);
            match id / 100 {
                0 => Ok(Step::Done(lateness)),
                1 => Ok(Step::Failed(lateness)),
                2 => Ok(Step::Skipped),
                3 => Err(Failure { lateness, ..Failure::from(Error::internal("fails")) }),
                _ => panic!("a step panics"),
            }
        };
        drain(due, step).await
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[tokio::test]
    async fn the_sum_counts_each_step_and_knows_the_latest() {
        let counts = drained(vec![Ok(3), Ok(105), Ok(299), Ok(304), Ok(1)], soon()).await;
        assert_eq!((counts.done, counts.failed, counts.oldest), (2, 2, SignedDuration::from_secs(5)));
        assert!(counts.unread.is_none(), "{counts:?}");
    }

    #[tokio::test]
    async fn neither_a_failure_nor_a_panic_nor_an_unread_shard_stops_the_others() {
        for (bad, failed, is_unread) in
            [(Ok(300), 1, false), (Ok(400), 0, true), (Err(Error::internal("unread")), 0, true)]
        {
            let counts = drained(vec![Ok(0), bad, Ok(0), Ok(0)], soon()).await;
            assert_eq!((counts.done, counts.failed, counts.unread.is_some()), (3, failed, is_unread), "{counts:?}");
        }
    }

    #[tokio::test]
    async fn no_step_begins_after_the_end_of_the_run() {
        let counts = drained(vec![Ok(0), Ok(0)], Instant::now()).await;
        assert_eq!((counts.done, counts.failed), (0, 0));
    }
}
