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

    /// The one connection that the request names; `None` if it names another number of them. Others may have been read
    /// with it.
    pub(super) fn only<'a>(&self, read: &'a CustomerConnections) -> Option<&'a Connection> {
        let RequiredConnections::Named(names) = self else { return None };
        let is_named = |known: &&Connection| names.iter().any(|name| name.names(known));
        let mut named = read.connections.iter().filter(is_named);
        named.next().filter(|_| named.next().is_none())
    }

    fn is_search_by_platform(&self) -> bool {
        matches!(self, RequiredConnections::Named(names) if names.iter().any(ConnectionRef::is_search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{AdAccount, ConnectionStatus, Currency, Platform};
    use std::slice::from_ref;

    fn connection(id: &str, platform: Platform, account: &str) -> Connection {
        let account = AdAccount {
            id: account.to_owned(),
            name: String::new(),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: "UTC".to_owned(),
            manager_id: None,
        };
        Connection {
            id: ConnectionId(id.to_owned()),
            platform,
            status: ConnectionStatus::Active,
            reason: None,
            label: None,
            external_ref: None,
            campaign_defaults: None,
            account: Some(account),
            grant_id: None,
            created_at: Timestamp::UNIX_EPOCH,
            last_synced_at: None,
            paused_until: None,
        }
    }

    /// What the request names of connections that were read whole.
    fn named(names: &[ConnectionRef], connections: &[Connection]) -> Option<String> {
        let read = CustomerConnections { connections: connections.to_vec(), grants: Vec::new() };
        RequiredConnections::Named(names.to_vec()).only(&read).map(|only| only.id.to_string())
    }

    #[test]
    fn the_one_connection_of_a_request_is_the_one_that_it_names() {
        let all = [
            connection("conn_1", Platform::Alpha, "1"),
            connection("conn_2", Platform::Alpha, "2"),
            connection("conn_3", Platform::Beta, "1"),
        ];
        let by_id = |id: &str| ConnectionRef::Id(id.to_owned());
        let account = |id: &str| ConnectionRef::Account(Platform::Alpha, id.to_owned());
        for (name, id) in [
            (by_id("conn_2"), Some("conn_2")),
            (account("1"), Some("conn_1")),
            (ConnectionRef::Active(Platform::Beta), Some("conn_3")),
            (ConnectionRef::Active(Platform::Alpha), None),
            (by_id("conn_4"), None),
        ] {
            assert_eq!(named(from_ref(&name), &all).as_deref(), id, "{name:?} of three");
        }
        assert_eq!(named(&[by_id("conn_2")], &all[..1]), None, "another one is left, and alone");
        assert_eq!(named(&[account("1"), account("1_2")], &all).as_deref(), Some("conn_1"), "of a campaign");
        assert_eq!(named(&[by_id("conn_1"), by_id("conn_2")], &all), None, "it names two");
        let read = CustomerConnections { connections: all[..1].to_vec(), grants: Vec::new() };
        assert_eq!(RequiredConnections::All.only(&read), None, "it names none");
    }
}
