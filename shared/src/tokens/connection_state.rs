//! What a call says about connections, and keeping it.

use super::{PlatformContext, grant_revoked, reason_of};
use crate::domain::{AdAccount, Connection, ConnectionStatus, CustomerConnections, CustomerId, Grant};
use crate::error::{Error, Kind};
use crate::store::Store;

/// What was found out about a connection.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    status: ConnectionStatus,
    reason: Option<String>,
}

impl Finding {
    pub(super) fn new(status: ConnectionStatus, reason: Option<String>) -> Finding {
        Finding { status, reason }
    }

    /// What the outcome of a call says; `None` when it says nothing about the connection.
    pub(super) fn of(error: Option<&Error>) -> Option<Finding> {
        match error {
            None => Some(Finding::new(ConnectionStatus::Active, None)),
            Some(error) if error.kind == Kind::TokenExpired => {
                Some(Finding::new(ConnectionStatus::Revoked, Some(reason_of(error))))
            }
            Some(error) if error.kind == Kind::Forbidden => {
                Some(Finding::new(ConnectionStatus::Error, Some(reason_of(error))))
            }
            Some(_) => None,
        }
    }
}

/// Keeps a finding for connections that have another state. One that cannot be written does not keep the others from
/// it. Out of REVOKED leads only a new authorisation.
pub(super) async fn keep_for_all<'a>(
    store: &Store,
    customer: CustomerId,
    connections: impl Iterator<Item = &'a Connection>,
    finding: &Finding,
) -> Result<(), Error> {
    let Finding { status, reason } = finding;
    let mut outcome = Ok(());
    for connection in connections.filter(|known| known.status != *status && known.status != ConnectionStatus::Revoked) {
        let kept = store.set_connection_status(customer, connection, *status, reason.as_deref()).await;
        outcome = outcome.and(kept.map(|_| ()));
    }
    outcome
}

/// A connection after its grant was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// As it is now.
    pub connection: Connection,
    /// Whether the platform said that it works.
    pub is_verified: bool,
}

impl PlatformContext<'_> {
    /// Keeps what an outcome says about a connection. A failure to keep it does not change the outcome.
    pub(super) async fn learn(&self, connection: &Connection, error: Option<&Error>) {
        let Some(finding) = Finding::of(error) else { return };
        // A dead grant is the end of all connections that it opened.
        let shares_grant =
            |other: &Connection| finding.status == ConnectionStatus::Revoked && other.grant_id == connection.grant_id;
        let meant = self.connected.connections.iter().filter(|other| other.account.is_some());
        let meant = meant.filter(|other| other.id == connection.id || shares_grant(other));
        if let Err(error) = keep_for_all(&self.app.store, self.customer, meant, &finding).await {
            let status = finding.status.as_str();
            tracing::warn!(connection = %connection.id, status, %error, "the connection's state was not kept");
        }
    }

    /// Asks the platform what a grant still reaches, and keeps what that says about the connections it opened. One
    /// that the platform no longer shows becomes ERROR; out of REVOKED leads only a new authorisation.
    ///
    /// Answers the connections as they are now. A platform that fails says nothing about them.
    pub async fn check(&self, grant: &Grant) -> Vec<Checked> {
        let outcome =
            self.with_token(grant.platform, grant, |adapter, call, token| async move {
                adapter.accounts(&call, &token).await
            })
            .await;
        let mut checked = Vec::new();
        for connection in self.connected.using_grant(&grant.id) {
            let check = self.judge(connection, &outcome);
            checked.push(if check.connection == *connection {
                check
            } else {
                self.keep_check(connection, check).await
            });
        }
        checked
    }

    /// Stores a check. When the connection became another one meanwhile, it says nothing about that.
    async fn keep_check(&self, before: &Connection, check: Checked) -> Checked {
        match self.app.store.store_check(self.customer, &check.connection).await {
            Ok(true) => return check,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(connection = %before.id, %error, source = error.source, "a check was not kept");
            }
        }
        let now = self.app.store.customer_connections(self.customer, self.now).await.ok();
        let now = now.and_then(|connected| connected.connection(&before.id.0).cloned());
        Checked { connection: now.unwrap_or_else(|| before.clone()), is_verified: false }
    }

    /// What a check's outcome says about one connection.
    fn judge(&self, connection: &Connection, outcome: &Result<Vec<AdAccount>, Error>) -> Checked {
        let unchanged = Checked { connection: connection.clone(), is_verified: false };
        if connection.status == ConnectionStatus::Revoked {
            return unchanged;
        }
        let account = match outcome {
            Ok(accounts) => accounts.iter().find(|account| account.id == connection.account_id()).cloned(),
            Err(_) => None,
        };
        let finding = match (&account, outcome) {
            (None, Ok(_)) => Some(Finding::new(ConnectionStatus::Error, Some(not_shown(connection)))),
            (_, outcome) => Finding::of(outcome.as_ref().err()),
        };
        let Some(Finding { status, reason }) = finding else { return unchanged };
        let is_verified = account.is_some();
        let account = account.or_else(|| connection.account.clone());
        let last_synced_at = Some(self.now);
        Checked {
            connection: Connection { status, reason, account, last_synced_at, ..connection.clone() },
            is_verified,
        }
    }
}

fn not_shown(connection: &Connection) -> String {
    format!(
        "{} no longer shows this ad account to the user who gave access: it was closed or disabled, or that user lost \
         access to it.",
        connection.platform.display_name()
    )
}

/// The grant behind a connection, as it was read with it.
pub(super) fn grant_of<'a>(connected: &'a CustomerConnections, connection: &Connection) -> Result<&'a Grant, Error> {
    let grant = connection.grant_id.as_ref().and_then(|id| connected.grant(id));
    grant.ok_or_else(|| grant_revoked(connection.platform))
}
