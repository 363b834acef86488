//! Checks of a spending limit that a request sets.

use shared::domain::{ConnectionId, Scope, SpendingLimit};
use shared::envelope::{KeyRequest, KeyUpdate, read_key_request, read_key_update};
use shared::error::Error;
use shared::routes::{ApiKeysEndpoint, Endpoint};
use shared::serve::{ApiRequest, Call, RequiredConnections};
use shared::store::ConnectionRef;
use std::collections::BTreeSet;

/// The connections that the limit in a body names. An invalid body names none, and the handler reports it.
pub(crate) fn required_connections(request: &ApiRequest) -> RequiredConnections {
    let limit = request.json_body().and_then(|body| match request.route.endpoint {
        Endpoint::ApiKeys(ApiKeysEndpoint::CreateKey) => {
            read_key_request(body, request.now).map(|KeyRequest { spending_limit, .. }| spending_limit)
        }
        _ => read_key_update(body).map(|KeyUpdate { spending_limit, .. }| spending_limit.flatten()),
    });
    let connections = limit.ok().flatten().map(|limit| limit.connections).unwrap_or_default();
    RequiredConnections::Named(connections.into_iter().map(|connection| ConnectionRef::Id(connection.0)).collect())
}

/// Refuses a limit of unknown connections, and one of a key that may do more than change campaigns: such a key could
/// make another one without a limit.
pub(crate) fn check_limit(call: &Call, scopes: &BTreeSet<Scope>, limit: &SpendingLimit) -> Result<(), Error> {
    let is_known = |connection: &&ConnectionId| call.connected.connection(&connection.0).is_some();
    if let Some(unknown) = limit.connections.iter().find(|connection| !is_known(connection)) {
        let message = format!("has {unknown}, which is none of your connections (GET /v1/connections lists them)");
        return Err(Error::field("spending_limit.connections", message));
    }
    require_campaigns_alone(scopes)
}

/// Refuses any other scope of a key with a limit.
pub(crate) fn require_campaigns_alone(scopes: &BTreeSet<Scope>) -> Result<(), Error> {
    if scopes.iter().all(|scope| *scope == Scope::Campaigns) {
        return Ok(());
    }
    Err(Error::field("scopes", "must be campaigns alone for a key with a spending_limit"))
}
