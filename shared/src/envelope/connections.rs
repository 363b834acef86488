//! Connections. They use the flat shape only.

use super::campaign_defaults::WireDefaults;
use super::campaigns::connection_error;
use super::wire::{iso_millis, pagination};
use super::{ConnectionPage, RemovalPreview, Shape};
use crate::domain::{AdAccount, Connection, ConnectionId, ExternalRef, Platform, SkippedAccount};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
pub(super) struct ConnectionList<'a> {
    connections: Vec<WireConnection<'a>>,
    pagination: Value,
}

#[derive(Serialize)]
pub(super) struct SyncResult<'a> {
    synced: usize,
    connections: Vec<SyncedConnection<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    remaining: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
struct SyncedConnection<'a> {
    id: &'a str,
    platform: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<String>,
    last_synced_at: Option<String>,
}

#[derive(Serialize)]
pub(super) struct WireConnection<'a> {
    id: &'a str,
    platform: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<String>,
    label: Option<&'a str>,
    external_ref: Option<&'a str>,
    campaign_defaults: Option<WireDefaults<'a>>,
    remote_account_id: &'a str,
    /// The account as the platform reports it; null before the authorization is finished.
    account_name: Option<&'a str>,
    currency: Option<&'static str>,
    time_zone: Option<&'a str>,
    created_at: String,
    last_synced_at: Option<String>,
}

/// The body of `listConnections`.
pub(super) fn body(page: &ConnectionPage) -> ConnectionList<'_> {
    ConnectionList {
        connections: page.connections.iter().map(WireConnection::from).collect(),
        pagination: pagination(page.next_cursor.as_deref()),
    }
}

/// The body of `syncConnections`.
pub(super) fn sync_body(synced: usize, connections: &[Connection], remaining: usize) -> SyncResult<'_> {
    let wire = |connection| {
        let WireConnection { id, platform, status, status_reason, status_message, last_synced_at, .. } =
            WireConnection::from(connection);
        SyncedConnection { id, platform, status, status_reason, status_message, last_synced_at }
    };
    SyncResult { synced, connections: connections.iter().map(wire).collect(), remaining }
}

#[derive(Serialize)]
pub(super) struct ConfirmedConnections<'a> {
    connections: Vec<WireConnection<'a>>,
    skipped: Vec<WireSkipped<'a>>,
}

#[derive(Serialize)]
struct WireSkipped<'a> {
    remote_account_id: &'a str,
    account_name: &'a str,
    reason: &'static str,
}

/// The body of `confirmConnection`.
pub(super) fn confirmed_body<'a>(
    connections: &'a [Connection],
    skipped: &'a [SkippedAccount],
) -> ConfirmedConnections<'a> {
    let skipped = skipped.iter().map(|SkippedAccount { account, reason }| WireSkipped {
        remote_account_id: &account.id,
        account_name: &account.name,
        reason: reason.as_str(),
    });
    ConfirmedConnections {
        connections: connections.iter().map(WireConnection::from).collect(),
        skipped: skipped.collect(),
    }
}

/// The body of a dry run of `removeConnection`.
pub(super) fn removal_body(preview: &RemovalPreview) -> Value {
    let RemovalPreview { connection_id, active, held, waiting: (scheduled, awaiting_approval) } = preview;
    let known = active.as_ref().ok();
    let mut value = json!({
        "connection_id": connection_id.0,
        "active_campaigns": known.map(|active| active.count),
        "has_more_active": known.is_some_and(|active| active.has_more),
        "held_campaigns": held.dated,
        "monthly_campaigns": held.monthly,
        "waiting": { "scheduled": scheduled, "awaiting_approval": awaiting_approval },
    });
    if let Err(failure) = active {
        value["error"] = connection_error(failure, Shape::Flat);
    }
    value
}

/// The body of `authorize`.
pub(super) fn authorize_body(platform: Platform, connection: &ConnectionId, authorize_url: &SecretString) -> Value {
    json!({
        "authorize_url": authorize_url.expose_secret(),
        "platform": platform.as_str(),
        "connection_id": connection.0,
    })
}

impl<'a> From<&'a Connection> for WireConnection<'a> {
    fn from(connection: &'a Connection) -> WireConnection<'a> {
        // Destructured in full: a new field must be shown or ignored explicitly.
        let Connection {
            id,
            platform,
            status,
            reason,
            label,
            external_ref,
            campaign_defaults,
            account,
            grant_id: _,
            created_at,
            last_synced_at,
            paused_until: _,
        } = connection;
        let (remote_account_id, account_name, currency, time_zone) = match account {
            Some(AdAccount { id, name, currency, time_zone, manager_id: _ }) => {
                (id.as_str(), Some(name.as_str()), Some(currency.code()), Some(time_zone.as_str()))
            }
            None => ("", None, None, None),
        };
        WireConnection {
            id: &id.0,
            platform: platform.as_str(),
            status: status.as_str(),
            status_reason: reason.as_deref(),
            status_message: if status.is_broken() { connection.status_message() } else { None },
            label: label.as_deref(),
            external_ref: external_ref.as_ref().map(ExternalRef::as_str),
            campaign_defaults: campaign_defaults.as_ref().map(WireDefaults::from),
            remote_account_id,
            account_name,
            currency,
            time_zone,
            created_at: iso_millis(*created_at),
            last_synced_at: last_synced_at.map(iso_millis),
        }
    }
}
