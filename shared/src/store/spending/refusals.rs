//! Refusals by spending limits, for each limit of a key or of a user: how many refusals no event has reported yet. One event
//! per hour reports them, so a repeated refusal costs one small update.

use crate::domain::{CustomerId, Event, LimitRefusal, Occurrence};
use crate::error::Error;
use crate::store::conditional::condition_failure;
use crate::store::transactions::{contended, update_write};
use crate::store::{Item, Store, Values, from_item, number, store_error, table_keys};
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// Time between two events of one limit.
const INTERVAL: SignedDuration = SignedDuration::from_hours(1);
/// Retention of the count after an event.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Attempts against other refusals by the same limit.
const MAX_ATTEMPTS: usize = 4;

#[derive(Default, Deserialize)]
#[serde(default)]
struct RefusalsItem {
    /// Refusals since the last event, if there are any.
    untold: Option<i64>,
    /// The time of the last event, in milliseconds since 1970.
    told_at: Option<i64>,
}

impl Store {
    /// Counts a refusal by a limit. Reports it with the earlier ones, unless an event was within the last hour. Call it
    /// once for each refusal.
    pub async fn count_refusal(&self, refusal: &LimitRefusal, occurrence: Occurrence) -> Result<(), Error> {
        let Occurrence { customer, at, .. } = occurrence;
        for _ in 0..MAX_ATTEMPTS {
            let Some(known) = self.count_if_reported(customer, refusal, at).await? else { return Ok(()) };
            let RefusalsItem { untold, told_at } = known.map(from_item).transpose()?.unwrap_or_default();
            let update = self
                .update_item(&table_keys::refusals(customer, &refusal.of, refusal.limit))
                .update_expression("SET told_at = :now, expires_at = :expiry REMOVE untold")
                .values([(":now", number(at.as_millisecond())), (":expiry", number((at + RETENTION).as_second()))]);
            let update = match (told_at, untold) {
                (None, _) => update.condition_expression("attribute_not_exists(pk)"),
                (Some(told_at), None) => update
                    .condition_expression("told_at = :seen AND attribute_not_exists(untold)")
                    .value(":seen", number(told_at)),
                (Some(told_at), Some(untold)) => update
                    .condition_expression("told_at = :seen AND untold = :untold")
                    .values([(":seen", number(told_at)), (":untold", number(untold))]),
            };
            let count = u64::try_from(untold.unwrap_or_default()).unwrap_or_default() + 1;
            let event = Event::of_refusals(refusal, count, occurrence);
            if self.transact(vec![update_write(update)?, self.event_write(&event)?]).await?.is_empty() {
                return Ok(());
            }
        }
        Err(contended())
    }

    /// Counts a refusal if an event was within the last hour: `None`. Otherwise returns the record, if there is one.
    async fn count_if_reported(
        &self,
        customer: CustomerId,
        refusal: &LimitRefusal,
        at: Timestamp,
    ) -> Result<Option<Option<Item>>, Error> {
        let update = self
            .update_item(&table_keys::refusals(customer, &refusal.of, refusal.limit))
            .update_expression("ADD untold :one")
            .condition_expression("told_at > :hour_ago")
            .values([(":one", number(1)), (":hour_ago", number((at - INTERVAL).as_millisecond()))])
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = update.send().await else { return Ok(None) };
        let known = error.as_service_error().and_then(condition_failure).map(|item| item.cloned());
        known.map(Some).ok_or_else(|| store_error(error))
    }
}
