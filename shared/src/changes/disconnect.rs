//! The removal of a connection. Its campaigns on the platform do not change.

use crate::domain::{Connection, Grant};
use crate::error::Error;
use crate::tokens::PlatformContext;

/// Removes a connection if it has not changed since it was read, and its grant if no other connection uses it. The caller
/// cancels what waits in its ad account.
pub async fn disconnect(context: PlatformContext<'_>, connection: &Connection) -> Result<bool, Error> {
    let is_its_own = |known: &&Grant| Some(&known.id) == connection.grant_id.as_ref();
    let grant = context.connected.grants.iter().find(is_its_own);
    if !context.app.store.remove_connection(context.customer, connection, grant, context.now).await? {
        return Ok(false);
    }
    if let Some(grant) = grant {
        context.delete_unused_grant(grant).await;
    }
    Ok(true)
}
