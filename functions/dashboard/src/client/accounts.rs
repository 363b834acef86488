//! Ad accounts and their connections as the API shows them, and their names for people.

use crate::client::api::{Api, Refusal};
use crate::client::connections;
use crate::kit::connections::account_names;
use crate::kit::words;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{self, CampaignId, ConnectionId, ConnectionStatus, Currency, ExternalRef, Platform};
use shared::error::Error;
use shared::platforms::adapter;

/// A connection, as pages name it.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) id: ConnectionId,
    pub(crate) platform: Platform,
    pub(crate) status: ConnectionStatus,
    /// The customer's own name for it.
    pub(crate) label: Option<String>,
    /// Identifier of the ad account on the platform; empty while the consent is not complete.
    pub(crate) remote_account_id: String,
    /// Its name on the platform; may be empty.
    pub(crate) account_name: Option<String>,
    /// The account's own zone. Its platform may count days in another one: [`Connection::today`].
    pub(crate) time_zone: Option<String>,
    /// Its currency, once the platform has returned it.
    pub(crate) currency: Option<Currency>,
    /// When it was connected.
    pub(crate) connected_at: Timestamp,
    /// The customer's user to whom it belongs.
    pub(crate) user: Option<ExternalRef>,
}

/// How long an ad account is new: its first reading may be from before its platform had anything to tell of it.
const NEW: SignedDuration = SignedDuration::from_mins(10);

impl From<domain::Connection> for Connection {
    fn from(connection: domain::Connection) -> Connection {
        let domain::Connection { id, platform, status, label, account, created_at: connected_at, external_ref, .. } =
            connection;
        let (number, name, zone, currency) = account.map_or_else(Default::default, |account| {
            (account.id, Some(account.name), Some(account.time_zone), Some(account.currency))
        });
        Connection {
            id,
            platform,
            status,
            label,
            remote_account_id: number,
            account_name: name,
            time_zone: zone,
            currency,
            connected_at,
            user: external_ref,
        }
    }
}

/// A connection that a list could not read.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionError {
    platform: Platform,
    pub(crate) connection: ConnectionId,
    pub(crate) message: String,
}

impl ConnectionError {
    /// The error of a connection, in the words of the pages.
    pub(crate) fn new(platform: Platform, connection: ConnectionId, error: &Error) -> ConnectionError {
        ConnectionError { platform, connection, message: words::unread(platform, error) }
    }
}

/// Adds the errors of another page of a list. An account that fails does so on each page.
pub(crate) fn add_errors(known: &mut Vec<ConnectionError>, more: Vec<(Platform, ConnectionId, Error)>) {
    for (platform, connection, error) in more {
        if !known.iter().any(|known| known.connection == connection) {
            known.push(ConnectionError::new(platform, connection, &error));
        }
    }
}

/// An account that did not answer, for people.
pub(crate) struct Failure {
    pub(crate) account: String,
    pub(crate) message: String,
}

impl Connection {
    /// The platform's name in the enveloped shape, and the account: the value of a target in the create form.
    pub(crate) fn target(&self) -> String {
        format!("{}:{}", self.platform.as_upper(), self.remote_account_id)
    }

    /// The account for people, without its platform: the customer's name for it, or else its name on the platform, or else
    /// its number.
    pub(crate) fn own_name(&self) -> &str {
        self.names().next().unwrap_or(&self.remote_account_id)
    }

    /// Whether it can have a campaign: one whose consent is not complete has no account yet.
    pub(crate) fn is_active(&self) -> bool {
        self.status == ConnectionStatus::Active && self.has_account()
    }

    /// Whether it was connected a moment ago.
    pub(crate) fn is_new(&self, now: Timestamp) -> bool {
        now.duration_since(self.connected_at) < NEW
    }

