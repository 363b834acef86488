//! The connections that a request is about.

use super::ApiRequest;
use crate::domain::{Connection, ConnectionId, CustomerConnections, CustomerId, Rights, UserConnections};
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
    /// All of the customer; of a request for a user, all of this user.
    All,
}

/// What was read before the rights of the caller are known.
pub(super) struct ReadConnections {
    /// The connections that the request is about, and possibly others.
    pub(super) connected: CustomerConnections,
    /// Those of the user for whom the request acts.
    pub(super) own: Option<UserConnections>,
}

impl RequiredConnections {
    /// The connection with an id.
    pub fn id(id: &str) -> RequiredConnections {
        RequiredConnections::Named(vec![ConnectionRef::Id(id.to_owned())])
    }

    /// All of the user for whom the request acts. The handler reads those of a request for none.
    pub fn of_user(request: &ApiRequest) -> RequiredConnections {
        if request.user().is_some() { RequiredConnections::All } else { RequiredConnections::None }
    }

    /// Reads them, and at the same time which connections its user has.
    pub(super) async fn read(&self, request: &ApiRequest, customer: CustomerId) -> Result<ReadConnections, Error> {
        let (store, now) = (&request.app.store, request.now);
        let Some(user) = request.user() else {
            let connected = match self {
                RequiredConnections::None => CustomerConnections::default(),
                RequiredConnections::Named(names) if names.is_empty() => CustomerConnections::default(),
                RequiredConnections::Named(names) => store.named_connections(customer, names, now).await?,
                RequiredConnections::All => store.customer_connections(customer, now).await?,
            };
            return Ok(ReadConnections { connected, own: None });
        };
        let (own, connected) = match self {
            RequiredConnections::Named(names) if !names.is_empty() => {
                store.named_connections_of_user(customer, user, names, now).await?
            }
            RequiredConnections::None | RequiredConnections::Named(_) => {
                (store.connection_ids_of_user(customer, user).await?, CustomerConnections::default())
            }
            RequiredConnections::All => store.user_connections(customer, user, now).await?,
        };
        Ok(ReadConnections { connected, own: Some(own) })
    }

    /// What the caller may see of the connections that were read: in every request those that its rights include. A
    /// search for an active connection of the customer reads at most two, and both may be outside the limit of a key.
    /// Then the connections of the limit are read by id, unless all of them are there.
    pub(super) async fn visible(
        &self,
        rights: &Rights,
        read: CustomerConnections,
        store: &Store,
        customer: CustomerId,
        now: Timestamp,
    ) -> Result<CustomerConnections, Error> {
        let has_all = |ids: &[ConnectionId]| ids.iter().all(|id| read.connection(&id.0).is_some());
        let mut connected = match rights.limit().filter(|ids| self.is_search_by_platform() && !has_all(ids)) {
            Some(ids) => {
                let names: Vec<_> = ids.iter().map(|id| ConnectionRef::Id(id.0.clone())).collect();
                store.named_connections(customer, &names, now).await?
            }
            None => read,
        };
        connected.connections.retain(|connection| rights.include(connection));
        Ok(connected)
    }

    /// The one connection that the request names; `None` if it names another number of them.
    pub(super) fn only<'a>(&self, read: &'a CustomerConnections) -> Option<&'a Connection> {
        match (self, read.connections.as_slice()) {
            (RequiredConnections::Named(_), [only]) => Some(only),
            _ => None,
        }
    }

    fn is_search_by_platform(&self) -> bool {
        matches!(self, RequiredConnections::Named(names) if names.iter().any(ConnectionRef::is_search))
    }
}
