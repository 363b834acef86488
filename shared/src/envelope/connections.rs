//! Connections as they are listed; they have one shape (spec 2.3).

use super::wire::iso_millis;
use crate::domain::Connection;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct ConnectionList<'a> {
    connections: Vec<WireConnection<'a>>,
}

#[derive(Serialize)]
struct WireConnection<'a> {
    id: &'a str,
    platform: &'static str,
    status: &'static str,
    label: Option<&'a str>,
    remote_account_id: &'a str,
    created_at: String,
    last_synced_at: Option<String>,
}

/// The body of the list.
pub(super) fn body(connections: &[Connection]) -> ConnectionList<'_> {
    ConnectionList { connections: connections.iter().map(WireConnection::from).collect() }
}

impl<'a> From<&'a Connection> for WireConnection<'a> {
    fn from(connection: &'a Connection) -> WireConnection<'a> {
        // The whole struct, so that a new field does not compile until the interface decides about it.
        let Connection { id, platform, status, reason: _, label, account: _, grant_id: _, created_at, last_synced_at } =
            connection;
        WireConnection {
            id: &id.0,
            platform: platform.word(),
            status: status.word(),
            label: label.as_deref(),
            remote_account_id: connection.account_id(),
            created_at: iso_millis(*created_at),
            last_synced_at: last_synced_at.map(iso_millis),
        }
    }
}