    /// Why its account can have no campaign now, after its name; `None` if it can, or if there is no account yet.
    pub(crate) fn unusable(&self) -> Option<&'static str> {
        match self.status {
            _ if !self.has_account() => None,
            ConnectionStatus::Active => None,
            ConnectionStatus::Revoked => Some("needs you to reconnect it."),
            ConnectionStatus::Error => Some("no longer lets us in. See Connections."),
            ConnectionStatus::Pending => Some("is not fully connected yet."),
        }
    }

    /// Whether its consent is complete, so that there is an account to read.
    pub(crate) fn has_account(&self) -> bool {
        !self.remote_account_id.is_empty()
    }

    /// The platform, and the account for people: `Meta: Main shop (Harbour Coffee, 77)`.
    pub(crate) fn name(&self) -> String {
        format!("{}: {}", self.platform_name(), self.full_name())
    }

    /// The account for people, without its platform: its name, and beside it what else it is called.
    pub(crate) fn full_name(&self) -> String {
        let beside = self.beside();
        if beside.is_empty() { self.own_name().to_owned() } else { format!("{} ({beside})", self.own_name()) }
    }

    /// What the account is called besides [`Connection::own_name`]: its name on the platform, if the customer has another
    /// one, and its number. Pages show it small.
    pub(crate) fn beside(&self) -> String {
        self.names().skip(1).collect::<Vec<_>>().join(", ")
    }

    /// The name of the platform for people.
    pub(crate) fn platform_name(&self) -> &'static str {
        self.platform.display_name()
    }

    /// Whether a campaign is in the account.
    pub(crate) fn contains(&self, campaign: &CampaignId) -> bool {
        self.platform == campaign.platform() && campaign.remote_in(&self.remote_account_id).is_some()
    }

    /// The day that it is in the platform's reports on the account.
    pub(crate) fn today(&self, now: Timestamp) -> Date {
        let zone = self.time_zone.as_deref().unwrap_or("UTC");
        adapter(self.platform).facts().insights.today(zone, now)
    }

    /// The time zone in which the platform's reports count the days of the account; UTC for one that is not known here.
    pub(crate) fn report_zone(&self) -> TimeZone {
        let zone = self.time_zone.as_deref().unwrap_or("UTC");
        TimeZone::get(adapter(self.platform).facts().insights.zone_name(zone)).unwrap_or(TimeZone::UTC)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        account_names(self.label.as_deref(), self.account_name.as_deref(), Some(&self.remote_account_id))
    }
}

impl Failure {
    /// Names the account of an error.
    pub(crate) fn new(error: ConnectionError, connections: &[Connection]) -> Failure {
        Failure::among(error, connections.iter())
    }

    /// Names the account of an error, which is one of these.
    pub(crate) fn among<'a>(error: ConnectionError, mut connections: impl Iterator<Item = &'a Connection>) -> Failure {
        let ConnectionError { platform, connection, message } = error;
        let known = connections.find(|known| known.id == connection);
        Failure { account: known.map_or_else(|| platform.display_name().to_owned(), Connection::name), message }
    }
}

/// Reads all connections.
pub(crate) async fn connections(api: &Api<'_>) -> Result<Vec<Connection>, Refusal> {
    Ok(connections::list(api).await?.into_iter().map(Connection::from).collect())
}

/// An ad account as people know it, from its platform's name for people and its number there: `Harbour Coffee (77)`, or
/// `Main shop (Harbour Coffee, 77)`.
/// The number alone for one that is not connected.
pub(crate) fn account_name(platform: &str, number: &str, connections: &[Connection]) -> String {
    let is_it = |known: &&Connection| known.remote_account_id == number && known.platform_name() == platform;
    connections.iter().find(is_it).map_or_else(|| number.to_owned(), Connection::full_name)
}

/// The name of a platform for people, from its name in the enveloped shape.
pub(crate) fn platform_name(upper: &str) -> &str {
    Platform::from_upper(upper).map_or(upper, |known| known.display_name())
}

/// The connection of a target.
pub(crate) fn of_target<'a>(target: &str, connections: &'a [Connection]) -> Option<&'a Connection> {
    connections.iter().find(|connection| connection.target() == target)
}

