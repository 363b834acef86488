//! Grants: the one record of a consent's tokens, and the lease under which it is refreshed.

use super::accounts::applied;
use super::{Item, Store, failed, item_of, keys, number, record_of, text};
use crate::domain::{CustomerId, Grant, GrantId, Platform};
use crate::error::Error;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What came of asking for the right to refresh a grant.
#[derive(Debug)]
pub enum Lease {
    /// Ours, under this fencing number.
    Mine(i64),
    /// Somebody refreshed it meanwhile: these are the tokens now.
    Refreshed(Grant),
    /// Somebody else is at it.
    Busy,
    /// The grant is gone.
    Gone,
}

#[derive(Serialize, Deserialize)]
pub(super) struct GrantItem {
    grant_id: String,
    platform: String,
    access_token: String,
    access_expires_at: Timestamp,
    access_ttl_s: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    version: i64,
    #[serde(default)]
    fence: i64,
}

impl Store {
    /// Reads a grant as it is now.
    pub async fn grant(&self, customer: CustomerId, id: &GrantId) -> Result<Option<Grant>, Error> {
        let key = keys::grant(customer, id).attributes();
        let get = self.client.get_item().table_name(&self.table).set_key(Some(key)).consistent_read(true);
        let answer = get.send().await.map_err(failed)?;
        answer.item.map(|item| record_of(item).and_then(grant_of)).transpose()
    }

    /// Asks for the right to refresh a grant that was read at `grant.version`, until `until`.
    pub async fn lease_grant(
        &self,
        customer: CustomerId,
        grant: &Grant,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Lease, Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::grant(customer, &grant.id).attributes()))
            .update_expression("SET lease_until = :until ADD fence :one")
            .condition_expression("version = :version AND (attribute_not_exists(lease_until) OR lease_until < :now)")
            .expression_attribute_values(":until", number(until.as_millisecond()))
            .expression_attribute_values(":now", number(now.as_millisecond()))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":version", number(grant.version))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        match update.send().await {
            Ok(answer) => {
                let item: GrantItem = record_of(answer.attributes.unwrap_or_default())?;
                Ok(Lease::Mine(item.fence))
            }
            Err(error) => match error.into_service_error() {
                refused if refused.is_conditional_check_failed_exception() => lost(refused, grant.version),
                other => Err(Error::internal(other)),
            },
        }
    }

    /// Stores refreshed tokens and gives the lease back, if it is still ours: else `false`, nothing changed.
    pub async fn store_refreshed(&self, customer: CustomerId, grant: &Grant, fence: i64) -> Result<bool, Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::grant(customer, &grant.id).attributes()))
            .condition_expression("fence = :fence")
            .expression_attribute_values(":fence", number(fence))
            .expression_attribute_values(":access", text(&grant.access_token))
            .expression_attribute_values(":expires", text(grant.access_expires_at.to_string()))
            .expression_attribute_values(":ttl", number(grant.access_ttl_s))
            .expression_attribute_values(":one", number(1));
        let set = "SET access_token = :access, access_expires_at = :expires, access_ttl_s = :ttl";
        let update = match &grant.refresh_token {
            Some(token) => update
                .update_expression(format!("{set}, refresh_token = :refresh REMOVE lease_until ADD version :one"))
                .expression_attribute_values(":refresh", text(token)),
            None => update.update_expression(format!("{set} REMOVE lease_until ADD version :one")),
        };
        applied(update).await
    }

    /// Gives a lease back without a result, so that the next caller need not wait for its end.
    pub async fn release_grant(&self, customer: CustomerId, id: &GrantId, fence: i64) -> Result<(), Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::grant(customer, id).attributes()))
            .update_expression("REMOVE lease_until")
            .condition_expression("fence = :fence")
            .expression_attribute_values(":fence", number(fence));
        applied(update).await.map(|_| ())
    }

    /// Deletes a grant that no connection uses any more.
    pub async fn delete_grant(&self, customer: CustomerId, id: &GrantId) -> Result<(), Error> {
        let key = keys::grant(customer, id).attributes();
        self.client.delete_item().table_name(&self.table).set_key(Some(key)).send().await.map_err(failed)?;
        Ok(())
    }
}

fn lost(refused: aws_sdk_dynamodb::operation::update_item::UpdateItemError, version: i64) -> Result<Lease, Error> {
    use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
    let UpdateItemError::ConditionalCheckFailedException(exception) = refused else { return Ok(Lease::Busy) };
    let Some(item) = exception.item.filter(|item| !item.is_empty()) else { return Ok(Lease::Gone) };
    let current = grant_of(record_of(item)?)?;
    Ok(if current.version == version { Lease::Busy } else { Lease::Refreshed(current) })
}

pub(super) fn grant_item(customer: CustomerId, grant: &Grant) -> Result<Item, Error> {
    let item = GrantItem {
        grant_id: grant.id.0.clone(),
        platform: grant.platform.word().to_owned(),
        access_token: grant.access_token.clone(),
        access_expires_at: grant.access_expires_at,
        access_ttl_s: grant.access_ttl_s,
        refresh_token: grant.refresh_token.clone(),
        version: grant.version,
        fence: 0,
    };
    item_of(&keys::grant(customer, &grant.id), &item)
}

pub(super) fn grant_of(item: GrantItem) -> Result<Grant, Error> {
    let platform =
        Platform::from_word(&item.platform).ok_or_else(|| Error::internal("a grant has an unknown platform"))?;
    Ok(Grant {
        id: GrantId(item.grant_id),
        platform,
        access_token: item.access_token,
        access_expires_at: item.access_expires_at,
        access_ttl_s: item.access_ttl_s,
        refresh_token: item.refresh_token,
        version: item.version,
    })
}
