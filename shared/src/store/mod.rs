//! The DynamoDB table: a folder or a file for each kind of record, and all keys in [`table_keys`].

mod account;
mod assistant;
mod batch;
mod billing;
mod campaign_records;
mod change;
mod conditional;
mod connection;
mod customer_records;
mod delivery;
mod due;
mod erasure;
mod event;
mod grant;
mod idempotency;
mod operations;
mod overview;
mod person;
mod redirect_uris;
mod spending;
#[cfg(test)]
mod stored;
pub mod table_keys;
mod transactions;
mod usage_log;
mod users;
mod webhook_endpoints;

pub use account::{Account, Admission, Slot, Terms};
pub use billing::{ApplyOutcome, BillingRecord, Checkout};
pub use change::{
    BeginResult, ChangePage, Commit, CommitResult, ConcurrentCreates, MAX_OPEN_CREATES, RecordMove, TransitionResult,
};
pub use connection::{
    Authorization, BatchStart, ConnectionBatch, ConnectionRef, Consent, InProgress, NewConnection, ReturnTarget, Stored,
};
pub use customer_records::CustomerPage;
pub use delivery::DeliveryPage;
pub use due::DueRecord;
pub use erasure::{ErasedPage, TakenErasure};
pub use event::{EventKindPage, EventPage};
pub use grant::{Lease, LeaseAttempt};
pub use idempotency::{IdempotencyClaim, IdempotencyRecord};
pub use overview::{KeptChange, KeptOverview, KeptPart, OverviewPart, PartOutcome};
pub use person::{Acceptance, InvitedTo, MAX_INVITATIONS, Offer, SignIn, SignedInPerson};
pub use redirect_uris::Registration;
pub use spending::{EndResult, SpendingState, Turn};
pub use transactions::{back_off, contended};
pub use usage_log::UsagePage;
pub use users::UserPage;

use crate::error::Error;
use crate::sdk::describe;
use account::{AccountCache, USE_INTERVAL};
use assistant::AssistantUses;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::AttributeValue;
use connection::{BrokenConnections, RecentReferences};
use operations::Values;
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
    assistant_uses: Arc<AssistantUses>,
    recent_references: Arc<RecentReferences>,
    broken_connections: Arc<BrokenConnections>,
}

type Item = HashMap<String, AttributeValue>;

impl Store {
    /// A store over a table.
    pub fn new(client: Client, table: impl Into<String>) -> Store {
        Store {
            client,
            table: table.into(),
            account_cache: Arc::default(),
            assistant_uses: Arc::default(),
            recent_references: Arc::default(),
            broken_connections: Arc::default(),
        }
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

fn attribute(value: &impl Serialize) -> Result<AttributeValue, Error> {
    serde_dynamo::to_attribute_value(value).map_err(Error::internal)
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
