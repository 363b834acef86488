//! `eraseUser`.

use super::show::details;
use super::{not_found, require_other_key, user_in_path};
use shared::changes::begin_erasure;
use shared::envelope::{Reply, UsersReply, read_erasure};
use shared::error::Error;
use shared::serve::Call;

/// Begins the erasure of a user, and tells how far it is. Maintenance goes on with it.
pub(crate) async fn erase(call: &Call) -> Result<Reply, Error> {
    let leave_running = read_erasure(&call.request.query)?;
    call.request.reject_body()?;
    let name = user_in_path(call)?;
    require_other_key(call, "erase that user")?;
    let (store, customer, now) = (call.store(), call.customer.id, call.request.now);
    store.known_user(customer, &name).await?.ok_or_else(not_found)?;
    let begun = begin_erasure(store, customer, &name, call.requester()?, leave_running, now).await;
    begun.map_err(|error| error.may_have_taken_effect("Send the request again: it is the same erasure."))?;
    let user = store.known_user(customer, &name).await?.ok_or_else(not_found)?;
    Ok(Reply::Users(UsersReply::Erasing(Box::new(details(call, user).await?))))
}
