//! An authenticated request.

use super::ApiRequest;
use super::idempotency::ClaimSlot;
use crate::auth::{Caller, unauthorized};
use crate::domain::{Connection, ConnectionTotal, Customer, CustomerConnections, NamedKey, NamedKeys, Usage};
use crate::error::{Error, Kind};
use crate::store::Store;
use crate::tokens::PlatformContext;
use std::sync::Arc;

/// The operator has replaced all keys and ended all sessions since this request read its own.
const SESSION_ENDED: &str = "Your session has ended. Sign in again.";

/// An authenticated request.
pub struct Call {
    /// The request.
    pub request: ApiRequest,
    /// The caller.
    pub caller: Caller,
    /// The customer.
    pub customer: Customer,
    /// The keys of the customer.
    pub keys: NamedKeys,
    /// The usage of the billing period, including this request.
    pub usage: Usage,
    /// The connections that the request is about, and their grants.
    pub connected: CustomerConnections,
    /// The total of the customer's connections; `None` for an account that is not indexed yet.
    pub(super) connection_total: Option<ConnectionTotal>,
    pub(super) claim: Arc<ClaimSlot>,
}

impl Call {
    /// The key of the request among these keys: that of its caller, or the one that a person names, if any. An error if
    /// it is not one of them any more.
    pub fn current_key<'a>(&self, keys: &'a NamedKeys) -> Result<Option<&'a NamedKey>, Error> {
        match &self.caller {
            Caller::Key(key) => keys.find(&key.hash(), self.request.now).ok_or_else(unauthorized).map(Some),
            Caller::Session(person) => {
                if keys.replaced_at() != self.keys.replaced_at() {
                    return Err(Error::new(Kind::Unauthorized, SESSION_ENDED));
                }
                let Some(id) = &person.key else { return Ok(None) };
                let named = keys.all().iter().find(|key| key.id == *id);
                named.ok_or_else(|| Error::not_found("API key")).map(Some)
            }
        }
    }

    /// The context of platform calls for this customer.
    pub fn platform_context(&self) -> PlatformContext<'_> {
        PlatformContext {
            app: &self.request.app,
            outbound: &self.request.app.outbound,
            customer: self.customer.id,
            connected: &self.connected,
            now: self.request.now,
            deadline: self.request.deadline,
        }
    }

    /// The total of the customer's connections. They are read for an account that is not indexed yet.
    pub async fn connection_total(&self) -> Result<ConnectionTotal, Error> {
        match self.connection_total {
            Some(total) => Ok(total),
            None => {
                let connections = self.store().connections(self.customer.id, self.request.now).await?;
                Ok(ConnectionTotal::of(&connections))
            }
        }
    }

    /// Indexes the account of an earlier version; `false` if it is indexed already.
    pub async fn ensure_indexed(&self) -> Result<bool, Error> {
        match self.connection_total {
            Some(_) => Ok(false),
            None => self.store().index_connections(self.customer.id, self.request.now).await.map(|_| true),
        }
    }

    /// Compares all connections with the stored total, and indexes them if it differs: a version of the service that
    /// keeps no total has changed them. A failure is logged only.
    pub async fn check_connection_total(&self, connections: &[Connection]) {
        if self.connection_total == Some(ConnectionTotal::of(connections)) {
            return;
        }
        if let Err(error) = self.store().index_connections(self.customer.id, self.request.now).await {
            tracing::warn!(customer = %self.customer.id, %error, source = error.source, "connections not indexed");
        }
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.request.app.store
    }
}
