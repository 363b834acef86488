//! Transactions: several writes, all or none.

use super::{Store, store_error};
use crate::error::{Error, Kind};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{CancellationReason, TransactWriteItem};
use std::time::Duration;
use uuid::Uuid;

/// The longest waits, in milliseconds, between attempts at a transaction that another one stands in the way of.
const MAX_BACKOFF_MS: [u128; 5] = [25, 50, 100, 200, 400];

/// Why a transaction was cancelled.
#[derive(Debug, PartialEq, Eq)]
enum Cancelled {
    /// The conditions of these parts did not hold.
    ConditionsFailed(Vec<usize>),
    /// Something else was at work on the same items: the same may succeed in a moment.
    TransactionConflict,
}

impl Store {
    /// Makes all writes or none. Answers the parts whose condition did not hold, by position; none means written.
    ///
    /// Of two transactions on one item at a time the store cancels one, which is then tried again after a wait of its
    /// own.
    pub(super) async fn transact(&self, writes: Vec<TransactWriteItem>) -> Result<Vec<usize>, Error> {
        let mut waits = MAX_BACKOFF_MS.into_iter();
        loop {
            let transaction = self.client.transact_write_items().set_transact_items(Some(writes.clone()));
            let Err(error) = transaction.send().await else { return Ok(Vec::new()) };
            let cancelled = match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    reason_of(cancelled.cancellation_reasons())
                }
                _ => None,
            };
            match (cancelled, waits.next()) {
                (Some(Cancelled::ConditionsFailed(parts)), _) => return Ok(parts),
                (Some(Cancelled::TransactionConflict), Some(most)) => tokio::time::sleep(random_backoff(most)).await,
                (Some(Cancelled::TransactionConflict), None) => return Err(contended()),
                (None, _) => return Err(store_error(error)),
            }
        }
    }
}

/// What a cancelled transaction says, by its reasons in the order of its parts. `None`: it failed for another reason.
fn reason_of(reasons: &[CancellationReason]) -> Option<Cancelled> {
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code().unwrap_or("None")).collect();
    if codes.iter().any(|code| !["None", "ConditionalCheckFailed", "TransactionConflict"].contains(code)) {
        return None;
    }
    if codes.contains(&"TransactionConflict") {
        return Some(Cancelled::TransactionConflict);
    }
    let refused = codes.iter().enumerate().filter(|(_, code)| **code == "ConditionalCheckFailed");
    let refused: Vec<usize> = refused.map(|(part, _)| part).collect();
    (!refused.is_empty()).then_some(Cancelled::ConditionsFailed(refused))
}

fn random_backoff(most_ms: u128) -> Duration {
    let random = Uuid::new_v4().as_u128() % most_ms;
    Duration::from_millis(u64::try_from(random).unwrap_or_default())
}

pub(super) fn contended() -> Error {
    let message = "Other changes to the same records are under way: send this again in a second.";
    Error::new(Kind::RateLimited, message).retryable().retry_after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_a_cancelled_transaction_say_what_became_of_it() {
        let (none, refused, conflict) = ("None", "ConditionalCheckFailed", "TransactionConflict");
        let parts = |parts: &[usize]| Some(Cancelled::ConditionsFailed(parts.to_vec()));
        for (first, second, expected) in [
            (refused, none, parts(&[0])),
            (none, refused, parts(&[1])),
            (refused, refused, parts(&[0, 1])),
            (none, conflict, Some(Cancelled::TransactionConflict)),
            (conflict, none, Some(Cancelled::TransactionConflict)),
            (conflict, refused, Some(Cancelled::TransactionConflict)),
            ("ThrottlingError", refused, None),
            (none, "ThrottlingError", None),
            ("ValidationError", none, None),
            (none, none, None),
        ] {
            let reasons = [first, second].map(|code| CancellationReason::builder().code(code).build());
            assert_eq!(reason_of(&reasons), expected, "{first} {second}");
        }
        assert_eq!(reason_of(&[]), None);
    }
}