/// A target for people: the platform and the account.
pub(crate) fn target_name(target: &str, connections: &[Connection]) -> String {
    let (platform, account) = target.split_once(':').unwrap_or((target, ""));
    let connection = of_target(target, connections);
    connection.map_or_else(|| format!("{}: {account}", platform_name(platform)), Connection::name)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use shared::error::Kind;

    /// The active connection of an account in dollars.
    pub(crate) fn known(platform: &str, account: &str) -> Connection {
        Connection {
            id: ConnectionId("conn_1".to_owned()),
            platform: Platform::parse(platform).unwrap(),
            status: ConnectionStatus::Active,
            label: None,
            remote_account_id: account.to_owned(),
            account_name: None,
            time_zone: None,
            currency: Currency::from_code("USD"),
            connected_at: "2026-11-01T00:00:00Z".parse().unwrap(),
            user: None,
        }
    }

    #[test]
    fn a_day_is_that_of_the_platforms_reports_whatever_zone_the_account_has() {
        let connection =
            |platform: &str, zone: &str| Connection { time_zone: Some(zone.to_owned()), ..known(platform, "7") };
        let today =
            |platform: &str, zone: &str, now: &str| connection(platform, zone).today(now.parse().unwrap()).to_string();
        for (platform, before_nine, evening) in [
            ("alpha_ads", "2026-11-24", "2026-11-23"),
            ("gamma_ads", "2026-11-24", "2026-11-23"),
            ("delta_ads", "2026-11-23", "2026-11-24"),
            ("zeta_ads", "2026-11-23", "2026-11-24"),
        ] {
            assert_eq!(today(platform, "Asia/Tokyo", "2026-11-23T23:30:00Z"), before_nine, "{platform}");
            assert_eq!(today(platform, "America/New_York", "2026-11-24T03:00:00Z"), evening, "{platform}");
        }
        assert_eq!(today("alpha_ads", "Nowhere/Land", "2026-11-23T23:30:00Z"), "2026-11-23", "an unknown zone");
        let campaign = CampaignId::parse("alpha_7_1").unwrap();
        assert!(
            connection("alpha_ads", "UTC").contains(&campaign) && !connection("beta_ads", "UTC").contains(&campaign)
        );
    }

    #[test]
    fn an_account_that_does_not_answer_is_named() {
        let error = || {
            let ended = Error::new(Kind::TokenExpired, "Meta ended the consent.");
            ConnectionError::new(Platform::Beta, ConnectionId("conn_1".to_owned()), &ended)
        };
        let connection = || Connection {
            status: ConnectionStatus::Revoked,
            label: Some("Spring".to_owned()),
            account_name: Some("Harbour Coffee".to_owned()),
            ..known("beta_ads", "77")
        };
        let failure = Failure::new(error(), &[connection()]);
        assert_eq!(
            (failure.account.as_str(), failure.message.as_str()),
            ("Meta: Spring (Harbour Coffee, 77)", "Meta ended our access. Reconnect it under Connections.")
        );
        assert_eq!(account_name("Meta", "77", &[connection()]), "Spring (Harbour Coffee, 77)");
        assert_eq!(account_name("Google Ads", "77", &[connection()]), "77", "of another platform");
        let unlabeled = Connection { label: None, ..connection() };
        assert_eq!(unlabeled.name(), "Meta: Harbour Coffee (77)");
        assert_eq!((connection().own_name(), unlabeled.own_name()), ("Spring", "Harbour Coffee"));
        assert_eq!((connection().beside(), unlabeled.beside()), ("Harbour Coffee, 77".to_owned(), "77".to_owned()));
        let unnamed = Connection { account_name: Some(String::new()), ..unlabeled };
        assert_eq!((unnamed.name().as_str(), unnamed.own_name()), ("Meta: 77", "77"));
        assert_eq!(Failure::new(error(), &[]).account, "Meta", "a connection that was removed meanwhile");
    }
}
