//! `pauseUser` and `resumeUser`.

use super::show::{connections, show};
use super::{not_found, require_other_key, user_in_path};
use shared::changes::{pause_user, resume_user};
use shared::domain::User;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Pauses a user, and tells how far its pause is. Maintenance pauses the campaigns within a minute or two.
pub(crate) async fn pause(call: &Call) -> Result<Reply, Error> {
    let user = known(call).await?;
    let (connections, by) = (connections(call, &user).await?, call.requester()?);
    let (store, customer, now) = (call.store(), call.customer.id, call.request.now);
    let paused = pause_user(store, customer, &user.external_ref, &connections, &by, now).await;
    let user = paused.map_err(|error| error.may_have_taken_effect("Send the request again: it is the same pause."))?;
    show(call, user).await
}

/// Resumes a user. What is paused stays paused.
pub(crate) async fn resume(call: &Call) -> Result<Reply, Error> {
    let user = known(call).await?;
    require_other_key(call, "resume that user")?;
    let resumed = resume_user(call.store(), call.customer.id, &user.external_ref, call.request.now).await;
    show(call, resumed?).await
}

/// The user in the path, unless it is being erased.
async fn known(call: &Call) -> Result<User, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let name = user_in_path(call)?;
    let user = call.store().known_user(call.customer.id, &name).await?.ok_or_else(not_found)?;
    if user.erasure.is_some() { Err(Error::user_leaves()) } else { Ok(user) }
}
