//! Connections: the list, the consent that makes them, and what a person does with one.

use crate::client::api::{Api, Refusal, json};
use crate::kit::text::path_segment;
use secrecy::SecretString;
use serde::Serialize;
use shared::app::App;
use shared::domain::{Connection, Platform};
use shared::envelope::{RemovalPreview, Reply};
use shared::platforms::adapter;
use shared::platforms::oauth::AuthorizeRequest;
use url::Url;

const CONNECTIONS: &str = "/v1/connections";

/// What a check of all connections has found.
pub(crate) struct SyncReport {
    /// Number of connections that their platform confirmed.
    pub(crate) synced: usize,
    /// All connections whose consent is complete.
    pub(crate) connections: Vec<Connection>,
    /// Number of connections that are still to be checked.
    pub(crate) remaining: usize,
}

/// Reads all connections.
pub(crate) async fn list(api: &Api<'_>) -> Result<Vec<Connection>, Refusal> {
    match api.ask_for(CONNECTIONS).await? {
        Reply::Connections(page) => Ok(page.connections),
        other => Err(api.unexpected(&other)),
    }
}

/// Begins a consent. Returns the address of the platform's page, which leads back to `back` at its end. The platform comes
/// back as the state, because the outcome of a consent does not name it.
pub(crate) async fn authorize(api: &Api<'_>, platform: &str, back: &str) -> Result<SecretString, Refusal> {
    let (platform, back) = (path_segment(platform), path_segment(back));
    match api.ask_for(&format!("{CONNECTIONS}/{platform}/authorize?redirect_uri={back}&state={platform}")).await? {
        Reply::Authorize { authorize_url, .. } => Ok(authorize_url),
        other => Err(api.unexpected(&other)),
    }
}

/// Checks all connections with their platforms.
pub(crate) async fn sync(api: &Api<'_>) -> Result<SyncReport, Refusal> {
    match api.ask_to("POST", &format!("{CONNECTIONS}/sync"), None).await? {
        Reply::Synced { synced, connections, remaining } => Ok(SyncReport { synced, connections, remaining }),
        other => Err(api.unexpected(&other)),
    }
}

/// Changes a connection: its label, or what its new campaigns have.
pub(crate) async fn update(api: &Api<'_>, id: &str, changes: &impl Serialize) -> Result<Connection, Refusal> {
    match api.ask_to("PATCH", &target(id), json(changes)).await? {
        Reply::Connection(connection) => Ok(*connection),
        other => Err(api.unexpected(&other)),
    }
}

/// Reads a connection.
pub(crate) async fn one(api: &Api<'_>, id: &str) -> Result<Connection, Refusal> {
    match api.ask_for(&target(id)).await? {
        Reply::Connection(connection) => Ok(*connection),
        other => Err(api.unexpected(&other)),
    }
}

/// Asks what the removal of a connection would leave behind.
pub(crate) async fn preview_removal(api: &Api<'_>, id: &str) -> Result<RemovalPreview, Refusal> {
    match api.ask_to("DELETE", &format!("{}?dry_run=true", target(id)), None).await? {
        Reply::RemovalPreview(preview) => Ok(*preview),
        other => Err(api.unexpected(&other)),
    }
}

/// Removes a connection.
pub(crate) async fn remove(api: &Api<'_>, id: &str) -> Result<(), Refusal> {
    match api.ask_to("DELETE", &target(id), None).await? {
        Reply::Done => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// The origins of the consent pages, at which the connect forms end.
pub(crate) fn consent_origins(app: &App) -> Vec<String> {
    // A verifier has at least 43 characters (RFC 7636, section 4.1).
    let blank = SecretString::from("0".repeat(43));
    let origin = |platform: Platform| {
        let request = AuthorizeRequest { redirect_uri: "https://localhost/", state: &blank, verifier: &blank };
        let url = adapter(platform).authorize_url(app.platform_config(platform)?, &request).ok()?;
        Some(Url::parse(&url).ok()?.origin().ascii_serialization())
    };
    let mut origins: Vec<String> = Platform::ALL.into_iter().filter_map(origin).collect();
    origins.sort();
    origins.dedup();
    origins
}

fn target(id: &str) -> String {
    format!("{CONNECTIONS}/{}", path_segment(id))
}
