//! The connections that a request is about.

use crate::domain::{ConnectionId, CustomerConnections, CustomerId, Rights};
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

    /// What the caller may see of the connections that were read: in every request those that its rights include. A
    /// search for an active connection reads at most two, and both may be outside the rights. Then the allowed
    /// connections are read by id, unless all of them are there.
    pub(super) async fn visible(
        &self,
        rights: &Rights,
        read: CustomerConnections,
        store: &Store,
        customer: CustomerId,
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        let has_all = |ids: &[ConnectionId]| ids.iter().all(|id| read.connection(&id.0).is_some());
        let mut connected = match rights.connections().filter(|ids| self.is_search_by_platform() && !has_all(ids)) {
            Some(ids) => {
                let names: Vec<_> = ids.iter().map(|id| ConnectionRef::Id(id.0.clone())).collect();
                store.named_connections(customer, &names, now).await?
            }
            None => read,
        };
        connected.connections.retain(|connection| rights.include(connection));
        Ok(connected)
    }

    fn is_search_by_platform(&self) -> bool {
        let is_search = |name: &ConnectionRef| matches!(name, ConnectionRef::Active(_));
        matches!(self, RequiredConnections::Named(names) if names.iter().any(is_search))
    }
}
