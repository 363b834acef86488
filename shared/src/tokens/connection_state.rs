//! The state of connections, as the outcomes of platform calls show it.

use super::PlatformContext;
use crate::domain::{AdAccount, Connection, ConnectionStatus, CustomerId, Grant};
use crate::error::{Error, Kind};
use crate::platforms::errors::not_shown;
use crate::store::{ConnectionRef, Store};
use futures_util::{StreamExt, stream};
use jiff::Timestamp;

/// Concurrent writes of the checked connections of one grant.
const CONCURRENT_WRITES: usize = 8;

/// The state of a connection after a call.
#[derive(Clone, Debug)]
pub(super) struct ConnectionState {
    status: ConnectionStatus,
    reason: Option<String>,
}

impl ConnectionState {
    /// The connection works.
    pub(super) fn active() -> ConnectionState {
        ConnectionState { status: ConnectionStatus::Active, reason: None }
    }

    /// The grant has ended; only a new authorization ends this state.
    pub(super) fn revoked(reason: String) -> ConnectionState {
        ConnectionState { status: ConnectionStatus::Revoked, reason: Some(reason) }
    }

    /// The account is unreachable for another reason.
    pub(super) fn error(reason: String) -> ConnectionState {
        ConnectionState { status: ConnectionStatus::Error, reason: Some(reason) }
    }

    /// The state after a call in the ad account; `None` if its outcome does not depend on the connection.
    pub(super) fn after_call(error: Option<&Error>) -> Option<ConnectionState> {
        match error {
            None => Some(ConnectionState::active()),
            Some(error) if error.kind == Kind::TokenExpired => Some(ConnectionState::revoked(reason_of(error))),
            Some(error) if error.kind == Kind::Forbidden && !error.keeps_connection_status => {
                Some(ConnectionState::error(reason_of(error)))
            }
            Some(_) => None,
        }
    }
}

/// The platform's explanation of an error, or else the message. What a platform says to the operator is not for users.
pub(super) fn reason_of(error: &Error) -> String {
    match &error.platform_error {
        Some(reported) if !error.is_for_operator => reported.message.clone(),
        _ => error.message.to_string(),
    }
}

/// Stores a state for every connection that has another one. A REVOKED connection keeps its state. After a failed write
/// the remaining connections are still written.
pub(super) async fn store_state<'a>(
    store: &Store,
    customer: CustomerId,
    connections: impl Iterator<Item = &'a Connection>,
    state: &ConnectionState,
    at: Timestamp,
) -> Result<(), Error> {
    let ConnectionState { status, reason } = state;
    let mut outcome = Ok(());
    for connection in connections.filter(|known| known.status != *status && known.status != ConnectionStatus::Revoked) {
        let stored = store.set_connection_status(customer, connection, *status, reason.as_deref(), at).await;
        outcome = outcome.and(stored.map(|_| ()));
    }
    outcome
}

/// A connection after a check of its grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionCheck {
    /// The connection as it is now.
    pub connection: Connection,
    /// Whether the platform confirmed that it works.
    pub is_verified: bool,
}

impl PlatformContext<'_> {
    /// Stores the state of a connection after a call. A failure to store it does not change the outcome of the call.
    pub(super) async fn record_state(&self, connection: &Connection, error: Option<&Error>) {
        let Some(state) = ConnectionState::after_call(error) else { return };
        let stored = async {
            let shared = match state.status {
                // An ended grant revokes every connection that it opened.
                ConnectionStatus::Revoked => self.connections_sharing_grant(connection).await?,
                _ => Vec::new(),
            };
            let connections = shared.iter().chain([connection]);
            store_state(&self.app.store, self.customer, connections, &state, self.app.clock.now()).await
        };
        if let Err(error) = stored.await {
            let status = state.status.as_str();
            tracing::warn!(connection = %connection.id, status, %error, "storing a connection's state failed");
        }
    }

    /// The other connections of a connection's grant. Costs a read of all connections.
    async fn connections_sharing_grant(&self, connection: &Connection) -> Result<Vec<Connection>, Error> {
        let mut connections = self.app.store.connections(self.customer, self.now).await?;
        connections.retain(|other| other.grant_id == connection.grant_id && other.id != connection.id);
        Ok(connections)
    }

    /// Checks every connection of a grant against the ad accounts that the grant reaches now, and returns the
    /// connections with their new state.
    ///
    /// A connection to an account that the platform no longer shows becomes ERROR. A failure of the platform changes
    /// nothing.
    pub async fn check_connections(&self, grant: &Grant) -> Vec<ConnectionCheck> {
        let outcome = self.list_accounts(grant).await;
        let connections = self.connected.using_grant(&grant.id);
        let checks: Vec<_> = connections.map(|connection| self.check_and_store(connection, &outcome)).collect();
        stream::iter(checks).buffered(CONCURRENT_WRITES).collect().await
    }

    async fn check_and_store(
        &self,
        connection: &Connection,
        outcome: &Result<Vec<AdAccount>, Error>,
    ) -> ConnectionCheck {
        let check = self.check(connection, outcome);
        if check.connection == *connection { check } else { self.store_check(connection, check).await }
    }

    /// Lists the ad accounts of a grant, with a fresh token if the platform refuses the first.
    async fn list_accounts(&self, grant: &Grant) -> Result<Vec<AdAccount>, Error> {
        let access = self.acquire(grant).await?;
        match access.adapter.accounts(&access.call, &access.token).await {
            Err(refused) if refused.kind == Kind::TokenExpired => {
                let access = self.renew(access).await?;
                access.adapter.accounts(&access.call, &access.token).await
            }
            outcome => outcome,
        }
    }

    /// Stores a check. If the connection was changed in the meantime, the check does not apply to it.
    async fn store_check(&self, before: &Connection, check: ConnectionCheck) -> ConnectionCheck {
        match self.app.store.store_check(self.customer, before, &check.connection).await {
            Ok(true) => return check,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(connection = %before.id, %error, source = error.source, "storing a check failed");
            }
        }
        let name = [ConnectionRef::Id(before.id.0.clone())];
        let now = self.app.store.named_connections(self.customer, &name, self.now).await.ok();
        let now = now.and_then(|connected| connected.connection(&before.id.0).cloned());
        ConnectionCheck { connection: now.unwrap_or_else(|| before.clone()), is_verified: false }
    }

    /// One connection after the accounts of its grant were listed.
    fn check(&self, connection: &Connection, outcome: &Result<Vec<AdAccount>, Error>) -> ConnectionCheck {
        let unchanged = ConnectionCheck { connection: connection.clone(), is_verified: false };
        if connection.status == ConnectionStatus::Revoked {
            return unchanged;
        }
        let account = match outcome {
            Ok(accounts) => accounts.iter().find(|account| account.id == connection.account_id()).cloned(),
            Err(_) => None,
        };
        let state = match (&account, outcome) {
            (None, Ok(_)) => Some(ConnectionState::error(not_shown(connection.platform))),
            (_, outcome) => ConnectionState::after_call(outcome.as_ref().err()),
        };
        let Some(ConnectionState { status, reason }) = state else { return unchanged };
        let is_verified = account.is_some();
        let account = account.or_else(|| connection.account.clone());
        let last_synced_at = Some(self.now);
        ConnectionCheck {
            connection: Connection { status, reason, account, last_synced_at, ..connection.clone() },
            is_verified,
        }
    }
}
