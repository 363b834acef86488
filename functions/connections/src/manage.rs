//! `GET /v1/connections`, `PATCH` and `DELETE /v1/connections/{id}` (spec 4.2).

use shared::domain::{Connection, CustomerConnections};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_label};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Lists the connections, which the front door has read already.
pub(crate) fn list(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::Connections(call.connected.connections.clone()))
}

/// Names a connection.
pub(crate) async fn relabel(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let label = read_label(call.request.json_body()?)?;
    let connection = wanted(call)?;
    if !call.store().set_label(call.customer.id, connection, label.as_deref()).await? {
        let message = "The connection changed at this moment; read it again and repeat the request.";
        return Err(Error::new(Kind::Conflict, message).retryable());
    }
    Ok(Reply::Connection(Box::new(Connection { label, ..connection.clone() })))
}

/// Removes a connection. Its campaigns on the platform stay as they are.
pub(crate) async fn remove(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    wanted(call)?;
    if remove_as_read(call, &call.connected).await? {
        return Ok(Reply::Done);
    }
    // Somebody else removed it, or its user has just authorised the account again.
    let connected = call.store().customer_connections(call.customer.id, call.request.now).await?;
    if remove_as_read(call, &connected).await? { Ok(Reply::Done) } else { Err(Error::not_found("connection")) }
}

/// Removes the connection as these connections have it, and the grant that it leaves behind.
async fn remove_as_read(call: &Call, connected: &CustomerConnections) -> Result<bool, Error> {
    let Some(connection) = connected.connection(&call.request.parameter) else { return Ok(false) };
    if !call.store().remove_connection(call.customer.id, connection, call.request.now).await? {
        return Ok(false);
    }
    let grant = connection.grant_id.as_ref();
    if let Some(grant) = connected.grants.iter().find(|known| Some(&known.id) == grant) {
        call.platform_context().delete_unused_grant(grant).await;
    }
    Ok(true)
}

/// The connection of the path; another customer's is not found.
fn wanted(call: &Call) -> Result<&Connection, Error> {
    call.connected.connection(&call.request.parameter).ok_or_else(|| Error::not_found("connection"))
}
