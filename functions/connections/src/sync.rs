//! `syncConnections`: checks with the platforms that the connections work.

use futures_util::future::join_all;
use shared::domain::{ConnectionStatus, Grant};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use std::collections::HashMap;

/// Checks all connections concurrently, with one platform call for each grant. A grant with only REVOKED connections is
/// skipped: the result could not change them.
pub(crate) async fn sync(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let context = call.platform_context();
    let needs_check = |grant: &&Grant| {
        let mut connections = call.connected.using_grant(&grant.id);
        !grant.ended && connections.any(|known| known.status != ConnectionStatus::Revoked)
    };
    let checks = call.connected.grants.iter().filter(needs_check).map(|grant| context.check_connections(grant));
    let checked = join_all(checks).await.into_iter().flatten();
    let mut found: HashMap<_, _> = checked.map(|check| (check.connection.id.clone(), check)).collect();
    let mut synced = 0;
    let mut connections = Vec::new();
    for connection in call.connected.connections.iter().filter(|known| known.status != ConnectionStatus::Pending) {
        let check = found.remove(&connection.id);
        synced += usize::from(check.as_ref().is_some_and(|check| check.is_verified));
        connections.push(check.map_or_else(|| connection.clone(), |check| check.connection));
    }
    Ok(Reply::Synced { synced, connections })
}
