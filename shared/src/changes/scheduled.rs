//! Changes that wait for their time: checked and stored by a request, applied by maintenance.

use super::failure::change_error;
use crate::domain::{Change, ChangeState, Connection, CustomerId};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// Ends a waiting change whose ad account is not connected any more.
pub async fn fail_scheduled(store: &Store, change: &Change, error: &Error, at: Timestamp) -> Result<(), Error> {
    let state = ChangeState::Failed(change_error(error));
    store.end_scheduled(change.customer, change.id, &state, at).await.map(drop)
}

/// Cancels the waiting changes of an ad account that is not connected any more.
pub async fn cancel_changes_of_account(
    store: &Store,
    customer: CustomerId,
    connection: &Connection,
    at: Timestamp,
) -> Result<(), Error> {
    let removed = change_error(&Error::new(Kind::Conflict, "The connection was removed."));
    store.cancel_changes_of_account(customer, connection, &removed, at).await
}
