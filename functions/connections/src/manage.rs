//! `listConnections`, `labelConnection` and `removeConnection`.

use shared::changes::cancel_changes_of_account;
use shared::domain::{Connection, CustomerConnections, CustomerId, Reason};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_label};
use shared::error::{Error, Kind};
use shared::serve::{ApiRequest, Call};
use shared::store::ConnectionRef;

/// Reads the connections, without their grants.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Vec<Connection>, Error> {
    request.app.store.connections(customer, request.now).await
}

/// Lists the connections that the request may see.
pub(crate) async fn list(call: &Call, connections: Result<Vec<Connection>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::Connections(connections?.into_iter().filter(|connection| call.sees(&connection.id)).collect()))
}

/// Sets or removes the label of a connection.
pub(crate) async fn relabel(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let label = read_label(call.request.json_body()?)?;
    let connection = find_connection(call)?;
    if !call.store().set_label(call.customer.id, connection, label.as_deref()).await? {
        let message = "The connection changed concurrently; read it again and repeat the request.";
        return Err(Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile).retryable());
    }
    Ok(Reply::Connection(Box::new(Connection { label, ..connection.clone() })))
}

/// Removes a connection. Its campaigns on the platform do not change.
pub(crate) async fn remove(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    find_connection(call)?;
    if remove_if_unchanged(call, &call.connected).await? {
        return Ok(Reply::Done);
    }
    // Another request removed the connection, or the user has just authorized the account again.
    let name = [ConnectionRef::Id(call.request.parameter.clone())];
    let connected = call.store().named_connections(call.customer.id, &name, call.request.now).await?;
    if remove_if_unchanged(call, &connected).await? { Ok(Reply::Done) } else { Err(Error::not_found("connection")) }
}

/// Removes the connection if it has not changed since it was read, and its grant if no other connection uses it.
async fn remove_if_unchanged(call: &Call, connected: &CustomerConnections) -> Result<bool, Error> {
    let Some(connection) = connected.connection(&call.request.parameter) else { return Ok(false) };
    let grant = connected.grants.iter().find(|known| Some(&known.id) == connection.grant_id.as_ref());
    if !call.store().remove_connection(call.customer.id, connection, grant, call.request.now).await? {
        return Ok(false);
    }
    if let Some(grant) = grant {
        call.platform_context().delete_unused_grant(grant).await;
    }
    let (store, customer) = (call.store(), call.customer.id);
    if let Err(error) = cancel_changes_of_account(store, customer, connection, call.request.now).await {
        // Each fails at its time, because its connection is missing.
        tracing::warn!(connection = %connection.id, %error, source = error.source, "waiting changes not canceled");
    }
    Ok(true)
}

/// The customer's connection with the id in the path.
fn find_connection(call: &Call) -> Result<&Connection, Error> {
    call.connected.connection(&call.request.parameter).ok_or_else(|| Error::not_found("connection"))
}
