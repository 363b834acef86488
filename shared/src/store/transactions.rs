//! Transactions, with a retry of conflicts.

use super::{Store, store_error};
use crate::error::{Error, Kind};
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::builders::ConditionCheckBuilder;
use aws_sdk_dynamodb::types::{CancellationReason, Delete, Put, TransactWriteItem, Update};
use std::time::Duration;
use tokio::time::sleep;
use uuid::Uuid;

/// Upper bounds of the random backoff after a conflict, in milliseconds.
const MAX_BACKOFF_MS: [u128; 5] = [25, 50, 100, 200, 400];

/// Waits before another attempt at a write whose condition did not hold, longer each time, up to 100 ms.
pub async fn back_off(attempt: u64) {
    let longest_us = 5_000 * (attempt + 1).min(20);
    let share = u64::from(Uuid::new_v4().as_bytes()[0]);
    sleep(Duration::from_micros(longest_us * share / 255)).await;
}

/// Reason of a cancelled transaction.
#[derive(Debug, PartialEq, Eq)]
enum Cancelled {
    /// The conditions of these writes did not hold.
    ConditionsFailed(Vec<usize>),
    /// Another request is writing to the same items; a retry may succeed.
    TransactionConflict,
}

impl Store {
    /// Makes all writes or none. Returns the indices of the writes whose condition did not hold; empty means success.
    ///
    /// DynamoDB cancels one of two concurrent transactions on an item. It is retried with a random backoff.
    pub(super) async fn transact(&self, writes: Vec<TransactWriteItem>) -> Result<Vec<usize>, Error> {
        let mut waits = MAX_BACKOFF_MS.into_iter();
        loop {
            let transaction = self.client.transact_write_items().set_transact_items(Some(writes.clone()));
            let Err(error) = transaction.send().await else { return Ok(Vec::new()) };
            let cancelled = match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    combined_reason(cancelled.cancellation_reasons())
                }
                _ => None,
            };
            match (cancelled, waits.next()) {
                (Some(Cancelled::ConditionsFailed(parts)), _) => return Ok(parts),
                (Some(Cancelled::TransactionConflict), Some(max_ms)) => {
                    tokio::time::sleep(random_backoff(max_ms)).await
                }
                (Some(Cancelled::TransactionConflict), None) => return Err(contended()),
                (None, _) => return Err(store_error(error)),
            }
        }
    }
}

/// Combines the reasons of the writes; `None` if one is neither a condition nor a conflict.
fn combined_reason(reasons: &[CancellationReason]) -> Option<Cancelled> {
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code().unwrap_or("None")).collect();
    if codes.iter().any(|code| !["None", "ConditionalCheckFailed", "TransactionConflict"].contains(code)) {
        return None;
    }
    if codes.contains(&"TransactionConflict") {
        return Some(Cancelled::TransactionConflict);
    }
    let failed = codes.iter().enumerate().filter(|(_, code)| **code == "ConditionalCheckFailed");
    let failed: Vec<usize> = failed.map(|(index, _)| index).collect();
    (!failed.is_empty()).then_some(Cancelled::ConditionsFailed(failed))
}

/// A put as part of a transaction.
pub(super) fn put_write(put: PutItemFluentBuilder) -> Result<TransactWriteItem, Error> {
    let put = put.as_input().clone().build().map_err(Error::internal)?;
    let put = Put::builder()
        .set_table_name(put.table_name)
        .set_item(put.item)
        .set_condition_expression(put.condition_expression)
        .set_expression_attribute_names(put.expression_attribute_names)
        .set_expression_attribute_values(put.expression_attribute_values);
    Ok(TransactWriteItem::builder().put(put.build().map_err(Error::internal)?).build())
}

/// An update as part of a transaction.
pub(super) fn update_write(update: UpdateItemFluentBuilder) -> Result<TransactWriteItem, Error> {
    let update = update.as_input().clone().build().map_err(Error::internal)?;
    let update = Update::builder()
        .set_table_name(update.table_name)
        .set_key(update.key)
        .set_update_expression(update.update_expression)
        .set_condition_expression(update.condition_expression)
        .set_expression_attribute_names(update.expression_attribute_names)
        .set_expression_attribute_values(update.expression_attribute_values);
    Ok(TransactWriteItem::builder().update(update.build().map_err(Error::internal)?).build())
}

/// A delete as part of a transaction.
pub(super) fn delete_write(delete: DeleteItemFluentBuilder) -> Result<TransactWriteItem, Error> {
    let delete = delete.as_input().clone().build().map_err(Error::internal)?;
    let delete = Delete::builder()
        .set_table_name(delete.table_name)
        .set_key(delete.key)
        .set_condition_expression(delete.condition_expression)
        .set_expression_attribute_names(delete.expression_attribute_names)
        .set_expression_attribute_values(delete.expression_attribute_values);
    Ok(TransactWriteItem::builder().delete(delete.build().map_err(Error::internal)?).build())
}

/// A condition of an item that a transaction leaves as it is.
pub(super) fn check_write(check: ConditionCheckBuilder) -> Result<TransactWriteItem, Error> {
    let check = check.build().map_err(Error::internal)?;
    Ok(TransactWriteItem::builder().condition_check(check).build())
}

fn random_backoff(max_ms: u128) -> Duration {
    let random = Uuid::new_v4().as_u128() % max_ms;
    Duration::from_millis(u64::try_from(random).unwrap_or_default())
}

/// The error of a write that lost to concurrent writes in every attempt.
pub fn contended() -> Error {
    let message = "Other requests are changing the same records. Send this request again in a second.";
    Error::new(Kind::RateLimited, message).retryable().retry_after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_outweighs_failed_conditions() {
        let (none, failed, conflict) = ("None", "ConditionalCheckFailed", "TransactionConflict");
        let parts = |parts: &[usize]| Some(Cancelled::ConditionsFailed(parts.to_vec()));
        for (first, second, expected) in [
            (failed, none, parts(&[0])),
            (none, failed, parts(&[1])),
            (failed, failed, parts(&[0, 1])),
            (none, conflict, Some(Cancelled::TransactionConflict)),
            (conflict, none, Some(Cancelled::TransactionConflict)),
            (conflict, failed, Some(Cancelled::TransactionConflict)),
            ("ThrottlingError", failed, None),
            (none, "ThrottlingError", None),
            ("ValidationError", none, None),
            (none, none, None),
        ] {
            let reasons = [first, second].map(|code| CancellationReason::builder().code(code).build());
            assert_eq!(combined_reason(&reasons), expected, "{first} {second}");
        }
        assert_eq!(combined_reason(&[]), None);
    }
}
