//! The dry run of `removeConnection` (D172).

use crate::list::find_connection;
use shared::changes::count_active;
use shared::envelope::{RemovalPreview, Reply};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Tells what a removal would leave behind, and removes nothing. A platform that does not answer hides only its own number.
pub(crate) async fn preview_removal(call: &Call) -> Result<Reply, Error> {
    let connection = find_connection(call)?;
    let (store, customer, now) = (call.store(), call.customer.id, call.request.now);
    let (platform, account) = (connection.platform, connection.account_id());
    let (active, held, waiting) = tokio::join!(
        count_active(call.platform_context(), connection),
        store.held_campaigns(customer, platform, account, now),
        store.count_waiting(customer, std::slice::from_ref(connection), now)
    );
    let active = match active {
        Err(error) if error.kind == Kind::Internal => return Err(error),
        active => active.map_err(|error| (platform, connection.id.clone(), error)),
    };
    let connection_id = connection.id.clone();
    let preview = RemovalPreview { connection_id, active, held: held?, waiting: waiting? };
    Ok(Reply::RemovalPreview(Box::new(preview)))
}
