//! `cancelChange`.

use shared::domain::{Change, ChangeId, ChangeState};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Cancels a change that waits for its time. 409 for any other.
pub(crate) async fn cancel(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let not_found = || Error::not_found("change");
    let id = ChangeId::parse(&call.request.parameter).ok_or_else(not_found)?;
    let (store, customer, now) = (call.store(), call.customer.id, call.request.now);
    if let Some(canceled) = store.end_scheduled(customer, id, &ChangeState::Canceled(None), now).await? {
        return Ok(Reply::Change(Box::new(canceled)));
    }
    let change = store.change(customer, id).await?.filter(|change| change.expires_at > now).ok_or_else(not_found)?;
    Err(too_late(&change, call))
}

fn too_late(change: &Change, call: &Call) -> Error {
    let state = change.status(call.request.now).as_str();
    let message = format!("The change is {state}. Only a change that waits for its time can be canceled.");
    Error::new(Kind::Conflict, message)
}
