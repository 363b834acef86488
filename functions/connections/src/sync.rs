//! `syncConnections`: checks with the platforms that the connections work.

use shared::domain::{Connection, ConnectionStatus};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use shared::tokens::{ConnectionCheck, GrantChecks};
use std::collections::HashMap;
use tokio::time::Instant;

/// Checks all connections, several grants at a time, with one check for each grant. A grant with only REVOKED
/// connections is skipped: the result could not change them. Maintenance checks those that are left.
pub(crate) async fn sync(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let context = call.platform_context();
    let GrantChecks { checks, remaining } = context.check_grants(None, last_start(context.deadline)).await;
    if let Some(next) = remaining.first() {
        call.store().leave_checks(call.customer.id, &next.id, call.request.app.clock.now()).await?;
    }
    let remaining = remaining.iter().flat_map(|grant| call.connected.using_grant(&grant.id));
    let remaining = remaining.filter(|known| known.status != ConnectionStatus::Revoked).count();
    let synced = checks.iter().filter(|check| check.is_verified).count();
    Ok(Reply::Synced { synced, connections: with_checks(&call.connected.connections, checks), remaining })
}

/// The time after which no check starts. A third of the request's time is left, for the checks in flight: enough for a
/// whole attempt of a read.
fn last_start(deadline: Instant) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) * 2 / 3
}

/// All connections that are not PENDING, those that were checked in their new state.
fn with_checks(known: &[Connection], checks: Vec<ConnectionCheck>) -> Vec<Connection> {
    let mut checked: HashMap<_, _> =
        checks.into_iter().map(|check| (check.connection.id.clone(), check.connection)).collect();
    let shown = known.iter().filter(|known| known.status != ConnectionStatus::Pending);
    shown.map(|known| checked.remove(&known.id).unwrap_or_else(|| known.clone())).collect()
}
