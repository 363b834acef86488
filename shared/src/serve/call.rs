//! An authenticated request.

use super::ApiRequest;
use super::idempotency::ClaimSlot;
use crate::auth::ApiKey;
use crate::domain::{Customer, CustomerConnections, Usage};
use crate::store::Store;
use crate::tokens::PlatformContext;
use std::sync::Arc;

/// An authenticated request.
pub struct Call {
    /// The request.
    pub request: ApiRequest,
    /// The API key of the request.
    pub key: ApiKey,
    /// The customer of the key.
    pub customer: Customer,
    /// The usage of the billing period, including this request.
    pub usage: Usage,
    /// The customer's connections and grants.
    pub connected: CustomerConnections,
    pub(super) claim: Arc<ClaimSlot>,
}

impl Call {
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

    /// The store.
    pub fn store(&self) -> &Store {
        &self.request.app.store
    }
}
