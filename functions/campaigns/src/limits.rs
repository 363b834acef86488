//! `getLimits`.

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Tells what the key of the request has left. The admission of the request has read it.
pub(crate) fn limits(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::Limits(call.key_spending().cloned().map(Box::new)))
}
