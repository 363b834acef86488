//! Leases: one process at a time refreshes a grant.
//!
//! A lease has a fencing token, one higher than the last. Only the holder of the highest token may write. A process
//! whose lease has expired cannot overwrite the work of the next holder. The table calls the fencing token `fence`.

use super::item::{GrantItem, parse_grant, set_due, set_tokens};
use crate::domain::{CustomerId, Grant, GrantDue, GrantId, GrantQueue};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::{Item, Store, Values, from_item, number, text};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure};
use jiff::Timestamp;

/// Result of an attempt to acquire a lease.
#[derive(Debug)]
pub enum LeaseAttempt {
    Acquired(Lease),
    /// Another process has refreshed the grant; these are its tokens.
    AlreadyRefreshed(Grant),
    /// Another process holds the lease.
    Held,
    /// The grant has ended or was deleted.
    GrantEnded,
}

/// The right to refresh a grant.
#[derive(Clone, Copy, Debug)]
pub struct Lease {
    /// The fencing token: one higher than that of the previous lease.
    pub fencing_token: i64,
    /// Consecutive failed refreshes before this lease.
    pub failures: u32,
    pub until: Timestamp,
}

impl Store {
    /// Tries to acquire the lease. Returns [`LeaseAttempt::AlreadyRefreshed`] if the grant has changed since the caller
    /// read it (`grant.version`).
    pub async fn lease_grant(
        &self,
        customer: CustomerId,
        grant: &Grant,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<LeaseAttempt, Error> {
        let update = self
            .update_grant(customer, &grant.id)
            .update_expression("SET lease_until = :until ADD fence :one")
            .condition_expression(
                "version = :version AND (NOT ended = :yes) \
                 AND (attribute_not_exists(lease_until) OR lease_until < :now)",
            )
            .values([
                (":until", number(until.as_millisecond())),
                (":now", number(now.as_millisecond())),
                (":one", number(1)),
                (":yes", AttributeValue::Bool(true)),
                (":version", number(grant.version)),
            ])
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        match update.send().await {
            Ok(output) => {
                let GrantItem { fence, failures, .. } = from_item(output.attributes.unwrap_or_default())?;
                Ok(LeaseAttempt::Acquired(Lease { fencing_token: fence, failures, until }))
            }
            Err(error) => match error.into_service_error() {
                UpdateItemError::ConditionalCheckFailedException(failure) => {
                    held_or_refreshed(failure.item, grant.version)
                }
                other => Err(Error::internal(other)),
            },
        }
    }

    /// Stores refreshed tokens and releases the lease. `false` if another process has leased the grant since, or if the
    /// grant was deleted.
    ///
    /// A grant that no connection uses stays due as it is, so that maintenance deletes it. Its last connection may have
    /// been removed before the lease or during it.
    pub async fn store_refreshed(&self, customer: CustomerId, grant: &Grant, lease: Lease) -> Result<bool, Error> {
        if let Some(due) = grant.due {
            let (update, set) = self.refreshed_tokens(customer, grant, lease);
            let update = set_due(update, due)
                .update_expression(format!(
                    "{set}, due_kind = :kind, due_at = :due REMOVE lease_until, retry_at ADD version :one"
                ))
                .condition_expression("fence = :fence AND connections > :none")
                .value(":none", number(0));
            if conditional_update(update).await? {
                return Ok(true);
            }
        }
        let (update, set) = self.refreshed_tokens(customer, grant, lease);
        let update = update
            .update_expression(format!("{set} REMOVE lease_until, retry_at ADD version :one"))
            .condition_expression("fence = :fence");
        conditional_update(update).await
    }

    fn refreshed_tokens(&self, customer: CustomerId, grant: &Grant, lease: Lease) -> (UpdateItemFluentBuilder, String) {
        let (update, set) = set_tokens(self.update_grant(customer, &grant.id), grant);
        let update = update.values([(":fence", number(lease.fencing_token)), (":one", number(1))]);
        (update, set)
    }

    /// Counts a failed refresh and stores when to try again. Releases the lease if `is_retry_safe`; otherwise the lease
    /// runs out, because the call may still take effect.
    pub async fn record_refresh_failure(
        &self,
        customer: CustomerId,
        id: &GrantId,
        lease: Lease,
        is_retry_safe: bool,
        retry_at: Timestamp,
    ) -> Result<bool, Error> {
        let remove = if is_retry_safe { "REMOVE lease_until " } else { "" };
        let update = self
            .update_grant(customer, id)
            .update_expression(format!("SET due_at = :due, retry_at = :retry {remove}ADD failures :one"))
            .condition_expression("fence = :fence")
            .values([
                (":fence", number(lease.fencing_token)),
                (":one", number(1)),
                (":due", number(retry_at.as_second())),
                (":retry", text(retry_at.to_string())),
            ]);
        conditional_update(update).await
    }

    /// Releases the lease.
    pub async fn release_lease(&self, customer: CustomerId, id: &GrantId, lease: Lease) -> Result<bool, Error> {
        let update = self
            .update_grant(customer, id)
            .update_expression("REMOVE lease_until")
            .condition_expression("fence = :fence")
            .value(":fence", number(lease.fencing_token));
        conditional_update(update).await
    }

    /// Resets the count of failures after a successful refresh.
    pub async fn reset_failures(&self, customer: CustomerId, id: &GrantId, lease: Lease) -> Result<bool, Error> {
        let update = self
            .update_grant(customer, id)
            .update_expression("REMOVE failures")
            .condition_expression("fence = :fence")
            .value(":fence", number(lease.fencing_token));
        conditional_update(update).await
    }

    /// Marks a grant as ended by its platform, and as due since `due_at`. `false` if another process has acquired the
    /// lease since: the rejected tokens may already have been replaced.
    pub async fn end_grant(
        &self,
        customer: CustomerId,
        id: &GrantId,
        lease: Lease,
        due_at: Timestamp,
    ) -> Result<bool, Error> {
        let due = GrantDue { queue: GrantQueue::Other, at: due_at };
        let update = set_due(self.update_grant(customer, id), due)
            .update_expression("SET ended = :yes, due_kind = :kind, due_at = :due REMOVE lease_until")
            .condition_expression("fence = :fence")
            .values([(":fence", number(lease.fencing_token)), (":yes", AttributeValue::Bool(true))]);
        conditional_update(update).await
    }
}

fn held_or_refreshed(item: Option<Item>, version: i64) -> Result<LeaseAttempt, Error> {
    let Some(item) = item.filter(|item| !item.is_empty()) else { return Ok(LeaseAttempt::GrantEnded) };
    let current = parse_grant(item)?;
    Ok(if current.ended {
        LeaseAttempt::GrantEnded
    } else if current.version == version {
        LeaseAttempt::Held
    } else {
        LeaseAttempt::AlreadyRefreshed(current)
    })
}
