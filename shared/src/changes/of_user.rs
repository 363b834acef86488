//! Changes that were read for the whole customer, as a request for one of its users sees them.

use crate::domain::{Change, CustomerId, ExternalRef, Rights};
use crate::error::Error;
use crate::store::Store;

/// Those of a customer's changes that a user sees: by the rights of a request that acts for it (D159).
pub async fn seen_by_user(
    store: &Store,
    customer: CustomerId,
    user: &ExternalRef,
    changes: Vec<Change>,
) -> Result<Vec<Change>, Error> {
    let rights = Rights::of(None, Some(store.connection_ids_of_user(customer, user).await?));
    Ok(changes.into_iter().filter(|change| rights.include(change)).collect())
}
