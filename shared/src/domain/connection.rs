//! Connections: a customer's ad accounts, and the grants whose tokens open them.

use super::{CampaignId, Currency, Platform};
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use uuid::Uuid;

/// Access tokens are replaced this long before their end, but never earlier than after four fifths of their life.
const MARGIN_S: i64 = 15 * 60;
/// And maintenance, which runs every minute, begins this long before requests do, so that none of them has to.
const HEAD_START: SignedDuration = SignedDuration::from_mins(2);

/// Identifies a connection: `conn_` and 32 hexadecimal digits. Kept when the account is authorised again.
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

/// Identifies a grant: one consent of one user at one platform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GrantId(pub String);

impl GrantId {
    /// A new random id.
    pub fn generate() -> GrantId {
        GrantId(format!("grant_{}", Uuid::new_v4().simple()))
    }
}

/// State of a connection (spec 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionStatus {
    /// Tokens valid, calls succeed.
    Active,
    /// Authorize was called and the user has not come back yet.
    Pending,
    /// The grant is dead; only a new authorisation helps.
    Revoked,
    /// The platform refuses for another reason than the grant.
    Error,
}

impl ConnectionStatus {
    /// Every status.
    pub const ALL: [ConnectionStatus; 4] =
        [ConnectionStatus::Active, ConnectionStatus::Pending, ConnectionStatus::Revoked, ConnectionStatus::Error];

    /// The word in the interface: `ACTIVE`.
    pub fn as_str(self) -> &'static str {
        match self {
            ConnectionStatus::Active => "ACTIVE",
            ConnectionStatus::Pending => "PENDING",
            ConnectionStatus::Revoked => "REVOKED",
            ConnectionStatus::Error => "ERROR",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<ConnectionStatus> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// An ad account as its platform describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdAccount {
    /// Identifier on the platform, of word characters only.
    pub id: String,
    /// Name on the platform; may be empty.
    pub name: String,
    /// Currency of every budget in it.
    pub currency: Currency,
    /// IANA name of the zone in which its days begin and end.
    pub time_zone: String,
    /// The manager account through which it is reached, where the platform wants that said.
    pub manager_id: Option<String>,
}

/// One connected ad account of one customer (spec 2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Identifier.
    pub id: ConnectionId,
    /// Where the account is.
    pub platform: Platform,
    /// State.
    pub status: ConnectionStatus,
    /// Why it is REVOKED or ERROR, in words for its owner.
    pub reason: Option<String>,
    /// The owner's own name for it.
    pub label: Option<String>,
    /// The account; `None` while PENDING.
    pub account: Option<AdAccount>,
    /// The grant whose tokens open it; `None` while PENDING.
    pub grant_id: Option<GrantId>,
    /// When it was first connected, or when authorize was called.
    pub created_at: Timestamp,
    /// When the platform was last asked whether it still works.
    pub last_synced_at: Option<Timestamp>,
    /// Until then the platform wants the account left alone.
    pub paused_until: Option<Timestamp>,
}

impl Connection {
    /// Identifier of the ad account; empty while PENDING.
    pub fn account_id(&self) -> &str {
        self.account.as_ref().map_or("", |account| &account.id)
    }
}

/// The tokens of one consent, sealed. One record for all connections it opened, because a refresh token that
/// rotates may exist only once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Identifier; part of what the seals are bound to.
    pub id: GrantId,
    /// Which platform issued it.
    pub platform: Platform,
    /// Sealed access token.
    pub access_token: String,
    /// When the access token ends.
    pub access_expires_at: Timestamp,
    /// How long the access token was issued for, in seconds; the refresh margin follows from it.
    pub access_ttl_s: i64,
    /// Sealed refresh token, where the platform gives one.
    pub refresh_token: Option<String>,
    /// Counts the tokens that were stored; who asks to refresh says which ones he knows.
    pub version: i64,
    /// Until then a failed refresh is not tried again ahead of the token's end.
    pub retry_at: Option<Timestamp>,
    /// The platform said that it has ended; it stays only until its connections are authorised again or removed.
    pub ended: bool,
}

impl Grant {
    /// A record for tokens that are about to be sealed into it.
    pub fn without_tokens(id: GrantId, platform: Platform, now: Timestamp) -> Grant {
        Grant {
            id,
            platform,
            access_token: String::new(),
            access_expires_at: now,
            access_ttl_s: 0,
            refresh_token: None,
            version: 0,
            retry_at: None,
            ended: false,
        }
    }

    /// From when on the access token should be replaced.
    pub fn renew_from(&self) -> Timestamp {
        self.access_expires_at - SignedDuration::from_secs(MARGIN_S.min(self.access_ttl_s / 5))
    }

    /// When the grant needs attention though nobody uses it: to be refreshed ahead, or, without a refresh token, to
    /// be found out as ended.
    pub fn due_at(&self) -> Timestamp {
        if self.refresh_token.is_some() { self.renew_from() - HEAD_START } else { self.access_expires_at }
    }
}

/// All connections and grants of one customer, as one query reads them.
#[derive(Clone, Debug, Default)]
pub struct CustomerConnections {
    /// Connections by platform and account, PENDING ones last.
    pub connections: Vec<Connection>,
    /// The grants behind them.
    pub grants: Vec<Grant>,
}

impl CustomerConnections {
    /// The connection with this id.
    pub fn connection(&self, id: &str) -> Option<&Connection> {
        self.connections.iter().find(|connection| connection.id.0 == id)
    }

    /// The connections that a grant opens.
    pub fn opened_by(&self, grant: &GrantId) -> impl Iterator<Item = &Connection> {
        self.connections.iter().filter(move |connection| connection.grant_id.as_ref() == Some(grant))
    }

    /// The grant with this id, unless it has ended.
    pub fn grant(&self, id: &GrantId) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.id == *id && !grant.ended)
    }

    /// The connection of a campaign's ad account, and the campaign's id on the platform.
    ///
    /// This is where access is decided: an account that the customer has not connected is not found.
    pub fn owner_of<'a, 'b>(&'a self, id: &'b CampaignId) -> Option<(&'a Connection, &'b str)> {
        let of_platform = self.connections.iter().filter(|connection| connection.platform == id.platform());
        of_platform.filter(|connection| connection.account.is_some()).find_map(|connection| {
            let remote = id.remote_in(connection.account_id())?;
            Some((connection, remote))
        })
    }
}
