//! The connection of a create's target. It is never guessed: the ad account pays.

use shared::changes::require_active;
use shared::domain::{Connection, ConnectionStatement, ConnectionStatus, Reason, Statement};
use shared::envelope::{AccountChoice, Target};
use shared::error::{Error, Kind};

/// Connections that the error for a missing `connection_id` names.
const MAX_CHOICES: usize = 10;

/// The active connection of a target, out of the customer's.
pub(crate) fn choose<'a>(connections: &'a [Connection], target: &Target) -> Result<&'a Connection, Error> {
    let is_of_platform = |connection: &&Connection| connection.platform == target.platform;
    match &target.choice {
        AccountChoice::Account(id) => {
            let mut of_account =
                connections.iter().filter(is_of_platform).filter(|connection| connection.account_id() == id);
            let active = connections.iter().filter(is_of_platform).filter(|connection| is_active(connection));
            require_active(of_account.next().ok_or_else(|| unknown_account(target, id, active))?)
        }
        AccountChoice::Connection(id) => {
            let named = connections.iter().find(|connection| connection.id.0 == *id);
            let named = named.ok_or_else(|| unknown_connection(target, id))?;
            if named.platform == target.platform {
                require_active(named)
            } else {
                Err(of_other_platform(named, target))
            }
        }
        AccountChoice::OnlyConnection => only_active(connections.iter().filter(is_of_platform).collect(), target),
    }
}

fn is_active(connection: &Connection) -> bool {
    connection.status == ConnectionStatus::Active
}

fn only_active<'a>(of_platform: Vec<&'a Connection>, target: &Target) -> Result<&'a Connection, Error> {
    let active = of_platform.into_iter().filter(|connection| is_active(connection));
    match active.collect::<Vec<_>>().as_slice() {
        [] => Err(not_connected(target)),
        [only] => Ok(only),
        several => {
            let named: Vec<String> = several
                .iter()
                .take(MAX_CHOICES)
                .map(|connection| format!("{} (account {})", connection.id, connection.account_id()))
                .collect();
            let more = if several.len() > MAX_CHOICES { ", and others" } else { "" };
            let message = format!("is required, because several accounts are connected: {}{more}", named.join(", "));
            Err(Error::field("connection_id", message))
        }
    }
}

/// The error for an ad account, or a platform, without an active connection.
pub(crate) fn not_connected(target: &Target) -> Error {
    let platform = target.platform;
    let which = match &target.choice {
        AccountChoice::Account(id) => return unknown_account(target, id, std::iter::empty()),
        AccountChoice::Connection(id) => format!(" {id}"),
        AccountChoice::OnlyConnection => String::new(),
    };
    refusal(
        target,
        format!(
            "There is no active connection{which} on {platform}. Connect one: GET /v1/connections/{platform}/authorize."
        ),
    )
}

/// Names the ad accounts that are connected, because an id is easily misspelled.
fn unknown_account<'a>(target: &Target, account: &str, active: impl Iterator<Item = &'a Connection>) -> Error {
    let others = active.take(MAX_CHOICES).map(|connection| connection.account_id().to_owned()).collect();
    let (platform, account) = (target.platform, account.to_owned());
    refusal(target, ConnectionStatement::Missing { platform, account, others })
}

/// The same error for an id that does not exist, for one of another customer, and for one that the key may not see.
fn unknown_connection(target: &Target, id: &str) -> Error {
    let id: String = id.chars().take(100).collect();
    refusal(target, format!("You have no connection with the id {id}. GET /v1/connections lists yours."))
}

fn of_other_platform(connection: &Connection, target: &Target) -> Error {
    let Connection { id, platform: own, .. } = connection;
    let message = format!(
        "The connection {id} is one of {own}, and the request names {}. Send platform {own}, or another connection_id.",
        target.platform
    );
    refusal(target, message)
}

fn refusal(target: &Target, message: impl Into<Statement>) -> Error {
    Error::new(Kind::Forbidden, message).because(Reason::NotConnected).on(target.platform)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use shared::domain::{AdAccount, ConnectionId, Currency, Platform};

    fn connection(id: &str, platform: Platform, status: ConnectionStatus) -> Connection {
        let account = AdAccount {
            id: format!("1{id}"),
            name: String::new(),
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
            created_at: Timestamp::UNIX_EPOCH,
            last_synced_at: None,
            paused_until: None,
        }
    }

    fn refused(choice: AccountChoice, connections: &[Connection]) -> (Reason, String) {
        let target = Target::new(Platform::Alpha, choice);
        let error = choose(connections, &target).unwrap_err();
        assert_eq!((error.kind, error.platform), (Kind::Forbidden, Some(Platform::Alpha)));
        (error.reason(), error.message.to_string())
    }

    #[test]
    fn each_connection_that_cannot_create_has_its_own_sentence() {
        let connections = [
            connection("a", Platform::Beta, ConnectionStatus::Active),
            connection("b", Platform::Alpha, ConnectionStatus::Revoked),
            connection("c", Platform::Alpha, ConnectionStatus::Error),
        ];
        let by_id = |id: &str| refused(AccountChoice::Connection(id.to_owned()), &connections);
        for (id, reason, part) in [
            ("a", Reason::NotConnected, "is one of beta_ads, and the request names alpha_ads"),
            ("b", Reason::ConnectionRevoked, "is REVOKED. Google Ads no longer accepts"),
            ("c", Reason::ConnectionBroken, "is ERROR. Google Ads refuses"),
            ("x", Reason::NotConnected, "no connection with the id x"),
        ] {
            let (told, message) = by_id(id);
            assert_eq!(told, reason, "{id}");
            assert!(message.contains(part), "{message}");
        }
        let by_account = refused(AccountChoice::Account("1b".to_owned()), &connections);
        assert_eq!(by_account, by_id("b"), "an account is told as its connection");
        let (_, missing) = refused(AccountChoice::OnlyConnection, &connections);
        assert!(missing.contains("no active connection on alpha_ads"), "{missing}");
    }
}
