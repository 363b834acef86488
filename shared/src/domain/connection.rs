//! Connections: the ad accounts of a customer.

use super::{CampaignDefaults, CampaignId, Currency, ExternalRef, Grant, GrantId, Platform, variants};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::fmt;
use strum::{EnumString, IntoStaticStr, VariantArray};
use uuid::Uuid;

/// Identifies a connection: `conn_` and 32 hexadecimal digits. A new authorization of the account keeps it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    strum::Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
)]
#[strum(serialize_all = "UPPERCASE")]
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
    pub const ALL: [ConnectionStatus; 4] = variants();

    /// The name in the API: `ACTIVE`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether only a person can mend it, at the platform or with a new authorization.
    pub fn is_broken(self) -> bool {
        matches!(self, ConnectionStatus::Revoked | ConnectionStatus::Error)
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<ConnectionStatus> {
        name.parse().ok()
    }
}

/// Longest id of an ad account; far longer than any platform's.
const MAX_ACCOUNT_ID: usize = 100;

/// An ad account, as its platform describes it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl AdAccount {
    /// The id without what platforms show around it: Meta's `act_1`, Google's `123-456-7890`, LinkedIn's
    /// `urn:li:sponsoredAccount:1`.
    pub fn plain_id(text: &str) -> String {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = ["act_", "urn:li:sponsoredAccount:"].iter().find_map(|prefix| text.strip_prefix(prefix));
        let parts: Vec<&str> = text.split('-').collect();
        match (number, parts.as_slice()) {
            (Some(number), _) if is_number(number) => number.to_owned(),
            (None, [first, second, third])
                if [first.len(), second.len(), third.len()] == [3, 3, 4]
                    && parts.iter().all(|part| is_number(part)) =>
            {
                parts.concat()
            }
            _ => text.to_owned(),
        }
    }

    /// Whether an ad account can have this id. Any other text may be too long for a key of the table, or sort wrongly.
    pub fn is_id(text: &str) -> bool {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        (1..=MAX_ACCOUNT_ID).contains(&text.len()) && text.bytes().all(is_word)
    }
}

/// A connected ad account of a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    pub id: ConnectionId,
    pub platform: Platform,
    pub status: ConnectionStatus,
    /// Reason of REVOKED or ERROR, for the customer.
    pub reason: Option<String>,
    /// The customer's name for it.
    pub label: Option<String>,
    /// The customer's user that it belongs to, by the customer's own name.
    pub external_ref: Option<ExternalRef>,
    /// What its new campaigns have.
    pub campaign_defaults: Option<CampaignDefaults>,
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
    /// The reason in the event of a removed connection.
    pub const REMOVED: &str = "The connection was removed.";

    /// What the status means and what to do, for people; `None` while the connection works.
    pub fn status_message(&self) -> Option<String> {
        let (platform, name) = (self.platform, self.platform.display_name());
        let authorize = format!("GET /v1/connections/{platform}/authorize");
        match self.status {
            ConnectionStatus::Active => None,
            ConnectionStatus::Pending => {
                Some(format!("The user has not finished the authorization yet. {authorize} begins another one."))
            }
            ConnectionStatus::Revoked if self.reason.as_deref() == Some(Connection::REMOVED) => Some(format!(
                "The connection was removed here, and its campaigns stay at {name} as they are. {authorize} connects \
                 the account again."
            )),
            ConnectionStatus::Revoked => Some(format!(
                "{name} no longer accepts the authorization: the user has withdrawn it, or it has expired. Authorize the \
                 account again: {authorize}."
            )),
            ConnectionStatus::Error => Some(format!(
                "{name} refuses calls in this ad account. Look there at the state of the account and the rights of the \
                 user who authorized, then check with POST /v1/connections/sync, or authorize again: {authorize}."
            )),
        }
    }

    /// Identifier of the ad account; empty while PENDING.
    pub fn account_id(&self) -> &str {
        self.account.as_ref().map_or("", |account| &account.id)
    }

    /// Whether a campaign is in its ad account.
    pub fn holds(&self, campaign: &CampaignId) -> bool {
        let is_of_account = |account: &AdAccount| campaign.remote_in(&account.id).is_some();
        self.platform == campaign.platform() && self.account.as_ref().is_some_and(is_of_account)
    }

    /// Whether it belongs to another user of the customer than this one.
    pub fn belongs_to_another(&self, user: &ExternalRef) -> bool {
        self.external_ref.as_ref().is_some_and(|owner| owner != user)
    }
}

/// An ad account that a consent covers and that stays as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedAccount {
    pub account: AdAccount,
    pub reason: SkipReason,
}

/// Why a consent leaves an ad account as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It belongs to another user of the customer, who may still have access to it (D78).
    OtherUser,
    /// The plan allows no more connections.
    PlanLimit,
}

impl SkipReason {
    /// The name in the API: `PLAN_LIMIT`.
    pub fn as_str(self) -> &'static str {
        match self {
            SkipReason::OtherUser => "OTHER_USER",
            SkipReason::PlanLimit => "PLAN_LIMIT",
        }
    }
}

/// Changes of a connection that a caller asks for; `None` keeps a field, and `Some(None)` empties it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionUpdate {
    pub label: Option<Option<String>>,
    pub external_ref: Option<Option<ExternalRef>>,
    pub campaign_defaults: Option<Option<CampaignDefaults>>,
}

impl ConnectionUpdate {
    /// The connection with the changes.
    pub fn of(self, connection: &Connection) -> Connection {
        let ConnectionUpdate { label, external_ref, campaign_defaults } = self;
        Connection {
            label: label.unwrap_or_else(|| connection.label.clone()),
            external_ref: external_ref.unwrap_or_else(|| connection.external_ref.clone()),
            campaign_defaults: campaign_defaults.unwrap_or_else(|| connection.campaign_defaults.clone()),
            ..connection.clone()
        }
    }
}

/// Filters of the list of connections; an absent one admits all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionFilters {
    pub platform: Option<Platform>,
    /// Only these statuses; empty for all.
    pub statuses: Vec<ConnectionStatus>,
}

impl ConnectionFilters {
    /// Whether the list shows a connection.
    pub fn admit(&self, connection: &Connection) -> bool {
        let ConnectionFilters { platform, statuses } = self;
        platform.is_none_or(|platform| platform == connection.platform)
            && (statuses.is_empty() || statuses.contains(&connection.status))
    }
}

/// Connections of a customer, with their grants.
#[derive(Clone, Debug, Default)]
pub struct CustomerConnections {
    /// Connections, by platform and account, PENDING ones last.
    pub connections: Vec<Connection>,
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
    /// This is the access check: an account that the customer has not connected is not found. Nor is one outside of the
    /// caller's rights in the `connected` of a call.
    pub fn find_campaign<'a, 'b>(&'a self, id: &'b CampaignId) -> Option<(&'a Connection, &'b str)> {
        let of_platform = self.connections.iter().filter(|connection| connection.platform == id.platform());
        of_platform.filter(|connection| connection.account.is_some()).find_map(|connection| {
            let remote = id.remote_in(connection.account_id())?;
            Some((connection, remote))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_an_account_is_short_and_of_plain_characters() {
        for id in ["7", "1234567890", "123-456-7890", "t2_aB9", "act_42", &"9".repeat(100)] {
            assert!(AdAccount::is_id(id), "{id}");
        }
        for text in ["", "~~", "é", "a b", "1#2", "1\n", &"9".repeat(101)] {
            assert!(!AdAccount::is_id(text), "{text}");
        }
    }
}
