//! Grants: the sealed tokens of a consent. [`super::leases`] serializes their refresh.

use crate::domain::{CustomerId, Grant, GrantDue, GrantId, Platform};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::due::{grant_kind, parse_queue};
use crate::store::{Item, Store, Values, from_item, number, store_error, table_keys, text, to_item};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct GrantItem {
    grant_id: GrantId,
    #[serde_as(as = "DisplayFromStr")]
    platform: Platform,
    access_token: String,
    access_expires_at: Timestamp,
    access_ttl_s: i64,
    refresh_token: Option<String>,
    version: i64,
    /// The fencing token of the latest lease.
    #[serde(default)]
    pub(super) fence: i64,
    /// When the latest lease expires, in milliseconds since 1970; absent while no request holds it.
    lease_until: Option<i64>,
    /// Consecutive failed refreshes.
    #[serde(default)]
    pub(super) failures: u32,
    retry_at: Option<Timestamp>,
    /// The number of connections that use the grant.
    connections: i64,
    /// `true` if the platform has ended the grant.
    #[serde(default)]
    ended: bool,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
}

impl Store {
    /// Reads a grant with a consistent read; `None` if it has ended.
    pub async fn grant(&self, customer: CustomerId, id: &GrantId) -> Result<Option<Grant>, Error> {
        Ok(self.grant_record(customer, id).await?.filter(|grant| !grant.ended))
    }

    /// Reads a grant with a consistent read, even if it has ended.
    pub async fn grant_record(&self, customer: CustomerId, id: &GrantId) -> Result<Option<Grant>, Error> {
        let item = self.read(&table_keys::grant(customer, id)).await?;
        item.map(parse_grant).transpose()
    }

    /// Replaces the sealed tokens by the same tokens under another key. `false` if other tokens were stored since.
    pub async fn replace_sealed_tokens(&self, customer: CustomerId, old: &Grant, new: &Grant) -> Result<bool, Error> {
        let update = self
            .update_grant(customer, &old.id)
            .condition_expression("access_token = :old")
            .values([(":old", text(&old.access_token)), (":access", text(&new.access_token))]);
        let update = match &new.refresh_token {
            Some(token) => update
                .update_expression("SET access_token = :access, refresh_token = :refresh")
                .value(":refresh", text(token)),
            None => update.update_expression("SET access_token = :access"),
        };
        conditional_update(update).await
    }

    /// Scans for all grants. Only for the operator's command line.
    pub async fn all_grants(&self) -> Result<Vec<(CustomerId, Grant)>, Error> {
        let scan = self
            .scan()
            .consistent_read(true)
            .filter_expression("begins_with(sk, :grant)")
            .value(":grant", text(table_keys::GRANT_PREFIX));
        let items: Vec<Item> = scan.into_paginator().items().send().try_collect().await.map_err(store_error)?;
        let grant = |item: Item| {
            let pk = item.get(table_keys::PARTITION).and_then(|pk| pk.as_s().ok());
            let customer = pk.and_then(|pk| table_keys::parse_customer_pk(pk));
            let customer = customer.ok_or_else(|| Error::internal("a grant has a malformed partition key"))?;
            Ok((customer, parse_grant(item)?))
        };
        items.into_iter().map(grant).collect()
    }

    pub(super) fn update_grant(&self, customer: CustomerId, id: &GrantId) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::grant(customer, id))
    }
}

pub(in crate::store) fn grant_item(customer: CustomerId, grant: &Grant) -> Result<Item, Error> {
    let item = GrantItem {
        grant_id: grant.id.clone(),
        platform: grant.platform,
        access_token: grant.access_token.clone(),
        access_expires_at: grant.access_expires_at,
        access_ttl_s: grant.access_ttl_s,
        refresh_token: grant.refresh_token.clone(),
        version: grant.version,
        fence: 0,
        lease_until: None,
        failures: 0,
        retry_at: grant.retry_at,
        connections: i64::from(grant.connections),
        ended: grant.ended,
        due_kind: grant.due.map(|due| grant_kind(due.queue).to_owned()),
        due_at: grant.due.map(|due| due.at),
    };
    to_item(&table_keys::grant(customer, &grant.id), &item)
}

pub(in crate::store) fn parse_grant(item: Item) -> Result<Grant, Error> {
    let item: GrantItem = from_item(item)?;
    let due = item.due_at.zip(item.due_kind).map(|(at, kind)| GrantDue { queue: parse_queue(&kind), at });
    Ok(Grant {
        id: item.grant_id,
        platform: item.platform,
        access_token: item.access_token,
        access_expires_at: item.access_expires_at,
        access_ttl_s: item.access_ttl_s,
        refresh_token: item.refresh_token,
        version: item.version,
        retry_at: item.retry_at,
        connections: u32::try_from(item.connections).unwrap_or_default(),
        ended: item.ended,
        due,
    })
}

/// Adds refreshed tokens to an update; returns it with the SET expression.
pub(super) fn set_tokens(update: UpdateItemFluentBuilder, grant: &Grant) -> (UpdateItemFluentBuilder, String) {
    let update = update.values([
        (":access", text(&grant.access_token)),
        (":expires", text(grant.access_expires_at.to_string())),
        (":ttl", number(grant.access_ttl_s)),
    ]);
    let set = "SET access_token = :access, access_expires_at = :expires, access_ttl_s = :ttl";
    match &grant.refresh_token {
        Some(token) => (update.value(":refresh", text(token)), format!("{set}, refresh_token = :refresh")),
        None => (update, set.to_owned()),
    }
}

/// Adds the time at which a grant is due to an update. The update sets `due_kind = :kind, due_at = :due`.
pub(super) fn set_due(update: UpdateItemFluentBuilder, due: GrantDue) -> UpdateItemFluentBuilder {
    update.values([(":kind", text(grant_kind(due.queue))), (":due", number(due.at.as_second()))])
}

#[cfg(test)]
#[test]
fn a_grant_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::GrantQueue;
    let now = Timestamp::constant(1_790_000_000, 0);
    let few = Grant::without_tokens(GrantId("grant_1".to_owned()), Platform::Alpha, now);
    let all = Grant {
        access_token: "sealed access".to_owned(),
        access_ttl_s: 3_600,
        refresh_token: Some("sealed refresh".to_owned()),
        version: 2,
        retry_at: Some(now),
        connections: 3,
        ended: true,
        due: Some(GrantDue { queue: GrantQueue::Rotating, at: now }),
        ..few.clone()
    };
    let customer = CustomerId(uuid::Uuid::nil());
    let grants = [all, few];
    crate::store::stored::assert_stored("grant", grants.iter().map(|grant| grant_item(customer, grant).unwrap()));
    for grant in grants {
        assert_eq!(parse_grant(grant_item(customer, &grant).unwrap()).unwrap(), grant);
    }
}
