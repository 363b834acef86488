//! Changes the time at which a grant is due. [`super::leases`] sets it after a refresh.

use super::item::set_due;
use crate::domain::{CustomerId, Grant, GrantDue, GrantId};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::{Store, Values, number};
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

impl Store {
    /// Moves a due grant that needs nothing now to its next time. `false` if it was refreshed, has ended, or was made
    /// due at `seen` or later.
    pub async fn reschedule_grant(
        &self,
        customer: CustomerId,
        grant: &Grant,
        due: GrantDue,
        seen: Timestamp,
    ) -> Result<bool, Error> {
        let update = set_due(self.update_grant(customer, &grant.id), due)
            .update_expression("SET due_kind = :kind, due_at = :due")
            .condition_expression("version = :version AND due_at < :seen AND (NOT ended = :yes)")
            .values([
                (":version", number(grant.version)),
                (":seen", number(seen.as_second())),
                (":yes", AttributeValue::Bool(true)),
            ]);
        conditional_update(update).await
    }

    /// Clears the due mark if `due_at` is before `seen`; `false` otherwise.
    pub async fn clear_grant_due(&self, customer: CustomerId, id: &GrantId, seen: Timestamp) -> Result<bool, Error> {
        let update = self
            .update_grant(customer, id)
            .update_expression("REMOVE due_kind, due_at")
            .condition_expression("due_at < :seen")
            .value(":seen", number(seen.as_second()));
        conditional_update(update).await
    }

    /// Postpones a due grant after a failure, so that other due grants come first.
    pub async fn postpone_grant(
        &self,
        customer: CustomerId,
        id: &GrantId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, Error> {
        let update = self
            .update_grant(customer, id)
            .update_expression("SET due_at = :until")
            .condition_expression("due_at <= :now")
            .values([(":now", number(now.as_second())), (":until", number(until.as_second()))]);
        conditional_update(update).await
    }
}
