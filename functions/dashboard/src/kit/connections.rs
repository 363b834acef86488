//! Connections in words: the account, and what a person has to do.

use crate::kit::words::{is_of_platform, no_access};
use shared::domain::{Connection, ConnectionStatus, Platform};

/// A connection as people see it.
pub(crate) struct ConnectionSummary {
    pub(crate) id: String,
    pub(crate) platform: Platform,
    /// Its label, or else its name on the platform, or else its number there.
    pub(crate) name: String,
    /// What tells it apart besides the name: `Harbour Coffee, 1234567890, USD`.
    pub(crate) account: String,
    /// The class of the state's badge.
    pub(crate) tone: &'static str,
    pub(crate) state: &'static str,
    pub(crate) reason: String,
    /// Whether a person has to act at the platform, or give a new consent.
    pub(crate) needs_consent: bool,
}

impl ConnectionSummary {
    pub(crate) fn of(connection: &Connection) -> ConnectionSummary {
        let Connection { id, platform, status, reason, .. } = connection;
        let reason = reason.as_deref();
        let platform_name = platform.display_name();
        let (name, account) = names(connection);
        let (tone, state, reason) = match status {
            ConnectionStatus::Active => ("good", "Connected", reason.unwrap_or_default().to_owned()),
            ConnectionStatus::Pending => ("plain", "Not finished", "Finish connecting at the platform.".to_owned()),
            ConnectionStatus::Revoked => {
                ("bad", "Access ended", format!("{platform_name} ended our access. Reconnect to continue."))
            }
            ConnectionStatus::Error if is_of_platform(*platform, reason) => {
                ("bad", "No access", no_access(*platform, reason))
            }
            ConnectionStatus::Error => {
                ("bad", "No access", format!("{} Reconnect to continue.", no_access(*platform, reason)))
            }
        };
        let (id, needs_consent) = (id.0.clone(), status.is_broken());
        ConnectionSummary { id, platform: *platform, name, account, tone, state, reason, needs_consent }
    }

    /// The order of a list: those that need a person are first.
    pub(crate) fn rank(&self) -> (bool, bool) {
        (!self.needs_consent, self.reason.is_empty())
    }
}

/// The number of connections that need a person.
pub(crate) fn broken<'a>(connections: impl IntoIterator<Item = &'a ConnectionSummary>) -> usize {
    connections.into_iter().filter(|connection| connection.needs_consent).count()
}

/// The platform, or so many of its accounts, with the verb: `TikTok`, `has`; `2 of 3 accounts of TikTok`, `have`.
pub(crate) fn accounts_of(platform: Platform, count: usize, all: usize) -> (String, &'static str) {
    let name = platform.display_name();
    match count {
        _ if count == all => (name.to_owned(), "has"),
        1 => (format!("1 of {all} accounts of {name}"), "has"),
        _ => (format!("{count} of {all} accounts of {name}"), "have"),
    }
}

/// Whether a failure is told as the platform's: its sentence begins with the platform's name. Any other is ours.
pub(crate) fn is_fault_of(platform: Platform, told: &str) -> bool {
    told.starts_with(platform.display_name())
}

/// What an ad account is called, best first, without what is empty: the customer's own name, that on the platform, and
/// the number there. The one place that decides it: pages show the first, and the others beside it.
pub(crate) fn account_names<'a>(
    own: Option<&'a str>,
    on_platform: Option<&'a str>,
    number: Option<&'a str>,
) -> impl Iterator<Item = &'a str> {
    let on_platform = on_platform.filter(|name| own != Some(*name));
    [own, on_platform, number].into_iter().flatten().filter(|name| !name.is_empty())
}

/// The name of a connection, and the rest of what is known of its account.
fn names(Connection { platform, label, account, .. }: &Connection) -> (String, String) {
    let account = account.as_ref();
    let (on_platform, number) = (account.map(|known| known.name.as_str()), account.map(|known| known.id.as_str()));
    let mut names = account_names(label.as_deref(), on_platform, number);
    let name = names.next().unwrap_or(platform.display_name());
    let currency = account.map(|account| account.currency.code());
    let rest: Vec<&str> = names.chain(currency).collect();
    (name.to_owned(), rest.join(", "))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use shared::domain::{AdAccount, ConnectionId, Currency};

    /// A connection of an account in dollars.
    pub(crate) fn connection(id: &str, platform: Platform, status: ConnectionStatus) -> Connection {
        let account = AdAccount {
            id: "77".to_owned(),
            name: format!("Account of {id}"),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: "UTC".to_owned(),
            manager_id: None,
        };
        Connection {
            id: ConnectionId(id.to_owned()),
            platform,
            status,
            reason: None,
            label: None,
            external_ref: None,
            campaign_defaults: None,
            account: Some(account),
            grant_id: None,
            created_at: "2026-11-01T00:00:00Z".parse().unwrap(),
            last_synced_at: None,
            paused_until: None,
        }
    }

    fn google(status: ConnectionStatus) -> Connection {
        connection("conn_1", Platform::Alpha, status)
    }

    #[test]
    fn an_account_has_its_name_and_what_tells_it_apart() {
        let active = || google(ConnectionStatus::Active);
        let unnamed = active().account.map(|account| AdAccount { name: String::new(), ..account });
        for (connection, name, account) in [
            (active(), "Account of conn_1", "77, USD"),
            (Connection { label: Some("Spring".to_owned()), ..active() }, "Spring", "Account of conn_1, 77, USD"),
            (Connection { label: Some("Account of conn_1".to_owned()), ..active() }, "Account of conn_1", "77, USD"),
            (Connection { account: unnamed, ..active() }, "77", "USD"),
            (Connection { account: None, ..google(ConnectionStatus::Pending) }, "Google Ads", ""),
        ] {
            let summary = ConnectionSummary::of(&connection);
            assert_eq!((summary.name.as_str(), summary.account.as_str()), (name, account));
        }
    }

    #[test]
    fn a_broken_connection_says_what_to_do() {
        let summary = |status, reason: Option<&str>| {
            let reason = reason.map(str::to_owned);
            let summary = ConnectionSummary::of(&Connection { reason, ..google(status) });
            (summary.reason, summary.needs_consent)
        };
        let revoked = summary(ConnectionStatus::Revoked, Some("Token has been expired or revoked."));
        assert_eq!(revoked, ("Google Ads ended our access. Reconnect to continue.".to_owned(), true));
        let suspended = "The account is suspended.";
        let said = "Google Ads says: The account is suspended.".to_owned();
        assert_eq!(summary(ConnectionStatus::Error, Some(suspended)), (said, true));
        assert!(summary(ConnectionStatus::Error, None).0.starts_with("Google Ads does not let us into"));
        assert_eq!(summary(ConnectionStatus::Active, None), (String::new(), false));
    }
}
