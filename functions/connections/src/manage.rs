//! `labelConnection` and `removeConnection`.

use crate::list::find_connection;
use crate::preview_removal::preview_removal;
use shared::changes::{cancel_changes_of_account, disconnect};
use shared::domain::{CampaignDefaults, Connection, ConnectionStatus, ConnectionUpdate, CustomerConnections, Reason};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_connection_update};
use shared::error::{Error, Kind};
use shared::platforms::adapter;
use shared::serve::Call;
use shared::store::ConnectionRef;
use shared::tokens::PlatformContext;

/// Changes what callers set of a connection.
pub(crate) async fn relabel(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let update = read_connection_update(call.request.json_body()?)?;
    let connection = find_connection(call)?;
    require_same_user(call, &update)?;
    if connection.status == ConnectionStatus::Pending && update.external_ref.is_some() {
        let message = "The consent of this connection is not finished. Start it again with the external_ref that its \
                       connections are to have.";
        return Err(Error::new(Kind::Conflict, message));
    }
    if let Some(defaults) = &update.campaign_defaults {
        check_defaults(connection, defaults.as_ref())?;
    }
    if !call.store().update_connection(call.customer.id, connection, &update, call.request.now).await? {
        let message = "The connection changed concurrently; read it again and repeat the request.";
        return Err(Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile).retryable());
    }
    let is_given = update.external_ref.is_some();
    let updated = update.of(connection);
    if is_given {
        // Whoever has the connection sees, and can cancel, what is still to be done in it.
        call.store().give_changes_of_account(call.customer.id, &updated, call.request.now).await?;
    }
    Ok(Reply::Connection(Box::new(updated)))
}

/// Refuses to give a connection of the user for whom the request acts to another one, or to none.
fn require_same_user(call: &Call, update: &ConnectionUpdate) -> Result<(), Error> {
    let (Some(user), Some(new)) = (call.user(), &update.external_ref) else { return Ok(()) };
    if new.as_ref() == Some(user) {
        return Ok(());
    }
    let message = format!(
        "This request acts for the user {user}, so its connections stay with this user. To change external_ref, send the \
         request without a user, with an API key that is bound to none."
    );
    Err(Error::new(Kind::Forbidden, message))
}

/// Checks values of new campaigns. A PENDING connection becomes one for each ad account, and none would have them.
fn check_defaults(connection: &Connection, defaults: Option<&CampaignDefaults>) -> Result<(), Error> {
    if connection.status == ConnectionStatus::Pending {
        let message = "The consent of this connection is not finished. Set campaign_defaults of its connections once \
                       they are ACTIVE.";
        return Err(Error::new(Kind::Conflict, message));
    }
    let Some(defaults) = defaults else { return Ok(()) };
    adapter(connection.platform).defaults_errors(defaults).into_result()
}

/// Removes a connection, or tells what that would leave behind. Its campaigns on the platform do not change.
pub(crate) async fn remove(call: &Call) -> Result<Reply, Error> {
    if call.request.is_dry_run()? {
        return preview_removal(call).await;
    }
    find_connection(call)?;
    if remove_if_unchanged(call, &call.connected).await? {
        return Ok(Reply::Done);
    }
    // Another request removed the connection, or the user has just authorized the account again.
    let name = [ConnectionRef::Id(call.request.parameter.clone())];
    let CustomerConnections { connections, grants } =
        call.store().named_connections(call.customer.id, &name, call.request.now).await?;
    let connected = CustomerConnections { connections: call.visible(connections).collect(), grants };
    if remove_if_unchanged(call, &connected).await? { Ok(Reply::Done) } else { Err(Error::not_found("connection")) }
}

/// Removes the connection if it has not changed since it was read, and its grant if no other connection uses it. Cancels what
/// waits in its ad account.
async fn remove_if_unchanged(call: &Call, connected: &CustomerConnections) -> Result<bool, Error> {
    let Some(connection) = connected.connection(&call.request.parameter) else { return Ok(false) };
    if !disconnect(PlatformContext { connected, ..call.platform_context() }, connection).await? {
        return Ok(false);
    }
    let (store, customer) = (call.store(), call.customer.id);
    if let Err(error) = cancel_changes_of_account(store, customer, connection, call.request.now).await {
        // Each fails at its time, because its connection is missing.
        tracing::warn!(connection = %connection.id, %error, source = error.source, "waiting changes not canceled");
    }
    Ok(true)
}
