//! Connections: the ad accounts of a customer.

use super::{CampaignId, Currency, Grant, GrantId, Platform};
use jiff::Timestamp;
use std::fmt;
use uuid::Uuid;

/// Identifies a connection: `conn_` and 32 hexadecimal digits. A new authorization of the account keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(pub String);

impl ConnectionId {
    /// A new random id.
    pub fn generate() -> ConnectionId {
        ConnectionId(format!("conn_{}", Uuid::new_v4().simple()))
    }
}

impl fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Status of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionStatus {
    /// The tokens are valid and calls succeed.
    Active,
    /// The user has not finished the authorization yet.
    Pending,
    /// The grant has ended; the account needs a new authorization.
    Revoked,
    /// The platform rejects calls for a reason other than the grant.
    Error,
}

impl ConnectionStatus {
    /// Every status.
    pub const ALL: [ConnectionStatus; 4] =
        [ConnectionStatus::Active, ConnectionStatus::Pending, ConnectionStatus::Revoked, ConnectionStatus::Error];

    /// The name in the API: `ACTIVE`.
    pub fn as_str(self) -> &'static str {
        match self {
            ConnectionStatus::Active => "ACTIVE",
            ConnectionStatus::Pending => "PENDING",
            ConnectionStatus::Revoked => "REVOKED",
            ConnectionStatus::Error => "ERROR",
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<ConnectionStatus> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// An ad account, as its platform describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdAccount {
    /// Identifier on the platform: ASCII letters, digits and underscores.
    pub id: String,
    /// Name on the platform; may be empty.
    pub name: String,
    /// Currency of all budgets in the account.
    pub currency: Currency,
    /// IANA name of the account's time zone.
    pub time_zone: String,
    /// The manager account that gives access, on platforms that require it in calls.
    pub manager_id: Option<String>,
}

/// A connected ad account of a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Identifier.
    pub id: ConnectionId,
    /// Platform of the account.
    pub platform: Platform,
    /// Status.
    pub status: ConnectionStatus,
    /// Reason of REVOKED or ERROR, for the customer.
    pub reason: Option<String>,
    /// The customer's name for it.
    pub label: Option<String>,
    /// The account; `None` while PENDING.
    pub account: Option<AdAccount>,
    /// The grant with its tokens; `None` while PENDING.
    pub grant_id: Option<GrantId>,
    /// First connection of the account, or start of a PENDING authorization.
    pub created_at: Timestamp,
    /// Last check of the connection at the platform.
    pub last_synced_at: Option<Timestamp>,
    /// End of the throttling that the platform asked for.
    pub paused_until: Option<Timestamp>,
}

impl Connection {
    /// Identifier of the ad account; empty while PENDING.
    pub fn account_id(&self) -> &str {
        self.account.as_ref().map_or("", |account| &account.id)
    }
}

/// The connections of a customer in total, without PENDING ones. Transactions that add or remove one change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectionTotal {
    /// The number of connections.
    pub count: usize,
    /// The sum of the CRC-32 of their ids: it shows a change by a version of the service that keeps no total.
    pub checksum: i64,
}

impl ConnectionTotal {
    /// The total of these connections.
    pub fn of(connections: &[Connection]) -> ConnectionTotal {
        ConnectionTotal::of_ids(connections.iter().filter(|known| known.account.is_some()).map(|known| &known.id))
    }

    /// The total of connections with these ids.
    pub fn of_ids<'a>(ids: impl Iterator<Item = &'a ConnectionId>) -> ConnectionTotal {
        ids.fold(ConnectionTotal::default(), |total, id| ConnectionTotal {
            count: total.count + 1,
            checksum: total.checksum + i64::from(crc32fast::hash(id.0.as_bytes())),
        })
    }
}

/// Connections of a customer, with their grants.
#[derive(Clone, Debug, Default)]
pub struct CustomerConnections {
    /// Connections, by platform and account, PENDING ones last.
    pub connections: Vec<Connection>,
    /// Grants of the connections.
    pub grants: Vec<Grant>,
}

impl CustomerConnections {
    /// The connection with this id.
    pub fn connection(&self, id: &str) -> Option<&Connection> {
        self.connections.iter().find(|connection| connection.id.0 == id)
    }

    /// The connections that use a grant.
    pub fn using_grant(&self, grant: &GrantId) -> impl Iterator<Item = &Connection> {
        self.connections.iter().filter(move |connection| connection.grant_id.as_ref() == Some(grant))
    }

    /// The grant with this id, unless it has ended.
    pub fn grant(&self, id: &GrantId) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.id == *id && !grant.ended)
    }

    /// The connection of a campaign's ad account, and the campaign's id on the platform.
    ///
    /// This is the access check: an account that the customer has not connected is not found.
    pub fn find_campaign<'a, 'b>(&'a self, id: &'b CampaignId) -> Option<(&'a Connection, &'b str)> {
        let of_platform = self.connections.iter().filter(|connection| connection.platform == id.platform());
        of_platform.filter(|connection| connection.account.is_some()).find_map(|connection| {
            let remote = id.remote_in(connection.account_id())?;
            Some((connection, remote))
        })
    }
}
