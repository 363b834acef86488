//! `putUser`.

use super::show::show;
use super::{named, require_other_key, user_in_path};
use shared::domain::ExternalRef;
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_user_update};
use shared::error::Error;
use shared::serve::Call;

/// Sets what the body names of a user, and makes the user if there is none. A limit holds from then on, also for requests
/// in flight that have not reserved yet under an earlier one.
pub(crate) async fn put(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    if named(call).is_none() {
        return Err(Error::field("external_ref", ExternalRef::RULE));
    }
    let name = user_in_path(call)?;
    let update = read_user_update(call.request.json_body()?)?;
    if update.spending_limit.is_some() {
        require_other_key(call, "change the spending limit of that user")?;
    }
    let asks = update.spending_limit.iter().flatten().any(|limit| limit.approval.is_some());
    if asks {
        call.store().note_users_ask(call.customer.id).await?;
    }
    let set = call.store().put_user(call.customer.id, &name, &update, call.request.now).await;
    let user = set.map_err(|error| error.may_have_taken_effect("Send the request again: it has the same effect."))?;
    show(call, user).await
}
