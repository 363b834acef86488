//! Checks of a spending limit that a request sets.

use shared::domain::{ExternalRef, Scope, SpendingLimit};
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

/// Refuses a limit of unknown connections, or of such as are not those of the key's user; and one of a key that may do
/// more than change campaigns: such a key could make another one without a limit.
pub(crate) fn check_limit(
    call: &Call,
    scopes: &BTreeSet<Scope>,
    limit: &SpendingLimit,
    user: Option<&ExternalRef>,
) -> Result<(), Error> {
    for id in &limit.connections {
        let known = call.connected.connection(&id.0);
        let message = match (known, user) {
            (None, _) => format!("has {id}, which is none of your connections (GET /v1/connections lists them)"),
            (Some(known), Some(user)) if known.external_ref.as_ref() != Some(user) => {
                format!("has {id}, which is no connection of {user}, the user of the key")
            }
            (Some(_), _) => continue,
        };
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
