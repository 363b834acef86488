//! The endpoints of the customers of a pass, each customer read once.

use crate::app::App;
use crate::domain::delivery::EndpointHealth;
use crate::domain::{CustomerId, EndpointId, EndpointStatus, WebhookEndpoint};
use crate::error::Error;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// The endpoints of customers, as they were read first in a pass.
#[derive(Debug, Default)]
pub struct Endpoints(Mutex<HashMap<CustomerId, Arc<CustomerEndpoints>>>);

/// The endpoints of a customer, once they are read.
type CustomerEndpoints = OnceCell<Vec<Arc<KnownEndpoint>>>;

/// An endpoint, and its health during this pass.
#[derive(Debug)]
pub(super) struct KnownEndpoint {
    pub(super) endpoint: WebhookEndpoint,
    health: Mutex<EndpointHealth>,
}

impl Endpoints {
    /// The endpoints of a customer.
    pub(super) async fn of(&self, app: &App, customer: CustomerId) -> Result<Vec<Arc<KnownEndpoint>>, Error> {
        let cell = Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(customer).or_default());
        cell.get_or_try_init(|| read(app, customer)).await.cloned()
    }

    /// An enabled endpoint; `None` if it is deleted or disabled.
    pub(super) async fn enabled(
        &self,
        app: &App,
        customer: CustomerId,
        id: &EndpointId,
    ) -> Result<Option<Arc<KnownEndpoint>>, Error> {
        let all = self.of(app, customer).await?;
        Ok(all.into_iter().find(|known| known.endpoint.id == *id && known.is_enabled()))
    }
}

async fn read(app: &App, customer: CustomerId) -> Result<Vec<Arc<KnownEndpoint>>, Error> {
    let endpoints = app.store.webhook_endpoints_with_health(customer).await?;
    let known = |(endpoint, health)| Arc::new(KnownEndpoint { endpoint, health: Mutex::new(health) });
    Ok(endpoints.into_iter().map(known).collect())
}

impl KnownEndpoint {
    pub(super) fn is_enabled(&self) -> bool {
        self.endpoint.status == EndpointStatus::Enabled
    }

    pub(super) fn health(&self) -> MutexGuard<'_, EndpointHealth> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
