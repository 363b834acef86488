//! `getLimits`.

use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Limits, Reply};
use shared::error::Error;
use shared::serve::Call;

/// The spending limit of the request's key and its use, which the admission of the request has read, and those of the user
/// for whom the request acts.
pub(crate) async fn limits(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let key = call.key_spending().map(|spending| call.visible_spending(spending));
    let user = match call.user() {
        Some(user) => Some(call.store().user(call.customer.id, user).await?.1),
        None => None,
    };
    Ok(Reply::Limits(Box::new(Limits { key, user })))
}
