//! `GET /v1/connections` (spec 4.2).

use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::Call;

/// Lists the connections, which the front door has read already.
pub(crate) fn list(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    Ok(Reply::Connections(call.links.connections.clone()))
}
