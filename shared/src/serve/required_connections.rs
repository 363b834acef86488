//! The connections that a request is about.

use crate::domain::{CustomerConnections, CustomerId};
use crate::error::Error;
use crate::store::{ConnectionRef, Store};
use jiff::Timestamp;

/// The connections that a request is about. The pipeline reads them, with their grants, before the handler runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredConnections {
    /// None, or the handler reads them.
    None,
    /// These. What the read costs does not depend on the number of the customer's connections.
    Named(Vec<ConnectionRef>),
    /// All of the customer.
    All,
}

impl RequiredConnections {
    /// The connection with an id.
    pub fn id(id: &str) -> RequiredConnections {
        RequiredConnections::Named(vec![ConnectionRef::Id(id.to_owned())])
    }

    pub(super) async fn read(
        &self,
        store: &Store,
        customer: CustomerId,
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        match self {
            RequiredConnections::None => Ok(CustomerConnections::default()),
            RequiredConnections::Named(names) if names.is_empty() => Ok(CustomerConnections::default()),
            RequiredConnections::Named(names) => store.named_connections(customer, names, now).await,
            RequiredConnections::All => store.customer_connections(customer, now).await,
        }
    }
}
