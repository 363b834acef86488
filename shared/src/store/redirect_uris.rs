//! Registered redirect URIs, and the number of them: one transaction keeps the two in step.

use super::{Store, failed, item_of, keys, number, record_of, text};
use crate::domain::{CustomerId, RedirectUri, RedirectUriId, RegisteredUri};
use crate::error::{Error, Kind};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{CancellationReason, Delete, Put, TransactWriteItem, Update};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use uuid::Uuid;

/// Most redirect URIs of one customer (spec 4.4).
pub const MAX_REDIRECT_URIS: i64 = 10;

/// The longest waits, in milliseconds, between attempts at a transaction that another one stands in the way of.
const WAITS_MS: [u128; 5] = [25, 50, 100, 200, 400];

/// What became of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// It is registered now.
    Done,
    /// It was registered before.
    Duplicate,
    /// There are [`MAX_REDIRECT_URIS`] already.
    Full,
}

#[derive(Serialize, Deserialize)]
struct RedirectUriItem {
    uri: String,
    created_at: Timestamp,
}

/// What became of a transaction over a URI and the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Written,
    /// The condition on the URI did not hold.
    UriRefused,
    /// The condition on the count did not hold.
    CountRefused,
    /// Another transaction was at work on the same items: the same may succeed in a moment.
    InTheWay,
}

impl Store {
    /// Registers a URI, unless it is registered or there are enough: exact, however many ask at once.
    pub async fn register_redirect_uri(
        &self,
        customer: CustomerId,
        registered: &RegisteredUri,
    ) -> Result<Registration, Error> {
        let RegisteredUri { uri, created_at } = registered;
        let item = RedirectUriItem { uri: uri.as_str().to_owned(), created_at: *created_at };
        let item = item_of(&keys::redirect_uri(customer, &uri.id()), &item)?;
        let put = Put::builder().table_name(&self.table).set_item(Some(item));
        let put = put.condition_expression("attribute_not_exists(pk)").build().map_err(Error::internal)?;
        let count = self
            .count(customer, 1)
            .condition_expression("attribute_not_exists(uris) OR uris < :most")
            .expression_attribute_values(":most", number(MAX_REDIRECT_URIS));
        let count = count.build().map_err(Error::internal)?;
        match self.write_counted(TransactWriteItem::builder().put(put).build(), count).await? {
            Outcome::Written => Ok(Registration::Done),
            Outcome::UriRefused => Ok(Registration::Duplicate),
            Outcome::CountRefused => Ok(Registration::Full),
            Outcome::InTheWay => Err(busy()),
        }
    }

    /// Removes a URI. `false` when there is none with this id.
    pub async fn remove_redirect_uri(&self, customer: CustomerId, id: &RedirectUriId) -> Result<bool, Error> {
        let key = keys::redirect_uri(customer, id).attributes();
        let delete = Delete::builder().table_name(&self.table).set_key(Some(key));
        let delete = delete.condition_expression("attribute_exists(pk)").build().map_err(Error::internal)?;
        let count = self.count(customer, -1).build().map_err(Error::internal)?;
        match self.write_counted(TransactWriteItem::builder().delete(delete).build(), count).await? {
            Outcome::Written => Ok(true),
            Outcome::UriRefused | Outcome::CountRefused => Ok(false),
            Outcome::InTheWay => Err(busy()),
        }
    }

    /// Reads a customer's URIs, newest first.
    pub async fn redirect_uris(&self, customer: CustomerId) -> Result<Vec<RegisteredUri>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :customer AND begins_with(sk, :uri)")
            .expression_attribute_values(":customer", text(keys::customer(customer)))
            .expression_attribute_values(":uri", text(keys::REDIRECT_URI_PREFIX))
            .consistent_read(true);
        let mut items = query.into_paginator().items().send();
        let mut uris = Vec::new();
        while let Some(item) = items.next().await {
            let RedirectUriItem { uri, created_at } = record_of(item.map_err(failed)?)?;
            uris.push(RegisteredUri { uri: RedirectUri::parse(&uri).map_err(Error::internal)?, created_at });
        }
        uris.sort_by(|a, b| (b.created_at, b.uri.as_str()).cmp(&(a.created_at, a.uri.as_str())));
        Ok(uris)
    }

    fn count(&self, customer: CustomerId, change: i64) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::redirect_uri_count(customer).attributes()))
            .update_expression("ADD uris :change")
            .expression_attribute_values(":change", number(change))
    }

    /// Writes a URI and the count, both or neither. Of two transactions on one item at a time the store cancels one,
    /// which is then tried again after a wait of its own.
    async fn write_counted(&self, uri: TransactWriteItem, count: Update) -> Result<Outcome, Error> {
        let count = TransactWriteItem::builder().update(count).build();
        let mut waits = WAITS_MS.into_iter();
        loop {
            let write = self.client.transact_write_items();
            let write = write.transact_items(uri.clone()).transact_items(count.clone());
            let Err(error) = write.send().await else { return Ok(Outcome::Written) };
            let outcome = match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    outcome_of(cancelled.cancellation_reasons())
                }
                _ => None,
            };
            match (outcome, waits.next()) {
                (Some(Outcome::InTheWay), Some(most)) => tokio::time::sleep(random_wait(most)).await,
                (Some(outcome), _) => return Ok(outcome),
                (None, _) => return Err(failed(error)),
            }
        }
    }
}

/// What a cancelled transaction says, by its reasons in the order of its parts. `None`: it failed for another reason.
fn outcome_of(reasons: &[CancellationReason]) -> Option<Outcome> {
    let [uri, count] = reasons else { return None };
    match (uri.code().unwrap_or("None"), count.code().unwrap_or("None")) {
        // A duplicate is one whether or not there is room.
        ("ConditionalCheckFailed", _) => Some(Outcome::UriRefused),
        ("TransactionConflict", _) | (_, "TransactionConflict") => Some(Outcome::InTheWay),
        ("None", "ConditionalCheckFailed") => Some(Outcome::CountRefused),
        _ => None,
    }
}

fn random_wait(most_ms: u128) -> Duration {
    let random = Uuid::new_v4().as_u128() % most_ms;
    Duration::from_millis(u64::try_from(random).unwrap_or_default())
}

fn busy() -> Error {
    let message = "Other changes to your redirect URIs are under way: send this again in a second.";
    Error::new(Kind::RateLimited, message).retryable().retry_after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_a_cancelled_transaction_say_what_became_of_it() {
        let (none, refused, conflict) = ("None", "ConditionalCheckFailed", "TransactionConflict");
        for (uri, count, expected) in [
            (refused, none, Some(Outcome::UriRefused)),
            (refused, refused, Some(Outcome::UriRefused)),
            (refused, conflict, Some(Outcome::UriRefused)),
            (none, refused, Some(Outcome::CountRefused)),
            (none, conflict, Some(Outcome::InTheWay)),
            (conflict, none, Some(Outcome::InTheWay)),
            (conflict, refused, Some(Outcome::InTheWay)),
            ("ThrottlingError", refused, None),
            (none, "ThrottlingError", None),
            ("ValidationError", none, None),
            (none, none, None),
        ] {
            let reasons = [uri, count].map(|code| CancellationReason::builder().code(code).build());
            assert_eq!(outcome_of(&reasons), expected, "{uri} {count}");
        }
        assert_eq!(outcome_of(&[]), None);
    }
}
