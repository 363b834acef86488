//! Checks of a spending limit that a request sets.

use shared::domain::{ApiKeyInfo, ExternalRef, Scope, SpendingLimit};
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

/// The kind of a key: it limits the scopes that the key may have.
#[derive(Clone, Copy)]
pub(crate) struct KeyKind {
    pub(crate) is_of_assistant: bool,
    pub(crate) is_limited: bool,
}

impl KeyKind {
    pub(crate) fn of(key: &ApiKeyInfo) -> KeyKind {
        KeyKind { is_of_assistant: key.is_of_assistant, is_limited: key.is_limited }
    }

    /// Refuses any scope but `campaigns` for a key with a limit: one that may do more could make another key without a
    /// limit. An assistant always has a limit, and may have `read` alone: its limit then names the ad accounts that it sees.
    pub(crate) fn check_scopes(self, scopes: &BTreeSet<Scope>) -> Result<(), Error> {
        let are_only = |scope: Scope| scopes.iter().all(|one| *one == scope);
        match self {
            KeyKind { is_of_assistant: true, is_limited: false } => {
                Err(Error::field("spending_limit", "is required for an assistant"))
            }
            KeyKind { is_of_assistant: true, .. } if are_only(Scope::Read) => Ok(()),
            KeyKind { is_limited: true, .. } if !are_only(Scope::Campaigns) => {
                Err(Error::field("scopes", "must be campaigns alone for a key with a spending_limit"))
            }
            KeyKind { .. } => Ok(()),
        }
    }
}

/// Refuses a limit of unknown connections, or of such as are not those of the key's user.
pub(crate) fn check_limit(call: &Call, limit: &SpendingLimit, user: Option<&ExternalRef>) -> Result<(), Error> {
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
    Ok(())
}
