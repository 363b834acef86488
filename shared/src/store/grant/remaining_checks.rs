//! Remaining checks: the grant at which maintenance continues a customer's sync.

use crate::domain::{CustomerId, GrantId};
use crate::error::Error;
use crate::store::conditional::{condition_failure, conditional_delete, conditional_update};
use crate::store::{Store, Values, from_item, number, store_error, table_keys, text, to_item};
use aws_sdk_dynamodb::types::ReturnValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct RemainingChecksItem {
    next_grant: String,
    due_kind: String,
    /// In seconds since 1970.
    due_at: i64,
}

impl Store {
    /// Leaves the check of the grants from `next` on to maintenance. Replaces the record of an earlier sync, because
    /// the later sync has checked the grants before `next`.
    pub async fn leave_checks(&self, customer: CustomerId, next: &GrantId, now: Timestamp) -> Result<(), Error> {
        let item = RemainingChecksItem {
            next_grant: next.0.clone(),
            due_kind: table_keys::DUE_CHECKS.to_owned(),
            due_at: now.as_second(),
        };
        let item = to_item(&table_keys::remaining_checks(customer), &item)?;
        self.put(item).await
    }

    /// Claims the remaining checks of a customer until a time, and returns the first grant. `None` if there are none,
    /// or another process has claimed them.
    pub async fn claim_checks(
        &self,
        customer: CustomerId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<GrantId>, Error> {
        let update = self
            .update_item(&table_keys::remaining_checks(customer))
            .update_expression("SET due_at = :until")
            .condition_expression("due_at <= :now")
            .values([(":until", number(until.as_second())), (":now", number(now.as_second()))])
            .return_values(ReturnValue::AllNew);
        let item = match update.send().await {
            Ok(output) => output.attributes,
            Err(error) if error.as_service_error().and_then(condition_failure).is_some() => None,
            Err(error) => return Err(store_error(error)),
        };
        let item: Option<RemainingChecksItem> = item.map(from_item).transpose()?;
        Ok(item.map(|item| GrantId(item.next_grant)))
    }

    /// Stores that the grants from `first` to `next` were checked; `None` for all of them. Leaves the record of a sync
    /// that was made in the meantime unchanged.
    pub async fn advance_checks(
        &self,
        customer: CustomerId,
        first: &GrantId,
        next: Option<&GrantId>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let key = table_keys::remaining_checks(customer);
        let Some(next) = next else {
            let delete =
                self.delete_item(&key).condition_expression("next_grant = :first").value(":first", text(&first.0));
            return conditional_delete(delete).await.map(drop);
        };
        let update = self
            .update_item(&key)
            .update_expression("SET next_grant = :next, due_at = :now")
            .condition_expression("next_grant = :first")
            .values([(":first", text(&first.0)), (":next", text(&next.0)), (":now", number(now.as_second()))]);
        conditional_update(update).await.map(drop)
    }
}
