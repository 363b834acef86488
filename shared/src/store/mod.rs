//! The DynamoDB table: a file per kind of record, and all keys in [`table_keys`].

mod account_cache;
mod account_keys;
mod accounts;
mod admission_condition;
mod admissions;
mod authorizations;
mod batch;
mod billing;
mod campaign_records;
mod checkouts;
mod concurrent_creates;
mod conditional;
mod connection_batches;
mod connection_count;
mod connection_items;
mod connections;
mod consents;
mod customer_connections;
mod due;
mod grant_counts;
mod grant_schedule;
mod grants;
mod idempotency;
mod in_flight;
mod intent_item;
mod intents;
mod invitations;
mod key_changes;
mod leases;
mod people;
mod plan_change;
mod recent_map;
mod recent_references;
mod redirect_uris;
mod remaining_checks;
mod sessions;
mod sign_ins;
mod subscription_states;
pub mod table_keys;
mod transactions;
mod usage_log;

pub use accounts::Account;
pub use admissions::{Admission, Terms};
pub use authorizations::{Authorization, InProgress};
pub use billing::BillingRecord;
pub use checkouts::Checkout;
pub use concurrent_creates::{ConcurrentCreates, MAX_OPEN_CREATES};
pub use connection_batches::{BatchStart, ConnectionBatch};
pub use consents::{Consent, NewConnection, Stored};
pub use customer_connections::ConnectionRef;
pub use due::DueRecord;
pub use idempotency::{IdempotencyClaim, IdempotencyRecord};
pub use in_flight::Slot;
pub use invitations::Acceptance;
pub use leases::{Lease, LeaseAttempt};
pub use redirect_uris::{MAX_REDIRECT_URIS, Registration};
pub use sign_ins::{InvitedTo, SignIn};
pub use subscription_states::ApplyOutcome;
pub use transactions::contended;
pub use usage_log::UsagePage;

use crate::error::Error;
use crate::sdk::describe;
use account_cache::AccountCache;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use recent_references::RecentReferences;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::Arc;
use table_keys::Key;

/// A client of the table.
#[derive(Clone, Debug)]
pub struct Store {
    client: Client,
    table: String,
    account_cache: Arc<AccountCache>,
    recent_references: Arc<RecentReferences>,
}

type Item = HashMap<String, AttributeValue>;

impl Store {
    /// A store over a table.
    pub fn new(client: Client, table: impl Into<String>) -> Store {
        Store { client, table: table.into(), account_cache: Arc::default(), recent_references: Arc::default() }
    }

    /// Reads an item with a consistent read.
    async fn read(&self, key: &Key) -> Result<Option<Item>, Error> {
        let get = self.client.get_item().table_name(&self.table).set_key(Some(key.attributes()));
        Ok(get.consistent_read(true).send().await.map_err(store_error)?.item)
    }

    /// Builds an update of an item.
    fn update(&self, key: &Key) -> UpdateItemFluentBuilder {
        self.client.update_item().table_name(&self.table).set_key(Some(key.attributes()))
    }
}

/// The item of a record: its attributes and its key.
fn to_item(key: &Key, record: &impl Serialize) -> Result<Item, Error> {
    let mut item: Item = serde_dynamo::to_item(record).map_err(Error::internal)?;
    item.extend(key.attributes());
    Ok(item)
}

fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, Error> {
    serde_dynamo::from_item(item).map_err(Error::internal)
}

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn number(value: i64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// The error of a failed DynamoDB call. Its details go to the log only.
fn store_error<E, R>(error: SdkError<E, R>) -> Error
where
    E: std::error::Error + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug,
{
    Error::internal(describe(&error))
}
