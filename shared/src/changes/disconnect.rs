//! The removal of a connection. Its campaigns on the platform do not change.

use super::cancel::cancel_changes_of_account;
use crate::domain::{Connection, Grant};
use crate::error::Error;
use crate::tokens::PlatformContext;

/// Removes a connection if it has not changed since it was read, and its grant if no other connection uses it. What waits in
/// its ad account is canceled.
pub async fn disconnect(context: PlatformContext<'_>, connection: &Connection) -> Result<bool, Error> {
    let (store, customer, now) = (&context.app.store, context.customer, context.now);
    let is_its_own = |known: &&Grant| Some(&known.id) == connection.grant_id.as_ref();
    let grant = context.connected.grants.iter().find(is_its_own);
    if !store.remove_connection(customer, connection, grant, now).await? {
        return Ok(false);
    }
    if let Some(grant) = grant {
        context.delete_unused_grant(grant).await;
    }
    if let Err(error) = cancel_changes_of_account(store, customer, connection, now).await {
        // Each fails at its time, because its connection is missing.
        tracing::warn!(connection = %connection.id, %error, source = error.source, "waiting changes not canceled");
    }
    Ok(true)
}
