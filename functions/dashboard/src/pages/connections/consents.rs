//! Why accounts of a consent have no access, and what a person does about it.

use crate::kit::connections::ConnectionSummary;
use crate::kit::words::{is_of_platform, no_access};
use shared::domain::{Connection, ConnectionStatus, Platform};

/// Why some accounts have no access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A person has reconnected others of their consent, without them.
    LeftOut,
    /// The consent has ended.
    Ended,
    /// The platform says why, and a person mends it there.
    OfPlatform(String),
    /// The platform does not let us in.
    Refused(String),
}

impl Cause {
    /// That of a broken connection among all.
    pub(super) fn of(connection: &Connection, all: &[Connection]) -> Cause {
        let reason = connection.reason.as_deref();
        let told = || no_access(connection.platform, reason);
        match connection.status {
            _ if is_left_out(connection, all) => Cause::LeftOut,
            ConnectionStatus::Error if is_of_platform(connection.platform, reason) => Cause::OfPlatform(told()),
            ConnectionStatus::Error => Cause::Refused(told()),
            ConnectionStatus::Revoked | ConnectionStatus::Active | ConnectionStatus::Pending => Cause::Ended,
        }
    }

    /// What happened to so many accounts.
    pub(super) fn why(&self, platform: Platform, count: usize) -> String {
        match (self, count) {
            (Cause::LeftOut, 1) => {
                "You did not tick it when you reconnected, or that login does not have it.".to_owned()
            }
            (Cause::LeftOut, _) => {
                format!("You did not tick these {count} when you reconnected, or that login does not have them.")
            }
            (Cause::Ended, _) => {
                format!("{} ended our access: someone withdrew it there, or it expired.", platform.display_name())
            }
            (Cause::OfPlatform(_), _) => {
                format!("{} does not let us in, until something is fixed there.", platform.display_name())
            }
            (Cause::Refused(told), _) => told.clone(),
        }
    }

    /// What the platform itself says, which stands small beside our words.
    pub(super) fn said(&self) -> Option<String> {
        match self {
            Cause::OfPlatform(told) => Some(told.clone()),
            Cause::LeftOut | Cause::Ended | Cause::Refused(_) => None,
        }
    }

    /// The one next step.
    pub(super) fn next(&self, platform: Platform, count: usize) -> String {
        let them = if count == 1 { "it" } else { "them" };
        match self {
            Cause::LeftOut => format!("Reconnect and tick {them}, or remove {them}."),
            Cause::Ended if count == 1 => "Reconnect to continue.".to_owned(),
            Cause::Ended => format!(
                "One login gave access to these {count} ad accounts, so reconnect once. Tick all of them there."
            ),
            Cause::OfPlatform(_) => format!("Fix that at {}, then check again.", platform.display_name()),
            Cause::Refused(_) => format!("Reconnect with a login that manages {them}."),
        }
    }
}

/// Whether one consent gives access to both.
pub(super) fn share_grant(one: &Connection, other: &Connection) -> bool {
    one.platform == other.platform && one.grant_id.is_some() && one.grant_id == other.grant_id
}

/// Whether a broken account was in one consent with an account that a later consent has. The accounts of a consent are
/// connected at one moment, and keep it.
pub(super) fn is_left_out(connection: &Connection, all: &[Connection]) -> bool {
    let is_renewed = |other: &Connection| {
        other.status == ConnectionStatus::Active
            && other.platform == connection.platform
            && other.created_at == connection.created_at
            && other.external_ref == connection.external_ref
            && other.grant_id.is_some()
            && other.grant_id != connection.grant_id
    };
    connection.status.is_broken() && all.iter().any(is_renewed)
}

/// The names of connections.
pub(super) fn names<'a>(connections: impl IntoIterator<Item = &'a Connection>) -> Vec<String> {
    connections.into_iter().map(|one| ConnectionSummary::of(one).name).collect()
}
