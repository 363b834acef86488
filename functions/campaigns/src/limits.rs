//! `getLimits`.

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// The spending limit of the request's key and its use. The admission of the request has read both.
pub(crate) fn limits(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::Limits(call.key_spending().cloned().map(Box::new)))
}
